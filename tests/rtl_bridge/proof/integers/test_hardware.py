# SPDX-License-Identifier: Apache-2.0
"""Multipliers of many kinds are proved at real widths, and faults of each never are."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.integers.settle import IntegerProof
from tests.rtl_bridge.proof.integers.hardware import BIT_BY_BIT, MULTIPLIERS, Hardware, Multiplier, moduli

LIMIT, PATIENT = 10, 120
"""Seconds for faults, most of which take all of them, and for what is right, on a busy machine."""


def proved(multiplier: Multiplier, p: int, **how: Any) -> bool:
    """Whether it is proved; values confirm it."""
    h = Hardware(p)
    made, expected = multiplier.make(h, **how), h.expected(multiplier.r(h.n))
    found = IntegerProof(h.pool, p, LIMIT if how else PATIENT).equal(made, expected)
    draw = random.Random(p)
    for _ in range(20 if found else 0):
        values = {name: draw.choice((0, 1, p - 1, draw.randrange(p))) for name in ("a0", "b0")}
        seen, wanted = evaluated([made, expected], values)
        assert seen == wanted
    return found


def marks(multiplier: Multiplier, p: int, most: int) -> list[pytest.MarkDecorator]:
    """Wide ones take long, above all those that are wrong; bit by bit at fewer bits than others."""
    most = most if multiplier.make in BIT_BY_BIT else 4 * most
    return [pytest.mark.full] if p.bit_length() > most else []


def good() -> Iterator[Any]:
    for name, multiplier in MULTIPLIERS.items():
        for p in moduli(multiplier):
            yield pytest.param(multiplier, p, id=f"{name}-{p.bit_length()}", marks=marks(multiplier, p, 64))


def faulty() -> Iterator[Any]:
    for name, multiplier in MULTIPLIERS.items():
        for fault, how in multiplier.faults.items():
            for p in moduli(multiplier):
                id = f"{name}-{fault}-{p.bit_length()}"
                yield pytest.param(multiplier, p, how, id=id, marks=marks(multiplier, p, 16))


@pytest.mark.parametrize(("multiplier", "p"), [*good()])
def test_multipliers_are_proved(multiplier: Multiplier, p: int) -> None:
    assert proved(multiplier, p)


@pytest.mark.parametrize(("multiplier", "p", "how"), [*faulty()])
def test_faults_are_not_proved(multiplier: Multiplier, p: int, how: dict[str, Any]) -> None:
    assert not proved(multiplier, p, **how)
