# SPDX-License-Identifier: Apache-2.0
"""The loop of the FPMM paper in a few lines, to compare with one's own."""

from limbtrace.refmodels.batch_digits import split


def cios(A: int, B: int, P: int, w: int, s: int) -> int:
    """A, B < 2P, and 4P < R = 2^(w*s). P' = -P^-1 mod 2^w. Nothing is subtracted: the result is below 2P."""
    W, P_ = 1 << w, -pow(P, -1, 1 << w) % (1 << w)
    a, b, p, t = split(A, w, s), split(B, w, s), split(P, w, s), [0] * (s + 1)
    for i in range(s):
        d = c = q = 0
        for j in range(s):
            d, u = divmod(t[j] + a[i] * b[j] + d, W)
            q = u * P_ % W if j == 0 else q
            c, t[j - 1] = divmod(u + q * p[j] + c, W)  # the word of j = 0 is 0, and is dropped
        t[s - 1] = d + c
    return sum(digit << w * j for j, digit in enumerate(t[:s]))
