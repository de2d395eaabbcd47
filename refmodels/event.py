# SPDX-License-Identifier: Apache-2.0
"""An event: something that can happen inside a product, as data on the model, with the operands that make it happen.

An event is a condition on steps of a run, at each of its indices. Its condition is written for digits, which
are ints or columns, so that the same text judges one product or a batch: by comparisons, `&` and `|`, without branches.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.batch_digits import Digit, chosen, objects
from limbtrace.refmodels.constrained_random import Draw

Index = tuple[int, ...]
Pair = tuple[int, int]
Step = tuple[str, Index, Digit]
"""(the paper's symbol, its subscripts, what it holds: an int or a column)"""

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)
P_contra = TypeVar("P_contra", contravariant=True)


class Seen(Protocol[P_co]):
    """The input of a condition: one product with its steps, or a batch of them with columns."""

    @property
    def params(self) -> P_co: ...
    @property
    def a(self) -> Digit: ...
    @property
    def b(self) -> Digit: ...
    @property
    def result(self) -> Digit: ...
    def at(self, name: str, *index: int) -> Digit:
        """Value of one step; KeyError if the step does not exist."""


class Observed(Generic[P]):
    """A batch of products as conditions see it: a column of NumPy a step, uint64, int64 or objects."""

    def __init__(
        self,
        params: P,
        a: Sequence[int],
        b: Sequence[int],
        column: Callable[[str, Index], Digit],
        result: Callable[[], Digit],
    ) -> None:
        self.params = params
        self.a, self.b = _objects(a), _objects(b)
        self._column, self._result = column, result
        self._plain: dict[tuple[str, Index], Digit] = {}

    @classmethod
    def run(
        cls, params: P, a: Sequence[int], b: Sequence[int], steps: list[Step], result: Callable[[], Digit]
    ) -> "Observed[P]":
        """A batch that was run."""
        columns = {(name, index): value for name, index, value in steps}
        return cls(params, a, b, lambda name, index: columns[name, index], result)

    @classmethod
    def of_runs(cls, params: P, runs: Sequence[Seen[P]]) -> "Observed[P]":
        """Products that were run one by one."""
        return cls(
            params,
            [run.a for run in runs],
            [run.b for run in runs],
            lambda name, index: _objects([run.at(name, *index) for run in runs]),
            lambda: _objects([run.result for run in runs]),
        )

    @property
    def result(self) -> Digit:
        return self._as_column(self._result())

    def at(self, name: str, *index: int) -> Digit:
        """The column of a step; KeyError if the step does not exist."""
        if (name, index) not in self._plain:
            self._plain[name, index] = self._as_column(self._column(name, index))
        return self._plain[name, index]

    def part(self, rows: Sequence[int]) -> "Observed[P]":
        """Some of the products, by their places in the batch; only what is looked at of them becomes integers."""
        return Observed(
            self.params,
            self.a[rows],
            self.b[rows],
            lambda name, index: chosen(self._column(name, index), rows),
            lambda: chosen(self._result(), rows),
        )

    def holds(self, event: "Event[P]", index: Index) -> NDArray[np.bool_]:
        """For which of the products the event happens at that index."""
        found = np.asarray(event.happens(self, index), dtype=bool)
        return found if found.shape else np.full(len(self.a), found)

    def _as_column(self, value: Digit) -> Digit:
        return value if isinstance(value, int | np.ndarray) else objects(value, len(self.a))


def _objects(values: Sequence[int]) -> Any:
    if isinstance(values, np.ndarray):
        return values
    column = np.empty(len(values), dtype=object)
    column[:] = [int(value) for value in values]
    return column


Condition = Callable[[Seen[P_contra], Index], Digit]
"""(product or batch, subscripts) -> whether the event happens there."""


def never(params: Any, index: Index) -> None:
    """None: nothing is known to exclude the event."""


@dataclass(frozen=True)
class Event(Generic[P_contra]):
    """Something that can happen at a step, at each of its indices."""

    symbol: str
    """Its subject: the name of a step, `a`, `b`, or `result`."""
    condition: str
    """The condition on the subject, as written after the subscripts: "=max"."""
    statement: str
    hunts: str
    """The fault that it finds."""
    source: str
    """The place in the paper."""
    where: Callable[[P_contra], Iterable[Index]]
    """Every index at which it may be asked for, smallest first."""
    happens: Condition[P_contra]
    construct: Callable[[P_contra, Index, Draw], Iterator[Pair]]
    """(parameters, index, random numbers) -> operands that ought to make it happen; each is checked before use."""
    reachable: Callable[[P_contra, Index], str | None] = never
    """(parameters, index) -> the reason why it cannot happen there; None if no reason is known."""
    closed: Callable[[P_contra, Index, int, int], bool] | None = None
    """`happens` from a and b alone, where that is faster than the steps of the product."""
    blind: bool = False
    """True if nothing is known how to construct it, so that any drawn operands are as good as those of `construct`."""

    @property
    def name(self) -> str:
        """The event without its place."""
        return self.symbol + self.condition

    def label(self, index: Index) -> str:
        """The event at a place, as people write it: q[3]=max."""
        return self.symbol + (f"[{','.join(map(str, index))}]" if index else "") + self.condition


def scalar(*index: Index) -> Callable[[Any], Iterable[Index]]:
    """`where` of an event that has these indices at all parameters: if none is given, that of a step without any."""
    return lambda params: index or ((),)
