# SPDX-License-Identifier: Apache-2.0
"""Numbers with a wanted property: what constructors of events are made of.

Most conditions inside a Montgomery product fix some bits of a product modulo something: digit i of the quotient is an
interval of -a*b*p^-1 modulo beta^(i+1), a digit of the accumulator one of a*b/beta^i modulo p. With one operand drawn,
the other one is a factor x for which c*x mod m lies in an interval, and Euclid's algorithm finds it.
"""

import hashlib

import gmpy2

EXTRA = 64
"""Random bits beyond those of a limit, so that the remainder is even to 2^-64."""
NEAR = 16
"""Times as large as its range that a modulus may be, so that a factor is sought by division."""
BLOCK = 336
"""Bytes that are drawn at first, two permutations of SHAKE-128; every block is twice as long as the one before."""


class Draw:
    """Random numbers of one purpose, from SHAKE-128 in counter mode: the same on every machine."""

    def __init__(self, purpose: str) -> None:
        self._label = purpose.encode()
        self._blocks = self._at = 0
        self._data = b""

    def bits(self, count: int) -> int:
        """A number of so many random bits, which may begin with zeros."""
        size = (count + 7) // 8
        end = self._at + size
        while end > len(self._data):
            block = hashlib.shake_128(b"%b|%d" % (self._label, self._blocks)).digest(BLOCK << self._blocks)
            self._data, self._at, end = self._data[self._at :] + block, 0, size
            self._blocks += 1
        number = int.from_bytes(self._data[self._at : end], "little")
        self._at = end
        return number >> (8 * size - count)

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        count = limit.bit_length() + EXTRA  # what follows is `bits`, written out for speed
        size = (count + 7) // 8
        if (end := self._at + size) > len(self._data):
            return self.bits(count) % limit
        number = int.from_bytes(self._data[self._at : end], "little") >> (8 * size - count)
        self._at = end
        return number % limit

    def between(self, least: int, most: int) -> int:
        """A number from least to most."""
        return least + self.below(most - least + 1)

    def of_any_width(self, most: int) -> int:
        """A number from 0 to most, whose width is as random as its bits."""
        return self.between(0, most) >> self.below(most.bit_length() + 1)

    def pattern(self, most: int, width: int) -> int:
        """A number from 0 to most out of digits of 0, 1, all ones, all ones but one, or random.

        They have `width` bits, or 8 or more if these are fewer.
        """
        while width < 8:
            width *= 2
        full, count = (1 << width) - 1, -(-most.bit_length() // width)
        fields = gmpy2.unpack(gmpy2.mpz(self.bits(count * (width + 8))), width + 8)
        fields += [0] * (count - len(fields))
        value = int(gmpy2.pack([(0, 1, full, full ^ 1, field >> 8)[(field & 0xFF) % 5] for field in fields], width))
        return value if value <= most else value % (most + 1)


def first_in_range(c: int, m: int, low: int, high: int) -> int | None:
    """The smallest x >= 0 with low <= c*x mod m <= high, for 0 <= low <= high < m; None if no x qualifies.

    A step replaces (c, m) by (-m mod c, c), after c by m - c where that is smaller, as Euclid's algorithm does, and
    ends as soon as a multiple of c lies in the interval: after about log2 of m / (high - low + 1) steps.
    """
    descent: list[tuple[int, int, int]] = []
    c, m, low, high = gmpy2.mpz(c) % m, gmpy2.mpz(m), gmpy2.mpz(low), gmpy2.mpz(high)
    while low > 0:
        if 2 * c > m:
            c, low, high = m - c, m - high, m - low
        if c == 0:
            return None
        if (x := -(-low // c)) * c <= high:
            break
        descent.append((c, m, low))
        c, m, low, high = -m % c, c, low % c, high % c
    else:
        x = gmpy2.mpz(0)
    for c, m, low in reversed(descent):
        x = -(-(low + m * x) // c)
    return int(x)


def into_range(draw: Draw, c: int, m: int, low: int, high: int, least: int, most: int) -> int | None:
    """A random x from least to most with c*x mod m in low .. high, taken modulo m; None if no such x was found.

    The interval may begin below 0. If few such x exist, all of them may be missed.
    """
    if most < least or high < low:
        return None
    if high - low + 1 < m and (divisor := int(gmpy2.gcd(c, m))) > 1:
        c, m, low, high = c // divisor, m // divisor, -(-low // divisor), high // divisor
    width = high - low + 1
    if width <= 0:
        return None
    if width >= m:
        return draw.between(least, most)
    if width == 1 or m < NEAR * (most - least + 1):
        # Any number of the interval has its x, which is small enough in one of NEAR cases or more.
        inverse = int(gmpy2.invert(c, m))
        for _ in range(1 if width == 1 else NEAR):
            x = least + ((low + draw.below(width)) * inverse - least) % m
            if x <= most:
                return int(x + m * draw.below((most - x) // m + 1))
        if width == 1:
            return None
    room = most - least - 4 * (m // width)
    for start in (least + draw.below(room + 1) if room > 0 else least, least):
        begin = (low - c * start) % m
        more = 0 if begin + width > m else first_in_range(c, m, begin, begin + width - 1)
        if more is not None and start + more <= most:
            return start + more
    return None


def with_high_part(draw: Draw, low: int, bits: int, most: int) -> int:
    """A number up to most whose `bits` low bits are those of `low`, itself at most `most`."""
    return low + (draw.below((most - low >> bits) + 1) << bits)


def with_word(value: int, at: int, bits: int, word: int) -> int:
    """`value` with other `bits` bits from bit `at` on: the low ones of `word`."""
    mask = (1 << bits) - 1
    return value + ((word & mask) - (value >> at & mask) << at)
