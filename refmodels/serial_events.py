# SPDX-License-Identifier: Apache-2.0
"""Events that digit-serial Montgomery products share: quotient digits, the accumulator, operands, the result.

Two facts construct all of them. Digit i of the quotient is an interval of -a*b/p modulo beta^(i+1). After i digits s of
the scanned operand the accumulator is (x*s + Q*p)/beta^i, x being the other operand: x*s/beta^i modulo p, or p more
where x*s/beta^i is above that; and for odd s it is a constant plus s times the part of x above i digits.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, into_range, with_high_part, with_word
from limbtrace.refmodels.event import Event, Index, Pair, Seen, never
from limbtrace.refmodels.montgomery import DigitSerial, Montgomery

Places = Callable[[Any], Iterable[Index]]

A, B = 0, 1
"""Which operand a model scans digit by digit."""
ATTEMPTS = 64
"""Draws of a constructor; only those that work out give a pair."""
LIKELY = 3
"""Drawn pairs that are tried before a constructed one, where they often do."""


@lru_cache
def digit_values(k: int) -> Mapping[str, int]:
    """Extreme digits of k bits by their names, each value once."""
    top = 1 << (k - 1)
    named = {"=0": 0, "=max": (1 << k) - 1, "=2^(k-1)-1": top - 1, "=2^(k-1)": top, "=2^(k-1)+1": top + 1}
    values: dict[str, int] = {}
    for name, value in named.items():
        if value < 1 << k and value not in values.values():
            values[name] = value
    return values


_DIGITS = {"=0": "0", "=max": "all ones", "=2^(k-1)-1": "all ones but for its top bit", "=2^(k-1)": "its top bit alone",
           "=2^(k-1)+1": "its top bit and its low one"}  # fmt: skip


def where_valid(condition: str, places: Places) -> Places:
    """The places of an event about a digit, none where digits of so many bits have no such value."""
    return lambda params: places(params) if condition in digit_values(params.radix_bits) else ()


def quotient_events(
    step: str, source: str, places: Places, digit: Callable[[Any, Index], int] = lambda params, index: index[0]
) -> tuple[Event[Any], ...]:
    """Extreme quotient digits at each place; `digit` says which digit of Q it is, below 0 where it is none."""

    def event(condition: str, words: str) -> Event[DigitSerial]:
        def value(p: DigitSerial) -> int:
            return digit_values(p.radix_bits)[condition]

        def happens(seen: Seen[DigitSerial], index: Index) -> Digit:
            return seen.at(step, *index) == value(seen.params)

        def closed(p: DigitSerial, index: Index, a: int, b: int) -> bool:
            i = digit(p, index)
            Q = a * b * p.negative_inverse
            return (Q >> p.radix_bits * i & p.radix - 1 if i >= 0 else 0) == value(p)

        def construct(p: DigitSerial, index: Index, draw: Draw) -> Iterator[Pair]:
            i = digit(p, index)
            for _ in range(ATTEMPTS if i >= 0 else 0):
                yield from quotient_digit(p, i, value(p), draw)

        def reachable(p: DigitSerial, index: Index) -> str | None:
            excluded = digit(p, index) < 0 and value(p) != 0
            return "the first quotient digit is 0, since nothing was added before it" if excluded else None

        return Event(
            step, condition, f"the quotient digit is {words}",
            "a quotient digit that is cut, or a multiple of the modulus that is wrong for extreme digits", source,
            where_valid(condition, places), happens, construct, reachable, closed,
        )  # fmt: skip

    return tuple(event(condition, words) for condition, words in _DIGITS.items())


def quotient_digit(p: Montgomery, i: int, value: int, draw: Draw) -> Iterator[Pair]:
    """One pair or none: digit i of Q is `value`."""
    k = getattr(p, "radix_bits", None) or p.r_bits
    a_max, b_max = p.limits
    a = draw.between(min(1, a_max), a_max)
    m = 1 << k * (i + 1)
    b = into_range(draw, a * p.negative_inverse % m, m, value << k * i, (value + 1 << k * i) - 1, 0, b_max)
    if b is not None:
        yield a, b


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
    """How a model keeps its accumulator, and which operand it scans."""

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
        """Why the accumulator cannot be so much there; None where it is not known that it cannot."""
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


def word_events(
    step: str,
    accumulator: Accumulator,
    places: Places,
    word: Callable[[Any, Index], int] = lambda params, index: index[-1],
    width: Callable[[Any], int] = lambda params: int(params.radix_bits),
    read: Callable[[Seen[Any], Index], Digit] | None = None,
) -> tuple[Event[Any], ...]:
    """A word of the accumulator that is 0 or all ones; `word` says which one, of `width` bits, the subscripts mean.

    `read` gives it where it is no step.
    """
    seen_word = read or (lambda seen, index: seen.at(step, *index))

    def event(condition: str, words: str, ones: int) -> Event[Any]:
        def value(p: Any) -> int:
            return ones * ((1 << width(p)) - 1)

        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            w, low = width(p), width(p) * word(p, index)
            yield from accumulator.bits(p, index, value(p) << low, (value(p) + 1 << low) - 1, low + w, draw)

        return Event(
            step, condition, f"a word of the accumulator is {words}",
            "a carry that is lost or made in a word of zeros or of ones", accumulator.source, places,
            lambda seen, index: seen_word(seen, index) == value(seen.params), construct,
            never if accumulator.signed else lambda p, index: accumulator.excluded(
                p, index, value(p) << width(p) * word(p, index)),
            lambda p, index, a, b: accumulator.value(p, index, a, b) >> width(p) * word(p, index)
            & (1 << width(p)) - 1 == value(p),
        )  # fmt: skip

    return event("=0", "0", 0), event("=max", "all ones", 1)


def run_events(
    symbol: str,
    accumulator: Accumulator,
    places: Places,
    digit: Callable[[Seen[Any], int, int], Digit],
    carry: Callable[[Seen[Any], int, int], Digit],
    after: Callable[[int], Index] = lambda i: (i + 1,),
    width: Callable[[Any], int] = lambda params: int(params.radix_bits),
    closed: ByPass | None = None,
) -> tuple[Event[Any], ...]:
    """Runs of `L` low digits of the accumulator that are all 0 or all ones; subscripts are (pass from 0 on, L).

    Digits of 0 with a carry into the one above them are what a carry leaves that rippled through all of them; digits of
    ones are what one more carry would ripple through. `digit` and `carry` read digit L of the next accumulator, and
    the carry into it, from (product, pass, L); `after` gives the subscripts of the accumulator behind a pass.
    `closed` is the closed form of the carry into digit L.
    """

    def event(condition: str, words: str, ones: int) -> Event[Any]:
        def wanted(p: Any, L: int) -> int:
            return ones * ((1 << width(p) * L) - 1)

        def happens(seen: Seen[Any], index: Index) -> Digit:
            i, L = index
            found = (carry(seen, i, L) >= 1) | (ones == 1)
            for j in range(L):
                found = found & (digit(seen, i, j) == wanted(seen.params, 1))
            return found

        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            i, L = index
            value = wanted(p, L)
            yield from accumulator.bits(p, after(i), value, value, width(p) * L, draw)

        def reachable(p: Any, index: Index) -> str | None:
            i, L = index
            return accumulator.excluded(p, after(i), (1 << width(p) * L) - ones)

        def judged(p: Any, index: Index, a: int, b: int) -> bool:
            i, L = index
            total, value = accumulator.value(p, after(i), a, b), wanted(p, L)
            if total & (1 << width(p) * L) - 1 != value:
                return False
            return ones == 1 or closed is None or closed(p, accumulator.at_pass(p, i, a, b), L) >= 1

        return Event(
            symbol, condition, f"the L low digits that a pass leaves are {words}",
            "a carry chain that is cut, or a carry that is dropped in a word of ones", accumulator.source, places,
            happens, construct, reachable, judged if ones or closed is not None else None,
        )  # fmt: skip

    return event("=0", "0, and a carry goes in above them", 0), event("=max", "all ones", 1)


def range_event(
    symbol: str,
    condition: str,
    statement: str,
    hunts: str,
    accumulator: Accumulator,
    places: Places,
    bounds: Callable[[Any], tuple[int, int]],
    value: Callable[[Seen[Any], Index], Digit],
) -> Event[Any]:
    """The accumulator is between two bounds, inclusive; `value` reads it."""

    def happens(seen: Seen[Any], index: Index) -> Digit:
        low, high = bounds(seen.params)
        found = value(seen, index)
        return (found >= low) & (found <= high)

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        yield from accumulator.ranges(p, index, *bounds(p), draw)

    def reachable(p: Any, index: Index) -> str | None:
        low, high = bounds(p)
        if low > high:
            return "no number is in this range at these parameters"
        if low == high == p.added > max(p.limits) and gmpy2.is_prime(p.added):
            return "the modulus is prime and divides no product of smaller operands but 0"
        return accumulator.excluded(p, index, low)

    def closed(p: Any, index: Index, a: int, b: int) -> bool:
        low, high = bounds(p)
        return low <= accumulator.value(p, index, a, b) <= high

    return Event(symbol, condition, statement, hunts, accumulator.source, places, happens, construct, reachable, closed)


_SUBTRACTION = "a comparison with the modulus that is off by one, or a top word that is left out of it"


def around_modulus(
    symbol: str,
    accumulator: Accumulator,
    places: Places,
    value: Callable[[Seen[Any], Index], Digit],
    p: str = "p",
) -> tuple[Event[Any], ...]:
    """The accumulator is p or next to it, 0, 1, or anything below 2p or beyond that; `p` is what is added."""
    bounds: dict[str, Callable[[Any], tuple[int, int]]] = {
        "=0": lambda params: (0, 0),
        "=1": lambda params: (1, 1),
        f"={p}-1": lambda params: (params.added - 1,) * 2,
        f"={p}": lambda params: (params.added,) * 2,
        f"={p}+1": lambda params: (params.added + 1,) * 2,
        f">{p}": lambda params: (params.added + 1, 4 * params.added),
        f">=2{p}": lambda params: (2 * params.added, 8 * params.added),
    }
    return tuple(
        range_event(
            symbol, name, f"{symbol} is {name.removeprefix('=')}", _SUBTRACTION, accumulator, places, limits, value
        )
        for name, limits in bounds.items()
    )


def operand_events(
    source: str, modulus: str = "p", digits: bool = True, added: str = "", unary: bool = False
) -> tuple[Event[Any], ...]:
    """Either operand is 0, 1, the modulus or next to it, or as large as it may be; a digit of it is extreme.

    `added` is the name of the multiple of the modulus that is added, where it is not the modulus.
    """
    values: dict[str, Callable[[Any, int], int]] = {
        "=0": lambda p, limit: 0,
        "=1": lambda p, limit: 1,
        f"={modulus}-1": lambda p, limit: p.modulus - 1,
        f"={modulus}": lambda p, limit: p.modulus,
        f"={modulus}+1": lambda p, limit: p.modulus + 1,
        "=max": lambda p, limit: limit,
    }
    if added:
        values |= {
            f"={added}-1": lambda p, limit: p.added - 1,
            f"={added}": lambda p, limit: p.added,
            f"={added}+1": lambda p, limit: p.added + 1,
        }
    operands = (A,) if unary else (A, B)
    events = [_operand(source, which, name, value) for name, value in values.items() for which in operands]
    return (*events, *(operand_digit_events(source, operands) if digits else ()))


def operand_digit_events(source: str, operands: tuple[int, ...] = (A, B)) -> tuple[Event[Any], ...]:
    """A digit of an operand is extreme, for each digit that an operand can have."""
    return tuple(_operand_digit(source, which, name, words) for name, words in _DIGITS.items() for which in operands)


def _operand(source: str, which: int, condition: str, value: Callable[[Any, int], int]) -> Event[Any]:
    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        for _ in range(ATTEMPTS):
            pair = [draw.below(limit + 1) for limit in p.limits]
            pair[which] = value(p, p.limits[which])
            yield pair[A], pair[B]

    def reachable(p: Any, index: Index) -> str | None:
        limit = p.limits[which]
        return f"the operand is at most {limit:#x}" if value(p, limit) > limit else None

    def happens(seen: Seen[Any], index: Index) -> Digit:
        return (seen.a, seen.b)[which] == value(seen.params, seen.params.limits[which])

    name = "ab"[which]
    return Event(
        name, condition, f"{name} is {condition.removeprefix('=').replace('max', 'as large as it may be')}",
        "an operand that is taken for reduced, or a special case that is none", source, lambda params: ((),),
        happens, construct, reachable, lambda p, index, a, b: (a, b)[which] == value(p, p.limits[which]),
    )  # fmt: skip


def _operand_digit(source: str, which: int, condition: str, words: str) -> Event[Any]:
    name = f"{'ab'[which]}.digit"

    def value(p: Any) -> int:
        return digit_values(p.radix_bits)[condition]

    def places(p: Any) -> Iterable[Index]:
        return ((j,) for j in range(-(-p.limits[which].bit_length() // p.radix_bits)))

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        shift = p.radix_bits * index[0]
        for _ in range(ATTEMPTS):
            pair = [draw.below(limit + 1) for limit in p.limits]
            pair[which] += (value(p) - (pair[which] >> shift) % p.radix) << shift
            yield pair[A], pair[B]

    def reachable(p: Any, index: Index) -> str | None:
        limit, least = p.limits[which], value(p) << p.radix_bits * index[0]
        return f"the operand is at most {limit:#x}" if least > limit else None

    return Event(
        name, condition, f"a digit of {'ab'[which]} is {words}",
        "a product of digits that is wrong for extreme ones", source,
        where_valid(condition, places),
        lambda seen, index: ((seen.a, seen.b)[which] >> seen.params.radix_bits * index[0]) % seen.params.radix
        == value(seen.params),
        construct, reachable,
        lambda p, index, a, b: ((a, b)[which] >> p.radix_bits * index[0]) % p.radix == value(p),
    )  # fmt: skip


def carry_event(
    step: str,
    condition: str,
    statement: str,
    hunts: str,
    accumulator: Accumulator,
    places: Places,
    least: Callable[[Any, Index], int],
    most: Callable[[Any, Index], int],
    carry: ByPass,
) -> Event[Any]:
    """A carry into digit j of pass i, subscripts (i, j), is at least `least`.

    Up to about half of what is possible, drawn operands are tried first. After that, one operand is all ones below
    digit j, so is the scanned digit of the other one, and the quotient digit is large. `most` bounds the carry from
    above at given parameters: where that is less, the event is excluded. `carry` is its closed form.
    """

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        (i, j), (a_max, b_max) = index, p.limits
        often = 2 * least(p, index) <= most(p, index) + 2
        for _ in range(ATTEMPTS):
            for _ in range(LIKELY if often else 0):
                yield draw.below(a_max + 1), draw.below(b_max + 1)
            yield from full_row(p, accumulator, i, j, draw)

    def reachable(p: Any, index: Index) -> str | None:
        bound = most(p, index)
        if bound >= least(p, index):
            return None
        return f"the digits of the modulus and of the operands below it carry at most {bound:#x}"

    return Event(
        step, condition, statement, hunts, accumulator.source, places,
        lambda seen, index: seen.at(step, *index) >= least(seen.params, index), construct, reachable,
        lambda p, index, a, b: carry(p, accumulator.at_pass(p, index[0], a, b), index[1]) >= least(p, index),
    )  # fmt: skip


def full_row(p: DigitSerial, accumulator: Accumulator, i: int, j: int, draw: Draw) -> Iterator[Pair]:
    """One pair or none, with which the carry into digit j of pass i is large.

    Digit i of the scanned operand is all ones, and the j low digits of the other operand are all ones or nearly. Either
    the quotient digit is large, too, and the part of the other operand above its j digits makes the accumulator's j low
    digits large; or, late enough, the scanned digits below make these large.
    """
    x_max, s_max = accumulator.split(p, p.limits)
    k, ones, at, top = p.radix_bits, p.radix - 1, p.radix_bits * i, 1 << p.radix_bits * j
    low = min(top - 1, x_max)
    low -= draw.of_any_width(min(low, max(top >> k, 2) - 2)) * draw.below(2)
    x = with_high_part(draw, low, k * j, x_max)
    y, s_most = min(ones, s_max >> at), min(1 << at, s_max + 1) - 1
    s: int | None = 0
    width = max(top >> draw.below(2 * k + 1), 1)
    if i == 0:
        if y & 1:
            q = ones - draw.of_any_width(min(ones, 3))
            x = min((x | ones) - ones + (-q * (p.added & ones) * int(gmpy2.invert(y, p.radix)) & ones), x_max)
    elif k * (i + j) > p.added.bit_length() + k and draw.below(2):
        above = draw.below((p.added >> k * j) + 1) << k * j
        s = into_range(draw, x * int(gmpy2.invert(1 << at, p.added)), p.added, above + top - width, above + top - 1,
                       0, s_most)  # fmt: skip
    else:
        m = 1 << at + k
        q = ones - draw.of_any_width(min(ones, 3)) * draw.below(2)
        start = x * y * p.negative_inverse << at
        s = into_range(draw, x * p.negative_inverse % m, m, (q << at) - start, (q + 1 << at) - 1 - start, 0, s_most)
        if s and j > i:
            # Neither the quotient digits nor the digits of A below j - i depend on what x has above digit j.
            total = low * s
            before = (total + (total * p.negative_inverse & (1 << at) - 1) * p.added) >> at
            more = into_range(
                draw, s << k * (j - i), top, top - width - before, top - 1 - before, 0, x_max - low >> k * j
            )
            x = x if more is None else low + (more << k * j)
    if s is not None and s + (y << at) <= s_max:
        s = with_high_part(draw, s + (y << at), at + k, s_max)
        yield (s, x) if accumulator.scanned == A else (x, s)


def drawn(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands of any width or out of extreme digits: for what is not known how to construct."""
    a_max, b_max = p.limits
    width = p.radix_bits or 8
    for _ in range(ATTEMPTS):
        yield draw.pattern(a_max, width), draw.pattern(b_max, width)
        yield draw.between(0, a_max), draw.between(0, b_max)
        yield draw.of_any_width(a_max), draw.of_any_width(b_max)


def step_event(
    step: str,
    condition: str,
    statement: str,
    hunts: str,
    source: str,
    places: Places,
    happens: Callable[[Digit, Any, Index], Digit],
    construct: Callable[[Any, Index, Draw], Iterator[Pair]] = drawn,
    reachable: Callable[[Any, Index], str | None] = never,
    closed: Callable[[Any, Index, int, int], int] | None = None,
) -> Event[Any]:
    """An event about the value of one step, which `happens` judges, given (value, parameters, subscripts).

    `closed` is the value in closed form.
    """
    return Event(
        step, condition, statement, hunts, source, places,
        lambda seen, index: happens(seen.at(step, *index), seen.params, index), construct, reachable,
        None if closed is None else lambda p, index, a, b: bool(happens(closed(p, index, a, b), p, index)),
        construct is drawn,
    )  # fmt: skip


def ones_event(
    symbol: str,
    statement: str,
    accumulator: Accumulator,
    places: Places,
    word: Callable[[Seen[Any], Index], Digit],
    carry: Callable[[Seen[Any], Index], Digit],
    beside: Callable[[Any, int, int, int, int], int],
    closed: tuple[ByPass, ByPass],
) -> Event[Any]:
    """A carry goes into a word that is all ones before it; subscripts are (pass, word).

    `word` and `carry` read both, and `closed` has the closed forms of both. `beside` says what the word holds besides
    the product of digits j, given (parameters, the operand that is not scanned, the scanned digit, the quotient digit,
    j): the digits scanned before are 0, and digit j of the other operand is chosen last.
    """

    def happens(seen: Seen[Any], index: Index) -> Digit:
        ones = seen.params.radix - 1
        return (word(seen, index) & ones == ones) & (carry(seen, index) >= 1)

    def judged(p: Any, index: Index, a: int, b: int) -> bool:
        i, j = index
        at, ones = accumulator.at_pass(p, i, a, b), p.radix - 1
        return closed[0](p, at, j) & ones == ones and closed[1](p, at, j) >= 1

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        i, j = index
        k, ones = p.radix_bits, p.radix - 1
        x_max, s_max = accumulator.split(p, p.limits)
        for _ in range(ATTEMPTS):
            x = draw.below(x_max + 1)
            y = (draw.below(min(ones, s_max >> k * i) + 1)) | 1
            if y << k * i > s_max:
                return
            q = (x & ones) * y * p.digit_inverse & ones
            digit = (-1 - beside(p, x, y, q, j)) * int(gmpy2.invert(y, p.radix)) & ones
            x += (digit - (x >> k * j & ones)) << k * j
            if x <= x_max:
                s = with_high_part(draw, y << k * i, k * (i + 1), s_max)
                yield (s, x) if accumulator.scanned == A else (x, s)

    return Event(
        symbol, "=ones", statement, "a carry that is dropped in a word of ones", accumulator.source, places, happens,
        construct, closed=judged,
    )  # fmt: skip


def ripple_event(
    symbol: str,
    accumulator: Accumulator,
    places: Places,
    parts: Callable[[Seen[Any], Index], tuple[Digit, Digit]],
) -> Event[Any]:
    """A word of the accumulator carries through all of the high half of a product of digits; subscripts (pass, word).

    The product is the top bit of a digit times all ones, whose high half is all ones below its top bit. `parts` reads
    (word of the accumulator, that word and the product).
    """

    def half(p: Any) -> int:
        return int(p.radix // 2)

    def happens(seen: Seen[Any], index: Index) -> Digit:
        word, total = parts(seen, index)
        p = seen.params
        return (total == word + half(p) * (p.radix - 1)) & (word >= half(p))

    def closed(p: Any, index: Index, a: int, b: int) -> bool:
        at, shift = accumulator.at_pass(p, index[0], a, b), p.radix_bits * index[1]
        product = (at.whole >> shift & p.radix - 1) * at.digit
        return bool(product == half(p) * (p.radix - 1) and at.before >> shift & p.radix - 1 >= half(p))

    def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
        i, j = index
        k, ones = p.radix_bits, p.radix - 1
        x_max, s_max = accumulator.split(p, p.limits)
        for _ in range(ATTEMPTS):
            x, s = draw.below(x_max + 1), draw.below(s_max + 1)
            word, digit = (half(p), ones) if draw.below(2) else (ones, half(p))
            x, s = with_word(x, k * j, k, word), with_word(s, k * i, k, digit)
            if closed(p, index, *((s, x) if accumulator.scanned == A else (x, s))):
                yield (s, x) if accumulator.scanned == A else (x, s)

    def reachable(p: Any, index: Index) -> str | None:
        """Neither factor is less than half the radix, since the other one is less than the radix."""
        for limit, at in zip(accumulator.split(p, p.limits), reversed(index), strict=True):
            if limit >> p.radix_bits * at < half(p):
                return f"a digit of an operand is at most {limit >> p.radix_bits * at:#x} there"
        return None

    return Event(
        symbol, "=ripple", "a word of the accumulator carries through the high half of a product",
        "a carry chain of a sum that is cut in its high half", accumulator.source, places, happens, construct,
        reachable, closed,
    )  # fmt: skip


def product_carry(p: Any, x: int, y: int, j: int) -> int:
    """The carry into digit j from the digits of x below j, multiplied by y."""
    return int((x & (1 << p.radix_bits * j) - 1) * y >> p.radix_bits * j)


def total_value(seen: Seen[Any], index: Index) -> Digit:
    """The result, of a model that does not subtract."""
    return seen.result
