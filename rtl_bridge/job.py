# SPDX-License-Identifier: Apache-2.0
"""A simulation as it was asked for, and the golden data that it needs."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from refmodels.architecture import Batch, Product
from refmodels.architecture import Job as Pair
from refmodels.errors import ParameterError, shown
from rtl_bridge.bound import Bound, bind
from rtl_bridge.compare import BatchTable, Comparator, Expected
from rtl_bridge.corefile import WordSerial, find
from rtl_bridge.shell import Shell
from vectors.cycles import CycleRequest, parse_job
from vectors.operands import pairs
from vectors.request import CoreRequest, VectorRequest
from vectors.source import Local, Source

DISTURBANCES = ("start", "reset", "modulus", "unknown", "stalls")
MODES = ("lockstep", "bulk", "fast")
T = TypeVar("T")


class Job(BaseModel):
    """All that determines a simulation; travels into the simulator as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    core: str
    """Name of a built-in core, or path of a folder."""
    prime: str
    settings: Mapping[str, str | int] = {}
    build: Mapping[str, int] = {}
    """RTL parameters other than those of core.toml."""
    count: int = 16
    seed: int = 1
    kind: str = "mixed"
    operands: tuple[str, ...] = ()
    """A,B or A,B@CYCLE of every product as it was asked for, instead of a seeded set."""
    only: int | None = None
    """Number of the one case to run, with the others of its stream."""
    stream: int | None = None
    """Products of a stream, where the core takes several at a time; None: as many as it takes."""
    simulator: str = "verilator"
    mode: str = "lockstep"
    every_cycle: bool = False
    """In mode bulk: compare every watched signal in every cycle too."""
    service: str | None = None
    """Address of the service that golden data comes from; None: computed here."""
    disturb: tuple[str, ...] = ()
    """What the core has to bear: some of DISTURBANCES, in that order."""
    patience: float = 120.0
    """Seconds without progress after which a simulator is stopped; 0: never."""
    waves: Path | None = None

    def bind(self) -> Bound:
        """The core for this modulus, with everything checked that can be without a simulator. Raises ParameterError."""
        bound = bind(find(self.core), self.prime, self.settings, self.build, self.stream)
        VectorRequest.resolve(bound.multiplier, self.cases, self.seed, self.kind)
        bound = self._timed(bound)
        if self.only is not None and not 0 <= self.only < self.cases:
            raise ParameterError("only", f"{self.only} is outside 0 to {self.cases - 1}, the cases of this run")
        if bound.bus and self.mode != "lockstep":
            raise ParameterError(
                "mode", f"{bound.core.file.name} is behind a bus, which mode lockstep alone drives; there is no export"
            )
        if self.every_cycle:
            self._check_every_cycle(bound)
        if self.mode == "fast":
            self._check_fast()
        if self.service is not None and (self.mode != "bulk" or self.every_cycle) and _streams(bound):
            raise ParameterError(
                "service", f"cycle tables of {bound.core.file.name} are computed here; mode bulk takes results from it"
            )
        if self.disturb and self.mode != "lockstep":
            raise ParameterError("disturb", f"goes with mode lockstep; mode {self.mode} is asked for")
        with self._source():  # the address, not whether somebody answers there
            return bound

    def _check_every_cycle(self, bound: Bound) -> None:
        if self.mode != "bulk":
            raise ParameterError("every-cycle", f"goes with mode bulk; mode {self.mode} is asked for")
        rows = bound.core.file.row
        if bound.plan is None or not rows or any(row.match != "cycle" for row in rows):
            why = "needs a schedule and rows that all match by cycle; mode lockstep compares others"
            raise ParameterError("every-cycle", f"{bound.core.file.name} {why}")

    def _check_fast(self) -> None:
        if self.simulator != "verilator":
            raise ParameterError("simulator", f"mode fast needs verilator; {self.simulator} is asked for")
        if self.waves is not None:
            raise ParameterError("waves", "mode fast writes no waveforms; mode lockstep does")

    @property
    def cases(self) -> int:
        """Cases of the run, of which `only` may choose one."""
        return len(self.operands) or self.count

    def products(self, bound: Bound) -> int:
        """Products to be simulated: those asked for, without what fills the last stream."""
        return self.cases if self.only is None else min(len(bound.starts), self.cases - self.first(bound))

    def streams(self, bound: Bound) -> int:
        """Streams to be simulated."""
        return -(-self.products(bound) // len(bound.starts))

    def _given(self, bound: Bound) -> list[Pair]:
        """The operands that were given. Raises ParameterError("operands")."""
        multiplier, pairs = bound.multiplier, []
        serial = isinstance(bound.core.file.protocol, WordSerial)
        for text in self.operands:
            pair = parse_job(multiplier, text)
            if pair.start is not None and not (serial and _streams(bound)):
                why = "only word-serial cores with a schedule take one"
                raise ParameterError("operands", f"{shown(text)} says a cycle; {why}")
            multiplier.model.check_operands(multiplier.params, pair.a, pair.b)
            pairs.append(pair)
        return pairs

    @property
    def timed(self) -> bool:
        """Whether operands say in which cycles their products start: then all products are one stream."""
        return any("@" in text for text in self.operands)

    def _timed(self, bound: Bound) -> Bound:
        """The core for the stream of operands that say cycles, counted as in a cycle table. Raises ParameterError."""
        pairs = self._given(bound)
        if not self.timed:
            return bound
        assert bound.architecture is not None
        assert bound.shape is not None
        if len(pairs) > bound.products:
            most = f"{bound.core.file.name} takes {bound.products} products in a stream"
            raise ParameterError("operands", f"{most}, and there are {len(pairs)} with cycles")
        if self.stream not in (None, len(pairs)):
            raise ParameterError("stream", f"operands that say cycles are one stream of {len(pairs)}")
        shape = replace(bound.shape, starts=(0,))
        table = CycleRequest(CoreRequest(bound.architecture, bound.multiplier, shape), pairs)
        return replace(bound, starts=table.shape.starts, shape=table.shape, plan=table.plan)

    @property
    def stall_seed(self) -> int:
        """Seed of the stalls of a valid-ready core, never 0."""
        return (self.seed * 2 + 1) & 0xFFFF

    def replay(self, bound: Bound, case: int) -> str:
        """The command that simulates this one case again."""
        command = ["limbtrace", "sim", self.core, *shlex.split(bound.options)]
        for name, value in self.build.items():
            command += ["--build", f"{name}={value}"]
        size = len(bound.starts)
        count = min(self.cases, (case // size + 1) * size)
        for text in self.operands[:count]:
            command += ["--operands", text]
        command += [] if self.operands else ["--count", str(count), "--kind", self.kind]
        if not self.operands or self.disturb or bound.core.file.stalls:
            command += ["--seed", str(self.seed)]
        command += ["--only", str(min(case, count - 1))]  # what fills the last stream has no number
        if self.stream is not None:
            command += ["--stream", str(self.stream)]
        command += ["--simulator", self.simulator, "--mode", self.mode]
        if self.every_cycle:
            command.append("--every-cycle")
        for kind in self.disturb:
            command += ["--disturb", kind]
        return shlex.join(command)

    def _source(self) -> AbstractContextManager[Source]:
        if self.service is None:
            return nullcontext(Local())
        from vectors.client import Client  # with all of HTTP, for which a simulator need not wait

        return Client(self.service)

    def first(self, bound: Bound) -> int:
        """The first case to be simulated: that of a whole stream."""
        size = len(bound.starts)
        return (self.only or 0) // size * size

    def _request(
        self, bound: Bound, settings: Mapping[str, str | int]
    ) -> tuple[int, Mapping[str, str | int], int, int, str]:
        """What golden data are asked for by: modulus, settings, count, seed, kind."""
        count = self.first(bound) + self.products(bound)
        return bound.multiplier.modulus.modulus, settings, count, self.seed, self.kind

    def _filled(self, bound: Bound, products: Iterable[T], filler: T) -> Iterator[T]:
        """The products to be simulated, and what fills the last stream."""
        missing = -self.products(bound) % len(bound.starts)
        return chain(islice(products, self.first(bound), None), repeat(filler, missing))

    def pairs(self, bound: Bound) -> Iterator[Pair]:
        """Operands of every product to be simulated, streams full; made here."""
        _, _, count, seed, kind = self._request(bound, {})
        products: Iterable[Pair] = self._given(bound)[:count]
        if not self.operands:
            drawn = pairs(VectorRequest.resolve(bound.multiplier, count, seed, kind))
            products = (Pair(a, b) for a, b in drawn)
        return self._filled(bound, products, Pair(0, 0))

    def batches(self, bound: Bound) -> Iterator[Batch]:
        """Golden data of every stream of a core with a schedule, in columns, computed here."""
        assert bound.architecture is not None
        assert bound.shape is not None
        assert bound.plan is not None
        return bound.architecture.batches(bound.shape, self.pairs(bound), bound.plan)

    def checked(self, bound: Bound, comparator: Comparator) -> Iterator[Expected]:
        """Golden data of every stream as a comparator needs it. Raises ParameterError, ServiceError.

        In batches where the core follows a schedule and nothing else, stream by stream otherwise.
        """
        if bound.plan is None or comparator.needs_steps or self.service is not None:
            yield from self.expected(bound, comparator.needs_steps, with_table=True)
            return
        first, size, shell = self.first(bound), len(bound.starts), comparator.shell
        for batch in self.batches(bound):
            a, b = shell.streams("a", batch.a), shell.streams("b", batch.b)
            results = shell.streams("result", [bound.expected(result) for result in batch.results])
            for at, image in enumerate(comparator.images(batch)):
                table = BatchTable(batch, at)
                yield Expected(first + at * size, a[at], b[at], results[at], table, (), image, bound.plan)
            first += len(batch.a)

    def expected(self, bound: Bound, with_steps: bool, with_table: bool) -> Iterator[Expected]:
        """Golden data of every stream, as it is asked for. Raises ParameterError, ServiceError."""
        shell, size, first = Shell(bound), len(bound.starts), self.first(bound)
        with self._source() as source:
            products = self._products(bound, source, with_table)
            while stream := list(islice(products, size)):
                yield self._stream(shell, source, first, stream, with_steps)
                first += size

    def _products(self, bound: Bound, source: Source, with_table: bool) -> Iterator[Product]:
        """Every product with its result, and its table where one is asked for; streams full."""
        m = bound.multiplier
        if with_table and bound.architecture and bound.shape and bound.plan:
            if _streams(bound):
                return bound.architecture.products(bound.shape, self.pairs(bound), bound.plan)
            pairs = ((pair.a, pair.b) for pair in self.pairs(bound))
            return source.tables(bound.architecture.id, m.modulus.modulus, bound.settings, pairs).products
        asked = self._request(bound, m.settings)
        if self.operands:
            traces = ((a, b, source.trace(m.model.id, *asked[:2], a, b)) for a, b, _ in self._given(bound)[: asked[2]])
            products = (Product(a, b, trace.result, 0, []) for a, b, trace in traces)
        else:
            products = (Product(c.a, c.b, c.result, 0, []) for c in source.cases(m.model.id, *asked).cases)
        return self._filled(bound, products, Product(0, 0, m.model.result(m.params, 0, 0), 0, []))

    def stream_of(self, bound: Bound, first: int, pairs: Sequence[Pair], with_steps: bool) -> Expected:
        """Golden data of one stream of a core with a schedule, computed here; `first` is its first case."""
        assert bound.architecture is not None
        assert bound.shape is not None
        assert bound.plan is not None
        products = list(bound.architecture.products(bound.shape, pairs, bound.plan))
        return self._stream(Shell(bound), Local(), first, products, with_steps)

    @staticmethod
    def _stream(shell: Shell, source: Source, first: int, products: Sequence[Product], with_steps: bool) -> Expected:
        bound, m = shell.bound, shell.bound.multiplier
        modulus, settings = m.modulus.modulus, m.settings
        steps = []
        for product in products if with_steps else ():
            steps += source.trace(m.model.id, modulus, settings, product.a, product.b).steps
        return Expected(
            first,
            shell.join("a", (product.a for product in products)),
            shell.join("b", (product.b for product in products)),
            shell.join("result", (bound.expected(product.result) for product in products)),
            products[0].table or None,
            steps,
            plan=bound.plan,
        )


def _streams(bound: Bound) -> bool:
    """Whether the core follows a schedule in which products overlap."""
    return bound.architecture is not None and bound.architecture.overlap is not None
