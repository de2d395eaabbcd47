# SPDX-License-Identifier: Apache-2.0
"""Barrett's reduction of one integer, x mod p, for any alpha and beta; x is below any bound, by default p^2."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

from limbtrace.refmodels import bounds, value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.integer_models import remainder, remainders
from limbtrace.refmodels.model import CORRECTED, Corner, Index, Model, Step
from limbtrace.refmodels.papers.barrett import family as barrett
from limbtrace.refmodels.papers.barrett import pseudocode
from limbtrace.refmodels.papers.barrett.claims import claims, vocabulary
from limbtrace.refmodels.papers.barrett.events import dividends, estimate_events
from limbtrace.refmodels.papers.barrett.family import Estimate
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given

DEFAULT = "p^2"
"""The bound of x where none is given, which holds every product of two operands below p."""
PARAMETERS = barrett.parameters(
    replace(bounds.below(DEFAULT, "p and N, its bits"), meaning="x is below this: an expression over p and N, its bits")
)


class BarrettReduction(Estimate):
    """p >= 2 of N bits, of any kind; the operand x is in [0, bound)."""

    formula: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, 0

    @property
    def largest_dividend(self) -> Any:
        return self.bound - 1


def resolve(modulus: int, given: Given) -> BarrettReduction:
    """Parameters for a modulus. Raises ParameterError."""
    form, alpha, beta, below, bound, corrections, width = barrett.resolved(
        "barrett_reduce", PARAMETERS, modulus, given, DEFAULT, lambda most: most
    )
    return BarrettReduction(modulus, form, alpha, beta, below, bound, corrections, width)


def steps(params: BarrettReduction, a: Digit, b: Digit) -> Iterator[Step]:
    """The operand, reduced."""
    yield "x", (), a
    yield from barrett.steps_of_reduction(params, a)


def _dividends(params: Estimate, off: int, remainder: int | None, draw: Draw) -> Iterator[Pair]:
    return ((x, 0) for x in dividends(params, off, remainder, draw))


def _no_multiple(p: Any, index: Index) -> str | None:
    return f"x is at most {p.limits[0]:#x}" if p.limits[0] < p.modulus else None


def _of_residue(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        limit = p.limits[0] - value(p)
        for _ in range(value_events.ATTEMPTS if limit >= 0 else 0):
            yield value(p) + draw.of_any_width(limit // int(p.modulus)) * int(p.modulus), 0

    return construct


def _too_large(value: Callable[[Any], int]) -> Callable[[Any, Index], str | None]:
    return lambda p, index: f"x is at most {p.limits[0]:#x}" if value(p) > p.limits[0] else None


def _corners(params: BarrettReduction) -> Iterator[Corner]:
    p, most = params.modulus, params.limits[0]
    found = (
        Corner(0, 0, "x = 0"),
        Corner(p - 1, 0, "x = p - 1, which is its own residue"),
        Corner(p, 0, "x = p: the estimate is corrected"),
        Corner(2 * p - 1, 0, "x = 2p - 1"),
        Corner((1 << params.dropped) - 1, 0, "the largest x without high bits: the estimate is 0"),
        Corner(1 << params.dropped, 0, "the smallest x with high bits"),
        Corner((p - 1) ** 2, 0, "the square of p - 1: the result is 1"),
        Corner(most // p * p, 0, "the largest multiple of p: the estimate is corrected"),
        Corner(max(most // p * p - 1, 0), 0, "one less than that"),
        Corner(most, 0, "the largest x"),
    )
    return (corner for corner in found if corner.a <= most)


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """x of a range that hardware has, and a member of the family for it."""
    below, size = choice.one_of((("p^2", 2 * bits), ("p^2", 2 * bits), ("2^(2*N)", 2 * bits), ("2^(N+5)", bits + 5),
                                 ("p", bits), ("4*p^2", 2 * bits + 2)))  # fmt: skip
    return {**barrett.estimate_shape(choice, bits, size), "below": below}


MODEL: Model[BarrettReduction] = Model(
    id="barrett_reduce",
    title="x mod p by a Barrett estimate, for any alpha and beta",
    source=barrett.SOURCE,
    parameters=PARAMETERS,
    operands={"a": "< below", "result": "< p"},
    reference=barrett.REFERENCE,
    vocabulary=vocabulary("the operand, a", "(below - 1)"),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=_shape,
    closed_form=remainder,
    closed_forms=remainders,
    steps=steps,
    pseudocode=pseudocode.barrett_reduce,
    result_parts=lambda params: [("r", (), 0)],
    step_count=lambda params: 1 + barrett.step_count(params),
    further_claims=claims(lambda run: run.a),
    corners=_corners,
    reduced_value="a",
    whole_range=True,
    events=(
        *estimate_events(_dividends, _no_multiple),
        *(
            value_events.at_value("result", name, f"the result is {name[1:]}", "a last step that is off by one",
                                 barrett.REFERENCE, value, _of_residue(value), _too_large(value))
            for name, value in value_events.result_values().items()
        ),
        *value_events.operand_events(barrett.REFERENCE, "a"),
    ),
    even_moduli=True,
)  # fmt: skip
