# SPDX-License-Identifier: Apache-2.0
"""A failing product made small: simulations with smaller operands until none of them fails any more.

A simulation takes its time to start and then runs many products, and it stops at the first that fails. So a round
simulates all simpler candidates in one run, the simplest first, and goes on from the one that failed. Shrinkers that
ask about one candidate at a time, as that of hypothesis, would start a simulator for each.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Pair
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.likely_cause import LikelyCause, likely_cause
from limbtrace.rtl_bridge.run.replays import confirm
from limbtrace.rtl_bridge.run.report import Report, proof_advice
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.spacing import gap
from limbtrace.vectors.coverage import happened, is_watched
from limbtrace.vectors.report.document import NO_REPLAY
from limbtrace.vectors.request import Multiplier

ROUNDS = 24
"""Most simulations of candidates."""
CANDIDATES = 256
"""Most products of a round."""
FAILING, PASSING = 6, 512
"""Products that a likely cause is looked for in: those that fail, and others."""

AGREES = "the product agrees where its operands, and those of the products before it, are given as integers"
"""Reasons why nothing may be found."""


@dataclass(frozen=True)
class Shrunk:
    """The smallest products found that still fail, one after the other; the last one shows it."""

    pairs: tuple[Pair, ...]
    unary: bool
    events: tuple[str, ...]
    """Labels of the events that the last one makes happen."""
    cause: LikelyCause | None
    simulations: int
    replay: str
    number: int = 0
    """That of the first of them in the replay, where the gap in front of it matters."""
    given: tuple[str, ...] = ()
    """The products with the numbers of signed operands, as `--operands` takes them; empty without any."""

    @property
    def document(self) -> dict[str, Any]:
        products = [[f"{value:#x}" for value in (pair[:1] if self.unary else pair)] for pair in self.pairs]
        return {
            "products": products,
            "events": list(self.events),
            "likely_cause": list(self.cause.events) if self.cause and self.cause.kind == "each" else [],
            **({} if self.cause is None else {"cause": self.cause.document}),
            "simulations": self.simulations,
            "replay": self.replay,
        }

    def text(self) -> str:
        """The result for people."""
        shown = [text.split(",") for text in self.given] or self.document["products"]
        products = "; ".join(", ".join(values) for values in shown)
        lines = [f"shrunk in {self.simulations} simulations: {products}"]
        lines += [f"  as product {self.number}, with the same gap in front of it"] if self.number else []
        lines += [f"  its events: {_listed(self.events)}"] if self.events else []
        if self.cause:
            lines.append(f"  {self.cause.text(_listed(self.cause.events))}")
        if len(self.pairs) > 1 and (advice := proof_advice(self.replay)):
            lines.append(f"  {advice}")
        return "".join(f"{line}\n" for line in [*lines, f"  replay: {self.replay or NO_REPLAY}"])


def _listed(labels: Sequence[str], most: int = 12) -> str:
    more = f" and {len(labels) - most} more" if len(labels) > most else ""
    return ", ".join(labels[:most]) + more


def check(job: Job) -> None:
    """Raises ParameterError where a run cannot be shrunk."""
    if job.disturb:
        raise ParameterError("shrink", "goes without --disturb, whose disturbances belong to the number of a case")
    if job.timed:
        raise ParameterError("shrink", "goes without operands that say cycles")


def shrink(job: Job, report: Report) -> Shrunk | None:
    """The failing product of a report, minimized; None if nothing failed, or not again.

    Raises ToolError, ParameterError.
    """
    if report.tally.divergence is None:
        return None
    return _Shrinker(job, report.tally.divergence.case).shrunk()


class _Shrinker:
    def __init__(self, job: Job, case: int) -> None:
        check(job)
        run = settle(job)
        self._job, self._case = job, case
        self._multiplier: Multiplier = run.bound.multiplier
        self._unary = run.bound.core.file.unary
        self._text = run.bound.operand_text
        self._limits = run.bound.limits
        self._signed = run.bound.signed
        self._pairs = [self._plain(pair) for pair in run.stimulus.pairs()][: run.stimulus.products]
        self._first = run.stimulus.first
        self._alike = _alike(case, run)
        """The least number with the gap that is in front of the case."""
        self._count = 0

    def shrunk(self) -> Shrunk | None:
        at = self._case - self._first
        self._pairs += [(0, 0)] * (at + 1 - len(self._pairs))  # the last stream is filled up with these
        before, failing, number = self._pairs[:at], self._pairs[at], 0
        if self._fails([failing]) == 0:
            before, failing = [], self._smaller(failing)
        elif self._alike and self._fails_at(failing, self._alike):
            number, before = self._alike, []
            failing = self._smaller_at(failing, number)
        else:
            fewer = self._fewer(before, failing)
            if fewer is None:
                return None
            *before, failing = self._smaller_group([*fewer, failing])
        job = self._asked([*before, failing] if not number else [failing] * (number + 1))
        replay = confirm(settle(job), number or len(before))
        events, cause = self._events(failing)
        pairs = (*before, failing)
        alone = not before and not number
        given = tuple(self._text(a, b) for a, b in pairs) if self._signed else ()
        return Shrunk(pairs, self._unary, events, cause if alone else None, self._count, replay, number, given)

    def _plain(self, pair: TimedPair) -> Pair:
        """The operands without digits, each the integer of a number of its own."""
        a, b = (self._signed[name].integer(self._signed[name].number(value)) if name in self._signed else int(value)
                for name, value in zip("ab", pair[:2], strict=True))  # fmt: skip
        return a, b

    def _asked(self, pairs: Sequence[Pair]) -> Job:
        operands = tuple(self._text(a, b) for a, b in pairs)
        return self._job.model_copy(update={"operands": operands, "only": None, "waves": None, "keep_going": None})

    def _fails(self, pairs: Sequence[Pair]) -> int | None:
        """Number of the first of these products that fails; what fills up the last stream is none of them."""
        self._count += 1
        found = simulate(self._asked(pairs), quiet=True).tally.divergence
        return None if found is None or found.case >= len(pairs) else found.case

    def _fails_at(self, pair: Pair, number: int) -> bool:
        """True if this product fails alone as one of that number, which says what gap is in front of it."""
        self._count += 1
        job = self._asked([pair] * (number + 1)).model_copy(update={"only": number})
        return simulate(job, quiet=True).tally.divergence is not None

    def _smaller_at(self, pair: Pair, number: int) -> Pair:
        """The smallest product found that fails alone under that number, by one simulation for each candidate."""
        end = self._count + ROUNDS
        ahead = iter(self._candidates(pair))
        while self._count < end and (candidate := next(ahead, None)) is not None:
            if self._accepted(candidate) and self._fails_at(candidate, number):
                pair, ahead = candidate, iter(self._candidates(candidate))
        return pair

    def _smaller(self, pair: Pair) -> Pair:
        """The smallest product found that fails alone."""
        for number in range(ROUNDS):
            _say(f"\rlimbtrace: shrinking, round {number + 1}")
            candidates = [found for found in self._candidates(pair) if self._accepted(found)]
            at = self._fails(candidates) if candidates else None
            if at is None or self._fails([candidates[at]]) != 0:
                break
            pair = candidates[at]
        _say("\n")
        return pair

    def _fewer(self, before: list[Pair], failing: Pair) -> list[Pair] | None:
        """The shortest and simplest products found before it with which it fails; None if it no longer fails."""
        end = next((n for n in _doubling(len(before)) if self._fails([*before[-n:], failing]) == n), None)
        if end is None:
            return None
        before = before[-end:]
        for at in reversed(range(len(before))):
            without = before[:at] + before[at + 1 :]
            if self._count < 3 * ROUNDS and self._fails([*without, failing]) == len(without):
                before = without
        return before

    def _smaller_group(self, group: list[Pair]) -> list[Pair]:
        """Products of which the last one fails behind the others, each as simple as was found, the last one first."""
        end = self._count + 3 * ROUNDS
        for at in reversed(range(len(group))):
            while self._count < end and (simpler := self._simpler_at(group, at, end)) is not None:
                group = simpler
        return group

    def _simpler_at(self, group: list[Pair], at: int, end: int) -> list[Pair] | None:
        """The group with another product in that place with which its last one still fails; None if none was found.

        All candidates run in one simulation, one group behind the other; a group that fails there is tried alone.
        """
        found = (pair for pair in self._candidates(group[at]) if self._accepted(pair))
        groups = [[*group[:at], pair, *group[at + 1 :]] for pair in islice(found, max(CANDIDATES // len(group), 1))]
        while groups and self._count < end:
            failed = self._fails([pair for each in groups for pair in each])
            if failed is None:
                return None
            number, place = divmod(failed, len(group))
            if place == len(group) - 1 and self._fails(groups[number]) == place:
                return groups[number]
            groups = groups[number + 1 :]
        return None

    def _accepted(self, pair: Pair) -> bool:
        try:
            self._multiplier.model.check_operands(self._multiplier.params, *pair)
        except ParameterError:
            return False
        return pair[0] <= self._limits[0] and pair[1] <= self._limits[1]

    def _candidates(self, pair: Pair) -> list[Pair]:
        """Products that are simpler than this one, the simplest first."""
        a, b = pair
        width = self._multiplier.params.radix_bits or 8
        found: set[Pair] = {(x, b) for x in self._simpler("a", a, width)}
        if not self._unary:
            found |= {(a, y) for y in self._simpler("b", b, width)}
            found |= set(product((0, 1, a), (0, 1, b)))
        found = {candidate for candidate in found if self._key(candidate) < self._key(pair)}
        return sorted(found, key=self._key)[:CANDIDATES]

    def _simpler(self, name: str, value: int, width: int) -> Iterable[int]:
        """Simpler values of an operand; of a signed one numbers of either sign with a simpler magnitude."""
        if (signed := self._signed.get(name)) is None:
            return _simpler(value, width)
        magnitudes = [*_simpler(abs(signed.number(value)), width), abs(signed.number(value))]
        numbers = [sign * magnitude for magnitude in magnitudes for sign in (1, -1)]
        return [signed.integer(number) for number in numbers if signed.least <= number <= signed.most]

    def _key(self, pair: Pair) -> tuple[int, int, Pair]:
        """Simple products have few ones, then few bits; a sign counts as a one."""
        numbers = [self._signed[name].number(value) if name in self._signed else value
                   for name, value in zip("ab", pair, strict=True)]  # fmt: skip
        ones = sum(number.bit_count() + (number < 0) for number in numbers)
        return ones, sum(number.bit_length() for number in numbers), pair

    def _events(self, failing: Pair) -> tuple[tuple[str, ...], LikelyCause | None]:
        """(events of the smallest product, what all failing ones have and no other)."""
        if not is_watched(self._multiplier):
            return (), None
        bad, good = [failing], []
        rest = self._pairs[: PASSING + FAILING]
        while rest and len(bad) < FAILING:
            at = self._fails(rest)
            good += rest if at is None else rest[:at]
            if at is None:
                break
            bad, rest = [*bad, rest[at]], rest[at + 1 :]
        hits = list(happened(self._multiplier, [*bad, *good]))
        events = tuple(place.label for place, seen in hits if seen[0])
        return events, likely_cause(hits, len(bad))


def _say(text: str) -> None:
    """Progress on a terminal; a file or a pipe gets none."""
    if sys.stderr.isatty():
        print(text, end="", file=sys.stderr, flush=True)


def _alike(case: int, run: Run) -> int:
    """The least number of a product in front of which the gap is that of a case; 0 if a stream has several."""
    if run.stimulus.size > 1:
        return 0
    file = run.bound.core.file
    wanted = gap(case, file)
    return next(number for number in range(case + 1) if gap(number, file) == wanted)


def _doubling(most: int) -> Iterator[int]:
    """1, 2, 4 ... and the largest number."""
    number = 1
    while number < most:
        yield number
        number *= 2
    yield from [most] if most else []


def _simpler(value: int, width: int) -> Iterable[int]:
    """Smaller values, or values with fewer ones, of digits of that width."""
    yield from (0, 1, value >> 1, value >> width, value & (value - 1) if value else 0)
    ones = (1 << width) - 1
    digits = range(0, value.bit_length(), width)
    for place in islice(digits, CANDIDATES // 4):
        digit = value >> place & ones
        if digit:
            yield value & ~(ones << place)
            yield digit << place
            yield value & ((1 << place) - 1)
            for simpler in (1, digit >> 1, digit & (digit - 1), 1 << (digit.bit_length() - 1)):
                yield value & ~(ones << place) | simpler << place
