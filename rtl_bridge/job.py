# SPDX-License-Identifier: Apache-2.0
"""A simulation as it was asked for, and the golden data that it needs."""

import shlex
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from refmodels.errors import ParameterError
from rtl_bridge.bound import Bound, bind
from rtl_bridge.compare import Expected
from rtl_bridge.corefile import find
from vectors.client import Client
from vectors.request import VectorRequest
from vectors.source import Local, Source

MODES = ("lockstep", "bulk")


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
    service: str | None = None
    """Address of the service that golden data comes from; None: computed here."""
    waves: Path | None = None

    def bind(self) -> Bound:
        """The core for this modulus, with everything checked that can be without a simulator. Raises ParameterError."""
        bound = bind(find(self.core), self.prime, self.settings, self.build)
        VectorRequest.resolve(bound.multiplier, self.count, self.seed, self.kind)
        if self.only is not None and not 0 <= self.only < self.count:
            raise ParameterError("only", f"{self.only} is outside 0 to {self.count - 1}, the cases of this run")
        with self._source():  # the address, not whether somebody answers there
            return bound

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
        command = ["limbtrace", "sim", self.core, *shlex.split(bound.multiplier.options)]
        for name, value in self.build.items():
            command += ["--build", f"{name}={value}"]
        command += ["--count", str(case + 1), "--seed", str(self.seed), "--kind", self.kind, "--only", str(case)]
        command += ["--simulator", self.simulator, "--mode", self.mode]
        return shlex.join(command)

    def _source(self) -> AbstractContextManager[Source]:
        return nullcontext(Local()) if self.service is None else Client(self.service)

    def expected(self, bound: Bound, with_steps: bool, with_table: bool) -> Iterator[Expected]:
        """Golden data of every product, as it is asked for. Raises ParameterError, ServiceError."""
        model, m = bound.core.file.model, bound.multiplier
        count = self.count if self.only is None else self.only + 1
        first = self.only or 0
        with self._source() as source:
            request = (m.modulus.modulus, m.settings, count, self.seed, self.kind)
            if with_table and bound.core.file.schedule is not None:
                products = source.tables(bound.core.file.schedule, *request).products
                for number, product in enumerate(islice(products, first, None), first):
                    steps = source.trace(model, *request[:2], product.a, product.b).steps if with_steps else ()
                    result = bound.expected(product.result)
                    yield Expected(number, product.a, product.b, result, product.table, steps)
                return
            cases = source.cases(model, *request).cases
            for number, case in enumerate(islice(cases, first, None), first):
                steps = source.trace(model, *request[:2], case.a, case.b).steps if with_steps else ()
                yield Expected(number, case.a, case.b, bound.expected(case.result), None, steps)
