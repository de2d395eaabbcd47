# SPDX-License-Identifier: Apache-2.0
"""Events that digit-serial Montgomery products share: quotient digits, the accumulator, operands, the result.

Two facts construct all of them. Digit i of the quotient is an interval of -a*b/p modulo beta^(i+1). After i digits s of
the scanned operand the accumulator is (x*s + Q*p)/beta^i, x being the other operand: x*s/beta^i modulo p, or p more
where x*s/beta^i is above that; and for odd s it is a constant plus s times the part of x above i digits.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, into_range, with_high_part
from limbtrace.refmodels.event import Index, Pair, Seen

Places = Callable[[Any], Iterable[Index]]

A, B = 0, 1
"""The operand that a model scans digit by digit."""
ATTEMPTS = 64
"""Draws of a constructor; only those that work out give a pair."""
LIKELY = 3
"""Drawn pairs to try before a constructed one, for events that random operands often cause."""


class Pass(NamedTuple):
    """The inputs of a pass, by the closed form."""

    before: int
    """The accumulator."""
    whole: int
    """The operand that is not scanned."""
    digit: int
    """The scanned digit."""
    q: int
    """The quotient digit."""

    @property
    def row(self) -> int:
        """The accumulator with the scanned digit's multiple of the other operand."""
        return self.before + self.whole * self.digit

    def sum_carry(self, bits: int) -> int:
        """The carry into bit `bits` of `row`, and above, from the bits below it in each of its terms."""
        low = (1 << bits) - 1
        return (self.before & low) + (self.whole & low) * self.digit >> bits

    def carry(self, bits: int, added: int) -> int:
        """As `sum_carry`, of the row and of q times the multiple of the modulus that is added, in one chain."""
        low = (1 << bits) - 1
        return (self.before & low) + (self.whole & low) * self.digit + self.q * (added & low) >> bits


ByPass = Callable[[Any, Pass, int], int]
"""(parameters, pass, j) -> what digit j of the row of a pass holds or is given, by the closed form."""


@dataclass(frozen=True)
class Accumulator:
    """The accumulator of a model, and the operand that it scans."""

    scanned: int
    """A or B."""
    source: str
    exponent: Callable[[Any, Index], int]
    """(parameters, subscripts) -> how many bits of the scanned operand have gone in, as many as were divided out."""
    signed: bool = False
    """True if these bits count as two's complement, so that the accumulator may be negative."""

    def split(self, p: Any, pair: Pair) -> tuple[int, int]:
        """(whole, scanned) of a pair (a, b), or of a pair of limits."""
        return (pair[1], pair[0]) if self.scanned == A else pair

    def value(self, p: Any, index: Index, a: int, b: int) -> int:
        """The accumulator there by the closed form, before any subtraction."""
        whole, scanned = self.split(p, (a, b))
        exponent = self.exponent(p, index)
        low = (1 << exponent) - 1
        scanned &= low
        if self.signed:
            scanned -= (scanned << 1) & (low + 1)
        total = whole * scanned
        return int((total + (total * p.negative_inverse & low) * p.added) >> exponent)

    def at_pass(self, p: Any, i: int, a: int, b: int) -> Pass:
        """Pass i, of a model that scans a digit a pass, without sign."""
        whole, scanned = self.split(p, (a, b))
        low, k = (1 << p.radix_bits * i) - 1, p.radix_bits
        total = whole * (scanned & low)
        before = (total + (total * p.negative_inverse & low) * p.added) >> k * i
        digit = scanned >> k * i & p.radix - 1
        return Pass(before, whole, digit, (before + whole * digit) * p.digit_inverse & p.radix - 1)

    def most(self, p: Any, index: Index) -> int:
        """A bound of the accumulator there: all digits that have gone in and all quotient digits are all ones."""
        whole, scanned = self.split(p, p.limits)
        below = (1 << self.exponent(p, index)) - 1
        return int((whole * min(scanned, below) + below * p.added) // (below + 1))

    def excluded(self, p: Any, index: Index, least: int) -> str | None:
        """The reason why the accumulator cannot be this large there; None if no reason is known."""
        most = self.most(p, index)
        return f"the accumulator is at most {most:#x} there" if least > most else None

    def ranges(self, p: Any, index: Index, low: int, high: int, draw: Draw, attempts: int = ATTEMPTS) -> Iterator[Pair]:
        """Pairs that ought to bring the accumulator into low .. high."""
        x_max, s_max = self.split(p, p.limits)
        exponent = self.exponent(p, index)
        s_most = min((1 << exponent) - 1, s_max)
        modulus, high = p.added, min(high, self.most(p, index))
        inverse = int(gmpy2.invert(1 << exponent, modulus))
        for _ in range(attempts):
            x = draw.of_any_width(x_max)
            yield from self._pair(p, x, into_range(draw, x * inverse, modulus, max(low, 0), min(high, modulus - 1),
                                                   0, s_most), exponent, draw)  # fmt: skip
            if high >= modulus:
                # Above p: x*s/beta^i has to be more than what is left beyond p, so both are seldom small.
                x = x_max - (draw.of_any_width(x_max) >> draw.below(2))
                least = s_most - (s_most >> draw.below(8))
                s = into_range(draw, x * inverse, modulus, max(low - modulus, 0), high - modulus, least, s_most)
                yield from self._pair(p, x, s, exponent, draw)
                if low <= modulus <= x_max:
                    yield from self._pair(p, modulus, draw.below(s_most + 1) | 1, exponent, draw)
                if low <= modulus <= s_most:
                    yield from self._pair(p, draw.between(1, x_max), modulus, exponent, draw)
            if low <= 0:
                yield from self._pair(p, 0, draw.below(s_most + 1), exponent, draw)
                yield from self._pair(p, draw.below(x_max + 1), 0, exponent, draw)

    def bits(self, p: Any, index: Index, low: int, high: int, bits: int, draw: Draw) -> Iterator[Pair]:
        """Pairs that ought to bring the `bits` low bits of the accumulator into low .. high.

        While few digits have gone in, by the part of the whole operand above them; later as `ranges`, with a random
        part above these bits. If none has gone in, there are no pairs.
        """
        x_max, s_max = self.split(p, p.limits)
        exponent = self.exponent(p, index)
        if exponent == 0:
            return
        least = 1 << exponent
        s_most = min(least - 1, s_max)
        for _ in range(ATTEMPTS):
            yield from self._exact(p, index, low, high, bits, draw)
            s, Q = draw.below(s_most + 1) | 1, draw.below(least)
            x = -Q * p.added * int(gmpy2.invert(s, least)) % least
            if x <= x_max and s <= s_most:
                rest = (x * s + Q * p.added) >> exponent
                above = into_range(draw, s, 1 << bits, low - rest, high - rest, 0, (x_max - x) >> exponent)
                if above is not None:
                    yield from self._pair(p, x + (above << exponent), s, exponent, draw)
            top = draw.below((x_max + p.added >> bits) + 1) << bits
            yield from self.ranges(p, index, top + low, top + high, draw, 1)

    def _exact(self, p: Any, index: Index, low: int, high: int, bits: int, draw: Draw) -> Iterator[Pair]:
        """One pair or none with the `bits` low bits of the accumulator in low .. high.

        All of the accumulator is drawn, and so is the scanned operand; their quotient modulo p is the whole operand.
        That gives the accumulator, or p more or less.
        """
        x_max, s_max = self.split(p, p.limits)
        exponent = self.exponent(p, index)
        s = draw.below(min((1 << exponent) - 1, s_max)) + 1 if exponent and s_max else 0
        if gmpy2.gcd(s, p.added) != 1:
            return
        value = (draw.below((5 * p.added >> bits + 2) + 1) << bits) + draw.between(low, high)
        x = (value << exponent) * int(gmpy2.invert(s, p.added)) % p.added
        if x <= x_max:
            yield from self._pair(p, x + p.added * draw.below((x_max - x) // p.added + 1), s, exponent, draw)

    def _pair(self, p: Any, x: int, s: int | None, exponent: int, draw: Draw) -> Iterator[Pair]:
        """The pair with a random part of the scanned operand above what has gone in."""
        x_max, s_max = self.split(p, p.limits)
        if s is None or s > s_max or x > x_max:
            return
        s = with_high_part(draw, s, exponent, s_max)
        yield (s, x) if self.scanned == A else (x, s)


def product_carry(p: Any, x: int, y: int, j: int) -> int:
    """The carry into digit j from the digits of x below j, multiplied by y."""
    return int((x & (1 << p.radix_bits * j) - 1) * y >> p.radix_bits * j)


def total_value(seen: Seen[Any], index: Index) -> Digit:
    """The result, of a model that does not subtract."""
    return seen.result
