# SPDX-License-Identifier: Apache-2.0
"""A lock-step run: every watched signal in every cycle, in a simulator that cocotb drives."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from cocotb_tools import config
from find_libpython import find_libpython

from refmodels.errors import ParameterError
from rtl_bridge.builds import TESTBENCHES, Build
from rtl_bridge.corefile import find
from rtl_bridge.drive import ENVIRONMENT
from rtl_bridge.job import Job
from rtl_bridge.report import Tally
from rtl_bridge.tools import environment, tail
from vectors.errors import ToolError


def run(job: Job, build: Build, work: Path, waves: Path | None) -> Tally:
    """Simulate in the folder `work`. Raises ToolError, ParameterError.

    Whether the test passed is read from what it wrote itself: a simulator that dies leaves nothing.
    """
    log, outcome, request = work / "sim.log", work / "outcome.json", work / "job.json"
    progress = os.dup(2)
    described = job.model_copy(update={"core": str(find(job.core).folder.absolute())})  # the simulator works elsewhere
    try:
        request.write_text(
            json.dumps({"job": described.model_dump(mode="json"), "outcome": str(outcome), "progress": progress})
        )
        with log.open("wb") as stream:
            done = subprocess.run(
                build.command(waves),
                cwd=work,
                env=environment(_cocotb(build.simulator, request)),
                pass_fds=[progress],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                check=False,
            )
    finally:
        os.close(progress)
    if not outcome.exists():
        raise ToolError(
            f"the simulation ended with exit code {done.returncode} and no report; the last lines of {keep(log)}: "
            f"{tail(log)}"
        )
    answer = json.loads(outcome.read_text())
    if "parameter" in answer:
        raise ParameterError(answer["parameter"], answer["reason"])
    if "failure" in answer:
        raise ToolError(answer["failure"])
    return Tally.from_fields(answer["tally"])


def keep(log: Path) -> Path:
    """A copy of the log that outlives the run."""
    handle, name = tempfile.mkstemp(prefix="limbtrace-", suffix=".log")
    os.write(handle, log.read_bytes())
    os.close(handle)
    return Path(name)


def _cocotb(simulator: str, request: Path) -> dict[str, str]:
    """What cocotb reads from its environment."""
    library = find_libpython()
    if library is None:
        raise ToolError("cocotb needs the shared library of Python: apt-get install libpython3-dev")
    return {
        "COCOTB_TOPLEVEL": TESTBENCHES["lockstep"],
        "COCOTB_TEST_MODULES": "rtl_bridge.drive",
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
