# SPDX-License-Identifier: Apache-2.0
"""FFM1: equations 5 to 8 of the SIDH paper.

As EFFM, but an operand of R^2 or more is replaced by its negative, so that the digit of R^2 disappears; the sign is
given back at the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from refmodels.columns import Digit
from refmodels.model import CORRECTED, PRINTED, Claim, Model, Step, Symbol, at_most, check_modulus
from refmodels.montgomery import subtract
from refmodels.papers.sidh import family as sidh
from refmodels.papers.sidh.effm import DIGITS, FOLD
from refmodels.papers.sidh.family import Square, check_square, product, products, value_claim
from refmodels.settings import Given, Parameter, Settings

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
    """Equations 5 to 8. `a` and `b` are three digits each, that of R^2 first."""
    p, R, literal = params.modulus, params.R, int(params.form == PRINTED)
    for name, digit in zip(("a1", "a2", "a3", "b1", "b2", "b3"), (*a, *b), strict=True):
        yield name, (), digit
    A, B = (params.digits.value(digits[::-1]) for digits in (a, b))
    # Replaced if at least R^2; as printed, if greater.
    negated = [subtract(value, R**2 + literal, params.bits)[0] for value in (A, B)]
    for name, value, negative in zip(("A'", "B'"), (A, B), negated, strict=True):
        yield name, (), value + negative * (p - 2 * value)
    (a2, a3), (b2, b3) = (
        [digit + negative * (R - 1 - 2 * digit) for digit in digits[1:]]
        for digits, negative in zip((a, b), negated, strict=True)
    )
    for name, digit in zip(("a2'", "a3'", "b2'", "b3'"), (a2, a3, b2, b3), strict=True):
        yield name, (), digit
    a2b2, cross, a3b3 = a2 * b2, a2 * b3 + a3 * b2, a3 * b3
    yield "a2'b2'", (), a2b2
    yield "a2'b3'+a3'b2'", (), cross
    yield "a3'b3'", (), a3b3
    c1, c2, c3 = a2b2 & 1, cross, a3b3 + (a2b2 >> 1)
    yield "c1'", (), c1
    yield "c2'", (), c2
    yield "c3'", (), c3
    C = yield from sidh.fold(params, c1, c2, c3)
    yield "C'", (), C
    sign = a[0] ^ b[0]
    yield "a1^b1", (), sign
    nonzero = (C + ((1 << params.bits) - 1)) >> params.bits
    yield "C", (), C + sign * (nonzero | literal) * (p - 2 * C)


VOCABULARY = (
    *DIGITS,
    *(Symbol(f"{x}'", "", f"{x}, or p - {x} if {x.lower()}1 = 1", "< R^2") for x in "AB"),
    *(Symbol(f"{x}{i}'", "", f"digit of R^{3 - i} of {x.upper()}'", "< R") for x in "ab" for i in (2, 3)),
    Symbol("a2'b2'", "", "coefficient of R^2", "<= (R - 1)^2"),
    Symbol("a2'b3'+a3'b2'", "", "coefficient of R", "<= 2(R - 1)^2"),
    Symbol("a3'b3'", "", "coefficient of 1", "<= (R - 1)^2"),
    Symbol("c1'", "", "low bit of the coefficient of R^2", "0 or 1"),
    Symbol("c2'", "", "coefficient of R", "<= 2(R - 1)^2"),
    Symbol("c3'", "", "coefficient of 1, with half of that of R^2", "<= 1.5*(R - 1)^2"),
    *FOLD,
    Symbol("C'", "", "A'*B' mod p", "< p"),
    Symbol("a1^b1", "", "whether the product is negative", "0 or 1"),
    Symbol("C", "", "the result", "< p"),
)  # fmt: skip

_SOURCE = "SIDH paper, equations 5 to 8"


CLAIMS: tuple[Claim, ...] = (
    *(at_most(f"{x}'", f"{x}' < R^2", _SOURCE, lambda run, _: run.params.R**2 - 1) for x in "AB"),
    *(at_most(f"{x}{i}'", "< R", _SOURCE, lambda run, _: run.params.R - 1) for x in "ab" for i in (2, 3)),
    at_most("c2'", "c2' <= 2(R - 1)^2", _SOURCE, lambda run, _: 2 * (run.params.R - 1) ** 2),
    at_most("c3'", "c3' <= 1.5*(R - 1)^2", _SOURCE, lambda run, _: 3 * (run.params.R - 1) ** 2 // 2),
    Claim("value of c1', c2', c3'", "c1'*R^2 + c2'*R + c3' = A'*B' modulo p", _SOURCE, "c3'",
          lambda run, _, value: (run.at("c1'") * run.params.R**2 + run.at("c2'") * run.params.R + value
                                 - run.at("A'") * run.at("B'")) % run.params.modulus == 0),
    Claim("negative operands", "A' is at least 1 where a1 = 1", _SOURCE, "A'",
          lambda run, _, value: value >= run.at("a1")),
    Claim("sign", "A'*B' = (-1)^(a1^b1) * A*B modulo p", _SOURCE, "C'",
          lambda run, _, value: (value - (-1) ** run.at("a1^b1") * run.a * run.b) % run.params.modulus == 0),
    *sidh.fold_claims(_SOURCE, "c3'"),
    value_claim("C'", "C' = A'*B' mod p", _SOURCE, lambda run: run.at("A'") * run.at("B'") % run.params.modulus),
    sidh.RESULT,
)  # fmt: skip

MODEL = Model(
    id="ffm1",
    title="FFM1, signs and two digits of radix R",
    source=sidh.paper("equations 5 to 8"),
    parameters=PARAMETERS,
    operands={"a": "< p", "b": "< p", "result": "< p"},
    vocabulary=VOCABULARY,
    forms=(CORRECTED, PRINTED),
    resolve=resolve,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    result_parts=lambda params: [("C", (), 0)],
    step_count=lambda params: len(VOCABULARY),
    claims=CLAIMS,
    corners=sidh.square_corners,
)
