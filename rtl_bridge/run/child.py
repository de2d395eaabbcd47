# SPDX-License-Identifier: Apache-2.0
"""The inner end of a run in a process of its own: a request comes in, the outcome of the simulation goes out.

`session` is the outer end. What is sent is pickled: both ends are this program, and the file is in a folder that only
this user reads.
"""

import ctypes
import json
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs.process import whole_lines
from limbtrace.rtl_bridge.run.pickled import unpacked
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.errors import ToolError

ENVIRONMENT = "LIMBTRACE_RUN"
"""Path of the file with a pickled dictionary: "run", "outcome" (path of the answer), and file descriptors."""


@dataclass
class ChildRequest:
    """The request; the child process fills in `tally`."""

    run: Run
    beat: int
    """For `process.beat`."""
    rows: int
    """File that a testbench writes rows into."""
    tally: Tally | None = None


@contextmanager
def answering() -> Iterator[ChildRequest]:
    """In the child: read the request and write its outcome, which is an error where one comes out of the block."""
    whole_lines()
    sent = pickle.loads(Path(os.environ[ENVIRONMENT]).read_bytes())
    run = unpacked(sent["run"])
    if sent["after"] is not None:
        run = _in_turn(run, sent["after"])
    request = ChildRequest(run, sent["beat"], sent["rows"])
    outcome: dict[str, Any]
    try:
        with os.fdopen(sent["progress"], "w") as progress, redirect_stderr(progress):
            yield request
        assert request.tally is not None
        outcome = {"tally": request.tally.fields}
    except ParameterError as error:
        outcome = {"parameter": error.parameter, "reason": error.reason}
    except ToolError as error:
        outcome = {"failure": str(error)}
    Path(sent["outcome"]).write_text(json.dumps(outcome))
    if sent["after"] is not None:  # skip interpreter shutdown: it is slow, and its output is not needed
        _flush()
        os._exit(0)


def _flush() -> None:
    """Let everything that the simulator and Python have said so far be heard."""
    sys.stdout.flush()
    ctypes.CDLL(None).fflush(None)


def _in_turn(run: Run, after: int) -> Run:
    """Fork before the first clock edge: a simulator and Python take long to start, and a copy of both is as new.

    Returns in the copy, with what it is to simulate. Here it says when the copy has ended, and makes the next one for
    the streams that `after` gives, or ends if it gives none.
    """
    while True:
        _flush()
        copy = os.fork()
        if copy == 0:
            return run
        code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        os.write(1, f"\nLIMBTRACE ENDED {code}\n".encode())
        skipped = b""
        while not skipped.endswith(b"\n"):
            if not (more := os.read(after, 32)):
                os._exit(0)
            skipped += more
        run = run.skipping(int(skipped))
