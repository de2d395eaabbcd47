# SPDX-License-Identifier: Apache-2.0
"""EFFM, efficient finite field multiplication: equations 2 to 4 of the SIDH paper.

p = 2*R^2 - 1, so that R^2 is 1/2 modulo p: the digit a1 of R^2 is one bit, and halves of integers replace products with
an inverse.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.integer_models import largest, product, products
from limbtrace.refmodels.model import CORRECTED, PRINTED, Claim, Index, Model, Run, Step, Symbol, check_modulus, one_bit
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh import pseudocode
from limbtrace.refmodels.papers.sidh.family import Square, check_square
from limbtrace.refmodels.settings import Given, Parameter, Settings

PARAMETERS = (
    Parameter(
        "form", "printed: equation 4 with its factor and its floor as they stand", CORRECTED, "corrected or printed"
    ),
)


@dataclass(frozen=True)
class Effm(Square):
    """p = 2*2^a*l^b - 1 with even a, b of at least 2; A, B in [0, p - 1]."""


def resolve(modulus: int, given: Given) -> Effm:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("effm", PARAMETERS, given)
    check_square(modulus, "effm")
    return Effm(modulus, settings.choice("form", (CORRECTED, PRINTED), CORRECTED))


def steps(params: Effm, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """Equations 2 to 4, then the fold. `a` and `b` have three digits each, the digit of R^2 first."""
    R = params.R
    (a1, a2, a3), (b1, b2, b3) = a, b
    for name, digit in zip(("a1", "a2", "a3", "b1", "b2", "b3"), (*a, *b), strict=True):
        yield name, (), digit
    yield "a1b1", (), (a1b1 := a1 * b1)
    yield "a1b2+a2b1", (), (Y := a1 * b2 + a2 * b1)
    yield "a1b3+a2b2+a3b1", (), (X := a1 * b3 + a2 * b2 + a3 * b1)
    yield "a2b3+a3b2", (), (Z := a2 * b3 + a3 * b2)
    yield "a3b3", (), (a3b3 := a3 * b3)
    yield "2^-2 mod p", (), (quarter := R**2 // 2)
    yield "c1", (), (c1 := X & 1)
    yield "c2", (), (c2 := (Y >> 1) + Z)
    if params.form == PRINTED:
        c3 = (quarter * a1b1 + (Y & 1)) * (R // 2) + a1 * b3 + a3 * b1 + (a2 * b2 >> 1) + a3b3
    else:
        c3 = quarter * a1b1 + (Y & 1) * (R // 2) + (X >> 1) + a3b3
    yield "c3", (), c3
    C = yield from sidh.fold(params, c1, c2, c3)
    yield "C", (), C


_SOURCE = "SIDH paper, equations 2 to 4"


def _congruent(run: Run[Effm], _: Index, value: int) -> bool:
    p = run.params
    return (run.at("c1") * p.R**2 + run.at("c2") * p.R + value - run.a * run.b) % p.modulus == 0


VOCABULARY: tuple[Symbol[Effm], ...] = (
    *sidh.DIGITS,
    Symbol("a1b1", "", "coefficient of R^4", "0 or 1", one_bit),
    Symbol("a1b2+a2b1", "", "coefficient of R^3", "<= 2(R - 1)", largest(lambda p: 2 * (p.R - 1))),
    Symbol("a1b3+a2b2+a3b1", "", "coefficient of R^2", "<= R^2 - 1", largest(lambda p: p.R**2 - 1)),
    Symbol("a2b3+a3b2", "", "coefficient of R", "<= 2(R - 1)^2", largest(lambda p: 2 * (p.R - 1) ** 2)),
    Symbol("a3b3", "", "coefficient of 1", "<= (R - 1)^2", largest(lambda p: (p.R - 1) ** 2)),
    Symbol("2^-2 mod p", "", "a quarter modulo p", "R^2/2", largest(lambda p: p.R**2 // 2),
           least=largest(lambda p: p.R**2 // 2)),
    Symbol("c1", "", "low bit of the coefficient of R^2", "0 or 1", one_bit),
    Symbol("c2", "", "coefficient of R, with half of that of R^3", "<= (R - 1) + 2(R - 1)^2",
           largest(lambda p: p.R - 1 + 2 * (p.R - 1) ** 2)),
    Symbol("c3", "", "all that has neither R nor R^2", "<= p", largest(lambda p: p.modulus)),
    *sidh.FOLD,
    Symbol("C", "", "the result", "< p", below_modulus),
)  # fmt: skip

MODEL: Model[Effm] = Model(
    id="effm",
    title="EFFM, one bit and two digits of radix R",
    source=sidh.paper("equations 2 to 4"),
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
    pseudocode=pseudocode.effm,
    result_parts=lambda params: [("C", (), 0)],
    step_count=lambda params: len(VOCABULARY),
    further_claims=(
        Claim("value of c1, c2, c3", "c1*R^2 + c2*R + c3 = A*B modulo p", _SOURCE, "c3", _congruent),
        Claim("a quarter", "2^-2 mod p is a quarter of 1 modulo p", _SOURCE, "2^-2 mod p",
              lambda run, _, value: 4 * value % run.params.modulus == 1 and value < run.params.modulus),
        *sidh.fold_claims(_SOURCE),
        sidh.RESULT,
    ),
    corners=sidh.square_corners,
    events=sidh.fold_events(_SOURCE),
)  # fmt: skip
