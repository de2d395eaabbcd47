# SPDX-License-Identifier: Apache-2.0
"""`limbtrace explain`: the first difference of a simulation in words."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from refmodels import registry
from refmodels.errors import ParameterError, shown
from refmodels.model import Run, step_label
from rtl_bridge.flow.reason import Reason, reason
from rtl_bridge.run.shrink import happened, is_watched
from vectors.cli import json_option
from vectors.cycles.request import parse_job
from vectors.request import Multiplier
from vectors.wire import FORMAT, dump

MAX_BYTES = 1 << 24
"""Longest report, in bytes."""
MOST_EVENTS = 6
"""Most defects that are named with the events that find them."""
MOST_SHIFT = 64
"""Largest power of two, of 2 or of the radix, by which a result is compared with the right one."""


@click.command()
@click.argument("report", type=click.Path(path_type=Path, allow_dash=True))
@json_option
def explain(report: Path, as_json: bool) -> None:
    """Say what the first difference of a simulation means: the step, its line in the algorithm, and likely defects.

    REPORT is what `limbtrace sim --json` wrote; - reads standard input.
    """
    document = _read(report)
    found = document["first_divergence"]
    if found is None:
        text = f"{document['verified']} products agree, so there is nothing to explain\n"
        click.echo(dump({"format": FORMAT, "difference": None}) if as_json else text, nl=as_json)
        return
    explained = Explanation.of(document)
    click.echo(dump(explained.document) if as_json else explained.text(), nl=as_json)


def _read(path: Path) -> dict[str, Any]:
    """A report. Raises ParameterError("report")."""
    try:
        stream = sys.stdin.buffer if path == Path("-") else path.open("rb")
        with stream:
            text = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ParameterError("report", f"{path} cannot be read: {error.strerror}") from None
    if len(text) > MAX_BYTES:
        raise ParameterError("report", f"{path} is longer than {MAX_BYTES} bytes")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ParameterError("report", f"{path} is not JSON; `limbtrace sim --json` writes a report") from None
    wanted = {"format", "core", "model", "verified", "first_divergence", "prime", "radix", "params"}
    if not isinstance(document, dict) or not wanted <= set(document) or document["format"] != FORMAT:
        raise ParameterError("report", f"{path} is no report of `limbtrace sim --json`")
    return document


@dataclass(frozen=True)
class Explanation:
    """A difference, and all that the model says about it."""

    report: Mapping[str, Any]
    multiplier: Multiplier
    a: int
    b: int

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> "Explanation":
        """Raises ParameterError("report") where the report is not of a model that there is."""
        found = report["first_divergence"]
        try:
            disturbed = found.get("disturbed", {}).get("modulus")
            prime = disturbed or report["prime"]["name"] or report["prime"]["modulus"]
            settings = {**report["params"], **({"radix": report["radix"]} if report["radix"] else {})}
            model = registry.model(report["model"])
            known = {parameter.name for parameter in model.parameters}
            given = {name: value for name, value in settings.items() if name in known}
            multiplier = Multiplier.resolve(model.id, prime, given)
            pair = parse_job(multiplier, ",".join(filter(None, (found["a"], found.get("b")))))
            model.check_operands(multiplier.params, pair.a, pair.b)
        except (KeyError, TypeError, AttributeError) as error:
            what = f" ({shown(error.args[0])})" if isinstance(error, KeyError) else ""
            raise ParameterError("report", f"a part of it is missing or of another kind{what}") from None
        return cls(report, multiplier, pair.a, pair.b)

    @property
    def found(self) -> Mapping[str, Any]:
        """The difference as in the report."""
        found: Mapping[str, Any] = self.report["first_divergence"]
        return found

    @cached_property
    def run(self) -> Run[Any]:
        """The product with all of its steps."""
        return self.multiplier.model.run(self.multiplier.params, self.a, self.b)

    @property
    def step(self) -> tuple[str, tuple[int, ...]] | None:
        """The step behind the signal, where the product has it."""
        if not self.found["step"]:
            return None
        name, index = self.found["step"]
        step = (str(name), tuple(index))
        return step if step in self.run.values else None

    @cached_property
    def reason(self) -> Reason | None:
        """Why the step has its value."""
        if self.step is None:
            return None
        return reason(self.multiplier.model, self.multiplier.params, self.a, self.b, *self.step)

    @cached_property
    def values(self) -> tuple[int, int] | None:
        """(expected, seen), where both are numbers."""
        try:
            return int(self.found["expected"], 16), int(self.found["seen"], 16)
        except (TypeError, ValueError):
            return None

    @property
    def bits(self) -> list[int]:
        """The bits that differ, lowest first."""
        if self.values is None:
            return []
        difference = self.values[0] ^ self.values[1]
        return [k for k in range(difference.bit_length()) if difference >> k & 1]

    @cached_property
    def observations(self) -> list[str]:
        """What the wrong value is, in the numbers of this product: sentences."""
        return list(dict.fromkeys(self._observations()))

    def _observations(self) -> Iterator[str]:
        if self.found.get("reason"):
            yield f"{self.found['signal']}: {self.found['reason']}"
        if self.values is None:
            if "x" in str(self.found["seen"]).removeprefix("0x"):
                yield "it has unknown bits (x): a register without a value yet, or one that no reset reaches"
            return
        expected, seen = self.values
        if self.step is None and self.found["signal"] != "result":
            return
        if self.step is None:
            yield from self._about_result(expected, seen)
        if seen == 0:
            yield "it is 0: a value that is never loaded, or cleared too late"
        if expected >> (width := seen.bit_length()) and seen and seen == expected & ((1 << width) - 1):
            yield f"its low {width} bits are right and those above are missing: a register or wire that is too narrow"
        difference = abs(expected - seen)
        if difference and difference & (difference - 1) == 0:
            sign = "less" if seen < expected else "more"
            k = difference.bit_length() - 1
            fate = "lost" if seen < expected else "too much"
            yield f"it is 2^{k} {sign} than it should be: a carry into bit {k} that is {fate}"
        if self.step is not None:
            name, _ = self.step
            steps = [(n, at) for n, at, value in self.run.steps if n == name and int(value) == seen]
            if seen and steps and len(steps) <= 4:
                where = ", ".join(step_label(*step) for step in steps)
                yield f"it is the right value of {where}: a step that is too early, too late, or not taken"

    def _about_result(self, expected: int, seen: int) -> Iterator[str]:
        params, p = self.multiplier.params, self.multiplier.modulus.modulus
        if not p:
            return
        R = params.domain
        if seen % p == expected % p:
            times = (seen - expected) // p
            much = "p" if abs(times) == 1 else f"{abs(times)} p"
            yield f"it is congruent to the right result: {much} too {'large' if times > 0 else 'small'}"
            if times > 0:
                yield "a last subtraction that is missing, or taken too seldom"
            return
        if R is not None and (seen - expected) % R == 0:
            yield f"it is off by {(seen - expected) // R} R, the weight above the last digit: a carry out of the top"
        if seen % p == self.a * self.b % p:
            yield "it is congruent to a*b: the factor 1/R is missing"
        for k in range(1, MOST_SHIFT):
            for factor, word in ((1 << k, "too few"), (pow(1 << k, -1, p), "too many")):
                if seen % p == expected * factor % p and expected % p:
                    halvings = f"{k} halving{'s' if k > 1 else ''} {word}"
                    yield f"it is congruent to the right result with {halvings}: passes of the loop that are {word}"
                    return

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
    def document(self) -> dict[str, Any]:
        """The explanation as JSON."""
        why = self.reason
        return {
            "format": FORMAT,
            "core": self.report["core"],
            "model": self.report["model"],
            "difference": {k: v for k, v in self.found.items() if k != "disturbed"},
            "bits": self.bits,
            "source": None if why is None else {"file": why.file, "line": why.line, "text": why.text},
            "formula": None if why is None else why.formula,
            "operands": [
                {"name": t.text, "value": f"{t.value:#x}", "step": t.step} for t in (why.terms if why else ())
            ],
            "observations": self.observations,
            "events": [{"event": label, "hunts": hunts} for label, hunts in self.events],
        }

    def text(self) -> str:
        """The explanation for people."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        found, model = self.found, self.multiplier.model
        b = "" if found.get("b") is None else f", b = {found['b']}"
        yield f"{self.report['core']} computes {model.id}: {model.title}, modulus {self.multiplier.modulus.modulus:#x}"
        yield f"product {found['case']}: a = {found['a']}{b}; {self.report['verified']} products before it agree"
        yield ""
        place = "" if found["cycle"] is None else f" in cycle {found['cycle']}"
        if self.step is not None:
            meaning = next((s.meaning for s in model.vocabulary if s.name == self.step[0]), "")
            about = f", {meaning}" if meaning else ""
            yield click.style(f"{found['signal']}{place} is step {step_label(*self.step)}{about}", bold=True)
        else:
            yield click.style(f"{found['signal']}{place}", bold=True)
        yield f"  should be {found['expected'] or 'no event'}"
        seen = found["seen"] or "no event before the core is done"
        yield f"  and is    {seen}{f', which differs in {_ranges(self.bits)}' if self.bits else ''}"
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
            by_defect: dict[str, list[str]] = {}
            for label, hunts in self.events:
                by_defect.setdefault(hunts, []).append(label)
            for hunts, labels in list(by_defect.items())[:MOST_EVENTS]:
                yield f"  {', '.join(labels[:4])}{' ...' if len(labels) > 4 else ''}: {hunts}"
        yield ""
        yield f"replay: {found['replay']}"


def _ranges(bits: Sequence[int]) -> str:
    """bit 3; bits 3 to 7 and 9"""
    runs: list[list[int]] = []
    for bit in bits:
        if runs and bit == runs[-1][-1] + 1:
            runs[-1].append(bit)
        else:
            runs.append([bit])
    texts = [f"{run[0]}" if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs[:6]]
    more = f" and {len(runs) - 6} more ranges" if len(runs) > 6 else ""
    return f"bit{'s' if len(bits) > 1 else ''} {', '.join(texts)}{more}"
