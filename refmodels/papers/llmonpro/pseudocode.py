# SPDX-License-Identifier: Apache-2.0
"""The algorithms of the LLMonPro paper in a few lines each, to compare with a loop of one's own."""


def monpro(A: int, B: int, M: int, n: int) -> int:
    """A, B < M < R = 2^n; M' = -M^-1 mod R. Three whole products; M is subtracted once at the end."""
    T = A * B
    Q = T * -pow(M, -1, 1 << n) % (1 << n)
    Z = (T + Q * M) >> n
    return Z - M if Z >= M else Z


def redmonpro(A: int, B: int, M: int, n: int) -> int:
    """The ranges of monpro. The low halves of T and Q*M add up to 0 or to R: their carry takes the place of a sum."""
    T1, T0 = divmod(A * B, 1 << n)
    Q = T0 * -pow(M, -1, 1 << n) % (1 << n)
    S1, S0 = divmod(Q * M, 1 << n)
    Z = T1 + S1 + (T0 + S0 >> n)
    return Z - M if Z >= M else Z


def ozturk(A: int, B: int) -> int:
    """A and B of k + 1 digits below 2^(d+1) of weight 2^d, so that each column of the product is two digits, added."""
    return A * B


def llmonpro(A: int, B: int, M: int, d: int, k: int) -> int:
    """The sum of redmonpro, where every product is in k + 1 redundant digits of d + 1 bits and no carry runs through.

    R = 2^(d*k), M' = -M^-1 mod R. Q is only congruent to T*M' modulo R, and nothing is subtracted: the result is below
    A*B/R + 2M, and an integer that depends on the digits.
    """
    R = 1 << d * k
    T = A * B
    Q = T * -pow(M, -1, R) % R  # the model's Q may be R larger
    return (T + Q * M) >> d * k


def vdf(x: int, M: int, t: int) -> int:
    """x < M: t squarings by llmonpro, from x*R mod M on; the factor R leaves at the end."""
    for _ in range(t):
        x = x * x % M
    return x
