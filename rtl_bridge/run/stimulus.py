# SPDX-License-Identifier: Apache-2.0
"""Which products a core is given: the operands that a job asks for, dealt out to streams."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, repeat
from typing import TypeVar

from refmodels.architecture import Job as Pair
from refmodels.errors import ParameterError, shown
from rtl_bridge.core.bound import Bound
from rtl_bridge.run.job import Job
from vectors.cycles import CycleRequest, parse_job
from vectors.operands import pairs
from vectors.request import CoreRequest, VectorRequest

T = TypeVar("T")


@dataclass(frozen=True)
class Stimulus:
    """The products of a job for a bound core, in streams of `size`; the last one is filled."""

    job: Job
    bound: Bound

    @property
    def size(self) -> int:
        """Products of a stream."""
        return len(self.bound.starts)

    @property
    def first(self) -> int:
        """The first case to be simulated: that of a whole stream."""
        return (self.job.only or 0) // self.size * self.size

    @property
    def products(self) -> int:
        """Products to be simulated: those asked for, without what fills the last stream."""
        cases = self.job.cases
        return cases if self.job.only is None else min(self.size, cases - self.first)

    @property
    def streams(self) -> int:
        """Streams to be simulated."""
        return -(-self.products // self.size)

    @property
    def end(self) -> int:
        """The case after the last one to be simulated."""
        return self.first + self.products

    @property
    def overlaps(self) -> bool:
        """Whether the core follows a schedule in which products overlap."""
        return _overlaps(self.bound)

    @cached_property
    def request(self) -> VectorRequest:
        """The cases up to the last one to be simulated, where operands are drawn."""
        return VectorRequest.resolve(self.bound.multiplier, self.end, self.job.seed, self.job.kind)

    def given(self) -> list[Pair]:
        """The operands that were given, up to the last ones to be simulated. Raises ParameterError("operands")."""
        return given(self.job, self.bound)[: self.end]

    def pairs(self) -> Iterator[Pair]:
        """Operands of every product to be simulated, streams full."""
        drawn = self.given() if self.job.operands else (Pair(a, b) for a, b in pairs(self.request))
        return self.filled(drawn, Pair(0, 0))

    def filled(self, products: Iterable[T], filler: T) -> Iterator[T]:
        """Of all products from case 0 on those to be simulated, and `filler` as often as the last stream has room."""
        return chain(islice(products, self.first, None), repeat(filler, -self.products % self.size))


def given(job: Job, bound: Bound) -> list[Pair]:
    """The operands that a job gives. Raises ParameterError("operands")."""
    multiplier, found = bound.multiplier, []
    for text in job.operands:
        pair = parse_job(multiplier, text)
        if pair.start is not None and not (bound.core.file.protocol.timed and _overlaps(bound)):
            why = "only word-serial cores with a schedule take one"
            raise ParameterError("operands", f"{shown(text)} says a cycle; {why}")
        multiplier.model.check_operands(multiplier.params, pair.a, pair.b)
        found.append(pair)
    return found


def timed(job: Job, bound: Bound) -> Bound:
    """The core for the stream of operands that say cycles, counted as in a cycle table. Raises ParameterError."""
    pairs = given(job, bound)
    if not job.timed:
        return bound
    assert bound.architecture is not None
    assert bound.shape is not None
    if len(pairs) > bound.products:
        most = f"{bound.core.file.name} takes {bound.products} products in a stream"
        raise ParameterError("operands", f"{most}, and there are {len(pairs)} with cycles")
    if job.stream not in (None, len(pairs)):
        raise ParameterError("stream", f"operands that say cycles are one stream of {len(pairs)}")
    shape = replace(bound.shape, starts=(0,))
    table = CycleRequest(CoreRequest(bound.architecture, bound.multiplier, shape), pairs)
    return replace(bound, starts=table.shape.starts, shape=table.shape, plan=table.plan)


def _overlaps(bound: Bound) -> bool:
    return bound.architecture is not None and bound.architecture.overlap is not None
