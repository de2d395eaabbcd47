# SPDX-License-Identifier: Apache-2.0
"""Ranges and claims that the five methods share: the quotient digits, the sum, the final subtraction."""

from limbtrace.refmodels.model import Claim, Index, Run, Symbol, one_bit
from limbtrace.refmodels.montgomery import (
    below_modulus,
    below_radix,
    partial_product,
    quotient_claim,
)
from limbtrace.refmodels.papers.koc.family import Koc


def after(params: Koc, a: int, b: int, i: int) -> int:
    """t after iteration i of a method that scans b, by the closed form; 0 before the first iteration."""
    exponent = params.radix_bits * (i + 1)
    return partial_product(a, b % (1 << exponent), params.modulus, exponent) if i >= 0 else 0


def quotient_below(run: Run[Koc], count: int) -> int:
    """The integer that the first `count` quotient digits stand for."""
    return run.a * run.b * run.params.negative_inverse & (1 << run.params.radix_bits * count) - 1


def final_sum(run: Run[Koc]) -> int:
    """t at the end, before any subtraction."""
    p = run.params
    return run.a * run.b + quotient_below(run, p.digits) * p.modulus >> p.r_bits


def below_both(run: Run[Koc], _: Index) -> int:
    """Limit of a sum t below a + p, which no iteration exceeds."""
    return run.a + run.params.modulus - 1


def below_quotient(run: Run[Koc], index: Index) -> int:
    """Limit of (a*b + Q*p)/W^(i+1), for any Q below W^(i+1)."""
    below = (1 << run.params.radix_bits * (index[0] + 1)) - 1
    return (run.a * run.b + below * run.params.modulus) // (below + 1)


QUOTIENT = Symbol[Koc]("m", "i", "quotient digit: t[0]*p' mod W", "< W", below_radix)

SUBTRACTION: tuple[Symbol[Koc], ...] = (
    Symbol("B", "j", "borrow of t - p into word j", "one bit", one_bit),
    Symbol("D", "j", "word j of t - p", "< W", below_radix),
    Symbol("sub", "", "whether p is subtracted: t[s] is 1, or nothing is borrowed", "one bit", one_bit),
    Symbol("Z", "", "result", "< p", below_modulus),
)


def _borrow_holds(run: Run[Koc], index: Index, value: int) -> bool:
    low = (1 << run.params.radix_bits * index[0]) - 1
    return value == (final_sum(run) & low < run.params.modulus & low)


def _difference_holds(run: Run[Koc], index: Index, value: int) -> bool:
    p = run.params
    difference = final_sum(run) - p.modulus
    return value == difference >> p.radix_bits * index[0] & p.radix - 1


def _result_holds(run: Run[Koc], _: Index, value: int) -> bool:
    p = run.params
    return 0 <= value < p.result_limit and (value * p.domain - run.a * run.b) % p.modulus == 0


def shared_claims(reference: str) -> tuple[Claim[Koc], ...]:
    """Claims about the quotient digits, the subtraction and the result."""

    return (
        quotient_claim("value of m", "m", "m of iteration i is digit i of -a*b*p^-1 mod R", reference),
        Claim("value of B", "B = 1 if the words of t below j are less than those of p", reference, "B", _borrow_holds),
        Claim("value of D", "D is word j of t - p", reference, "D", _difference_holds),
        Claim("value of sub", "sub = 1 if t is not below p", reference, "sub",
              lambda run, _, value: value == (final_sum(run) >= run.params.modulus)),
        Claim("value of Z", "Z = t - sub*p", reference, "Z",
              lambda run, _, value: value == final_sum(run) - run.at("sub") * run.params.modulus),
        Claim("result", "result*R = a*b modulo p, in its range", reference, None, _result_holds),
    )  # fmt: skip
