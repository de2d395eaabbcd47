# SPDX-License-Identifier: Apache-2.0
"""The product of two integers modulo a third one: a*b mod p, by a division with remainder."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels import bounds, value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair, never
from limbtrace.refmodels.integer_models import FORM, Whole, columns, largest, once, product, products
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Index, Model, Run, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.textbook import family as textbook
from limbtrace.refmodels.papers.textbook import pseudocode
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given, Settings

PARAMETERS = (bounds.below("p", "p and N, its bits"), FORM)


@dataclass(frozen=True)
class Division(Whole):
    """p >= 2, of any kind; operands are in [0, bound)."""

    below: str = "p"
    bound: Any = 0

    @property
    def named(self) -> dict[str, int | str]:
        return {"below": self.below}

    @property
    def constants(self) -> dict[str, int]:
        return {}

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, self.bound - 1

    @property
    def largest_product(self) -> int:
        """Limit of t."""
        return self.limits[0] ** 2

    @cached_property
    def widest_bits(self) -> int:
        return max(2 * bounds.most(self.bound).bit_length(), self.bits) + 2

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        return columns(a, b, self.widest_bits)


def resolved(owner: str, modulus: int, given: Given, default: str = "p") -> tuple[str, str, Any]:
    """Form, text of the bound, and bound for a modulus. Raises ParameterError.

    `owner` is the id of the model, and `default` its bound where none is given.
    """
    N = check_modulus(modulus, 2, even=True).bit_length()
    settings = Settings(owner, PARAMETERS, given)
    text, value = bounds.bound(settings.given.get("below", default), modulus, {"N": N})
    return settings.choice("form", (CORRECTED,), CORRECTED), text, value


def resolve(modulus: int, given: Given) -> Division:
    """Parameters for a modulus. Raises ParameterError."""
    return Division(modulus, *resolved("modmul", modulus, given))


def steps_of_division(t: Digit, p: int) -> Iterator[Step]:
    """t with its quotient and remainder."""
    yield "t", (), t
    yield "q", (), (q := t // p)
    yield "r", (), t - q * p


def steps(params: Division, a: Digit, b: Digit) -> Iterator[Step]:
    """The product, divided."""
    yield from steps_of_division(a * b, params.modulus)


_SOURCE = "Knuth, 4.3.1"


def vocabulary(what: str, most: str = "(below - 1)^2") -> tuple[Symbol[Any], ...]:
    """t, q and r; `what` is the product, and `most` its limit as text."""
    return (
        Symbol("t", "", what, f"<= {most}", largest(lambda p: p.largest_product)),
        Symbol("q", "", "the quotient, floor(t/p)", f"<= {most} / p",
               lambda run, _: run.params.largest_product // run.params.modulus),
        Symbol("r", "", "the remainder, t - q*p", "< p", below_modulus),
    )  # fmt: skip


def claims(value: Callable[[Run[Any]], int], what: str = "product") -> tuple[Claim[Any], ...]:
    """Claims about t, which is `value`, called `what`, and about its division."""
    return (
        Claim("value of t", f"t is the {what}", _SOURCE, "t", lambda run, _, seen: seen == value(run)),
        Claim("division", "t = q*p + r", _SOURCE, "r",
              lambda run, _, seen: run.at("t") == run.at("q") * run.params.modulus + seen),
        Claim("result", "the result is t mod p, in [0, p)", _SOURCE, None,
              lambda run, _, seen: seen == value(run) % run.params.modulus),
    )  # fmt: skip


_OFF_BY_ONE = "a comparison with p that is off by one"


def _largest_quotient(p: Division) -> int:
    return int(p.largest_product) // int(p.modulus)


def _near(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    """Factors of a product, as far as it has small ones."""

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        t = value(p)
        yield t, 1
        yield 1, t
        for factor in (
            2,
            3,
            4,
            5,
            7,
            11,
            13,
            16,
            17,
            *(draw.between(2, 1 << 16) for _ in range(value_events.ATTEMPTS)),
        ):
            if t and t % factor == 0:
                yield t // factor, factor

    return construct


def _quotient(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    """Operands whose product has that quotient."""

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        q, a_max, modulus = value(p), p.limits[0], int(p.modulus)
        for _ in range(value_events.ATTEMPTS):
            t = min(q * modulus + draw.below(modulus), p.largest_product)
            a = min(max(draw.of_any_width(a_max), -(-t // a_max), 1), a_max)
            yield a, t // a
        yield a_max, a_max

    return construct


def _residue(value: Callable[[Any], int]) -> Callable[[Any, Index, Draw], Iterator[Pair]]:
    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        yield from value_events.with_residue(p, value(p), draw)

    return construct


def _too_small(value: Callable[[Any], int]) -> Callable[[Any, Index], str | None]:
    def reachable(p: Any, index: Index) -> str | None:
        return f"the product is at most {p.largest_product:#x}" if value(p) > p.largest_product else None

    return reachable


def _first(*reasons: Callable[[Any, Index], str | None]) -> Callable[[Any, Index], str | None]:
    return lambda p, index: next((found for reason in reasons if (found := reason(p, index))), None)


def events() -> tuple[Event[Division], ...]:
    """The product below, at and above p; extreme quotients; multiples of p; extreme results and operands."""
    sums: dict[str, Callable[[Any], int]] = {
        "=p-1": lambda p: int(p.modulus) - 1, "=p": lambda p: int(p.modulus), "=p+1": lambda p: int(p.modulus) + 1,
    }  # fmt: skip
    quotients: dict[str, tuple[Callable[[Any], int], str]] = {
        "=0": (lambda p: 0, "the product is below p"),
        "=1": (lambda p: 1, "p goes once into the product"),
        "=max": (_largest_quotient, "the quotient is as large as it can be"),
    }
    return (
        *(
            value_events.at_value("q", name, words, "a digit of the quotient that is missing, or one too many", _SOURCE,
                                 value, _quotient(value),
                                 _too_small(lambda p, value=value: value(p) * int(p.modulus)))  # type: ignore[misc]
            for name, (value, words) in quotients.items()
        ),
        *(
            value_events.at_value("t", name, f"the product is {name[1:]}", _OFF_BY_ONE, _SOURCE, value, _near(value),
                                 _first(_too_small(value), value_events.no_multiple if name == "=p" else never))
            for name, value in sums.items()
        ),
        multiple_event(_residue(lambda p: 0), value_events.no_multiple),
        *(
            value_events.at_value("result", name, f"the result is {name[1:]}", "a last step that is off by one",
                                  _SOURCE, value, _residue(value))
            for name, value in value_events.result_values().items()
        ),
        *value_events.operand_events(_SOURCE, "ab"),
    )  # fmt: skip


def multiple_event(
    construct: Callable[[Any, Index, Draw], Iterator[Pair]],
    reachable: Callable[[Any, Index], str | None],
    what: str = "product",
) -> Event[Any]:
    """The product, or what else t is called, is a multiple of p, and not 0."""
    return Event(
        "r",
        "=multiple",
        statement=f"the {what} is a multiple of p, and not 0",
        hunts="a last subtraction of p that is left out",
        source=_SOURCE,
        where=once,
        happens=lambda seen, index: (seen.at("r") == 0) & (seen.at("t") > 0),
        construct=construct,
        reachable=reachable,
    )


def _corners(params: Division) -> Iterator[Corner]:
    p, most = params.modulus, params.limits[0]
    half = (p + 1) // 2
    top = 1 << params.bits - 1
    found = (
        Corner(p - 1, p - 1, "a = b = p - 1: the result is 1"),
        Corner(p - 1, 1, "a = p - 1, b = 1"),
        Corner(0, p - 1, "a = 0"),
        Corner(2, half, "a*b is p + 1, or p where p is even"),
        Corner(half, half, "a = b = half of p, rounded up"),
        Corner(top, top, "both operands are their top bit alone"),
        Corner(top - 1, top - 1, "both operands are all ones below the top bit"),
        Corner(p, 1, "a = p: the result is 0"),
        Corner(p, p, "a = b = p: the result is 0"),
        Corner(most, 1, "the largest a"),
        Corner(most, most, "both operands as large as they may be"),
    )
    return (corner for corner in found if max(corner.a, corner.b) <= most)


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Operands below p, or of a range that hardware has."""
    return {"below": bounds.some_bound(choice)}


MODEL: Model[Division] = Model(
    id="modmul",
    title="a*b mod p",
    source=textbook.KNUTH,
    parameters=PARAMETERS,
    operands={"a": "< below", "b": "< below", "result": "< p"},
    reference=_SOURCE,
    vocabulary=vocabulary("the product, a*b"),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.modmul,
    result_parts=lambda params: [("r", (), 0)],
    step_count=lambda params: 3,
    further_claims=claims(lambda run: run.a * run.b),
    corners=_corners,
    result_alone=True,
    events=events(),
    even_moduli=True,
)
