# SPDX-License-Identifier: Apache-2.0
"""Radix-2 Montgomery multiplication, R2MM: figure 1 of the IDDMM paper.

One bit of X per iteration: add Y if the bit is 1, add p if the sum is odd, halve.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split, split_columns
from limbtrace.refmodels.model import CORRECTED, Claim, Index, Model, Run, Step, Symbol, check_modulus, one_bit
from limbtrace.refmodels.montgomery import (
    DigitSerial,
    partial_product,
    quotient_claim,
    reduced_product,
    reduced_products,
    serial_corners,
    subtract,
    subtraction_claim,
    subtraction_symbols,
)
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import pseudocode
from limbtrace.refmodels.serial_events import (
    A,
    Accumulator,
    around_modulus,
    operand_events,
    quotient_events,
    range_event,
)
from limbtrace.refmodels.settings import Given, Parameter, Settings

PARAMETERS = (
    Parameter("radix", "one bit of X an iteration", "2^1", "2^1"),
    Parameter("form", "the figure is right as printed, once it returns S", CORRECTED, CORRECTED),
)


@dataclass(frozen=True)
class R2mm(DigitSerial):
    """p odd, 2^(N-1) < p < 2^N; X = a < 2^N, Y = b <= p."""

    @property
    def subtracts(self) -> bool:
        return True

    @property
    def named(self) -> dict[str, int]:
        return {}

    @cached_property
    def constants(self) -> dict[str, int]:
        return self.domain_constants("p")

    @property
    def limits(self) -> tuple[int, int]:
        return self.domain - 1, self.modulus

    @property
    def result_limit(self) -> int:
        return self.modulus

    @cached_property
    def widest_bits(self) -> int:
        return self.bits + 2

    def split(self, a: int, b: int) -> tuple[list[int], int]:
        """x_0 .. x_(N-1), and Y."""
        return split(int(a), 1, self.bits), int(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Like `split`, for a batch of products."""
        (Y,) = split_columns(b, self.bits, 1, self.widest_bits)
        return split_columns(a, 1, self.bits, self.widest_bits), Y


def resolve(modulus: int, given: Given) -> R2mm:
    """Parameters for a modulus. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings("r2mm", PARAMETERS, given)
    radix_bits = settings.radix_bits(1, 1, 1)
    return R2mm(modulus, radix_bits, bits, bits, settings.choice("form", (CORRECTED,), CORRECTED))


def steps(params: R2mm, x: list[Digit], Y: Digit) -> Iterator[Step]:
    """Figure 1. x holds the N bits of X, least significant first; Y is an integer."""
    p = params.modulus
    S: Digit = 0
    for i in range(params.bits):
        yield "x", (i,), x[i]
        yield "T", (i,), (T := S + x[i] * Y)
        yield "q", (i,), (q := T & 1)
        yield "S", (i,), (S := (T + q * p) >> 1)
    sub, Z = subtract(S, p, params.bits + 1)
    yield "sub", (), sub
    yield "Z", (), Z


_FIGURE = "IDDMM, figure 1"


def _state_holds(run: Run[R2mm], index: Index, value: int) -> bool:
    exponent = index[0] + 1
    return value == partial_product(run.a % (1 << exponent), run.b, run.params.modulus, exponent)


ACCUMULATOR = Accumulator(A, _FIGURE, lambda params, index: index[0] + 1)


def _iterations(params: R2mm) -> Iterator[Index]:
    return ((i,) for i in range(params.bits))


def _last(params: R2mm) -> Iterator[Index]:
    yield (params.bits - 1,)


EVENTS = (
    *quotient_events("q", _FIGURE, places=_iterations),
    *around_modulus("S", ACCUMULATOR, places=_last, value=lambda seen, index: seen.at("S", *index)),
    range_event(
        "S",
        "=ones",
        statement="S is 2^N - 1: all ones",
        hunts="a carry that is dropped behind ones",
        accumulator=ACCUMULATOR,
        places=_last,
        bounds=lambda params: (params.domain - 1,) * 2,
        value=lambda seen, index: seen.at("S", *index),
    ),
    range_event(
        "S",
        ">=2^N",
        statement="S needs bit N",
        hunts="an accumulator that is one bit too short",
        accumulator=ACCUMULATOR,
        places=_iterations,
        bounds=lambda params: (params.domain, 2 * params.domain),
        value=lambda seen, index: seen.at("S", *index),
    ),
    *operand_events(_FIGURE, digits=False),
)

MODEL: Model[R2mm] = Model(
    id="r2mm",
    title="R2MM, bit by bit of X",
    source=iddmm.paper("figure 1"),
    parameters=PARAMETERS,
    operands={"a": "< 2^N", "b": "<= p", "result": "< p"},
    reference=_FIGURE,
    vocabulary=(
        Symbol("x", "i", "bit i of X", "one bit", one_bit),
        Symbol("T", "i", "S + x_i*Y", "< 2Y + p", lambda run, _: 2 * run.b + run.params.modulus - 1),
        Symbol("q", "i", "parity of T: whether p is added", "one bit", one_bit),
        Symbol("S", "i", "accumulator after iteration i", "< Y + p", lambda run, _: run.b + run.params.modulus - 1),
        *subtraction_symbols(),
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=lambda choice, bits, max_digits: {},
    closed_form=reduced_product,
    closed_forms=reduced_products,
    steps=steps,
    pseudocode=pseudocode.r2mm,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 4 * params.bits + 2,
    further_claims=(
        Claim("state", "S after bit i is (X_i*Y + Q_i*p) / 2^(i+1)", _FIGURE, "S", _state_holds),
        quotient_claim("quotient", "q", "q of iteration i is bit i of -X*Y*p^-1 mod R", _FIGURE),
        subtraction_claim("S", _FIGURE),
    ),
    corners=serial_corners,
    events=EVENTS,
)
