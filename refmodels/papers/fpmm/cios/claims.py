# SPDX-License-Identifier: Apache-2.0
"""The range of each symbol of CIOS, its value, and how far the size of P bounds the top words."""

from limbtrace.refmodels.model import Claim, Index, Run, Symbol, at_most
from limbtrace.refmodels.montgomery import below_radix, quotient_claim
from limbtrace.refmodels.papers.fpmm.cios.algorithm import SOURCE, Cios, partial, row_one


def below_square(run: Run[Cios], _: Index) -> int:
    """Limit of a word plus a product of two words."""
    return run.params.radix**2 - run.params.radix


def half_radix(run: Run[Cios], _: Index) -> int:
    """Limit of the carry word that leaves task 1."""
    return run.params.radix // 2


def below_three_quarters(run: Run[Cios], _: Index) -> int:
    """Limit of the top word of T."""
    return (3 * run.params.radix - 1) // 4


def last_word(run: Run[Cios], index: Index) -> bool:
    """True if the second subscript is that of the top word."""
    return index[1] == run.params.digits - 1


VOCABULARY: tuple[Symbol[Cios], ...] = (
    Symbol("v", "i, j", "t_j + a_i*b_j, before the carry", "<= W^2 - W", below_square),
    Symbol("u", "i, j", "low word of v + d", "< W", below_radix),
    Symbol("d", "i, j", "carry of task 1 after word j", "< W", below_radix),
    Symbol("us", "i", "carry word that leaves task 1", "<= W/2", half_radix, where="FPMM, eq. 6 corrected"),
    Symbol("q", "i", "quotient digit", "< W", below_radix),
    Symbol("t", "i, j", "word j of T after task 3; j = -1 is the dropped word", "< W, and the dropped word is 0",
           lambda run, index: run.params.radix - 1 if index[1] >= 0 else 0),
    Symbol("c", "i, j", "carry of task 3 after word j", "< W, and <= W/4 after the row",
           lambda run, index: run.params.radix // 4 if last_word(run, index) else run.params.radix - 1),
    Symbol("ts", "i", "top word of T: us + c", "< 3W/4", below_three_quarters),
    Symbol("ovf", "i", "carry out of the top word", "0", lambda run, _: 0),
    Symbol("T", "i", "partial result after pass i", "< B + P", lambda run, _: run.b + run.params.modulus - 1,
           where="FPMM, eq. 5 corrected"),
)  # fmt: skip


def sized(p: Cios, factor: int, otherwise: int) -> int:
    """factor * 2^(w+N-m) if that is an integer: the limit that the size of P sets for the top word."""
    exponent = p.radix_bits + p.bits - p.r_bits
    return factor << exponent if exponent >= 0 else otherwise


def result_claims(reference: str) -> tuple[Claim[Cios], ...]:
    """Claims about the result."""

    def leaves(run: Run[Cios], _: Index, value: int) -> bool:
        P = run.params.modulus
        return run.b != 1 or value < P or value == P == run.a

    return (
        Claim("result", "the result is below 2P", reference, None,
              lambda run, _, value: 0 <= value < 2 * run.params.modulus),
        Claim("leaving the domain", "B = 1 gives at most P, and P only for A = P", reference, None, leaves),
    )  # fmt: skip


def _us_holds(run: Run[Cios], index: Index, value: int) -> bool:
    p = run.params
    return value == row_one(p, run.a, run.b, index[0]) >> p.r_bits


def _c_holds(run: Run[Cios], index: Index, value: int) -> bool:
    p = run.params
    i, j = index
    row = row_one(p, run.a, run.b, i)
    return j < p.digits - 1 or value == (row % p.domain + run.at("q", i) * p.modulus) >> p.r_bits


CLAIMS: tuple[Claim[Cios], ...] = (
    at_most("us", "us <= 2^(w+N+1-m) when N + w >= m", SOURCE,
            lambda run, _: sized(run.params, 2, run.params.radix)),
    at_most("ts", "ts < 3*2^(w+N-m) when N + w >= m", SOURCE,
            lambda run, _: sized(run.params, 3, run.params.radix + 1) - 1),
    at_most("c", "c <= 2^(w+N-m) after the row when N + w >= m", SOURCE,
            lambda run, index: sized(run.params, 1, run.params.radix) if last_word(run, index)
            else run.params.radix),
    Claim("value of T", "T = (A_i*B + Q_i*P) / 2^((i+1)w) after pass i", SOURCE, "T",
          lambda run, index, value: value == partial(run.params, run.a, run.b, index[0])),
    Claim("value of us", "us = (T + a_i*B) >> m", SOURCE, "us", _us_holds),
    Claim("value of c", "c after the row = (((T + a_i*B) mod 2^m) + q*P) >> m", SOURCE, "c", _c_holds),
    quotient_claim("value of q", "q", "q_i is digit i of -A*B*P^-1 mod 2^m", SOURCE),
    *result_claims(SOURCE),
)  # fmt: skip
