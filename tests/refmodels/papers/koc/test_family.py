# SPDX-License-Identifier: Apache-2.0
"""What the methods of Koç, Acar and Kaliski share: parameters that are refused, bounds of operands, counts."""

from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event_search import REACHABLE, UNREACHABLE, Occurrences
from limbtrace.refmodels.papers.koc.family import Koc
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.request import Multiplier
from tests.shapes import KOC


class Word(int):
    """A word that counts the products of words."""

    count = 0

    def __mul__(self, other: Any) -> "Word":
        Word.count += 1
        return Word(int(self) * int(other))

    __rmul__ = __mul__

    def __add__(self, other: Any) -> "Word":
        return Word(int(self) + int(other))

    __radd__ = __add__

    def __and__(self, other: Any) -> "Word":
        return Word(int(self) & int(other))

    def __rshift__(self, other: Any) -> "Word":
        return Word(int(self) >> int(other))


@pytest.mark.parametrize("name", KOC)
@pytest.mark.parametrize("s", [1, 2, 3, 8])
def test_each_method_has_2s2_plus_s_products_of_words(name: str, s: int) -> None:
    """s*s for a*b, s*s for m*p and s for m, of the loops without the subtraction."""
    model = MODELS[name]
    params = model.resolve(2 ** (8 * s) - 1, {"w": 8, "final": "unreduced"})
    a, b = ([Word(value) for value in digits] for digits in params.split(params.modulus - 2, params.modulus - 1))
    Word.count = 0
    steps = list(model.steps(params, a, b))
    assert len(steps) == model.step_count(params)
    assert Word.count == 2 * s * s + s


@pytest.mark.parametrize("name", KOC)
@pytest.mark.parametrize(
    ("p", "given", "parameter", "reason"),
    [
        (13, {"w": 2, "s": 1}, "s", "1 is outside 2 to 16385 (4 bits in words of 2 bits)"),
        (13, {"w": 2, "below": "R+1"}, "below", "R+1 is more than R, and 2 words of 2 bits hold what is below R"),
        (13, {"w": 2, "below": "2*p"}, "below", "2*p is more than R"),
        (61, {"w": 3, "below": "R"}, "below", "t may be 2p or more for operands below R, and NAME subtracts p once"),
        (61, {"w": 3, "below": "1"}, "below", "1 leaves no operand but 0"),
        (13, {"final": "once"}, "final", "NAME takes reduced or unreduced, not 'once'"),
        (13, {"form": "printed"}, "form", "NAME takes corrected, not 'printed'"),
        (13, {"w": 0}, "w", "2^0 is outside 2^1 to 2^4096"),
        (12, {}, "prime", "the modulus must be odd"),
    ],
)
def test_what_does_not_hold_is_refused(
    name: str, p: int, given: dict[str, str | int], parameter: str, reason: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        MODELS[name].resolve(p, given)
    assert caught.value.parameter == parameter
    assert reason.replace("NAME", name) in str(caught.value)


def bounds_taken(p: int, w: int) -> list[int]:
    """The bounds of the operands that CIOS takes with a subtraction."""
    taken = []
    for bound in range(2, (1 << w * -(-p.bit_length() // w)) + 1):
        try:
            MODELS["koc_cios"].resolve(p, {"w": w, "below": bound})
        except ParameterError:
            continue
        taken.append(bound)
    return taken


@pytest.mark.parametrize(("p", "w"), [(9, 2), (13, 3), (15, 4), (17, 5), (31, 3)])
def test_bounds_that_are_taken(p: int, w: int) -> None:
    """All up to a largest one, which is above p; with those the result is below p, and far above some t is not < 2p."""
    taken = bounds_taken(p, w)
    assert taken == list(range(2, taken[-1] + 1))
    assert taken[-1] >= p
    model = MODELS["koc_cios"]
    most: Koc = model.resolve(p, {"w": w, "below": taken[-1]})
    results = [model.result(most, a, b) for a in range(most.bound) for b in range(most.bound)]
    assert max(results) < p
    whole: Koc = model.resolve(p, {"w": w, "below": "R", "final": "unreduced"})
    sums = [model.result(whole, a, b) for a in range(whole.bound) for b in range(whole.bound)]
    assert max(sums) < whole.result_limit
    assert (max(sums) < 2 * p) == (taken[-1] == whole.domain)


def test_operands_below_2p_with_two_bits_more() -> None:
    """Where 4p <= R, operands and unreduced results below 2p make chains; the subtraction gives them below p."""
    for p in (2**61 - 1, 2**62 - 57):
        for final, limit in (("unreduced", 2 * p), ("reduced", p)):
            params = MODELS["koc_cios"].resolve(p, {"w": 32, "below": "2*p", "final": final})
            assert params.result_limit <= limit
    with pytest.raises(ParameterError, match="2p or more"):
        MODELS["koc_cios"].resolve(2**63 - 25, {"w": 32, "below": "2*p"})


def test_t_needs_its_two_words() -> None:
    """Where the top word of p is all ones, t[s+1] is used inside an iteration, and t[s] after it."""
    model = MODELS["koc_cios"]
    params = model.resolve(2**16 - 15, {"w": 4})
    runs = [model.run(params, params.modulus - 1 - x, 0xFFF0) for x in range(16)]
    assert max(run.at("t1", i, 5) for run in runs for i in range(4)) == 1
    assert max(run.at("t", i, 4) for run in runs for i in range(4)) == 1


@pytest.mark.parametrize(("w", "reachable"), [(32, True), (64, False)])
def test_p256_needs_the_second_word_in_words_of_32_bits_alone(w: int, reachable: bool) -> None:
    """In words of 64 bits t + a*b[i] is below W^(s+1), since the top word of p is 2^64 - 2^32."""
    m = Multiplier.resolve("koc_cios", "p256", {"w": str(w)})
    states = {found.state for found in Occurrences(m.model, m.params).all() if found.place.event.name == "t1=1"}
    assert (REACHABLE in states) == reachable
    assert (states == {UNREACHABLE}) != reachable
