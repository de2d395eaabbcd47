# SPDX-License-Identifier: Apache-2.0
"""Diagnosis of the differences of a run: `vectors.report.explain` with the facts that the run has."""

from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from typing import Any, cast

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event_search import MOST_STEPS
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.document import members
from limbtrace.vectors.operands import operands
from limbtrace.vectors.report.document import (
    DisturbedProduct,
    FirstDifference,
    ObservedDifference,
    ObservedFact,
    PortWidths,
    ProductBefore,
    ReportDocument,
    SeenRows,
    SimulatedModulus,
    WaveNames,
)
from limbtrace.vectors.report.explain import Explanation

MOST_EVENTS = 100
"""Most events of a product that a report names."""


def port_widths(shell: Shell) -> dict[str, int]:
    """Bits of the ports of a, b and result that have the number as it is, by these names."""
    file = shell.bound.core.file
    plain = {
        str(operand.name)
        for operand in file.ported
        if operand.radix is None and operand.weight is None and not operand.signed
    }
    if file.result.port is not None and file.result.radix is None and file.result.weight is None:
        plain.add("result")
    return {name: shell.product_width(name) for name in sorted(plain)}


class Observer:
    """Observations about differences of a run.

    `firsts` has for each case that differs the first one that the simulator ran before it, without a new reset.
    """

    def __init__(self, run: Run, firsts: Mapping[int, int]) -> None:
        self._run, self._firsts = run, firsts

    @cached_property
    def _neighbours(self) -> dict[int, tuple[int, int]]:
        """By case the operands of each product that stands before or after one that differs."""
        stimulus = self._run.stimulus
        wanted = {case - 1 for case, first in self._firsts.items() if case > first}
        wanted |= {case + 1 for case in self._firsts if case + 1 < stimulus.end}
        pairs = islice(stimulus.pairs(), max(wanted) - stimulus.first + 1) if wanted else ()
        return {case: (int(pair.a), int(pair.b)) for case, pair in enumerate(pairs, stimulus.first) if case in wanted}

    @cached_property
    def _comments(self) -> dict[int, tuple[int, int, str]]:
        """By case the operands of each product that differs, as they were drawn, and what is special about them."""
        if self._run.job.operands:
            return {}
        first = min(self._firsts)
        asked = self._run.stimulus.request.range(first, max(self._firsts) + 1 - first)
        drawn = enumerate(operands(asked), first)
        return {case: (int(a), int(b), text) for case, (a, b, text) in drawn if case in self._firsts}

    def observed(
        self, report: Mapping[str, Any], divergence: Divergence, *, events: bool, right_at: int | None = None
    ) -> dict[str, Any]:
        """Diagnosis of a difference, as an ObservedDifference; `report` is a ReportDocument without it.

        `right_at`: as in an ObservedDifference, of this difference.
        """
        known: dict[str, Any] = members(
            ObservedDifference,
            before=cast(Any, self._neighbour(divergence, -1)),
            after=cast(Any, self._neighbour(divergence, 1)),
            widths=cast(Any, members(PortWidths, **port_widths(self._run.shell)) or None),
            right_at=right_at,
        )
        facts: list[Any] = []
        happened: list[str] = []
        explained = self._explained(report, divergence, known)
        if explained is not None:
            facts = [members(ObservedFact, kind=fact.kind, text=fact.text) for fact in explained.observed]
            happened = [label for label, _ in explained.events[:MOST_EVENTS]] if events else []
        document: dict[str, Any] = members(
            ObservedDifference,
            comment=self._comment(divergence),
            **known,
            observations=facts,
            events=happened,
        )
        return document

    def _explained(
        self, report: Mapping[str, Any], divergence: Divergence, known: dict[str, Any]
    ) -> Explanation | None:
        """None if the model does not take the operands, or if its steps are too many to be looked at."""
        modulus = divergence.disturbed.get("modulus")
        run = self._run if modulus is None else self._other(modulus)
        params = run.bound.multiplier.params
        if run.bound.multiplier.model.work(params) > MOST_STEPS and (divergence.step is not None or not params.closed):
            return None
        disturbed = None if modulus is None else DisturbedProduct(modulus=modulus)
        observed = ObservedDifference.model_validate(known)
        difference = FirstDifference(**{**divergence.document, "disturbed": disturbed})
        about = {
            "prime": None if report["prime"] is None else SimulatedModulus(**report["prime"]),
            "first_divergence": difference,
            "observed": observed,
            "rows": None if report.get("rows") is None else SeenRows.model_validate(report["rows"]),
            "wave_names": None if report.get("wave_names") is None else WaveNames.model_validate(report["wave_names"]),
        }
        document = ReportDocument(**{**report, **about})
        try:
            return Explanation.of(document, run.bound.multiplier)
        except ParameterError:
            return None

    def _other(self, modulus: str) -> Run:
        others = (other for _, other in self._run.others)
        return next(other for other in others if other.bound.multiplier.modulus.modulus == int(modulus, 16))

    def _comment(self, divergence: Divergence) -> str:
        """Flags of the operands, if they are those that were drawn."""
        a, b, text = self._comments.get(divergence.case, (0, 0, ""))
        same = (a, b) == (int(divergence.a, 16), b if divergence.b is None else int(divergence.b, 16))
        return text if same and "modulus" not in divergence.disturbed else ""

    def _neighbour(self, divergence: Divergence, distance: int) -> dict[str, str] | None:
        """The product before (-1) or after (1) the one of a difference, as a ProductBefore."""
        case = divergence.case + distance
        if case not in self._neighbours or "modulus" in divergence.disturbed:
            return None
        a, b = self._neighbours[case]
        document: dict[str, str] = members(ProductBefore, a=f"{a:#x}", b=None if divergence.b is None else f"{b:#x}")
        return document
