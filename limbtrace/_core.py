# SPDX-License-Identifier: Apache-2.0
"""Schedules of cores: what every watched signal holds in every cycle."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

from limbtrace._multiplier import Multiplier, Operand, multiplier
from limbtrace.refmodels import registry
from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.vectors import cycles
from limbtrace.vectors.cycles import CycleRequest
from limbtrace.vectors.cycles.picture import Wave, svg
from limbtrace.vectors.request import CoreRequest

SHOWN = 64
"""Most cycles that a notebook shows."""

Product = Sequence[Operand]
"""(a, b), or (a,) for a model without b."""


def cores() -> list[str]:
    """Ids of all cores whose schedule is modelled."""
    return list(ARCHITECTURES)


def core(name: str, **settings: int) -> "Core":
    """A core whose schedule is modelled; `settings` are its own parameters, such as `pipeline=1`.

    Raises ParameterError.

        >>> core("iddmm_arch2").model
        'iddmm2'
    """
    return Core(registry.architecture(name).id, tuple(settings.items()))


@dataclass(frozen=True)
class Core:
    """A core whose schedule is modelled, made by `core`."""

    id: str
    own: tuple[tuple[str, int], ...] = ()
    """Parameters of the hardware."""

    @property
    def model(self) -> str:
        """Id of the model that it computes."""
        return ARCHITECTURES[self.id].model.id

    def multiplier(
        self, prime: int | str, radix: int | str | None = None, **settings: int | str
    ) -> Multiplier:  # for those who know the core and not its model
        """The multiplier that the core computes. Raises ParameterError."""
        return multiplier(self.model, prime, radix, **settings)

    def cycles(self, mul: Multiplier, products: Iterable[Product]) -> "CycleTable":
        """Every watched signal in every cycle of some products, one after the other or overlapping as the core does.

        Raises ParameterError if the multiplier is one of another model, or the table would be too large.
        """
        if mul.model != self.model:
            raise ParameterError("core", f"{self.id} computes {self.model}, and the multiplier is one of {mul.model}")
        settings = {**mul.settings, **dict(self.own)}
        resolved = CoreRequest.resolve(self.id, mul.modulus, settings)
        jobs = [TimedPair(*mul._operands(*product)) for product in products]
        return CycleTable(mul, CycleRequest(resolved, jobs))


@dataclass(frozen=True)
class CycleTable(Sequence[Mapping[str, int | None]]):
    """Rows of signals, one for each clock cycle; None for don't care.

    Registers are as they are after the edge that ends the cycle, other signals as they are during it. Row 0 is that of
    `first_cycle`.
    """

    multiplier: Multiplier
    request: CycleRequest

    @property
    def names(self) -> list[str]:
        """Names of the signals."""
        return [column.name for column in self.request.columns]

    @property
    def first_cycle(self) -> int:
        """Number of the first row's cycle."""
        return self.request.first_cycle

    @cached_property
    def starts(self) -> list[int]:
        """Cycle in which each product starts."""
        return list(self.request.starts)

    @cached_property
    def rows(self) -> list[tuple[int | None, ...]]:
        """All rows, values in the order of `names`."""
        return list(self.request.rows())

    @overload
    def __getitem__(self, key: int) -> Mapping[str, int | None]: ...
    @overload
    def __getitem__(self, key: slice) -> list[Mapping[str, int | None]]: ...
    @overload
    def __getitem__(self, key: str) -> list[int | None]: ...

    def __getitem__(self, key: Any) -> Any:
        """`table[5]` is a row, name -> value; `table["q"]` a signal in every cycle."""
        if isinstance(key, str):
            if key not in self.names:
                raise KeyError(f"{key}: the signals are {', '.join(self.names)}")
            place = self.names.index(key)
            return [row[place] for row in self.rows]
        if isinstance(key, slice):
            return [dict(zip(self.names, row, strict=True)) for row in self.rows[key]]
        return dict(zip(self.names, self.rows[key], strict=True))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Mapping[str, int | None]]:
        return (dict(zip(self.names, row, strict=True)) for row in self.rows)

    def written(self, format: str = "csv") -> bytes:
        """The document that the command line writes: json, csv, vcd, fst, gtkw, and more for some cores."""
        if format not in cycles.FORMATS:
            raise ParameterError("format", f"{format} is none of {', '.join(cycles.FORMATS)}")
        cycles.FORMATS[format].check(self.request.core)
        return b"".join(cycles.render(self.request, format))

    def svg(self, first: int = 0, count: int = SHOWN) -> str:
        """A picture of `count` rows from row `first` on, as SVG."""
        rows = self.rows[first : first + count]
        waves = [
            Wave(
                column.name,
                [None if (cell := row[k]) is None else f"{cell:x}" for row in rows],
                column.kind == "register",
            )
            for k, column in enumerate(self.request.columns)
        ]
        return svg(waves, self.first_cycle + first)

    def __repr__(self) -> str:
        products = len(self.request.jobs)
        many = "1 product" if products == 1 else f"{products} products"
        return f"<{len(self)} cycles of {self.request.core.architecture.id}, {many}, {len(self.names)} signals>"

    def _repr_html_(self) -> str:
        more = f"<p>{len(self) - SHOWN} more cycles</p>" if len(self) > SHOWN else ""
        return f'<div style="overflow-x:auto">{self.svg()}</div>{more}'
