# SPDX-License-Identifier: Apache-2.0
"""Multiple-word radix-2^k Montgomery multiplication, MWR2^kMM: figure 3 of the IDDMM paper.

X is recoded into Booth digits of k bits, from -2^(k-1) to 2^(k-1). Y, p and the accumulator S are processed in words of
w bits, S in two's complement. D digits are enough that the last one includes the sign bit 0 of X, so they add up to X.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split, split_signed_columns, weighted_sum
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Step, check_modulus
from limbtrace.refmodels.montgomery import DigitSerial, subtract
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits, word_bits
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)

PARAMETERS = (
    Parameter("radix", "weight 2^k of a Booth digit; k is its logarithm", "2^3", "2^1 to 2^4096", ("k",)),
    Parameter("w", "bits of a word", "16, or k where that is more", "k to 4096"),
    Parameter("D", "digits of X, R = 2^(k*D)", "ceil((N+1)/k)", "at least 1; a < 2^(k*D-1)"),
    Parameter("NW", "words of S", "ceil((N+k+2)/w)", "w*NW >= N+k+2"),
    Parameter(
        "form",
        "printed recodes from one bit too many, has ceil(N/k) digits and ceil(N/w) words, fills with C_a or C_b and "
        "writes the top word one place too high",
        CORRECTED,
        " or ".join(FORMS),
    ),
)


@dataclass(frozen=True)
class Mwr2kmm(DigitSerial):
    """p odd, k <= w, N+k+2 <= w*NW; X = a < 2^N and < 2^(k*D-1), Y = b < p."""

    w: int = field(kw_only=True)
    NW: int = field(kw_only=True)

    @property
    def subtracts(self) -> bool:
        return True

    @property
    def named(self) -> dict[str, int]:
        return {"w": self.w, "D": self.digits, "NW": self.NW}

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"D": (self.digits, self.radix_bits), "NW": (self.NW, self.w)}

    @cached_property
    def constants(self) -> dict[str, int]:
        return self.symmetric_constants("p", "p'")

    @property
    def literal(self) -> bool:
        """True if this is the printed form."""
        return self.form == PRINTED

    @property
    def limits(self) -> tuple[int, int]:
        sign_bits = 0 if self.literal else 1
        return (1 << min(self.bits, self.r_bits - sign_bits)) - 1, self.modulus - 1

    @property
    def result_limit(self) -> int:
        return 1 << (self.w * (self.top_word + 1)) if self.literal else self.modulus

    @property
    def booth_bits(self) -> int:
        """Bits of a Booth digit without the bit below it."""
        return self.radix_bits + int(self.literal)

    @property
    def top_word(self) -> int:
        """The word that takes the shifted top of the sum."""
        return self.NW if self.literal else self.NW - 1

    @property
    def fills_with_sign(self) -> bool:
        """True if the shift of the top word repeats its sign bit instead of taking C_a or C_b."""
        return not self.literal

    @cached_property
    def widest_bits(self) -> int:
        return self.w + self.radix_bits + 1

    @cached_property
    def modulus_words(self) -> list[int]:
        return split(self.modulus, self.w, self.NW)

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """D groups of bits of X, each with the bit below it, and the words of Y."""
        k, group = self.radix_bits, (1 << (self.booth_bits + 1)) - 1
        return [2 * int(a) >> (k * i) & group for i in range(self.digits)], split(int(b), self.w, self.NW)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Like `split`, for a batch of products."""
        doubled = [2 * value for value in a]
        return (
            split_signed_columns(doubled, self.booth_bits + 1, self.radix_bits, self.digits, self.widest_bits),
            split_signed_columns(b, self.w, self.w, self.NW, self.widest_bits),
        )


def resolve(modulus: int, given: Given) -> Mwr2kmm:
    """Parameters for a modulus. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings("mwr2kmm", PARAMETERS, given)
    form = settings.choice("form", FORMS, CORRECTED)
    k = settings.radix_bits(3, 1, 4096)
    w = settings.integer("w", max(16, k), 1, 4096)
    if w < k:
        raise ParameterError("w", f"a word of {w} bits does not hold a digit of {k} bits, which needs w >= {k}")
    recoded, held, why = (bits + 1, bits + k + 2, "w*NW >= N+k+2") if form == CORRECTED else (bits, bits, "w*NW >= N")
    D = settings.integer("D", -(-recoded // k), 1, 2 * MAX_WIDTH // k + 1)
    NW_min = -(-held // w)
    NW = settings.integer("NW", NW_min, NW_min, 2 * MAX_WIDTH // w + 1, why)
    return Mwr2kmm(modulus, k, D, D, form, w=w, NW=NW)


def recoded(group: Digit, booth: int) -> Digit:
    """The Booth digit of `booth` bits of X and the bit below them."""
    return ((group + 1) >> 1) - ((group >> booth) << booth)


def steps(params: Mwr2kmm, x: list[Digit], Y: list[Digit]) -> Iterator[Step]:
    """Figure 3. x holds D groups of bits of X, Y its NW words, least significant first.

    Word j of qY*Y is the low word of qYY, whose high part (negative with qY) is carried on; qp*p is treated likewise.
    """
    k, w, NW, p, p_ = params.radix_bits, params.w, params.NW, params.modulus_words, params.digit_inverse
    booth, top = params.booth_bits, params.top_word
    low, digit = (1 << w) - 1, params.radix - 1
    S: list[Digit] = [0] * (top + 1)
    for i in range(params.digits):
        yield "qY", (i,), (qY := recoded(x[i], booth))
        Ca = Cb = qYY = qpp = 0
        for j in range(NW):
            qYY = (qYY >> w) + qY * Y[j]
            s = Ca + S[j] + (qYY & low)
            yield "Ca", (i, j + 1), (Ca := s >> w)
            yield "Sa", (i, j), (Sa := s & low)
            if j == 0:
                yield "qp", (i,), (qp := ((Sa & digit) * p_) & digit)
            qpp = (qpp >> w) + qp * p[j]
            s = Cb + Sa + (qpp & low)
            yield "Cb", (i, j + 1), (Cb := s >> w)
            S[j] = s & low
            yield "Sb", (i, j), S[j]
            if j > 0:
                S[j - 1] = ((S[j] & digit) << (w - k)) | (S[j - 1] >> k)
                yield "S", (i, j - 1), S[j - 1]
        fill = S[NW - 1] >> (w - 1) if params.fills_with_sign else Ca | Cb
        S[top] = ((fill * digit) << (w - k)) | (S[NW - 1] >> k)
        yield "S", (i, top), S[top]
    yield "Sfinal", (), (Sfinal := weighted_sum((word, w * j) for j, word in enumerate(S)))
    sub, Z = subtract(Sfinal, params.modulus, w * (top + 1))
    yield "sub", (), sub
    yield "Z", (), Z


FIGURE, MENDED = "IDDMM, figure 3", "IDDMM, figure 3 corrected"


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """All digits of an operand below 2p or fewer, and words that are at least a digit wide and hold the accumulator."""
    k = radix_bits(choice, bits, 1, max_digits)
    w = word_bits(choice, bits, k, max_digits)
    D = digits_for(choice, bits + 1, k)
    return {"k": k, "w": w, "D": choice.one_of((D, choice.integer(1, D))), "NW": digits_for(choice, bits + k + 2, w)}
