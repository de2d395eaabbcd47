# SPDX-License-Identifier: Apache-2.0
"""Folding in a few lines, to compare with a loop of one's own."""


def fold(a: int, b: int, p: int, k: int, rounds: int) -> int:
    """a, b < p, and c = 2^k mod p is small, as for p = 2^k - c. No R; at the end p is subtracted once, or a few times.

    Hardware multiplies by c with shifts and additions where c is 19, 2^32 + 977 or 2^32 - 1.
    """
    c = pow(2, k, p)
    T = a * b
    for _ in range(rounds):
        T = (T & (1 << k) - 1) + (T >> k) * c
    while p <= T:
        T -= p
    return T
