# SPDX-License-Identifier: Apache-2.0
"""The cocotb test of a lock-step run, inside the simulator: one job out, one report back, for every product."""

import os
import time
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

from limbtrace.rtl_bridge.programs.process import beat
from limbtrace.rtl_bridge.run.child import ChildRequest, answering
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.latencies import Latencies, joined, of_product
from limbtrace.rtl_bridge.run.lockstep_stimulus import Trial, trials
from limbtrace.rtl_bridge.run.products import CoreOutputs
from limbtrace.rtl_bridge.run.report import Divergence, Tally
from limbtrace.rtl_bridge.run.rows import PackedRows
from limbtrace.rtl_bridge.shell.outcome import Broken, early_warnings, outcome_fields
from limbtrace.vectors.progress import Progress


@cocotb.test()
async def lockstep(dut: Any) -> None:
    """Drive every product of the run and write down how far they agree."""
    with answering() as request:
        request.tally = await _run(dut, request)


async def _run(dut: Any, request: ChildRequest) -> Tally:
    run = request.run
    job, bound, protocol = run.job, run.bound, run.bound.protocol
    products = trials(run)
    await RisingEdge(dut.wake)
    dut.limit.value = bound.limit
    dut.stall_seed.value = job.stall_seed if protocol.stalls else 0
    dut.first.value, dut.size.value = run.stimulus.first, run.stimulus.size
    shift, row_width = run.shell.operand_width("a"), run.comparator.row_width
    verified = cycles = go = 0
    early = 0
    changes = dict.fromkeys(job.disturb, 0)
    asked, size = run.stimulus.products, run.stimulus.size
    constants = found = None
    latencies: Latencies | None = None
    last: Trial | None = None
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
            if last is not None and last.other != trial.other:
                changes[last.other or trial.other] += 1
            for kind in job.disturb:
                changes[kind] += KINDS[kind].times(trial.control)
            last = trial
            dut.job.value = expected.a | expected.b << shift
            go ^= 1
            dut.go.value = go
            beat(request.beat, expected.case)
            await dut.wake.value_change
            observed = _report(dut, request, row_width)
            early = observed.early
            if trial.asked and run.counts_latencies and not (observed.late or observed.unknown):
                latencies = joined(latencies, of_product(expected.case, observed.latency))
            found = trial.comparator.check(expected, observed)
            if found is not None:
                found = replace(found, disturbed=trial.facts(found.case))
                break
            if trial.asked:
                done = min(size, asked - verified)  # without what fills the last stream
                verified += done
                cycles += observed.latency
                progress.advance(done)
        if found is None:
            found = await _rest(dut, request, trial)
        else:
            for _ in range(job.cycles_after):
                await RisingEdge(dut.clk)
    seconds = time.monotonic() - start
    counters = {kind: KINDS[kind].counter for kind in job.disturb}
    counts = {kind: int(getattr(dut, name).value) if name else changes[kind] for kind, name in counters.items()}
    warnings = early_warnings(bound.protocol.finished, early)
    return Tally(verified, cycles, seconds, found, counts, warnings=warnings, latencies=latencies)


async def _rest(dut: Any, request: ChildRequest, last: Trial) -> Divergence | None:
    """Idle cycles after the last product, in which the handshake is still looked at."""
    dut.idle_cycles.value = request.run.bound.tail
    dut.last.value = 1
    dut.go.value = 1 - int(dut.go.value)
    await dut.wake.value_change
    broken = _report(dut, request, last.comparator.row_width).broken
    return None if broken is None else last.comparator.broken(last.expected, broken)


def _report(dut: Any, request: ChildRequest, row_width: int) -> CoreOutputs:
    """Outputs of the core for the current product."""
    fields = outcome_fields(str(dut.outcome.value))
    latency = 0 if fields["Latency"].strip("01") else int(fields["Latency"], 2)
    taken, late, unknown = (fields[name] == "1" for name in ("Taken", "Late", "Unknown"))
    octets = os.pread(request.rows, int(fields["Octets"], 2), 0)
    since, cycle = int(fields["Since"], 2), int(fields["RuleCycle"], 2)
    broken = Broken.read(int(fields["Rule"], 2), fields["Level"], since, cycle)
    broken = broken if request.run.job.heeds_rules else None
    return CoreOutputs(
        PackedRows(octets, row_width),
        fields["Result"],
        latency,
        taken,
        late,
        unknown,
        broken,
        struck=fields["Struck"] == "1",
        early=int(fields["Early"], 2),
    )
