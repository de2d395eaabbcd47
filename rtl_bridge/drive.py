# SPDX-License-Identifier: Apache-2.0
"""The cocotb test of a lock-step run, inside the simulator: one job out, one report back, for every product."""

import os
import time
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

from rtl_bridge.answer import Request, answering
from rtl_bridge.compare import Comparator, PackedRows, Seen
from rtl_bridge.disturb import trials
from rtl_bridge.layout import outcome_fields
from rtl_bridge.report import Tally
from rtl_bridge.shell import Shell
from rtl_bridge.tools import beat
from vectors.progress import Progress


@cocotb.test()
async def lockstep(dut: Any) -> None:
    """Drive every product of the job and write down how far they agree."""
    with answering() as request:
        request.tally = await _run(dut, request)


async def _run(dut: Any, request: Request) -> Tally:
    job = request.job
    bound = job.bind()
    shell = Shell(bound)
    comparator = Comparator(shell)
    products = trials(job, bound, comparator)
    await RisingEdge(dut.wake)
    dut.limit.value = bound.limit
    dut.stall_seed.value = job.stall_seed if bound.core.file.stalls else 0
    shift = shell.operand_width("a")
    verified = cycles = go = changes = 0
    asked, size = job.products(bound), len(bound.starts)
    master = None
    if bound.bus:
        from rtl_bridge.axil import Master  # its library is there only where somebody needs it

        master = Master(dut, job)
    constants = found = other = None
    start = time.monotonic()
    with Progress("products", asked) as progress:
        for trial in products:
            expected = trial.expected
            if constants != trial.constants:
                dut.constants.value = constants = trial.constants
            if job.disturb:
                for signal, value in trial.control.items():
                    getattr(dut, signal).value = value
                dut.limit.value = trial.limit
            changes += other not in (None, trial.other)
            other = trial.other
            dut.job.value = expected.a | expected.b << shift
            go ^= 1
            dut.go.value = go
            beat(request.beat, expected.case)
            if master is not None:
                master.begin(trial)
            await dut.wake.value_change
            seen = _report(dut, request.rows, comparator.row_width)
            found = comparator.check(expected, seen)
            if master is not None:
                found = master.end() or found
            if found is not None:
                found = replace(found, disturbed=trial.disturbed)
                break
            if not trial.other:
                done = min(size, asked - verified)  # without what fills the last stream
                verified += done
                cycles += seen.latency
                progress.advance(done)
    seconds = time.monotonic() - start
    counts = {name: int(getattr(dut, signal).value) for name, signal in _COUNTS.items()} | {"modulus": changes}
    if master is not None:
        counts["start"] = master.intrusions
    return Tally(verified, cycles, seconds, found, {kind: counts[kind] for kind in job.disturb})


_COUNTS = {"start": "offers", "reset": "resets", "unknown": "noises", "stalls": "waits"}
"""Disturbances that the testbench counts."""


def _report(dut: Any, rows: int, row_width: int) -> Seen:
    """What the core shows for the product at work; `rows` is the descriptor of the file that its rows are in."""
    fields = outcome_fields(str(dut.outcome.value))
    latency = 0 if fields["Latency"].strip("01") else int(fields["Latency"], 2)
    taken, late, unknown = (fields[name] == "1" for name in ("Taken", "Late", "Unknown"))
    octets = os.pread(rows, int(fields["Octets"], 2), 0)
    return Seen(PackedRows(octets, row_width), fields["Result"], latency, taken, late, unknown)
