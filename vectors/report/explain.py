# SPDX-License-Identifier: Apache-2.0
"""The first difference of a simulation in the terms of its model: step, line of the algorithm, likely defects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Run, step_label
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.vectors.coverage import happened, is_watched
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.report.dataflow import Reason, reason
from limbtrace.vectors.report.diagnose import Observation, Wrong, elsewhere
from limbtrace.vectors.report.document import (
    NO_REPLAY,
    RESULT,
    FirstDifference,
    ObservedDifference,
    ReportDocument,
    SignedNumbers,
)
from limbtrace.vectors.report.relations import NumberWidths
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.traces import TraceQuery

MOST_EVENTS = 6
"""Most defects that are named with the events that find them."""
MOST_LABELS = 4
"""Most events that are named with one defect."""


def trace_query(report: ReportDocument) -> TraceQuery:
    """The query for the trace of the product that differs. Raises ParameterError("model") for an unknown model."""
    found = _difference(report)
    model = registry.model(report.model)
    known = {parameter.name for parameter in model.parameters}
    pairs = [f"{name}={value}" for name, value in report.params.items() if name in known and name != "radix"]
    return TraceQuery(
        model=model.id,
        prime=_modulus(report),
        radix=report.radix if "radix" in known else None,
        pairs=pairs,
        a=found.a,
        b=found.b,
    )


def _difference(report: ReportDocument) -> FirstDifference:
    if report.first_divergence is None:
        raise ParameterError("report", "it has no difference")
    return report.first_divergence


def _modulus(report: ReportDocument) -> str | None:
    """The modulus of the product, by the name that the report uses if the catalogue has that for this number."""
    disturbed = _difference(report).disturbed
    if disturbed is not None and disturbed.modulus is not None:
        return disturbed.modulus
    if report.prime is None:
        return None
    named = CATALOGUE.get(report.prime.name or "")
    if named is not None and named.modulus == int(report.prime.modulus, 16):
        return named.name
    return report.prime.modulus


@dataclass(frozen=True)
class Explanation:
    """A difference, and all that the model says about it."""

    report: ReportDocument
    multiplier: Multiplier
    a: int
    b: int

    @classmethod
    def of(cls, report: ReportDocument, multiplier: Multiplier | None = None) -> "Explanation":
        """`multiplier`: that of `trace_query`, if the caller has it.

        Raises ParameterError if the report has no difference or its model does not exist.
        """
        query = trace_query(report)
        resolved = query.multiplier if multiplier is None else multiplier
        if (query.b is None) != resolved.model.unary:
            count = "one operand" if resolved.model.unary else "operands a and b"
            raise ParameterError("report", f"a product of {resolved.model.id} has {count}")
        a, b = int(query.a, 16), int(query.b or "0x0", 16)
        resolved.model.check_operands(resolved.params, a, b)
        return cls(report, resolved, a, b)

    @property
    def found(self) -> FirstDifference:
        """The difference as in the report."""
        return _difference(self.report)

    @cached_property
    def run(self) -> Run[Any]:
        """The product with all of its steps."""
        return self.multiplier.model.run(self.multiplier.params, self.a, self.b)

    @property
    def step(self) -> tuple[str, tuple[int, ...]] | None:
        """The step behind the signal, where the product has it.

        In a stream, the number of the product stands before the subscripts of the model.
        """
        if self.found.step is None:
            return None
        name, index = self.found.step[0], tuple(self.found.step[1])
        texts = (symbol.subscripts for symbol in self.multiplier.model.vocabulary if symbol.name == name)
        count = next((len(text.split(",")) if text else 0 for text in texts), 0)
        places = (index, index[1:]) if len(index) == count + 1 else (index,)
        return next(((name, place) for place in places if (name, place) in self.run.values), None)

    @property
    def meaning(self) -> str:
        """The meaning of the step's symbol; empty without a step."""
        if self.step is None:
            return ""
        return next((s.meaning for s in self.multiplier.model.vocabulary if s.name == self.step[0]), "")

    @cached_property
    def reason(self) -> Reason | None:
        """The reason for the value of the step."""
        if self.step is None:
            return None
        return reason(self.multiplier.model, self.multiplier.params, self.a, self.b, *self.step)

    @cached_property
    def values(self) -> tuple[int, int] | None:
        """(expected, seen), where both are numbers."""
        return numbers(self.found)

    @property
    def bits(self) -> list[int]:
        """The bits that differ, lowest first."""
        return differing_bits(self.values)

    @cached_property
    def observed(self) -> list[Observation]:
        """Observations about the wrong value in the numbers of this product, the most specific one first."""
        return list(self._observed())

    def _observed(self) -> Iterator[Observation]:
        found = self.found
        if found.reason:
            yield Observation("reason", f"{found.signal}: {found.reason}")
        if self.values is None:
            if "x" in str(found.seen).removeprefix("-").removeprefix("0x"):
                sentence = "it has unknown bits (x), as of a register without a value yet, or one that no reset reaches"
                yield Observation("unknown_bits", sentence)
            return
        if self.step is None and found.signal != RESULT:
            return
        if self.report.observed is not None and self.report.observed.right_at:
            yield elsewhere(self.report.observed.right_at)
        yield from self._wrong(self.values).observations()

    def _wrong(self, values: tuple[int, int]) -> Wrong:
        """The wrong value with all that the report says about its product."""
        observed = self.report.observed or ObservedDifference()
        before, after = (
            None if other is None else (int(other.a, 16), int(other.b or "0x0", 16))
            for other in (observed.before, observed.after)
        )
        widths = NumberWidths() if (found := observed.widths) is None else NumberWidths(found.a, found.b, found.result)
        run = None if self.step is None else self.run
        return Wrong(
            self.multiplier, self.a, self.b, self.step, *values, run=run, before=before, after=after, widths=widths,
            bits=self._bits_of_signal,
        )  # fmt: skip

    @property
    def _bits_of_signal(self) -> int | None:
        """Width of the watched signal that differs; None if the report does not say it."""
        rows, names = self.report.rows, self.report.wave_names
        if self.step is None or rows is None or names is None:
            return None
        pairs = zip(rows.columns, names.signals, strict=True)
        return next((signal.width for column, signal in pairs if column == self.found.signal), None)

    @property
    def observations(self) -> list[str]:
        """The sentences of `observed`."""
        return [observation.text for observation in self.observed]

    @cached_property
    def events(self) -> list[tuple[str, str]]:
        """(label, defect that it hunts) of what the product makes happen, those near the step first."""
        if not is_watched(self.multiplier):
            return []
        pairs = happened(self.multiplier, [(self.a, self.b)])
        hit = [place for place, seen in pairs if seen[0]]
        feeding = {term.step.partition("[")[0] for term in (self.reason.terms if self.reason else ()) if term.step}
        name, index = self.step or ("", ())

        def distance(place: Any) -> tuple[int, int]:
            own = place.event.symbol == name
            same = [x == y for x, y in zip(place.index, index, strict=False)]
            return (0 if own else 1 if place.event.symbol in feeding else 2), -sum(same)

        return [(place.label, place.event.hunts) for place in sorted(hit, key=distance)]

    @property
    def defects(self) -> list[tuple[str, str]]:
        """(events, defect that they find), as text, of the defects nearest to the step."""
        by_defect: dict[str, list[str]] = {}
        for label, hunts in self.events:
            by_defect.setdefault(hunts, []).append(label)
        return [
            (f"{', '.join(labels[:MOST_LABELS])}{' ...' if len(labels) > MOST_LABELS else ''}", hunts)
            for hunts, labels in list(by_defect.items())[:MOST_EVENTS]
        ]

    @property
    def document(self) -> dict[str, Any]:
        """The explanation as JSON."""
        why = self.reason
        difference = self.found.model_dump(exclude_unset=True)
        return {
            "format": FORMAT,
            "core": self.report.core,
            "model": self.report.model,
            "difference": {k: v for k, v in difference.items() if k != "disturbed"},
            "bits": self.bits,
            "source": None if why is None else {"file": why.file, "line": why.line, "text": why.text},
            "formula": None if why is None else why.formula,
            "operands": [
                {"name": t.text, "value": f"{t.value:#x}", "step": t.step} for t in (why.terms if why else ())
            ],
            "observations": self.observations,
            "events": [{"event": label, "hunts": hunts} for label, hunts in self.events],
        }

    @property
    def headline(self) -> str:
        """The signal, the cycle, and the step behind it with its meaning."""
        found = self.found
        place = "" if found.cycle is None else f" in cycle {found.cycle}"
        if self.step is None:
            return f"{found.signal}{place}"
        about = f", {self.meaning}" if self.meaning else ""
        return f"{found.signal}{place} is step {step_label(*self.step)}{about}"

    @property
    def _others(self) -> str:
        """The outcome of the other products."""
        if (failures := self.report.failures) is None:
            return "1 product before it agrees" if (n := self.report.verified) == 1 else f"{n} products before it agree"
        return f"it is the first of {failures.failed} that differ of {failures.products}"

    def text(self) -> str:
        """The explanation for people."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        found, model = self.found, self.multiplier.model
        signed = found.signed or SignedNumbers()
        given = [f"{name} as {number}" for name, number in (("a", signed.a), ("b", signed.b)) if number is not None]
        b = ("" if found.b is None else f", b = {found.b}") + (f" ({', '.join(given)})" if given else "")
        yield f"{self.report.core} computes {model.id}: {model.title}, modulus {self.multiplier.modulus.modulus:#x}"
        yield f"product {found.case}: a = {found.a}{b}; {self._others}"
        if self.report.observed is not None and self.report.observed.comment:
            yield f"  its operands: {self.report.observed.comment}"
        yield ""
        yield self.headline
        yield f"  should be {found.expected or 'no event'}"
        seen = found.seen or "no event before the core is done"
        yield f"  and is    {seen}{f', which differs in {bit_ranges(self.bits)}' if self.bits else ''}"
        if (why := self.reason) is not None:
            yield ""
            yield f"{why.file}, line {why.line}:"
            yield f"  {why.text}"
            if self.step is not None and why.formula and self.values is not None:
                yield f"  {step_label(*self.step)} = {why.formula} = {self.values[0]:#x}"
            for term in why.terms:
                yield f"  {term.text} = {term.value:#x}{f', which is step {term.step}' if term.step else ''}"
        if self.observations:
            yield ""
            yield "what the wrong value tells:"
            yield from (f"  {line}" for line in self.observations)
        if self.events:
            yield ""
            yield "what happens in this product, and the defects that it finds:"
            yield from (f"  {labels}: {hunts}" for labels, hunts in self.defects)
        if self.report.observed is not None and self.report.observed.advice:
            yield ""
            yield self.report.observed.advice
        yield ""
        yield f"replay: {found.replay or NO_REPLAY}"


def numbers(found: FirstDifference) -> tuple[int, int] | None:
    """(expected, seen) of a difference, where both are hexadecimal numbers that say what is wrong."""
    if found.seen == found.expected or (found.seen or "").startswith("-"):  # out of range, and nothing else
        return None
    try:
        return int(found.expected or "", 16), int(found.seen or "", 16)
    except ValueError:
        return None


def differing_bits(values: tuple[int, int] | None) -> list[int]:
    """The bits in which two numbers differ, lowest first; none without numbers."""
    difference = 0 if values is None else values[0] ^ values[1]
    return [k for k in range(difference.bit_length()) if difference >> k & 1]


def bit_ranges(bits: Sequence[int]) -> str:
    """bit 3; bits 3 to 7, 9"""
    runs: list[list[int]] = []
    for bit in bits:
        if runs and bit == runs[-1][-1] + 1:
            runs[-1].append(bit)
        else:
            runs.append([bit])
    texts = [f"{run[0]}" if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs[:6]]
    more = f" and {len(runs) - 6} more ranges" if len(runs) > 6 else ""
    return f"bit{'s' if len(bits) > 1 else ''} {', '.join(texts)}{more}"
