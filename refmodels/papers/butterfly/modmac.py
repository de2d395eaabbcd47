# SPDX-License-Identifier: Apache-2.0
"""A product and a sum modulo p: x*y + z mod p, by one division with remainder."""

from collections.abc import Iterator
from typing import Any

from limbtrace.refmodels import value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.integer_models import FORM, largest
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Model, Step, Symbol
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.butterfly import family, pseudocode
from limbtrace.refmodels.papers.butterfly.family import Packed
from limbtrace.refmodels.settings import Given

PARAMETERS = (FORM,)


def resolve(modulus: int, given: Given) -> Packed:
    """Parameters for a modulus. Raises ParameterError."""
    return Packed(modulus, family.form_of(family.settings_of("modmac", PARAMETERS, modulus, given, even=True)))


def steps(params: Packed, a: list[Digit], b: Digit) -> Iterator[Step]:
    """The product, the sum, and its division."""
    z, x = a
    yield "x", (), x
    yield "z", (), z
    yield "xy", (), (xy := x * b)
    yield "t", (), (t := xy + z)
    yield "q", (), (q := t // params.modulus)
    yield "r", (), t - q * params.modulus


def closed_form(params: Packed, a: int, b: int) -> int:
    """The remainder of the product and the sum."""
    z, x = divmod(int(a), params.modulus)
    return (x * int(b) + z) % params.modulus


def _with_residue(p: Packed, value: int, draw: Draw) -> Iterator[Pair]:
    x, y = draw.below(p.modulus), draw.below(p.modulus)
    yield x + p.modulus * ((value - x * y) % p.modulus), y


def _near(p: Packed, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands with x*y + z of that value."""
    for x in range(1, min(p.modulus, 9)):
        for z in (0, 1, p.modulus - 1, draw.below(p.modulus)):
            y = (value - z) // x
            rest = value - x * y
            if 0 <= y < p.modulus and 0 <= rest < p.modulus:
                yield x + p.modulus * rest, y


def _most(p: Packed) -> int:
    return p.modulus * (p.modulus - 1)


def _sum_events() -> Iterator[Event[Any]]:
    """x*y + z next to p, and at its end, p*(p - 1)."""
    values: dict[str, family.OfParameters] = {
        "=p-1": lambda p: p.modulus - 1, "=p": lambda p: p.modulus, "=p+1": lambda p: p.modulus + 1,
    }  # fmt: skip
    for name, value in values.items():
        yield value_events.at_value(
            "t", name, f"x*y + z is {name[1:]}", family.OFF_BY_ONE, family.SOURCE, value,
            lambda p, index, draw, value=value: _near(p, value(p), draw),  # type: ignore[misc]
            lambda p, index, value=value: (  # type: ignore[misc]
                f"the sum is at most {_most(p):#x}" if value(p) > _most(p) else None
            ),
        )  # fmt: skip
    yield value_events.at_value(
        "t", "=max", "x*y + z is as large as it can be, p*(p - 1)", "a carry of the sum that is lost", family.SOURCE,
        _most, lambda p, index, draw: iter([p.limits]),
    )  # fmt: skip


EVENTS = (
    *family.number_events("x", "z", "y"),
    *_sum_events(),
    *family.end_events("result", "the result", family.OFF_BY_ONE, _with_residue),
)  # fmt: skip


def _corners(params: Packed) -> Iterator[Corner]:
    p, most = params.modulus, params.limits[0]
    yield Corner(0, p - 1, "x = z = 0")
    yield Corner(most, p - 1, "x = y = z = p - 1: the result is 0")
    yield Corner(p - 1, p - 1, "x = y = p - 1, z = 0: the result is 1")
    yield Corner(p * (p - 1), p - 1, "x = 0: the result is z")
    yield Corner(1 + p * (p - 1), 1, "x*y + z = p: the result is 0")
    yield Corner(most, 1, "x = z = p - 1, y = 1: the result is p - 2")
    yield Corner(most, 0, "y = 0: the result is z")


MODEL: Model[Packed] = Model(
    id="modmac",
    title="x*y + z mod p, a = x + p*z, b = y",
    source=family.DIVISION,
    parameters=PARAMETERS,
    operands={"a": "< p^2", "b": "< p", "result": "< p"},
    reference=family.SOURCE,
    vocabulary=(
        *family.number_symbols("x", "z"),
        Symbol("xy", "", "the product x*y", "<= (p - 1)^2", largest(lambda p: (p.modulus - 1) ** 2)),
        Symbol("t", "", "the sum x*y + z", "<= p*(p - 1)", largest(_most)),
        Symbol("q", "", "the quotient, floor(t/p)", "< p", below_modulus),
        Symbol("r", "", "the remainder, t - q*p", "< p", below_modulus),
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=family.no_settings,
    closed_form=closed_form,
    steps=steps,
    pseudocode=pseudocode.modmac,
    result_parts=lambda params: [("r", (), 0)],
    step_count=lambda params: 6,
    further_claims=(
        Claim("value of t", "t = x*y + z", family.SOURCE, "t",
              lambda run, _, seen: seen == run.at("x") * run.b + run.at("z")),
        family.result_claim("the result is x*y + z mod p, in [0, p)", closed_form),
    ),
    corners=_corners,
    reduced_value=None,
    numbers={"a": ("x", "z"), "b": ("y",), "result": ("result",)},
    whole_range=True,
    events=EVENTS,
    even_moduli=True,
)  # fmt: skip
