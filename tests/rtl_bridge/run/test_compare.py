# SPDX-License-Identifier: Apache-2.0
"""Comparison of golden data with bit strings from a simulator."""

from dataclasses import replace

import pytest

from limbtrace.rtl_bridge.protocols.fields import pack
from limbtrace.rtl_bridge.run.compare import Comparator
from limbtrace.rtl_bridge.run.products import CoreOutputs, ExpectedStream
from limbtrace.rtl_bridge.run.rows import PackedRows
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.report.render import hexadecimal
from tests.rtl_bridge.helpers import TOYS, job


@pytest.fixture(scope="module")
def comparator() -> Comparator:
    return settle(job(settings={"radix": "2^4"})).comparator


@pytest.fixture(scope="module")
def expected(comparator: Comparator) -> ExpectedStream:
    asked = job(settings={"radix": "2^4"}, kind="random")
    return next(settle(asked).golden.streams(steps=False, table=True))


def faithful(comparator: Comparator, expected: ExpectedStream, hole: str) -> list[list[str]]:
    """Rows of a core that follows the table, as lists of characters; `hole` for don't care."""
    assert expected.table is not None
    cycles = len(expected.table[0])
    rows = []
    for cycle in range(-1, cycles + 1):
        bits = [hole] * comparator.row_width
        bits[comparator.row_width - 32 :] = f"{cycle % (1 << 32):032b}"
        for watch in comparator.bound.watches:
            cell = expected.table[watch.schedule_column][cycle] if 0 <= cycle < cycles else None
            if cell is not None:
                end = comparator.row_width - comparator.shell.offset(watch)
                bits[end - watch.width : end] = f"{cell:0{watch.width}b}"
        rows.append(bits)
    return rows


def seen(comparator: Comparator, expected: ExpectedStream, rows: list[list[str]]) -> CoreOutputs:
    text = "".join("".join(row) for row in reversed(rows))
    result = f"{expected.result:0{comparator.shell.result_width}b}"
    return CoreOutputs(text, result, len(rows) - 2, taken=True, late=False)


@pytest.mark.parametrize("hole", "01xXzZ")
def test_what_nobody_cares_about_does_not_matter(hole: str, comparator: Comparator, expected: ExpectedStream) -> None:
    assert comparator.check(expected, seen(comparator, expected, faithful(comparator, expected, hole))) is None


@pytest.mark.parametrize("wrong", ["flip", "x"])
def test_every_single_cell_is_compared(wrong: str, comparator: Comparator, expected: ExpectedStream) -> None:
    rows = faithful(comparator, expected, "0")
    assert expected.table is not None
    for watch in comparator.bound.watches:
        for cycle, cell in enumerate(expected.table[watch.schedule_column]):
            position = comparator.row_width - comparator.shell.offset(watch) - 1
            row = rows[cycle + 1]
            before = row[position]
            row[position] = "x" if wrong == "x" else "10"[int(before)]
            found = comparator.check(expected, seen(comparator, expected, rows))
            row[position] = before
            if cell is None:
                assert found is None
            else:
                assert found is not None
                assert (found.signal, found.cycle) == (watch.row.name, cycle)
                assert found.expected == f"{cell:#x}"


def test_the_first_cycle_wins_and_sums_come_before_registers(comparator: Comparator, expected: ExpectedStream) -> None:
    rows = faithful(comparator, expected, "0")
    for row in rows[4:7]:  # cycles 3 to 5
        row[: comparator.row_width - 32] = ["x"] * (comparator.row_width - 32)
    found = comparator.check(expected, seen(comparator, expected, rows))
    assert found is not None
    assert (found.signal, found.cycle) == ("S", 3)
    assert [row[0] for row in found.rows] == ["-1", "0", "1", "2", "3"]


def test_results_and_times(comparator: Comparator, expected: ExpectedStream) -> None:
    good = seen(comparator, expected, faithful(comparator, expected, "0"))
    wrong = comparator.check(expected, replace(good, result="x" + good.result[1:]))
    assert wrong is not None
    assert (wrong.signal, wrong.cycle) == ("result", good.latency)
    early = comparator.check(expected, replace(good, latency=good.latency - 1))
    assert early is not None
    assert (early.signal, early.cycle, early.expected, early.seen) == ("done_o", good.latency - 2, "0x0", "0x1")
    late = comparator.check(expected, replace(good, late=True))
    assert late is not None
    assert (late.signal, late.cycle, late.expected, late.seen) == ("done_o", good.latency - 1, "0x1", "0x0")


@pytest.mark.parametrize(
    ("bits", "text"),
    [("0", "0x0"), ("10110", "0x16"), ("1011x", "0x1x"), ("zzzz0001", "0xz1"), ("1zx", "0xx"), ("", "0xx")],
)
def test_hexadecimal(bits: str, text: str) -> None:
    assert hexadecimal(bits) == text


def test_constants_are_packed_low_field_first() -> None:
    shell = settle(job(settings={"radix": "2^4"})).shell
    word = pack(shell.constants)
    for field in shell.constants:
        assert word & ((1 << field.width) - 1) == field.value, field.name
        word >>= field.width
    assert word == 0


def test_packed_rows_are_the_same_text_and_planes() -> None:
    """Two rows of 40 bits as written by %z: words of values and of x/z flags, low 32 bits first."""
    words = [(0b0011, 0b0101), (0x81, 0x01), (0xFFFFFFFF, 0), (0, 0xFF)]
    rows = PackedRows(b"".join(value.to_bytes(4, "little") for pair in words for value in pair), 40)
    first = "1000000x" + "0" * 28 + "0z1x"
    second = "zzzzzzzz" + "1" * 32
    assert len(rows) == 2
    assert str(rows) == second + first
    values, none = rows.planes
    assert values == 0x00FFFFFFFF << 40 | 0x8100000003
    assert none == 0xFF00000000 << 40 | 0x0100000005


@pytest.mark.parametrize(("prime", "radix"), [("p256", "2^16"), ("2^127-1", "2^64"), ("0xea7", "2^4")])
@pytest.mark.parametrize("count", [3, 130])
def test_steps_of_rows_are_those_of_the_model(prime: str, radix: str, count: int) -> None:
    """Few products are computed one by one, more in columns, and the last of more than one block."""
    run = settle(job(TOYS / "digit_toy", prime, settings={"radix": radix}, count=count, simulator="icarus"))
    model, params = run.bound.multiplier.model, run.bound.multiplier.params
    streams = list(run.golden.streams(steps=True, table=False))
    assert len(streams) == count
    for stream in streams:
        steps = model.steps(params, *params.split(stream.a, stream.b))
        assert list(stream.steps) == [step for step in steps if step[0] == "q"]
