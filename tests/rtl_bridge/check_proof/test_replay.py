# SPDX-License-Identifier: Apache-2.0
"""A certificate written by hand is checked; with any of its lines altered it is wrong, and the line is named."""

from dataclasses import replace
from typing import Any

import pytest

from limbtrace.rtl_bridge.check_proof.check import check
from limbtrace.rtl_bridge.check_proof.records import WrongError
from tests.rtl_bridge.check_proof.small_log import DESIGN, LOG, certificate


def test_it_is_checked() -> None:
    checked = check(certificate())
    assert checked.form == "a0 * b0 modulo 0x10"
    assert checked.trusted == ["that the model is this product for all operands: it is for 64 drawn ones"]
    (product,) = checked.products
    assert (product.name, product.cycle) == ("first 0", 3)
    counts = checked.counts
    assert (counts.lines, counts.claims, counts.cuts, counts.refuted) == (2, 6, 1, 0)
    assert checked.inputs["valid_i"] == {"0x0": 5, "0x1": 1}


ALTERED = [
    ("a bit of a slice", "T 42 slice 4 41 3 0", "T 42 slice 4 41 4 1", "no refutation"),
    ("an operand of a product", "T 40 product 8 32 33", "T 40 product 8 32 32", "no refutation"),
    ("an operation", "T 40 product 8 32 33", "T 40 concat 8 32 33", "no refutation"),
    ("a width", "T 40 product 8 32 33", "T 40 product 9 32 33", "24 of the design has 8 bits"),
    ("a constant", "T 31 const 1 1", "T 31 const 1 0", "no refutation"),
    ("the value of a line", "L 20 32", "L 20 33", "no refutation"),
    ("the value of an input", "I 4 31", "I 4 30", "no refutation"),
    ("a claim about other bits", "Q result_o 0 3 0 3 0", "Q result_o 0 3 0 3 1", "no refutation"),
    ("a claim about another value", "Q row_o 0 7 0 2 0", "Q row_o 0 7 0 3 0", "no refutation"),
    ("a claim about another output", "Q row_o 0 7 0 2 0", "Q rule_o 0 7 0 2 0", "no refutation"),
    ("a claim about an earlier cycle", "Q row_o 0 7 0 2 0", "Q row_o 1 7 0 2 0", "no refutation"),
    ("a claim about part of the result", "Q result_o 0 3 0 3 0", "Q result_o 0 2 0 3 0", "not all bits of a result"),
    ("a claim about a result without done", "Q row_o 0 7 0 2 0", "Q result_o 0 3 0 #0 0", "no refutation"),
    ("a product that is another one", "G 2 0 225 * 0 1", "G 2 0 225 * 0 0", "no refutation"),
    ("a sum in place of a product", "G 2 0 225 * 0 1", "G 2 0 225 + 0 1", "no refutation"),
    ("a bound of a new name", "T 41 var 8 e1 product", "T 41 var 8 e0 product", "no refutation"),
    ("a name that is a term", "D 2 0 41", "D 2 0 40", "register u.*no refutation"),
    ("a name at another place", "D 2 0 41", "D 2 1 41", "more bits of a value"),
    ("a name for another value", "D 2 0 41", "D 3 0 41", "more bits of a value"),
    ("a register that holds something else", "S 13 42", "S 13 32", "no refutation"),
    ("a first value with a bound", "T 10 var 4 f any_x", "T 10 var 4 7 any_x", "another first value"),
    ("a state that was never there", "U 0", "U 1", "not a line of a certificate"),
    ("going back to a state that was never there", "M 0 0", "M 0 7", "not a line of a certificate"),
    ("a product that has no end", "Z", "", "a product has not ended"),
    ("an unknown letter", "Z", "Y", "not a line of a certificate"),
    ("a line without a letter", "Z", " ", "not a line of a certificate"),
    ("an unknown value", "D 2 0 41", "D 9 0 41", "not a line of a certificate"),
    ("an unknown operation", "T 40 product 8 32 33", "T 40 power 8 32 33", "not a term"),
]


@pytest.mark.parametrize(("old", "new", "said"), [row[1:] for row in ALTERED], ids=[row[0] for row in ALTERED])
def test_an_altered_line_is_wrong(old: str, new: str, said: str) -> None:
    log = [new if line == old else line for line in LOG]
    with pytest.raises(WrongError, match=rf"^line \d+: .*{said}"):
        check(certificate([line for line in log if line]))


AFTER = LOG.index("Z")
"""From here on the core forgets the product."""


@pytest.mark.parametrize(
    ("at", "old", "new", "said"),
    [
        (AFTER, "S 11 11", ["S 11 32"], "that is to hold what it held: .*no refutation"),
        (AFTER, "S 11 11", ["S 11 10"], "a variable is in a state twice"),
        (AFTER, "S 11 11", ["T 50 var 4 e low", "S 11 50"], "a variable of a state has a bound"),
        (AFTER, "S 12 12", ["T 50 product 8 10 11", "S 12 50"], "does not cover the one before it"),
        (AFTER, "S 10 10", ["S 10 12"], "register x has 4 bits"),
        (AFTER, "F", ["K"], "no refutation"),
        (AFTER, "N 1", [], "an idle state was not recorded"),
        (0, "I 5 32", ["I 5 32", "T 50 const 4 0", "I 7 50"], "is unknown and is given a value"),
        (0, "I 5 32", ["I 5 32", "I 7 32"], "input 7 is not free"),
        (0, "I 5 32", ["I 5 10"], "input a_i depends on more than operands"),
        (0, "P first 0", ["S 10 32", "F", "P first 0"], "that is to hold what it held"),
        (AFTER - 1, "Q result_o 0 3 0 3 0", ["J 0", "Q result_o 0 3 0 3 0"], "left behind"),
    ],
)
def test_an_altered_state_is_wrong(at: int, old: str, new: list[str], said: str) -> None:
    place = LOG.index(old, at)
    with pytest.raises(WrongError, match=rf"^line \d+: .*{said}"):
        check(certificate([*LOG[:place], *new, *LOG[place + 1 :]]))


def test_a_cut_names_what_is_equal_already() -> None:
    """Without the claim in front of it, the row is what the value is called all the same."""
    log = [line for line in LOG if not line.startswith("Q row_o")]
    assert check(certificate(log)).counts.claims == 5


def test_an_altered_line_is_named() -> None:
    number = LOG.index("L 20 32")
    log = [*LOG[:number], "L 20 33", *LOG[number + 1 :]]
    with pytest.raises(WrongError, match=rf"^line {number + 1}: "):
        check(certificate(log))


@pytest.mark.parametrize("line", [line for line in dict.fromkeys(LOG) if line[0] in "SKFCQDUZ"])
def test_a_line_that_is_missing_matters_or_is_not_needed(line: str) -> None:
    """Without one of its lines a certificate is wrong; or it says less, or what it says follows without that line."""
    needless = ("Q rule_o", "Q row_o", "D 2", "K", "S 13 42", "F", "C", "U 0", "S")
    log = [*LOG]
    log.reverse()
    log.remove(line)
    log.reverse()
    try:
        checked = check(certificate(log))
    except WrongError:
        return
    assert line.startswith(needless)
    assert checked.products[0].ended


@pytest.mark.parametrize(
    ("old", "new"),
    [("24 mul 3 22 23", "24 add 3 22 23"), ("25 slice 2 12 3 0", "25 slice 2 12 4 1"),
     ("21 ite 2 4 6 11", "21 ite 2 4 5 11"),
     ("35 next 1 15 14", "35 next 1 15 -14"), ("26 zero 3", "26 one 3"), ("24 mul 3 22 23", "24 power 3 22 23")],
)  # fmt: skip
def test_another_design_is_wrong(old: str, new: str) -> None:
    assert old in DESIGN
    with pytest.raises(WrongError):
        check(certificate(design=DESIGN.replace(old, new)))


def test_another_closed_form_is_wrong() -> None:
    with pytest.raises(WrongError, match="the program of the model is not a0 \\* b0 \\* 0x3 modulo 0x10"):
        check(certificate(factor=3))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"factor": 4}, "no closed form, or one that says nothing"),
        ({"products": []}, "no closed form, or one that says nothing"),
        ({"digits": [[[0, 3, 0]]]}, "not the bits of the result"),
        ({"digits": [[[0, 2, 0], [1, 3, 1]]]}, "not the bits of the result"),
        ({"digits": [[[0, 4, 0], [4, 1, 4]]]}, "not the bits of the result"),
    ],
)
def test_a_closed_form_that_says_nothing_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongError, match=said):
        check(replace(certificate(), **change))
