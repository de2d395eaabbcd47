# SPDX-License-Identifier: Apache-2.0
"""Prices of requests agree with what they take, up to how fast this machine is."""

import math

from limbtrace.service.http import cost_model
from tools.prices import (
    FILE,
    Sample,
    document_sample,
    fitted,
    fp2_sample,
    measured,
    samples,
    set_sample,
    table_sample,
    trace_sample,
)

ATTEMPTS = 4
"""Others compute at the same time, and what they take from the caches counts as our time: the least time is ours."""


def test_prices_are_right_within_a_factor_of_4() -> None:
    """Requests that were not measured for the fit; what all take together says how fast the machine is."""
    asked = [
        set_sample("cios", "p384", 4000, "random"),  # larger ones are written by C, in less than their price
        set_sample("iddmm2", "2^2048-1942289", 800, "directed"),
        set_sample("mwr2kmm", "p521", 1500, "mixed", "csv"),
        set_sample("fpmm", "p384", 1500, "directed", "json"),
        set_sample("redundant", "p521", 40, "chained"),
        set_sample("vdf", "2^2048-1942289", 1, "random", t="40000"),
        set_sample("iddmm2", "p384", 100, "random", form="printed", radix="2^16"),
        trace_sample("iddmm2", "2^2048-1942289"),
        table_sample("iddmm_arch2", "p384", 60),
        fp2_sample("sike-p503", 300, True),
        document_sample("cios", "p521", 4000, False),
        document_sample("cios", "p384", 150, True),
    ]
    least = {sample.name: measured(sample) for sample in asked}
    for _ in range(ATTEMPTS):
        ratios = {sample.name: cost_model.seconds(sample.amounts) / least[sample.name] for sample in asked}
        middle = math.sqrt(min(ratios.values()) * max(ratios.values()))
        wrong = {name: ratio / middle for name, ratio in ratios.items() if not 1 / 4 <= ratio / middle <= 4}
        if not wrong:
            break
        least = {sample.name: min(least[sample.name], measured(sample)) for sample in asked}
    assert not wrong, (wrong, middle)


def test_every_amount_that_is_measured_has_a_coefficient() -> None:
    names = {name for sample in samples() for name in sample.amounts}
    assert names == set(cost_model.coefficients())
    assert all(value >= 0 for value in cost_model.coefficients().values())
    assert FILE.name == cost_model.FILE


def test_the_fit_finds_coefficients_again() -> None:
    true = {"a": 2.0, "b": 0.01}
    found = []
    for a, b in ((1, 1), (1, 1000), (10, 10), (1000, 1), (3, 300)):
        amounts = cost_model.Amounts({"a": a, "b": b})
        found.append((Sample("", amounts, int), sum(true[name] * amount for name, amount in amounts.items())))
    fit = fitted(found)
    assert all(math.isclose(fit[name], true[name], rel_tol=0.02) for name in true)
