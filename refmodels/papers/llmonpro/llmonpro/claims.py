# SPDX-License-Identifier: Apache-2.0
"""The range of each symbol of LLMonPro, the values of T, Q, S and Z, and how large their low halves can be."""

from collections.abc import Callable

from limbtrace.refmodels.model import Claim, Index, Run, Symbol
from limbtrace.refmodels.montgomery import exact_product
from limbtrace.refmodels.papers.llmonpro.llmonpro.algorithm import MENDED, SOURCE, Llmonpro


def digit_limit(run: Run[Llmonpro], index: Index) -> int:
    """Limit of a digit of T, Q or S."""
    p = run.params
    return p.radix - 1 if index[0] < 2 else p.radix - 1 + min(p.radix - 1, 2 * p.k + 1)


def carry_limit(run: Run[Llmonpro], _: Index) -> int:
    """Limit of the corrected carry."""
    return 2 if run.params.radix >= 4 * run.params.k - 4 else 3


VOCABULARY: tuple[Symbol[Llmonpro], ...] = (
    *(Symbol(name, "j", meaning,
             f"<= beta - 1 + min(beta - 1, 2k + 1); {name}_0, {name}_1 < beta", digit_limit,
             where="LLMonPro, Algorithm 4 corrected")
      for name, meaning in (("T", "digit j of A*B, j up to 2k + 2"), ("Q", "digit j of T0*M'"),
                            ("S", "digit j of Q0*M"))),
    Symbol("carry", "", "(<T0> + <S0>)/R; printed: whether T0 is not 0", "<= 3, and <= 2 where beta >= 4k - 4",
           carry_limit),
    Symbol("E", "j", "T1_j + S1_j, the carry in E_0", "< 4*beta", lambda run, _: 4 * run.params.radix - 1),
    Symbol("Z", "j", "digit j of the result", "<= beta + 2", lambda run, _: run.params.radix + 2),
)  # fmt: skip


def low_half(run: Run[Llmonpro], name: str) -> int:
    """<X0>: the value of the digits of X below k."""
    return _worth(run, name, run.params.k)


def whole(run: Run[Llmonpro], name: str) -> int:
    """The value of all digits of T, Q or S."""
    return _worth(run, name, run.params.shown)


def _worth(run: Run[Llmonpro], name: str, count: int) -> int:
    return sum(run.at(name, i) << (run.params.radix_bits * i) for i in range(count))


def _once(holds: Callable[[Run[Llmonpro]], bool]) -> Callable[[Run[Llmonpro], Index, int], bool]:
    """A predicate about a whole digit vector, evaluated only at its digit 0."""
    return lambda run, index, value: index[0] != 0 or holds(run)


def _low_half_claim(name: str) -> Claim[Llmonpro]:
    def holds(run: Run[Llmonpro]) -> bool:
        p = run.params
        above, beta = p.excess
        value = low_half(run, name)
        return value * beta < p.domain * above and (p.k > 2 or value < p.domain)

    statement = f"<{name}0> < R*(1 + (2k-2)/beta), and < R for k <= 2"
    return Claim(f"low half of {name}", statement, MENDED, name, _once(holds))


def _carry_holds(run: Run[Llmonpro], _: Index, value: int) -> bool:
    return value * run.params.domain == low_half(run, "T") + low_half(run, "S")


def _parts_hold(run: Run[Llmonpro], _: Index, value: int) -> bool:
    R, T0, S0 = run.params.domain, low_half(run, "T"), low_half(run, "S")
    return value == (T0 % R != 0) + T0 // R + S0 // R


def _result_holds(run: Run[Llmonpro], _: Index, value: int) -> bool:
    return value * run.params.domain == run.a * run.b + low_half(run, "Q") * run.params.modulus


def _bound_holds(run: Run[Llmonpro], _: Index, value: int) -> bool:
    p = run.params
    above, beta = p.excess
    return value * p.domain * beta < run.a * run.b * beta + above * p.modulus * p.domain or value == 0


def _reduced_operands_hold(run: Run[Llmonpro], _: Index, value: int) -> bool:
    M = run.params.modulus
    return max(run.a, run.b) >= M or value < 3 * M


CLAIMS: tuple[Claim[Llmonpro], ...] = (
    Claim("value of T", "T = A*B", SOURCE, "T", _once(lambda run: whole(run, "T") == run.a * run.b)),
    Claim("value of Q", "Q = <T0>*M'", SOURCE, "Q",
          _once(lambda run: whole(run, "Q") == low_half(run, "T") * run.params.negative_inverse)),
    Claim("value of S", "S = <Q0>*M", SOURCE, "S",
          _once(lambda run: whole(run, "S") == low_half(run, "Q") * run.params.modulus)),
    *map(_low_half_claim, "TQS"),
    Claim("value of carry", "carry * R = <T0> + <S0>", MENDED, "carry", _carry_holds),
    Claim("carry by parts", "carry = 1, or 0 where R divides <T0>, plus floor(<T0>/R) plus "
          "floor(<S0>/R)", MENDED, "carry", _parts_hold),
    Claim("value of Z", "Z * R = A*B + <Q0>*M", MENDED, None, _result_holds),
    Claim("exact division", "Z is (A*B + q0*M)/R with q0 = -A*B/M mod R, or M more", MENDED, None,
          lambda run, _, value: value - exact_product(run.params, run.a, run.b) in (0, run.params.modulus)),
    Claim("bound", "Z < A*B/R + (1 + (2k-2)/beta)*M", MENDED, None, _bound_holds),
    Claim("reduced operands", "A, B < M give Z < 3M", MENDED, None, _reduced_operands_hold),
)  # fmt: skip
