# SPDX-License-Identifier: Apache-2.0
"""Montgomery's reduction of one integer: T*R^-1 mod p for T below any bound, by default p*R.

With r = 0, R is 1, and the result is T mod p: what any reducer promises.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import gmpy2

from limbtrace.refmodels import bounds, value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.integer_models import FORM
from limbtrace.refmodels.model import CORRECTED, Corner, Index, Model, Step
from limbtrace.refmodels.papers.textbook import family as textbook
from limbtrace.refmodels.papers.textbook import pseudocode
from limbtrace.refmodels.papers.textbook.montgomery.algorithm import (
    FINAL,
    R,
    Reduction,
    resolved,
    steps_of_reduction,
)
from limbtrace.refmodels.papers.textbook.montgomery.algorithm import shape as product_shape
from limbtrace.refmodels.papers.textbook.montgomery.claims import reduction_claims, reduction_symbols
from limbtrace.refmodels.papers.textbook.montgomery.events import reduction_events
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given

PARAMETERS = (
    replace(R, range=f"0 to {MAX_WIDTH}"),
    bounds.below("p*R", "p, N, its bits, r and R"),
    FINAL,
    FORM,
)


@dataclass(frozen=True)
class Redc(Reduction):
    """p odd, R = 2^r with r from 0 on; the operand T is in [0, bound)."""

    formula: ClassVar[None] = None
    full_multiples: ClassVar[tuple[int, ...]] = ()

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, 0

    @property
    def largest_product(self) -> Any:
        return self.limits[0]


def resolve(modulus: int, given: Given) -> Redc:
    """Parameters for a modulus. Raises ParameterError."""
    return Redc(modulus, *resolved("redc", PARAMETERS, "p*R", modulus, given, 0))


def steps(params: Redc, a: Digit, b: Digit) -> Iterator[Step]:
    """The operand, reduced."""
    yield from steps_of_reduction(params, a)


def closed_form(params: Redc, a: int, b: int) -> int:
    """t, or t mod p."""
    return int(closed_forms(params, [a], [0])[0])


def closed_forms(params: Redc, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The closed form for a batch of operands, as gmpy2 integers."""
    modulus, low, inverse = gmpy2.mpz(params.modulus), params.domain - 1, params.negative_inverse
    found = [(T + ((T & low) * inverse & low) * modulus) >> params.r for T in map(gmpy2.mpz, a)]
    return [t % modulus for t in found] if params.reduces else found


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As for a product, of an operand below p*R most of the time; sometimes R is 1."""
    drawn = product_shape(choice, bits, max_digits)
    if choice.one_of((True, *[False] * 7)):
        return {**drawn, "r": 0, "below": choice.one_of(("p^2", "p^2", "2^(2*N)", "4*p", "p", "23"))}
    return {**drawn, "below": choice.one_of(("p*R", "p*R", "4*p*R", "2^(2*N)", "p", "R", "23"))}


_SOURCE = "Montgomery 1985, REDC"


def _with_sum(p: Redc, value: int, draw: Draw) -> Iterator[Pair]:
    """T = t*R - m*p, for every m with which that is an operand."""
    wanted, modulus, limit = value * p.domain, int(p.modulus), int(p.limits[0])
    least, most = max(-(-(wanted - limit) // modulus), 0), min(p.domain - 1, wanted // modulus)
    for _ in range(value_events.ATTEMPTS if least <= most else 0):
        yield wanted - draw.between(least, most) * modulus, 0


def _with_quotient(p: Redc, value: int, draw: Draw) -> Iterator[Pair]:
    """T = -m*p modulo R."""
    low = -value * int(p.modulus) % p.domain
    for _ in range(value_events.ATTEMPTS if low <= p.limits[0] else 0):
        yield low + (draw.below((int(p.limits[0]) - low >> p.r) + 1) << p.r), 0


def _domain_events() -> Iterator[Event[Any]]:
    """T at R and at p*R."""
    values: dict[str, Callable[[Any], int]] = {
        "=R-1": lambda p: p.domain - 1, "=R": lambda p: p.domain, "=pR-1": lambda p: int(p.modulus) * p.domain - 1,
    }  # fmt: skip

    def event(name: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            yield value(p), 0

        def reachable(p: Any, index: Index) -> str | None:
            return f"the operand is at most {p.limits[0]:#x}" if value(p) > p.limits[0] else None

        return value_events.at_value("a", name, f"a is {name[1:]}", "an operand that is cut", _SOURCE, value, construct,
                                    reachable)  # fmt: skip

    return (event(name, value) for name, value in values.items())


def _corners(params: Redc) -> Iterator[Corner]:
    p, domain, most = params.modulus, params.domain, params.limits[0]
    found = (
        Corner(0, 0, "T = 0"),
        Corner(1, 0, "T = 1: the result is R^-1"),
        Corner(domain, 0, "T = R: m is 0, and the result is 1"),
        Corner(domain - 1, 0, "T is all ones below R"),
        Corner(p, 0, "T = p: m is all ones, and t is p"),
        Corner((p - 1) ** 2, 0, "the square of p - 1"),
        Corner((p - 1) * domain, 0, "the largest multiple of R below p*R"),
        Corner(p * domain - 1, 0, "T = p*R - 1"),
        Corner(most, 0, "the largest T"),
    )
    return (corner for corner in found if corner.a <= most)


MODEL: Model[Redc] = Model(
    id="redc",
    title="a/R mod p for any R = 2^r",
    source=textbook.MONTGOMERY,
    parameters=PARAMETERS,
    operands={"a": "< below", "result": "< p, or t if it is not reduced"},
    reference=_SOURCE,
    vocabulary=reduction_symbols(),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=closed_form,
    closed_forms=closed_forms,
    steps=steps,
    pseudocode=pseudocode.redc,
    result_parts=lambda params: [("Z" if params.reduces else "t", (), 0)],
    step_count=lambda params: 4 if params.reduces else 2,
    further_claims=reduction_claims(lambda run: run.a),
    corners=_corners,
    reduced_value="a",
    result_alone=True,
    events=(
        *reduction_events(_with_sum, _with_quotient, lambda p, index: None),
        *_domain_events(),
        *value_events.operand_events(_SOURCE, "a"),
    ),
)
