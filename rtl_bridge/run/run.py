# SPDX-License-Identifier: Apache-2.0
"""A run: a job with all that follows from it, settled once and handed on as it is."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.compare import Comparator
from limbtrace.rtl_bridge.run.golden import Golden, Stimulus
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.mode import Mode, mode
from limbtrace.rtl_bridge.run.options import replay
from limbtrace.rtl_bridge.shell.text import Shell


@dataclass(frozen=True)
class Run:
    """A job, the core that it is about, and what is made of both when it is first asked for.

    The fields are all that is settled: a simulator's process gets them (`run.pickled`) and binds nothing again.
    """

    job: Job
    bound: Bound
    others: Sequence[tuple[str, "Run"]] = ()
    """For each modulus that a kind of disturbance asks for, that kind and as many products, if the core takes them."""
    skipped: int = 0
    """Streams in front that are not run, because they were run before."""
    directed: bool = False
    """True if it is one of the runs of a core at directed moduli."""

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
        """Number of all pairs of operands, if the run has all of them; None if it has some."""
        every = None if self.job.operands else self.stimulus.request.every
        return every.count if every is not None and every.count == self.stimulus.products else None

    @property
    def compares_signals(self) -> bool:
        """True if watched signals are compared in every cycle, and not results alone."""
        return self.mode.compares_signals(self.job)

    @property
    def counts_latencies(self) -> bool:
        """True if each product has a number of cycles of its own, which neither stalls nor disturbances make longer."""
        protocol = self.bound.protocol
        words = max(protocol.operand_words(self.bound), protocol.result_words(self.bound))
        return self.stimulus.size == 1 and not self.job.disturb and not (protocol.stalls and words > 1)

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
        return shlex.join(["limbtrace", "sim", *replay(self.job, self.bound, case, alone=alone)])
