# SPDX-License-Identifier: Apache-2.0
"""FFM2: equations 9 to 13 of the SIDH paper.

The whole product is divided by f*2^a*l^b, which is p + 1 or p - 1: quotient and remainder are added or subtracted.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import gmpy2

from refmodels.choice import Choice
from refmodels.columns import Digit
from refmodels.errors import ParameterError
from refmodels.model import CORRECTED, Claim, Corner, Model, Step, Symbol, check_modulus, one_bit
from refmodels.montgomery import below_modulus, subtract
from refmodels.papers.sidh import family as sidh
from refmodels.papers.sidh.family import Special, Whole, largest, product, products, special
from refmodels.settings import Given, Parameter, Settings

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
    yield from sidh.common_corners(p, p - 1)
    yield Corner(form.D, 1 << form.a, "an exact multiple of f*2^a*l^b: the estimate is corrected")
    yield Corner(p - 1, (p + 1) // 2, "q about half of p")
    yield Corner(1, max(p - 2, 0), "q = 0 and r as large as can be")
    yield Corner(p - 1, p - 2, "q as large as can be")
    for a in (3, form.D, p - 3, p // 3):
        if 0 < a < p and gmpy2.gcd(a, p) == 1:
            yield Corner(a, int(gmpy2.invert(a, p)), "the result is 1")


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
    result_parts=lambda params: [("C", (), 0)],
    step_count=lambda params: len(VOCABULARY) - 2,
    further_claims=(
        Claim("value of r", "AB = q*f*2^a*l^b + r", _SOURCE, "r",
              lambda run, _, value: run.at("q") * (run.params.modulus - run.params.sign) + value == run.a * run.b),
        sidh.RESULT,
    ),
    corners=lambda params: (c for c in corners(params) if max(c.a, c.b) < params.modulus),
)  # fmt: skip
