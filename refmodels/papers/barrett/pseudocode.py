# SPDX-License-Identifier: Apache-2.0
"""Barrett's reductions in a few lines, to compare with a loop of one's own."""


def barrett_reduce(x: int, p: int, N: int, alpha: int, beta: int, corrections: int) -> int:
    """x below any bound, p < 2^N, mu = floor(2^(N+alpha) / p). No R; p is subtracted `corrections` times at most.

    Barrett and HAC 14.42 with k words of w bits: alpha = 2*w*k - N, beta = w*(k-1) - N, corrections = 2. Dhem:
    alpha = N + 3, beta = -2, corrections = 1. All bits of x: beta = -N.
    """
    mu = (1 << N + alpha) // p
    q = (x >> N + beta) * mu >> alpha - beta
    r = x - q * p  # hardware computes its low bits alone
    for _ in range(corrections):
        r = r - p if r >= p else r
    return r


def barrett_mul(a: int, b: int, p: int, N: int, alpha: int, beta: int, corrections: int) -> int:
    """a, b below any bound: their product, reduced."""
    return barrett_reduce(a * b, p, N, alpha, beta, corrections)
