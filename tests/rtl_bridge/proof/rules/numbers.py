# SPDX-License-Identifier: Apache-2.0
"""Operands for the rules of numbers: sums, products, quotients, and bounds that are known from elsewhere."""

from collections.abc import Callable, Iterator

from limbtrace.rtl_bridge.proof.bitvector import BitTerm
from tests.rtl_bridge.proof.rules.bits import cuts_of
from tests.rtl_bridge.proof.rules.operands import Operands


def cut_above_a_sum(o: Operands) -> Iterator[BitTerm]:
    """The high bits of sums beside the low ones, which take fewer terms."""
    p, w = o.pool, o.w
    for high in (p.extend(o.y, w + 1), p.bvnot(p.extend(o.y, w + 1))):
        for plus in (0, 1, 3):
            whole = p.sum({o.x: 1, o.b: 1, high: 1 << w}, plus, 2 * w + 1)
            for end in range(1, whole.width):
                low, above = p.extract(whole, end - 1, 0), p.extract(whole, whole.width - 1, end)
                yield p.concat((above, low))
                yield p.concat((p.extract(whole, whole.width - 1, min(end + 1, whole.width - 1)), low))


def extend_sum(o: Operands) -> Iterator[BitTerm]:
    """Differences with a sign that have room for it, or have not."""
    p, w = o.pool, o.w
    x, y = (p.extend(term, w + 1) for term in (o.x, o.y))
    for plus in o.values:
        for terms in ({o.x: 1, o.y: -1}, {o.x: 1}, {o.x: -1}, {o.x: -1, o.b: -1}, {o.x: 2, o.y: -1}):
            for width in (w, w + 1, w + 2):
                for sign in (1, -1):
                    yield p.extend(p.sum(terms, sign * plus, width), w + 4, signed=True)
    yield p.extend(p.sub(x, y), w + 3, signed=True)


def extend_cut_sum(o: Operands) -> Iterator[BitTerm]:
    """Low bits of differences, and others of their bits, of which the top one is a sign or is not."""
    p, w = o.pool, o.w
    for terms in ({o.x: 1, o.y: -1}, {o.x: -1}, {o.x: -1, o.b: -1}, {o.x: 2, o.y: -1}):
        for plus in (*o.values, *(-value for value in o.values)):
            total = p.sum(terms, plus, w + 3)
            for low, width in ((0, w), (0, w + 1), (0, w + 2), (1, w + 1)):
                yield p.extend(p.extract(total, low + width - 1, low), w + 5, signed=True)


def extend_even(o: Operands) -> Iterator[BitTerm]:
    """Multiples of two and four with a sign."""
    p, w = o.pool, o.w
    for count in (1, 2):
        for x in (*o.kinds, p.sub(o.x, o.y), p.sum({o.x: -1}, 0, w + 1), p.concat((o.x, o.b))):
            yield p.extend(p.concat((x, o.zeros(count))), x.width + count + 3, signed=True)


def additions(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    for x in o.kinds:
        for y in (o.x, o.y, o.n(1), p.sub(o.y, o.z), p.concat([o.c] * o.w)):
            yield from (p.add(x, y), p.sub(x, y), p.sub(y, x))
    parts = p.concat((o.x, p.sum({o.y: 1, o.b: 1}, 0, o.w + 1)))
    yield p.add(parts, p.extend(o.y, parts.width))
    yield p.sub(p.extend(o.y, parts.width), parts)
    for below in (o.z, o.zeros(1), p.concat((o.b, o.zeros(1)))):  # beside a sum that wraps
        mixed = p.concat((p.sum({o.x: 1, o.y: -3}, 1, o.w), below))
        for other in (p.extend(o.z, mixed.width), p.extend(o.z, mixed.width + 1)):
            yield p.sub(other, p.extend(mixed, other.width))
            yield p.add(p.extend(mixed, other.width, signed=True), other)
    for value in o.values:
        mixed = p.concat((o.n(value), o.x, o.n(value), o.y))
        yield p.add(mixed, p.extend(o.z, mixed.width))
        yield p.sub(p.extend(o.z, mixed.width), mixed)


def sums(o: Operands) -> Iterator[BitTerm]:
    p, w = o.pool, o.w
    for width in range(1, w + 3):
        yield p.sum({}, 5, width)
        yield p.sum({o.x: 1 << width}, 3, width)
        yield p.sum({o.x: 1}, 0, width)
        for factors in ((1, 1, 0), (1, -1, 2), (3, 2, -1), (-3, 5, 0), (2, 4, 6), (1, 2, -2)):
            for plus in (0, 1, (1 << width) - 1, 1 << width >> 1):
                terms = dict(zip((o.x, o.y, o.upto(o.full >> 1)), factors, strict=True))
                yield p.sum(terms, plus, width)
    for shift in (1, 2):  # terms that end in zeros
        for plus in (0, 1, 2, 4):
            yield p.sum({o.above(o.x, shift): 1, o.above(o.y, shift): -1}, plus, w + 2)
            yield p.sum({o.above(o.x, shift): 1, o.above(o.y, 1): 2}, plus, w + 4)


def sum_exact(o: Operands) -> Iterator[BitTerm]:
    """Sums that do not wrap, also because a constant is added."""
    p, w = o.pool, o.w
    for plus in o.values:
        yield p.sum({o.x: 1, o.y: 1}, plus, w + 2)
        yield p.sum({o.x: 1, o.y: -1}, o.full + plus, w + 2)
        yield p.sum({o.x: -1}, plus, w + 1)
        yield p.sum({o.x: -1, o.b: -1}, plus, w + 1)
        yield p.sum({o.upto(plus): 3, o.b: 1}, 1, w + 2)


def adders(o: Operands) -> Iterator[BitTerm]:
    """Parity and carries, of two and three words, shifted against each other, and what is none."""
    p, w, x, y, z = o.pool, o.w, o.x, o.y, o.z
    v = p.extract(o.wide, w - 1, 0)
    two, three = p.bvxor(x, y), p.bvxor(p.bvxor(x, y), z)
    carries = {
        p.bvand(x, y): two,
        p.bvor(p.bvor(p.bvand(x, y), p.bvand(x, z)), p.bvand(y, z)): three,
        p.bvor(p.bvand(x, y), p.bvand(x, z)): three,
        p.bvand(x, z): two,
        p.bvor(x, y): two,
        p.bvor(p.bvor(p.bvand(x, y), p.bvand(x, z)), p.bvand(x, v)): p.bvxor(three, v),
    }
    for carry, parity in carries.items():
        for times in (1, -1, 3):
            for factor in (2 * times, times, 4 * times, -2 * times):
                for width in (w, w + 2):
                    yield p.sum({parity: times, carry: factor}, 1, width)
                p.added_up(parity, times, carry, factor)
        if w > 1:
            for high, low in o.bits:
                part = p.extract(carry, high, low)
                yield p.sum({parity: 1, part: 2 << low}, 0, w + 2)
                p.added_up(parity, 1, part, 2 << low)


def minus_not(o: Operands) -> Iterator[BitTerm]:
    p, w = o.pool, o.w
    for factor in (-1, -2, -3):
        for x in (o.x, p.bvxor(o.x, o.y)):
            for width in (w, w + 1, w + 3):
                yield p.sum({o.z: 1, p.bvnot(x): factor}, 1, width)


def top_parity(o: Operands) -> Iterator[BitTerm]:
    """An exclusive or at the top of a sum, of one bit and of more, and one below."""
    p, w = o.pool, o.w
    for place in range(w):
        for parity in (p.bvxor(o.b, o.c), p.bvxor(p.bvxor(o.b, o.c), o.d), p.bvxor(o.x, o.y)):
            yield p.sum({o.z: 1, parity: 1 << place}, 1, w)


def side_by_side(o: Operands) -> Iterator[BitTerm]:
    """Bits of a term with factors that put them side by side, and with others."""
    p, w = o.pool, o.w
    for at in range(1, w):
        high, low = p.extract(o.x, w - 1, at), p.extract(o.x, at - 1, 0)
        for factor in (1 << at, 1 << at + 1, -1 << at, 1):
            yield p.sum({high: factor, low: 1, o.y: 1}, 0, w + 3)
        yield p.sum({high: 1 << at, low: 1, p.concat((high, low)): 2}, 0, w + 3)
        yield p.sum({high: 5 << at, low: 5, o.b: 1}, 0, w + 3)
    bits = {p.extract(o.wide, place, place): 1 << place for place in range(w + 2)}
    yield p.sum({**bits, o.y: 1}, 0, w + 3)


def apart(o: Operands) -> Iterator[BitTerm]:
    """Sums of terms that overlap or do not, some times negative factors, beside constants below and above."""
    p, w = o.pool, o.w
    for shift in range(w + 2):
        for plus in (0, 1, 1 << shift, (1 << shift) - 1, 1 << w + 1, (1 << w + 2) - 1, 1 << w):
            for factor in (1 << shift, -1 << shift, 3 << shift):
                for low in (1, -1, 3):
                    yield p.sum({o.x: low, o.y: factor}, plus, w + 4)
                yield p.sum({o.upto(o.full >> 1): 1, o.b: 1, o.y: factor}, plus, w + 4)
        yield p.sum({o.x: 1, o.b: 1}, 1 << shift, w + 4)


def cut_sums(o: Operands) -> Iterator[BitTerm]:
    p, w = o.pool, o.w
    for factor in (1 << w >> 1, -1 << w >> 1, 1 << w + 1, 2, 4):
        for plus in (0, 1, o.full):
            whole = p.sum({o.x: 1, o.z: 1, o.y: factor}, plus, w + 3)
            yield from cuts_of(o, whole)
    yield from cuts_of(o, p.sum({o.x: 2, o.y: 8}, 0, w + 3))
    yield from cuts_of(o, p.sub(o.x, o.y))


def single_bits(o: Operands) -> Iterator[BitTerm]:
    """Bits of sums, and of other terms."""
    p, w = o.pool, o.w
    for whole in (p.sum({o.x: 2, o.y: 2}, 0, w + 3), p.sum({o.x: 1, o.y: 4}, 0, w + 3), p.sub(o.x, o.y), o.z):
        for place in range(whole.width):
            yield p.bit_of(whole, place)


def products(o: Operands) -> Iterator[BitTerm]:
    p, w = o.pool, o.w
    for k in o.constants:
        yield p.product(k, o.x)
        yield p.mul(o.x, k)
        yield p.product(k, o.n(3))
        yield p.product(o.upto(k.value), o.y)
    yield p.product(o.b, o.x)
    yield p.product(o.x, o.c)
    yield p.product(o.b, o.c)
    yield p.product(o.x, o.y)
    yield p.mul(o.x, o.y)
    yield p.product(o.x, o.x)
    yield p.product(o.above(o.x, 1), o.above(o.y, 2))
    yield p.product(o.above(o.b, 2), o.above(o.y, 1))
    yield p.product(p.extend(o.x, w + 2), p.concat((o.zeros(1), o.b, o.zeros(1))))


def divisions(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    for k in o.constants:
        yield from (p.bvudiv(o.x, k), p.bvurem(o.x, k), p.bvudiv(k, o.x), p.bvurem(k, o.x))
        yield from (p.bvudiv(o.upto(o.full >> 1), k), p.bvurem(o.upto(o.full >> 1), k))
        for other in (o.n(0), o.n(1), o.n(3), o.n(o.full)):
            yield from (p.bvudiv(k, other), p.bvurem(k, other))
    yield from (p.bvudiv(o.x, o.y), p.bvurem(o.x, o.y))


def bounded(terms: Callable[[Operands], BitTerm], most: Callable[[Operands], int]) -> Callable[[Operands], object]:
    return lambda o: o.pool.bounded(terms(o), most(o))


def difference(o: Operands) -> BitTerm:
    return o.pool.sub(o.pool.extend(o.x, o.w + 2), o.pool.extend(o.y, o.w + 2))


def negative(o: Operands) -> BitTerm:
    """A difference with a constant, whose sign the constant has."""
    return o.pool.sum({o.x: 1, o.y: -1}, -1, o.w + 2)


def as_low_as_can_be(o: Operands) -> BitTerm:
    """A difference that may be the least number with a sign, which is a bound without one."""
    return o.pool.sum({o.x: 1, o.y: -1}, -1, o.w + 1)


def sum_of_two(o: Operands) -> BitTerm:
    return o.pool.sum({o.x: 1, o.y: 1, o.b: 1}, 0, o.w + 3)


def exact(terms: Callable[[Operands], dict[BitTerm, int]], plus: int, most: Callable[[Operands], int]) -> (
    Callable[[Operands], object]
):  # fmt: skip
    return lambda o: o.pool.exact(terms(o), plus, most(o))
