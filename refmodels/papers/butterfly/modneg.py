# SPDX-License-Identifier: Apache-2.0
"""The negative of an integer modulo p: -a mod p, by a subtraction from p that leaves 0 as it is."""

from collections.abc import Iterator

from limbtrace.refmodels import value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.integer_models import FORM, largest
from limbtrace.refmodels.model import CORRECTED, Corner, Model, Step, Symbol, one_bit
from limbtrace.refmodels.montgomery import below_modulus, subtract
from limbtrace.refmodels.papers.butterfly import family, pseudocode
from limbtrace.refmodels.papers.butterfly.family import Single
from limbtrace.refmodels.settings import Given

PARAMETERS = (FORM,)


def resolve(modulus: int, given: Given) -> Single:
    """Parameters for a modulus. Raises ParameterError."""
    return Single(modulus, family.form_of(family.settings_of("modneg", PARAMETERS, modulus, given, even=True)))


def steps(params: Single, a: Digit, b: Digit) -> Iterator[Step]:
    """The difference, and its correction, which 0 alone needs."""
    yield "d", (), (d := params.modulus - a)
    sub, negative = subtract(d, params.modulus, params.bits + 1)
    yield "sub", (), sub
    yield "Z", (), negative


def closed_form(params: Single, a: int, b: int) -> int:
    """The remainder of -a."""
    return int(-a % params.modulus)


def _with_result(p: Single, value: int, draw: Draw) -> Iterator[Pair]:
    yield -value % p.modulus, 0


def _with_difference(p: Single, value: int, draw: Draw) -> Iterator[Pair]:
    yield p.modulus - value, 0


DIFFERENCES: dict[str, family.OfParameters] = {
    "=1": lambda p: 1, "=p-1": lambda p: p.modulus - 1, "=p": lambda p: p.modulus,
}  # fmt: skip
"""p - a at its ends, and next to p, at which it is reduced."""
EVENTS = (
    *family.end_events("d", "p - a", "a negative of 0 that is p", _with_difference, DIFFERENCES),
    *value_events.operand_events(family.SOURCE, "a"),
    *family.end_events("result", "the result", family.OFF_BY_ONE, _with_result),
)


def _corners(params: Single) -> Iterator[Corner]:
    p = params.modulus
    yield Corner(0, 0, "a = 0: the result is 0, and not p")
    yield Corner(1, 0, "a = 1: the result is p - 1")
    yield Corner(p - 1, 0, "a = p - 1: the result is 1")
    yield Corner(p // 2, 0, "a is half of p, or next to it")
    yield Corner((p + 1) // 2, 0, "a is half of p, or next to it")


MODEL: Model[Single] = Model(
    id="modneg",
    title="-a mod p",
    source=family.KNUTH,
    parameters=PARAMETERS,
    operands={"a": "< p", "result": "< p"},
    reference=family.SOURCE,
    vocabulary=(
        Symbol("d", "", "the difference p - a", "from 1 to p", largest(lambda p: p.modulus), least=lambda run, _: 1),
        Symbol("sub", "", "whether p is subtracted from the difference", "0 or 1", one_bit),
        Symbol("Z", "", "-a mod p", "< p", below_modulus),
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=family.no_settings,
    closed_form=closed_form,
    steps=steps,
    pseudocode=pseudocode.modneg,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 3,
    further_claims=(
        family.corrected("Z", "d", "sub", -1),
        family.result_claim("the result is -a mod p, in [0, p)", closed_form),
    ),
    corners=_corners,
    reduced_value=None,
    events=EVENTS,
    even_moduli=True,
)
