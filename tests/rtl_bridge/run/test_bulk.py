# SPDX-License-Identifier: Apache-2.0
"""The file harness: results, and optionally every cycle, compared inside the simulator."""

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.readmemh import SIZES, GoldenRowFile, plusargs, write_files
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORE, CORES, SIGNALS, TOYS, copy_of, job

SMALL = {"radix": "2^4"}
EVERY_CYCLE: dict[str, Any] = {"mode": "bulk", "every_cycle": True}


def divergence(core: str | Path, **fields: Any) -> Divergence:
    """The first divergence, without the command that replays it."""
    found = simulate(job(core, **fields)).tally.divergence
    assert found is not None
    assert found.replay.endswith("--mode bulk --every-cycle" if "every_cycle" in fields else "--mode lockstep")
    return replace(found, replay="")


@pytest.mark.parametrize(("simulator", "count"), [("icarus", 60), ("verilator", 10000)])
def test_the_core(simulator: str, count: int) -> None:
    asked = job(prime="mldsa", settings={"radix": "2^16"}, mode="bulk", simulator=simulator, count=count, kind="lazy")
    report = simulate(asked)
    assert report.passed, report.text()
    assert report.document["verified"] == count
    assert report.document["cycles"] == count * 8


def test_a_wrong_result_is_found_in_the_second_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(SIZES, "Chunk", 8)
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;"))
    report = simulate(job(core, prime="2^32-5", settings={"radix": "2^16"}, mode="bulk", count=200, kind="random"))
    found = report.tally.divergence
    assert found is not None
    assert found.signal == "result"
    assert found.case >= 8
    again = simulate(job(core, prime="2^32-5", settings={"radix": "2^16"}, count=200, kind="random", only=found.case))
    assert again.tally.divergence is not None
    assert again.tally.divergence.case == found.case
    assert again.tally.divergence.signal == "An"
    assert [row[0] for row in found.rows] == [str(cycle) for cycle in range(1, 9)]


def test_files_are_split_and_end_with_the_last_case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(SIZES, "Chunk", 16)
    asked = job(settings={"radix": "2^4"}, count=40)
    assert write_files(settle(asked), tmp_path) == 40
    lines = {path.name: len(path.read_text().split()) for path in tmp_path.iterdir()}
    chunks = {f"{name}.{k}.hex": size for name in ("a", "b", "result") for k, size in enumerate((16, 16, 8))}
    assert lines == {"constants.hex": 1, **chunks}


@pytest.mark.parametrize(("simulator", "count"), [("icarus", 60), ("verilator", 2000)])
@pytest.mark.parametrize("core", CORES)
def test_every_cycle_of_the_core(core: str, simulator: str, count: int) -> None:
    fields: dict[str, Any] = {"settings": {"radix": "2^16"}, "simulator": simulator, "count": count, "kind": "lazy"}
    asked = job(core, "mldsa", **fields, **EVERY_CYCLE)
    report = simulate(asked)
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["cycles"]) == (count, count * 8)
    assert report.document["signals"] == SIGNALS[core]


@pytest.mark.parametrize(
    "edit",
    [
        ("done_o     = done_q;", "done_o = done_q | (last_pass & (digit == 3));"),
        ("done_o     = done_q;", "done_o = done_q ? 1'bx : 1'b0;"),
        ("(state_q != StIdle)", "1'b1"),
        ("<= u_carry;", "<= u_carry ^ (K + 1)'(u_frame.last_pass & (u_frame.digit == 3));"),
    ],
    ids=["done early", "done unknown in its cycle", "never takes a product", "wrong carry in the last pass"],
)
def test_every_cycle_finds_what_lockstep_finds_in_long_products(edit: tuple[str, str], tmp_path: Path) -> None:
    """Products with more rows than the testbench keeps."""
    core = copy_of(CORE, tmp_path, ("*.sv", *edit))
    asked: dict[str, Any] = {"prime": "mldsa", "settings": SMALL, "count": 3}
    assert divergence(core, **asked, **EVERY_CYCLE) == divergence(core, **asked)


def test_rows_and_masks_are_split_into_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """3 digits, 15 cycles: rows and masks in files of 4 lines; the fault is in the last pass of a later case."""
    monkeypatch.setitem(SIZES, "Chunk", 4)
    asked = job(settings=SMALL, count=10, **EVERY_CYCLE)
    assert simulate(asked).passed
    run = settle(asked)
    write_files(run, tmp_path)
    assert len((tmp_path / "rows.37.hex").read_text().splitlines()) == 150 - 37 * 4
    assert len((tmp_path / "mask.3.hex").read_text().splitlines()) == 15 - 3 * 4
    arguments = [f"+{name}={value}" for name, value in plusargs(run).items()]
    command = build(run.shell, "icarus", "bulk", waves=False).command(None, 1, f"+folder={tmp_path}", *arguments)
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "PASS cases=10" in said
    assert "WARNING" not in said.upper()  # such as files that end before they should
    core = copy_of(CORE, tmp_path, ("lt_iddmm_arch2.sv", "a_top   = 2'(u_carry);", "a_top   = '0;"))
    found = divergence(core, settings=SMALL, kind="random", **EVERY_CYCLE)
    assert found == divergence(core, settings=SMALL, kind="random")
    assert found.case > 0


@pytest.mark.parametrize(("radix", "count"), [("2^3", 5), ("2^33", 5), ("2^64", 5), ("2^64", 1)])
def test_rows_of_a_batch_are_those_of_its_tables(radix: str, count: int) -> None:
    """Columns that span words, and words that begin in the middle of a column."""
    asked = job(prime="secp256k1", settings={"radix": radix}, count=count, kind="lazy", **EVERY_CYCLE)
    run = settle(asked)
    rows = GoldenRowFile(run.comparator)
    tables = [product.table for product in run.golden.streams(steps=False, table=True) if product.table]
    assert b"".join(rows.of_batch(batch) for _, batch in run.golden.batches()) == rows.of_tables(tables)


@pytest.mark.parametrize(
    ("core", "fields", "why"),
    [
        (CORE, {"mode": "lockstep"}, "goes with mode bulk; mode lockstep is asked for"),
        (TOYS / "digit_toy", {"mode": "bulk"}, "digit_toy needs a schedule and rows that all match by cycle"),
        (TOYS / "bit_toy", {"mode": "bulk"}, "bit_toy needs a schedule and rows that all match by cycle"),
    ],
)
def test_every_cycle_needs_a_schedule(core: str | Path, fields: dict[str, str], why: str) -> None:
    with pytest.raises(ParameterError, match=why) as caught:
        settle(job(core, every_cycle=True, **fields))
    assert caught.value.parameter == "every-cycle"
