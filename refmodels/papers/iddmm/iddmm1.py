# SPDX-License-Identifier: Apache-2.0
"""Digit-digit Montgomery multiplication with three carries: Algorithm 1 of the IDDMM paper."""

from collections.abc import Iterator

from refmodels.columns import Digit
from refmodels.model import Claim, Index, Run, Step, Symbol, at_most
from refmodels.papers.iddmm import family as iddmm


def steps(params: iddmm.Iddmm, X: list[Digit], Y: list[Digit]) -> Iterator[Step]:
    """Algorithm 1. X has n + 1 digits, Y as many as there are passes, least significant first."""
    k, n, p_ = params.radix_bits, params.digits, params.digit_inverse
    p = [*params.modulus_digits, 0]
    low, keep = params.radix - 1, params.carries_out
    A: list[Digit] = [0] * (n + 1)
    for i in range(params.passes):
        CS = CR = CU = q = 0
        yield "CS", (i, 0), CS
        yield "CR", (i, 0), CR
        yield "CU", (i, 0), CU
        for j in range(n + 1):
            s = A[j] + X[j] * Y[i] + CS
            CS, S = s >> k, s & low
            yield "CS", (i, j + 1), CS
            yield "S", (i, j), S
            if j == 0:
                q = (S * p_) & low
                yield "q", (i, 0), q
            r = q * p[j] + CR
            CR, R = r >> k, r & low
            yield "CR", (i, j + 1), CR
            yield "R", (i, j), R
            u = S + R + CU
            CU, U = u >> k, u & low
            yield "CU", (i, j + 1), CU
            yield "U", (i, j), U
            if j > 0:
                A[j - 1] = U
                yield "A", (i + 1, j - 1), U
        A[n] = (CS + CR + CU) * keep
        yield "A", (i + 1, n), A[n]


def _cs_limit(run: Run, index: Index) -> int:
    n = run.params.digits
    return run.params.radix - 1 if index[1] <= n else 1 + iddmm.wide_operand(run)


def _carry_s_holds(run: Run, index: Index, value: int) -> bool:
    """The carry into digit j is what the digits of A and X below j carry; digit n of A is no digit for k = 1."""
    p: iddmm.Iddmm = run.params
    i, j = index
    weight = 1 << (p.radix_bits * j)
    A = sum(run.at("A", i, d) << (p.radix_bits * d) for d in range(j)) if i else 0
    y = (run.b >> (p.radix_bits * i)) % p.radix
    return value == (A + run.a % weight * y) // weight


def _carry_r_holds(run: Run, index: Index, value: int) -> bool:
    p: iddmm.Iddmm = run.params
    i, j = index
    weight = 1 << (p.radix_bits * j)
    return value == run.at("q", i, 0) * (p.modulus % weight) // weight


_SECTION = "IDDMM, Algorithm 1"

CLAIMS: tuple[Claim, ...] = (
    at_most("S", "S_j < beta", _SECTION, lambda run, _: run.params.radix - 1),
    at_most("R", "R_j < beta", _SECTION, lambda run, _: run.params.radix - 1),
    at_most("CS", "CS < beta; out of digit n at most 1, or 2 when X has a digit n", _SECTION, _cs_limit),
    at_most("CR", "CR <= beta - 2, and 0 out of digit n", _SECTION,
            lambda run, index: run.params.radix - 2 if index[1] <= run.params.digits else 0),
    at_most("CU", "CU is one bit", _SECTION, lambda run, _: 1),
    Claim("first carry of U", "CU out of digit 0 is 1 exactly when S_0 is not 0", _SECTION, "CU",
          lambda run, index, value: index[1] != 1 or value == (run.at("S", index[0], 0) != 0)),
    Claim("value of CS", "CS into digit j is what the low digits of A + X*Y_i carry", _SECTION, "CS", _carry_s_holds),
    Claim("value of CR", "CR into digit j is what the low digits of q*p carry", _SECTION, "CR", _carry_r_holds),
)  # fmt: skip

MODEL = iddmm.model(
    id="iddmm1",
    title="IDDMM with three carries",
    where="Algorithm 1",
    vocabulary=(
        Symbol("CS", "i, j", "carry of A + X*Y_i into digit j", "< beta"),
        Symbol("S", "i, j", "digit j of A + X*Y_i", "< beta"),
        Symbol("CR", "i, j", "carry of q*p into digit j", "<= beta - 2"),
        Symbol("R", "i, j", "digit j of q*p", "< beta"),
        Symbol("CU", "i, j", "carry of S + R into digit j", "one bit"),
    ),
    steps=steps,
    step_count=lambda params: params.passes * (7 * (params.digits + 1) + 4),
    claims=CLAIMS,
    mended=("iddmm.E1",),
)
