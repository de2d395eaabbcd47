# SPDX-License-Identifier: Apache-2.0
"""The algorithms of the SIDH paper in a few lines each, to compare with a loop of one's own."""


def barrett(A: int, B: int, p: int, k: int) -> int:
    """A*B < 2^k; x = floor(2^k / p). One subtraction of p at the end."""
    x = (1 << k) // p
    q = A * B * x >> k
    r = A * B - q * p
    return r - p if r >= p else r


def effm(A: int, B: int, p: int, R: int) -> int:
    """A, B < p = 2*R^2 - 1, where R = 2^(a/2) * l^(b/2). R^2 is 1/2: its digit is a bit, and products are halved."""
    (a1, a2, a3), (b1, b2, b3) = ((V // R**2, V // R % R, V % R) for V in (A, B))
    Y, X, Z = a1 * b2 + a2 * b1, a1 * b3 + a2 * b2 + a3 * b1, a2 * b3 + a3 * b2
    c3 = R**2 // 2 * a1 * b1 + (Y & 1) * (R // 2) + (X >> 1) + a3 * b3
    q3, r3 = divmod(c3, R)
    q2, r2 = divmod((Y >> 1) + Z + q3, R)
    c1 = (X & 1) + q2
    C = (c1 & 1) * R**2 + r2 * R + r3 + (c1 >> 1)
    return C - p if p <= C else C


def ffm1(A: int, B: int, p: int, R: int) -> int:
    """A, B < p = 2*R^2 - 1, as for effm. Operands from R^2 on become p - A with a sign, so that two digits remain."""
    sign = (A >= R**2) ^ (B >= R**2)
    (a2, a3), (b2, b3) = (divmod(p - V if V >= R**2 else V, R) for V in (A, B))
    q3, r3 = divmod(a3 * b3 + (a2 * b2 >> 1), R)
    q2, r2 = divmod(a2 * b3 + a3 * b2 + q3, R)
    c1 = (a2 * b2 & 1) + q2
    C = (c1 & 1) * R**2 + r2 * R + r3 + (c1 >> 1)
    C = C - p if p <= C else C
    return p - C if sign and C else C


def ffm2(A: int, B: int, p: int, sign: int) -> int:
    """A, B < p = f * 2^a * l^b + sign, where sign is 1 or -1: a division by p - sign, of which 2^a is a shift."""
    q, r = divmod(A * B, p - sign)
    C = r - sign * q
    return C + p if C < 0 else C - p if p <= C else C


def hffm(A: int, B: int, p: int, a: int, D: int) -> int:
    """A, B <= p = 2^a * D - 1, where D = f * l^b: digits below 2^a and below D, three products, half a division."""
    (a1, a2), (b1, b2), low = divmod(A, D), divmod(B, D), (1 << a) - 1
    a1b1, a2b2 = a1 * b1, a2 * b2
    cross = (a1 + a2) * (b1 + b2) - a1b1 - a2b2
    r1D = (a1b1 & low) * D
    q, c2 = divmod(a2b2 + (cross >> a) + (r1D >> a), D)  # by a Barrett estimate
    c1 = (a1b1 >> a) + (cross & low) + (r1D & low) + q
    c1, c2 = c1 & low, c2 + (c1 >> a)  # 2^a * D is 1
    return (c1 * D + c2) % p
