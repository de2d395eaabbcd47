# SPDX-License-Identifier: Apache-2.0
"""Modes: the testbench that a mode has, and its limits; `driver` has what runs it."""

from abc import ABC, abstractmethod
from importlib import import_module

from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.testbench import Testbench
from limbtrace.vectors.errors import ToolError

NO_PROGRESS = "made no progress for"
"""The words by which the sentence of `hung` is known where nothing else of an error is left."""


class Mode(ABC):
    """The properties of a mode that a run depends on."""

    writes_waves = True
    """True if its driver writes waveforms; else the first of MODES writes that of the product that differs."""
    takes_vhdl = True
    """True if VHDL may run beside its simulator."""
    max_products = 1 << 32
    """Most products of a run."""
    why_max = "the testbench numbers them by 32 bits"
    asks_beforehand = False
    """True if golden data of a service are there before the simulator starts, which needs no network then."""

    def compares_signals(self, job: Job) -> bool:
        """True if watched signals are compared in every cycle, and not results alone."""
        return True

    @property
    @abstractmethod
    def testbench(self) -> Testbench:
        """The testbench of its simulation models."""


def mode(name: str) -> Mode:
    """The mode of that name, one of MODES."""
    found: Mode = import_module(f"limbtrace.rtl_bridge.run.{name}").MODE
    return found


def hung(job: Job, case: str) -> ToolError:
    """The error of a simulation that makes no progress; `case` is the one that it worked on, empty before the first."""
    where = f"in case {case}" if case else "before the first product"
    return ToolError(
        f"{job.core}: the simulation in {job.simulator} {NO_PROGRESS} {job.patience:g} s {where} and was "
        "stopped; --patience SECONDS gives it longer"
    )
