# SPDX-License-Identifier: Apache-2.0
"""Which events the products of a run make happen: what `limbtrace cover` counts of vector sets."""

from itertools import islice
from typing import NamedTuple

from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.coverage import Coverage


class _Product(NamedTuple):
    id: str
    a: int
    b: int


class Covered:
    """The coverage of a run that is to be simulated. Raises ParameterError where products have too many steps."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._coverage = Coverage(run.bound.multiplier)

    def count(self, report: Report) -> Coverage:
        """Coverage by the products up to the last one that was compared."""
        stimulus = self._run.stimulus
        asked = stimulus.products
        seen = report.tally.verified + (not report.passed) if report.most is None else report.reached
        count = min(seen, asked)
        name = "operands" if self._run.job.operands else stimulus.request.id
        pairs = enumerate(islice(stimulus.pairs(), count), stimulus.first)
        self._coverage.add(name, (_Product(str(case), int(pair.a), int(pair.b)) for case, pair in pairs))
        return self._coverage
