# SPDX-License-Identifier: Apache-2.0
"""The butterfly of Gentleman and Sande: u + v and (u - v)*w/R modulo p, R = 2^r, by default 1; both halved or not."""

from collections.abc import Iterator
from dataclasses import dataclass

from limbtrace.refmodels import value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.integer_models import FORM, once
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Index, Model, Run, Step, Symbol
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.butterfly import family, pseudocode
from limbtrace.refmodels.papers.butterfly.family import Butterfly
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given, Parameter

PARAMETERS = (
    family.FACTOR,
    Parameter("halve", "whether both results are multiplied by 2^-1 mod p", "0", "0 or 1"),
    FORM,
)


@dataclass(frozen=True)
class Halving(Butterfly):
    """p odd; u, v and w are below p, and both results are halved modulo p if `halve` is 1."""

    halve: int = 0

    @property
    def named(self) -> dict[str, int | str]:
        return {"r": self.r, "halve": self.halve}


def resolve(modulus: int, given: Given) -> Halving:
    """Parameters for a modulus. Raises ParameterError."""
    settings = family.settings_of("butterfly_gs", PARAMETERS, modulus, given, even=False)
    halve = settings.integer("halve", 0, 0, 1)
    return Halving(modulus, family.form_of(settings), family.factor_of(settings), halve)


def _half(params: Halving, value: Digit) -> Digit:
    """Half of a number modulo p: p is added first if it is odd."""
    return (value + (value & 1) * params.modulus) >> 1 if params.halve else value


def steps(params: Halving, a: list[Digit], b: Digit) -> Iterator[Step]:
    """The sum, and the difference times w; then both halves."""
    v, u = a
    yield "u", (), u
    yield "v", (), v
    x = yield from family.steps_of_sum(params, u, v, "x")
    y = yield from family.steps_of_difference(params, u, v, "y")
    r = yield from family.steps_of_product(params, y, b)
    yield "even", (), (even := _half(params, x))
    yield "odd", (), (odd := _half(params, r))
    yield "Z", (), even + params.modulus * odd


def closed_form(params: Halving, a: int, b: int) -> int:
    """Both numbers by remainders alone."""
    p = params.modulus
    v, u = divmod(int(a), p)
    half = pow(2, -params.halve, p)
    return (u + v) * half % p + p * ((u - v) * int(b) * half * pow(1 << params.r, -1, p) % p)


def _with_terms(p: Halving, u: int, v: int, draw: Draw) -> Iterator[Pair]:
    yield u + p.modulus * v, family.any_number(p, draw)


def _with_product(p: Halving, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands with that residue of (u - v)*w/R."""
    for f, inverse in family.units(p, draw):
        v = family.any_number(p, draw)
        u = (v + value * inverse) % p.modulus
        yield u + p.modulus * v, f * (1 << p.r) % p.modulus


def _with_sum(p: Halving, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands with that sum modulo p."""
    v = family.any_number(p, draw)
    yield (value - v) % p.modulus + p.modulus * v, family.any_number(p, draw)


def _halved(step: str, which: int, words: str) -> Event[Halving]:
    """A number to halve that is even or odd, and not 0."""

    def construct(p: Halving, index: Index, draw: Draw) -> Iterator[Pair]:
        for _ in range(value_events.ATTEMPTS):
            value = min(draw.below(p.modulus) // 2 * 2 + which, p.modulus - 2 + which) or p.modulus - 1
            yield from (_with_sum if step == "x" else _with_product)(p, value, draw)

    def happens(seen: object, index: Index) -> object:
        value = seen.at(step)  # type: ignore[attr-defined]
        return (value & 1 == which) & (value > 0)

    return Event(
        step,
        f"=half-{words}",
        statement=f"what is halved is {words}, and not 0",
        hunts="a half of an odd number without p, or with a carry that is lost",
        source=family.SOURCE,
        where=lambda params: once(params) if params.halve else iter(()),
        happens=happens,
        construct=construct,
    )


EVENTS = (
    *family.number_events("u", "v", "w"),
    *family.sum_events(_with_terms),
    *family.difference_events(_with_terms),
    *family.end_events("x", "the sum modulo p", family.OFF_BY_ONE, _with_sum),
    *family.end_events("r", "the product modulo p", family.OFF_BY_ONE, _with_product),
    *(_halved(step, which, words) for which, words in ((0, "even"), (1, "odd")) for step in ("x", "r")),
)  # fmt: skip


def _corners(params: Halving) -> Iterator[Corner]:
    p, most = params.modulus, params.limits[0]
    yield Corner(0, p - 1, "u = v = 0")
    yield Corner(most, p - 1, "u = v = w = p - 1")
    yield Corner(p - 1, 1, "u = p - 1, v = 0, w = 1")
    yield Corner(p - 1, p - 1, "u = w = p - 1, v = 0")
    yield Corner(p * (p - 1), 1, "u = 0, v = p - 1: a borrow")
    yield Corner(1 + p * (p - 1), 1, "u = 1, v = p - 1: the sum is p")
    yield Corner(2 + p * (p - 2), 1, "u = 2, v = p - 2: the sum is p") if p > 3 else Corner(1, 1, "u = w = 1")
    yield Corner(p - 2, 1, "u = p - 2, v = 0: the largest odd number to halve")


def _half_claim(step: str, of: str) -> Claim[Halving]:
    def holds(run: Run[Halving], _: Index, seen: int) -> bool:
        return (seen * (1 + run.params.halve) - run.at(of)) % run.params.modulus == 0

    return Claim(f"value of {step}", f"{step} is {of}, halved modulo p if halve is 1", family.SOURCE, step, holds)


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Plain products and those of Montgomery, halved or not."""
    return {"r": choice.one_of((0, 0, bits, bits + 4)), "halve": choice.one_of((0, 1))}


MODEL: Model[Halving] = Model(
    id="butterfly_gs",
    title="u + v and (u - v)*w mod p, a = u + p*v, b = w",
    source=family.GENTLEMAN_SANDE,
    parameters=PARAMETERS,
    operands={"a": "< p^2", "b": "< p", "result": "< p^2"},
    reference=family.SOURCE,
    vocabulary=(
        *family.number_symbols("u", "v"),
        *family.sum_symbols("u + v", "x"),
        *family.difference_symbols("u - v", "y"),
        *family.product_symbols("y*f"),
        Symbol("even", "", "x, or half of it modulo p", "< p", below_modulus),
        Symbol("odd", "", "r, or half of it modulo p", "< p", below_modulus),
        family.RESULT,
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=closed_form,
    steps=steps,
    pseudocode=pseudocode.butterfly_gs,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 15,
    further_claims=(
        family.corrected("x", "s", "sub", -1),
        family.corrected("y", "d", "borrow", 1),
        family.congruent("r", "r*R = (u - v)*w modulo p",
                         lambda run: (run.at("u") - run.at("v")) * run.b * run.params.inverse),
        _half_claim("even", "x"),
        _half_claim("odd", "r"),
        family.result_claim("even = u + v and odd = (u - v)*w/R modulo p, halved or not, both below p", closed_form),
    ),
    corners=_corners,
    reduced_value=None,
    numbers={"a": ("u", "v"), "b": ("w",), "result": ("even", "odd")},
    whole_range=True,
    events=EVENTS,
)  # fmt: skip
