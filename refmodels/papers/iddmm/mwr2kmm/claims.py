# SPDX-License-Identifier: Apache-2.0
"""Ranges and claims about MWR2^kMM: the Booth digits are X, the words the accumulator in two's complement."""

from limbtrace.refmodels.model import Claim, Index, Run, Symbol, one_bit
from limbtrace.refmodels.montgomery import (
    below_radix,
    largest_sum,
    partial_product,
    quotient_claim,
    subtraction_claim,
    subtraction_symbols,
)
from limbtrace.refmodels.papers.iddmm.mwr2kmm.algorithm import FIGURE, MENDED, Mwr2kmm


def _word(run: Run[Mwr2kmm], _: Index) -> int:
    return (1 << run.params.w) - 1


def _half(run: Run[Mwr2kmm], _: Index) -> int:
    return 1 << (run.params.radix_bits - 1)


VOCABULARY: tuple[Symbol[Mwr2kmm], ...] = (
    Symbol("qY", "i", "Booth digit i of X", "-2^(k-1) to 2^(k-1)", _half, least=lambda run, i: -_half(run, i),
           where=MENDED),
    Symbol("Ca", "i, j", "carry of S + qY*Y into word j", "one bit", one_bit),
    Symbol("Sa", "i, j", "word j of S + qY*Y", "< 2^w", _word),
    Symbol("qp", "i", "quotient digit", "< 2^k", below_radix),
    Symbol("Cb", "i, j", "carry of the addition of qp*p into word j", "one bit", one_bit),
    Symbol("Sb", "i, j", "word j after the addition of qp*p", "< 2^w", _word),
    Symbol("S", "i, j", "word j of the accumulator after digit i, in two's complement", "< 2^w", _word),
    Symbol("Sfinal", "", "S before the subtraction", "< p + ab/R", largest_sum, where=MENDED),
    *subtraction_symbols(),
)  # fmt: skip


def signed(value: int, bits: int) -> int:
    """The `bits` low bits of a value as two's complement."""
    return ((value + (1 << (bits - 1))) & ((1 << bits) - 1)) - (1 << (bits - 1))


def whole(run: Run[Mwr2kmm], step: str, i: int) -> int:
    """The words of a step of digit i, as two's complement.

    As printed, word NW - 1 of S is not shifted and keeps its value from Sb.
    """
    p = run.params
    unshifted = range(p.NW - 1, p.top_word)
    count = p.top_word + 1 if step == "S" else p.NW
    words = (run.at("Sb" if j in unshifted else step, i, j) for j in range(count))
    return signed(sum(word << (p.w * j) for j, word in enumerate(words)), p.w * count)


def _booth_holds(run: Run[Mwr2kmm], index: Index, value: int) -> bool:
    """The digits so far add up to the low bits of X as two's complement."""
    p = run.params
    k, (i,) = p.radix_bits, index
    total = sum(run.at("qY", d) << (k * d) for d in range(i + 1))
    return total == signed(run.a, k * (i + 1))


def _recoding_holds(run: Run[Mwr2kmm], _: Index, value: int) -> bool:
    p = run.params
    return run.a == sum(run.at("qY", i) << (p.radix_bits * i) for i in range(p.digits))


def _sum_holds(run: Run[Mwr2kmm], index: Index, _: int) -> bool:
    """S + qY*Y + qp*p of a digit is a multiple of 2^k that fits NW words."""
    p = run.params
    i, j = index
    if j != p.NW - 1:
        return True
    value, scale = whole(run, "Sb", i), p.bits + p.radix_bits
    return -(1 << scale) < 2 * value < 3 << scale and value == whole(run, "S", i) << p.radix_bits


def _state_holds(run: Run[Mwr2kmm], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j != p.top_word:
        return True
    exponent = p.radix_bits * (i + 1)
    value = whole(run, "S", i)
    golden = partial_product(signed(run.a, exponent), run.b, p.modulus, exponent)
    return value == golden and -run.b <= 2 * value < 2 * p.modulus + run.b


CLAIMS: tuple[Claim[Mwr2kmm], ...] = (
    Claim("digits of X", "digits 0 to i add up to the low k*(i+1) bits of X, signed", MENDED, "qY", _booth_holds),
    Claim("recoding", "the digits add up to X", MENDED, None, _recoding_holds),
    Claim("sum", "-2^(N+k-1) < S + qY*Y + qp*p < 1.5*2^(N+k), and it is 2^k times the next S", MENDED, "Sb",
          _sum_holds),
    Claim("state", "S after digit i is (X_i*Y + Q_i*p) / 2^(k(i+1)), in [-Y/2, p + Y/2)", MENDED, "S",
          _state_holds),
    quotient_claim("quotient", "qp", "qp of digit i is digit i of -X*Y*p^-1 mod R", FIGURE),
    subtraction_claim("Sfinal", FIGURE),
)  # fmt: skip
