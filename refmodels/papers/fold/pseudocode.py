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


def solinas(a: int, b: int, p: int, w: int, n: int, f: list[int]) -> int:
    """a, b < p = 2^(w*n) - f[0] - f[1]*2^w - ..., where each f is 1, -1 or 0, or another small number. No R.

    Hardware adds up all that comes into a word of the sum at once, and then a few multiples of p.
    """
    c = [a * b >> w * i & (1 << w) - 1 for i in range(2 * n)]
    for i in reversed(range(n, 2 * n)):
        for j in range(n):
            c[i - n + j] += f[j] * c[i]
    S = sum(c[j] << w * j for j in range(n))
    while S < 0:
        S += p
    while p <= S:
        S -= p
    return S
