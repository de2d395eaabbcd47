# SPDX-License-Identifier: Apache-2.0
"""Butterflies, sums and differences in a few lines, to compare with a loop of one's own."""


def butterfly_ct(a: int, b: int, p: int, r: int) -> int:
    """a = u + p*v and b = w, all below p; R = 2^r divides the product, as Montgomery's does. even + p*odd."""
    v, u = divmod(a, p)
    product = v * b * pow(1 << r, -1, p) % p
    return (u + product) % p + p * ((u - product) % p)


def butterfly_gs(a: int, b: int, p: int, r: int, halve: int) -> int:
    """a = u + p*v and b = w, all below p; halve = 1 multiplies both results by 2^-1 mod p. even + p*odd."""
    v, u = divmod(a, p)
    even, odd = (u + v) % p, (u - v) * b * pow(1 << r, -1, p) % p
    if halve:
        even, odd = ((x + x % 2 * p) // 2 for x in (even, odd))
    return even + p * odd


def modmac(a: int, b: int, p: int) -> int:
    """a = x + p*z and b = y, all below p: x*y + z."""
    z, x = divmod(a, p)
    return (x * b + z) % p


def modadd(a: int, b: int, p: int) -> int:
    """a, b < p: one subtraction of p at most."""
    s = a + b
    return s - p if s >= p else s


def modsub(a: int, b: int, p: int) -> int:
    """a, b < p: p is added after a borrow."""
    d = a - b
    return d + p if d < 0 else d


def modneg(a: int, p: int) -> int:
    """a < p: p - a, but 0 stays 0."""
    return p - a if a else 0


def modhalve(a: int, p: int) -> int:
    """a < p, p odd: an odd a becomes even by p."""
    return (a + p if a % 2 else a) // 2
