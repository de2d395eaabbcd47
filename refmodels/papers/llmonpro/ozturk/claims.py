# SPDX-License-Identifier: Apache-2.0
"""Claims about OzturkPolMul: the widths of the sums, and the value of the digits."""

from limbtrace.refmodels.model import Claim, Index, Run
from limbtrace.refmodels.papers.llmonpro.ozturk.algorithm import SOURCE, Ozturk


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
