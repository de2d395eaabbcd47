# SPDX-License-Identifier: Apache-2.0
"""The range of each symbol of HFFM, and further claims."""

from limbtrace.refmodels.integer_models import largest, value_claim
from limbtrace.refmodels.model import PRINTED, Claim, Index, Limit, Run, Symbol, at_most, one_bit
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh.hffm.algorithm import LAST, SOURCE, WINDOWS, Hffm

_high_digit: Limit[Hffm] = largest(lambda p: (1 << p.a) - 1)
_low_digit: Limit[Hffm] = largest(lambda p: p.D - 1)
_sum: Limit[Hffm] = largest(lambda p: (1 << p.a) + p.D - 2)


def most_corrections(p: Hffm) -> int:
    """The proven property of the window: two corrections for N = n + 1, one for a larger N."""
    if p.window != WINDOWS[0] or p.n >= p.N:
        return p.barrett.corrections
    return 2 if p.n + 1 == p.N else 1


VOCABULARY: tuple[Symbol[Hffm], ...] = (
    *(Symbol(f"{x}{i}", "", f"{place} digit of {x.upper()}", range, limit)
      for x in "ab" for i, place, range, limit in ((1, "high", "< 2^a", _high_digit),
                                                   (2, "low", "< D = f*l^b", _low_digit))),
    Symbol("a1b1", "", "line 3", "<= (2^a - 1)^2", largest(lambda p: ((1 << p.a) - 1) ** 2)),
    *(Symbol(f"{x}1+{x}2", "", "line 3", "<= 2^a + D - 2", _sum) for x in "ab"),
    Symbol("(a1+a2)(b1+b2)", "", "line 3", "<= (2^a + D - 2)^2", largest(lambda p: ((1 << p.a) + p.D - 2) ** 2)),
    Symbol("a2b2", "", "line 3", "<= (D - 1)^2", largest(lambda p: (p.D - 1) ** 2)),
    Symbol("a1b2+a2b1", "", "line 3: (a1+a2)(b1+b2) - a1b1 - a2b2", "<= 2(2^a - 1)(D - 1), which is below 2p",
           largest(lambda p: 2 * ((1 << p.a) - 1) * (p.D - 1))),
    Symbol("r1", "", "line 3: a1b1 mod 2^a", "< 2^a", _high_digit),
    Symbol("q1", "", "line 3: floor(a1b1 / 2^a)", "<= 2^a - 2", largest(lambda p: (1 << p.a) - 2)),
    Symbol("r1*f*l^b", "", "line 3", "<= (2^a - 1)*D", largest(lambda p: ((1 << p.a) - 1) * p.D)),
    Symbol("m1", "", "floor((a1b2+a2b1) / 2^a)", "<= 2D - 3", largest(lambda p: 2 * p.D - 3)),
    Symbol("m2", "", "(a1b2+a2b1) mod 2^a", "< 2^a", _high_digit),
    Symbol("c2@4", "", "c2 after line 4: a2b2 + m1", "< D^2", largest(lambda p: p.D**2 - 1)),
    Symbol("u", "", "floor(r1*f*l^b / 2^a)", "<= D - 1", _low_digit),
    Symbol("c2@5", "", "c2 after line 5: + u", "<= D^2 + D - 3", largest(lambda p: p.D**2 + p.D - 3)),
    Symbol("c1@6", "", "c1 after line 6: q1 + m2", "<= 2*2^a - 3", largest(lambda p: 2 * (1 << p.a) - 3)),
    Symbol("v", "", "r1*f*l^b mod 2^a", "< 2^a", _high_digit),
    Symbol("c1@7", "", "c1 after line 7: + v", "<= 3*2^a - 4", largest(lambda p: 3 * (1 << p.a) - 4)),
    Symbol("barrett.hi", "", "c2 without its s low bits", "< 2^(2n - s), and < 2^N where N >= n + 1",
           largest(lambda p: (1 << max(p.N, 2 * p.n - p.barrett.dropped)) - 1)),
    Symbol("barrett.prod", "", "barrett.hi * x", "<= x*floor((D^2 + D - 3) / 2^s)",
           largest(lambda p: p.barrett.x * ((p.D**2 + p.D - 3) >> p.barrett.dropped))),
    Symbol("barrett.qhat", "", "estimate of q: barrett.prod >> t", "<= q", lambda run, _: run.at("q")),
    Symbol("barrett.qhat*D", "", "", "<= c2@5", lambda run, _: run.at("c2@5")),
    Symbol("barrett.rhat", "", "c2@5 - barrett.qhat*D", "< D for each correction that may be due, and D more",
           largest(lambda p: (p.barrett.corrections + 1) * p.D - 1)),
    Symbol("barrett.corr", "", "how often D is subtracted from it", "0 or 1, or 2 where N = n + 1",
           largest(most_corrections)),
    Symbol("q", "", "line 8: floor(c2@5 / D)", "<= D", largest(lambda p: p.D)),
    Symbol("r", "", "line 8: c2@5 mod D", "< D", _low_digit),
    Symbol("c2@8", "", "c2 after line 8: r", "< D", _low_digit),
    Symbol("c1@8", "", "c1 after line 8: c1@7 + q", "<= 3*2^a - 4 + D", largest(lambda p: 3 * (1 << p.a) - 4 + p.D)),
    Symbol("carry@9", "", "line 9: floor(c1@8 / 2^a)", "<= floor((3*2^a - 4 + D) / 2^a)",
           largest(lambda p: p.carry_limit)),
    Symbol("c1@9", "", "c1 after line 9: c1@8 mod 2^a", "< 2^a", _high_digit),
    Symbol("c2@9", "", "c2 after line 9: r + carry@9", "<= D - 1 + carry@9, which is at most 2D - 2",
           lambda run, _: min(run.params.D - 1 + run.at("carry@9"), 2 * run.params.D - 2)),
    Symbol("C@9", "", "value after line 9: c1@9*D + c2@9", "<= p + carry@9",
           lambda run, _: run.params.modulus + run.at("carry@9")),
    Symbol("fix", "", "whether D moves from c2@9 to c1@9; a c1 of 2^a then is 1 in c2", "0 or 1", one_bit, where=LAST),
    Symbol("is_p", "", "whether that is p, which is 0", "0 or 1", one_bit, where=LAST),
    Symbol("c1", "", "high digit of the result", "< 2^a", _high_digit, where=LAST),
    Symbol("c2", "", "low digit of the result", "< D", _low_digit, where=LAST),
    Symbol("C", "", "the result, c1*D + c2", "< p", below_modulus, where=LAST),
)  # fmt: skip


def step_count(params: Hffm) -> int:
    """Every symbol occurs once; the printed form lacks the five of the end."""
    return len(VOCABULARY) - (5 if params.form == PRINTED else 0)


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
