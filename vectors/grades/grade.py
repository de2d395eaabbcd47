# SPDX-License-Identifier: Apache-2.0
"""The mechanisms that vectors show, the faults that they find, and operands that would find the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbtrace.refmodels.defects import ATLAS
from limbtrace.refmodels.defects.families import FamilyFault, FaultyProduct, faults
from limbtrace.refmodels.mechanisms import MechanismCase, ReducedProduct, shown
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.grades.document import GradeDocument
from limbtrace.vectors.grades.loop import loop_grade, without_mutants
from limbtrace.vectors.grades.read import Graded
from limbtrace.vectors.grades.request import drawn
from limbtrace.vectors.operands import Operands, operands, reduced_product
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import DIRECTED, Multiplier, VectorRequest
from limbtrace.vectors.sets.grade import Grade, GradeAddition, GradedFault, GradedMechanism

TRIED = 512
"""Cases of kind directed among which additions are sought."""
BATCH = 8192
"""Cases that are looked at together."""
GRADED_WORDS = 2
"""Widths of limbs of the faults, unless others are given."""


def grade(vectors: Graded, words: Sequence[int] = ()) -> dict[str, Any]:
    """The document. Mechanisms and faults are those of models that promise a result alone."""
    head: Any = vectors.multiplier.head
    return {**members(GradeDocument, format=FORMAT, multiplier=head, **grade_members(vectors, words))}


def grade_members(vectors: Graded, words: Sequence[int] = ()) -> dict[str, Any]:
    """The document without its head."""
    multiplier = vectors.multiplier
    no_loop = without_mutants(multiplier)
    found: dict[str, Any] = {"words": [], "mechanisms": [], "faults": [], "additions": []}
    if multiplier.model.result_alone:
        found = _of_hardware(vectors, reduced_product(multiplier), tuple(words))
    document: dict[str, Any] = members(
        Grade,
        cases=len(vectors.pairs),
        more=vectors.more,
        loop=None if no_loop else loop_grade(multiplier, vectors.pairs),  # type: ignore[arg-type]
        no_loop=no_loop,
        **found,
    )
    return document


def grade_of(request: VectorRequest) -> dict[str, Any]:
    """The grade of a set, for its head."""
    return grade_members(drawn(request))


def _of_hardware(vectors: Graded, product: ReducedProduct, words: tuple[int, ...]) -> dict[str, Any]:
    """The members about mechanisms of hardware and their faults."""
    multiplier, widths = vectors.multiplier, words or product.words()
    limbs = widths[: len(words) or GRADED_WORDS]
    faulty = FaultyProduct(product.modulus, product.reduced, product.domain, *multiplier.params.limits)
    places = [_JudgedPlace(case) for case in shown(product, 1, widths)]
    suspects = [_JudgedFault(fault) for fault in (*_of_atlas(multiplier), *faults(faulty, limbs))]
    _judge(multiplier, product, vectors, places, suspects)
    tried = list(operands(VectorRequest.resolve(multiplier, TRIED, 1, DIRECTED, TRIED)))
    found, missing = [], []
    for suspect in suspects:
        fault, first = suspect.fault, suspect.first
        showing = [] if first is not None else _showing(multiplier, product, fault, tried)
        if showing:
            missing.append((fault.name, showing))
        is_known = first is not None or bool(showing)
        found.append(members(GradedFault, name=fault.name, mechanism=fault.kind.value, first=first, known=is_known))
    return {
        "words": list(widths),
        "mechanisms": _mechanisms(places),
        "faults": found,
        "additions": [_addition(multiplier, tried[place], names) for place, names in _few(missing)],
    }


@dataclass
class _JudgedPlace:
    """A mechanism at a place, and the first case that shows it."""

    case: MechanismCase
    first: int | None = None


@dataclass
class _JudgedFault:
    """A fault, and the first case whose result it changes."""

    fault: FamilyFault
    first: int | None = None


def _judge(
    multiplier: Multiplier,
    product: ReducedProduct,
    vectors: Graded,
    places: Sequence[_JudgedPlace],
    suspects: Sequence[_JudgedFault],
) -> None:
    """Find the first cases, BATCH cases at a time; what has its first case is not looked for again.

    A condition on columns leaves out almost all cases, and the others are judged one by one.
    """
    pairs = vectors.pairs
    with Progress("cases", len(pairs)) as progress:
        for start in range(0, len(pairs), BATCH):
            batch = pairs[start : start + BATCH]
            columns = product.columns(batch)
            for place in places:
                if place.first is None:
                    mechanism, width, variant = place.case.mechanism, place.case.width, place.case.variant
                    for number in np.flatnonzero(mechanism.may(product, width, variant, columns)).tolist():
                        if mechanism.holds(product, width, variant, *batch[number]):
                            place.first = start + number
                            break
            for suspect in suspects:
                if suspect.first is None:
                    for number in np.flatnonzero(suspect.fault.may(columns)).tolist():
                        if _differs(multiplier, suspect.fault, *batch[number]):
                            suspect.first = start + number
                            break
            progress.advance(len(batch))


def _of_atlas(multiplier: Multiplier) -> Iterator[FamilyFault]:
    """The public faults of this very multiplier."""
    for defect in ATLAS.values():
        if defect.model == multiplier.model.id:
            asked = Multiplier.resolve(defect.model, defect.prime, dict(defect.settings))
            if asked.identity == multiplier.identity:
                yield FamilyFault(defect.id, defect.kind, defect.compute)


def _mechanisms(places: Sequence[_JudgedPlace]) -> list[Any]:
    """How many places of each mechanism the operands show, of those that can be shown."""
    by_name: dict[str, list[_JudgedPlace]] = {}
    for place in places:
        by_name.setdefault(place.case.mechanism.name, []).append(place)
    found = []
    for of_one in by_name.values():
        mechanism, firsts = of_one[0].case.mechanism, [place.first for place in of_one if place.first is not None]
        found.append(members(GradedMechanism, name=mechanism.name, statement=mechanism.statement, hunts=mechanism.hunts,
                             shown=len(firsts), places=len(of_one), first=min(firsts, default=None)))  # fmt: skip
    return found


def _differs(multiplier: Multiplier, fault: FamilyFault, a: int, b: int) -> bool:
    """True if the fault changes the result; modulo p, if the model does not reduce its results."""
    model, params, modulus = multiplier.model, multiplier.params, multiplier.modulus.modulus
    difference = fault.compute(a, b, modulus) - model.result(params, a, b)
    return bool(difference if params.result_limit <= modulus else difference % modulus)


def _showing(
    multiplier: Multiplier, product: ReducedProduct, fault: FamilyFault, tried: Sequence[Operands]
) -> list[int]:
    """The places of the cases whose result the fault changes."""
    pairs = [(int(a), int(b)) for a, b, _ in tried]
    candidates = np.flatnonzero(fault.may(product.columns(pairs)))
    return [int(place) for place in candidates if _differs(multiplier, fault, *pairs[place])]


def _few(missing: Sequence[tuple[str, list[int]]]) -> Iterator[tuple[int, list[str]]]:
    """(place, names): places that show all of them together, each the one that shows most of what is left."""
    left = dict(missing)
    while left:
        counts: dict[int, int] = {}
        for places in left.values():
            for place in places:
                counts[place] = counts.get(place, 0) + 1
        best = min(counts, key=lambda place: (-counts[place], place))
        names = [name for name, places in left.items() if best in places]
        yield best, names
        for name in names:
            del left[name]


def _addition(multiplier: Multiplier, case: Operands, names: list[str]) -> Any:
    a, b, comment = case
    shown_b = None if multiplier.model.unary else hexadecimal(b)
    return members(GradeAddition, a=hexadecimal(a), b=shown_b, comment=comment, faults=names)
