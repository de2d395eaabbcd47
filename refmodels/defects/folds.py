# SPDX-License-Identifier: Apache-2.0
"""Reductions modulo numbers of special form in which a fold, or the carry of one, is left out.

Functions of (t, p) reduce a value t and return what the code leaves, which need not be below p.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import mul

from limbtrace.refmodels.defects.carries import ripple
from limbtrace.refmodels.defects.limbs import from_limbs, to_limbs

NistTerm = tuple[int | None, ...]
"""The words of 32 bits of a term, low ones first; None is a word of zeros."""


def folded_and_cut(t: int, p: int, *, bits: int, rounds: int) -> int:
    """`rounds` folds of 2^bits = c modulo p; what is still above `bits` is lost. The result is reduced modulo p."""
    constant = (1 << bits) % p
    for _ in range(rounds):
        t = t % (1 << bits) + (t >> bits) * constant
    return t % (1 << bits) % p


def folded_unreduced(t: int, p: int, *, bits: int, rounds: int) -> int:
    """`rounds` folds of 2^bits = c modulo p without a comparison with p."""
    constant = (1 << bits) % p
    for _ in range(rounds):
        t = t % (1 << bits) + (t >> bits) * constant
    return t


def folded_by_limbs(t: int, p: int, *, width: int, count: int, reach: int) -> int:
    """Two folds of 2^(width * count) by limbs; the carry of the second travels over `reach` limbs.

    A carry out of all limbs is folded in again. The result is reduced modulo p.
    """
    bits = width * count
    constant = (1 << bits) % p
    t = t % (1 << bits) + (t >> bits) * constant
    limbs = [*to_limbs(t, width, count), 0]
    ripple(limbs, 0, (t >> bits) * constant, width, reach)
    return (from_limbs(limbs[:-1], width) + limbs[-1] * constant) % p


def carry_into_wrong_limb(t: int, p: int, *, width: int, count: int, limb: int) -> int:
    """Two folds of 2^(width * count) by limbs, where the carry out of `limb` is added to that limb again."""
    bits = width * count
    constant = (1 << bits) % p
    t = t % (1 << bits) + (t >> bits) * constant
    limbs = to_limbs(t, width, count)
    carry = (t >> bits) * constant
    for k in range(count):
        carry, limbs[k] = divmod(limbs[k] + carry, 1 << width)
        if k == limb:
            limbs[k], carry = limbs[k] + carry, 0
    return (from_limbs(limbs, width) + carry * constant) % p


def folded_with_short_carry(t: int, p: int, *, width: int, count: int, limb: int) -> int:
    """Folds of 2^(width * count) = c modulo p; in the last one c is added by limbs to limbs below a carry of 1.

    If limb `limb` becomes a limb of ones and takes a carry, the carry out of it is lost. The result is reduced.
    """
    bits = width * count
    constant = (1 << bits) % p
    while t >> bits > 1:
        t = t % (1 << bits) + (t >> bits) * constant
    limbs, carry = to_limbs(t, width, count), 0
    if t >> bits:
        for k, added in enumerate(to_limbs(constant, width, count)):
            lost = k == limb and carry and (limbs[k] + added + carry) >> width > (limbs[k] + added) >> width
            carry, limbs[k] = divmod(limbs[k] + added + carry, 1 << width)
            carry -= bool(lost)
    return (from_limbs(limbs, width) + carry * constant) % p


def narrow_carry(a: int, b: int, p: int, *, digit: int, count: int, width: int) -> int:
    """A product in digits modulo p = 2^(digit * count) - c; the top digits may be wider.

    The carry of the top column, times c, is kept in `width` bits.
    """
    constant = (1 << (digit * count)) % p
    x, y = ([*to_limbs(value, digit, count - 1), value >> (digit * (count - 1))] for value in (a, b))
    columns = [0] * count
    for i, left in enumerate(x):
        for j, right in enumerate(y):
            columns[(i + j) % count] += left * right * (constant if i + j >= count else 1)
    for k in range(count - 1):
        columns[k + 1] += columns[k] >> digit
        columns[k] %= 1 << digit
    columns[0] += (columns[-1] >> digit) * constant % (1 << width)
    columns[-1] %= 1 << digit
    return from_limbs(columns, digit) % p


def joined_without_carry(t: int, p: int, *, digit: int, count: int, width: int, words: int) -> int:
    """Two folds of 2^(digit * count); the second one goes into the lowest digit, which may get wider.

    The digits are joined in `words` words of `width` bits, and the carries between these words are lost.
    """
    bits = digit * count
    constant = (1 << bits) % p
    t = t % (1 << bits) + (t >> bits) * constant
    digits = to_limbs(t, digit, count)
    digits[0] += (t >> bits) * constant
    parts = [to_limbs(value << (digit * k), width, words) for k, value in enumerate(digits)]
    return from_limbs([sum(column) % (1 << width) for column in zip(*parts, strict=True)], width) % p


NIST_ADDED: Mapping[int, tuple[NistTerm, ...]] = {
    256: (
        (0, 1, 2, 3, 4, 5, 6, 7),
        (None, None, None, 11, 12, 13, 14, 15),
        (None, None, None, 11, 12, 13, 14, 15),
        (None, None, None, 12, 13, 14, 15, None),
        (None, None, None, 12, 13, 14, 15, None),
        (8, 9, 10, None, None, None, 14, 15),
        (9, 10, 11, 13, 14, 15, 13, 8),
    ),
    384: (
        (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
        (None, None, None, None, 21, 22, 23, None, None, None, None, None),
        (None, None, None, None, 21, 22, 23, None, None, None, None, None),
        (12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23),
        (21, 22, 23, 12, 13, 14, 15, 16, 17, 18, 19, 20),
        (None, 23, None, 20, 12, 13, 14, 15, 16, 17, 18, 19),
        (None, None, None, None, 20, 21, 22, 23, None, None, None, None),
        (20, None, None, 21, 22, 23, None, None, None, None, None, None),
    ),
}
"""By bits of the modulus, the terms that are added (FIPS 186, fast reductions)."""
NIST_SUBTRACTED: Mapping[int, tuple[NistTerm, ...]] = {
    256: (
        (11, 12, 13, None, None, None, 8, 10),
        (12, 13, 14, 15, None, None, 9, 11),
        (13, 14, 15, 8, 9, 10, None, 12),
        (14, 15, None, 9, 10, 11, None, 13),
    ),
    384: (
        (23, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22),
        (None, 20, 21, 22, 23, None, None, None, None, None, None, None),
        (None, None, None, 23, 23, None, None, None, None, None, None, None),
    ),
}
"""By bits of the modulus, the terms that are subtracted."""


def _term(words: Sequence[int], places: NistTerm) -> int:
    return from_limbs([0 if place is None else words[place] for place in places], 32)


@cache
def _weights(bits: int) -> tuple[int, ...]:
    """By word of t above `bits`, what 1 in it adds to the sum of terms; the words below are a term of their own."""
    count = bits // 32
    units = ([int(k == place) for k in range(2 * count)] for place in range(count, 2 * count))
    return tuple(
        sum(_term(unit, places) for places in NIST_ADDED[bits])
        - sum(_term(unit, places) for places in NIST_SUBTRACTED[bits])
        for unit in units
    )


def nist_sum(t: int, bits: int) -> int:
    """The sum of terms of t < 2^(2 * bits): congruent to t, possibly negative."""
    words = to_limbs(t >> bits, 32, bits // 32)
    above: int = sum(map(mul, words, _weights(bits)))
    return t % (1 << bits) + above


def nist_by_carry(t: int, p: int, *, bits: int) -> int:
    """The carry of the sum of terms says which multiple of p is subtracted; the carry of that is lost.

    p is subtracted once more if the rest is not below it.
    """
    total = nist_sum(t, bits)
    rest = (total - (total >> bits) * p) % (1 << bits)
    return rest - p if rest >= p else rest


def nist_negated(t: int, p: int, *, bits: int, width: int) -> int:
    """A negative sum of terms is negated limb by limb; the carry of 1 - 0 out of the lowest limb is lost."""
    total = nist_sum(t, bits)
    if total < 0 and total % (1 << width) == 0:
        total += 1 << width
    return total % p
