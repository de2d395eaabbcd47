# SPDX-License-Identifier: Apache-2.0
"""Claims about HFFM, in addition to the ranges of its symbols."""

from limbtrace.refmodels.integer_models import largest, value_claim
from limbtrace.refmodels.model import Claim, Index, Run, at_most
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh.hffm.algorithm import LAST, SOURCE, Hffm


def _identity(run: Run[Hffm], _: Index, value: int) -> bool:
    p = run.params
    multiple = run.at("q1") * p.D + run.at("u") + run.at("m1")
    return value * p.D + run.at("c2@8") == run.a * run.b - p.modulus * multiple


def _rare(run: Run[Hffm], _: Index, value: int) -> bool:
    """C@9 >= p is possible only if A*B mod p <= carry@9."""
    p = run.params.modulus
    return value < p or run.a * run.b % p <= run.at("carry@9")


def _second_zero(run: Run[Hffm], _: Index, value: int) -> bool:
    return value == (run.a * run.b % run.params.modulus == 0 and 0 not in (run.a, run.b))


CLAIMS: tuple[Claim[Hffm], ...] = (
    value_claim("a1b2+a2b1", "the sum of the two products", SOURCE,
                lambda run: run.at("a1") * run.at("b2") + run.at("a2") * run.at("b1")),
    value_claim("m1", "m1*2^a + m2 = a1b2+a2b1", SOURCE,
                lambda run: (run.at("a1b2+a2b1") - run.at("m2")) >> run.params.a),
    value_claim("u", "u*2^a + v = r1*D", SOURCE,
                lambda run: (run.at("r1*f*l^b") - run.at("v")) >> run.params.a),
    at_most("barrett.corr", "not more than the loss of the estimate", SOURCE,
            largest(lambda p: p.barrett.corrections)),
    value_claim("q", "q = floor(c2 / D)", SOURCE, lambda run: run.at("c2@5") // run.params.D),
    value_claim("r", "r = c2 mod D", SOURCE, lambda run: run.at("c2@5") % run.params.D),
    Claim("value after line 8", "c1*D + c2 = A*B - p*(q1*D + u + m1)", SOURCE, "c1@8", _identity),
    value_claim("C@9", "C = c1@8*D + c2@8 - p*carry", SOURCE,
                lambda run: run.at("c1@8") * run.params.D + run.at("c2@8") - run.params.modulus * run.at("carry@9")),
    Claim("rarity", "C >= p after line 9 only if A*B mod p <= carry", SOURCE, "C@9", _rare),
    value_claim("fix", "fix = 1 exactly if c2@9 >= D", LAST, lambda run: int(run.at("c2@9") >= run.params.D)),
    Claim("second zero", "is_p = 1 exactly if A*B is a multiple of p and neither operand is 0", LAST, "is_p",
          _second_zero),
    sidh.RESULT,
)  # fmt: skip
