# SPDX-License-Identifier: Apache-2.0
"""The difference of two integers modulo p: a - b mod p, by one addition of p."""

from collections.abc import Iterator

from limbtrace.refmodels import value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.integer_models import FORM
from limbtrace.refmodels.model import CORRECTED, Corner, Model, Step
from limbtrace.refmodels.papers.butterfly import family, pseudocode
from limbtrace.refmodels.papers.butterfly.family import Reduced
from limbtrace.refmodels.settings import Given

PARAMETERS = (FORM,)


def resolve(modulus: int, given: Given) -> Reduced:
    """Parameters for a modulus. Raises ParameterError."""
    return Reduced(modulus, family.form_of(family.settings_of("modsub", PARAMETERS, modulus, given, even=True)))


def steps(params: Reduced, a: Digit, b: Digit) -> Iterator[Step]:
    """The difference, and its correction."""
    yield from family.steps_of_difference(params, a, b, "Z")


def closed_form(params: Reduced, a: int, b: int) -> int:
    """The remainder of the difference."""
    return int((a - b) % params.modulus)


def _with_result(p: Reduced, value: int, draw: Draw) -> Iterator[Pair]:
    b = family.any_number(p, draw)
    yield (value + b) % p.modulus, b


EVENTS = (
    *family.difference_events(family.as_they_are),
    *value_events.operand_events(family.SOURCE, "ab"),
    *family.end_events("result", "the result", family.OFF_BY_ONE, _with_result),
)  # fmt: skip


def _corners(params: Reduced) -> Iterator[Corner]:
    p = params.modulus
    yield Corner(0, 0, "a = b = 0")
    yield Corner(p - 1, p - 1, "a = b = p - 1: the result is 0")
    yield Corner(0, 1, "the difference is -1: the result is p - 1")
    yield Corner(1, 0, "the difference is 1")
    yield Corner(0, p - 1, "the smallest difference: the result is 1")
    yield Corner(p - 1, 0, "the largest difference")
    yield Corner(p // 2, (p + 1) // 2, "both are next to half of p")


MODEL: Model[Reduced] = Model(
    id="modsub",
    title="a - b mod p",
    source=family.KNUTH,
    parameters=PARAMETERS,
    operands={"a": "< p", "b": "< p", "result": "< p"},
    reference=family.SOURCE,
    vocabulary=family.difference_symbols("a - b", "Z"),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=family.no_settings,
    closed_form=closed_form,
    steps=steps,
    pseudocode=pseudocode.modsub,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 3,
    further_claims=(
        family.corrected("Z", "d", "borrow", 1),
        family.result_claim("the result is a - b mod p, in [0, p)", closed_form),
    ),
    corners=_corners,
    reduced_value=None,
    events=EVENTS,
    even_moduli=True,
)
