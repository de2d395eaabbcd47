# SPDX-License-Identifier: Apache-2.0
"""Quotients that are estimated: Barrett's reduction and long division, with an estimate or a correction that is wrong.

Functions of (t, p) reduce a value t and return what the code leaves.
"""

from limbtrace.refmodels.defects.limbs import from_limbs, signed, to_limbs


def barrett(t: int, p: int, *, first: int, second: int, width: int, corrections: int) -> int:
    """Barrett's reduction: q = (t >> first) * mu >> second with mu = floor(2^(first + second) / p).

    The remainder is kept in `width` bits, and p is subtracted from it `corrections` times at most.
    """
    q = (t >> first) * ((1 << (first + second)) // p) >> second
    rest = (t - q * p) % (1 << width)
    for _ in range(corrections):
        rest -= p if rest >= p else 0
    return rest


def largest_short_rest(t_most: int, p: int, first: int, second: int, short: int) -> int:
    """Below -1, or the largest t mod p at which the estimate of `barrett` can be `short` below t // p, for t <= t_most.

    With t = h * 2^first + l and mu = (2^(first + second) - e) / p, t / p is above the estimate before its last shift by
    (l + h * e / 2^second) / p. The quotient is t mod p below that, in parts of p, and the shift loses less than 1.
    """
    high, error = t_most >> first, (1 << (first + second)) % p
    return (1 << first) - 1 + (high * error >> second) + 1 - (short - 1) * p


def barrett_with_short_quotient(t: int, p: int, *, bits: int) -> int:
    """Barrett's reduction of 2 * bits bits, whose quotient is cut to `bits` bits."""
    q = (t >> (bits - 1)) * ((1 << (2 * bits)) // p) >> (bits + 1)
    return (t - q % (1 << bits) * p) % (1 << (bits + 1)) % p


def long_division(t: int, p: int, *, width: int, most: int) -> int:
    """Knuth's algorithm D with digits of `width` bits: a digit of the quotient is estimated from the top two words.

    Only `most` of the corrections of an estimate that is too large are made; p has two words at least, the last one
    with its top bit set after normalisation. What is left below 0 wraps around. Returns the remainder as it is.
    """
    count = -(-p.bit_length() // width)
    shift = count * width - p.bit_length()
    divisor, rest = p << shift, t << shift
    top = divisor >> ((count - 1) * width)
    room = 1 << ((count + 1) * width)
    for place in reversed(range(max(-(-rest.bit_length() // width) - count + 1, 1))):
        high = rest >> (width * place)
        digit = min((high >> (width * (count - 1))) // top, (1 << width) - 1)
        corrections = 0
        while digit * divisor > high and corrections < most:
            digit, corrections = digit - 1, corrections + 1
        rest = ((high - digit * divisor) % room << (width * place)) + rest % (1 << (width * place))
    return rest >> shift


def compared_by_length(t: int, p: int, *, width: int, words: int) -> int:
    """p is subtracted from t, which is below it, because t is held in `words` words and p in fewer.

    The difference wraps around in these words. A t that is not below p is reduced well.
    """
    if t < p and -(-p.bit_length() // width) < words:
        return (t - p) % (1 << (width * words))
    return t % p


def shifted_by_whole_word(t: int, p: int, *, width: int) -> int:
    """Long division whose normalisation shifts by 0 bits, and takes in the next lower word by a shift of `width` bits.

    A machine that takes shift counts modulo `width` adds that word unshifted. Only moduli that fill their top word are
    normalised by 0 bits.
    """
    if p.bit_length() % width:
        return t % p
    count = -(-max(t, p).bit_length() // width)

    def normalised(value: int) -> int:
        limbs = to_limbs(value, width, count)
        return from_limbs([limb | (limbs[k - 1] if k else 0) for k, limb in enumerate(limbs)], width)

    return normalised(t) % normalised(p)


def barrett_in_width(t: int, p: int, *, shift: int, width: int) -> int:
    """Barrett's reduction whose product t * mu, mu = floor(2^shift / p), is kept in `width` bits.

    p is subtracted once.
    """
    q = t * ((1 << shift) // p) % (1 << width) >> shift
    rest = (t - q * p) % (1 << width)
    return rest - p if rest >= p else rest


def bit_serial(t: int, p: int, *, bits: int) -> int:
    """Doubling and subtracting, the highest bit of t first; the carry of doubling above `bits` bits is lost."""
    rest = 0
    for place in reversed(range(t.bit_length())):
        rest = (2 * rest + (t >> place & 1)) % (1 << bits)
        rest -= p if rest >= p else 0
    return rest


def float_quotient(a: int, b: int, p: int, *, width: int) -> int:
    """A quotient in double precision; the remainder is a signed word of `width` bits, corrected by p once."""
    quotient = int(float(a) * float(b) / float(p))
    rest = signed(a * b - quotient * p, width)
    return rest + p if rest < 0 else rest - p if rest >= p else rest
