# SPDX-License-Identifier: Apache-2.0
"""Simulations from Python."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.errors import ToolError

if TYPE_CHECKING:
    from limbtrace.rtl_bridge.campaign.summary import Summary
    from limbtrace.rtl_bridge.run.job import Job
    from limbtrace.rtl_bridge.run.report import Report as Report


def __getattr__(name: str) -> Any:
    """The report is of the bridge, which needs the extra `sim`."""
    if name != "Report":
        raise AttributeError(name)
    from limbtrace.rtl_bridge.run import report

    return report.Report


def sim(
    core: str | Path, *, prime: int | str, radix: int | str | None = None,
    settings: Mapping[str, int | str] | None = None, operands: Sequence[Sequence[int | str] | str] = (),
    quiet: bool = True, **options: Any,
) -> "Report":  # fmt: skip
    """Run a core in a simulator against golden data, as `limbtrace sim` does.

    `core`: a checked-in core, or a folder with RTL and a core.toml. `settings`: parameters of the model by name.
    `operands`: products (a, b), or texts as on the command line. `options`: what the command line has besides, by name
    with _ for -: count, seed, kind, event, simulator, mode, every_cycle, disturb, build, waves, sandbox and so on.
    `quiet`: nothing is announced on standard error.

    Returns the report: `passed`, `tally.divergence` with the first difference, `document` (the JSON of the command
    line), `text()`, `junit()`. Raises ParameterError for a wrong request or description, ToolError when a tool fails or
    the extra `sim` is not installed.
    """
    try:
        from limbtrace.rtl_bridge.run.replays import confirmed
        from limbtrace.rtl_bridge.run.settle import settle
        from limbtrace.rtl_bridge.run.simulation import simulate_run
    except ModuleNotFoundError as error:
        raise ToolError(f"sim needs {error.name}, which is not installed: pip install 'limbtrace[sim]'") from None
    pairs = tuple(text if isinstance(text, str) else ",".join(map(str, text)) for text in operands)
    asked = {"prime": prime, "radix": radix, "set": dict(settings or {}), "operands": pairs, **options}
    run = settle(job(str(core), asked), many=True)
    return confirmed(run, simulate_run(run, quiet=quiet))


def campaign(
    plan: str | Path, *, state: str | Path, resume: bool = False, workers: int | None = None,
    scheduler: str | None = None, until: Mapping[str, int | float | str] | None = None, again: bool = False,
) -> "Summary":  # fmt: skip
    """Run the matrix of simulations of a plan, as `limbtrace campaign` does.

    `plan`: a TOML file. `state`: the file that holds what has ended; with `resume` one that is there. `workers`:
    processes of this machine; None: one for each processor. `scheduler`: the address of a Dask scheduler instead.
    `until`: limits by name instead of those of the plan: products, hours, seconds, differences. `again`: with `resume`,
    shards that were set aside are tried again. A program that calls this is imported by its processes again, and so
    calls it below `if __name__ == "__main__"`.

    Returns the summary: `passed`, `document` (the JSON of the command line), `covered` (a document of coverage for each
    model), `text()`, `junit()`. Raises ParameterError for a wrong plan or state, ToolError when a tool fails or the
    extra `sim` is not installed.
    """
    try:
        from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
        from limbtrace.rtl_bridge.campaign.run import run_campaign
        from limbtrace.rtl_bridge.campaign.shards import Shards
    except ModuleNotFoundError as error:
        raise ToolError(f"campaign needs {error.name}, which is not installed: pip install 'limbtrace[sim]'") from None
    asked = CampaignPlan.load(Path(plan), {name: str(value) for name, value in (until or {}).items()})
    return run_campaign(Shards.of(asked), Path(state), resume=resume, again=again, workers=workers, scheduler=scheduler)


def job(core: str, asked: Mapping[str, Any]) -> "Job":
    """The job that these options of the command line, by name, ask for. Raises ParameterError."""
    import click

    from limbtrace.rtl_bridge.run.job import Job
    from limbtrace.rtl_bridge.run.options import again, job_options

    @click.command("sim")
    @job_options(Job, "core", "vectors", "run")
    def read(job: Job) -> Job:
        return job

    known = {flag for parameter in read.params for flag in parameter.opts}
    words = []
    for name, value in asked.items():
        if f"--{name.replace('_', '-')}" not in known:
            raise ParameterError(name, "sim has no such option")
        words += again(name, tuple(value) if isinstance(value, list | set) else value)
    try:
        found: Job = read.main([*words, "--", core], standalone_mode=False)
    except click.ClickException as error:
        name = getattr(getattr(error, "param", None), "name", None) or "sim"
        raise ParameterError(name, error.message) from None
    return found
