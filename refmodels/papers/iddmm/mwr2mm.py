# SPDX-License-Identifier: Apache-2.0
"""Multiple-word radix-2 Montgomery multiplication, MWR2MM (Tenca and Koc): figure 2 of the IDDMM paper.

X is scanned bit by bit; Y, p and the accumulator S word by word. S is halved word by word, too. The figure's two
branches are combined here: if the parity is 0, 0*p is added.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, join, split, split_columns
from limbtrace.refmodels.model import CORRECTED, PRINTED, Claim, Index, Model, Run, Step, Symbol, check_modulus, one_bit
from limbtrace.refmodels.montgomery import (
    DigitSerial,
    below_sum,
    exact_product,
    exact_products,
    partial_product,
    quotient_claim,
    serial_corners,
)
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm import pseudocode
from limbtrace.refmodels.param_strategy import Choice, digits_for, word_bits
from limbtrace.refmodels.serial_events import (
    A,
    Accumulator,
    around_modulus,
    operand_events,
    quotient_events,
    run_events,
    total_value,
    word_events,
)
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)

PARAMETERS = (
    Parameter("radix", "one bit of X an iteration", "2^1", "2^1"),
    Parameter("w", "bits of a word", "16", "1 to 4096"),
    Parameter("e", "words of S; Y and p have one more, which is 0", "ceil((N+1)/w)", "2^(w*e) > 2p"),
    Parameter(
        "form",
        "printed has e = ceil(N/w) words, so that bit N of S is lost where w divides N",
        CORRECTED,
        " or ".join(FORMS),
    ),
)


@dataclass(frozen=True)
class Mwr2mm(DigitSerial):
    """p odd, 2p < 2^(w*e); X = a < 2^N, Y = b < p."""

    w: int = field(kw_only=True)
    e: int = field(kw_only=True)

    @property
    def named(self) -> dict[str, int]:
        return {"w": self.w, "e": self.e}

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"e": (self.e, self.w)}

    @cached_property
    def constants(self) -> dict[str, int]:
        return self.domain_constants("p")

    @property
    def limits(self) -> tuple[int, int]:
        return self.domain - 1, self.modulus - 1

    @property
    def result_limit(self) -> int:
        return 2 * self.modulus

    @cached_property
    def widest_bits(self) -> int:
        return self.w + 1

    @cached_property
    def modulus_words(self) -> list[int]:
        return split(self.modulus, self.w, self.e + 1)

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """x_0 .. x_(N-1), and words 0 .. e of Y."""
        return split(int(a), 1, self.bits), split(int(b), self.w, self.e + 1)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Like `split`, for a batch of products."""
        return (
            split_columns(a, 1, self.bits, self.widest_bits),
            split_columns(b, self.w, self.e + 1, self.widest_bits),
        )


def resolve(modulus: int, given: Given) -> Mwr2mm:
    """Parameters for a modulus. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings("mwr2mm", PARAMETERS, given)
    radix_bits = settings.radix_bits(1, 1, 1)
    form = settings.choice("form", FORMS, CORRECTED)
    w = settings.integer("w", 16, 1, 4096)
    held, why = (bits + 1, "2p < 2^(w*e)") if form == CORRECTED else (bits, "p < 2^(w*e)")
    e_min = -(-held // w)
    e = settings.integer("e", e_min, e_min, 2 * MAX_WIDTH // w + 1, why)
    return Mwr2mm(modulus, radix_bits, bits, bits, form, w=w, e=e)


def steps(params: Mwr2mm, x: list[Digit], Y: list[Digit]) -> Iterator[Step]:
    """Figure 2. x holds the N bits of X, Y its e + 1 words, least significant first."""
    w, e, p = params.w, params.e, params.modulus_words
    low = (1 << w) - 1
    S: list[Digit] = [0] * (e + 1)
    for i in range(params.bits):
        yield "x", (i,), x[i]
        Ca: Digit = 0
        Cb: Digit = 0
        for j in range(e + 1):
            s = Ca + x[i] * Y[j] + S[j]
            yield "Ca", (i, j + 1), (Ca := s >> w)
            yield "Sa", (i, j), (Sa := s & low)
            if j == 0:
                yield "par", (i,), (par := Sa & 1)
            s = Cb + par * p[j] + Sa
            yield "Cb", (i, j + 1), (Cb := s >> w)
            S[j] = s & low
            yield "Sb", (i, j), S[j]
            if j > 0:
                S[j - 1] = ((S[j] & 1) << (w - 1)) | (S[j - 1] >> 1)
                yield "S", (i, j - 1), S[j - 1]
        S[e] = 0
    yield "Z", (), join(S[:e], w)


_FIGURE = "IDDMM, figure 2"


def _state_holds(run: Run[Mwr2mm], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j != p.e - 1:
        return True
    value = sum(run.at("S", i, word) << (p.w * word) for word in range(p.e))
    exponent = i + 1
    return value == partial_product(run.a % (1 << exponent), run.b, p.modulus, exponent) < run.b + p.modulus


def _word(run: Run[Mwr2mm], index: Index) -> int:
    return (1 << run.params.w) - 1


def _carry(run: Run[Mwr2mm], index: Index) -> int:
    return int(index[1] <= run.params.e)


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many words as 2p needs for a modulus of that width, or one more."""
    w = word_bits(choice, bits, 1, max_digits)
    return {"w": w, "e": digits_for(choice, bits + 1, w)}


ACCUMULATOR = Accumulator(A, _FIGURE, lambda params, index: index[0] + 1 if index else params.bits)


def _iterations(params: Mwr2mm) -> Iterator[Index]:
    return ((i,) for i in range(params.bits))


def _words(params: Mwr2mm) -> Iterator[Index]:
    return ((i, j) for i in range(params.bits) for j in range(params.e))


def _runs(params: Mwr2mm) -> Iterator[Index]:
    """Runs after the first iteration, in the middle and after the last one."""
    iterations = sorted({0, params.bits // 2, params.bits - 1})
    return ((i, L) for L in range(1, params.e + 1) for i in iterations)


EVENTS = (
    *quotient_events("par", _FIGURE, places=_iterations),
    *word_events("S", ACCUMULATOR, places=_words, width=lambda params: int(params.w)),
    *run_events(
        "run",
        ACCUMULATOR,
        places=_runs,
        digit=lambda seen, i, j: seen.at("S", i, j),
        carry=lambda seen, i, L: seen.at("Cb", i, L),
        after=lambda i: (i,),
        width=lambda params: int(params.w),
        closed=lambda params, at, L: at.carry(params.w * L, params.modulus) - at.sum_carry(params.w * L),
    ),
    *around_modulus("result", ACCUMULATOR, places=lambda params: ((),), value=total_value),
    *operand_events(_FIGURE, digits=False),
)

MODEL: Model[Mwr2mm] = Model(
    id="mwr2mm",
    title="MWR2MM, bit by bit of X and word by word of Y",
    source=iddmm.paper("figure 2"),
    parameters=PARAMETERS,
    operands={"a": "< 2^N", "b": "< p", "result": "< 2p"},
    reference=_FIGURE,
    vocabulary=(
        Symbol("x", "i", "bit i of X", "one bit", one_bit),
        Symbol("Ca", "i, j", "carry of S + x_i*Y into word j", "one bit, and 0 out of word e", _carry),
        Symbol("Sa", "i, j", "word j of S + x_i*Y", "< 2^w", _word),
        Symbol("par", "i", "parity of S + x_i*Y: whether p is added", "one bit", one_bit),
        Symbol("Cb", "i, j", "carry of the addition of p into word j", "one bit, and 0 out of word e", _carry),
        Symbol("Sb", "i, j", "word j after the addition of p",
               "< 2^w; word e holds at most the bit that goes to word e - 1",
               lambda run, index: _word(run, index) if index[1] < run.params.e else 1,
               where="IDDMM, figure 2 corrected"),
        Symbol("S", "i, j", "word j of the accumulator after iteration i", "< 2^w", _word),
        Symbol("Z", "", "result", "< 2p", lambda run, _: 2 * run.params.modulus - 1),
    ),
    forms=FORMS,
    resolve=resolve,
    shape=_shape,
    closed_form=exact_product,
    closed_forms=exact_products,
    steps=steps,
    pseudocode=pseudocode.mwr2mm,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: params.bits * (5 * params.e + 6) + 1,
    further_claims=(
        Claim("state", "S after bit i is (X_i*Y + Q_i*p) / 2^(i+1), below Y + p", _FIGURE, "S", _state_holds),
        quotient_claim("quotient", "par", "the parity of iteration i is bit i of -X*Y*p^-1 mod R", _FIGURE),
        Claim("result", "the result is below p + ab/R", _FIGURE, None, lambda run, _, value: below_sum(run, value)),
    ),
    corners=serial_corners,
    events=EVENTS,
    mended={PRINTED: ("iddmm.E8b",)},
)  # fmt: skip
