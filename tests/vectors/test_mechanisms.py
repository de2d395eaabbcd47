# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of hardware in kinds `directed` and `events` of every model, in the limbs that are asked for."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.event_search import Occurrences
from limbtrace.refmodels.mechanisms import MECHANISMS, MechanismCase, shown
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.operands import MOST_BESIDE_EVENTS, operands, pairs, reduced_product
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.strategies import multipliers
from tests.vectors.test_cli import document, good, run
from tests.vectors.test_events import multiplier

FIRST = 90
"""Cases of `directed` in which every mechanism was there."""


MULTIPLYING = [name for name, model in MODELS.items() if model.multiplies]


def labels(m: Multiplier, kind: str, count: int, first: int = 0) -> list[str]:
    request = VectorRequest.resolve(m, first + count, 1, kind).range(first, count)
    return [comment for _, _, comment in operands(request)]


def mechanisms(found: list[str]) -> list[str]:
    names = tuple(f"{mechanism.name}[" for mechanism in MECHANISMS)
    return [label for label in found if label.startswith(names)]


def known(m: Multiplier, words: tuple[int, ...]) -> Iterator[MechanismCase]:
    return shown(reduced_product(m), 1, words)


@pytest.mark.parametrize("name", MULTIPLYING)
def test_directed_shows_every_mechanism_that_applies(name: str) -> None:
    """In limbs of 16 bits, each by its own condition on the operands; which apply, its constructor says."""
    m = multiplier(name)
    product, words = reduced_product(m), (16,)
    found = list(pairs(VectorRequest.resolve(m, FIRST, 1, "directed:words=16")))
    applies = {case.mechanism.name: case.mechanism for case in known(m, words)}
    assert {"ones", "product=ones", "halves"} <= {*applies}
    assert ("residue=small" in applies) == m.model.has_modulus
    for mechanism in applies.values():
        places = range(mechanism.variants(product, 16))
        assert any(mechanism.holds(product, 16, variant, a, b) for a, b in found for variant in places), mechanism.name


@pytest.mark.parametrize(("name", "count"), [("cios", 13), ("monpro", 15), ("vdf", 10), ("llmonpro", 13)])
def test_most_mechanisms_apply(name: str, count: int) -> None:
    """Of vdf, which squares, those of two operands do not, nor do estimates that no square finds."""
    m = Multiplier.resolve(name, "p256", {"t": "1"} if name == "vdf" else {})
    assert len({case.mechanism for case in known(m, (32,))}) >= count


@pytest.mark.parametrize("name", MULTIPLYING)
@given(data=st.data())
def test_results_are_those_of_the_reduced_integer(name: str, data: Any) -> None:
    """A chain of one product; without a modulus, the product itself."""
    m = multiplier(name)
    if name == "vdf":
        m = Multiplier.resolve(name, "2^29-3", {"d": "8", "t": "1"})
    product = reduced_product(m)
    a, b = (data.draw(st.integers(0, most)) for most in (product.a_most, product.b_most))
    result = m.model.result(m.params, a, b)
    if m.model.has_modulus:
        assert result % m.modulus.modulus == product.result(a, b)
    else:
        assert result == product.product(a, b)


@settings(max_examples=20)
@given(multipliers(), st.sampled_from(["directed", "events"]), st.lists(st.integers(2, 80), max_size=2), st.data())
def test_operands_are_in_range_wherever_they_begin(m: Multiplier, kind: str, words: list[int], data: Any) -> None:
    asked = f"{kind}:words={','.join(map(str, words))}" if words else kind
    request = VectorRequest.resolve(m, 300, 1, asked)
    found = list(operands(request))
    for a, b, _ in found:
        m.model.check_operands(m.params, int(a), int(b))
    first = data.draw(st.integers(0, 299))
    count = data.draw(st.integers(1, 300 - first))
    assert list(operands(request.range(first, count))) == found[first : first + count]


def test_directed_mixes_events_mechanisms_and_drawn_operands() -> None:
    """Every second place has an event, and the others mechanisms until each was there."""
    m = multiplier("iddmm2")
    events = {event.name for event in m.model.events}
    found = labels(m, "directed", 100)
    assert {re.sub(r"\[.*\]", "", label) for label in found[::2]} <= events
    assert mechanisms(found) == found[1::2]
    assert found[1] == "ones[0] in limbs of 32 bits"
    later = labels(m, "directed", 400, 2 * MOST_BESIDE_EVENTS)
    assert not mechanisms(later)


@pytest.mark.parametrize("name", ["iddmm2", "r2mm", "hffm", "modmul"])
def test_events_has_mechanisms_behind_each_event(name: str) -> None:
    m = multiplier(name)
    once = [found.place.label for found in Occurrences(m.model, m.params, 1).first_turn()]
    found = labels(m, "events", len(once) + 20)
    assert found[: len(once)] == once
    assert len({*once}) == len(once)
    assert mechanisms(found) == found[len(once) :]
    assert len({*found[len(once) :]}) == 20
    known_last = len(once) + 256
    assert not mechanisms(labels(m, "events", 20, known_last))


def test_limbs_are_those_of_a_digit_or_as_asked() -> None:
    digits = mechanisms(labels(Multiplier.resolve("cios", "p256", {"radix": "2^34"}), "directed", 200))
    assert {label.split(" in ")[1] for label in digits if " in " in label} == {"limbs of 34 bits"}
    asked = mechanisms(labels(Multiplier.resolve("cios", "p256", {}), "directed:words=17,20", 200))
    assert {label.split(" in ")[1] for label in asked if " in " in label} == {"limbs of 17 bits", "limbs of 20 bits"}
    bits = mechanisms(labels(Multiplier.resolve("r2mm", "p256", {}), "directed", 300))
    assert {"limbs of 64 bits", "limbs of 32 bits"} <= {label.split(" in ")[1] for label in bits if " in " in label}


def test_pairs_that_a_model_refuses_are_left_out() -> None:
    """Of `barrett` with k = N, which takes products below 2^N alone."""
    m = Multiplier.resolve("barrett", "2^61-1", {"k": "61"})
    for a, b in islice(pairs(VectorRequest.resolve(m, 300, 1, "directed")), 300):
        m.model.check_operands(m.params, a, b)


def test_an_operand_that_is_shorter_than_a_limb() -> None:
    for model in ("modmul", "square"):
        m = Multiplier.resolve(model, "p256", {"below": "17"})
        assert max(max(pair) for pair in pairs(VectorRequest.resolve(m, 300, 1, "directed"))) == 16


SET = ("vectors", "cios", "--prime", "2^61-1", "--radix", "2^17")


def test_words_on_the_command_line(capfd: Any, tmp_path: Any) -> None:
    path = str(tmp_path / "set.json")
    good(capfd, *SET, "--words", "17", "--words", "0x14", "--count", "40", "-o", path)
    again = good(capfd, *SET, "--kind", "directed:words=17,20", "--count", "40")
    with open(path) as file:
        assert file.read() == again
    assert '"kind":"directed:words=17,20"' in again
    assert document(capfd, "verify", path)["verdict"] == "pass"
    assert '"kind":"events:words=9"' in good(capfd, *SET, "--kind", "events", "--words", "9", "--count", "2")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--words", "1"), "words: 1 is outside 2 to 1024"),
        (("--words", "1025"), "words: 1025 is outside 2 to 1024"),
        (("--words", "x"), "words: character 'x' is not part of an integer expression"),
        ([word for k in range(2, 11) for word in ("--words", str(k))], "words: 9 widths of limbs are more than 8"),
        (("--words", "8", "--kind", "mixed"), "words: it belongs to kinds directed and events, and 'mixed' is"),
        (("--words", "8", "--event", "q[0]=max"), "words: events that were chosen come alone"),
        (("--kind", "directed:words="), "words: "),
        (("--kind", "mixed:words=8"), "kind: 'mixed:words=8' is none of"),
    ],
)
def test_wrong_words(arguments: tuple[str, ...], sentence: str, capfd: Any) -> None:
    code, out, err = run(capfd, *SET, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"limbtrace: {sentence}")
