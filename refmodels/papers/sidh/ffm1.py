# SPDX-License-Identifier: Apache-2.0
"""FFM1: equations 5 to 8 of the SIDH paper.

Like EFFM, but an operand of R^2 or more is replaced by its negative, so that the digit of R^2 disappears; the sign is
restored at the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.integer_models import largest, product, products, value_claim
from limbtrace.refmodels.model import (
    CORRECTED,
    PRINTED,
    Claim,
    Index,
    Limit,
    Model,
    Run,
    Step,
    Symbol,
    check_modulus,
    one_bit,
)
from limbtrace.refmodels.montgomery import below_modulus, subtract
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh import pseudocode
from limbtrace.refmodels.papers.sidh.family import Square, check_square
from limbtrace.refmodels.settings import Given, Parameter, Settings

PARAMETERS = (
    Parameter("form", "printed: R^2 itself is not replaced, and 0 is negated to p", CORRECTED, "corrected or printed"),
)


@dataclass(frozen=True)
class Ffm1(Square):
    """p = 2*2^a*l^b - 1 with even a, b of at least 2; A, B in [0, p - 1]."""

    @property
    def result_limit(self) -> int:
        return self.modulus + (self.form == PRINTED)


def resolve(modulus: int, given: Given) -> Ffm1:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("ffm1", PARAMETERS, given)
    check_square(modulus, "ffm1")
    return Ffm1(modulus, settings.choice("form", (CORRECTED, PRINTED), CORRECTED))


def steps(params: Ffm1, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """Equations 5 to 8. `a` and `b` have three digits each, the digit of R^2 first."""
    p, R, literal = params.modulus, params.R, int(params.form == PRINTED)
    for name, digit in zip(("a1", "a2", "a3", "b1", "b2", "b3"), (*a, *b), strict=True):
        yield name, (), digit
    A, B = (params.digits.value(digits[::-1]) for digits in (a, b))
    # Replaced if at least R^2; in the printed form, if greater than R^2.
    negated = [subtract(value, R**2 + literal, params.bits)[0] for value in (A, B)]
    for name, value, negative in zip(("A'", "B'"), (A, B), negated, strict=True):
        yield name, (), value + negative * (p - 2 * value)
    (a2, a3), (b2, b3) = (
        [digit + negative * (R - 1 - 2 * digit) for digit in digits[1:]]
        for digits, negative in zip((a, b), negated, strict=True)
    )
    for name, digit in zip(("a2'", "a3'", "b2'", "b3'"), (a2, a3, b2, b3), strict=True):
        yield name, (), digit
    yield "a2'b2'", (), (a2b2 := a2 * b2)
    yield "a2'b3'+a3'b2'", (), (cross := a2 * b3 + a3 * b2)
    yield "a3'b3'", (), (a3b3 := a3 * b3)
    yield "c1'", (), (c1 := a2b2 & 1)
    yield "c2'", (), (c2 := cross)
    yield "c3'", (), (c3 := a3b3 + (a2b2 >> 1))
    C = yield from sidh.fold(params, c1, c2, c3)
    yield "C'", (), C
    yield "a1^b1", (), (sign := a[0] ^ b[0])
    nonzero = (C + ((1 << params.bits) - 1)) >> params.bits
    yield "C", (), C + sign * (nonzero | literal) * (p - 2 * C)


_SOURCE = "SIDH paper, equations 5 to 8"


def _congruent(run: Run[Ffm1], _: Index, value: int) -> bool:
    p = run.params
    return (run.at("c1'") * p.R**2 + run.at("c2'") * p.R + value - run.at("A'") * run.at("B'")) % p.modulus == 0


_digit: Limit[Ffm1] = largest(lambda p: p.R - 1)
_product: Limit[Ffm1] = largest(lambda p: (p.R - 1) ** 2)
_two_products: Limit[Ffm1] = largest(lambda p: 2 * (p.R - 1) ** 2)

VOCABULARY: tuple[Symbol[Ffm1], ...] = (
    *sidh.DIGITS,
    *(Symbol(f"{x}'", "", f"{x}, or p - {x} if {x.lower()}1 = 1", "< R^2", largest(lambda p: p.R**2 - 1))
      for x in "AB"),
    *(Symbol(f"{x}{i}'", "", f"digit of R^{3 - i} of {x.upper()}'", "< R", _digit) for x in "ab" for i in (2, 3)),
    Symbol("a2'b2'", "", "coefficient of R^2", "<= (R - 1)^2", _product),
    Symbol("a2'b3'+a3'b2'", "", "coefficient of R", "<= 2(R - 1)^2", _two_products),
    Symbol("a3'b3'", "", "coefficient of 1", "<= (R - 1)^2", _product),
    Symbol("c1'", "", "low bit of the coefficient of R^2", "0 or 1", one_bit),
    Symbol("c2'", "", "coefficient of R", "<= 2(R - 1)^2", _two_products),
    Symbol("c3'", "", "coefficient of 1, with half of that of R^2", "<= 1.5*(R - 1)^2",
           largest(lambda p: 3 * (p.R - 1) ** 2 // 2)),
    *sidh.FOLD,
    Symbol("C'", "", "A'*B' mod p", "< p", below_modulus),
    Symbol("a1^b1", "", "whether the product is negative", "0 or 1", one_bit),
    Symbol("C", "", "the result", "< p", below_modulus),
)  # fmt: skip

MODEL: Model[Ffm1] = Model(
    id="ffm1",
    title="FFM1, signs and two digits of radix R",
    source=sidh.paper("equations 5 to 8"),
    parameters=PARAMETERS,
    operands={"a": "< p", "b": "< p", "result": "< p"},
    reference=_SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED, PRINTED),
    resolve=resolve,
    shape=lambda choice, bits, max_digits: {},
    moduli=sidh.square_moduli,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.ffm1,
    result_parts=lambda params: [("C", (), 0)],
    step_count=lambda params: len(VOCABULARY),
    further_claims=(
        Claim("value of c1', c2', c3'", "c1'*R^2 + c2'*R + c3' = A'*B' modulo p", _SOURCE, "c3'", _congruent),
        Claim("negative operands", "A' is at least 1 where a1 = 1", _SOURCE, "A'",
              lambda run, _, value: value >= run.at("a1")),
        Claim("sign", "A'*B' = (-1)^(a1^b1) * A*B modulo p", _SOURCE, "C'",
              lambda run, _, value: (value - (-1) ** run.at("a1^b1") * run.a * run.b) % run.params.modulus == 0),
        *sidh.fold_claims(_SOURCE, "c3'"),
        value_claim("C'", "C' = A'*B' mod p", _SOURCE, lambda run: run.at("A'") * run.at("B'") % run.params.modulus),
        sidh.RESULT,
    ),
    corners=sidh.square_corners,
    events=sidh.fold_events(_SOURCE),
)  # fmt: skip
