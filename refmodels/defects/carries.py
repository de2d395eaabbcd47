# SPDX-License-Identifier: Apache-2.0
"""Products and reductions by words in which a carry is lost.

Functions of (a, b, p) take two operands and the modulus and return the residue of what the code leaves in its words.
Widths are in bits, counts in limbs.
"""

from collections.abc import Sequence

from limbtrace.refmodels.defects.limbs import from_limbs, to_limbs


def ripple(limbs: list[int], index: int, carry: int, width: int, reach: int) -> None:
    """Add `carry` at `index`; out of limb `index` it travels over at most `reach` further ones, and is then lost."""
    for k in range(index, min(index + reach + 1, len(limbs))):
        carry, limbs[k] = divmod(limbs[k] + carry, 1 << width)


def product_by_rows(a: int, b: int, p: int, *, width: int, count: int, row: int, reach: int) -> int:
    """A product by rows, from the top limb of `a` down. In row `row` the carry travels over `reach` limbs."""
    a, b = (value % (1 << width * count) for value in (a, b))
    above = (a >> width * (row + 1)) * b << width  # in units of the lowest limb of the row
    room = width * (count + reach + 1)
    lost = above % (1 << room) + (a >> width * row) % (1 << width) * b >> room
    return (a * b - (lost << width * row + room)) % p


def square_with_doubled_products(a: int, b: int, p: int, *, width: int, count: int, limb: int, reach: int) -> int:
    """A square: products of different limbs are added up and doubled, then squares of limbs are added.

    The carry of the square of limb `limb` travels over `reach` limbs.
    """
    x = to_limbs(a, width, count)
    cross = sum(x[i] * x[j] << (width * (i + j) + 1) for i in range(count) for j in range(i))
    t = to_limbs(cross, width, 2 * count)
    for i, value in enumerate(x):
        low, high = to_limbs(value * value, width, 2)
        carry, t[2 * i] = divmod(t[2 * i] + low, 1 << width)
        ripple(t, 2 * i + 1, high + carry, width, reach if i == limb else 2 * count)
    return from_limbs(t, width) % p


def square_by_columns(a: int, b: int, p: int, *, width: int, count: int) -> int:
    """A square by columns with an accumulator of three words, in which products are doubled word by word.

    The high word of a doubled product takes the carry of the low words. Where it wraps around, that carry is lost.
    """
    x, word = to_limbs(a, width, count), 1 << width
    accumulator, result = 0, []
    for column in range(2 * count):
        for i in range(count):
            j = column - i
            if i < j < count:
                doubled = 2 * x[i] * x[j]
                carry = (accumulator % word + doubled % word) >> width
                wraps = (doubled >> width) % word + carry == word
                accumulator += doubled - (wraps << (2 * width))
            elif i == j:
                accumulator += x[i] * x[i]
        result.append(accumulator % word)
        accumulator >>= width
    return from_limbs(result, width) % p


def montgomery_after_product(a: int, b: int, p: int, *, width: int, count: int, row: int, reach: int) -> int:
    """Montgomery's reduction of a finished product, R = 2^(width * count).

    In step `row` the carry out of the sum with m*p travels over `reach` limbs.
    """
    t, R = a * b % (1 << width * (2 * count + 1)), 1 << width * count
    quotient = t * -pow(p, -1, R) % R
    before = t + quotient % (1 << width * row) * p >> width * row  # in units of the lowest limb of the step
    room = width * (count + reach + 1)
    lost = before % (1 << room) + (quotient >> width * row) % (1 << width) * p >> room
    return (t + quotient * p - (lost << width * row + room) >> width * count) % p


def montgomery_without_top(a: int, b: int, p: int, *, width: int, count: int, steps: Sequence[int]) -> int:
    """Montgomery's product with a reduction after each row, R = 2^(width * count).

    In `steps` the sum is cut to `count` limbs. It is longer only for a modulus that fills its top limb.
    """
    t, inverse = 0, -pow(p, -1, 1 << width)
    for i, limb in enumerate(to_limbs(a, width, count)):
        t += limb * b
        t = (t + t * inverse % (1 << width) * p) >> width
        if i in steps:
            t %= 1 << (width * count)
    return t % p


def compared_sum(a: int, b: int, p: int, *, width: int) -> int:
    """A product of two words each. Cross products are added to the words of the other two, low word first.

    A carry out of the third word is found by comparing the sum with one summand, without the carry that came in.
    """
    word = 1 << width
    (a0, a1), (b0, b1) = to_limbs(a, width, 2), to_limbs(b, width, 2)
    (w0, w1), (w2, w3) = to_limbs(a0 * b0, width, 2), to_limbs(a1 * b1, width, 2)
    for cross in (a0 * b1, a1 * b0):
        low, high = to_limbs(cross, width, 2)
        carry, w1 = divmod(w1 + low, word)
        w2 = (w2 + high + carry) % word
        w3 += w2 < high
    return from_limbs((w0, w1, w2, w3), width) % p


def square_of_three_words(a: int, b: int, p: int, *, width: int) -> int:
    """A square of three words: x0*x1 and x1*x2 are written into four words, and x0*x2 is added to the middle two.

    The carry of that addition into the fourth word is lost; then the words are doubled.
    """
    x0, x1, x2 = to_limbs(a, width, 3)
    four = to_limbs(x0 * x1, width, 2) + to_limbs(x1 * x2, width, 2)
    middle = (from_limbs(four[1:3], width) + x0 * x2) % (1 << (2 * width))
    cross = from_limbs((four[0], middle, 0, four[3]), width)
    return (2 * (cross << width) + x0 * x0 + (x1 * x1 << 2 * width) + (x2 * x2 << 4 * width)) % p


def stale_flag(a: int, b: int, p: int, *, width: int, count: int) -> int:
    """Montgomery's reduction of a product for p = -1 modulo 2^width, R = 2^(width * count), with an old overflow flag.

    A step computes m - floor(m / 2^(width / 2)), and 1 is added to the next limb if that overflows as a signed number.
    """
    t, half = a * b, 1 << (width - 1)
    for _ in range(count):
        m = t % (1 << width)
        overflows = m >= half > m - (m >> width // 2)
        t = (t + m * p >> width) + overflows
    return t % p


def halved(t: int, p: int, *, bits: int) -> int:
    """t / 2 modulo p: p is added to an odd t in `bits` bits before the shift, and the carry is lost."""
    return (t + (p if t % 2 else 0)) % (1 << bits) >> 1
