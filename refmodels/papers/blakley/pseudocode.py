# SPDX-License-Identifier: Apache-2.0
"""Interleaved multiplication in a few lines, to compare with a loop of one's own."""


def blakley(a: int, b: int, p: int, r: int, n: int) -> int:
    """a < 2^(r*n), b < p: a digit of r bits of a at a time, the highest first; a bit if r is 1. No R, any p >= 2.

    p is subtracted from T until it is below p, with r = 1 twice at most.
    """
    S = 0
    for i in range(n - 1, -1, -1):
        T = (S << r) + (a >> r * i & (1 << r) - 1) * b
        S = T % p
    return S
