# SPDX-License-Identifier: Apache-2.0
"""The plans of the docs run, and their configurations for job queues become job scripts."""

from itertools import islice
from pathlib import Path

import pytest
import yaml

import limbtrace
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
from limbtrace.rtl_bridge.campaign.shards import Shards

PLANS = Path(__file__).parents[2] / "docs" / "plans"
QUEUES = {"slurm": "#SBATCH", "lsf": "#BSUB", "pbs": "#PBS", "sge": "#$"}


@pytest.mark.parametrize("path", sorted(PLANS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_combination_of_a_plan_can_run(path: Path) -> None:
    shards = Shards.of(CampaignPlan.load(path))
    first = list(islice(shards, 2 * len(shards.cells)))
    assert {shard.cell for shard in first} == {cell.cell.number for cell in shards.cells}


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "products"), [("nightly", 10**6), ("exhaustive", 10**5), ("foreign", 10**3), ("chain", 2)]
)
def test_a_plan_runs(tmp_path: Path, name: str, products: int) -> None:
    until = {"products": products}
    assert limbtrace.campaign(PLANS / f"{name}.toml", state=tmp_path / "state", until=until).passed


@pytest.mark.parametrize("name", QUEUES)
def test_a_configuration_makes_a_job_script(name: str) -> None:
    import dask
    import dask_jobqueue

    with dask.config.set({"distributed.scheduler.http.routes": []}):
        dask.config.update(dask.config.config, yaml.safe_load((PLANS / f"{name}.yaml").read_text()))
        cluster = getattr(dask_jobqueue, f"{name.upper()}Cluster")(scheduler_options={"dashboard_address": None})
        with cluster:
            script = cluster.job_script()
    assert QUEUES[name] in script
    assert "LIMBTRACE_BUILD" in script
    assert "--nworkers 16" in script
