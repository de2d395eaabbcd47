# SPDX-License-Identifier: Apache-2.0
"""Half of an integer modulo an odd p: a/2 mod p, by one addition of p and a shift."""

from collections.abc import Iterator

from limbtrace.refmodels import value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.integer_models import FORM, largest
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Model, Step, Symbol, one_bit
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.butterfly import family, pseudocode
from limbtrace.refmodels.papers.butterfly.family import Single
from limbtrace.refmodels.settings import Given

PARAMETERS = (FORM,)


def resolve(modulus: int, given: Given) -> Single:
    """Parameters for an odd modulus. Raises ParameterError."""
    return Single(modulus, family.form_of(family.settings_of("modhalve", PARAMETERS, modulus, given, even=False)))


def steps(params: Single, a: Digit, b: Digit) -> Iterator[Step]:
    """An even number of the same residue, and its half."""
    yield "odd", (), (odd := a & 1)
    yield "s", (), (s := a + odd * params.modulus)
    yield "Z", (), s >> 1


def closed_form(params: Single, a: int, b: int) -> int:
    """The remainder of a times the inverse of 2."""
    return int(a * pow(2, -1, params.modulus) % params.modulus)


def _with_result(p: Single, value: int, draw: Draw) -> Iterator[Pair]:
    yield 2 * value % p.modulus, 0


def _with_sum(p: Single, value: int, draw: Draw) -> Iterator[Pair]:
    yield value % p.modulus, 0


SUMS: dict[str, family.OfParameters] = {
    "=0": lambda p: 0, "=p-1": lambda p: p.modulus - 1, "=p+1": lambda p: p.modulus + 1,
    "=2p-2": lambda p: 2 * p.modulus - 2,
}  # fmt: skip
"""The number that is halved at its ends, and next to p, between even operands and odd ones."""
EVENTS = (
    *family.end_events("s", "the number that is halved", "a carry of an odd operand that is lost", _with_sum, SUMS),
    *value_events.operand_events(family.SOURCE, "a"),
    *family.end_events("result", "the result", family.OFF_BY_ONE, _with_result),
)


def _corners(params: Single) -> Iterator[Corner]:
    p = params.modulus
    yield Corner(0, 0, "a = 0")
    yield Corner(1, 0, "a = 1: the result is (p + 1)/2")
    yield Corner(2 % p, 0, "a = 2: the result is 1")
    yield Corner(p - 1, 0, "a = p - 1, the largest even operand: the result is (p - 1)/2")
    yield Corner(p - 2, 0, "a = p - 2, the largest odd operand: the result is p - 1")


MODEL: Model[Single] = Model(
    id="modhalve",
    title="a/2 mod p, p odd",
    source=family.KNUTH,
    parameters=PARAMETERS,
    operands={"a": "< p", "result": "< p"},
    reference=family.SOURCE,
    vocabulary=(
        Symbol("odd", "", "whether a is odd", "0 or 1", one_bit),
        Symbol("s", "", "a, or a + p if a is odd", "<= 2p - 2", largest(lambda p: 2 * p.modulus - 2)),
        Symbol("Z", "", "half of s, a/2 mod p", "< p", below_modulus),
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=family.no_settings,
    closed_form=closed_form,
    steps=steps,
    pseudocode=pseudocode.modhalve,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 3,
    further_claims=(
        Claim("value of s", "s = a + odd*p", family.SOURCE, "s",
              lambda run, _, seen: seen == run.a + run.at("odd") * run.params.modulus),
        Claim("s is even", "s = 2Z", family.SOURCE, "Z", lambda run, _, seen: 2 * seen == run.at("s")),
        family.result_claim("the result is a/2 mod p, in [0, p)", closed_form),
    ),
    corners=_corners,
    reduced_value=None,
    events=EVENTS,
)  # fmt: skip
