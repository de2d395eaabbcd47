# SPDX-License-Identifier: Apache-2.0
"""Errata of the FPMM paper."""

from refmodels.algorithms import cios, fpmm
from refmodels.errata.kinds import AnyErratum, Erratum, FigureErratum, FormulaErratum, about_result
from refmodels.model import Claim, Index, Run, at_most


def _printed_carry_holds(run: Run, index: Index, value: int) -> bool:
    """us_p once more, although the words u already contain it."""
    p: fpmm.Fpmm = run.params
    g = index[0]
    row = sum(run.at("u", g, j) << (p.radix_bits * j) for j in range(p.digits))
    return value == (row + run.at("us_p", g) + run.at("q", g) * p.modulus + run.at("c_p", g)) >> p.r_bits


def _open_parenthesis_holds(run: Run, index: Index, value: int) -> bool:
    """T_(i-1) + a_i*b_0*P', as the parentheses of equation 3 stand; a and b are 0 in an idle visit."""
    p: fpmm.Fpmm = run.params
    t = run.at("t_in", *index, 0)
    return value == (t + (run.at("v", *index, 0) - t) * p.digit_inverse) % p.radix


def _after_carry_holds(run: Run, index: Index, value: int) -> bool:
    p: fpmm.Fpmm = run.params
    return value == run.at("u", *index, 0) * p.digit_inverse % p.radix


def _narrow_inverse_holds(run: Run, value: int) -> bool:
    """T = (A*B + Q*P) / 2^m with Q = A*B*P' mod 2^m."""
    p: cios.Cios = run.params
    return value << p.r_bits == run.a * run.b + run.a * run.b * p.digit_inverse % p.domain * p.modulus


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        "fpmm.E7", ("cios", "fpmm"),
        "every partial result T is below 2P",
        "T is below B + P during the loop; only the last one is below 2P",
        3, {"w": 2, "s": 2}, 3, 5,
        at_most("T", "T < 2P", "FPMM, eq. 5", lambda run, _: 2 * run.params.modulus - 1),
    ),
    Erratum(
        "fpmm.E8", ("cios", "fpmm"),
        "the carry word us is below 2^(w-1)",
        "it may reach 2^(w-1)",
        127, {"w": 3, "s": 3}, 62, 253,
        at_most("us", "us < W/2", "FPMM, eq. 6", lambda run, _: run.params.radix // 2 - 1),
    ),
    Erratum(
        "fpmm.E9", ("fpmm",),
        "the carry c of a row adds the us that enters to the sum of the words u",
        "these words contain it",
        59, {"w": 4, "s": 2, "sigma": 1}, 63, 117,
        Claim("printed", "c = (U + us_p + q*P + c_p) >> m with U the words u", "FPMM, section III.C", "cs",
              _printed_carry_holds),
    ),
    Erratum(
        "fpmm.E10", ("fpmm",),
        "q = (T + a_i*b_0*P') mod W",
        "q = ((T + a_i*b_0)*P') mod W, T being its low word",
        13, {"w": 3, "s": 2, "sigma": 1}, 17, 11,
        Claim("printed", "q = (T + a_i*b_0*P') mod W", "FPMM, eq. 3", "q", _open_parenthesis_holds),
    ),
    Erratum(
        "fpmm.E11", ("fpmm",),
        "d and c are cleared when a product begins",
        "once for the whole stream: what the LM before left in them is part of its top word",
        13, {"w": 3, "s": 2, "sigma": 2}, 5, 7,
        others=((9, 9), (20, 21), (25, 25)),
    ),
    Erratum(
        "fpmm.E12", ("fpmm",),
        "the top word comes from the next LM at the same iteration",
        "from the next visit, which for the last LM is the next iteration of LM 0",
        13, {"w": 3, "s": 2, "sigma": 1}, 17, 11,
    ),
    Erratum(
        "fpmm.E13", ("fpmm",),
        "a program for one product, like Algorithm 1, where q may be found from u_0",
        "a stream of visits: line 8 takes a word of a later visit, and q comes from v_0, before the carry of the visit "
        "before is added",
        127, {"w": 3, "s": 3, "sigma": 1}, 62, 253,
        Claim("printed", "q = u_0*P' mod W", "FPMM, Algorithm 1, task 2", "q", _after_carry_holds),
    ),
    Erratum(
        "fpmm.E14", ("cios", "fpmm"),
        "T = A*B*2^-m mod P with P' = -P^-1 mod W",
        "P' finds one word of Q; T = (A*B + Q*P) / 2^m needs -P^-1 mod 2^m for Q as a whole",
        13, {"w": 3, "s": 2}, 17, 11,
        about_result("T * 2^m = A*B + (A*B*P' mod 2^m)*P", "FPMM, Algorithm 1", _narrow_inverse_holds),
    ),
    FormulaErratum(
        "fpmm.E1", ("fpmm",),
        "lambda = alpha*sigma*(s-1) + alpha_min + s + epsilon",
        "lambda = alpha*(s-1) + alpha_min + s + epsilon: alpha = sigma*theta contains sigma",
        "fpmm", "lambda",
        (("F44B", 128), ("F28B", 256), ("F48B", 256)),
        lambda unit: unit.alpha * unit.sigma * (unit.s - 1) + unit.alpha_min + unit.s + unit.epsilon,
        lambda unit: unit.latency,
    ),
    FormulaErratum(
        "fpmm.E2", ("fpmm",),
        "sigma_min = ceil(alpha_min/w)",
        "sigma_min = ceil(alpha_min/theta)",
        "fpmm", "sigma_min",
        (("F44B", 128), ("F35B", 128), ("F28B", 256)),
        lambda unit: -(-unit.alpha_min // unit.w),
        lambda unit: unit.sigma_min,
    ),
    FormulaErratum(
        "fpmm.E3", ("fpmm",),
        "Lambda(k) = tau*floor((k-1)/sigma) + theta*(k - 1 mod sigma) + lambda",
        "(k-1) mod sigma, not k - (1 mod sigma)",
        "fpmm", "Lambda(8)",
        (("F44B", 128), ("F48B", 256)),
        lambda unit: unit.interval * (7 // unit.sigma) + unit.theta * (8 - 1 % unit.sigma) + unit.latency,
        lambda unit: unit.time(8),
    ),
    FormulaErratum(
        "fpmm.E6", ("fpmm",),
        "tau is less than lambda",
        "lambda - tau = alpha_min - alpha + s + epsilon, which is negative with many LMs",
        "fpmm", "1 if tau is less than lambda",
        (("F48B", 256), ("S48B", 256)),
        lambda unit: 1,
        lambda unit: int(unit.interval < unit.latency),
    ),
    FigureErratum(
        "fpmm.E18", ("fpmm",),
        "mean rates per resource of F44D on Virtex-7 and of MA16 on Virtex-5 in Table IV",
        "they are no means of the four rates beside them; the second one has its point in the wrong place",
        "fpmm",
    ),
)  # fmt: skip
