# SPDX-License-Identifier: Apache-2.0
"""The schedules of the cores barrett_pipeline and barrett_reducer against a simulator of their registers."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from limbtrace.refmodels.architecture import Shape, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES

Row = dict[str, int | None]
CORES = ("barrett_pipeline", "barrett_reducer")
SHAPES: list[tuple[int, dict[str, str | int]]] = [
    (3329, {}), (8380417, {"beta": 0}), (1000, {"corrections": 3}), (2**60 - 93, {"alpha": 60, "beta": -60}),
    (1024, {}), (2**64 - 59, {"width": 100}),
]  # fmt: skip


class Machine:
    """The registers, clocked: each edge computes all of them from those before it, with shifts and masks alone."""

    def __init__(self, shape: Shape, multiplies: bool) -> None:
        self.p, self.named, self.multiplies = shape.params.modulus, shape.params.named, multiplies
        self.N = self.p.bit_length()
        self.mu = (1 << self.N + self.named["alpha"]) // self.p
        self.state: Row = dict.fromkeys(["a", "b", "x", "qhat", "xlow", "qplow", "xlow2", "rhat"])
        self.state |= dict.fromkeys(self.rests)
        self.valid = [0] * ((2 if multiplies else 1) + 3 + self.named["corrections"])

    @property
    def rests(self) -> list[str]:
        return [f"R{i}" for i in range(1, self.named["corrections"] + 1)]

    def clock(self, operands: tuple[int, int] | None) -> Row:
        """The valid of this cycle and the registers after the edge that ends it."""
        s, named, mask = self.state, self.named, (1 << self.named["width"]) - 1
        seen = self.valid[-1]
        self.valid = [int(operands is not None), *self.valid[:-1]]
        new: Row = {}
        a, b = operands or (s["a"], s["b"])
        new["a"], new["b"] = a, b
        if self.multiplies:
            new["x"] = None if s["a"] is None or s["b"] is None else s["a"] * s["b"]
        else:
            new["x"] = a
        if (x := s["x"]) is not None:
            high = x >> self.N + named["beta"]
            new["qhat"], new["xlow"] = high * self.mu >> named["alpha"] - named["beta"], x & mask
        if (qhat := s["qhat"]) is not None:
            new["qplow"], new["xlow2"] = qhat * self.p & mask, s["xlow"]
        if (product := s["qplow"]) is not None and (low := s["xlow2"]) is not None:
            new["rhat"] = low - product & mask
        for before, after in zip(["rhat", *self.rests], self.rests, strict=False):
            if (rest := s[before]) is not None:
                new[after] = rest - self.p if rest >= self.p else rest
        self.state = {name: new.get(name) for name in s}
        return {**self.state, "valid": seen}


def table(core: str, shape: Shape, pairs: list[tuple[int, int]]) -> list[Row]:
    """The rows of a stream as the schedule has them."""
    arch = ARCHITECTURES[core]
    plan = arch.plan(shape)
    found: Any = list(arch.products(shape, [TimedPair(a, b) for a, b in pairs], plan))
    for product, (a, b) in zip(found, pairs, strict=True):
        assert product.result == arch.model.result(shape.params, a, b)
    names = [column.name for column in plan.columns]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*found[0].table, strict=True)]


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(("p", "settings"), SHAPES)
def test_every_register_in_every_cycle(core: str, p: int, settings: dict[str, str | int]) -> None:
    shape, random = ARCHITECTURES[core].resolve(p, settings), Random(p)
    starts = [0, 1, 2, 5, 6, 20]
    shape = replace(shape, starts=tuple(starts))
    a_most, b_most = shape.params.limits
    pairs = [(random.randint(0, a_most), random.randint(0, b_most)) for _ in starts]
    machine = Machine(shape, core == "barrett_pipeline")
    for cycle, row in enumerate(table(core, shape, pairs)):
        seen = machine.clock(pairs[starts.index(cycle)] if cycle in starts else None)
        expected = {name: seen[name] for name in row}
        assert row == expected, cycle


@pytest.mark.parametrize(("core", "latency"), [("barrett_pipeline", 6), ("barrett_reducer", 5)])
def test_latency_and_interval(core: str, latency: int) -> None:
    arch = ARCHITECTURES[core]
    for corrections in (1, 2, 3):
        costs = {cost.name: cost.value(arch.resolve(3329, {"corrections": corrections})) for cost in arch.costs}
        assert costs == {"cycles": latency + corrections - 1, "interval": 1}


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [({"corrections": 4}, r"^corrections: 4: the pipeline is built with 1 to 3 corrections$"),
     ({"corrections": 0, "beta": -11}, r"^corrections: 0: the pipeline is built with 1 to 3 corrections$"),
     ({"width": 30}, r"^width: 30: the pipeline takes x of 22 bits and no wider difference$")],
)  # fmt: skip
def test_what_the_pipeline_is_not_built_for(core: str, settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        ARCHITECTURES[core].resolve(1024, settings)


@pytest.mark.parametrize("core", CORES)
def test_there_is_a_register_for_one_correction(core: str) -> None:
    """mu of a power of two is exact, and no correction is needed where all of x is read."""
    assert ARCHITECTURES[core].model.resolve(1024, {"beta": -11}).corrections == 0
    assert ARCHITECTURES[core].resolve(1024, {"beta": -11}).params.corrections == 1
