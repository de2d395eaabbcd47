# SPDX-License-Identifier: Apache-2.0
"""Models that promise a result alone."""


def modmul(a: int, b: int, p: int) -> int:
    """Any p >= 2, any bound of the operands (--set below=...). However the core finds it: the remainder."""
    return a * b % p


def square(a: int, p: int) -> int:
    """Any p >= 2, any bound of the operand (--set below=...)."""
    return a * a % p


def reduce(a: int, p: int) -> int:
    """Any p >= 2, one operand of any bound, by default p^2 (--set below=...). However the core finds it."""
    return a % p


def montgomery(a: int, b: int, p: int, r: int) -> int:
    """Odd p, R = 2^r of any r, any bound of the operands. p is subtracted until the result is below it, unless
    --set final=unreduced."""
    T = a * b
    m = T * -pow(p, -1, 1 << r) % (1 << r)
    t = (T + m * p) >> r
    return t % p


def redc(T: int, p: int, r: int) -> int:
    """One operand below any bound; R = 2^r. With r = 0 it is T mod p."""
    m = T * -pow(p, -1, 1 << r) % (1 << r)
    return ((T + m * p) >> r) % p
