# SPDX-License-Identifier: Apache-2.0
"""`python -m limbtrace.rtl_bridge.domain.child LIBRARY`: runs of one build, one after the other, in one process.

The file "outcome" gets a line for each run that came to its end, so that what a crash leaves is known. `session` is
the outer end.
"""

import json
import os
import pickle
import sys
from contextlib import redirect_stderr
from dataclasses import replace
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs.process import beat, whole_lines
from limbtrace.rtl_bridge.run.child import ENVIRONMENT
from limbtrace.rtl_bridge.run.fast import compare
from limbtrace.rtl_bridge.run.pickled import unpacked
from limbtrace.vectors.errors import ToolError


def main() -> None:
    """Simulate the runs of the request."""
    whole_lines()
    request = pickle.loads(Path(os.environ[ENVIRONMENT]).read_bytes())
    first = unpacked(request["runs"])
    runs = [replace(first, others=[]), *(run for _, run in first.others)]
    with Path(request["outcome"]).open("w") as outcome, Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        for number, run in enumerate(runs):
            beat(request["beat"], number)
            try:
                tally = compare(run, Path(sys.argv[1]), request["beat"])
            except (ParameterError, ToolError):
                outcome.write("null\n")  # it is simulated again on its own, which says why
            else:
                outcome.write(json.dumps(tally.fields) + "\n")
            outcome.flush()


if __name__ == "__main__":
    main()
