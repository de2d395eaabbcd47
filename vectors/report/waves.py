# SPDX-License-Identifier: Apache-2.0
"""The cycles around a difference, from a waveform in VCD or FST that may come from anywhere.

A waveform does not say which of its cycles is the one of the report, and a replay has other times than the run. So the
rows of the report are looked for: all values that were compared, one row after the other.
"""

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.cycles.waves import resolved, whole
from limbtrace.vectors.document import members
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.report.document import (
    MAX_BITS,
    MAX_LINE,
    MAX_WAVE_CYCLES,
    MAX_WAVES,
    TESTBENCH_CLOCK,
    ReportDocument,
    SeenRows,
    ShownWave,
    ShownWaves,
    WatchedSignal,
    WaveNames,
)
from limbtrace.vectors.report.render import compared_rows, hexadecimal, shown_columns

BEFORE, AFTER = 4, 8
"""Cycles of an excerpt in front of the first row, and behind the one that differs."""
MOST_TEXT = 300_000
"""Characters of the values of an excerpt; with wide signals it has fewer cycles."""
MOST_SPAN = 4096
"""Cycles between the first row and the last; earlier rows are not looked for."""

_FST = (b"\0", b"\xfe")
"""First bytes of FST: a header, or a file that is compressed as a whole."""

WaveTexts = tuple[str | None, ...]
"""The value of each signal, None before its first one."""


@dataclass(frozen=True)
class _Followed:
    """A signal that is read: what it is, and the bits of it that are wanted."""

    name: str
    kind: str
    column: int | None
    """Number of the column of the rows; None for a signal of the handshake."""
    low: int = 0
    width: int | None = None
    """Bits from `low` on; None: all."""
    bits: int | None = None
    """Bits of its values; None if they are not known."""
    awaited: str | None = None
    """Of a port of an operand its value in the product; of one that starts or ends a product its level then."""
    ends: bool = False
    modulus: str | None = None
    """Of a result that is compared modulo p."""

    def agrees(self, seen: str) -> Callable[[str], bool]:
        """True if a text is the value that a report has for this signal."""
        exact = _pattern(seen)
        wanted, modulus, bits = _number(seen), int(self.modulus or "0x0", 16), self.bits or 0
        if wanted is None or modulus < 2:
            return exact

        def congruent(text: str) -> bool:
            value = _number(text)
            signed = () if value is None else (value % modulus, (value - (1 << bits)) % modulus)
            return exact(text) or wanted in signed

        return congruent

    def text(self, value: int | str, size: int) -> str | None:
        """A value of the waveform, of a signal of `size` bits, as reports show it; None if it is too long for that."""
        if isinstance(value, str):
            bits = value.rjust(size, "0")
            if self.width is not None:
                bits = bits[max(len(bits) - self.low - self.width, 0) : len(bits) - self.low]
            found = hexadecimal(bits)
        else:
            found = f"{value if self.width is None else value >> self.low & ((1 << self.width) - 1):#x}"
        return found if len(found) <= MAX_LINE else None


def excerpt(report: ReportDocument, waveform: Path) -> ShownWaves:
    """Waves of the watched signals and the handshake around the first difference of a report.

    Raises ParameterError, "report" for one without rows, "waves" for a file other than a waveform of its run or replay;
    ToolError if the library for waveforms is not installed.
    """
    rows, names = compared_rows(report), report.wave_names
    if report.first_divergence is None or rows is None or not rows.rows:
        raise ParameterError("report", "it has no rows of a difference, and no wrong result, to look for in a waveform")
    if names is None:
        raise ParameterError("report", "it does not say what a waveform calls its signals; a newer release does")
    if report.rows is None and names.result is None:
        raise ParameterError("report", "its core has no watched signals, and no port that has the result as it is")
    if report.rows is None and names.finished is None and names.latency is None:
        raise ParameterError("report", "its core has no port that is high when the result of this product is there")
    wave = _open(waveform)
    with _refusals():
        variables = [variable for variable in wave.all_vars() if isinstance(variable.bitwidth, int)]
        paths = [variable.full_name for variable in variables]
    wanted = list(_wanted(report, names))
    found = resolved(paths, [names.clock, *(followed.name for followed in wanted)])
    has_clock = names.clock in found
    if not has_clock and (report.rows is not None or names.clock != TESTBENCH_CLOCK):
        raise ParameterError("waves", f"it has no clock {shown(names.clock)}, so it is no waveform of this core")
    read: list[tuple[_Followed, Any]] = []
    with _refusals():
        for followed in wanted:
            if followed.name in found:
                variable = variables[found[followed.name][1]]
                if 0 < variable.bitwidth <= MAX_BITS:
                    placed = _placed(followed, names, found[followed.name][0])
                    read.append((replace(placed, bits=placed.width or variable.bitwidth), variable))
    columns = {followed.column for followed, _ in read if followed.column is not None}
    if not columns:
        raise ParameterError("waves", "it has none of the signals of the report's rows")
    signals = [followed for followed, _ in read]
    search = _ResultSearch(rows, signals, names, has_clock) if report.rows is None else _WaveSearch(rows, signals)
    _stream(wave, variables[found[names.clock][1]] if has_clock else None, read, search.sample)
    if search.found is None:
        what = "the result of the report is" if report.rows is None else "the rows of the report are"
        raise ParameterError("waves", f"{what} nowhere in it; it takes a waveform of that run or of its replay")
    missing = [name for column, name in enumerate(rows.columns) if column not in columns]
    cut = _cut(rows, [followed for followed, _ in read], search.found, search.at, missing)
    return replace(cut, clocked=has_clock)


def sampled(waveform: Path, clock: str, signal: str) -> list[tuple[int, int | None]]:
    """Each rising edge of a clock, by its time in the waveform, with the number on a signal right before it.

    None: it has unknown bits. Raises ParameterError("waves") if one of both is not there, ToolError as `excerpt`.
    """
    wave = _open(waveform)
    with _refusals():
        variables = list(wave.all_vars())
        found = resolved([variable.full_name for variable in variables], [clock, signal])
    if len(found) < 2:
        raise ParameterError("waves", "it has no such clock or signal")
    read = [variables[found[name][1]] for name in (clock, signal)]
    samples: list[tuple[int, int | None]] = []
    edge, watched = (str(variable.signal_id) for variable in read)
    before: int | None = None
    now: int | None = None
    level: Any = None
    time = -1

    def change(when: int, name: object, value: Any) -> None:
        nonlocal before, now, level, time
        if when != time:
            before, time = now, when
        if str(name) == edge:
            if value == 1 and level == 0:
                samples.append((when, before))
            level = value
        elif str(name) == watched:
            now = value if isinstance(value, int) else None

    with _refusals():
        wave.stream_changes(change, read)
    return samples


def _wanted(report: ReportDocument, names: WaveNames) -> Iterator[_Followed]:
    """The handshake, then the columns in their order; of a core without rows operands and result."""
    of_result = report.rows is None and names.result is not None
    levels = {name for name in (names.finished, names.started) if of_result and name is not None}
    for name in dict.fromkeys([*names.handshake, *sorted(levels)]):
        awaited = "0x1" if name in levels else None
        yield _Followed(name, "combinational", None, awaited=awaited, ends=of_result and name == names.finished)
    if report.rows is None and names.result is not None and (found := report.first_divergence) is not None:
        values = {"a": found.a, "b": found.b}
        for port in names.operands:
            yield _Followed(port.name, "combinational", None, awaited=values.get(port.number))
        modulus = report.prime.modulus if names.result.modulo and report.prime is not None else None
        yield _Followed(names.result.name, "combinational", 0, modulus=modulus)
        return
    for column, signal in enumerate(names.signals):
        yield _Followed(signal.name, signal.kind, column)


def _placed(followed: _Followed, names: WaveNames, path: str) -> _Followed:
    """The signal as it is read; if it is an element of an array that the waveform has as a whole, with its bits."""
    if followed.column is None or whole(followed.name) == followed.name or path.endswith(followed.name):
        return followed
    signal: WatchedSignal = names.signals[followed.column]
    number = int(followed.name.rpartition("[")[2].removesuffix("]")[:9])
    width = min(signal.width, MAX_BITS)
    return _Followed(followed.name, followed.kind, followed.column, min(number * width, MAX_BITS), width)


def _open(path: Path) -> Any:
    """The waveform as pywellen reads it. Raises ParameterError("waves"), ToolError."""
    try:
        import pywellen
    except ModuleNotFoundError:
        raise ToolError("waves needs pywellen, which is not installed: pip install 'limbtrace[sim]'") from None

    with path.open("rb") as stream:
        start = stream.read(512)
    if start.lstrip()[:1] != b"$" and start[:1] not in _FST:
        raise ParameterError("waves", "it is no whole waveform in VCD or FST")
    with _refusals():
        return pywellen.Waveform(str(path), multi_threaded=False, stream_only=True)


class _WaveSearch:
    """Looks for the rows of a report among the cycles of a waveform, and keeps those around the last place."""

    def __init__(self, rows: SeenRows, followed: Sequence[_Followed]) -> None:
        self._late = [one.kind == "register" for one in followed]
        last = rows.rows[-1].cycle
        kept = [row for row in rows.rows if 0 <= last - row.cycle < MOST_SPAN]
        self._back = [last - row.cycle for row in kept]
        self._cells = [
            [
                (k, one.agrees(row.seen[one.column]), bool(row.golden) and row.golden[one.column] is None)
                for k, one in enumerate(followed)
                if one.column is not None
            ]
            for row in kept
        ]
        self._cycles: deque[WaveTexts] = deque(maxlen=max(self._back) + 1 + BEFORE)
        self._before: WaveTexts | None = None
        self._best = self._left = 0
        self.found: list[WaveTexts] | None = None
        """The cycles around the last row."""
        self.at = 0
        """Index in `found` of the cycle of the last row."""

    def sample(self, texts: WaveTexts) -> None:
        """Take what the signals hold right before a rising edge of the clock."""
        before, self._before = self._before, texts
        if before is None:
            return
        cycle = tuple(new if late else old for old, new, late in zip(before, texts, self._late, strict=True))
        self._cycles.append(cycle)
        if (score := self._score()) and score >= self._best:
            self._best, self._left = score, AFTER
            self.found = list(self._cycles)
            self.at = len(self.found) - 1
        elif self._left and self.found is not None:
            self.found.append(cycle)
            self._left -= 1

    def _score(self) -> int:
        """The number of cells of the rows that agree; 0 if a compared one does not, or if a row is missing."""
        score = 0
        for back, cells in zip(reversed(self._back), reversed(self._cells), strict=True):
            if back >= len(self._cycles):
                return 0
            cycle = self._cycles[-1 - back]
            for k, agrees, is_free in cells:
                text = cycle[k]
                if text is not None and agrees(text):
                    score += 1
                elif not is_free:
                    return 0
        return score


class _ResultSearch(_WaveSearch):
    """Looks for a result of a core without rows, behind the operands of its product, and keeps the cycles around it.

    It is there when the port that says so has risen, or after the latency; without a clock at once. The last such
    product counts.
    """

    def __init__(self, rows: SeenRows, followed: Sequence[_Followed], names: WaveNames, has_clock: bool) -> None:
        super().__init__(rows, followed)
        awaited = [(k, _pattern(one.awaited), one.ends) for k, one in enumerate(followed) if one.awaited is not None]
        self._begin = [(k, agrees) for k, agrees, ends in awaited if not ends]
        self._end = [(k, agrees) for k, agrees, ends in awaited if ends]
        self._latency = names.latency if has_clock else 0
        self._has_begun = self._had_ended = False
        self._age: int | None = None
        """Cycles since the product began; None before."""

    def _score(self) -> int:
        has_begun, had_begun = self._agree(self._begin), self._has_begun
        has_ended, had_ended = self._agree(self._end), self._had_ended
        self._has_begun, self._had_ended = has_begun, has_ended
        age = None if self._age is None else self._age + 1
        if self._latency == 0:
            is_due = has_begun
        elif self._latency is None:
            is_due = age is not None and has_ended and not had_ended
        else:
            is_due = age == self._latency
        found = int(is_due and super()._score() > 0)
        # The next product may begin in the cycle of this result.
        self._age = 0 if has_begun and not had_begun else None if found and self._begin else age
        return found

    def _agree(self, wanted: Sequence[tuple[int, Callable[[str], bool]]]) -> bool:
        cycle = self._cycles[-1]
        return all((text := cycle[k]) is not None and agrees(text) for k, agrees in wanted)


def _number(text: str) -> int | None:
    """A value of a report as a number; None with unknown digits."""
    try:
        return int(text, 16)
    except ValueError:
        return None


def _pattern(seen: str) -> Callable[[str], bool]:
    """True if a text is a value of a report, whose x and z may be anything."""
    digits = seen.lower().removeprefix("0x")
    if not digits.strip("0123456789abcdef"):
        return f"0x{digits.lstrip('0') or '0'}".__eq__
    return lambda text: re.fullmatch(re.sub("[xz]", ".", digits), text[2:].rjust(len(digits), "0")) is not None


def _stream(
    wave: Any, clock: Any | None, read: Sequence[tuple[_Followed, Any]], sample: Callable[[WaveTexts], None]
) -> None:
    """Call `sample` at each rising edge of the clock, and at the end; without a clock whenever something has changed.

    Raises ParameterError("waves").
    """
    places: dict[str, list[int]] = {}
    with _refusals():
        for k, (_, variable) in enumerate(read):
            places.setdefault(str(variable.signal_id), []).append(k)
        watched = [(followed, variable.bitwidth) for followed, variable in read]
        edge = "" if clock is None else str(clock.signal_id)
    now: list[str | None] = [None] * len(read)
    pending: dict[str, Any] = {}
    level: Any = None
    time = -1

    def settle() -> None:
        nonlocal level
        if edge in pending:
            if pending[edge] == 1 and level == 0:
                sample(tuple(now))
            level = pending[edge]
        for name, value in pending.items():
            for k in places.get(name, ()):
                followed, size = watched[k]
                now[k] = followed.text(value, size)
        pending.clear()
        if clock is None:
            sample(tuple(now))

    def change(when: int, signal: object, value: Any) -> None:
        nonlocal time
        if when != time:
            settle()
            time = when
        pending[str(signal)] = value

    with _refusals():
        wave.stream_changes(change, [*([] if clock is None else [clock]), *(variable for _, variable in read)])
        settle()
        sample(tuple(now))


def _cut(
    rows: SeenRows, followed: Sequence[_Followed], cycles: Sequence[WaveTexts], at: int, missing: list[str]
) -> ShownWaves:
    """The excerpt: the signals that the page of a report shows, and as many cycles as there is room for."""
    columns = shown_columns(rows)
    kept = [k for k, one in enumerate(followed) if one.column is None or one.column in columns][:MAX_WAVES]
    after = len(cycles) - 1 - at
    before = min(at, MAX_WAVE_CYCLES - 1 - after)
    while True:
        window = cycles[at - before : at + after + 1]
        if not before + after or sum(len(cycle[k] or "") for cycle in window for k in kept) <= MOST_TEXT:
            break
        before, after = before // 2, after // 2
    found: ShownWaves = ShownWaves.model_validate(
        members(
            ShownWaves,
            first_cycle=rows.rows[-1].cycle - before,
            signals=[
                members(
                    ShownWave,
                    name=followed[k].name,
                    column=None if (column := followed[k].column) is None else rows.columns[column],
                    number=column,
                    width=followed[k].bits,
                    kind="register" if followed[k].kind == "register" else "combinational",
                    cells=[cycle[k] for cycle in window],
                )
                for k in kept
            ],
            missing=missing,
        )
    )
    return found


@contextmanager
def _refusals() -> Iterator[None]:
    """Errors of pywellen at a damaged file, as ParameterError("waves"); its output is dropped.

    It raises nearly anything then: panics of Rust, errors of the system, and values that no signal has.
    """
    try:
        with _silence():
            yield
    except (ParameterError, MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        words = re.sub(r"\s+", " ", str(error)).strip()[:200]
        said = f": {shown(words)}" if isinstance(error, RuntimeError) else ""
        raise ParameterError("waves", f"it is no whole waveform in VCD or FST{said}") from None


@contextmanager
def _silence() -> Iterator[None]:
    """Standard output and error lead nowhere: the library writes its own complaints there."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    kept = [os.dup(number) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        yield
    finally:
        for number, descriptor in zip((1, 2), kept, strict=True):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(nowhere)
