# SPDX-License-Identifier: Apache-2.0
"""The methods of Koç, Acar and Kaliski in a few lines each, to compare with a loop of one's own.

Of all: a, b < p < R = 2^(w*s), and p' = -p^-1 mod 2^w; p is subtracted at the end if the sum is not below it.
"""

from limbtrace.refmodels.batch_digits import split


def sos(a: int, b: int, p: int, w: int, s: int) -> int:
    """The whole product of 2s words first, then a multiple of p for each of its low words."""
    W, p_ = 1 << w, -pow(p, -1, 1 << w) % (1 << w)
    A, B, P, t = split(a, w, s), split(b, w, s), split(p, w, s), [0] * (2 * s + 1)
    for i in range(s):
        C = 0
        for j in range(s):
            C, t[i + j] = divmod(t[i + j] + A[j] * B[i] + C, W)
        t[i + s] = C
    for i in range(s):
        C, m = 0, t[i] * p_ % W
        for j in range(s):
            C, t[i + j] = divmod(t[i + j] + m * P[j] + C, W)
        for k in range(i + s, 2 * s + 1):
            C, t[k] = divmod(t[k] + C, W)
    T = sum(word << w * j for j, word in enumerate(t[s:]))
    return T - p if p <= T else T


def cios(a: int, b: int, p: int, w: int, s: int) -> int:
    """Two inner loops for each word of b: a*b[i] is added, then m*p, and the lowest word is dropped."""
    W, p_ = 1 << w, -pow(p, -1, 1 << w) % (1 << w)
    A, B, P, t = split(a, w, s), split(b, w, s), split(p, w, s), [0] * (s + 2)
    for i in range(s):
        C = 0
        for j in range(s):
            C, t[j] = divmod(t[j] + A[j] * B[i] + C, W)
        t[s + 1], t[s] = divmod(t[s] + C, W)
        m = t[0] * p_ % W
        C = (t[0] + m * P[0]) // W
        for j in range(1, s):
            C, t[j - 1] = divmod(t[j] + m * P[j] + C, W)
        C, t[s - 1] = divmod(t[s] + C, W)
        t[s] = t[s + 1] + C
    T = sum(word << w * j for j, word in enumerate(t[: s + 1]))
    return T - p if p <= T else T


def fios(a: int, b: int, p: int, w: int, s: int) -> int:
    """One inner loop for each word of b, with a carry for a*b[i] and one for m*p.

    The paper adds the first of them to t[j + 1] at once, and lets it run upwards; to carry it on is the same.
    """
    W, p_ = 1 << w, -pow(p, -1, 1 << w) % (1 << w)
    A, B, P, t = split(a, w, s), split(b, w, s), split(p, w, s), [0] * (s + 1)
    for i in range(s):
        first, S = divmod(t[0] + A[0] * B[i], W)
        m = S * p_ % W
        second = (S + m * P[0]) // W
        for j in range(1, s):
            first, S = divmod(t[j] + A[j] * B[i] + first, W)
            second, t[j - 1] = divmod(S + m * P[j] + second, W)
        t[s], t[s - 1] = divmod(t[s] + first + second, W)
    T = sum(word << w * j for j, word in enumerate(t))
    return T - p if p <= T else T


def fips(a: int, b: int, p: int, w: int, s: int) -> int:
    """Column by column: products of both kinds are added up in three words, of which the lowest is complete."""
    W, p_ = 1 << w, -pow(p, -1, 1 << w) % (1 << w)
    A, B, P, m, T, t = split(a, w, s), split(b, w, s), split(p, w, s), [0] * s, 0, 0
    for i in range(2 * s):
        for j in range(max(0, i - s + 1), min(i, s)):
            t += A[j] * B[i - j] + m[j] * P[i - j]
        if i < s:
            t += A[i] * B[0]
            m[i] = t * p_ % W
            t += m[i] * P[0]
        else:
            T += t % W << w * (i - s)
        t >>= w
    T += t << w * s
    return T - p if p <= T else T


def cihs(a: int, b: int, p: int, w: int, s: int) -> int:
    """The low s words of the product first; each reduction by m*p is followed by the products of the next column."""
    W, p_ = 1 << w, -pow(p, -1, 1 << w) % (1 << w)
    A, B = split(a, w, s), split(b, w, s)
    t: int = sum(A[j] * B[i] << w * (i + j) for i in range(s) for j in range(s - i))
    for i in range(s):
        t = (t + t * p_ % W * p) >> w
        t += sum(B[j] * A[s - j + i] for j in range(i + 1, s)) << w * (s - 1)
    return t - p if t >= p else t
