# SPDX-License-Identifier: Apache-2.0
"""The symbols with their ranges, and claims about the sums."""

from limbtrace.refmodels.integer_models import largest
from limbtrace.refmodels.model import Claim, Index, Run, Symbol, one_bit
from limbtrace.refmodels.papers.fold.solinas.algorithm import REFERENCE, Solinas


def _most_left(run: Run[Solinas], index: Index) -> int:
    return (run.params.modulus << index[0]) - 1


VOCABULARY: tuple[Symbol[Solinas], ...] = (
    Symbol("T", "", "the product, a*b", "<= (below - 1)^2", largest(lambda p: p.limits[0] * p.limits[1])),
    Symbol("c", "i", "word i of T", "< 2^w", largest(lambda p: (1 << p.w) - 1)),
    Symbol("s", "j", "c[j], and the high words as often as row j of the matrix has them",
           "2^w - 1 times the negative numbers of the row, to that times the others and 1",
           lambda run, index: run.params.ends[index[0]][1], least=lambda run, index: run.params.ends[index[0]][0]),
    Symbol("U", "", "the sums with their weights, and m*p", "< 2^K*p", largest(lambda p: p.largest_sum)),
    Symbol("d", "k", "whether 2^k*p is subtracted", "0 or 1", one_bit),
    Symbol("R", "k", "U without the multiples of p from 2^k*p on", "< 2^k*p", _most_left),
)  # fmt: skip

CLAIMS: tuple[Claim[Solinas], ...] = (
    Claim("value of T", "T = a*b", REFERENCE, "T", lambda run, _, seen: seen == run.a * run.b),
    Claim("residue of U", "U = a*b modulo p", REFERENCE, "U",
          lambda run, _, seen: (seen - run.a * run.b) % run.params.modulus == 0),
    Claim("result", "the result is a*b mod p, in [0, p)", REFERENCE, None,
          lambda run, _, seen: seen == run.a * run.b % run.params.modulus),
)  # fmt: skip
