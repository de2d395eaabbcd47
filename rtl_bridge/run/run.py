# SPDX-License-Identifier: Apache-2.0
"""A run: a job with all that follows from it, settled once and handed on as it is."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import Core, find
from limbtrace.rtl_bridge.run.compare import Comparator
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.golden import Golden, Stimulus, drawn_request, source, timed
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.mode import Mode, mode
from limbtrace.rtl_bridge.run.options import replay
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import CHAINED, DEFAULT_KIND, EXHAUSTIVE


@dataclass(frozen=True)
class Run:
    """A job, the core that it is about, and what is made of both when it is first asked for.

    The fields are all that is settled: a simulator's process gets them (`run.child`) and binds nothing again.
    """

    job: Job
    bound: Bound
    others: Sequence[tuple[str, "Run"]] = ()
    """For each modulus that a kind of disturbance asks for, that kind and as many products, if the core takes them."""
    skipped: int = 0
    """Streams in front that are not run, because they were run before."""

    @classmethod
    def settle(cls, job: Job, core: Core | None = None) -> "Run":
        """Bind the core of a job and check all that can be checked without a simulator. Raises ParameterError.

        `core`: that core, as it is described in place of its core.toml.
        """
        run = _settled(job, core)
        run._check()
        asked = [(kind, modulus) for kind in job.disturb for modulus in KINDS[kind].moduli(run.bound)]
        found = [(kind, _other(run, modulus)) for kind, modulus in asked]
        return replace(run, others=[(kind, other) for kind, other in found if other is not None])

    @cached_property
    def mode(self) -> Mode:
        return mode(self.job.mode)

    @cached_property
    def shell(self) -> Shell:
        return Shell(self.bound)

    @cached_property
    def stimulus(self) -> Stimulus:
        return Stimulus(self.job, self.bound, self.skipped)

    @cached_property
    def comparator(self) -> Comparator:
        return Comparator(self.shell)

    @cached_property
    def golden(self) -> Golden:
        return Golden(self.stimulus, self.comparator)

    @property
    def exhausts(self) -> int | None:
        """Number of all pairs of operands, where the run has all of them; None where it has some."""
        every = None if self.job.operands else self.stimulus.request.every
        return every.count if every is not None and every.count == self.stimulus.products else None

    @property
    def compares_signals(self) -> bool:
        """Whether watched signals are compared in every cycle, and not results alone."""
        return self.mode.compares_signals(self.job)

    def turn(self, case: int) -> int:
        """Which of the `others` stands in front of a case."""
        return case // self.stimulus.size % len(self.others)

    def after(self, case: int) -> "Run | None":
        """The rest of the run, from the stream that follows the one of a case; None at the end."""
        rest = self.skipping((case - self.stimulus.origin) // self.stimulus.size + 1)
        return rest if rest.stimulus.products > 0 else None

    def skipping(self, skipped: int) -> "Run":
        """The run without that many streams in front."""
        others = [(kind, replace(other, skipped=skipped)) for kind, other in self.others]
        return replace(self, skipped=skipped, others=others)

    def replay(self, case: int, *, alone: bool = True) -> str:
        """The command that simulates this one case again, or all up to it; `run.replays` has those that differ."""
        return shlex.join(["limbtrace", "sim", *replay(self, case, alone=alone)])

    def _check(self) -> None:
        """Raises ParameterError where job and core do not go together."""
        job = self.job
        if job.only is not None and not 0 <= job.only < job.cases:
            raise ParameterError("only", f"{shown(job.only)} is outside 0 to {job.cases - 1}, the cases of this run")
        self.mode.check(self)
        with source(self.stimulus):  # the address, not whether somebody answers there
            pass


def _settled(job: Job, core: Core | None = None) -> Run:
    """Bind the core of a job and count its products.

    Raises ParameterError, ToolError where the compiler that looks into designs is missing.
    """
    try:
        from limbtrace.rtl_bridge.binding.bind import (
            bind,  # a simulator's process binds nothing, and need not wait for the compiler
        )
    except ModuleNotFoundError as error:
        sentence = f"to look into a core takes {error.name}, which is not installed: pip install 'limbtrace[sim]'"
        raise ToolError(sentence) from None
    core = core or find(job.core, allow_outside=job.allow_outside, sandboxed=job.sandbox)
    bound = bind(core, job.prime, job.settings, job.build, job.stream)
    asked = drawn_request(job, bound, len(job.operands) or job.count)
    if bound.narrowed and job.service is not None:
        why = "whose operands are below those of its model, and a service gives those of the model"
        raise ParameterError("service", f"{bound.core.file.name} is a core {why}")
    if bound.narrowed and asked.kind == CHAINED:
        raise ParameterError("kind", f"{bound.core.file.name} is not given every result as an operand")
    return Run(job.model_copy(update={"count": asked.count}), timed(job, bound))


def _other(run: Run, modulus: int) -> Run | None:
    """Seeded products with the modulus that a disturbance asks for; None where the core cannot take it."""
    # Given operands may be too large for it.
    job = run.job.model_copy(update={"prime": str(modulus), "operands": (), "count": run.job.cases})
    if job.kind == EXHAUSTIVE:  # it has another number of pairs
        job = job.model_copy(update={"kind": DEFAULT_KIND})
    try:
        other = _settled(job)
    except ParameterError:
        return None
    return other if other.shell.text == run.shell.text else None
