# SPDX-License-Identifier: Apache-2.0
"""A lock-step run: every watched signal in every cycle, in a simulator that cocotb drives."""

import json
import os
import sys
from pathlib import Path

from cocotb_tools import config
from find_libpython import find_libpython

from refmodels.errors import ParameterError
from rtl_bridge.core.core import find
from rtl_bridge.run.answer import ENVIRONMENT
from rtl_bridge.run.builds import TESTBENCHES, Build
from rtl_bridge.run.job import Job
from rtl_bridge.run.report import Tally
from rtl_bridge.run.tools import HungError, no_report, supervise
from vectors.errors import ToolError


def run(job: Job, build: Build, work: Path, waves: Path | None) -> Tally:
    """Simulate in the folder `work`. Raises ToolError, ParameterError.

    Whether the test passed is read from what it wrote itself: a simulator that dies leaves nothing.
    """
    log, outcome, request = work / "sim.log", work / "outcome.json", work / "job.json"
    progress, beat, rows = os.dup(2), os.memfd_create("limbtrace"), os.memfd_create("limbtrace-rows")
    described = job.model_copy(update={"core": str(find(job.core).folder.absolute())})  # the simulator works elsewhere
    document = {
        "job": described.model_dump(mode="json"),
        "outcome": str(outcome),
        "progress": progress,
        "beat": beat,
        "rows": rows,
    }
    try:
        request.write_text(json.dumps(document))
        code = supervise(
            build.command(waves, f"+rows=/proc/self/fd/{rows}"),
            work,
            log,
            extra=_cocotb(build.simulator, request),
            inherit=[progress, beat, rows],
            patience=job.patience,
            alive=lambda _: os.pread(beat, 64, 0),
        )
    except HungError:
        raise hung(job, os.pread(beat, 20, 0).decode().strip()) from None
    finally:
        for descriptor in (progress, beat, rows):
            os.close(descriptor)
    try:
        answer = json.loads(outcome.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        raise no_report(code, log) from None
    if waves is not None and code < 0:  # the report is there, the end of the waveform is not
        raise no_report(code, log)
    if "parameter" in answer:
        raise ParameterError(answer["parameter"], answer["reason"])
    if "failure" in answer:
        raise ToolError(answer["failure"])
    return Tally.from_fields(answer["tally"])


def hung(job: Job, case: str) -> ToolError:
    """The error of a simulation that makes no progress; `case` is the one that it worked on, empty before the first."""
    where = f"in case {case}" if case else "before the first product"
    return ToolError(
        f"{job.core}: the simulation in {job.simulator} made no progress for {job.patience:g} s {where} and was "
        "stopped; --patience SECONDS gives it longer"
    )


def _cocotb(simulator: str, request: Path) -> dict[str, str]:
    """What cocotb reads from its environment."""
    library = find_libpython()
    if library is None:
        raise ToolError("cocotb needs the shared library of Python: apt-get install libpython3-dev")
    return {
        "COCOTB_TOPLEVEL": TESTBENCHES["lockstep"],
        "COCOTB_TEST_MODULES": "rtl_bridge.run.drive",
        "COCOTB_RESULTS_FILE": str(request.with_name("cocotb.xml")),
        "COCOTB_RANDOM_SEED": "1",
        "COCOTB_REWRITE_ASSERTION_FILES": "",
        "COCOTB_TRUST_INERTIAL_WRITES": "1" if simulator == "verilator" else "",
        "TOPLEVEL_LANG": "verilog",
        "GPI_USERS": f"{library};{config.pygpi_entry_point()}",
        "PYGPI_PYTHON_BIN": sys.executable,
        "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path),
        ENVIRONMENT: str(request),
    }
