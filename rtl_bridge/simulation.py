# SPDX-License-Identifier: Apache-2.0
"""A whole simulation: description checked, model built, products run, report written."""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from rtl_bridge import bulk, lockstep
from rtl_bridge.bound import Bound
from rtl_bridge.builds import build
from rtl_bridge.job import Job
from rtl_bridge.report import Report, Tally
from rtl_bridge.shell import Shell
from vectors.files import write_file
from vectors.request import prime_document


def simulate(job: Job) -> Report:
    """Run a job.

    Raises ParameterError for a wrong request or description before anything is built, ToolError when a tool or the
    service fails.
    """
    bound = job.bind()
    shell = Shell(bound)
    print(f"limbtrace: {_announce(job, bound)}", file=sys.stderr, flush=True)
    model = build(shell, job.simulator, job.mode, job.waves is not None)
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        waves = work / "waves.vcd" if job.waves else None
        if job.mode == "lockstep":
            tally = lockstep.run(job, model, work, waves)
        else:
            tally = bulk.run(job, shell, model, work, waves)
        if job.waves is not None and waves is not None:
            with waves.open("rb") as stream:
                write_file(job.waves, iter(lambda: stream.read(1 << 20), b""))
    return _report(job, bound, tally)


def _announce(job: Job, bound: Bound) -> str:
    parameters = ", ".join(f"{name} = {value}" for name, value in bound.parameters.items())
    return (
        f"{bound.core.file.name}{f' ({parameters})' if parameters else ''}, "
        f"modulus of {bound.multiplier.modulus.bits} bits, {job.products} products, {job.mode} in {job.simulator}"
    )


def _report(job: Job, bound: Bound, tally: Tally) -> Report:
    multiplier = bound.multiplier
    if tally.divergence is not None:
        tally = replace(tally, divergence=replace(tally.divergence, replay=job.replay(bound, tally.divergence.case)))
    return Report(
        bound.core.file.name,
        multiplier.model.id,
        job.simulator,
        job.mode,
        job.seed,
        len(bound.watches) if job.mode == "lockstep" else 0,
        tally,
        {
            "prime": prime_document(multiplier.modulus),
            "radix": multiplier.radix,
            "params": multiplier.params.named,
            "build": bound.parameters,
            "count": job.count,
            "kind": job.kind,
        },
    )
