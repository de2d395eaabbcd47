# SPDX-License-Identifier: Apache-2.0
"""FFM2: equations 9 to 13 of the SIDH paper.

The whole product is divided by f*2^a*l^b, which is p + 1 or p - 1: quotient and remainder are added or subtracted.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, with_high_part
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event, Pair, never
from limbtrace.refmodels.integer_models import (
    Steered,
    Whole,
    common_corners,
    constant,
    draws,
    equals,
    largest,
    product,
    products,
    result_events,
    with_result,
    zero_product,
)
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Index, Model, Step, Symbol, check_modulus, one_bit
from limbtrace.refmodels.montgomery import below_modulus, subtract
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh import pseudocode
from limbtrace.refmodels.papers.sidh.family import Special, special
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given, Parameter, Settings

PARAMETERS = (
    Parameter("sign", "p = f*2^a*l^b + sign", "that with the larger a", "-1 or 1"),
    Parameter("form", "the algorithm is right as printed", CORRECTED, CORRECTED),
)


@dataclass(frozen=True)
class Ffm2(Whole):
    """p = f*2^a*l^b + 1 or - 1 with odd f*l^b of at least 3; A, B in [0, p - 1]."""

    sign: int = -1

    @property
    def named(self) -> dict[str, int | str]:
        return {"sign": self.sign}

    @cached_property
    def special(self) -> Special:
        return special(self.modulus, self.sign, "ffm2")

    @cached_property
    def barrett(self) -> sidh.Barrett:
        """The division of a product without its a low bits by f*l^b."""
        largest = (self.modulus - 1) ** 2 >> self.special.a
        return sidh.Barrett(self.special.D, 2 * self.bits - self.special.a, largest)

    @property
    def constants(self) -> dict[str, int]:
        form, barrett = self.special, self.barrett
        return {"f": form.f, "a": form.a, "l": form.l, "b": form.b, "f*l^b": form.D, "k": barrett.k, "x": barrett.x}

    @cached_property
    def widest_bits(self) -> int:
        return 4 * self.bits + 4


def likely_sign(modulus: int) -> int:
    """The sign with which the modulus is f*2^a*l^b + sign; if both are possible, the one with the larger a."""
    forms: list[Special] = []
    for sign in (-1, 1):
        with suppress(ParameterError):
            forms.append(special(modulus, sign, "ffm2"))
    return max(forms, key=lambda form: form.a).sign if forms else -1


def resolve(modulus: int, given: Given) -> Ffm2:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("ffm2", PARAMETERS, given)
    sign = settings.integer("sign", likely_sign(modulus), -1, 1)
    if sign == 0:
        raise ParameterError("sign", "it is -1 or 1, not 0")
    special(modulus, sign, "ffm2")
    return Ffm2(modulus, settings.choice("form", (CORRECTED,), CORRECTED), sign)


def steps(params: Ffm2, a: Digit, b: Digit) -> Iterator[Step]:
    """Equations 9 to 13."""
    p, bits = params.modulus, params.bits + 1
    yield "AB", (), (AB := a * b)
    q, r = yield from sidh.division("AB", AB, params.special.a, params.barrett)
    yield "q", (), q
    yield "r", (), r
    if params.sign < 0:
        yield "q+r", (), (s := q + r)
        sub, C = subtract(s, p, bits)
        yield "sub", (), sub
    else:
        yield "r-q", (), (s := r - q)
        yield "add", (), (add := 1 - ((s + (1 << bits)) >> bits))
        C = s + add * p
    yield "C", (), C


_SOURCE = "SIDH paper, equations 9 to 13"

VOCABULARY: tuple[Symbol[Ffm2], ...] = (
    Symbol("AB", "", "the product", "<= (p - 1)^2", largest(lambda p: (p.modulus - 1) ** 2)),
    Symbol("AB.hi", "", "AB without its a low bits", "< 2^k", largest(lambda p: (1 << p.barrett.k) - 1)),
    Symbol("AB.lo", "", "these bits", "< 2^a", largest(lambda p: (1 << p.special.a) - 1)),
    Symbol("AB.qhat", "", "Barrett estimate of AB.hi / (f*l^b)", "<= q", lambda run, _: run.at("q")),
    Symbol("AB.corr", "", "whether it is one too small", "0 or 1", one_bit),
    Symbol("q", "", "floor(AB / (f*2^a*l^b))", "<= p - 3, or p - 1 for sign = 1",
           largest(lambda p: p.modulus - 2 + p.sign)),
    Symbol("r", "", "AB mod f*2^a*l^b", "<= p, or p - 2 for sign = 1", largest(lambda p: p.modulus - 1 - p.sign)),
    Symbol("q+r", "", "for sign = -1: the sum, congruent to AB", "<= 2p - 3", largest(lambda p: 2 * p.modulus - 3)),
    Symbol("sub", "", "whether p is subtracted from it", "0 or 1", one_bit),
    Symbol("r-q", "", "for sign = 1: the difference, congruent to AB", "-(p - 1) to p - 2",
           largest(lambda p: p.modulus - 2), least=largest(lambda p: 1 - p.modulus)),
    Symbol("add", "", "whether p is added to it", "0 or 1", one_bit),
    Symbol("C", "", "the result", "< p", below_modulus),
)  # fmt: skip


def corners(params: Ffm2) -> Iterator[Corner]:
    """Operands with a correction and a subtraction or addition, exact multiples, and both ends of r - q."""
    p, form = params.modulus, params.special
    yield from common_corners(p, p - 1)
    yield Corner(form.D, 1 << form.a, "an exact multiple of f*2^a*l^b: the estimate is corrected")
    yield Corner(p - 1, (p + 1) // 2, "q about half of p")
    yield Corner(1, max(p - 2, 0), "q = 0 and r as large as can be")
    yield Corner(p - 1, p - 2, "q as large as can be")
    for a in (3, form.D, p - 3, p // 3):
        if 0 < a < p and gmpy2.gcd(a, p) == 1:
            yield Corner(a, int(gmpy2.invert(a, p)), "the result is 1")


def _multiples(params: Ffm2, index: Index, draw: Draw) -> Iterator[Pair]:
    """Products that are multiples of p - sign, or next to them."""
    p, form = params.modulus, params.special
    divisor = p - params.sign
    for _ in range(64):
        a = form.D * draw.between(1, max((p - 1) // form.D, 1))
        b = (1 << form.a) * draw.between(0, (p - 1) >> form.a)
        yield min(a, p - 1), min(b, p - 1)
        x = draw.between(1, p - 1)
        if gmpy2.gcd(x, divisor) == 1:
            inverse = int(gmpy2.invert(x, divisor))
            yield x, draw.between(-2, 2) * inverse % divisor


def _low_ones(params: Ffm2, index: Index, draw: Draw) -> Iterator[Pair]:
    """Products that end in so many ones as p - sign has zeros at its end."""
    p, m = params.modulus, 1 << params.special.a
    for _ in range(64):
        a = draw.below(p) | 1
        yield min(a, p - 1), with_high_part(draw, -int(gmpy2.invert(a, m)) % m, params.special.a, p - 1)


def _sign_event(
    step: str, condition: str, value: Callable[[Ffm2], int], sign: int, construct: Steered[Ffm2]
) -> Event[Ffm2]:
    """A step that is there for one of the signs."""
    return replace(
        equals(step, condition, f"{step} is {condition[1:]}", "a last step that is off by one, or skipped",
                    _SOURCE, value, construct, zero_product if condition == "=p" else never),
        where=lambda params: ((),) if params.sign == sign else (),
    )  # fmt: skip


def _ends(value: Callable[[Ffm2], int]) -> Steered[Ffm2]:
    def construct(params: Ffm2, index: Index, draw: Draw) -> Iterator[Pair]:
        yield from with_result(params, value(params) % params.modulus, draw)

    return construct


EVENTS: tuple[Event[Ffm2], ...] = (
    *(
        equals("AB.corr", f"={value}", f"the division is corrected {value} times",
                    "a correction that is missing or too many", _SOURCE, constant(value), construct)
        for value, construct in ((0, draws), (1, _multiples))
    ),
    equals("AB.lo", "=0", "the low bits are 0", "bits that are not put back", _SOURCE, lambda params: 0,
                _multiples),
    equals("AB.lo", "=max", "the low bits are all ones", "bits that are not put back", _SOURCE,
                lambda params: (1 << params.special.a) - 1, _low_ones),
    equals("q", "=0", "the quotient is 0", "a quotient that is taken for another", _SOURCE, lambda params: 0),
    equals("r", "=0", "p - sign divides the product", "an exact division", _SOURCE, lambda params: 0, _multiples),
    *(
        _sign_event("q+r", condition, value, -1, _ends(value))
        for condition, value in (("=p-1", lambda params: params.modulus - 1), ("=p", lambda params: params.modulus),
                                 ("=p+1", lambda params: params.modulus + 1))
    ),
    _sign_event("sub", "=1", lambda params: 1, -1, draws),
    *(
        _sign_event("r-q", condition, value, 1, _ends(value))
        for condition, value in (("=-1", lambda params: -1), ("=0", lambda params: 0), ("=1", lambda params: 1))
    ),
    _sign_event("add", "=1", lambda params: 1, 1, draws),
    *result_events(_SOURCE),
)  # fmt: skip


def _moduli(choice: Choice, max_bits: int) -> int:
    """f*2^a*l^b + 1 or - 1."""
    form = sidh.special_modulus(choice, choice.one_of((-1, 1)), max_bits)
    return choice.one_of((form, choice.one_of((7, 13, *sidh.known_moduli(max_bits)))))


MODEL: Model[Ffm2] = Model(
    id="ffm2",
    title="FFM2, quotient and remainder by p + 1 or p - 1",
    source=sidh.paper("equations 9 to 13"),
    parameters=PARAMETERS,
    operands={"a": "< p", "b": "< p", "result": "< p"},
    reference=_SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    shape=lambda choice, bits, max_digits: {},
    moduli=_moduli,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.ffm2,
    result_parts=lambda params: [("C", (), 0)],
    step_count=lambda params: len(VOCABULARY) - 2,
    further_claims=(
        Claim("value of r", "AB = q*f*2^a*l^b + r", _SOURCE, "r",
              lambda run, _, value: run.at("q") * (run.params.modulus - run.params.sign) + value == run.a * run.b),
        sidh.RESULT,
    ),
    events=EVENTS,
    corners=lambda params: (c for c in corners(params) if max(c.a, c.b) < params.modulus),
)  # fmt: skip
