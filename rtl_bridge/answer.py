# SPDX-License-Identifier: Apache-2.0
"""The far end of a run in a process of its own: a job comes in, what became of it goes out."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refmodels.errors import ParameterError
from rtl_bridge.job import Job
from rtl_bridge.report import Tally
from vectors.errors import ToolError

ENVIRONMENT = "LIMBTRACE_JOB"
"""Path of a JSON file {"job", "outcome" (where to write), "progress", "beat", "rows" (file descriptors)}."""


@dataclass
class Request:
    """What is asked for; whoever answers sets `tally`."""

    job: Job
    beat: int
    """For `tools.beat`."""
    rows: int
    """File that a testbench writes rows into."""
    tally: Tally | None = None


@contextmanager
def answering() -> Iterator[Request]:
    """Read the request and write its outcome, which is an error where one comes out of the block."""
    document = json.loads(Path(os.environ[ENVIRONMENT]).read_text())
    request = Request(Job.model_validate(document["job"]), document["beat"], document["rows"])
    outcome: dict[str, Any]
    try:
        with os.fdopen(document["progress"], "w") as progress, redirect_stderr(progress):
            yield request
        assert request.tally is not None
        outcome = {"tally": request.tally.fields}
    except ParameterError as error:
        outcome = {"parameter": error.parameter, "reason": error.reason}
    except ToolError as error:
        outcome = {"failure": str(error)}
    Path(document["outcome"]).write_text(json.dumps(outcome))
