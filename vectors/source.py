# SPDX-License-Identifier: Apache-2.0
"""Sources of golden data: this process (`Local`) or a service (`vectors.client.Client`), with one interface."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from limbtrace.refmodels.architecture import TableProduct, TimedPair
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.settings import Given
from limbtrace.vectors.cycles import ColumnInfo
from limbtrace.vectors.request import DEFAULT_KIND, CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import Case, VectorSet
from limbtrace.vectors.traces import TraceRequest


@dataclass(frozen=True)
class CaseSet:
    """A set's head (model, parameters, constants, ranges ...) and its cases, which can be consumed once.

    Who leaves the cases before their end closes the set, or uses it as a context manager: those of a service keep its
    connection until then.
    """

    head: dict[str, Any]
    cases: Iterator[Case]

    def __enter__(self) -> "CaseSet":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ask for no more cases."""
        if close := getattr(self.cases, "close", None):
            close()


@dataclass(frozen=True)
class GoldenTable:
    """Columns, and the products one after the other with their cells; None is don't care.

    The head names core and multiplier; everything that grows with the number of products is in the products.
    """

    head: dict[str, Any]
    columns: list[ColumnInfo]
    first_cycle: int
    products: Iterator[TableProduct]


@dataclass(frozen=True)
class GoldenTrace:
    """One product with all its steps."""

    head: dict[str, Any]
    steps: list[tuple[str, Index, int]]
    result: int


Pairs = Iterable[tuple[int, int]]
"""Operands a, b of products."""


class GoldenSource(Protocol):
    """The golden data that the bridge needs. All methods raise ParameterError for a wrong request."""

    def cases(
        self,
        model: str,
        prime: str | int | None,
        settings: Given,
        count: int,
        seed: int = 1,
        kind: str = DEFAULT_KIND,
        shard: str | None = None,
    ) -> CaseSet:
        """The cases of a set of `count` cases, or of its part `shard`, i/n."""

    def tables(self, core: str, prime: str | int, settings: Given, pairs: Pairs) -> GoldenTable:
        """Cycle tables of at least one product of operands a, b; each product starts as early as possible."""

    def trace(self, model: str, prime: str | int | None, settings: Given, a: int, b: int) -> GoldenTrace: ...


class Local:
    """Golden data computed here."""

    def cases(
        self,
        model: str,
        prime: str | int | None,
        settings: Given,
        count: int,
        seed: int = 1,
        kind: str = DEFAULT_KIND,
        shard: str | None = None,
    ) -> CaseSet:
        multiplier = Multiplier.resolve(model, prime, settings)
        vectors = VectorSet(VectorRequest.resolve(multiplier, count, seed, kind, shard=shard))
        return CaseSet({**vectors.head, **vectors.group}, vectors.cases())

    def tables(self, core: str, prime: str | int, settings: Given, pairs: Pairs) -> GoldenTable:
        request = CoreRequest.resolve(core, prime, settings)
        architecture, shape = request.architecture, request.shape
        plan = architecture.plan(shape)
        products = architecture.products(shape, (TimedPair(a, b) for a, b in pairs), plan)
        columns = [ColumnInfo.of(column) for column in plan.columns]
        return GoldenTable(request.head, columns, architecture.first_cycle, products)

    def trace(self, model: str, prime: str | int | None, settings: Given, a: int, b: int) -> GoldenTrace:
        multiplier = Multiplier.resolve(model, prime, settings)
        request = TraceRequest(multiplier, a, None if multiplier.model.unary else b)
        return GoldenTrace(request.head, list(request.steps()), request.result)
