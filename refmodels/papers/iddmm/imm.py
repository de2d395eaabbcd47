# SPDX-License-Identifier: Apache-2.0
"""Walter's iterative Montgomery multiplication, IMM: figure 4 of the IDDMM paper.

The accumulator is one integer and Y is scanned digit by digit. One more pass than digits makes the final subtraction
unnecessary.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from limbtrace.refmodels.batch_digits import Digit, split, split_columns
from limbtrace.refmodels.model import CORRECTED, Claim, Index, Model, Run, Step, Symbol
from limbtrace.refmodels.montgomery import below_radix, corners, exact_product, exact_products, partial_product
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import pseudocode
from limbtrace.refmodels.serial_events import quotient_events, range_event, word_events
from limbtrace.refmodels.settings import Parameter

PARAMETERS = iddmm.parameters(
    "n + 1", Parameter("form", "the figure is right as printed, but for the R in its header", CORRECTED, CORRECTED)
)


@dataclass(frozen=True)
class Imm(iddmm.Unsubtracted):
    """p odd, p < beta^n; X = a < 2p, Y = b < beta^passes. X and the accumulator are whole integers."""

    more_passes: ClassVar[int] = 1

    @cached_property
    def widest_bits(self) -> int:
        return max(self.bits + self.radix_bits + 2, 2 * self.radix_bits)

    def split(self, a: int, b: int) -> tuple[int, list[int]]:
        """X, and Y_0 .. Y_(passes-1)."""
        return int(a), split(int(b), self.radix_bits, self.passes)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Like `split`, for a batch of products."""
        (X,) = split_columns(a, self.bits + 1, 1, self.widest_bits)
        return X, split_columns(b, self.radix_bits, self.passes, self.widest_bits)


def steps(params: Imm, X: Digit, Y: list[Digit]) -> Iterator[Step]:
    """Figure 4. X is an integer, Y has as many digits as there are passes, least significant first."""
    k, p, p_ = params.radix_bits, params.modulus, params.digit_inverse
    low = params.radix - 1
    X0 = X & low
    A: Digit = 0
    for i in range(params.passes):
        yield "q", (i,), (q := (((A & low) + X0 * Y[i] & low) * p_) & low)
        yield "A", (i + 1,), (A := (A + X * Y[i] + q * p) >> k)


_FIGURE = "IDDMM, figure 4"


def _state_holds(run: Run[Imm], index: Index, value: int) -> bool:
    p = run.params
    exponent = p.radix_bits * index[0]
    return value == partial_product(run.a, run.b % (1 << exponent), p.modulus, exponent)


def _extra_pass_holds(run: Run[Imm], _: Index, value: int) -> bool:
    p = run.params
    short = p.passes > p.digits and run.b < p.radix**p.digits
    return not short or (value - p.modulus) * p.radix < 2 * p.modulus


def _passes(params: Imm) -> Iterator[Index]:
    return ((i + 1,) for i in range(params.passes))


EVENTS = (
    *quotient_events("q", _FIGURE, places=lambda params: ((i,) for i in range(params.passes))),
    *word_events(
        "A.digit",
        iddmm.ACCUMULATOR,
        places=lambda params: ((i + 1, j) for i in range(params.passes) for j in range(params.digits)),
        read=lambda seen, index: (seen.at("A", index[0]) >> seen.params.radix_bits * index[1]) & seen.params.radix - 1,
    ),
    range_event(
        "A",
        ">p",
        statement="A is above p",
        hunts="a top of the accumulator that is cut",
        accumulator=iddmm.ACCUMULATOR,
        places=_passes,
        bounds=lambda params: (params.modulus + 1, 4 * params.modulus),
        value=lambda seen, index: seen.at("A", *index),
    ),
    *iddmm.result_events(),
)

MODEL: Model[Imm] = Model(
    id="imm",
    title="IMM, digit by digit of Y",
    source=iddmm.paper("figure 4"),
    parameters=PARAMETERS,
    operands=iddmm.OPERANDS,
    reference=_FIGURE,
    vocabulary=(
        Symbol("q", "i", "quotient digit of pass i", "< beta", below_radix),
        Symbol("A", "i+1", "accumulator after pass i", "< X + p", lambda run, _: run.a + run.params.modulus - 1),
    ),
    forms=Imm.forms,
    resolve=lambda modulus, given: iddmm.resolve(Imm, "imm", PARAMETERS, modulus, given),
    shape=iddmm.shape,
    closed_form=exact_product,
    closed_forms=exact_products,
    steps=steps,
    pseudocode=pseudocode.imm,
    result_parts=lambda params: [("A", (params.passes,), 0)],
    step_count=lambda params: 2 * params.passes,
    further_claims=(
        Claim("state", "A after pass i is (X*Y_i + Q_i*p) / beta^i", _FIGURE, "A", _state_holds),
        iddmm.QUOTIENT_CLAIM,
        *iddmm.RESULT_CLAIMS,
        Claim("the extra pass", "b < beta^n and more than n passes give a result below p + 2p/beta", _FIGURE, None,
              _extra_pass_holds),
    ),
    corners=corners,
    events=EVENTS,
)  # fmt: skip
