# SPDX-License-Identifier: Apache-2.0
"""The square of an integer modulo another one: a^2 mod p, by a division with remainder."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, ClassVar

import gmpy2

from limbtrace.refmodels import value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import CORRECTED, Corner, Index, Model, Step
from limbtrace.refmodels.papers.textbook import family as textbook
from limbtrace.refmodels.papers.textbook import modmul, pseudocode
from limbtrace.refmodels.papers.textbook.modmul import Division, multiple_event, steps_of_division
from limbtrace.refmodels.settings import Given


@dataclass(frozen=True)
class Squaring(Division):
    """p >= 2, of any kind; the operand is in [0, bound)."""

    formula: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, 0


def resolve(modulus: int, given: Given) -> Squaring:
    """Parameters for a modulus. Raises ParameterError."""
    return Squaring(modulus, *modmul.resolved("square", modulus, given))


def steps(params: Squaring, a: Digit, b: Digit) -> Iterator[Step]:
    """The square, divided."""
    yield from steps_of_division(a * a, params.modulus)


def closed_form(params: Squaring, a: int, b: int) -> int:
    """a^2 mod p."""
    return int(a * a % params.modulus)


def closed_forms(params: Squaring, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The closed form for a batch of operands, as gmpy2 integers."""
    modulus = gmpy2.mpz(params.modulus)
    return [x * x % modulus for x in map(gmpy2.mpz, a)]


_SOURCE = "Knuth, 4.3.1"


def _roots(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    """Operands whose square is that value modulo p, as far as they are easy to find."""

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        modulus, limit = int(p.modulus), p.limits[0]
        for root in value_events.square_roots(p, value(p)):
            if root <= limit:
                yield root, 0
                yield root + modulus * draw.below((limit - root) // modulus + 1), 0

    return construct


def _with_quotient(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        q, modulus, limit = value(p), int(p.modulus), p.limits[0]
        least, most = isqrt(max(q * modulus - 1, 0)), min(isqrt((q + 1) * modulus - 1), limit)
        for _ in range(value_events.ATTEMPTS):
            yield draw.between(min(least, most), most), 0
        yield limit, 0

    return construct


def _multiples(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
    """Multiples of p, and of what p has of squares."""
    modulus, limit = int(p.modulus), p.limits[0]
    for root in (modulus, isqrt(modulus), *(modulus // k for k in range(2, 64) if modulus % k == 0)):
        if 0 < root <= limit:
            yield root, 0
            yield root * draw.between(1, limit // root), 0


def _no_multiple(p: Any, index: Index) -> str | None:
    small = p.limits[0] < p.modulus and gmpy2.is_prime(p.modulus)
    return "the modulus is prime and divides no smaller operand but 0" if small else None


def _largest_quotient(p: Squaring) -> int:
    return int(p.largest_product) // int(p.modulus)


def _no_quotient(value: Callable[[Any], int]) -> Callable[[Any, Index], str | None]:
    """The reason why no square has that quotient."""

    def reachable(p: Any, index: Index) -> str | None:
        q, modulus = value(p), int(p.modulus)
        root = isqrt((q + 1) * modulus - 1)
        if q * modulus > p.largest_product:
            return f"the square is at most {p.largest_product:#x}"
        return "no square lies between" if root * root < q * modulus else None

    return reachable


def _no_root(value: Callable[[Any], int]) -> Callable[[Any, Index], str | None]:
    """The reason why no square has that residue."""

    def reachable(p: Any, index: Index) -> str | None:
        if p.modulus == 2 or not gmpy2.is_prime(p.modulus) or gmpy2.legendre(value(p), p.modulus) >= 0:
            return None
        return "the modulus is prime, and this is no square modulo it"

    return reachable


def events() -> tuple[Event[Any], ...]:
    """The square below and above p, extreme quotients, multiples of p, extreme results and operands."""
    quotients: dict[str, tuple[Callable[[Any], int], str]] = {
        "=0": (lambda p: 0, "the square is below p"),
        "=1": (lambda p: 1, "p goes once into the square"),
        "=2": (lambda p: 2, "p goes twice into the square"),
        "=max": (_largest_quotient, "the quotient is as large as it can be"),
    }
    return (
        *(
            value_events.at_value("q", name, words, "a digit of the quotient that is missing, or one too many", _SOURCE,
                                 value, _with_quotient(value), _no_quotient(value))
            for name, (value, words) in quotients.items()
        ),
        multiple_event(_multiples, _no_multiple),
        *(
            value_events.at_value("result", name, f"the result is {name[1:]}", "a last step that is off by one",
                                  _SOURCE, value, _roots(value), _no_root(value))
            for name, value in value_events.result_values().items()
        ),
        *value_events.operand_events(_SOURCE, "a"),
    )  # fmt: skip


def _corners(params: Squaring) -> Iterator[Corner]:
    p, most, top = params.modulus, params.limits[0], 1 << params.bits - 1
    found = (
        Corner(p - 1, 0, "a = p - 1: the result is 1"),
        Corner(0, 0, "a = 0"),
        Corner(1, 0, "a = 1"),
        Corner(isqrt(p), 0, "the largest a whose square is not above p"),
        Corner(isqrt(p) + 1, 0, "the smallest a whose square is above p"),
        Corner(top, 0, "a is its top bit alone"),
        Corner(top - 1, 0, "a is all ones below the top bit"),
        Corner(p // 2, 0, "a is half of p"),
        Corner(p, 0, "a = p: the result is 0"),
        Corner(most, 0, "the largest a"),
    )
    return (corner for corner in found if corner.a <= most)


MODEL: Model[Squaring] = Model(
    id="square",
    title="a^2 mod p",
    source=textbook.KNUTH,
    parameters=modmul.PARAMETERS,
    operands={"a": "< below", "result": "< p"},
    reference=_SOURCE,
    vocabulary=modmul.vocabulary("the square, a^2"),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=modmul.shape,
    closed_form=closed_form,
    closed_forms=closed_forms,
    steps=steps,
    pseudocode=pseudocode.square,
    result_parts=lambda params: [("r", (), 0)],
    step_count=lambda params: 3,
    further_claims=modmul.claims(lambda run: run.a * run.a),
    corners=_corners,
    reduced_value="a*a",
    result_alone=True,
    events=events(),
    even_moduli=True,
)
