# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations: as JSON, as text for people, as JUnit."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, cast

from limbtrace.refmodels.errors import printable
from limbtrace.rtl_bridge.run.folded_table import folded
from limbtrace.rtl_bridge.run.latencies import Latencies
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.report.document import (
    NO_REPLAY,
    RESULT,
    DifferenceGroup,
    Failures,
    FirstDifference,
    LatencyRange,
    ReportDocument,
    SeenRow,
    SeenRows,
)

ASSERTION = "assertion"
"""In place of a signal: an assertion of the core failed."""
NEVER_BEHIND = "offered behind another product, of half of each operand, which may be the one that does not end"
"""About a product that was never taken, and that another one is in front of."""
IN_DONE_CYCLE = (
    "started in the cycle in which another product was done, or behind one that was; "
    'if the core takes no start in that cycle, say restart = "after" in [protocol]'
)
"""About a product whose start nothing shows to be permitted."""
WHILE_WORKING = (
    "another start came while the core worked on it, or on one before it; "
    'if the core need not ignore that, say while_working = "undefined" in [protocol]'
)
"""About a product with starts that nothing shows to be ignored."""
OTHER_MODULUS = (
    "its modulus is not the one that was asked for; if the core does not take it, say which moduli it takes, "
    'as in modulus = ["p % 1024 == 1"]'
)
"""About a product of `--disturb modulus` or `size`."""
MOST_FACTS, MOST_EVENTS, MOST_CASES = 3, 4, 24
"""Most observations, events and other cases in the text about a difference."""


def _reset(reset: Mapping[str, Any]) -> str:
    """A reset of the product before, in words."""
    cycle = _count(reset["cycle"], "cycle")
    if reset.get("from_end"):
        where = f"{cycle} before the one after done"
    else:
        where = f"{cycle} after {'the first word' if reset.get('early') else 'the start'}"
    return f"a reset of {_count(reset['cycles'], 'cycle')}, {where} of the product before it"


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
    """Entries of the golden table for each of these rows, by column, None for any value; empty without a table."""
    replay: str = ""
    disturbed: dict[str, Any] = field(default_factory=dict)
    """Circumstances of this product: in a disturbed run `modulus`, `reset`; else `behind`, see spacing.py."""
    where: str = "never"
    """In place of a cycle: the core never took the product, or something else is said here."""
    reason: str = ""
    """Why it is wrong, if more than a value differs: a rule of the handshake, or what an assertion says."""
    kind: str = "value"
    """value, timing, handshake, or assertion."""
    signed: dict[str, str] = field(default_factory=dict)
    """The numbers that were on the ports of operands in two's complement, by the names of these."""

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = members(
            FirstDifference,
            disturbed=cast(Any, self.disturbed or None),
            case=self.case,
            a=self.a,
            b=self.b,
            signed=cast(Any, self.signed or None),
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
    def about(self) -> str:
        """The `kind` of a DifferenceGroup."""
        if self.kind == "assertion":
            return self.kind
        if set(str(self.seen).removeprefix("-").removeprefix("0x")) & set("xz"):
            return "unknown"
        return "event" if self.expected is None or self.seen is None else self.kind

    @property
    def seen_rows(self) -> Any:
        """The last rows as `limbtrace.vectors.report.document.SeenRows`; None without one."""
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
        """How the product was disturbed, if that is special."""
        said = []
        if modulus := self.disturbed.get("modulus"):
            said.append(f"modulus {modulus}")
        if reset := self.disturbed.get("reset"):
            said.append(f"after {_reset(reset)}")
        return f" ({', '.join(said)})" if said else ""

    @property
    def left_open(self) -> str:
        """Lines about what may not be permitted, another modulus or a start while it works; empty for others."""
        modulus = f"  {OTHER_MODULUS}\n" if "modulus" in self.disturbed else ""
        return modulus + (f"  {WHILE_WORKING}\n" if self.disturbed.get("while_working") else "")

    @property
    def gap(self) -> str:
        """A line about a product that followed another one closely, or was to; empty for others."""
        if self.disturbed.get("in_done_cycle"):
            return f"  {IN_DONE_CYCLE}\n"
        if (behind := self.disturbed.get("behind")) is None:
            return ""
        if self.cycle is None and self.kind == "timing":
            return f"  {NEVER_BEHIND}\n"
        return f"  started {_count(behind['cycles'], 'cycle')} after another product was done\n"

    def table(self) -> str:
        """The last rows, readable."""
        if not self.rows:
            return ""
        return folded([["cycle", *self.columns], *self.rows])


@dataclass(frozen=True)
class Tally:
    """Progress and outcome of a simulation."""

    verified: int
    cycles: int
    seconds: float
    divergence: Divergence | None
    disturbances: dict[str, int] = field(default_factory=dict)
    """Number of times that each kind of disturbance asked for happened."""
    began: int | None = None
    """Nanoseconds from the beginning of the simulation to the start of the last product, or of that of the difference;
    None if they are not known."""
    warnings: tuple[str, ...] = ()
    """Sentences about what does not count as a difference, but may surprise a user of the core."""
    latencies: Latencies | None = None
    """Cycles from start to done of the products, those that differ included; None if they are not known."""

    @property
    def fields(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> "Tally":
        found = fields["divergence"]
        found = None if found is None else Divergence.from_fields(found)
        known = fields.get("latencies")
        latencies = None if known is None else Latencies(**known)
        return cls(**{**fields, "divergence": found, "warnings": tuple(fields["warnings"]), "latencies": latencies})


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
    not_tried: Sequence[str] = ()
    """Things that may happen to the core and did not in this run, as noun phrases."""
    about: dict[str, Any] = field(default_factory=dict)
    """Properties of the run: modulus, radix, parameters, RTL parameters."""
    reached: int = 0
    """Products up to the last one that was looked at."""
    most: int | None = None
    """Differences after which the run ends; None: at the first, as the only one that a report has."""
    differences: tuple[Divergence, ...] = ()
    """All that were found, the first one first."""
    observe: Callable[..., dict[str, Any]] | None = None
    """(document without observations, difference, events=) -> what its numbers say, as an ObservedDifference."""
    wave_names: Any = None
    """Names of the rows' signals in a waveform, as `limbtrace.vectors.report.document.WaveNames`."""

    @property
    def passed(self) -> bool:
        return self.tally.divergence is None

    @cached_property
    def observed(self) -> dict[str, Any]:
        """Diagnosis of the first difference, as an ObservedDifference; empty if there is none."""
        found = self.tally.divergence
        return {} if found is None else self._observed(found, events=True)

    def _observed(self, divergence: Divergence, *, events: bool) -> dict[str, Any]:
        if self.observe is None:
            return {}
        observed = self.observe(self._plain, divergence, events=events)
        advice = proof_advice(divergence.replay) if self._needs_state(divergence) else ""
        return {**observed, "advice": advice} if advice else observed

    def _needs_state(self, divergence: Divergence) -> bool:
        """True if the product was seen to agree alone, and nothing but those before it can be why."""
        words = shlex.split(divergence.replay)
        return divergence.case > 0 and bool(words) and "--only" not in words and not self.tally.disturbances

    @cached_property
    def groups(self) -> list["Alike"]:
        """The differences by what they have in common, in the order in which they were found."""
        found: dict[tuple[str, str | None, str, str | None], list[Divergence]] = {}
        for one in self.differences:
            observed = self._observed(one, events=False)
            leading = next((fact["kind"] for fact in observed.get("observations", [])), None)
            step = None if one.step is None else one.step[0]
            found.setdefault((one.signal.partition("[")[0], step, one.about, leading), []).append(one)
        return [
            Alike(*key, alike, self.observed if at == 0 else self._observed(alike[0], events=True))
            for at, (key, alike) in enumerate(found.items())
        ]

    @property
    def failures(self) -> dict[str, int] | None:
        """Numbers of products that differ, as Failures; None if the run ends at the first."""
        if self.most is None:
            return None
        failed = len(self.differences)
        document: dict[str, int] = members(
            Failures,
            most=self.most,
            failed=failed,
            products=min(self.tally.verified + failed, self.reached),
            given_up=max(self.reached - self.tally.verified - failed, 0),
        )
        return document

    @property
    def document(self) -> dict[str, Any]:
        """The report as a ReportDocument."""
        document: dict[str, Any] = members(
            ReportDocument,
            **self._plain,
            observed=self.observed or None,  # type: ignore[arg-type]
            failures=self.failures,  # type: ignore[arg-type]
            differences=cast(Any, [] if self.most is None else [group.document for group in self.groups]),
        )
        return document

    @property
    def _plain(self) -> dict[str, Any]:
        """The report without what its numbers say."""
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
            latency=None
            if (took := tally.latencies) is None or not took.differ
            else members(LatencyRange, least=took.least, most=took.most, cases=[took.least_case, took.most_case]),
            signals=self.signals,
            seed=self.seed,
            products_per_second=round(tally.verified / tally.seconds, 1) if tally.seconds else 0.0,
            disturbances=tally.disturbances,
            warnings=cast(Any, list(tally.warnings) or None),
            not_tried=cast(Any, list(self.not_tried) or None),
            first_divergence=None if found is None else found.document,  # type: ignore[arg-type]
            **self.about,
            rows=(rows := None if found is None else found.seen_rows),
            wave_names=None if found is None or (rows is None and not _is_wrong_result(found)) else self.wave_names,
        )
        return document

    def text(self) -> str:
        """The report for people."""
        d, tally, found = self.document, self.tally, self.tally.divergence
        what = _count(self.signals, "watched signal") if self.signals else "results"
        agree = "1 product agrees" if tally.verified == 1 else f"{tally.verified} products agree"
        if every := d.get("exhausted"):
            of = "all" if tally.verified == every else f"{tally.verified} of all"
            agree = f"{of} {every} products of modulus {d['prime']['modulus']} agree"
        head = (
            f"{self.core} ({self.model}) in {self.simulator}, {self.mode}: {agree}, {what}, "
            f"{_count(tally.cycles, 'cycle')}, {d['products_per_second']:.0f} products/s\n"
        )
        if tally.disturbances:
            head += "disturbances: " + ", ".join(f"{kind} {times}" for kind, times in tally.disturbances.items()) + "\n"
        head += "".join(f"warning: {warning}\n" for warning in tally.warnings)
        if tally.latencies is not None and tally.latencies.differ:
            head += f"cycles from start to done: {tally.latencies.text}\n"
        if found is None:
            return f"{head}not tried: {', '.join(self.not_tried)}\n" if self.not_tried else head
        first = f"first divergence, {_difference(found, self.observed)}"
        if self.failures is None:
            return f"{head}{first}"
        groups = self.groups
        texts = [first if at == 0 else f"\n{_difference(g.first, g.observed)}" for at, g in enumerate(groups)]
        alike = [f"{text}{group.cases_line}" for text, group in zip(texts, groups, strict=True)]
        return f"{head}{self._rate()}{''.join(alike)}"

    def _rate(self) -> str:
        """A line about how many products differ."""
        assert self.failures is not None
        failed, products, given_up = (self.failures.get(name, 0) for name in ("failed", "products", "given_up"))
        groups = "" if len(self.groups) == 1 else f", in {len(self.groups)} groups"
        lost = f"; {given_up} more stand in streams that were given up" if given_up else ""
        ended = f"; ended after {_count(failed, 'difference')}" if failed == self.most else ""
        differ = "differs" if failed == 1 else "differ"
        rate = f"{failed} of {_count(products, 'product')} {differ} ({100 * failed / products:.3g} %)"
        return f"{rate}{groups}{lost}{ended}\n"

    def junit(self) -> str:
        """The report as a JUnit document with one test case."""
        from xml.sax.saxutils import escape, quoteattr  # with all of HTTP, and few ask for a report in XML

        first, groups = self.tally.divergence, self.groups if self.most is not None else []
        shown: list[tuple[Divergence | None, dict[str, Any], str]] = [
            (group.first, group.observed, group.cases_line) for group in groups
        ] or [(first, self.observed, "")]
        cases = ""
        for at, (found, observed, alike) in enumerate(shown):
            number = f" group {at + 1}" if at else ""
            name = quoteattr(f"{self.mode} {self.simulator} seed {self.seed}{number}")
            time = 0.0 if at else self.tally.seconds
            cases += f'<testcase classname={quoteattr(self.core)} name={name} time="{time:.3f}">'
            if found is not None:
                rate = self._rate() if groups else ""
                replay = f"replay: {found.replay or NO_REPLAY}"
                body = escape(f"{rate}{found.table()}{_about(found, observed)}{replay}\n{alike}".rstrip())
                cases += f"<failure message={quoteattr(found.sentence())}>{body}</failure>"
            elif self.not_tried:
                cases += f"<system-out>not tried: {escape(', '.join(self.not_tried))}</system-out>"
            cases += "</testcase>"
        failures = 0 if first is None else len(shown)
        return printable(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites><testsuite name="limbtrace" tests="{len(shown)}" failures="{failures}">'
            f"{cases}</testsuite></testsuites>\n"
        )


@dataclass(frozen=True)
class Alike:
    """Differences with what they have in common."""

    signal: str
    step: str | None
    about: str
    """The `kind` of a DifferenceGroup."""
    observation: str | None
    """Kind of the most specific observation."""
    differences: Sequence[Divergence]
    observed: dict[str, Any]
    """Diagnosis of the first of them, as an ObservedDifference."""

    @property
    def first(self) -> Divergence:
        return self.differences[0]

    @property
    def document(self) -> dict[str, Any]:
        """The group as a DifferenceGroup."""
        document: dict[str, Any] = members(
            DifferenceGroup,
            signal=self.signal,
            step=self.step,
            kind=cast(Any, self.about),
            observation=self.observation,
            cases=[found.case for found in self.differences],
            difference=self.first.document,  # type: ignore[arg-type]
            observed=self.observed or None,  # type: ignore[arg-type]
        )
        return document

    @property
    def cases_line(self) -> str:
        """A line with the other cases; empty without one."""
        cases = [str(found.case) for found in self.differences[1:]]
        if not cases:
            return ""
        more = f" and {len(cases) - MOST_CASES} more" if len(cases) > MOST_CASES else ""
        return f"{_count(len(cases), 'other case')} alike: {', '.join(cases[:MOST_CASES])}{more}\n"


def _difference(divergence: Divergence, observed: dict[str, Any]) -> str:
    """A difference for people."""
    operands = [("a", divergence.a), *([] if divergence.b is None else [("b", divergence.b)])]
    lines = "".join(f"  {name} = {value}{_driven(divergence, name)}\n" for name, value in operands)
    about, replay = _about(divergence, observed), divergence.replay or NO_REPLAY
    return f"{divergence.sentence()}\n{lines}{about}replay: {replay}\n"


def _driven(divergence: Divergence, name: str) -> str:
    """The number on the port of a signed operand, unless it is the operand itself."""
    number = divergence.signed.get(name)
    return "" if number in (None, getattr(divergence, name)) else f", given as {number}"


def _about(divergence: Divergence, observed: dict[str, Any]) -> str:
    """Lines about the circumstances of a difference and what its numbers say, the most specific first."""
    facts = [fact["text"] for fact in observed.get("observations", []) if fact["kind"] != "reason"]
    comment, events = observed.get("comment", ""), observed.get("events", [])
    lines = [*facts[:MOST_FACTS], *([f"case: {comment}"] if comment else [])]
    if events:
        more = f" and {len(events) - MOST_EVENTS} more" if len(events) > MOST_EVENTS else ""
        lines.append(f"events: {', '.join(events[:MOST_EVENTS])}{more}")
    lines += [observed["advice"]] if observed.get("advice") else []
    return divergence.left_open + divergence.gap + "".join(f"  {line}\n" for line in lines)


def proof_advice(replay: str) -> str:
    """A sentence for a difference that needs what earlier products leave in the core; `replay` simulates it."""
    if not replay:
        return ""
    core = shlex.split(replay)[2]
    command = shlex.join(["limbtrace", "prove", core, "--prime", "P"])
    return (
        "it needs what earlier products leave in the core: "
        f"`{command}`, with a small modulus P, begins in every idle state that it may be in"
    )


def _is_wrong_result(found: Divergence) -> bool:
    """True for a difference that is found in a waveform without rows."""
    return found.signal == RESULT and found.cycle is not None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
