# SPDX-License-Identifier: Apache-2.0
"""Claims about the chain of squarings: every value of it is a power of x, and none outgrows its digits."""

from limbtrace.refmodels.model import Claim, Index, Run, at_most
from limbtrace.refmodels.papers.llmonpro.vdf.algorithm import SECTION, Vdf, closed_form, powers


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
