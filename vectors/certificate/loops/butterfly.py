# SPDX-License-Identifier: Apache-2.0
"""Butterflies, sums and differences, read on whole numbers and in the ring."""

from typing import Any

from sage.rings.finite_rings.integer_mod_ring import Integers
from sage.rings.integer import Integer

from limbtrace.vectors.certificate.loops.numbers import LoopInput, LoopSteps


def _values(**values: Any) -> LoopSteps:
    return ((name, (), value) for name, value in values.items())


def _product(given: LoopInput, x: Any) -> LoopSteps:
    """x*w, the w divided by R in the ring."""
    f = (Integers(given.modulus)(given.b) / Integer(2) ** given.params["r"]).lift()
    q, r = (x * f).quo_rem(given.modulus)
    return _values(f=f, t=x * f, q=q, r=r)


def _sum(p: Any, x: Any, y: Any, name: str) -> LoopSteps:
    return _values(s=x + y, sub=Integer(x + y >= p), **{name: Integers(p)(x + y).lift()})


def _difference(p: Any, x: Any, y: Any, name: str) -> LoopSteps:
    offset = Integer(2) ** p.nbits()
    return _values(d=offset + x - y, borrow=Integer(x < y), **{name: Integers(p)(x - y).lift()})


def butterfly_ct(given: LoopInput) -> LoopSteps:
    """The product, then the sum and the difference."""
    p = given.modulus
    v, u = given.a.quo_rem(p)
    product = list(_product(given, v))
    r = product[-1][2]
    yield from _values(u=u, v=v)
    yield from product
    yield from _sum(p, u, r, "even")
    yield from _difference(p, u, r, "odd")
    yield "Z", (), Integers(p)(u + r).lift() + p * Integers(p)(u - r).lift()


def butterfly_gs(given: LoopInput) -> LoopSteps:
    """The sum and the difference, then the product, then halves in the ring."""
    p = given.modulus
    v, u = given.a.quo_rem(p)
    ring = Integers(p)
    y = ring(u - v).lift()
    product = list(_product(given, y))
    half = ring(2) ** -given.params["halve"]
    even, odd = ((half * x).lift() for x in (u + v, product[-1][2]))
    yield from _values(u=u, v=v)
    yield from _sum(p, u, v, "x")
    yield from _difference(p, u, v, "y")
    yield from product
    yield from _values(even=even, odd=odd, Z=even + p * odd)


def modmac(given: LoopInput) -> LoopSteps:
    """The product, the sum, and its quotient."""
    z, x = given.a.quo_rem(given.modulus)
    q, r = (x * given.b + z).quo_rem(given.modulus)
    return _values(x=x, z=z, xy=x * given.b, t=x * given.b + z, q=q, r=r)


def modadd(given: LoopInput) -> LoopSteps:
    """The sum."""
    return _sum(given.modulus, given.a, given.b, "Z")


def modsub(given: LoopInput) -> LoopSteps:
    """The difference."""
    return _difference(given.modulus, given.a, given.b, "Z")


def modneg(given: LoopInput) -> LoopSteps:
    """The negative."""
    p = given.modulus
    return _values(d=p - given.a, sub=Integer(given.a == 0), Z=(-Integers(p)(given.a)).lift())


def modhalve(given: LoopInput) -> LoopSteps:
    """Half of it, in the ring; the step before is twice as much."""
    p = given.modulus
    half = (Integers(p)(given.a) / 2).lift()
    return _values(odd=given.a % 2, s=2 * half, Z=half)
