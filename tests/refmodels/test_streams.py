# SPDX-License-Identifier: Apache-2.0
"""Overlapping products: starts, tables and batches of streams, with a toy architecture."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Plan, Shape, TimedPair, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.iddmm.iddmm_arch2 import ARCHITECTURE as ONE_BY_ONE
from tests.rtl_bridge.toys.serial_arch import ARCHITECTURE

PRIME = 0xEA7
SHAPE = ARCHITECTURE.resolve(PRIME, {"w": 8})
GAPS = st.lists(st.integers(0, 40), min_size=1, max_size=7)


def spread(shape: Shape, gaps: list[int]) -> Shape:
    """The shape of a stream whose products start that many rows later than they could."""
    starts: tuple[int, ...] = ()
    for gap in gaps:
        wanted = (starts[-1] if starts else 0) + gap
        starts = (*starts, ARCHITECTURE.next_start(Shape(shape.params, shape.own, starts), wanted))
    return Shape(shape.params, shape.own, starts)


def machine(
    pairs: list[tuple[int, int]], starts: tuple[int, ...], cycles: int, p: int, w: int, s: int
) -> list[dict[str, int]]:
    """A clocked hardware model of the toy: the values of its ports and registers in each row."""
    mask, p_prime = (1 << w) - 1, -pow(p, -1, 1 << w) % (1 << w)
    units = [{"delay": delay * s, "ago": 0, "a": 0, "b": 0, "t": 0, "out": 0} for delay in (4, 2)]
    rows = []
    for row in range(cycles):
        seen = {"ready": int(row % (4 * s) in (0, s)), "unit": int(row % (4 * s) == s), "valid": 0}
        a, b = next(
            ((x >> (w * (row - start)) & mask for x in pair)
             for pair, start in zip(pairs, starts, strict=True) if 0 <= row - start < s),
            (0x5A, 0xA5),
        )  # fmt: skip
        for number, unit in enumerate(units):
            start = int(row in starts and (row % (4 * s) != 0) == bool(number))
            words, ago, delay = (1 << s) - 1, unit["ago"], unit["delay"]
            load, work, leave = start or ago & words >> 1, ago >> (s - 1) & words, ago >> (delay - 1) & words
            total = (0 if ago >> (s - 1) & 1 else unit["t"]) + (unit["a"] & mask) * unit["b"]
            q = seen[f"q{number}"] = total * p_prime & mask
            if leave:
                seen |= {"valid": 1, "tag": number, "r": unit["t"] >> (w * unit["out"]) & mask}
            unit["out"] = unit["out"] + 1 if leave else 0
            if load or work:
                unit["a"] = (unit["a"] | a << w * s) >> w
            if load:
                unit["b"] = (unit["b"] | b << w * s) >> w
            if work:
                unit["t"] = (total + q * p) >> w
            unit["ago"] = (ago << 1 | start) & ((1 << (delay + s - 1)) - 1)
            seen[f"T{number}"] = unit["t"]
        rows.append(seen)
    return rows


@given(gaps=GAPS, s=st.sampled_from([2, 3]), data=st.data())
def test_every_cell_is_that_of_the_machine(gaps: list[int], s: int, data: st.DataObject) -> None:
    shape = spread(ARCHITECTURE.resolve(PRIME, {"w": 8, "s": s}), gaps)
    operand = st.integers(0, 2 * PRIME - 1)
    pairs = [data.draw(st.tuples(operand, operand)) for _ in gaps]
    plan = ARCHITECTURE.plan(shape)
    products = list(ARCHITECTURE.products(shape, [TimedPair(a, b) for a, b in pairs], plan))
    rows = machine(pairs, shape.starts, plan.cycles, PRIME, 8, s)
    assert rows[-1]["valid"]
    for column, cells in zip(plan.columns, products[0].table, strict=True):
        for row, cell in enumerate(cells):
            if cell is not None:
                assert rows[row][column.name] == cell, (column.name, row)
    for product, (a, b), start in zip(products, pairs, shape.starts, strict=True):
        assert (product.a, product.b, product.start) == (a, b, 1 + start)
        assert product.result == ARCHITECTURE.model.result(shape.params, a, b)
        assert product.table is products[0].table


@given(gaps=GAPS, streams=st.integers(1, 5), size=st.integers(1, 4))
def test_a_batch_has_the_tables_of_its_streams(gaps: list[int], streams: int, size: int) -> None:
    shape = spread(SHAPE, gaps)
    jobs = [TimedPair(k * k % PRIME, 3 * k) for k in range(streams * len(gaps))]
    plan = ARCHITECTURE.plan(shape)
    products = list(ARCHITECTURE.products(shape, jobs, plan))
    made = list(ARCHITECTURE.batches(shape, jobs, plan, size))
    assert [len(batch.a) // len(gaps) for batch in made[:-1]] == [size] * (len(made) - 1)
    flat = [
        (a, b, result, start)
        for batch in made
        for a, b, result, start in zip(batch.a, batch.b, batch.results, batch.starts, strict=True)
    ]
    assert flat == [(p.a, p.b, p.result, p.start) for p in products]
    tables = [
        [batch.column(column, at) for column in range(len(plan.columns))]
        for batch in made
        for at in range(len(batch.a) // len(gaps))
    ]
    assert tables == [product.table for product in products[:: len(gaps)]]
    assert all(cells.cells.dtype == np.uint64 for batch in made for cells in batch.columns)


def test_starts_are_the_earliest_ones_or_those_asked_for() -> None:
    def starts(*asked: int | None) -> list[int]:
        return [start for _, start in ARCHITECTURE.placed(SHAPE, [TimedPair(1, 1, start) for start in asked])]

    assert starts(*[None] * 5) == [1, 3, 9, 11, 17]
    assert starts(3, None, 27, None) == [3, 9, 27, 33]
    for asked, number, cycle in (((1, 2), 1, 3), ((0,), 0, 1), ((-7,), 0, 1), ((1, 1), 1, 3), ((9, 3), 1, 11)):
        with pytest.raises(ParameterError) as caught:
            starts(*asked)
        assert str(caught.value) == (
            f"operands: product {number} cannot start in cycle {asked[number]}: "
            f"the next cycle in which serial_toy takes one is {cycle}"
        )


def test_an_architecture_without_overlap_has_no_streams() -> None:
    shape = ONE_BY_ONE.resolve(PRIME, {"k": 4})
    assert ONE_BY_ONE.loaded(shape, [0, 40]) is shape
    assert [ONE_BY_ONE.next_start(replace(shape, starts=starts), 5) for starts in ((), (0,), (0, 40))] == [5, 16, 56]
    assert ARCHITECTURE.loaded(SHAPE, [1, 9]).starts == (0, 8)


def test_the_last_stream_has_to_be_full() -> None:
    shape = spread(SHAPE, [0, 0])
    with pytest.raises(ValueError, match="the last stream has 1 products and not 2"):
        list(ARCHITECTURE.products(shape, [TimedPair(1, 1)] * 3, ARCHITECTURE.plan(shape)))


def test_the_product_behind_a_cell() -> None:
    plan = ARCHITECTURE.plan(spread(SHAPE, [0] * 3))
    names = [column.name for column in plan.columns]
    assert plan.starts == (0, 2, 8)
    assert [plan.product_at(names.index("T0"), row) for row in (2, 9, 10)] == [0, 0, 2]
    assert plan.product_at(names.index("r"), 6) == 1
    assert [plan.product_at(names.index("valid"), row) for row in (1, 2, 7, 8)] == [0, 1, 1, 2]  # the last one started
    silent = Plan([signal("x", 1, "register", "x", lambda row: (row - 1,))], [("x", (0,))], 2, (0,), lambda *_: 7)
    assert silent.product_at(0, 1) == 0


def test_a_stream_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limbtrace.refmodels.architecture.MAX_CELLS", 161)
    with pytest.raises(ParameterError, match=r"radix: the table of a stream of 3 products has 162 cells and the limit"):
        ARCHITECTURE.plan(spread(SHAPE, [0] * 3))


def test_least_cells() -> None:
    assert ARCHITECTURE.least_cells(SHAPE, 3) == (2 * 2 + 10) * 9
    shape = ONE_BY_ONE.resolve(PRIME, {"k": 4})
    assert ONE_BY_ONE.least_cells(shape, 3) == 3 * ONE_BY_ONE.cycles(shape) * len(ONE_BY_ONE.columns(shape))
