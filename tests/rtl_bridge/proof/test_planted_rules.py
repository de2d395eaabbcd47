# SPDX-License-Identifier: Apache-2.0
"""Unsound rules that are planted: the solvers, or values, reject each of them."""

from collections.abc import Callable

import pytest

from tests.rtl_bridge.proof.rules.planted import INTEGERS, PLANTED, RULES, SUMS, Planted
from tests.rtl_bridge.proof.rules.solvers import by_bitwuzla
from tests.rtl_bridge.proof.rules.trials import integers_hold, sums_hold
from tests.rtl_bridge.proof.test_rules import asked

WIDTHS = (1, 2, 3)


def rules_hold(planted: Planted) -> None:
    """Raises AssertionError where the solver finds a value for which the rules of the changed method are wrong."""
    method = planted.function.rpartition(".")[2].replace("_carried", "added_up")
    for width in WIDTHS:
        for question in asked.__wrapped__(width, method):
            assert not question.broken(by_bitwuzla)


TRIALS: dict[str, Callable[[Planted], None]] = {
    RULES: rules_hold, SUMS: lambda planted: sums_hold(), INTEGERS: lambda planted: integers_hold()
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.title)
def test_an_unsound_rule_is_rejected(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.plant(monkeypatch)
    with pytest.raises(AssertionError):
        TRIALS[planted.trial](planted)


@pytest.mark.parametrize("trial", [SUMS, INTEGERS])
def test_no_rule_is_rejected_as_it_is(trial: str) -> None:
    TRIALS[trial](PLANTED[0])
