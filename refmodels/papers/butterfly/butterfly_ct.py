# SPDX-License-Identifier: Apache-2.0
"""The butterfly of Cooley and Tukey: u + v*w/R and u - v*w/R modulo p, with R = 2^r, by default 1."""

from collections.abc import Iterator

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.integer_models import FORM
from limbtrace.refmodels.model import CORRECTED, Corner, Model, Step
from limbtrace.refmodels.papers.butterfly import family, pseudocode
from limbtrace.refmodels.papers.butterfly.family import Butterfly
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import Given

PARAMETERS = (family.FACTOR, FORM)


def resolve(modulus: int, given: Given) -> Butterfly:
    """Parameters for a modulus. Raises ParameterError."""
    settings = family.settings_of("butterfly_ct", PARAMETERS, modulus, given, even=False)
    return Butterfly(modulus, family.form_of(settings), family.factor_of(settings))


def steps(params: Butterfly, a: list[Digit], b: Digit) -> Iterator[Step]:
    """The product, added to u and subtracted from it."""
    v, u = a
    yield "u", (), u
    yield "v", (), v
    r = yield from family.steps_of_product(params, v, b)
    even = yield from family.steps_of_sum(params, u, r, "even")
    odd = yield from family.steps_of_difference(params, u, r, "odd")
    yield "Z", (), even + params.modulus * odd


def closed_form(params: Butterfly, a: int, b: int) -> int:
    """Both numbers by remainders alone."""
    p = params.modulus
    v, u = divmod(int(a), p)
    product = v * int(b) * pow(1 << params.r, -1, p)
    return (u + product) % p + p * ((u - product) % p)


def _operands(p: Butterfly, u: int, product: int, draw: Draw) -> Iterator[Pair]:
    """Operands with that u, and with that residue of v*w/R."""
    for f, inverse in family.units(p, draw):
        v = product * inverse % p.modulus
        yield u + p.modulus * v, f * (1 << p.r) % p.modulus


EVENTS = (
    *family.number_events("u", "v", "w"),
    *family.end_events("r", "the product modulo p", family.OFF_BY_ONE,
                       lambda p, value, draw: _operands(p, family.any_number(p, draw), value, draw)),
    *family.sum_events(_operands),
    *family.difference_events(_operands),
)  # fmt: skip


def _corners(params: Butterfly) -> Iterator[Corner]:
    p, most = params.modulus, params.limits[0]
    yield Corner(0, p - 1, "u = v = 0")
    yield Corner(most, p - 1, "u = v = w = p - 1")
    yield Corner(most, 1, "u = v = p - 1, w = 1")
    yield Corner(most, 0, "w = 0: both results are u")
    yield Corner(p - 1, 1, "u = p - 1, v = 0")
    yield Corner(p * (p - 1), 1, "u = 0, v = p - 1, w = 1")
    yield Corner(1 + p, 1, "u = v = w = 1")
    yield Corner(1 + p * (p - 1), 1, "u = 1, v = p - 1, w = 1: the sum is p where R is 1")


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Plain products, and those of Montgomery."""
    return {"r": choice.one_of((0, 0, bits, bits + 4))}


MODEL: Model[Butterfly] = Model(
    id="butterfly_ct",
    title="u + v*w and u - v*w mod p, a = u + p*v, b = w",
    source=family.COOLEY_TUKEY,
    parameters=PARAMETERS,
    operands={"a": "< p^2", "b": "< p", "result": "< p^2"},
    reference=family.SOURCE,
    vocabulary=(
        *family.number_symbols("u", "v"),
        *family.product_symbols("v*f"),
        *family.sum_symbols("u + r", "even"),
        *family.difference_symbols("u - r", "odd"),
        family.RESULT,
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=closed_form,
    steps=steps,
    pseudocode=pseudocode.butterfly_ct,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 13,
    further_claims=(
        family.congruent("r", "r*R = v*w modulo p", lambda run: run.at("v") * run.b * run.params.inverse),
        family.corrected("even", "s", "sub", -1),
        family.corrected("odd", "d", "borrow", 1),
        family.result_claim("even = u + v*w/R and odd = u - v*w/R modulo p, both below p", closed_form),
    ),
    corners=_corners,
    reduced_value=None,
    numbers={"a": ("u", "v"), "b": ("w",), "result": ("even", "odd")},
    whole_range=True,
    events=EVENTS,
)
