# SPDX-License-Identifier: Apache-2.0
"""Both readings of the paper's layers: totals, one multiplication at a time, and operands that are there in time."""

from itertools import pairwise
from random import Random

import pytest

from limbtrace.refmodels.architecture import Shape, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.sidh import layers
from limbtrace.refmodels.papers.sidh.layers import M1, M2, Issue
from limbtrace.refmodels.papers.sidh.units import MULTIPLICATIONS
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import ARCHITECTURES

ARCH, CORE = ARCHITECTURES["hffm_layers"], ARCHITECTURES["hffm"]
P434 = CATALOGUE["sike-p434"].modulus
NEEDS = ((0, 3), (1, 4), (2, 4), (3, 4), (4, 5))
"""Multiplications of a product, each with one that needs its result."""
each_reading = pytest.mark.parametrize("reading", [0, 1])

# The cycles in which multiplications begin, those of the first product of a pair before those of the second.
BEGINS = {0: (0, 4, 8, 12, 36, 45, 20, 24, 28, 32, 41, 50), 1: (0, 4, 8, 12, 32, 41, 16, 20, 24, 28, 37, 46)}


def stream(shape: Shape, count: int) -> Shape:
    """That many products, each started as early as possible."""
    return ARCH.loaded(shape, [start for _, start in ARCH.placed(shape, [TimedPair(1, 1)] * count)])


@each_reading
def test_totals_and_dependencies(reading: int) -> None:
    """66 and 54 cycles; layers 10 and 13, as the reading counts, have one cycle, and each of them is needed."""
    assert (layers.total(reading), layers.pair(reading)) == (66, 54)
    at = layers.issues(reading)
    assert tuple(at[issue] for issue in (*M1, *M2)) == BEGINS[reading]
    lengths = [after - before for before, after in pairwise(layers.begins(reading))]
    assert [layer + reading for layer, length in enumerate(lengths) if length == 1] == [10, 13]
    for product in (0, 1):
        for needed, by in NEEDS:
            assert at[Issue(product, by)] >= at[Issue(product, needed)] + 9
    for needed, by in NEEDS[3:]:  # a short layer waits for the second product, which has no cycle to lose
        assert at[Issue(1, by)] == at[Issue(1, needed)] + 9
    slots = [(cycle + quarter) % 54 for cycle in at.values() for quarter in range(4)]
    assert len(slots) == len(set(slots)) == 48
    assert len(layers.PRODUCTS) == len(MULTIPLICATIONS) == 6


def test_the_first_reading_is_that_of_the_core() -> None:
    """Multiplications begin in the same cycles of a stream; its row 0 is one row earlier."""
    ours, core = ARCH.resolve(P434, {}), CORE.resolve(P434, {})
    jobs = [TimedPair(P434 - 1 - k, P434 - 2) for k in range(6)]
    ours = stream(ours, 6)
    assert [start for _, start in CORE.placed(core, jobs)] == list(ours.starts)
    core = CORE.loaded(core, list(ours.starts))
    (first, *_), (second, *_) = (
        list(arch.products(shape, jobs, arch.plan(shape))) for arch, shape in ((ARCH, ours), (CORE, core))
    )
    names = [[column.name for column in arch.columns(shape)] for arch, shape in ((ARCH, ours), (CORE, core))]
    for name in ("mul", "quarter"):
        cells = first.table[names[0].index(name)]
        theirs = second.table[names[1].index(name)][1 : 1 + len(cells)]
        assert [x for x, y in zip(theirs, cells, strict=True) if y is not None] == [y for y in cells if y is not None]


@each_reading
@pytest.mark.parametrize("form", ["corrected", "printed"])
def test_every_cell(reading: int, form: str) -> None:
    """Operands over four cycles, products from the eighth cycle on, results at the end of the pair."""
    shape = stream(ARCH.resolve(P434, {"first_layer": reading, "form": form}), 5)
    period, second = layers.pair(reading), layers.second(reading)
    assert shape.starts == tuple(period * (k // 2) + second * (k % 2) for k in range(5))
    rng = Random(reading)
    jobs = [
        TimedPair(P434 - 1, P434 - 1),
        *(TimedPair(rng.randrange(P434 + 1), rng.randrange(P434 + 1)) for _ in range(4)),
    ]
    plan = ARCH.plan(shape)
    products = list(ARCH.products(shape, jobs, plan))
    names = [column.name for column in plan.columns]
    table = dict(zip(names, products[0].table, strict=True))
    assert plan.cycles == 2 * period + 66
    N, D = shape.params.N, shape.params.D
    seen = 0
    for k, job in enumerate(jobs):
        run = ARCH.model.run(shape.params, job.a, job.b)
        values = {name: value for name, _, value in run.steps} | {"f*l^b": D, "x": shape.params.barrett.x}
        for j, multiplication in enumerate(MULTIPLICATIONS):
            begins = period * (k // 2) + layers.issues(reading)[Issue(k % 2, j)]
            x, y = values[multiplication.x], values[multiplication.y]
            for row in range(begins, begins + 4):
                assert (table["x"][row], table["y"][row], table["mul"][row]) == (x, y, j)
                assert (table["issue"][row], table["second"][row], table["quarter"][row]) == (1, k % 2, row - begins)
                assert (table["low"][row + 6], table["xy"][row + 7]) == (x * y % 2**N, x * y)
                seen += 1
        digits = divmod(table[f"r{k % 2}"][period * (k // 2) + 65] or 0, 2**N)
        assert digits[0] * D + digits[1] == products[k].result == run.result
    assert sum(table["issue"]) == seen == 5 * 24  # type: ignore[arg-type]
    for name in ("x", "y", "mul", "second", "quarter"):
        assert sum(cell is not None for cell in table[name]) == seen
    assert table["layer"].count(10) == table["layer"].count(13) == 3


@each_reading
def test_occupation_and_batches(reading: int) -> None:
    shape = stream(ARCH.resolve(11, {"first_layer": reading}), 4)
    units = layers.occupation(shape)
    assert sum(map(bool, units["multiplier"])) == 4 * 24
    assert units["multiplier"][layers.second(reading)] == "1 a1 * b1"
    assert units["layer"][54:58] == [f"2 {reading}"] * 4
    plan = ARCH.plan(shape)
    jobs = [TimedPair(a, b) for a in (3, 10) for b in (0, 1, 7, 11)]
    products = list(ARCH.products(shape, jobs, plan))
    (batch,) = ARCH.batches(shape, jobs, plan)
    assert batch.results == [product.result for product in products] == [job.a * job.b % 11 for job in jobs]
    for at in range(2):
        assert [batch.column(k, at) for k in range(len(plan.columns))] == products[4 * at].table


def test_starts_and_what_is_refused() -> None:
    shape = ARCH.resolve(11, {"first_layer": 1})
    starts = [start for _, start in ARCH.placed(shape, [TimedPair(1, 1, start) for start in (None, 54, None, 200)])]
    assert starts == [0, 54, 70, 200]
    with pytest.raises(ParameterError, match=r"takes one is 54$"):
        list(ARCH.placed(shape, [TimedPair(1, 1), TimedPair(1, 1, 20)]))
    with pytest.raises(ParameterError, match="first_layer: 2 is outside 0 to 1"):
        ARCH.resolve(11, {"first_layer": 2})
