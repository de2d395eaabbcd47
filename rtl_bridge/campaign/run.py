# SPDX-License-Identifier: Apache-2.0
"""A campaign from its state to its summary."""

import os
import sys
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.campaign.coordinator import Coordinator, OnChange
from limbtrace.rtl_bridge.campaign.shards import Shards
from limbtrace.rtl_bridge.campaign.state import CampaignState
from limbtrace.rtl_bridge.campaign.summary import Summary
from limbtrace.rtl_bridge.campaign.workers import DaskExecutor, LocalExecutor


def run_campaign(
    shards: Shards,
    path: Path,
    *,
    resume: bool = False,
    again: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    told: OnChange = lambda _: None,
) -> Summary:
    """Run what the state in `path` says is left, by so many processes, or by the workers of a Dask scheduler.

    With `again`, shards that were set aside are left, too.
    Raises ParameterError for a state that cannot be used, ToolError when no worker is left or the disk is full.
    """
    if workers is not None and scheduler is not None:
        raise ParameterError("workers", "are those of the scheduler where --scheduler is given")
    with CampaignState.open(path, shards.digest, shards.parts, resume=resume) as state:
        those = (
            DaskExecutor(scheduler) if scheduler is not None else LocalExecutor(workers or len(os.sched_getaffinity(0)))
        )
        if again:
            state.again()
        with those:
            try:
                ended = Coordinator(shards, state, those, told).run()
            except (KeyboardInterrupt, SystemExit):  # the latter by SIGTERM or SIGHUP
                print(f"limbtrace: stopped; --resume goes on with {path}", file=sys.stderr, flush=True)
                raise
        return Summary(shards, ended, state)
