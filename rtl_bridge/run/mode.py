# SPDX-License-Identifier: Apache-2.0
"""Modes: what drives a core through its products, and how much of it is compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.options import check_modes
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.vectors.errors import ToolError

if TYPE_CHECKING:
    from limbtrace.rtl_bridge.run.builds import Build
    from limbtrace.rtl_bridge.run.job import Job
    from limbtrace.rtl_bridge.run.run import Run
    from limbtrace.rtl_bridge.run.testbench import Testbench

More: TypeAlias = "Callable[[Tally], Run | None]"
"""How far a simulation came -> what is to be simulated after it."""

MODES = ("lockstep", "bulk", "fast")
"""Each is a module of this room with a `MODE`, loaded when it is asked for; the first is the default."""


def enough(_: Tally) -> Run | None:
    """Nothing more."""
    return None


class Mode(ABC):
    """A way to run a job. A new one is a module with an instance called MODE, its testbench, and its name in MODES."""

    writes_waves = True
    """Whether `drive` writes waveforms; else the first of MODES writes that of the product that differs."""
    takes_vhdl = True
    """Whether VHDL may run beside its simulator."""
    most = 1 << 32
    """Most products of a run."""
    why_most = "the testbench numbers them by 32 bits"
    asks_beforehand = False
    """Whether golden data of a service are there before the simulator starts, which needs no network then."""

    def compares_signals(self, job: Job) -> bool:
        """Whether watched signals are compared in every cycle, and not results alone."""
        return True

    def check(self, run: Run) -> None:
        """Raises ParameterError where the mode cannot do what the job asks for of this core.

        This refuses what every mode does; modes with reasons of their own add them.
        """
        job, file = run.job, run.bound.core.file
        check_modes(job)
        if not self.takes_vhdl:
            run.bound.core.check_hardware(f"mode {job.mode}")
        if job.service is not None and job.sandbox and not self.asks_beforehand:
            raise ParameterError(
                "sandbox", f"leaves mode {job.mode} no network for --service; mode bulk asks beforehand"
            )
        if job.service is not None and self.compares_signals(job) and run.stimulus.overlaps:
            why = f"cycle tables of {file.name} are computed here; mode bulk takes results from it"
            raise ParameterError("service", why)

    @property
    @abstractmethod
    def testbench(self) -> Testbench:
        """What its models are made of."""

    @abstractmethod
    def drive(self, run: Run, build: Build, work: Path, waves: Path | None, more: More = enough) -> Tally:
        """Simulate in the folder `work`, with a waveform in VCD where `waves` names one; returns how far it came.

        `more` is told that, and where it returns the rest of a run, that is simulated, too, without a waveform and from
        the first reset on, so that nothing is left of what came before. Raises ToolError, ParameterError.
        """


def mode(name: str) -> Mode:
    """The mode of that name, one of MODES."""
    found: Mode = import_module(f"limbtrace.rtl_bridge.run.{name}").MODE
    return found


def hung(job: Job, case: str) -> ToolError:
    """The error of a simulation that makes no progress; `case` is the one that it worked on, empty before the first."""
    where = f"in case {case}" if case else "before the first product"
    return ToolError(
        f"{job.core}: the simulation in {job.simulator} made no progress for {job.patience:g} s {where} and was "
        "stopped; --patience SECONDS gives it longer"
    )
