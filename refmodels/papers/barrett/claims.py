# SPDX-License-Identifier: Apache-2.0
"""The symbols of Barrett's reductions with their ranges, and claims about the estimate."""

from collections.abc import Callable
from typing import Any

from limbtrace.refmodels.integer_models import largest
from limbtrace.refmodels.model import Claim, Index, Run, Symbol, one_bit
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.barrett.family import REFERENCE, Estimate


def _quotient(run: Run[Estimate], _: Index) -> int:
    return run.at("x") // run.params.modulus


def _after(run: Run[Estimate], index: Index) -> int:
    """The largest remainder after so many subtractions."""
    params = run.params
    return max(params.short + 1 - index[0], 1) * params.modulus - 1


def vocabulary(what: str, most: str) -> tuple[Symbol[Any], ...]:
    """All symbols; `what` is x, and `most` its limit as text."""
    return (
        Symbol("x", "", what, f"<= {most}", largest(lambda p: int(p.largest_dividend))),
        Symbol("x1", "", "x without its low bits, floor(x / 2^(N+beta))", "< 2^(bits of x - N - beta)",
               largest(lambda p: int(p.largest_dividend) >> p.dropped)),
        Symbol("y", "", "x1*mu", "<= x1*2^(alpha+1)", largest(lambda p: (int(p.largest_dividend) >> p.dropped) * p.mu)),
        Symbol("qhat", "", "the estimate q^, floor(y / 2^(alpha-beta))", "from floor(x/p) - c to floor(x/p)", _quotient,
               least=lambda run, index: max(_quotient(run, index) - run.params.short, 0)),
        Symbol("xlow", "", "the low bits of x", "< 2^width", _below_width),
        Symbol("qplow", "", "the low bits of q^*p", "< 2^width", _below_width),
        Symbol("rhat", "", "x - q^*p", "< (c + 1)*p", largest(lambda p: (p.short + 1) * p.modulus - 1)),
        Symbol("corr", "i", "whether p is subtracted for the i-th time", "0 or 1", one_bit),
        Symbol("R", "i", "what remains then", "< (c + 1 - i)*p, or < p", _after),
        Symbol("q", "", "the quotient, q^ and all corr", "floor(x/p)", _quotient, least=_quotient),
        Symbol("r", "", "the remainder", "< p", below_modulus),
    )  # fmt: skip


def _below_width(run: Run[Estimate], _: Index) -> int:
    return int((1 << run.params.width) - 1)


def claims(value: Callable[[Run[Any]], int]) -> tuple[Claim[Any], ...]:
    """Claims about x, which is `value`, about the estimate and about the result."""

    def loss(run: Run[Estimate], _: Index, seen: int) -> bool:
        """As the docstring of `family` has it: k*p + r - p is below E*p exactly for k up to q - q^."""
        params = run.params
        least = run.at("x") % params.modulus + (run.at("q") - seen - 1) * params.modulus << params.shift
        return least < params.loss(run.at("x")) <= least + (params.modulus << params.shift)

    return (
        Claim("value of x", "x is what is reduced", REFERENCE, "x", lambda run, _, seen: seen == value(run)),
        Claim("loss of the estimate", "q^ is floor(x/p) - k for the k with r + (k-1)*p < x0 + x1*m0/2^t <= r + k*p",
              REFERENCE, "qhat", loss),
        Claim("difference", "rhat = x - q^*p, of which the low bits are all", REFERENCE, "rhat",
              lambda run, _, seen: seen == run.at("x") - run.at("qhat") * run.params.modulus),
        Claim("result", "the result is x mod p, in [0, p)", REFERENCE, None,
              lambda run, _, seen: seen == value(run) % run.params.modulus),
    )  # fmt: skip
