# SPDX-License-Identifier: Apache-2.0
"""Ranges and claims about the chain of squarings: every value is a power of x, and none outgrows its digits."""

from limbtrace.refmodels.model import Claim, Index, Run, Symbol, at_most
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.llmonpro.vdf.algorithm import SECTION, Vdf, closed_form, powers

VOCABULARY: tuple[Symbol[Vdf], ...] = (
    Symbol("x_mont", "0", "x*R modulo M", "< M; at most 2(1 + (2k-2)/beta)M where x enters by a product",
           lambda run, _: run.params.value_limit if run.params.entry else run.params.modulus - 1),
    Symbol("z", "i", "value of the digits after squaring i, 1 to t", "<= 2(1 + (2k-2)/beta)M",
           lambda run, _: run.params.value_limit),
    Symbol("y", "", "the last value times 1/R, below M: x^(2^t) mod M", "< M", below_modulus),
)  # fmt: skip


def _power_holds(run: Run[Vdf], index: Index, value: int) -> bool:
    p = run.params
    (power,) = powers(p, run.a, index)
    return (value - power * p.domain) % p.modulus == 0


CLAIMS: tuple[Claim[Vdf], ...] = (
    Claim("value of x_mont", "x_mont = x*R modulo M", SECTION, "x_mont",
          lambda run, _, value: (value - run.params.enter(run.a)) % run.params.modulus == 0),
    at_most("z", "every value is below R, so that digit k is 0", SECTION, lambda run, _: run.params.domain - 1),
    Claim("value of z", "the value after squaring i is x^(2^i)*R modulo M", SECTION, "z", _power_holds),
    Claim("value of y", "y = x^(2^t) mod M", SECTION, "y",
          lambda run, _, value: value == closed_form(run.params, run.a, 0)),
)  # fmt: skip
