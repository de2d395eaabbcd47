# SPDX-License-Identifier: Apache-2.0
"""Barrett's product of two integers, a*b mod p, for any alpha and beta; operands are below any bound, by default p."""

from collections.abc import Callable, Iterator
from typing import Any

from limbtrace.refmodels import bounds, value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, into_range
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.integer_models import product, products
from limbtrace.refmodels.model import CORRECTED, Corner, Index, Model, Step
from limbtrace.refmodels.papers.barrett import family as barrett
from limbtrace.refmodels.papers.barrett import pseudocode
from limbtrace.refmodels.papers.barrett.claims import claims, vocabulary
from limbtrace.refmodels.papers.barrett.events import estimate_events
from limbtrace.refmodels.papers.barrett.family import Estimate
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given

PARAMETERS = barrett.parameters(bounds.below("p", "p and N, its bits"))


class BarrettMultiplication(Estimate):
    """p >= 2 of N bits, of any kind; operands are in [0, bound)."""

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, self.bound - 1

    @property
    def largest_dividend(self) -> Any:
        return _square(self.bound - 1)


def _square(most: Any) -> Any:
    return most * most


def resolve(modulus: int, given: Given) -> BarrettMultiplication:
    """Parameters for a modulus. Raises ParameterError."""
    form, alpha, beta, below, bound, corrections, width = barrett.resolved(
        "barrett_mul", PARAMETERS, modulus, given, "p", _square
    )
    return BarrettMultiplication(modulus, form, alpha, beta, below, bound, corrections, width)


def steps(params: BarrettMultiplication, a: Digit, b: Digit) -> Iterator[Step]:
    """The product, reduced."""
    yield "x", (), (x := a * b)
    yield from barrett.steps_of_reduction(params, x)


def _factors(params: Estimate, off: int, remainder: int | None, draw: Draw) -> Iterator[Pair]:
    """Operands whose product has that remainder, or one that makes the distance likely; both are large."""
    p, (a_most, b_most) = int(params.modulus), params.limits
    for _ in range(value_events.ATTEMPTS):
        a = a_most - draw.of_any_width(a_most)
        low, high = (0, p // 4) if off else (p - 1 - p // 4, p - 1)
        if remainder is not None:
            low = high = remainder
        if a and (b := into_range(draw, a, p, low, high, 0, b_most)) is not None:
            yield a, b
    if remainder is not None:
        yield from value_events.with_residue(params, remainder, draw)


def _residue(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    return lambda p, index, draw: value_events.with_residue(p, value(p), draw)


def _corners(params: BarrettMultiplication) -> Iterator[Corner]:
    p, (most, _) = params.modulus, params.limits
    half, top = (p + 1) // 2, 1 << params.bits - 1
    found = (
        Corner(0, p - 1, "a = 0"),
        Corner(p - 1, 1, "a = p - 1, b = 1"),
        Corner(p - 1, p - 1, "a = b = p - 1: the result is 1"),
        Corner(2, half, "a*b is p + 1, or p where p is even"),
        Corner(half, half, "a = b = half of p, rounded up"),
        Corner(top, top, "both operands are their top bit alone"),
        Corner(top - 1, top - 1, "both operands are all ones below the top bit"),
        Corner(p, 1, "a = p: the estimate is corrected"),
        Corner(p, p, "a = b = p: the estimate is corrected"),
        Corner(most, most // p * p, "the largest multiple of p: the estimate is corrected"),
        Corner(most, 1, "the largest a"),
        Corner(most, most, "both operands as large as they may be"),
    )
    return (corner for corner in found if max(corner.a, corner.b) <= most)


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Operands of a range that hardware has, and a member of the family for their product."""
    below, size = choice.one_of((("p", 2 * bits), ("p", 2 * bits), ("2*p", 2 * bits + 2), ("2^N", 2 * bits),
                                 ("2^(N+3)", 2 * bits + 6)))  # fmt: skip
    return {**barrett.estimate_shape(choice, bits, size), "below": below}


MODEL: Model[BarrettMultiplication] = Model(
    id="barrett_mul",
    title="a*b mod p by a Barrett estimate, for any alpha and beta",
    source=barrett.SOURCE,
    parameters=PARAMETERS,
    operands={"a": "< below", "b": "< below", "result": "< p"},
    reference=barrett.REFERENCE,
    vocabulary=vocabulary("the product, a*b", "(below - 1)^2"),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=_shape,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.barrett_mul,
    result_parts=lambda params: [("r", (), 0)],
    step_count=lambda params: 1 + barrett.step_count(params),
    further_claims=claims(lambda run: run.a * run.b),
    corners=_corners,
    events=(
        *estimate_events(_factors, value_events.no_multiple),
        *(
            value_events.at_value("result", name, f"the result is {name[1:]}", "a last step that is off by one",
                                 barrett.REFERENCE, value, _residue(value))
            for name, value in value_events.result_values().items()
        ),
        *value_events.operand_events(barrett.REFERENCE, "ab"),
    ),
    even_moduli=True,
)  # fmt: skip
