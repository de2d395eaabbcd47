# SPDX-License-Identifier: Apache-2.0
"""Values that are narrowed, extended or multiplied with the wrong sign or in too few bits.

Functions of (a, b, p) take two operands and the modulus, those of (t, p) a value that is reduced.
"""

from limbtrace.refmodels.defects.limbs import from_limbs, signed, to_limbs


def doubled_signed_product(a: int, b: int, p: int, *, width: int) -> int:
    """A product modulo p = 2^(width - 1) - 1 from a signed multiplier that doubles and saturates.

    The words of the doubled product are added, the low one halved, and p is subtracted once.
    """
    largest = (1 << (2 * width - 1)) - 1
    doubled = min(2 * signed(a, width) * signed(b, width), largest)
    low, high = to_limbs(doubled, width, 2)
    total = (low >> 1) + high
    return min(total % (1 << width), (total - p) % (1 << width))


def narrowed(t: int, p: int, *, width: int) -> int:
    """t is held as a signed value of `width` bits before it is reduced."""
    return signed(t, width) % p


def centred_barrett(t: int, p: int, *, shift: int, constant: int, rounding: int) -> int:
    """t - floor((t * constant + rounding) / 2^shift) * p, which is meant to lie around 0; p is added below 0."""
    rest = t - (t * constant + rounding >> shift) * p
    return rest + p if rest < 0 else rest


def lanes(a: int, b: int, p: int, *, digit: int, count: int, lane: int) -> int:
    """Montgomery's product in digits that are not carried between rows, R = 2^(digit * count).

    Each digit is a lane of `lane` bits, which overflows.
    """
    base, inverse = 1 << digit, -pow(p, -1, 1 << digit)
    y, modulus, t = to_limbs(b, digit, count), to_limbs(p, digit, count), [0] * count
    for limb in to_limbs(a, digit, count):
        t = [(value + limb * other) % (1 << lane) for value, other in zip(t, y, strict=True)]
        m = t[0] * inverse % base
        t = [(value + m * other) % (1 << lane) for value, other in zip(t, modulus, strict=True)]
        t = [(t[1] + (t[0] >> digit)) % (1 << lane), *t[2:], 0]
    return from_limbs(t, digit) % p


def word_sum(a: int, b: int, p: int, *, r: int, width: int) -> int:
    """Montgomery's product of one word whose sum a*b + m*p is kept in `width` bits."""
    t = a * b
    t = (t + t * -pow(p, -1, 1 << r) % (1 << r) * p) % (1 << width) >> r
    return t % p


def inverse_radix(a: int, b: int, p: int, *, width: int, count: int, seen: int) -> int:
    """Montgomery's product, R = 2^(width * count), whose steps but the last add the low limb times 2^-width mod p.

    That constant is computed from the low `seen` bits of p. The sum is cut to `count` limbs; p is subtracted once.
    """
    t, inverse = a * b, pow((1 << width) % (p % (1 << seen)), -1, p)
    for _ in range(count - 1):
        t = (t >> width) + t % (1 << width) * inverse
    m = t * -pow(p, -1, 1 << width) % (1 << width)
    t = (t + m * p >> width) % (1 << (width * count))
    return t - p if t >= p else t


def float_columns(t: int, u: int, p: int, *, width: int, count: int) -> int:
    """A product whose columns are summed up in double precision, without carries between the products."""
    x, y = to_limbs(t, width, count), to_limbs(u, width, count)
    columns = [0.0] * (2 * count)
    for i, left in enumerate(x):
        for j, right in enumerate(y):
            columns[i + j] += float(left * right)
    return from_limbs([int(column) for column in columns], width) % p


def low_words(a: int, b: int, p: int, *, width: int, count: int) -> int:
    """A product of `count` limbs of `width` bits, each pair of which is multiplied without its high word."""
    x, y = to_limbs(a, width, count), to_limbs(b, width, count)
    total = sum(
        left * right % (1 << width) << (width * (i + j)) for i, left in enumerate(x) for j, right in enumerate(y)
    )
    return total % p


def signed_montgomery(a: int, b: int, p: int, *, r: int) -> int:
    """Montgomery's product with a signed quotient, R = 2^r, between -p and p, as it is."""
    t = a * b
    return (t - signed(t * pow(p, -1, 1 << r), r) * p) >> r


def negative_by_top_bit(t: int, p: int, *, width: int) -> int:
    """t - p in words of `width` bits, to which p is added again if its top bit is set."""
    rest = (t - p) % (1 << width)
    return (rest + p) % (1 << width) if rest >> (width - 1) else rest


def short_operands(a: int, b: int, p: int, *, bits: int) -> int:
    """The product of the low `bits` bits of both operands, of whose residue that many are read."""
    return a % (1 << bits) * (b % (1 << bits)) % p % (1 << bits)
