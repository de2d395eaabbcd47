# SPDX-License-Identifier: Apache-2.0
"""A simulation as it was asked for, and the golden data that it needs."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from refmodels.architecture import Batch
from refmodels.errors import ParameterError
from rtl_bridge.bound import Bound, bind
from rtl_bridge.compare import BatchTable, Comparator, Expected
from rtl_bridge.corefile import find
from vectors.client import Client
from vectors.request import VectorRequest
from vectors.source import Local, Source

DISTURBANCES = ("start", "reset", "modulus", "unknown", "stalls")
MODES = ("lockstep", "bulk", "fast")


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
    only: int | None = None
    """Number of the one case to run."""
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
        bound = bind(find(self.core), self.prime, self.settings, self.build)
        VectorRequest.resolve(bound.multiplier, self.count, self.seed, self.kind)
        if self.only is not None and not 0 <= self.only < self.count:
            raise ParameterError("only", f"{self.only} is outside 0 to {self.count - 1}, the cases of this run")
        if self.every_cycle:
            self._check_every_cycle(bound)
        if self.mode == "fast":
            self._check_fast()
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
    def products(self) -> int:
        """Products to be simulated."""
        return self.count if self.only is None else 1

    @property
    def stall_seed(self) -> int:
        """Seed of the stalls of a valid-ready core, never 0."""
        return (self.seed * 2 + 1) & 0xFFFF

    def replay(self, bound: Bound, case: int) -> str:
        """The command that simulates this one case again."""
        command = ["limbtrace", "sim", self.core, *shlex.split(bound.options)]
        for name, value in self.build.items():
            command += ["--build", f"{name}={value}"]
        command += ["--count", str(case + 1), "--seed", str(self.seed), "--kind", self.kind, "--only", str(case)]
        command += ["--simulator", self.simulator, "--mode", self.mode]
        if self.every_cycle:
            command.append("--every-cycle")
        for kind in self.disturb:
            command += ["--disturb", kind]
        return shlex.join(command)

    def _source(self) -> AbstractContextManager[Source]:
        return nullcontext(Local()) if self.service is None else Client(self.service)

    @property
    def first(self) -> int:
        """The first case to be simulated."""
        return self.only or 0

    def _request(
        self, bound: Bound, settings: Mapping[str, str | int]
    ) -> tuple[int, Mapping[str, str | int], int, int, str]:
        """What golden data are asked for by: modulus, settings, count, seed, kind."""
        modulus = bound.multiplier.modulus.modulus
        return modulus, settings, self.first + self.products, self.seed, self.kind

    def batches(self, bound: Bound) -> Iterator[Batch]:
        """Golden data of every product of a core with a schedule, in columns, computed here."""
        assert bound.core.file.schedule is not None
        return Local().batches(bound.core.file.schedule, *self._request(bound, bound.settings), first=self.first)

    def checked(self, bound: Bound, comparator: Comparator) -> Iterator[Expected]:
        """Golden data of every product as a comparator needs it. Raises ParameterError, ServiceError.

        In batches where the core follows a schedule and nothing else, product by product otherwise.
        """
        if bound.plan is None or comparator.needs_steps or self.service is not None:
            yield from self.expected(bound, comparator.needs_steps, with_table=True)
            return
        first = self.first
        for batch in self.batches(bound):
            for at, image in enumerate(comparator.images(batch)):
                result = bound.expected(batch.results[at])
                yield Expected(first + at, batch.a[at], batch.b[at], result, BatchTable(batch, at), (), image)
            first += len(batch.a)

    def expected(self, bound: Bound, with_steps: bool, with_table: bool) -> Iterator[Expected]:
        """Golden data of every product, as it is asked for. Raises ParameterError, ServiceError."""
        model, first = bound.core.file.model, self.first
        request = self._request(bound, bound.multiplier.settings)
        with self._source() as source:
            if with_table and bound.core.file.schedule is not None:
                products = source.tables(bound.core.file.schedule, *self._request(bound, bound.settings)).products
                for number, product in enumerate(islice(products, first, None), first):
                    steps = source.trace(model, *request[:2], product.a, product.b).steps if with_steps else ()
                    result = bound.expected(product.result)
                    yield Expected(number, product.a, product.b, result, product.table, steps)
                return
            cases = source.cases(model, *request).cases
            for number, case in enumerate(islice(cases, first, None), first):
                steps = source.trace(model, *request[:2], case.a, case.b).steps if with_steps else ()
                yield Expected(number, case.a, case.b, bound.expected(case.result), None, steps)
