# SPDX-License-Identifier: Apache-2.0
"""A whole simulation: run settled, model built, products run, report written."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from rtl_bridge.core.bound import Bound, Watch
from rtl_bridge.core.file import Row
from rtl_bridge.run.builds import build
from rtl_bridge.run.gaps import gap
from rtl_bridge.run.job import Job
from rtl_bridge.run.report import Divergence, Report, Tally
from rtl_bridge.run.run import Run
from rtl_bridge.run.sandbox import check as check_sandbox
from rtl_bridge.run.simulators import check_installed
from vectors.document import members
from vectors.errors import ToolError
from vectors.files import write_file
from vectors.report.document import WatchedSignal, WaveNames
from vectors.request import prime_document


def simulate(job: Job, *, quiet: bool = False) -> Report:
    """Run a job; `quiet` runs are not announced.

    Raises ParameterError for a wrong request or description before anything is built, ToolError when a tool or the
    service fails.
    """
    run = Run.settle(job)
    check_installed(run.bound.protocol)
    if job.sandbox:
        check_sandbox()
    if not quiet:
        print(f"limbtrace: {_announce(run)}", file=sys.stderr, flush=True)
    model = build(run.shell, job.simulator, job.mode, job.waves is not None, sandboxed=job.sandbox)
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder, _disk(folder):
        work = Path(folder) / "run"
        work.mkdir()
        waves = work / "waves.vcd" if job.waves else None
        tally = run.mode.drive(run, model, work, waves)
        if job.waves is not None and waves is not None:
            _check_room(waves)
            _keep_waves(run.bound, waves, job.waves)
    return _report(run, tally)


@contextmanager
def _disk(folder: str) -> Iterator[None]:
    """Say which folder it is that cannot be written."""
    try:
        yield
    except OSError as error:
        raise ToolError(f"{error.filename or folder}: {error.strerror}; TMPDIR says where simulations work") from error


def _check_room(waves: Path) -> None:
    """Raises OSError where the disk is so full that a simulator may have cut the waveform: they do not tell.

    Raises ToolError where it is no file, and would be written elsewhere.
    """
    if waves.is_symlink() or not waves.is_file():
        raise ToolError("the simulation put something else in the place of its waveform")
    with waves.open("r+b") as stream:
        size = stream.seek(0, os.SEEK_END)
        os.posix_fallocate(stream.fileno(), size, 1 << 20)
        stream.truncate(size)


def _keep_waves(bound: Bound, vcd: Path, target: Path) -> None:
    """Write the waveform to its place, as FST where the name ends so, and a save file for GTKWave beside it."""
    from vectors.cycles.waves import named, save_file, write_fst  # with the library for FST

    waves = vcd
    if target.suffix == ".fst":
        waves = vcd.parent.with_suffix(".fst")  # not where the simulation may have put a link of that name
        write_fst(vcd, waves)
    with waves.open("rb") as stream:
        write_file(target, iter(lambda: stream.read(1 << 20), b""))
    names = _wave_names(bound)
    shown = [names["clock"], *names["handshake"], *(signal["name"] for signal in names["signals"])]
    write_file(target.with_suffix(".gtkw"), [save_file(named(vcd, shown), target.name)])


def _wave_names(bound: Bound) -> dict[str, Any]:
    """What a waveform calls the signals of the rows, and those that belong to them."""
    file = bound.core.file
    found: dict[str, Any] = members(
        WaveNames,
        clock=f"u_core.{file.clock.port}",
        handshake=[f"u_core.{port}" for port in (file.reset.port, *file.protocol.ports)],
        signals=[
            members(WatchedSignal, name=_in_waves(bound, watch.row), width=watch.width, kind=_kind(watch))
            for watch in bound.watches
        ],
    )
    return found


def _in_waves(bound: Bound, row: Row) -> str:
    """What a waveform calls a watched row."""
    return f"u_core.{row.source}" if row.signal is None else f"u_core.{bound.inside}{row.signal}"


def _kind(watch: Watch) -> Literal["register", "combinational"]:
    return "register" if watch.kind == "register" else "combinational"


def _announce(run: Run) -> str:
    job, bound, products = run.job, run.bound, run.stimulus.products
    parameters = ", ".join(f"{name} = {value}" for name, value in bound.parameters.items())
    return (
        f"{bound.core.file.name}{f' ({parameters})' if parameters else ''}, "
        f"modulus of {bound.multiplier.modulus.bits} bits, {products} product{'' if products == 1 else 's'}, "
        f"{job.mode} in {job.simulator}"
    )


def _circumstances(run: Run, found: Divergence) -> dict[str, Any]:
    """What is special about a product that differs: how it was disturbed, or that it followed another one closely."""
    before = gap(found.case // run.stimulus.size * run.stimulus.size, run.bound.core.file)
    if run.job.disturb or not before.behind:
        return found.disturbed
    return {"behind": {"cycles": before.cycles}}


def _report(run: Run, tally: Tally) -> Report:
    job, bound, multiplier = run.job, run.bound, run.bound.multiplier
    if (found := tally.divergence) is not None:
        found = replace(found, replay=run.replay(found.case), disturbed=_circumstances(run, found))
        tally = replace(tally, divergence=found)
    return Report(
        core=bound.core.file.name,
        model=multiplier.model.id,
        simulator=job.simulator,
        mode=job.mode,
        seed=job.seed,
        signals=len(bound.watches) if run.compares_signals else 0,
        tally=tally,
        about={
            "prime": prime_document(multiplier.modulus),
            "radix": multiplier.radix,
            "params": bound.head["params"],
            "build": bound.parameters,
            "count": job.cases,
            **({"operands": job.operands} if job.operands else {"kind": job.kind}),
            **({"stream": run.stimulus.size} if bound.products > 1 else {}),
        },
        wave_names=_wave_names(bound),
    )
