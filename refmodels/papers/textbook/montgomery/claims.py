# SPDX-License-Identifier: Apache-2.0
"""Ranges and claims about a reduction, of a product or of any other dividend."""

from collections.abc import Callable
from typing import Any

from limbtrace.refmodels.model import Claim, Index, Run, Symbol
from limbtrace.refmodels.papers.textbook.montgomery.algorithm import SOURCE, Reduction


def _below_domain(run: Run[Any], _: Index) -> int:
    return int(run.params.domain) - 1


def reduction_symbols() -> tuple[Symbol[Any], ...]:
    """The symbols after the dividend."""
    return (
        Symbol("m", "", "T*p' mod R", "< R", _below_domain),
        Symbol("t", "", "(T + m*p)/R", "<= largest T/R + p", lambda run, _: run.params.largest_sum),
        Symbol("sub", "", "how often p is subtracted", "<= t/p", lambda run, _: run.params.most_subtractions),
        Symbol("Z", "", "t - sub*p", "< p", lambda run, _: run.params.modulus - 1),
    )


VOCABULARY: tuple[Symbol[Reduction], ...] = (
    Symbol("T", "", "the product, a*b", "<= (below - 1)^2", lambda run, _: run.params.largest_product),
    *reduction_symbols(),
)  # fmt: skip


def reduction_claims(dividend: Callable[[Run[Any]], int]) -> tuple[Claim[Any], ...]:
    """Claims about the reduction of a dividend."""

    def congruent(run: Run[Any], value: int) -> bool:
        return bool((value * run.params.domain - dividend(run)) % run.params.modulus == 0)

    return (
        Claim("value of m", "T + m*p is a multiple of R", SOURCE, "m",
              lambda run, _, value: (dividend(run) + value * run.params.modulus) % run.params.domain == 0),
        Claim("value of t", "t*R = T + m*p", SOURCE, "t",
              lambda run, _, value: value * run.params.domain == dividend(run) + run.at("m") * run.params.modulus),
        Claim("value of sub", "sub = floor(t/p)", SOURCE, "sub",
              lambda run, _, value: value == run.at("t") // run.params.modulus),
        Claim("value of Z", "Z*R = T modulo p", SOURCE, "Z", lambda run, _, value: congruent(run, value)),
        Claim("result", "result*R = T modulo p", SOURCE, None, lambda run, _, value: congruent(run, value)),
    )  # fmt: skip


CLAIMS: tuple[Claim[Reduction], ...] = (
    Claim("value of T", "T = a*b", SOURCE, "T", lambda run, _, value: value == run.a * run.b),
    *reduction_claims(lambda run: run.a * run.b),
)  # fmt: skip
