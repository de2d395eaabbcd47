# SPDX-License-Identifier: Apache-2.0
"""From a job to a run: the core is bound to the modulus, and all is checked that needs no simulator."""

from dataclasses import replace

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.run.default_count import default_count
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.driver import driver
from limbtrace.rtl_bridge.run.golden import drawn_request, source, timed
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.request import CHAINED, DEFAULT_KIND, EXHAUSTIVE


def settle(job: Job, core: Core | None = None, like: Bound | None = None, *, many: bool = False) -> Run:
    """Bind the core of a job and check all that can be checked without a simulator. Raises ParameterError.

    `core`: that core, as it is described in place of its core.toml. `like`: this core, bound before, whose RTL
    is not elaborated again. `many`: without a number of products, as many as about two seconds hold.
    """
    core = core or job.find()
    run = _settled(job, core, like, many=many)
    _check(run)
    asked = [(kind, modulus) for kind in job.disturb for modulus in KINDS[kind].moduli(run.bound)]
    found = [(kind, _other(run, core, modulus)) for kind, modulus in asked]
    return replace(run, others=[(kind, other) for kind, other in found if other is not None])


def _check(run: Run) -> None:
    """Raises ParameterError where job and core do not go together."""
    job = run.job
    if job.only is not None and not 0 <= job.only < job.cases:
        raise ParameterError("only", f"{shown(job.only)} is outside 0 to {job.cases - 1}, the cases of this run")
    driver(job.mode).check(run)
    with source(run.stimulus):  # the address, not whether the service answers
        pass


def _settled(job: Job, core: Core, like: Bound | None, *, many: bool = False) -> Run:
    """Bind the core of a job and count its products; `like` is this core, bound before, `many` as in `settle`.

    Raises ParameterError, ToolError where the compiler that looks into designs is missing.
    """
    bound = job.bind(core, job.stream, like, single=False)
    count = len(job.operands) or job.count
    asked = drawn_request(job, bound, default_count(job, bound) if many and count is None else count)
    if bound.narrowed and job.service is not None:
        what = "signed" if bound.signed else "below those of its model"
        why = f"whose operands are {what}, and a service gives those of the model"
        raise ParameterError("service", f"{bound.core.file.name} is a core {why}")
    if bound.narrowed and asked.kind == CHAINED:
        raise ParameterError("kind", f"{bound.core.file.name} is not given every result as an operand")
    return Run(job.model_copy(update={"count": asked.count}), timed(job, bound))


def _other(run: Run, core: Core, modulus: int) -> Run | None:
    """Seeded products with the modulus that a disturbance asks for; None if the core cannot take it."""
    # Given operands may be too large for it.
    job = run.job.model_copy(update={"prime": str(modulus), "operands": (), "count": run.job.cases})
    if job.kind == EXHAUSTIVE:  # it has another number of pairs
        job = job.model_copy(update={"kind": DEFAULT_KIND})
    try:
        other = _settled(job, core, run.bound)
    except ParameterError:
        return None
    return other if other.shell.text == run.shell.text else None
