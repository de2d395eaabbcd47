# SPDX-License-Identifier: Apache-2.0
"""Rows that are compared with steps: the quick comparison of a whole stream says what that of single rows says."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from limbtrace.rtl_bridge.run import compiled
from limbtrace.rtl_bridge.run.compare import Comparator
from limbtrace.rtl_bridge.run.products import CoreOutputs, ExpectedStream
from limbtrace.rtl_bridge.run.rows import KnownRows, PackedRows
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, copy_of, job
from tests.rtl_bridge.run.test_fast import one_way

SMALL = {"radix": "2^4"}
SV = "digit_toy.sv"
STROBE = "dbg_strobe = phase == ROWS"
DIGIT = "dbg_digit  = factor"
DECLARED = ("  logic [D-1:0]      factor;\n", "  logic [D-1:0]      factor, held;\n  logic              owed;\n")
HELD = ("        dbg_kept <= factor;\n", "        dbg_kept <= factor;\n        if (rounds == 3) held <= factor;\n")
FAULTS: dict[str, tuple[Sequence[tuple[str, str]], tuple[int, str, str | None, str | None]]] = {
    "a wrong value": ([(DIGIT, f"{DIGIT} ^ D'(rounds == 2 && x[2:0] == 5)")], (17, "dbg_digit", "0xc", "0xd")),
    "a missing event": (
        [(STROBE, f"{STROBE} && !(rounds == 1 && x[2:0] == 5)")],
        (17, "dbg_digit", "0x4", None),
    ),
    "a surplus event": ([(STROBE, f"{STROBE} || (phase == REDUCING && x[2:0] == 5)")], (17, "dbg_digit", None, "0x4")),
    "a wrong order": (
        [
            DECLARED,
            HELD,
            (STROBE, f"{STROBE} && rounds != 3 || phase == REDUCING"),
            (DIGIT, "dbg_digit  = phase == REDUCING ? held : factor"),
        ],
        (0, "dbg_digit", "0x5", "0x2"),
    ),
    "an event of one product in the next": (
        [
            DECLARED,
            ("        phase  <= ROWS;\n", "        phase  <= ROWS;\n        owed <= x[2:0] == 5;\n"),
            (STROBE, f"{STROBE} || (phase == WAITING && req_valid && owed === 1'b1)"),
        ],
        (10, "dbg_digit", "0x4", "0xd"),
    ),
}
"""Edits of the toy -> the first difference: its case, signal, what is expected and seen."""


@pytest.fixture(scope="module")
def run() -> Run:
    return settle(job(TOYS / "digit_toy", settings=SMALL, kind="random"))


def faithful(comparator: Comparator, expected: ExpectedStream) -> list[int]:
    """Rows in which the signals of the toy follow the steps, and all bits that nobody cares about are ones."""
    values = [value for _, _, value in expected.steps]
    shell, rows = comparator.shell, []
    for cycle in range(-1, len(values) + 2):
        row = (1 << comparator.row_width) - 1
        row &= ~((1 << 32) - 1) | cycle & ((1 << 32) - 1)
        working = 0 <= cycle < len(values)
        for watch in comparator.event_watches:
            row &= ~(1 << shell.when_offset(watch.row.when or ""))
            row |= int(working) << shell.when_offset(watch.row.when or "")
        for watch in comparator.bound.watches:
            if working or cycle == len(values) + 1:
                row &= ~(((1 << watch.width) - 1) << shell.offset(watch))
                row |= values[min(cycle, len(values) - 1)] << shell.offset(watch)
        rows.append(row)
    return rows


def packed(rows: Sequence[int], none: Sequence[int], width: int) -> PackedRows:
    words = range(0, -(-width // 32) * 32, 32)
    octets = b"".join(
        (plane >> at & 0xFFFFFFFF).to_bytes(4, "little")
        for row, unknown in zip(rows, none, strict=True) for at in words for plane in (row, unknown)
    )  # fmt: skip
    return PackedRows(octets, width)


def known(rows: Sequence[int], width: int) -> KnownRows:
    size = -(-width // 64)
    octets = b"".join(row.to_bytes(8 * size, "little") for row in rows)
    return KnownRows(np.frombuffer(octets, dtype="<u8").reshape(len(rows), size).astype(np.uint64), width)


def seen(comparator: Comparator, expected: ExpectedStream, rows: PackedRows | KnownRows) -> CoreOutputs:
    result = f"{expected.result:0{comparator.shell.result_width}b}"
    return CoreOutputs(rows, result, comparator.bound.most, taken=True, late=False)


def alike(comparator: Comparator, expected: ExpectedStream, rows: PackedRows | KnownRows) -> bool:
    """Whether rows agree; as text they are compared one by one, with the same outcome."""
    whole = seen(comparator, expected, rows)
    slow = comparator.check(expected, replace(whole, rows=str(rows)))
    assert comparator.check(expected, whole) == slow
    assert comparator._agrees(expected, whole) == (slow is None)
    return slow is None


def test_every_bit_of_every_row(run: Run) -> None:
    """Flipped or unknown: a difference where somebody cares about the bit, and none elsewhere."""
    comparator, width = run.comparator, run.comparator.row_width
    expected = next(run.golden.checked())
    rows = faithful(comparator, expected)
    nothing = [0] * len(rows)
    assert alike(comparator, expected, packed(rows, nothing, width))
    assert alike(comparator, expected, known(rows, width))
    differ = 0
    for at in range(len(rows)):
        for bit in range(32, width):
            flipped, unknown = list(rows), list(nothing)
            flipped[at] ^= 1 << bit
            unknown[at] ^= 1 << bit
            differ += not alike(comparator, expected, packed(flipped, nothing, width))
            alike(comparator, expected, known(flipped, width))
            alike(comparator, expected, packed(rows, unknown, width))
    # A strobe in every row, two digits where it is high, and a digit at the end.
    assert differ == 2 * len(rows) + 4 * (2 * len(expected.steps) + 1)


@pytest.mark.parametrize("cut", [0, 1, 3])
def test_fewer_rows(cut: int, run: Run) -> None:
    comparator, expected = run.comparator, next(run.golden.checked())
    rows = faithful(comparator, expected)[:cut]
    assert not alike(comparator, expected, packed(rows, [0] * cut, comparator.row_width))
    assert not alike(comparator, expected, known(rows, comparator.row_width))


def test_two_rows_in_the_wrong_order(run: Run) -> None:
    comparator = run.comparator
    for expected in run.golden.checked():
        rows = faithful(comparator, expected)
        rows[1], rows[2] = rows[2], rows[1]
        digits = [value for _, _, value in expected.steps]
        agree = alike(comparator, expected, packed(rows, [0] * len(rows), comparator.row_width))
        assert agree == (digits[0] == digits[1])


def test_a_step_for_which_a_signal_has_no_room(run: Run) -> None:
    """Its low bits are those of the signal, and yet it is a difference, and no error."""
    comparator, expected = run.comparator, next(run.golden.checked())
    rows = faithful(comparator, expected)
    (name, index, value), *others = expected.steps
    wide = replace(expected, steps=((name, index, value + (1 << 400)), *others))
    assert not alike(comparator, wide, packed(rows, [0] * len(rows), comparator.row_width))


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_faults_in_events_in_lockstep(simulator: str, fault: str, tmp_path: Path) -> None:
    edits, wanted = FAULTS[fault]
    core = copy_of(TOYS / "digit_toy", tmp_path, *((SV, old, new) for old, new in edits))
    found = simulate(job(core, settings=SMALL, kind="random", simulator=simulator)).tally.divergence
    assert found is not None
    assert (found.case, found.signal, found.expected, found.seen) == wanted


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_events_in_c(fault: str, tmp_path: Path) -> None:
    """Golden data in C find what the comparison product by product finds."""
    edits, wanted = FAULTS[fault]
    core = copy_of(TOYS / "digit_toy", tmp_path, *((SV, old, new) for old, new in edits))
    run = settle(job(core, settings=SMALL, kind="random", simulator="verilator", mode="fast"))
    library = compiled.library(run)
    assert library is not None
    quick, slow = (one_way(run, golden) for golden in (library, None))
    assert replace(quick, seconds=0) == replace(slow, seconds=0)
    assert quick.divergence is not None
    found = quick.divergence
    assert (found.case, found.signal, found.expected, found.seen) == wanted
