# SPDX-License-Identifier: Apache-2.0
"""A core with two numbers in operand a and in its result, on ports side by side."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job
from tests.rtl_bridge.proof.test_proof import proved

TOY = TOYS / "butterfly_toy"
STREAM = TOYS / "inverse_toy"
"""A pipeline that takes a butterfly in each cycle."""
FAULTS: dict[str, Edit] = {
    "the sum p is not reduced": ("butterfly_toy.sv", "sum >= {1'b0, p_i}", "sum > {1'b0, p_i}"),
    "the borrow is lost": ("butterfly_toy.sv", "difference[W] ?", "1'b0 & difference[W] ?"),
    "results are exchanged": ("core.toml", "{odd_o, even_o}", "{even_o, odd_o}"),
}


@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
@pytest.mark.parametrize("prime", ["13", "3329"])
def test_in_icarus(mode: str, prime: str) -> None:
    report = simulate(job(TOY, prime, mode=mode, count=60))
    assert report.passed, report.text()
    assert report.document["verified"] == 60


@pytest.mark.parametrize("edit", FAULTS.values(), ids=FAULTS)
def test_faults_are_found_in_few_directed_cases(edit: Edit, tmp_path: Path) -> None:
    asked = job(TOY, "3329", mode="lockstep", kind="directed", count=16)
    assert simulate(asked).passed
    assert not simulate(asked.model_copy(update={"core": str(copy_of(TOY, tmp_path, edit))})).passed


def test_numbers_are_compared_one_by_one(tmp_path: Path) -> None:
    """p more in the low number and 1 less in the high one is the same integer, and another result."""
    edits = [
        ("core.toml", 'W = "N"', 'W = "N + 1"'),
        (
            "butterfly_toy.sv",
            "assign even_o     = W'(",
            "logic [W-1:0] odd;\n  assign even_o     = (odd != 0 ? p_i : '0) + W'(",
        ),
        ("butterfly_toy.sv", "assign odd_o      = ", "assign odd_o      = odd - W'(odd != 0);\n  assign odd        = "),
    ]
    core = copy_of(TOY, tmp_path, *edits)
    report = simulate(job(core, "13", count=40))
    assert report.differences[0].signal == "result[0]"
    assert proved(core, "13")[1]["verdict"] == "refuted"


@pytest.mark.budget(30)
@pytest.mark.parametrize(("toy", "prime"), [(TOY, "7"), (TOY, "mlkem"), (STREAM, "mldsa")])
def test_two_numbers_are_proved(toy: Path, prime: str) -> None:
    """At widths of the lattice schemes, also with several products in a pipeline: each number is a variable."""
    assert proved(toy, prime)[0] == 0


STREAM_FAULTS: dict[str, Edit] = {
    "an odd number is not halved": ("inverse_toy.sv", "(remainder[0] ? {1'b0, p_i} : '0)", "'0"),
    "w is that of the next product": ("inverse_toy.sv", "(2 * W)'(w_1)", "(2 * W)'(valid_i ? w_i : w_1)"),
    "the numbers of a are exchanged": ("core.toml", "{v_i, u_i}", "{u_i, v_i}"),
}


@pytest.mark.budget(18)
@pytest.mark.parametrize("edit", STREAM_FAULTS.values(), ids=STREAM_FAULTS)
def test_faulty_pipelines_are_refuted(edit: Edit, tmp_path: Path) -> None:
    code, document = proved(copy_of(STREAM, tmp_path, edit), "13")
    assert (code, document["verdict"]) == (1, "refuted")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (', radix = "p" }, {', " }, {", r"operand\[0\] needs a port with u and above it v, .* radix = \"p\""),
        ('odd_o, even_o}", radix = "p"', 'odd_o, even_o}"', r"result needs a port with even and above it odd"),
        ('odd_o, even_o}", radix = "p"', 'odd_o, even_o}", radix = "2^N"', r"result.radix is '2\^N', and even and odd"),
        ("{odd_o, even_o}", "{odd_o[2:0], even_o[2:0]}", "whose 6 bits are not two halves of 4 bits or more"),
    ],
)
def test_descriptions_that_do_not_fit(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    core = copy_of(TOY, tmp_path, ("core.toml", old, new))
    with pytest.raises(ValueError, match=sentence):
        simulate(job(core, "13", count=4))


def test_residues_of_two_numbers_are_not_compared(tmp_path: Path) -> None:
    core = copy_of(TOY, tmp_path, ("core.toml", 'top = "butterfly_toy"', 'top = "butterfly_toy"\ncompare = "residue"'))
    with pytest.raises(ValueError, match="returns several numbers, even and odd"):
        simulate(job(core, "13", count=4))
