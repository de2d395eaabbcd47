# SPDX-License-Identifier: Apache-2.0
"""True if the Verilog that GHDL makes of VHDL computes what the VHDL does: both are simulated, once for a conversion.

A synthesis may have faults of its own, and a core would pass or fail for them. So some products go through both before
anything is said of the core: through the Verilog, and through the VHDL in GHDL's simulation.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import is_vhdl
from limbtrace.rtl_bridge.programs.ghdl import ghdl
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors import cache
from limbtrace.vectors.errors import ToolError

PRODUCTS = 48
"""Products that are compared."""


def check_conversion(run: Run, simulate: Callable[[Run], Report]) -> None:
    """Compare VHDL with what was made of it, if that has not been done; a run without converted VHDL passes.

    What cannot be compared is said on standard error. Raises ToolError where both differ.
    """
    sources, core = run.bound.sources, run.bound.core
    if not sources.converted or sources.beside is not None:
        return
    marks = [_mark(path) for path in sources.converted]
    if all(mark.is_file() for mark in marks):
        return
    if not all(map(is_vhdl, core.sources)):
        _say(run, "there is Verilog or SystemVerilog beside it")
        return
    try:
        simulated = _variant(run, "simulate")
    except (ParameterError, ToolError) as error:
        _say(run, str(error))
        return
    said = [_outcome(simulate(_variant(run, "synthesise"))), _outcome(simulate(simulated))]
    if said[0] != said[1]:
        raise ToolError(
            f"{core.place}: the Verilog that {ghdl().version} makes of the VHDL {said[0]['text']}, and in a "
            f'simulation of the VHDL itself it {said[1]["text"]}; ghdl = "simulate" simulates the VHDL itself'
        )
    for mark in marks:
        mark.touch()


def _mark(converted: Path) -> Path:
    """A file that says that a conversion was compared; the folder of a conversion is named by all that it is of."""
    return cache.folder() / f"{converted.parent.name}.compared"


def _say(run: Run, why: str) -> None:
    what = f"the Verilog that GHDL made of the VHDL of {run.bound.core.file.name} is not compared with the VHDL itself"
    print(f"limbtrace: warning: {what}: {why}", file=sys.stderr, flush=True)


def _variant(run: Run, ghdl: str) -> Run:
    """A short run of the core with its VHDL synthesised or simulated. Raises ParameterError, ToolError."""
    job = run.job.model_copy(
        update={
            "operands": (), "count": PRODUCTS, "kind": type(run.job).model_fields["kind"].default, "seed": 1,
            "only": None, "simulator": "icarus", "mode": "bulk", "every_cycle": False, "disturb": (), "service": None,
            "keep_going": None, "waves": None,
        }
    )  # fmt: skip
    core = find(job.core, allow_outside=job.allow_outside, sandboxed=job.sandbox)
    file = core.file.model_copy(update={"ghdl": ghdl, "row": []})
    return settle(job, replace(core, file=file))


def _outcome(report: Report) -> dict[str, Any]:
    """All that can be told apart from the outside, and a part of a sentence about it."""
    found = report.tally.divergence
    if found is None:
        return {"text": f"agrees with the model in {report.tally.cycles} cycles"}
    place = found.where if found.cycle is None else f"cycle {found.cycle}"
    return {"text": f"has {found.signal} = {found.seen} in case {found.case}, {place}", "agree": report.tally.verified}
