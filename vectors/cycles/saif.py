# SPDX-License-Identifier: Apache-2.0
"""Switching activity of a waveform as SAIF 2.0 (IEEE 1801), for power estimation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vcd.reader import TokenKind, tokenize

from limbtrace.refmodels.errors import ParameterError

Counts = NDArray[np.int64]
_DIGITS = {"0": 0, "1": 1}
_OTHER = 2
"""Neither 0 nor 1."""


@dataclass
class _Net:
    """A signal: for each bit, low one first, the time at 0, at 1 and elsewhere, and the changes between 0 and 1."""

    width: int
    levels: NDArray[np.int8] = field(init=False)
    times: Counts = field(init=False)
    changes: Counts = field(init=False)
    since: int = 0

    def __post_init__(self) -> None:
        self.levels = np.full(self.width, _OTHER, dtype=np.int8)
        self.times = np.zeros((3, self.width), dtype=np.int64)
        self.changes = np.zeros(self.width, dtype=np.int64)

    def until(self, now: int) -> None:
        """Count the time since the last change."""
        if now > self.since:
            self.times[self.levels, np.arange(self.width)] += now - self.since
            self.since = now

    def change(self, now: int, value: str) -> None:
        """A new value, most significant bit first; what is missing in front of it is 0, or x and z where those lead."""
        self.until(now)
        filler = value[0] if value and value[0] not in "01" else "0"
        digits = value.rjust(self.width, filler)[::-1][: self.width]
        levels = np.array([_DIGITS.get(digit, _OTHER) for digit in digits], dtype=np.int8)
        self.changes += (levels != self.levels) & (levels != _OTHER) & (self.levels != _OTHER)
        self.levels = levels


@dataclass
class _SaifScope:
    """An instance: its nets by their names, and the instances in it."""

    nets: dict[str, _Net] = field(default_factory=dict)
    inner: dict[str, "_SaifScope"] = field(default_factory=dict)


def activity(vcd: Path, instance: str) -> bytes:
    """The activity of all signals in an instance of that name and below it, over the whole waveform.

    Instances around it are written without nets. Times are in the unit of the waveform.
    Raises ParameterError("waves") if the waveform has no such instance.
    """
    by_id: dict[str, _Net] = {}
    top, unit, end, inside = _SaifScope(), "1 ns", 0, False
    path: list[str] = []
    with vcd.open("rb") as stream:
        for token in tokenize(stream):
            kind: TokenKind = token.kind
            if kind is TokenKind.TIMESCALE:
                unit = f"{int(token.timescale.magnitude)} {token.timescale.unit.value}"
            elif kind is TokenKind.SCOPE:
                path.append(token.scope.ident)
            elif kind is TokenKind.UPSCOPE:
                path.pop()
            elif kind is TokenKind.VAR and instance in path:
                inside = True
                _declare(top, path, token.var, by_id)
            elif kind is TokenKind.CHANGE_TIME:
                end = token.time_change
            elif kind is TokenKind.CHANGE_SCALAR and token.scalar_change.id_code in by_id:
                by_id[token.scalar_change.id_code].change(end, token.scalar_change.value)
            elif kind is TokenKind.CHANGE_VECTOR and token.vector_change.id_code in by_id:
                value = token.vector_change.value
                by_id[token.vector_change.id_code].change(end, f"{value:b}" if isinstance(value, int) else value)
    if not inside:
        raise ParameterError("waves", f"the waveform has no instance {instance}")
    for net in by_id.values():
        net.until(end)
    head = [
        "(SAIFILE",
        '(SAIFVERSION "2.0")',
        '(DIRECTION "backward")',
        "(DESIGN )",
        '(PROGRAM_NAME "limbtrace")',
        "(DIVIDER / )",
        f"(TIMESCALE {unit})",
        f"(DURATION {end})",
    ]
    return "".join(f"{line}\n" for line in [*head, *_written(top, 1), ")"]).encode()


def _declare(top: _SaifScope, path: list[str], var: Any, by_id: dict[str, _Net]) -> None:
    """Put a signal into its instance; the same signal may have several names."""
    if var.type_.value in ("parameter", "event", "real", "string"):
        return
    scope = top
    for name in path:
        scope = scope.inner.setdefault(name, _SaifScope())
    net = by_id.setdefault(var.id_code, _Net(var.size))
    scope.nets.setdefault(var.reference, net)


def _written(scope: _SaifScope, depth: int) -> Iterator[str]:
    space = "  " * depth
    if scope.nets:
        yield f"{space}(NET"
        for name, net in scope.nets.items():
            for bit in range(net.width):
                written = _escaped(name if net.width == 1 else f"{name}[{bit}]")
                zero, one, other = (int(net.times[level, bit]) for level in range(3))
                yield f"{space}  ({written} (T0 {zero}) (T1 {one}) (TX {other}) (TC {int(net.changes[bit])}) (IG 0))"
        yield f"{space})"
    for name, inner in scope.inner.items():
        yield f"{space}(INSTANCE {_escaped(name)}"
        yield from _written(inner, depth + 1)
        yield f"{space})"


def _escaped(name: str) -> str:
    """A name with a backslash before each character that is not a letter, digit or underscore."""
    return "".join(c if c.isalnum() or c == "_" else f"\\{c}" for c in name)
