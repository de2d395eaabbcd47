# SPDX-License-Identifier: Apache-2.0
"""The range of each digit in the redundant multiplier, and the value that each vector of digits is worth."""

from limbtrace.refmodels.model import Claim, Index, Run, Symbol, at_most, one_bit
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant.redundant.algorithm import CIRCUIT, MENDED, NUMBERS, Redundant
from limbtrace.refmodels.representations import low, value_of


def _p_limit(run: Run[Redundant], _: Index) -> int:
    return run.params.serial.largest * run.params.parallel.largest


def k_limit(run: Run[Redundant], index: Index) -> int:
    """Limit of a digit of K."""
    p = run.params
    return redundant.product_limit(p.r1, p.r2) if index[1] else (1 << p.r2) - 1


def _w_limit(run: Run[Redundant], _: Index) -> int:
    p = run.params
    return p.largest_quotient * ((1 << p.r2) - 1)


def t_limit(run: Run[Redundant], index: Index) -> int:
    """Three slices of W and the two parts of digits of S; in T_0, the low parts of W_0 and S_0: 0 or 2^r2."""
    p = run.params
    if index[1] == 0:
        return 1 << p.r2
    ones = (1 << p.r2) - 1
    return 3 * ones + (p.largest_quotient * ones >> 2 * p.r2) + (_inner_digit(p) >> p.r2)


def _u_limit(run: Run[Redundant], index: Index) -> int:
    s = run.params.r1 - run.params.r2
    return (t_limit(run, (0, 1)) >> s) + (((1 << s) - 1) << (run.params.r2 - s)) + int(index[1] == 0)


def s_limit(run: Run[Redundant], index: Index) -> int:
    """Limit of a digit of S."""
    p = run.params
    if index[1] == p.ds - 1:
        return (1 << p.r2) - 1
    return (2 << p.r2) - 2 if index[1] == 0 and not p.fused else _inner_digit(p)


def _inner_digit(p: Redundant) -> int:
    """Limit of a digit of S that is neither the lowest nor the highest."""
    return (2 << p.r2) + ((3 << (2 * p.r2 - p.r1)) + 2 if p.fused else 4)


VOCABULARY: tuple[Symbol[Redundant], ...] = (
    Symbol("S", "i, j", "digit j of the accumulator after i iterations",
           "<= 2^(r2+1) + 4, in the fused form 2^(r2+1) + 3*2^(2*r2-r1) + 2; S_0 <= 2^(r2+1) - 2 if not fused, and "
           "the highest digit < 2^r2", s_limit, where=NUMBERS),
    redundant.tail_symbol("2^r1"),
    Symbol("a", "i", "digit i of A, overlap bits included", "< 2^(r1+2), and a_(ma+2) = 0",
           lambda run, index: run.params.serial.largest if index[0] < run.params.passes else 0),
    Symbol("q", "i", "quotient digit: S mod 2^r1",
           "< 2^r1; where it keeps its carry, at most 2^r1 - 1 + 3*2^r2, or 2^(r1+1) - 2 for r1 = r2",
           lambda run, _: run.params.largest_quotient, where=MENDED),
    Symbol("P", "i, j", "a_i*B_j", "<= (2^(r1+2) - 1)*(2^(r2+2) - 1)", _p_limit),
    Symbol("K", "i, j", "digit j of a_i*B", "<= 2*(2^r2 - 1) + 2^(r1+4-r2) - 1, and K_0 < 2^r2", k_limit),
    Symbol("W", "i, j", "q_i times digit j of M~; q' times digit j of M in the tail step",
           "<= (2^r1 - 1)*(2^r2 - 1); where q keeps its carry, the largest q times 2^r2 - 1", _w_limit),
    Symbol("T", "i, j", "digit j of S + q_i*M~",
           "<= 3*(2^r2 - 1) + (q_max*(2^r2 - 1) >> 2*r2) + (S_max >> r2), and T_0 <= 2^r2", t_limit),
    Symbol("c", "i", "carry of the r1 bits that the shift drops", "one bit", one_bit),
    Symbol("U", "i, j", "digit j of T / 2^r1; not in the fused form",
           "<= (T_max >> s) + (2^s - 1)*2^(r2-s) with s = r1 - r2, and one more in U_0", _u_limit, where=MENDED),
)  # fmt: skip


def _value(run: Run[Redundant], name: str, i: int, count: int) -> int:
    """The value of the first `count` digits of a vector."""
    return int(value_of([run.at(name, i, j) for j in range(count)], run.params.r2))


def _valid_digit(run: Run[Redundant], _: Index) -> int:
    """Limit of a digit with its overlap bits."""
    return run.params.accumulator.largest


def _p_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    i, j = index
    return j < run.params.d - 1 or _value(run, "P", i, run.params.d) == run.at("a", i) * run.b


def _k_holds(run: Run[Redundant], index: Index, value: int) -> bool:
    p = run.params
    i, j = index
    fits = j < p.ds or value == 0
    return fits and (j <= p.d or _value(run, "K", i, p.d + 2) == run.at("a", i) * run.b)


def _t_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j < p.ds:
        return True
    total = _value(run, "T", i, p.ds + 1)
    return total % p.radix == 0 and total == _value(run, "S", i, p.ds) + redundant.added_multiple(run, i)


def _c_holds(run: Run[Redundant], index: Index, value: int) -> bool:
    p = run.params
    (i,) = index
    s = p.r1 - p.r2
    ends = run.at("T", i, 0) == value << p.r2 and low(run.at("T", i, 1), s) == ((1 << s) - 1) * value
    return ends and value == (low(run.at("q", i), p.r2) != 0)


def _u_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    return j < p.ds - 1 or _value(run, "U", i, p.ds) << p.r1 == _value(run, "T", i, p.ds + 1)


def _s_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j < p.ds - 1:
        return True
    S = _value(run, "S", i, p.ds)
    shifted = i == 0 or S << p.r1 == _value(run, "T", i - 1, p.ds + 1) + (run.at("a", i - 1) * run.b << p.r1)
    return shifted and (not p.closed or redundant.state(run, i) == S)


def _operand_holds(run: Run[Redundant], _: Index, value: int) -> bool:
    p = run.params
    return value > p.limits[1] or not any(run.at("S", p.passes + 1, j) for j in range(p.d, p.ds))


CLAIMS: tuple[Claim[Redundant], ...] = (
    Claim("q is a digit of S", "q = S mod 2^r1", MENDED, "q",
          lambda run, index, value: (value - _value(run, "S", index[0], run.params.ds)) % run.params.radix == 0),
    Claim("value of P", "P_j = a_i*B_j, and the digits B_j add up to B", CIRCUIT, "P", _p_holds),
    Claim("value of K", "K = a_i*B, and the digits that S has no place for are 0", MENDED, "K", _k_holds),
    at_most("T", "T_j < 2^(r2+2)", CIRCUIT, _valid_digit),
    Claim("value of T", "T = S + q*M~ is a multiple of 2^r1; S + q'*M in the tail step", MENDED, "T", _t_holds),
    Claim("the carry of the dropped bits", "c = 1 exactly if q mod 2^r2 is not 0: T_0 is 0 or 2^r2, and T_1 ends "
          "in zeros or ones", MENDED, "c", _c_holds),
    at_most("U", "U_j < 2^(r2+2)", MENDED, _valid_digit),
    Claim("value of U", "U = T / 2^r1", MENDED, "U", _u_holds),
    Claim("value of S", "S = T / 2^r1 + a_i*B, and S after i iterations is "
          "(A_(i-1)*B + Q_(i-1)*M~) / 2^(r1(i-1)) + a_(i-1)*B", MENDED, "S", _s_holds),
    Claim("the result is an operand", "S fits the digits of B", MENDED, None, _operand_holds),
    *redundant.SHARED_CLAIMS,
)  # fmt: skip
