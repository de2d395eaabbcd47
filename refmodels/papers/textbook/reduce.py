# SPDX-License-Identifier: Apache-2.0
"""One integer modulo another one, a mod p, by a division with remainder: what every reducer promises.

The operand is below any bound, by default p^2, which holds every product of two operands below p.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

from limbtrace.refmodels import bounds, value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.integer_models import FORM, remainder, remainders
from limbtrace.refmodels.model import CORRECTED, Corner, Index, Model, Step
from limbtrace.refmodels.papers.textbook import family as textbook
from limbtrace.refmodels.papers.textbook import modmul, pseudocode
from limbtrace.refmodels.papers.textbook.modmul import Division, multiple_event, steps_of_division
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given

DEFAULT = "p^2"
"""The bound of the operand where none is given."""
PARAMETERS = (
    replace(modmul.PARAMETERS[0], meaning="the operand is below this: an expression over p and N, its bits",
            default=DEFAULT),
    FORM,
)  # fmt: skip


@dataclass(frozen=True)
class Remainder(Division):
    """p >= 2, of any kind; the operand is in [0, bound)."""

    formula: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, 0

    @property
    def largest_product(self) -> int:
        return self.limits[0]

    @cached_property
    def widest_bits(self) -> int:
        return max(bounds.most(self.bound).bit_length(), self.bits) + 2


def resolve(modulus: int, given: Given) -> Remainder:
    """Parameters for a modulus. Raises ParameterError."""
    return Remainder(modulus, *modmul.resolved("reduce", modulus, given, DEFAULT))


def steps(params: Remainder, a: Digit, b: Digit) -> Iterator[Step]:
    """The operand, divided."""
    yield from steps_of_division(a, params.modulus)


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Operands that are products, or of a range that hardware has."""
    return {"below": choice.one_of((DEFAULT, DEFAULT, "2^(2*N)", "4*p^2", "2^(N+3)", "2*p", "p", "23"))}


_SOURCE = "Knuth, 4.3.1"


def _above_limit(value: Callable[[Any], int]) -> Callable[[Any, Index], str | None]:
    def reachable(p: Any, index: Index) -> str | None:
        return f"the operand is at most {p.limits[0]:#x}" if value(p) > p.limits[0] else None

    return reachable


def _quotient(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    """Operands with that quotient, those at both ends first."""

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        least = value(p) * int(p.modulus)
        most = min(least + int(p.modulus) - 1, p.limits[0])
        yield from ((least, 0), (most, 0))
        for _ in range(value_events.ATTEMPTS):
            yield draw.between(least, most), 0

    return construct


def _residue(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    """Operands with that residue, of any size."""

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        modulus, limit, residue = int(p.modulus), p.limits[0], value(p)
        for _ in range(value_events.ATTEMPTS if residue <= limit else 0):
            yield residue + draw.of_any_width((limit - residue) // modulus) * modulus, 0
        yield residue + modulus, 0

    return construct


def events() -> tuple[Event[Any], ...]:
    """Extreme quotients, multiples of p, extreme results and operands."""
    quotients: dict[str, tuple[Callable[[Any], int], str]] = {
        "=0": (lambda p: 0, "the operand is below p"),
        "=1": (lambda p: 1, "p goes once into the operand"),
        "=2": (lambda p: 2, "p goes twice into the operand"),
        "=max": (lambda p: int(p.limits[0]) // int(p.modulus), "the quotient is as large as it can be"),
    }
    return (
        *(
            value_events.at_value("q", name, words, "a digit of the quotient that is missing, or one too many", _SOURCE,
                                 value, _quotient(value),
                                 _above_limit(lambda p, value=value: value(p) * int(p.modulus)))  # type: ignore[misc]
            for name, (value, words) in quotients.items()
        ),
        multiple_event(_residue(lambda p: 0), _above_limit(lambda p: int(p.modulus)), "operand"),
        *(
            value_events.at_value("result", name, f"the result is {name[1:]}", "a last step that is off by one",
                                  _SOURCE, value, _residue(value), _above_limit(value))
            for name, value in value_events.result_values().items()
        ),
        *value_events.operand_events(_SOURCE, "a"),
    )  # fmt: skip


def _corners(params: Remainder) -> Iterator[Corner]:
    p, most, bits = params.modulus, params.limits[0], params.bits
    found = (
        Corner(0, 0, "a = 0"),
        Corner(p - 1, 0, "a = p - 1, which is its own residue"),
        Corner(p, 0, "a = p: the result is 0"),
        Corner(p + 1, 0, "a = p + 1: the result is 1"),
        Corner(2 * p - 1, 0, "a = 2p - 1: the result is p - 1"),
        Corner(2 * p, 0, "a = 2p: the result is 0"),
        Corner((p - 1) ** 2, 0, "the square of p - 1: the result is 1"),
        Corner(p * p - 1, 0, "a = p^2 - 1: the largest quotient and remainder of a product"),
        Corner(1 << 2 * bits - 1, 0, "a is the top bit of a product alone"),
        Corner(most // p * p, 0, "the largest multiple of p"),
        Corner(max(most // p * p - 1, 0), 0, "one less than that"),
        Corner(most, 0, "the largest a"),
    )
    return (corner for corner in found if corner.a <= most)


MODEL: Model[Remainder] = Model(
    id="reduce",
    title="a mod p",
    source=textbook.KNUTH,
    parameters=PARAMETERS,
    operands={"a": "< below", "result": "< p"},
    reference=_SOURCE,
    vocabulary=modmul.vocabulary("the operand, a", "(below - 1)"),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=remainder,
    closed_forms=remainders,
    steps=steps,
    pseudocode=pseudocode.reduce,
    result_parts=lambda params: [("r", (), 0)],
    step_count=lambda params: 3,
    further_claims=modmul.claims(lambda run: run.a, "operand"),
    corners=_corners,
    reduced_value="a",
    result_alone=True,
    whole_range=True,
    events=events(),
    even_moduli=True,
)
