# SPDX-License-Identifier: Apache-2.0
"""Parser of a simulator's output: assertions of the core that fail, and the product at work then."""

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from limbtrace.refmodels.errors import printable
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.lockstep_stimulus import trials
from limbtrace.rtl_bridge.run.report import ASSERTION, Divergence, Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.shell.text import STATIC

CYCLE = 10
"""Nanoseconds of a clock cycle of the testbenches."""
UP = 45
"""Nanoseconds: the last edge of the first reset, which lt_clock says. Registers that it has not reached may hold
anything until then. It also says what unit other times have, which is the finest of all `timescale of the core."""
_TAKEN = re.compile(rb"LIMBTRACE (TAKEN|FAILED) (-?\d+) (-?\d+)")
"""TAKEN, number of the stream, time: it begins to be worked on. FAILED, number of the stream, or -1 before the
first one, cycle: an assertion failed there, which is said after it."""
_VERILATOR = re.compile(
    rb"\[ *([\d.]+)[^\]]*\] (?:%(?:Error|(Fatal)): (.+?):(\d+): Assertion failed in [^:]*: (.*)|-Info: .*LIMBTRACE UP)"
)
"""The unit that a core sets with $timeformat follows the time."""
_ICARUS = re.compile(rb"(?:ERROR|(FATAL)|(?:WARNING|INFO)): (.+?):(\d+): (.*)")
_TIME = re.compile(rb"\s*Time: (\d+) +Scope: .*")
"""Behind each message of Icarus Verilog, and not behind what $display prints in its shape."""
_GHDL = re.compile(rb"(.+?):(\d+):\d+:@(\d+)(fs|ps|ns|us|ms|sec):\((?:assertion|report) (error|failure)\): (.*)")
"""An assertion of VHDL beside the simulator, whose time is that of the testbench and less than a nanosecond."""
_GHDL_ENDS = re.compile(rb"\S*ghdl\S*:error: (.+) at (.+?):(\d+)$")
"""Why GHDL ends; the module that stands for the VHDL says when."""
_UNITS = {b"fs": -6, b"ps": -3, b"ns": 0, b"us": 3, b"ms": 6, b"sec": 9}
"""Powers of ten in nanoseconds."""
_UP = b"LIMBTRACE UP"
LONGEST_LINE = 4096
"""Bytes of a line that are looked at."""


@dataclass(frozen=True)
class Failure:
    """The first assertion of the core that failed."""

    place: str
    """File and line."""
    message: str
    stream: int | None
    """Number of the stream at work, None before the first one."""
    cycle: int | None
    """From the start of its first product, None before the first one."""

    @property
    def reason(self) -> str:
        return f"{self.place}{f': {self.message}' if self.message else ''}"


class LogParser:
    """Listens to a simulation. What testbenches say for it alone does not go into the log."""

    def __init__(self, *, timed: bool = True) -> None:
        """`timed`: whether TAKEN and times say where an assertion failed, and not FAILED behind it, as in mode fast."""
        self._timed = timed
        self.failure: Failure | None = None
        self._failed_in: int | None = None
        self._rest = b""
        self._taken: tuple[int, int] | None = None
        self._unit: float | None = None if timed else 1.0
        """Time units in a nanosecond, 0 if they are too coarse; None until the first reset has ended."""
        self._fatal = False
        self._when: int | None = None
        """Time of the failure."""
        self._ends = False
        """The time that comes next is that of the end of the reset."""
        self._vhdl: tuple[bytes, bytes, bytes] | None = None
        """File, line and message of the error that GHDL ends with."""
        self._found: tuple[str, str] | None = None
        """An assertion whose time, or place in the run, is still to be said."""

    def began(self, *, failed: bool) -> int | None:
        """Nanoseconds from the beginning to the start of the last product, or of the one in which an assertion failed;
        None before the first one, and where the log does not tell."""
        return self._failed_in if failed else self._taken and self._taken[1]

    def __call__(self, data: bytes) -> bytes:
        """The part that goes into the log: all but the marks."""
        if not self._rest and b"LIMBTRACE" not in data and self.failure is not None:
            return data
        *lines, self._rest = (self._rest + data).split(b"\n")
        kept = [line + b"\n" for line in lines if not self._line(line)]
        if len(self._rest) > LONGEST_LINE:  # an unterminated line this long cannot be an assertion message
            kept.append(self._rest)
            self._rest = b""
        return b"".join(kept)

    def finish(self) -> bytes:
        """Parse the rest, which has no end of line; returns the part that goes into the log."""
        rest, self._rest = self._rest, b""
        kept = b"" if self._line(rest) else rest
        if not self._timed and self._fatal and self._found and self.failure is None:
            self.failure = Failure(*self._found, None, None)
        return kept

    def _line(self, line: bytes) -> bool:
        """Take notice of a line; whether it is a mark."""
        if mark := _TAKEN.search(line):
            stream, value = int(mark[2]), int(mark[3])
            if mark[1] == b"TAKEN":
                self._taken = stream, value
                if self.failure is not None and self._when == value:  # at the edge of the start, said before it
                    self.failure = replace(self.failure, stream=stream, cycle=-1)
                    self._failed_in = value
            elif self._found is not None and self.failure is None:
                self.failure = Failure(*self._found, *((stream, value) if stream >= 0 else (None, None)))
            return mark.start() == 0
        ends = self._ends or _UP in line
        if self.failure is None:
            self._listen(line)
        return ends

    def _listen(self, line: bytes) -> None:
        if match := _VERILATOR.search(line):
            time, fatal, file, number, message = match.groups()
            if file is None:
                self._unit = float(time) / UP
            else:
                self._keep(file, number, message, fatal)
                self._happened(float(time))
        elif self._timed and (match := _ICARUS.match(line)):
            self._found = None
            self._ends = _UP in line
            if line.startswith((b"ERROR", b"FATAL")):
                self._keep(match[2], match[3], match[4], match[1])
        elif match := _GHDL.match(line):
            file, number, time, unit, severity, message = match.groups()
            self._keep(file, number, message, severity if severity == b"failure" else None)
            power = _UNITS[unit]
            nanoseconds = int(time) * 10**power if power >= 0 else int(time) // 10**-power
            self._happened(nanoseconds * (self._unit or 0))
        elif match := _GHDL_ENDS.match(line):
            self._vhdl = match[2], match[3], match[1]
        elif match := _TIME.match(line):
            if self._ends:
                self._ends, self._unit = False, int(match[1]) / UP
            else:
                self._happened(float(match[1]))

    def _keep(self, file: bytes, number: bytes, message: bytes, fatal: bytes | None) -> None:
        if fatal is not None and self._vhdl is not None:
            file, number, message = self._vhdl
        path = Path(file.decode(errors="replace"))
        if path.parent != STATIC:
            self._found = f"{path.name}:{int(number)}", printable(message.decode(errors="replace").strip())
            self._fatal |= fatal is not None

    def _happened(self, units: float) -> None:
        """An assertion failed at that time, in units of the simulator."""
        if self._found is None or not self._timed:
            return
        found, self._found = self._found, None
        time = round(units / self._unit) if self._unit else None
        if self._unit is None or (time is not None and time <= UP):
            return
        stream, began = self._taken or (None, 0)
        cycle = None if stream is None or time is None else -(-(time - began) // CYCLE) - 1
        self._when = time
        self._failed_in = began if self._taken else None
        self.failure = Failure(*found, stream, cycle)


def asserted(run: Run, tally: Tally, parser: LogParser) -> Tally:
    """Tally of a simulation, with the assertion of the core that failed if nothing was wrong before it."""
    tally, failure = replace(tally, began=parser.began(failed=False)), parser.failure
    if failure is None:
        return tally
    product = _disturbed_product(run, failure) if run.job.disturb else _product(run, failure)
    found = tally.divergence
    if found is not None and found.case <= product.case and (found.case < product.case or _earlier(found, failure)):
        return tally
    divergence = Divergence(
        case=product.case,
        a=f"{product.a:#x}",
        b=None if run.bound.core.file.unary else f"{product.b:#x}",
        signed={} if "modulus" in product.facts else run.bound.signed_texts(product.a, product.b),
        cycle=failure.cycle,
        signal=ASSERTION,
        step=None,
        expected=None,
        seen=None,
        where="before the first product",
        reason=failure.reason,
        kind="assertion",
        disturbed=dict(product.facts),
    )
    verified = min(tally.verified, product.before)
    return replace(tally, verified=verified, divergence=divergence, began=parser.began(failed=True))


class _FailedProduct(NamedTuple):
    """The product in which an assertion failed."""

    case: int
    a: int
    b: int
    before: int
    """Products of the run in front of its stream."""
    facts: Mapping[str, Any]


def _product(run: Run, failure: Failure) -> _FailedProduct:
    before = (failure.stream or 0) * run.stimulus.size
    place = _place(run.bound, failure)
    pair = next(islice(run.stimulus.pairs(), before + place, None))
    return _FailedProduct(run.stimulus.first + before + place, pair.a, pair.b, before, {})


def _disturbed_product(run: Run, failure: Failure) -> _FailedProduct:
    """The product, which may be one in front of a case, with operands or a modulus of its own."""
    trial = next(islice(trials(run), failure.stream or 0, None))
    expected, place = trial.expected, _place(trial.bound, failure)
    a, b = (run.shell.part(name, value, place) for name, value in (("a", expected.a), ("b", expected.b)))
    case = expected.case + place
    return _FailedProduct(case, a, b, expected.case - run.stimulus.first, trial.facts(case))


def _place(bound: Bound, failure: Failure) -> int:
    """The place in its stream of the product that had started last."""
    starts = bound.plan.starts if bound.plan else bound.starts
    return max(bisect_right(starts, failure.cycle or 0) - 1, 0)


def _earlier(difference: Divergence, failure: Failure) -> bool:
    """True if a difference in the same product came before the assertion failed."""
    return failure.cycle is not None and (difference.cycle is None or difference.cycle < failure.cycle)
