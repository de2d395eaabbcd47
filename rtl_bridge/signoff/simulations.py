# SPDX-License-Identifier: Apache-2.0
"""The simulations of a sign-off as one campaign, and what became of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.campaign.cli import ShownProgress
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan, Matrix
from limbtrace.rtl_bridge.campaign.run import run_campaign
from limbtrace.rtl_bridge.campaign.shards import SettledCell, Shards
from limbtrace.rtl_bridge.campaign.state import check
from limbtrace.rtl_bridge.campaign.summary import Summary
from limbtrace.rtl_bridge.run.mode import NO_PROGRESS
from limbtrace.rtl_bridge.run.not_tried import few_products, other_simulators, tried_by_none
from limbtrace.rtl_bridge.signoff.items import (
    DENIED,
    DIFFERS,
    FAILED,
    INAPPLICABLE,
    OPEN,
    PASSED,
    TIMED_OUT,
    SignoffItem,
)
from limbtrace.rtl_bridge.signoff.steps import NETLIST, SignoffStep

STATE = "signoff.campaign"
"""The state of the campaign, in the folder of a sign-off."""


@dataclass(frozen=True)
class Simulations:
    """Simulations that are settled, in the order of the cells of their campaign."""

    shards: Shards
    steps: Sequence[SignoffStep]
    refused: Sequence[SignoffItem]
    """Those that core, model or mode do not take."""

    @classmethod
    def settle(cls, name: str, steps: Sequence[SignoffStep], *, allow_outside: bool, code: bool) -> "Simulations":
        """Settle each; `code`: code coverage is counted wherever that is possible. Raises ToolError."""
        plan = CampaignPlan.of(name, [Matrix.model_validate(step.matrix) for step in steps])
        settled: list[SettledCell] = []
        taken: list[SignoffStep] = []
        refused = []
        for step, cell in zip(steps, plan.cells, strict=True):
            job = cell.job.model_copy(update={"allow_outside": allow_outside})
            try:
                own = SettledCell.settle(replace(cell, number=len(settled), job=job))
            except ParameterError as error:
                status = DENIED if step.group in ("modulus", "size") else INAPPLICABLE
                refused.append(step.item(status, str(error)))
                continue
            settled.append(replace(own, uncountable="gates have no lines") if step.group == NETLIST else own)
            taken.append(step)
        return cls(Shards(plan, settled, code=code), taken, refused)

    def run(self, folder: Path, *, resume: bool, workers: int | None) -> Summary:
        """Run all that the state in the folder does not have yet. Raises ParameterError, ToolError."""
        return run_campaign(self.shards, folder / STATE, resume=resume, workers=workers, told=ShownProgress())

    def items(self, summary: Summary) -> Iterable[SignoffItem]:
        """Each simulation with its outcome."""
        for cell, step in zip(self.shards.cells, self.steps, strict=True):
            number = cell.cell.number
            sums, untried = summary.sums.get(number), summary.untried.get(number, [])
            verified = 0 if sums is None else sums.verified
            if sums is not None and sums.differing:
                yield step.item(DIFFERS, "a product differs from the golden data", products=verified)
            elif sums is not None and sums.aside:
                reason = summary.aside_of.get(number, "a worker failed")
                yield step.item(TIMED_OUT if NO_PROGRESS in reason else FAILED, reason, products=verified)
            elif sums is None or verified != cell.total:
                yield step.item(OPEN, "not all of its products ran", products=verified)
            elif not set(step.behaviours).isdisjoint(untried):
                yield step.item(OPEN, "it happened to none of the products", products=verified)
            else:
                yield step.item(PASSED, products=verified)

    def not_tried(self, summary: Summary) -> list[str]:
        """Things that no simulation of the RTL at the modulus tried."""
        own = [cell for cell, step in zip(self.shards.cells, self.steps, strict=True) if step.same_modulus]
        sums = {cell.cell.number: summary.sums.get(cell.cell.number) for cell in own}
        agree = [n for n, one in sums.items() if one is not None and one.verified and not one.differing]
        most = max((one.verified for one in sums.values() if one is not None), default=0)
        return [
            *few_products(most),
            *tried_by_none([summary.untried.get(number, []) for number in agree]),
            *other_simulators({cell.cell.job.simulator for cell in own if cell.cell.number in agree}),
        ]


def check_state(folder: Path, *, resume: bool) -> None:
    """Raises ParameterError where a folder cannot be that of a sign-off that begins, or that goes on."""
    state = folder / STATE
    if resume:
        check(state, resume=True)
    elif state.is_file():
        earlier = f"{folder} holds an earlier sign-off: --resume goes on with it, or name another folder"
        raise ParameterError("output", earlier)
    elif folder.exists() and not (folder.is_dir() and {path.name for path in folder.iterdir()} <= {NETLIST}):
        raise ParameterError("output", f"{folder} exists and is not empty")


def by_sentence(summary: Summary) -> list[str]:
    """A sentence and a replay for each kind of difference."""
    found: list[str] = []
    for bucket in summary.document["buckets"]:
        replay = (bucket["replays"] or [""])[0]
        found.append(f"{bucket['core']}: {bucket['sentence']}{f'; replay: {replay}' if replay else ''}")
    return found


def groups(items: Iterable[SignoffItem]) -> Mapping[str, list[SignoffItem]]:
    """Entries by their groups, in the order in which these come."""
    found: dict[str, list[SignoffItem]] = {}
    for item in items:
        found.setdefault(item.group, []).append(item)
    return found
