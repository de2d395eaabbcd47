# SPDX-License-Identifier: Apache-2.0
"""The cocotb test of a lock-step run, inside the simulator: one job out, one report back, for every product."""

import json
import os
import time
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

from refmodels.errors import ParameterError
from rtl_bridge.compare import Comparator, Seen
from rtl_bridge.job import Job
from rtl_bridge.report import Tally
from rtl_bridge.shell import Shell, pack
from vectors.client import ServiceError
from vectors.progress import Progress

ENVIRONMENT = "LIMBTRACE_JOB"
"""Path of a JSON file {"job", "outcome" (where to write), "progress" (file descriptor)}."""


@cocotb.test()
async def lockstep(dut: Any) -> None:
    """Drive every product of the job and write down how far they agree."""
    request = json.loads(Path(os.environ[ENVIRONMENT]).read_text())
    outcome: dict[str, Any]
    try:
        with os.fdopen(request["progress"], "w") as progress, redirect_stderr(progress):
            outcome = {"tally": (await _run(dut, Job.model_validate(request["job"]))).fields}
    except ParameterError as error:
        outcome = {"parameter": error.parameter, "reason": error.reason}
    except ServiceError as error:
        outcome = {"failure": str(error)}
    Path(request["outcome"]).write_text(json.dumps(outcome))


async def _run(dut: Any, job: Job) -> Tally:
    bound = job.bind()
    shell = Shell(bound)
    comparator = Comparator(shell)
    products = job.expected(bound, comparator.needs_steps, with_table=True)
    await RisingEdge(dut.wake)
    dut.constants.value = pack(shell.constants)
    dut.limit.value = bound.limit
    dut.stall_seed.value = job.stall_seed if bound.stalls else 0
    shift = shell.operand_width("a")
    verified = cycles = go = 0
    found = None
    start = time.monotonic()
    with Progress("products", job.products) as progress:
        for expected in products:
            dut.job.value = expected.a | expected.b << shift
            go ^= 1
            dut.go.value = go
            seen = await _report(dut, comparator.row_width)
            found = comparator.check(expected, seen)
            if found is not None:
                break
            verified += 1
            cycles += seen.latency
            progress.advance()
    return Tally(verified, cycles, time.monotonic() - start, found)


async def _report(dut: Any, row_width: int) -> Seen:
    """What the core shows for the product at work; the row buffer may have to be emptied more than once."""
    parts: list[str] = []
    while True:
        await dut.wake.value_change
        outcome = str(dut.outcome.value)
        result, latency, fill, flags = outcome[:-72], outcome[-72:-40], int(outcome[-40:-8], 2), outcome[-8:]
        if fill:
            parts.insert(0, str(dut.rows.value)[-fill * row_width :])
        if flags[-1] == "0":
            known = 0 if latency.strip("01") else int(latency, 2)
            taken, late, unknown = (flag == "1" for flag in flags[-2:-5:-1])
            return Seen("".join(parts), result, known, taken, late, unknown)
