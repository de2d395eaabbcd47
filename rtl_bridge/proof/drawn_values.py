# SPDX-License-Identifier: Apache-2.0
"""A second opinion on what was settled: both sides of each obligation are evaluated on drawn values.

Nothing of it is a proof. Terms are evaluated as they were before any method looked at them, and a value that was cut
off is that of its definition, so that products can lead to each valuation.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from limbtrace.rtl_bridge.proof.bitvector import BitTerm, cone
from limbtrace.rtl_bridge.proof.evaluation import Values, column

VALUATIONS = 1000
MOST_OPERATIONS = 2_000_000
"""Operations on all valuations together; where terms are many, valuations are fewer, and at least BATCH."""
BATCH = 40
"""Valuations that are evaluated together, a multiple of the kinds of values."""
_Definitions = Mapping[BitTerm, BitTerm]


@dataclass(frozen=True)
class Settled:
    """An obligation that holds, by one of the methods."""

    sides: tuple[BitTerm, BitTerm]
    signal: str
    step: str
    how: str


def contradiction(settled: Sequence[Settled], definitions: _Definitions) -> Settled | None:
    """The first obligation whose sides differ for drawn values, although it was settled; None if none does.

    `definitions`: of values that were cut off.
    """
    order = list(cone([side for each in settled for side in each.sides], definitions))
    batches = max(min(VALUATIONS, MOST_OPERATIONS // max(len(order), 1)) // BATCH, 1)
    places = {term: place for place, term in enumerate(order)}
    due: dict[BitTerm, list[Settled]] = {}
    for each in settled:
        due.setdefault(max(each.sides, key=places.__getitem__), []).append(each)
    for number in range(batches):
        if found := _difference(order, definitions, due, number):
            return found
    return None


def _difference(
    order: Sequence[BitTerm], definitions: _Definitions, due: Mapping[BitTerm, Sequence[Settled]], batch: int
) -> Settled | None:
    """The first obligation whose sides differ in a batch; `due`: obligations by the side that comes last.

    Values are kept until their last use, or those of a million wide terms would take gigabytes.
    """
    left = Counter(each for term in order for each in _made_of(term, definitions))
    left.update(side for settled in due.values() for each in settled for side in each.sides)
    known: dict[BitTerm, Values] = {}
    for term in order:
        parts = _made_of(term, definitions)
        if term in definitions:
            known[term] = known[parts[0]]
        elif term.operation == "var":
            known[term] = _drawn(term, batch)
        else:
            known[term] = column(term, known, BATCH)
        used = [*parts]
        for each in due.get(term, ()):
            x, y = each.sides
            if known[x] != known[y]:
                return each
            used += each.sides
        for each_used in used:
            left[each_used] -= 1
            if not left[each_used]:
                del known[each_used]
    return None


def _made_of(term: BitTerm, definitions: _Definitions) -> Sequence[BitTerm]:
    """The terms whose values a term takes."""
    return (definitions[term],) if term in definitions else term.operands


def _drawn(variable: BitTerm, batch: int) -> Values:
    """Values of a variable up to its bound: uniform, of few ones, of few zeros, a power of two, and the extremes."""
    random, most = Random(f"{variable.detail}|{batch}"), variable.most
    values = []
    for number in range(BATCH):
        value = random.randint(0, most)
        kind = number % 5
        if kind == 1:
            value &= random.randint(0, most)
        elif kind == 2:
            value = most - (value & random.randint(0, most))
        elif kind == 3:
            value = min((1 << random.randrange(variable.width + 1)) - random.randrange(2), most)
        elif kind == 4:
            value = (0, most, value)[random.randrange(3)]
        values.append(value)
    return values
