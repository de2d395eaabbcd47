# SPDX-License-Identifier: Apache-2.0
"""Multipliers as hardware makes them, as terms: the right ones, and each with faults of one kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool

GOLDILOCKS = (1 << 64) - (1 << 32) + 1
MERSENNE = tuple((1 << n) - 1 for n in (13, 31, 61, 127, 521))
FULL = (65521, (1 << 32) - 5, GOLDILOCKS, (1 << 256) - 189)
"""Of as many bits as whole words have."""
UP_TO_64 = (0xEA7, 8380417, 2013265921, GOLDILOCKS)
"""For multipliers of which 256 bits take longer than the limit."""
PSEUDO_MERSENNE = tuple((1 << n) - c for n, c in ((16, 15), (32, 5), (64, 59), (255, 19), (256, (1 << 32) + 977)))


@dataclass
class Hardware:
    """The operands, and operations on terms of a pool as in Verilog: sizes are given, and sums wrap."""

    p: int
    pool: TermPool = field(default_factory=TermPool)

    def __post_init__(self) -> None:
        self.n = self.p.bit_length()
        self.a, self.b = (self.pool.variable(name, self.n, self.p - 1) for name in ("a0", "b0"))

    def word(self, value: int, width: int) -> BitTerm:
        return self.pool.constant(width, value)

    def wide(self, x: BitTerm, width: int) -> BitTerm:
        """x with zeros above, or its low bits."""
        return self.pool.extend(x, width)

    def mul(self, x: BitTerm, y: BitTerm) -> BitTerm:
        return self.pool.product(x, y)

    def add(self, x: BitTerm, y: BitTerm, width: int) -> BitTerm:
        return self.pool.add(self.wide(x, width), self.wide(y, width))

    def sub(self, x: BitTerm, y: BitTerm, width: int) -> BitTerm:
        return self.pool.sub(self.wide(x, width), self.wide(y, width))

    def over(self, x: BitTerm, bits: int) -> BitTerm:
        return self.pool.extract(x, x.width - 1, bits)

    def low(self, x: BitTerm, bits: int) -> BitTerm:
        return self.pool.extend(x, bits)

    def bit(self, x: BitTerm, place: int) -> BitTerm:
        return self.pool.extract(x, place, place)

    def below(self, x: BitTerm, y: BitTerm) -> BitTerm:
        width = max(x.width, y.width)
        return self.pool.bvult(self.wide(x, width), self.wide(y, width))

    def reduced(self, x: BitTerm, by: int, *, strict: bool = False, less: int | None = None) -> BitTerm:
        """x >= by ? x - by : x; `strict`: > for >=; `less`: what is subtracted in place of `by`."""
        k = self.word(by, x.width)
        stays = self.pool.bvnot(self.below(k, x)) if strict else self.below(x, k)
        return self.pool.ite(stays, x, self.sub(x, self.word(by if less is None else less, x.width), x.width))

    def borrowed(self, x: BitTerm, by: int) -> BitTerm:
        """x >= by ? x - by : x by the borrow of the subtraction."""
        less = self.sub(x, self.word(by, x.width + 1), x.width + 1)
        return self.pool.ite(self.bit(less, x.width), x, self.low(less, x.width))

    def expected(self, r: int = 0, times: int = 1) -> BitTerm:
        """times * a * b / 2^r mod p"""
        factor = times * pow(2, -r, self.p) % self.p
        t = self.pool.product(self.pool.product(self.a, self.b), self.word(factor, self.n))
        return self.wide(self.pool.bvurem(t, self.word(self.p, t.width)), self.n)


Faults = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Multiplier:
    """A multiplier of hardware and arguments, and the arguments that make it wrong."""

    make: Callable[..., BitTerm]
    faults: Faults
    r: Callable[[int], int] = lambda n: 0
    """Bits of the Montgomery factor."""
    moduli: tuple[int, ...] = ()
    """All moduli, if there are no others."""


def bit_serial(h: Hardware, *, strict: bool = False, rounds: int = 2, width: int = 2, less: int = 0, skip: int = -1,
               subtracted: bool = False, short: int = 0) -> BitTerm:  # fmt: skip
    """Double, add, subtract p up to twice, bit by bit."""
    result, size = h.word(0, h.n), h.n + width
    for place in reversed(range(short, h.n)):
        doubled = h.wide(h.pool.concat((result, h.word(0, 1))), size)
        term = h.pool.ite(h.bit(h.b, place), h.wide(h.a, size), h.word(0, size))
        total = h.add(doubled, term if place != skip else h.word(0, size), size)
        for number in range(rounds):
            if subtracted:
                total = h.borrowed(total, h.p)
            else:
                total = h.reduced(total, h.p, strict=strict and number == rounds - 1, less=h.p - less)
        result = h.low(total, h.n)
    return result


def barrett(h: Hardware, *, rounds: int = 2, shift: int = 0, mu: int = 0, modulus: int = 0, strict: bool = False,
            width: int = 2, cut: bool = False, plus: bool = False, offset: int = 0) -> BitTerm:  # fmt: skip
    """t - floor(t * mu / 2^k) * p, with corrections."""
    t, k = h.mul(h.a, h.b), 2 * h.n
    q = h.over(h.mul(t, h.word((1 << k) // h.p + mu, h.n + 1)), k + shift)
    size = h.n + width
    qp = h.mul(q, h.word(h.p + modulus, h.n + 1))
    if cut:  # low bits of both alone, as much hardware has it
        t, qp = h.low(t, size), h.low(qp, size)
    r = h.add(t, qp, 2 * h.n) if plus else h.sub(t, qp, 2 * h.n if not cut else size)
    r = h.low(r, size)
    if offset:
        r = h.add(r, h.word(offset, size), size)
    for _ in range(rounds):
        r = h.reduced(r, h.p, strict=strict)
    return h.low(r, h.n)


def classic_barrett(h: Hardware, *, rounds: int = 2, first: int = 0, second: int = 0) -> BitTerm:
    """floor(floor(t / 2^(n-1)) * mu / 2^(n+1)), and what is left in n + 2 bits (Menezes, 14.42)."""
    t, size = h.mul(h.a, h.b), h.n + 2
    mu = h.word((1 << 2 * h.n) // h.p, h.n + 1)
    q = h.over(h.mul(h.over(t, h.n - 1 + first), mu), h.n + 1 + second)
    r = h.sub(h.low(t, size), h.low(h.mul(q, h.word(h.p, h.n)), size), size)
    for _ in range(rounds):
        r = h.reduced(r, h.p)
    return h.low(r, h.n)


def remainder(h: Hardware, *, modulus: int = 0, dropped: bool = False, narrow: int = 0) -> BitTerm:
    """(a * b) % p"""
    t = h.mul(h.a, h.b)
    t = h.low(t, 2 * h.n - narrow)
    if dropped:
        t = h.pool.concat((h.over(t, 1), h.word(0, 1)))
    return h.low(h.pool.bvurem(t, h.word(h.p + modulus, t.width)), h.n)


def quotient(h: Hardware, *, less: int = 0) -> BitTerm:
    """t - t / p * p"""
    t = h.mul(h.a, h.b)
    q = h.pool.bvudiv(t, h.word(h.p, t.width))
    return h.low(h.sub(t, h.mul(q, h.word(h.p - less, h.n)), t.width), h.n)


def karatsuba(h: Hardware, *, carry: bool = True, sign: bool = False, rounds: int = 2, middle: int = 0) -> BitTerm:
    """The product of three products, then Barrett's reduction."""
    half = h.n // 2
    (a0, a1), (b0, b1) = ((h.low(x, half), h.over(x, half)) for x in (h.a, h.b))
    z0, z2, size = h.mul(a0, b0), h.mul(a1, b1), 2 * (h.n - half) + 2
    one, other = (h.add(x, y, h.n - half + (1 if carry else 0)) for x, y in ((a0, a1), (b0, b1)))
    inner = h.sub(h.wide(h.mul(one, other), size), z0, size)
    z1 = (h.add if sign else h.sub)(inner, z2, size)
    width = 2 * h.n
    shifted = h.pool.concat((z1, h.word(0, half + middle)))
    t = h.add(h.add(h.pool.concat((z2, h.word(0, 2 * half))), shifted, width), z0, width)
    q = h.over(h.mul(t, h.word((1 << width) // h.p, h.n + 1)), width)
    r = h.low(h.sub(t, h.mul(q, h.word(h.p, h.n)), width), h.n + 2)
    for _ in range(rounds):
        r = h.reduced(r, h.p)
    return h.low(r, h.n)


def montgomery(h: Hardware, *, strict: bool = False, corrected: bool = True, inverse: int = 0, modulus: int = 0,
               width: int = 1, shift: int = 0, dropped: bool = False, twice: bool = False) -> BitTerm:  # fmt: skip
    """(t + (t * p' mod R) * p) / R, and one subtraction."""
    t, size = h.mul(h.a, h.b), 2 * h.n + width
    constant = pow(-h.p, -1, 1 << h.n) ^ inverse
    m = h.low(h.mul(h.low(t, h.n), h.word(constant, h.n)), h.n)
    mp = h.mul(m, h.word(h.p + modulus, h.n + 1))
    u = h.add(t, h.word(0, 1) if dropped else mp, size)
    v = h.over(u, h.n + shift)
    if corrected:
        v = h.reduced(v, h.p, strict=strict, less=2 * h.p if twice else None)
    return h.low(v, h.n)


def wordwise(h: Hardware, *, word: int = 8, lazy: bool = False, missing: int = -1, inverse: int = 0,
             strict: bool = False, lost: bool = False) -> BitTerm:  # fmt: skip
    """Word by word of b; the last subtraction only if it is not lazy, of sums below 2p."""
    words = -(-h.n // word)
    t: BitTerm = h.word(0, 1)
    size = h.n + word + 2 - (3 if lost else 0)
    b = h.wide(h.b, words * word)
    constant = pow(-h.p, -1, 1 << word) ^ inverse
    for j in range(words):
        row = h.add(t, h.mul(h.a, h.pool.extract(b, (j + 1) * word - 1, j * word)), size)
        q = h.low(h.mul(h.low(row, word), h.word(constant, word)), word)
        qp = h.mul(q, h.word(h.p, h.n)) if j != missing else h.word(0, 1)
        t = h.over(h.add(row, qp, size), word)
    return h.low(t if lazy else h.reduced(t, h.p, strict=strict), h.n)


def r2mm(h: Hardware, *, corrected: bool = True, even: bool = False, width: int = 2, borrow: bool = False) -> BitTerm:
    """Bit by bit: (s + a_i * b + q * p) / 2."""
    s: BitTerm = h.word(0, h.n + 1)
    size = h.n + width
    for place in range(h.n):
        part = h.pool.ite(h.bit(h.a, place), h.b, h.word(0, h.n))
        total = h.add(s, part, size)
        q = h.bit(total, 0)
        if even:
            q = h.bit(s, 0)
        s = h.over(h.add(total, h.pool.ite(q, h.word(h.p, h.n), h.word(0, h.n)), size), 1)
    if not corrected:
        return h.low(s, h.n)
    return h.low(h.borrowed(s, h.p) if borrow else h.reduced(s, h.p), h.n)


def r2mm_by_choices(h: Hardware, *, corrected: bool = True, apart: bool = False, even: bool = False,
                    width: int = 2) -> BitTerm:  # fmt: skip
    """As `r2mm` with choices between sums: if (a_i) s = s + b; if (s[0]) s = s + p; then s / 2, or halves `apart`."""
    size = h.n + width
    s = h.word(0, size)
    for place in range(h.n):
        before = s
        s = h.pool.ite(h.bit(h.a, place), h.add(s, h.b, size), s)
        more, q = h.add(s, h.word(h.p, size), size), h.bit(before if even else s, 0)
        halves = [h.wide(h.over(each, 1), size) for each in (more, s)]
        s = h.pool.ite(q, *halves) if apart else h.wide(h.over(h.pool.ite(q, more, s), 1), size)
    return h.low(h.reduced(s, h.p) if corrected else s, h.n)


def right_to_left(h: Hardware, *, doubled: bool = True, strict: bool = False, skip: int = -1) -> BitTerm:
    """If (a_i) s = s + b modulo p; b = 2b modulo p; each sum is reduced before it is chosen."""
    s, b = h.word(0, h.n), h.b
    for place in range(h.n):
        total = h.low(h.reduced(h.add(s, b, h.n + 1), h.p, strict=strict), h.n)
        s = h.pool.ite(h.bit(h.a, place), total, s) if place != skip else s
        twice = h.add(b, b, h.n + 1)
        b = h.low(h.reduced(twice, h.p) if doubled else twice, h.n)
    return s


def restoring(h: Hardware, *, short: int = 0, strict: bool = False, less: int = 0) -> BitTerm:
    """The product, and its remainder bit by bit: p is subtracted where it can be."""
    t, left = h.mul(h.a, h.b), h.word(0, h.n)
    for place in reversed(range(short, 2 * h.n)):
        left = h.low(h.reduced(h.pool.concat((left, h.bit(t, place))), h.p, strict=strict, less=h.p - less), h.n)
    return left


def non_restoring(h: Hardware, *, restored: bool = True, flipped: int = -1, more: int = 0) -> BitTerm:
    """As `restoring`: p is added to a negative remainder, and subtracted from another one."""
    t, size = h.mul(h.a, h.b), h.n + 2
    left, p = h.word(0, size), h.word(h.p, size)
    for place in reversed(range(2 * h.n)):
        negative = h.bit(left, size - 1)
        doubled = h.pool.concat((h.low(left, size - 1), h.bit(t, place)))
        sums = [h.add(doubled, h.word(h.p + more, size), size), h.sub(doubled, p, size)]
        left = h.pool.ite(negative, *(sums if place != flipped else reversed(sums)))
    if restored:
        left = h.pool.ite(h.bit(left, size - 1), h.add(left, p, size), left)
    return h.low(left, h.n)


def radix_4(h: Hardware, *, cases: bool = False, inverse: int = 0, width: int = 4, tripled: bool = True) -> BitTerm:
    """Montgomery's product, two bits at a time, whose multiples of p are chosen by `cases` of the digit or by bits."""
    size, p_inverse = h.n + width, pow(-h.p, -1, 4) ^ inverse
    double = h.pool.concat((h.b, h.word(0, 1)))
    triple = h.add(h.b, double, size) if tripled else h.wide(double, size)
    a, s = h.wide(h.a, h.n + h.n % 2), h.word(0, size)
    for place in range(0, h.n, 2):
        one, two = (h.bit(a, place + number) for number in (0, 1))
        multiple = h.pool.ite(two, h.pool.ite(one, triple, h.wide(double, size)),
                              h.pool.ite(one, h.wide(h.b, size), h.word(0, size)))  # fmt: skip
        s = h.add(s, multiple, size)
        if cases:
            multiple, digit = h.word(0, size), h.low(s, 2)
            for value in (1, 2, 3):
                of_value = h.word(value * p_inverse % 4 * h.p, size)
                multiple = h.pool.ite(h.pool.equal(digit, h.word(value, 2)), of_value, multiple)
        else:
            q = h.low(h.mul(h.low(s, 2), h.word(p_inverse, 2)), 2)
            both = [h.pool.ite(h.bit(q, 0), h.word(x * h.p, size), h.word(y * h.p, size)) for x, y in ((3, 2), (1, 0))]
            multiple = h.pool.ite(h.bit(q, 1), *both)
        s = h.wide(h.over(h.add(s, multiple, size), 2), size)
    return h.low(h.reduced(s, h.p), h.n)


def booth(h: Hardware, *, negative: bool = True, swapped: bool = False, short: int = 0) -> BitTerm:
    """Multiples of b from -2 to 2, chosen by recoded digits of a; their sum modulo p."""
    size, pool = 2 * h.n + 3, h.pool
    a, b, total = pool.concat((h.word(0, 3), h.a, h.word(0, 1))), h.wide(h.b, size), h.word(0, size)
    for place in range(0, h.n + 1 - short, 2):
        low, middle, top = (h.bit(a, place + number) for number in range(3))
        one, both = pool.bvxor(low, middle), pool.bvand(low, middle)
        none = pool.bvand(pool.bvnot(low), pool.bvnot(middle))
        two = pool.bvor(pool.bvand(both, pool.bvnot(top)), pool.bvand(top, none))
        if swapped:
            one, two = two, one
        multiple = pool.ite(one, b, pool.ite(two, pool.concat((h.low(b, size - 1), h.word(0, 1))), h.word(0, size)))
        if negative:
            multiple = pool.ite(top, h.sub(h.word(0, size), multiple, size), multiple)
        shifted = pool.concat((h.low(multiple, size - place), h.word(0, place))) if place else multiple
        total = h.add(total, shifted, size)
    return h.low(pool.bvurem(h.low(total, 2 * h.n), h.word(h.p, 2 * h.n)), h.n)


def goldilocks(h: Hardware, *, borrow: bool = True, carry: bool = True, epsilon: int = 0, final: bool = True,
               swapped: bool = False) -> BitTerm:  # fmt: skip
    """2^64 = 2^32 - 1 and 2^96 = -1 modulo p, with the borrow and the carry corrected."""
    t = h.mul(h.a, h.b)
    low, middle, high = h.low(t, 64), h.pool.extract(t, 95, 64), h.pool.extract(t, 127, 96)
    if swapped:
        middle, high = high, middle
    e = h.word((1 << 32) - 1 + epsilon, 64)
    x = h.sub(low, high, 64)
    if borrow:
        x = h.pool.ite(h.below(low, high), h.sub(x, e, 64), x)
    y = h.mul(middle, h.word((1 << 32) - 1, 32))
    total = h.add(x, y, 65)
    z = h.low(total, 64)
    if carry:
        z = h.pool.ite(h.bit(total, 64), h.add(z, e, 64), z)
    return h.reduced(z, h.p) if final else z


def folded(h: Hardware, *, rounds: int = 2, offset: int = 0, last: int = 1, final: str = "reduced",
           lost: bool = False) -> BitTerm:  # fmt: skip
    """The part above 2^n times c = 2^n - p is added to the part below, twice; then at most one bit is left above."""
    c = h.word((1 << h.n) - h.p + offset, max((1 << h.n) - h.p, 1).bit_length())
    t = h.mul(h.a, h.b)
    for _ in range(rounds):
        width = max(h.n, t.width - h.n + c.width) + 1
        t = h.add(h.low(t, h.n), h.mul(h.over(t, h.n), c), min(width, t.width) if not lost else h.n)
    above = h.bit(t, h.n) if t.width > h.n else h.word(0, 1)
    if last:
        t = h.add(h.low(t, h.n), h.pool.ite(above, c, h.word(0, c.width)), h.n + 1)
    if final == "zero":  # p alone is left above p - 1
        return h.pool.ite(h.pool.equal(h.low(t, h.n), h.word(h.p, h.n)), h.word(0, h.n), h.low(t, h.n))
    if final == "apart":  # both choices cut to n bits on their own
        stays = h.below(t, h.word(h.p, t.width))
        return h.pool.ite(stays, h.low(t, h.n), h.low(h.sub(t, h.word(h.p, t.width), t.width), h.n))
    return h.low(h.reduced(t, h.p), h.n) if final == "reduced" else h.low(t, h.n)


def in_digits(h: Hardware, *, swapped: bool = False, missing: bool = False, less: int = 0) -> BitTerm:
    """Two bits of a at a time choose 0, b, 2b or 3b; then 4p, 2p and p are subtracted where they can be."""
    size = h.n + 3
    double = h.pool.concat([h.b, h.word(0, 1)])
    choices = [h.word(0, size), h.b, double, h.b if missing else h.add(h.b, double, h.n + 2)]
    if swapped:
        choices[1:3] = choices[2:0:-1]
    a, s = h.wide(h.a, h.n + h.n % 2), h.word(0, h.n)
    for place in reversed(range(0, h.n, 2)):
        digit, chosen = h.pool.extract(a, place + 1, place), h.wide(choices[3], size)
        for value in (2, 1, 0):
            chosen = h.pool.ite(h.pool.equal(digit, h.word(value, 2)), h.wide(choices[value], size), chosen)
        s = h.add(h.pool.concat([h.low(s, h.n), h.word(0, 2)]), chosen, size)
        for multiple in (4, 2, 1):
            s = h.reduced(s, multiple * h.p, less=multiple * h.p - less if multiple == 2 else None)
    return h.low(s, h.n)


def cios(h: Hardware, *, carries: bool = True, lost: bool = False, inverse: int = 0, final: bool = True,
         short: int = 0) -> BitTerm:  # fmt: skip
    """Word by word of both operands with a carry (Koc, Acar and Kaliski 1996), in as few words as the modulus has."""
    size = 4 if h.n <= 16 else 16 if h.n <= 64 else 64
    words = h.n // size
    p, a, b = h.word(h.p, h.n), h.a, h.b
    constant = h.word(pow(-h.p, -1, 1 << size) ^ inverse, size)
    t = [h.word(0, size) for _ in range(words + 2)]

    def word(x: BitTerm, number: int) -> BitTerm:
        return h.pool.extract(x, (number + 1) * size - 1, number * size)

    def row(x: BitTerm, by: BitTerm) -> BitTerm:
        carry = h.word(0, size)
        for j in range(words):
            total = h.add(h.add(h.mul(word(x, j), by), t[j], 2 * size), carry, 2 * size)
            t[j], carry = h.low(total, size), h.over(total, size)
        return carry

    for i in range(words - short):
        top = h.add(t[words], row(a, word(b, i)), size + 1)
        t[words], t[words + 1] = h.low(top, size), h.wide(h.bit(top, size), size) if carries else h.word(0, size)
        top = h.add(t[words], row(p, h.low(h.mul(t[0], constant), size)), size + 1)
        t[: words + 1] = [*t[1:words], h.low(top, size), h.add(t[words + 1], h.bit(top, size), size)]
        if lost:
            t[words] = h.word(0, size)
    total = h.pool.concat(reversed(t[: words + 1]))
    return h.low(h.reduced(total, h.p) if final else total, h.n)


def bit_serial_by_borrow(h: Hardware, **how: Any) -> BitTerm:
    return bit_serial(h, subtracted=True, **how)


def r2mm_by_borrow(h: Hardware, **how: Any) -> BitTerm:
    return r2mm(h, borrow=True, **how)


def r2mm_of_halves(h: Hardware, **how: Any) -> BitTerm:
    return r2mm_by_choices(h, apart=True, **how)


def radix_4_by_cases(h: Hardware, **how: Any) -> BitTerm:
    return radix_4(h, cases=True, **how)


BIT_BY_BIT = (bit_serial, bit_serial_by_borrow, r2mm, r2mm_by_borrow, r2mm_by_choices, r2mm_of_halves, right_to_left,
              restoring, non_restoring, radix_4, radix_4_by_cases, booth)  # fmt: skip
MULTIPLIERS = {
    "bit-serial": Multiplier(bit_serial, {
        "> for >=": {"strict": True}, "one subtraction": {"rounds": 1}, "too narrow": {"width": 1},
        "wrong modulus": {"less": 1}, "a bit skipped": {"skip": 3}, "lowest bit dropped": {"short": 1},
    }),
    "bit-serial by borrow": Multiplier(bit_serial_by_borrow, {
        "one subtraction": {"rounds": 1}, "too narrow": {"width": 1},
    }),
    "barrett": Multiplier(barrett, {
        "no correction": {"rounds": 0}, "> for >=": {"rounds": 1, "strict": True}, "shift + 1": {"shift": 1},
        "wrong mu": {"mu": -2}, "mu too large": {"mu": 1}, "wrong modulus": {"modulus": 2}, "sign": {"plus": True},
        "too narrow": {"width": 0}, "offset": {"offset": 1},
    }),
    "barrett of low bits": Multiplier(lambda h, **how: barrett(h, cut=True, **how), {
        "no correction": {"rounds": 0}, "wrong mu": {"mu": 1}, "shift - 1": {"shift": -1}, "too narrow": {"width": 0},
        "offset of p": {"rounds": 1, "offset": 1 << 3},
    }),
    "classic barrett": Multiplier(classic_barrett, {
        "no correction": {"rounds": 0}, "first shift": {"first": 1}, "second shift": {"second": 1},
    }),
    "remainder": Multiplier(remainder, {
        "wrong modulus": {"modulus": -2}, "bit dropped": {"dropped": True}, "too narrow": {"narrow": 1},
    }),
    "quotient": Multiplier(quotient, {"wrong modulus": {"less": 1}}),
    "karatsuba": Multiplier(karatsuba, {
        "carry lost": {"carry": False}, "sign": {"sign": True}, "shift": {"middle": 1}, "no correction": {"rounds": 0},
    }),
    "montgomery": Multiplier(montgomery, {
        "> for >=": {"strict": True}, "no correction": {"corrected": False}, "wrong inverse": {"inverse": 2},
        "wrong modulus": {"modulus": 2}, "carry lost": {"width": 0}, "shift": {"shift": 1},
        "term dropped": {"dropped": True}, "2p subtracted": {"twice": True},
    }, lambda n: n),
    "wordwise": Multiplier(wordwise, {
        "no correction": {"lazy": True}, "> for >=": {"strict": True}, "wrong inverse": {"inverse": 4},
        "q dropped": {"missing": 0}, "last q dropped": {"missing": 1}, "too narrow": {"lost": True},
    }, lambda n: -(-n // 8) * 8),
    "r2mm": Multiplier(r2mm, {
        "no correction": {"corrected": False}, "q of s alone": {"even": True}, "too narrow": {"width": 0},
    }, lambda n: n),
    "r2mm by borrow": Multiplier(r2mm_by_borrow, {"q of s alone": {"even": True}},
                                 lambda n: n),
    "r2mm by choices": Multiplier(r2mm_by_choices, {
        "no correction": {"corrected": False}, "q of s alone": {"even": True}, "too narrow": {"width": 0},
    }, lambda n: n, UP_TO_64),
    "r2mm of halves": Multiplier(r2mm_of_halves, {
        "no correction": {"corrected": False}, "q of s alone": {"even": True},
    }, lambda n: n, UP_TO_64),
    "right to left": Multiplier(right_to_left, {
        "b not reduced": {"doubled": False}, "> for >=": {"strict": True}, "a bit skipped": {"skip": 2},
    }, moduli=UP_TO_64),
    "restoring": Multiplier(restoring, {
        "last bit dropped": {"short": 1}, "> for >=": {"strict": True}, "wrong modulus": {"less": 1},
    }, moduli=UP_TO_64),
    "non-restoring": Multiplier(non_restoring, {
        "not restored": {"restored": False}, "sign": {"flipped": 5}, "wrong modulus": {"more": 1},
    }, moduli=UP_TO_64),
    "radix 4": Multiplier(radix_4, {
        "wrong inverse": {"inverse": 2}, "too narrow": {"width": 0}, "3b missing": {"tripled": False},
    }, lambda n: n + n % 2, UP_TO_64),
    "radix 4 by cases": Multiplier(radix_4_by_cases, {
        "wrong inverse": {"inverse": 2}, "too narrow": {"width": 0},
    }, lambda n: n + n % 2, UP_TO_64),
    "booth": Multiplier(booth, {
        "sign": {"negative": False}, "multiples swapped": {"swapped": True}, "last digit missing": {"short": 2},
    }),
    "goldilocks": Multiplier(goldilocks, {
        "borrow lost": {"borrow": False}, "carry lost": {"carry": False}, "wrong constant": {"epsilon": 1},
        "no correction": {"final": False}, "words swapped": {"swapped": True},
    }, moduli=(GOLDILOCKS,)),
    "folded": Multiplier(folded, {
        "one fold": {"rounds": 1}, "wrong constant": {"offset": 2}, "no correction": {"final": ""},
        "carry lost": {"lost": True}, "bit above lost": {"last": 0, "final": ""},
    }, moduli=PSEUDO_MERSENNE),
    "folded, cut apart": Multiplier(lambda h, **how: folded(h, final="apart", **how), {
        "one fold": {"rounds": 1}, "wrong constant": {"offset": 2},
    }, moduli=PSEUDO_MERSENNE),
    "mersenne": Multiplier(lambda h, **how: folded(h, **{"rounds": 1, "final": "zero", **how}), {
        "no correction": {"final": ""}, "no end-around carry": {"last": 0}, "wrong constant": {"offset": 1},
    }, moduli=MERSENNE),
    "in digits": Multiplier(in_digits, {
        "choices swapped": {"swapped": True}, "3b missing": {"missing": True}, "wrong modulus": {"less": 1},
    }),
    "cios": Multiplier(cios, {
        "carry word not kept": {"carries": False}, "top word lost": {"lost": True}, "wrong inverse": {"inverse": 2},
        "no correction": {"final": False}, "a word short": {"short": 1},
    }, lambda n: n, FULL),
}  # fmt: skip
"""By name."""
MODULI = {
    12: 0xEA7, 23: 8380417, 31: 2013265921, 64: GOLDILOCKS,
    256: 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF,
}  # fmt: skip
"""Moduli by their sizes."""


def moduli(multiplier: Multiplier, most: int = 256) -> Iterator[int]:
    """The moduli of a multiplier of at most so many bits."""
    return (p for p in multiplier.moduli or MODULI.values() if p.bit_length() <= most)
