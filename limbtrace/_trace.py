# SPDX-License-Identifier: Apache-2.0
"""Every step of a product."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, NamedTuple, overload

from limbtrace._multiplier import Multiplier
from refmodels.model import Index, step_label
from vectors import traces
from vectors.traces import TraceRequest

SHOWN = 200
"""Most steps that a notebook shows."""


class TraceStep(NamedTuple):
    """One step: the paper's symbol, its subscripts, and the value, which may be negative."""

    name: str
    subscripts: Index
    value: int

    @property
    def label(self) -> str:
        """Symbol and subscripts, such as `C[0, 1]`."""
        return step_label(self.name, self.subscripts)


@dataclass(frozen=True)
class Trace:
    """All steps of one product, in the order of the paper's loop."""

    multiplier: Multiplier
    a: int
    b: int
    result: int
    """The exact integer that the algorithm returns."""
    steps: tuple[TraceStep, ...]

    @property
    def residue(self) -> int:
        """The result modulo the modulus."""
        return self.multiplier.residue(self.result)

    @overload
    def __getitem__(self, key: slice) -> tuple[TraceStep, ...]: ...
    @overload
    def __getitem__(self, key: int) -> TraceStep: ...
    @overload
    def __getitem__(self, key: str | tuple[str | int, ...]) -> int: ...

    def __getitem__(self, key: Any) -> Any:
        """`run[3]` is a step, `run["q", 3]` the value of the only step of that name whose subscripts begin with these.

        Raises KeyError if there is none, or more than one.

            >>> import limbtrace as lt
            >>> run = lt.multiplier("iddmm2", 13, 4).trace(7, 11)
            >>> run["q", 1], run["S", 1, 0], len(run)
            (3, 9, 34)
        """
        if isinstance(key, (int, slice)):
            return self.steps[key]
        name, *index = key if isinstance(key, tuple) else (key,)
        found = self.named(name, *index)
        if len(found) != 1:
            label = step_label(str(name), tuple(index))
            many = f"{len(found)} steps begin so, {found[0].label} is the first" if found else "there is no such step"
            raise KeyError(f"{label}: {many}")
        return found[0].value

    def named(self, name: str, *index: int) -> list[TraceStep]:
        """The steps of a name, or those of them whose subscripts begin with `index`.

        >>> import limbtrace as lt
        >>> [step.value for step in lt.multiplier("iddmm2", 13, 4).trace(7, 11).named("q")]
        [3, 3]
        """
        return self._by_name.get(name, []) if not index else [
            step for step in self._by_name.get(name, []) if step.subscripts[: len(index)] == index
        ]  # fmt: skip

    @cached_property
    def _by_name(self) -> dict[str, list[TraceStep]]:
        found: dict[str, list[TraceStep]] = {}
        for step in self.steps:
            found.setdefault(step.name, []).append(step)
        return found

    @cached_property
    def names(self) -> list[str]:
        """The symbols, in the order in which they first appear."""
        return list(self._by_name)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[TraceStep]:
        return iter(self.steps)

    @cached_property
    def _request(self) -> TraceRequest:
        m = self.multiplier.resolved
        return TraceRequest(m, self.a, None if m.model.unary else self.b)

    def violations(self) -> list[str]:
        """A sentence for each claim of the paper that this product violates; none of a corrected model should."""
        return list(map(str, self._request.violations()))

    def written(self, format: str = "text") -> str:
        """The document that the command line and the service write: text, json or csv."""
        return b"".join(traces.render(self._request, format)).decode()

    def __repr__(self) -> str:
        operands = ", ".join(map(hex, self.multiplier.resolved.model.given(self.a, self.b)))
        return f"<{len(self)} steps of {self.multiplier.model}({operands}), result {self.result:#x}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(step.label)}</th><td><code>{step.value:#x}</code></td></tr>" for step in self[:SHOWN]
        )
        more = f"<p>{len(self) - SHOWN} more steps</p>" if len(self) > SHOWN else ""
        return f"<p>{escape(repr(self)[1:-1])}</p><table>{rows}</table>{more}"


def traced(multiplier: Multiplier, a: int, b: int) -> Trace:
    """The trace of operands that were checked. Raises ParameterError."""
    m = multiplier.resolved
    request = TraceRequest(m, a, None if m.model.unary else b)
    steps = tuple(TraceStep(name, index, int(value)) for name, index, value in request.steps())
    return Trace(multiplier, a, b, int(request.result), steps)
