# SPDX-License-Identifier: Apache-2.0
"""The algorithm of the redundant paper in a few lines, to compare with a loop of one's own."""


def orup(A: int, B: int, M: int, r: int, m: int) -> int:
    """A, B < 2M~, where M~ = M*M' and M' = -M^-1 mod 2^r, so that the quotient digit is the low digit of S.

    R = 2^(r*(m+2)), one digit less than there are iterations. The result is below 2M~.
    """
    scaled = M * (-pow(M, -1, 1 << r) % (1 << r))
    S = 0
    for i in range(m + 3):
        a, q = A >> r * i & (1 << r) - 1, S & (1 << r) - 1
        S = (S + q * scaled >> r) + a * B
    return S


def redundant(A: int, B: int, M: int, r1: int, ma: int) -> int:
    """The loop of orup; B, M~ and S have digits of r2 bits, with two more bits each in place of carries."""
    return orup(A, B, M, r1, ma)
