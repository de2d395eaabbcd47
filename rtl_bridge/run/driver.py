# SPDX-License-Identifier: Apache-2.0
"""Drivers: how a mode takes a core through its products."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.mode import Mode, mode
from limbtrace.rtl_bridge.run.options import check_modes
from limbtrace.rtl_bridge.run.report import Tally
from limbtrace.rtl_bridge.run.run import Run

if TYPE_CHECKING:  # a simulator's process builds nothing
    from limbtrace.rtl_bridge.run.builds import Build

More = Callable[[Tally], Run | None]
"""Tally of a simulation -> the run that follows it; None at the end."""


def enough(_: Tally) -> Run | None:
    """Nothing more."""
    return None


class Driver(Mode):
    """A way to run a job. A new one is a module with an instance called MODE, its testbench, and its name in MODES."""

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

    @abstractmethod
    def drive(self, run: Run, build: Build, work: Path, waves: Path | None, more: More = enough) -> Tally:
        """Simulate in the folder `work`, with a waveform in VCD where `waves` names one; returns how far it came.

        `more` is told that, and if it returns the rest of a run, that is simulated, too, without a waveform and from
        the first reset on, so that nothing is left of what came before. Raises ToolError, ParameterError.
        """


def driver(name: str) -> Driver:
    """The driver of the mode of that name, one of MODES."""
    found = mode(name)
    assert isinstance(found, Driver)
    return found
