# SPDX-License-Identifier: Apache-2.0
"""What a simulation found: the report as JSON, as text for people, as JUnit."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from refmodels.errors import printable
from vectors.document import members
from vectors.report.document import FirstDifference, ReportDocument, SeenRow, SeenRows
from vectors.wire import FORMAT

ASSERTION = "assertion"
"""In place of a signal: an assertion of the core failed."""


@dataclass(frozen=True)
class Divergence:
    """The first difference between a core and its golden data.

    `cycle` counts from the one that follows the start (0); a register belongs to the cycle at whose end it was
    loaded. `step` is (name, subscripts) where one stands behind the signal. `seen` may contain x. None for `expected`
    or `seen`: no such event; for `cycle`: there is none, and `where` says why.
    """

    case: int
    a: str
    b: str | None
    """None: the model has no b."""
    cycle: int | None
    signal: str
    step: tuple[str, tuple[int, ...]] | None
    expected: str | None
    seen: str | None
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    """The last rows up to the difference, cycle number first."""
    golden: Sequence[Sequence[str | None]] = ()
    """For each of these rows what the golden table has by column, None where any value will do; empty without one."""
    replay: str = ""
    disturbed: dict[str, Any] = field(default_factory=dict)
    """What is special about this product: in a disturbed run `modulus`, `reset`; else `behind`, see gaps.py."""
    where: str = "never"
    """In place of a cycle: the core never took the product, or something else is said here."""
    reason: str = ""
    """Why it is wrong, where that is more than another value: a rule of the handshake, or what an assertion says."""

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = members(
            FirstDifference,
            disturbed=cast(Any, self.disturbed or None),
            case=self.case,
            a=self.a,
            b=self.b,
            cycle=self.cycle,
            signal=self.signal,
            step=cast(Any, None if self.step is None else [self.step[0], list(self.step[1])]),
            expected=self.expected,
            seen=self.seen,
            reason=self.reason,
            replay=self.replay,
        )
        return document

    @property
    def seen_rows(self) -> Any:
        """The last rows as `vectors.report.document.SeenRows`; None without one."""
        if not self.rows:
            return None
        golden = self.golden or [()] * len(self.rows)
        rows: list[Any] = [
            members(
                SeenRow,
                cycle=int(row[0]),
                seen=[f"0x{cell}" for cell in row[1:]],
                golden=[cell if cell is None else f"0x{cell}" for cell in wanted],
            )
            for row, wanted in zip(self.rows, golden, strict=True)
        ]
        return members(SeenRows, columns=list(self.columns), rows=rows)

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> "Divergence":
        """The inverse of `dataclasses.asdict`, after a journey through JSON."""
        step = fields["step"]
        return cls(**{**fields, "step": None if step is None else (step[0], tuple(step[1]))})

    def sentence(self) -> str:
        """The difference in one line."""
        place = self.where if self.cycle is None else f"in cycle {self.cycle}"
        step = "" if self.step is None else f" ({self.step[0]}{list(self.step[1])})"
        if self.signal == ASSERTION:
            return f"case {self.case}{self._circumstances()}, {place}: {self.signal} fails: {self.reason}"
        expected, seen = self.expected or "no event", self.seen or "no event before the core is done"
        what = f"{self.signal}{step} should be {expected} and is {seen}{f': {self.reason}' if self.reason else ''}"
        return f"case {self.case}{self._circumstances()}, {place}: {what}"

    def _circumstances(self) -> str:
        """How the product was disturbed, where that is special."""
        said = []
        if modulus := self.disturbed.get("modulus"):
            said.append(f"modulus {modulus}")
        if reset := self.disturbed.get("reset"):
            said.append(f"after a reset in cycle {reset['cycle']} for {_count(reset['cycles'], 'cycle')}")
        return f" ({', '.join(said)})" if said else ""

    @property
    def gap(self) -> str:
        """A line about a product that followed another one closely; empty for others."""
        if (behind := self.disturbed.get("behind")) is None:
            return ""
        return f"  started {_count(behind['cycles'], 'cycle')} after another product was done\n"

    def table(self) -> str:
        """The last rows, readable."""
        if not self.rows:
            return ""
        lines = [["cycle", *self.columns], *self.rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
        return "".join(
            "  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)) + "\n"
            for line in lines
        )


@dataclass(frozen=True)
class Tally:
    """How far a simulation came."""

    verified: int
    cycles: int
    seconds: float
    divergence: Divergence | None
    disturbances: dict[str, int] = field(default_factory=dict)
    """How often each kind that was asked for happened."""

    @property
    def fields(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> "Tally":
        found = fields["divergence"]
        return cls(**{**fields, "divergence": None if found is None else Divergence.from_fields(found)})


@dataclass(frozen=True)
class Report:
    """The outcome of `limbtrace sim`."""

    core: str
    model: str
    simulator: str
    mode: str
    seed: int
    signals: int
    tally: Tally
    about: dict[str, Any] = field(default_factory=dict)
    """What else describes the run: modulus, radix, parameters, RTL parameters."""
    wave_names: Any = None
    """What a waveform calls the signals of the rows, as `vectors.report.document.WaveNames`."""

    @property
    def passed(self) -> bool:
        return self.tally.divergence is None

    @property
    def document(self) -> dict[str, Any]:
        tally, found = self.tally, self.tally.divergence
        document: dict[str, Any] = members(
            ReportDocument,
            format=FORMAT,
            core=self.core,
            model=self.model,
            simulator=self.simulator,
            mode=self.mode,
            verified=tally.verified,
            mismatches=0 if found is None else 1,
            cycles=tally.cycles,
            signals=self.signals,
            seed=self.seed,
            products_per_second=round(tally.verified / tally.seconds, 1) if tally.seconds else 0.0,
            disturbances=tally.disturbances,
            first_divergence=None if found is None else found.document,  # type: ignore[arg-type]
            **self.about,
            rows=(rows := None if found is None else found.seen_rows),
            wave_names=None if rows is None else self.wave_names,
        )
        return document

    def text(self) -> str:
        """The report for people."""
        d, tally, found = self.document, self.tally, self.tally.divergence
        what = _count(self.signals, "watched signal") if self.signals else "results"
        agree = "1 product agrees" if tally.verified == 1 else f"{tally.verified} products agree"
        head = (
            f"{self.core} ({self.model}) in {self.simulator}, {self.mode}: {agree}, {what}, "
            f"{_count(tally.cycles, 'cycle')}, {d['products_per_second']:.0f} products/s\n"
        )
        if tally.disturbances:
            head += "disturbances: " + ", ".join(f"{kind} {times}" for kind, times in tally.disturbances.items()) + "\n"
        if found is None:
            return head
        b = "" if found.b is None else f"  b = {found.b}\n"
        return f"{head}first divergence, {found.sentence()}\n  a = {found.a}\n{b}{found.gap}replay: {found.replay}\n"

    def junit(self) -> str:
        """The report as a JUnit document with one test case."""
        from xml.sax.saxutils import escape, quoteattr  # with all of HTTP, and few ask for a report in XML

        found = self.tally.divergence
        name = quoteattr(f"{self.mode} {self.simulator} seed {self.seed}")
        case = f'<testcase classname={quoteattr(self.core)} name={name} time="{self.tally.seconds:.3f}">'
        if found is not None:
            body = escape(f"{found.table()}{found.gap}replay: {found.replay}")
            case += f"<failure message={quoteattr(found.sentence())}>{body}</failure>"
        return printable(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites><testsuite name="limbtrace" tests="1" failures="{int(found is not None)}">'
            f"{case}</testcase></testsuite></testsuites>\n"
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
