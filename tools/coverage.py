# SPDX-License-Identifier: Apache-2.0
"""`./run events`: which events each kind of operands makes happen; writes docs/reference/events.md."""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Index
from limbtrace.refmodels.event_search import NOT_FOUND, REACHABLE, UNREACHABLE, Occurrences
from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.coverage import Coverage
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet
from tools.demo import say

OUTPUT = Path(__file__).parents[1] / "docs" / "reference" / "events.md"
COUNTS = (16, 100, 1000)
KINDS = ("random", "mixed", "directed", "events")
PRIMES = ("p256", "sike-p434", "sike-p610")
"""Of these the first one that a model takes."""
SETTINGS: dict[str, dict[str, str | int]] = {"vdf": {"t": 2}}
"""Settings of models whose own defaults have more steps than are looked at."""

_HEAD = f"""# Events

Written by `./run events`.

An event is something that can happen inside a product and that designs get wrong: a quotient digit at its limit, a
carry that ripples, a sum next to the modulus. `limbtrace events MODEL` says what each event is, and which defect it
hunts.

* A *place* is an event at one index, such as `q[3]=max`. Of an event with many indices some are looked at, evenly
  spread.
* A place is *reachable* where operands are known that make it happen, *unreachable* for a reason that
  `limbtrace events` gives, and *not known* where a bounded search found no operands, and no case below did.
* The percentages, rounded down, are those of the reachable places that happen in the first {COUNTS[0]}, {COUNTS[1]} and
  {COUNTS[2]:,} cases of each kind with seed 1.
"""
_Place = tuple[str, Index]


@dataclass(frozen=True)
class Row:
    """A model, and how many of its places happen."""

    title: str
    events: int
    reachable: int
    unreachable: int
    unknown: int
    """Places of which no operands are known."""
    hit: dict[tuple[str, int], int]
    """Places that happen, by kind and number of cases."""


def multiplier(name: str) -> Multiplier:
    """The model at the size that the page shows. Raises ParameterError if it takes none of the moduli."""
    settings = SETTINGS.get(name, {})
    if not MODELS[name].has_modulus:
        return Multiplier.resolve(name, None, settings)
    *others, last = PRIMES
    for prime in others:
        try:
            return Multiplier.resolve(name, prime, settings)
        except ParameterError:
            continue
    return Multiplier.resolve(name, last, settings)


def measure(name: str) -> Row:
    """Counts the events of a model. Raises ParameterError."""
    m = multiplier(name)
    known: dict[str, set[_Place]] = {REACHABLE: set(), UNREACHABLE: set(), NOT_FOUND: set()}
    for found in Occurrences(m.model, m.params).all():
        known[found.state].add((found.place.event.name, found.place.index))
    hit: dict[tuple[str, int], set[_Place]] = {}
    for kind in KINDS:
        coverage = Coverage(m)
        cases = VectorSet(VectorRequest.resolve(m, COUNTS[-1], 1, kind)).cases()
        for before, count in pairwise((0, *COUNTS)):
            coverage.add(kind, islice(cases, count - before))
            hit[kind, count] = {
                (event["name"], tuple(at["index"])) for event in coverage.document["events"] for at in event["at"]
            }
    reachable = known[REACHABLE].union(*hit.values())
    return Row(
        title=m.title,
        events=len(m.model.events),
        reachable=len(reachable),
        unreachable=len(known[UNREACHABLE]),
        unknown=len(known[NOT_FOUND] - reachable),
        hit={which: len(places) for which, places in hit.items()},
    )


def page(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of the page."""
    yield _HEAD
    yield f"| model | events | reachable | unreachable | not known | {' | '.join(f'`{kind}`' for kind in KINDS)} |"
    yield f"| --- | ---: | ---: | ---: | ---: | {' | '.join('---:' for _ in KINDS)} |"
    yield from map(line, rows)


def line(row: Row) -> str:
    """A line of the table."""
    shares = [" / ".join(f"{100 * row.hit[kind, count] // row.reachable}" for count in COUNTS) + " %" for kind in KINDS]
    cells = [row.title, row.events, row.reachable, row.unreachable, row.unknown, *shares]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    """Count the events of all models and write the page; returns the exit code."""
    argparse.ArgumentParser(prog="./run events", description=__doc__).parse_args()
    rows = []
    for name in sorted(MODELS):
        start = time.monotonic()
        rows.append(measure(name))
        say(f"{line(rows[-1])} ({time.monotonic() - start:.0f} s)")
    OUTPUT.write_text("\n".join(page(rows)) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
