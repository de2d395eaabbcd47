# SPDX-License-Identifier: Apache-2.0
"""The ranges of sums and digits of OzturkPolMul, and what they are worth."""

from limbtrace.refmodels.model import Claim, Index, Run, Symbol
from limbtrace.refmodels.papers.llmonpro.ozturk.algorithm import SOURCE, Ozturk, column_limit, pairs


def sum_limit(run: Run[Ozturk], index: Index) -> int:
    """Limit of the sum D of a weight."""
    p, (s,) = run.params, index
    return (p.radix - 1) * (pairs(p.k, s) + pairs(p.k, s - 1)) + 3 * pairs(p.k, s - 2)


def digit_limit(run: Run[Ozturk], index: Index) -> int:
    """Limit of a digit C."""
    p, (i,) = run.params, index
    if i == 2 * p.k + 2:
        return 4 if p.fits else 3 + (column_limit(p.radix_bits, p.k) >> p.radix_bits)
    if i < 2:
        return p.radix - 1
    return p.radix - 1 + (min(p.radix - 1, 2 * p.k + 1) if p.fits else column_limit(p.radix_bits, p.k) >> p.radix_bits)


VOCABULARY: tuple[Symbol[Ozturk], ...] = (
    Symbol("D", "j", "sum of the pieces of weight beta^j, j up to 2k + 2",
           "<= (beta-1)*(c(j)+c(j-1)) + 3*c(j-2), c(s) being the pairs of digits whose places add up to s",
           sum_limit),
    Symbol("C", "j", "digit j of the product",
           "<= beta - 1 + min(beta - 1, 2k + 1); C_0, C_1 < beta; C_(2k+2) <= 4; more where k >= 2^(d-1)",
           digit_limit, where="LLMonPro, Algorithm 4 corrected"),
)  # fmt: skip


def _neighbours_hold(run: Run[Ozturk], index: Index, value: int) -> bool:
    p, (i,) = run.params, index
    below = run.at("D", i - 1) // p.radix if i else 0
    return value == below + (run.at("D", i) if i == 2 * p.k + 2 else run.at("D", i) % p.radix)


CLAIMS: tuple[Claim[Ozturk], ...] = (
    Claim("width of D", "every sum fits 2d bits where k <= 2^(d-1) - 1", "LLMonPro, Algorithm 6 corrected", "D",
          lambda run, _, value: not run.params.fits or value < run.params.radix**2),
    Claim("neighbours", "C_i = D_i mod beta + floor(D_(i-1)/beta)", SOURCE, "C", _neighbours_hold),
    Claim("nothing above the product", "C_i = 0 where A*B < beta^i", SOURCE, "C",
          lambda run, index, value: value == 0 or run.a * run.b >> (run.params.radix_bits * index[0]) > 0),
    Claim("value", "the digits C are A*B", SOURCE, None, lambda run, _, value: value == run.a * run.b),
)  # fmt: skip
