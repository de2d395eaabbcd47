# SPDX-License-Identifier: Apache-2.0
"""The algorithms of the IDDMM paper in a few lines each, to compare with a loop of one's own."""

from limbtrace.refmodels.batch_digits import split


def r2mm(X: int, Y: int, p: int, N: int) -> int:
    """X < 2^N = R and Y <= p < 2^N: a bit of X at a time. Nothing is precomputed; p is subtracted once at the end."""
    S = 0
    for i in range(N):
        S += (X >> i & 1) * Y
        S = (S + (S & 1) * p) >> 1
    return S - p if p <= S else S


def mwr2mm(X: int, Y: int, p: int, N: int, w: int, e: int) -> int:
    """X < 2^N = R and Y < p: a bit of X, and a word of Y, at a time. Nothing is subtracted: the result is below 2p."""
    y, m, S = split(Y, w, e + 1), split(p, w, e + 1), [0] * (e + 1)
    for i in range(N):
        x, Ca, Cb, odd = X >> i & 1, 0, 0, 0
        for j in range(e + 1):
            Ca, sum_a = divmod(Ca + x * y[j] + S[j], 1 << w)
            odd = sum_a & 1 if j == 0 else odd
            Cb, S[j] = divmod(Cb + odd * m[j] + sum_a, 1 << w)
            if j > 0:
                S[j - 1] = (S[j] & 1) << (w - 1) | S[j - 1] >> 1
    return sum(digit << w * j for j, digit in enumerate(S[:e]))


def mwr2kmm(X: int, Y: int, p: int, k: int, D: int) -> int:
    """X < 2^N, Y < p, R = 2^(k*D): a Booth digit of X at a time, from -2^(k-1) to 2^(k-1). p is subtracted once.

    p' = -p^-1 mod 2^k. The model has the words of S, in two's complement.
    """
    S, p_ = 0, -pow(p, -1, 1 << k) % (1 << k)
    for i in range(D):
        group = (X << 1) >> k * i & (2 << k) - 1  # k bits of X, and the one below them
        booth = (group + 1 >> 1) - (group >> k << k)
        S += booth * Y
        S = (S + S * p_ % (1 << k) * p) >> k
    return S - p if p <= S else S


def imm(X: int, Y: int, p: int, k: int, passes: int) -> int:
    """X < 2p, Y < R = 2^(k*passes): a digit of Y at a time, all of X. p' = -p^-1 mod 2^k. Nothing is subtracted."""
    A, p_ = 0, -pow(p, -1, 1 << k) % (1 << k)
    for i in range(passes):
        A += X * (Y >> k * i & (1 << k) - 1)
        A = (A + A * p_ % (1 << k) * p) >> k
    return A


def iddmm1(X: int, Y: int, p: int, k: int, n: int, passes: int) -> int:
    """The ranges of imm, in digits of X, too: two multipliers with a carry each, and a third carry for their sum."""
    beta, p_ = 1 << k, -pow(p, -1, 1 << k) % (1 << k)
    x, y, m, A = split(X, k, n + 1), split(Y, k, passes), split(p, k, n + 1), [0] * (n + 2)
    for i in range(passes):
        CS = CR = CU = q = 0
        for j in range(n + 1):
            CS, S = divmod(A[j] + x[j] * y[i] + CS, beta)
            q = S * p_ % beta if j == 0 else q
            CR, R = divmod(q * m[j] + CR, beta)
            CU, A[j - 1] = divmod(S + R + CU, beta)  # the digit of j = 0 is 0, and is dropped
        A[n] = CS + CR + CU
    return sum(digit << k * j for j, digit in enumerate(A[: n + 1]))


def iddmm2(X: int, Y: int, p: int, k: int, n: int, passes: int) -> int:
    """The ranges of imm, in digits of X, too: two multipliers, and one carry of more than a digit for both."""
    beta, p_ = 1 << k, -pow(p, -1, 1 << k) % (1 << k)
    x, y, m, A = split(X, k, n + 1), split(Y, k, passes), split(p, k, n + 1), [0] * (n + 2)
    for i in range(passes):
        C = q = 0
        for j in range(n + 1):
            S = A[j] + x[j] * y[i]
            q = S * p_ % beta if j == 0 else q
            C, A[j - 1] = divmod(S + q * m[j] + C, beta)  # the digit of j = 0 is 0, and is dropped
        A[n] = C
    return sum(digit << k * j for j, digit in enumerate(A[: n + 1]))
