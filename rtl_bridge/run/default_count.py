# SPDX-License-Identifier: Apache-2.0
"""How many products a run has by default: as many as about two seconds hold, by a table, the same on every machine."""

from typing import NamedTuple

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.vectors.request import EXHAUSTIVE


class _Budget(NamedTuple):
    """Products of a run by default, at least and at most, and the cycles that decide between."""

    least: int
    most: int
    cycles: int


_BUDGETS = {"verilator": _Budget(1000, 2000, 100_000), "icarus": _Budget(256, 1000, 20_000)}


def default_count(job: Job, bound: Bound) -> int | None:
    """Number of products if the job gives neither a number nor operands, in whole streams; None for all pairs."""
    if job.kind == EXHAUSTIVE:
        return None
    budget, size = _BUDGETS[job.simulator], len(bound.starts)
    cycles = (bound.longest + sum(bound.words)) // size + 1
    count = min(max(budget.cycles // cycles, budget.least), budget.most)
    return -(-count // size) * size
