# SPDX-License-Identifier: Apache-2.0
"""Operands for the rules of bits: logic, cuts, bits side by side, choices and comparisons."""

from collections.abc import Callable, Iterator

from limbtrace.rtl_bridge.proof.bitvector import BitTerm
from tests.rtl_bridge.proof.rules.operands import Operands


def negations(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.bvnot(p.bvnot(o.x))
    yield p.bvnot(p.concat((o.b, o.x, o.n(1))))
    for x in o.kinds:
        yield p.bvnot(x)


def ands(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.bvand(o.x, o.x)
    for k in o.constants:
        yield p.bvand(o.x, k)
        yield p.bvand(k, o.y)
    yield p.bvand(o.x, o.y)
    yield p.bvand(o.upto(o.full >> 1), p.bvor(o.x, o.n(1)))


def and_all_bits(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.bvand(o.x, p.concat([o.b] * o.w))
    yield p.bvand(p.concat([o.b] * o.w), p.concat([o.c] * o.w))


def and_not(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.bvand(o.top(o.x), p.bvnot(o.top(o.x)))
    yield p.bvand(p.bvnot(o.b), o.b)


def ors(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.bvor(o.x, o.x)
    for k in o.constants:
        yield p.bvor(o.x, k)
        yield p.bvor(k, o.y)
    yield p.bvor(o.x, o.y)
    yield p.bvor(o.upto(o.full >> 1), o.upto(max(o.full >> 2, 1)))


def apart_bits(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    for value in o.values:
        yield p.bvor(p.bvand(o.x, o.n(value)), p.bvand(o.y, o.n(~value)))
        yield p.bvor(p.bvand(o.x, o.n(value)), p.bvand(o.y, o.n(~value & ~1)))


def xors(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.bvxor(o.x, o.x)
    for k in o.constants:
        yield p.bvxor(o.x, k)
        yield p.bvxor(k, o.y)
    yield p.bvxor(o.x, o.y)
    for value in o.values:
        yield p.bvxor(p.bvor(o.x, o.n(value)), p.bvand(o.y, o.n(6)))
    yield p.bvxor(o.upto(o.full >> 1), o.upto(max(o.full >> 2, 1)))


def cuts_of(o: Operands, x: BitTerm) -> Iterator[BitTerm]:
    return (o.pool.extract(x, high, low) for high, low in o.bits_of(x.width))


def cuts(*terms: Callable[[Operands], BitTerm]) -> Callable[[Operands], list[BitTerm]]:
    return lambda o: [cut for term in terms for cut in cuts_of(o, term(o))]


def cut_constants(o: Operands) -> Iterator[BitTerm]:
    for k in o.constants:
        yield from cuts_of(o, k)


def cut_bounded(o: Operands) -> Iterator[BitTerm]:
    """Bits above which there are zeros, or of which a bound is known."""
    for most in o.values:
        yield from cuts_of(o, o.upto(most, width=o.w + 1))
        yield from cuts_of(o, o.upto(most))
    yield from cuts_of(o, o.pool.product(o.upto(max(o.full >> 1, 1)), o.y))


def concatenations(o: Operands) -> Iterator[BitTerm]:
    p, w = o.pool, o.w
    yield p.concat((o.x,))
    yield p.concat((o.x, o.y, o.b))
    yield p.concat((o.zeros(2), o.upto(o.full >> 1), o.y))
    yield p.concat((o.zeros(1), o.zeros(1), o.x, o.n(1, 1), o.n(2, 2), o.upto(o.full >> 1)))
    yield p.concat((p.concat((o.b, o.x)), p.concat((o.y, o.c))))
    for at in range(1, w):
        yield p.concat((p.extract(o.x, w - 1, at), p.extract(o.x, at - 1, 0)))
        yield p.concat((p.extract(o.x, at - 1, 0), p.extract(o.x, w - 1, at)))
        yield p.concat((p.extract(o.x, w - 1, at), p.extract(o.y, at - 1, 0)))
    for value in o.values:
        yield p.concat((o.n(value), o.n(~value, w + 1)))


def extensions(o: Operands) -> Iterator[BitTerm]:
    p, w = o.pool, o.w
    for x in o.kinds:
        for signed in (False, True):
            for more in (-1, 0, 1, 3):
                if w + more > 0:
                    yield p.extend(x, w + more, signed=signed)


def choices(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    for value in (0, 1):
        yield p.ite(o.n(value, 1), o.x, o.y)
    yield p.ite(o.b, o.x, o.x)
    yield p.ite(p.bvnot(o.b), o.x, o.y)
    yield p.ite(o.b, o.x, o.y)
    yield p.ite(o.b, p.bvor(o.x, o.n(5)), o.upto(o.full >> 1))
    yield p.ite(o.b, o.upto(o.full >> 1), p.bvand(o.x, o.n(o.full - 1)))
    yield p.ite(o.b, p.ite(o.b, o.x, o.y), o.z)
    yield p.ite(o.b, o.x, p.ite(o.b, o.y, o.z))
    yield p.ite(o.b, p.ite(o.b, o.x, o.y), p.ite(o.b, o.z, o.n(1)))
    yield p.ite(o.b, p.ite(o.c, o.x, o.y), o.z)


def choices_of_bits(o: Operands) -> Iterator[BitTerm]:
    p, zero, one = o.pool, o.n(0, 1), o.n(1, 1)
    for bit in (o.b, o.top(o.x)):
        yield from (p.ite(bit, one, zero), p.ite(bit, zero, one))
        for value in (zero, one):
            yield from (p.ite(bit, value, o.c), p.ite(bit, o.c, value))


def shifts(o: Operands) -> Iterator[BitTerm]:
    p, w = o.pool, o.w
    for operation in ("sll", "srl", "sra"):
        for x in (o.x, p.add(o.x, o.y), o.upto(o.full >> 1)):
            for count in range(w + 2):
                yield p.shifted(operation, x, o.n(count, 4))
        for by in (o.y, p.extend(o.y, w + 1), o.b, p.concat((o.b, o.zeros(1), o.c)), o.upto(min(2, o.full), "by", 7)):
            yield p.shifted(operation, o.x, by)


def equalities(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.equal(o.x, o.x)
    yield p.equal(o.x, o.y)
    for value in (0, 1):
        yield p.equal(o.b, o.n(value, 1))
    for k in o.constants:
        yield p.equal(o.x, k)
        yield p.equal(p.bvor(o.x, k), o.y)
        yield p.equal(o.upto(o.full >> 1), k)
        yield p.equal(p.bvor(o.y, k), p.bvand(o.x, o.n(o.full >> 1)))
        yield p.equal(p.bvor(o.y, k), o.upto(o.full >> 1))
        rest = o.n(~k.value)
        yield p.equal(p.bvor(o.x, k), p.bvand(o.y, rest))
        yield p.equal(p.bvand(o.x, rest), p.bvor(o.y, k))
        yield p.equal(p.concat((o.c, p.bvor(o.x, k))), p.concat((o.d, p.bvand(o.y, rest))))
        yield p.equal(p.concat((o.d, p.bvand(o.x, rest))), p.concat((o.c, p.bvor(o.y, k))))
    for x in o.kinds:
        yield p.equal(x, o.y)
        yield p.equal(p.concat((o.n(2, 2), x, o.n(1, 1))), p.concat((o.n(2, 2), o.y, o.b)))
        yield p.equal(p.concat((o.n(1, 1), x, o.b)), p.concat((o.c, o.y, o.n(1, 1))))


def known_bits(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    for k in o.constants:
        yield p.equal(p.bvor(o.x, k), p.bvor(o.y, k))
        yield p.equal(p.concat((o.n(1, 1), o.x, k)), p.concat((o.n(1, 1), o.y, k)))
        yield p.equal(p.concat((k, o.x)), p.concat((k, o.y)))
        yield p.equal(p.concat((o.x, k, o.b, o.n(1, 1), o.c)), p.concat((o.y, k, o.c, o.n(1, 1), o.d)))


def comparisons(o: Operands) -> Iterator[BitTerm]:
    p = o.pool
    yield p.bvult(o.x, o.x)
    for x in o.kinds:
        yield from (p.bvult(x, o.y), p.bvult(o.y, x), p.bvslt(x, o.y), p.bvslt(o.y, x))
    for value in o.values:
        k = o.n(value)
        for other in (o.x, o.upto(o.full >> 1), o.upto(value), p.bvor(o.x, o.n(1)), p.bvor(o.x, k)):
            yield from (p.bvult(other, k), p.bvult(k, other), p.bvslt(other, k), p.bvslt(k, other))
        for other in (o.n(1), o.n(o.full), o.n(o.full >> 1)):
            yield from (p.bvult(k, other), p.bvslt(k, other))


def any_and_parity(o: Operands) -> Iterator[BitTerm]:
    for x in o.kinds:
        yield from (o.pool.any_bit(x), o.pool.parity(x))
