# SPDX-License-Identifier: Apache-2.0
"""Claims about the redundant multiplier: the value that each vector of digits is worth."""

from limbtrace.refmodels.model import Claim, Index, Run, at_most
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant.redundant.algorithm import CIRCUIT, MENDED, Redundant
from limbtrace.refmodels.representations import low, value_of


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
