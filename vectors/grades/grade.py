# SPDX-License-Identifier: Apache-2.0
"""The mechanisms that vectors show, the faults that they find, and operands that would find the others."""

from collections.abc import Iterator, Sequence
from typing import Any

from limbtrace.refmodels.defects import ATLAS
from limbtrace.refmodels.defects.families import FamilyFault, faults
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.mechanisms import MechanismCase, ReducedProduct, shown
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.grades.document import Addition, GradedFault, GradedMechanism, GradeDocument
from limbtrace.vectors.grades.read import Graded
from limbtrace.vectors.operands import Operands, operands, reduced_product
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import DIRECTED, Multiplier, VectorRequest

TRIED = 512
"""Cases of kind directed among which additions are sought."""
GRADED_WORDS = 2
"""Widths of limbs of the faults, unless others are given."""


def grade(vectors: Graded, words: Sequence[int] = ()) -> dict[str, Any]:
    """The document. Raises ParameterError for a model that does not promise a result alone."""
    multiplier, product = vectors.multiplier, reduced_product(vectors.multiplier)
    if not multiplier.model.result_alone:
        said = f"{multiplier.model.id} has events of its own (`limbtrace cover`)"
        raise ParameterError("model", f"{said}; grades are for modmul, square, montgomery and redc")
    widths = tuple(words) or product.words()
    known = list(shown(product, 1, widths))
    mechanisms = _mechanisms(product, known, vectors.pairs)
    tried = list(operands(VectorRequest.resolve(multiplier, TRIED, 1, DIRECTED, TRIED)))
    found, missing = [], []
    bits = max(*multiplier.params.limits, multiplier.modulus.modulus - 1).bit_length()
    limbs = widths[: len(words) or GRADED_WORDS]
    every = [*_of_atlas(multiplier), *faults(product.modulus, product.reduced, product.domain, bits, limbs)]
    with Progress("faults", len(every)) as progress:
        for fault in every:
            first = _first(multiplier, fault, vectors.pairs)
            places = [] if first is not None else _showing(multiplier, fault, tried)
            if places:
                missing.append((fault.name, places))
            is_known = first is not None or bool(places)
            found.append(members(GradedFault, name=fault.name, mechanism=fault.kind.value, first=first, known=is_known))
            progress.advance()
    document: dict[str, Any] = members(
        GradeDocument,
        format=FORMAT,
        multiplier=multiplier.head,  # type: ignore[arg-type]
        words=list(widths),
        cases=len(vectors.pairs),
        more=vectors.more,
        mechanisms=mechanisms,
        faults=found,
        additions=[_addition(multiplier, tried[place], names) for place, names in _few(missing)],
    )
    return document


def _of_atlas(multiplier: Multiplier) -> Iterator[FamilyFault]:
    """The public faults of this very multiplier."""
    for defect in ATLAS.values():
        if defect.model == multiplier.model.id:
            asked = Multiplier.resolve(defect.model, defect.prime, dict(defect.settings))
            if asked.identity == multiplier.identity:
                yield FamilyFault(defect.id, defect.kind, defect.compute)


def _mechanisms(product: ReducedProduct, known: Sequence[MechanismCase], pairs: Sequence[tuple[int, int]]) -> list[Any]:
    """How many places of each mechanism the operands show, of those that can be shown."""
    places: dict[str, list[MechanismCase]] = {}
    for case in known:
        places.setdefault(case.mechanism.name, []).append(case)
    found = []
    for cases in places.values():
        mechanism = cases[0].mechanism
        seen = sum(any(mechanism.holds(product, case.width, case.variant, a, b) for a, b in pairs) for case in cases)
        found.append(members(GradedMechanism, name=mechanism.name, statement=mechanism.statement,
                             hunts=mechanism.hunts, shown=seen, places=len(cases)))  # fmt: skip
    return found


def _first(multiplier: Multiplier, fault: FamilyFault, pairs: Sequence[tuple[int, int]]) -> int | None:
    """The first case whose result the fault changes; modulo p, if the model does not reduce its results."""
    model, params, modulus = multiplier.model, multiplier.params, multiplier.modulus.modulus
    exact = params.result_limit <= modulus
    for number, (a, b) in enumerate(pairs):
        difference = fault.compute(a, b, modulus) - model.result(params, a, b)
        if difference if exact else difference % modulus:
            return number
    return None


def _showing(multiplier: Multiplier, fault: FamilyFault, tried: Sequence[Operands]) -> list[int]:
    """The places of the cases whose result the fault changes."""
    pairs = [(int(a), int(b)) for a, b, _ in tried]
    return [place for place, pair in enumerate(pairs) if _first(multiplier, fault, [pair]) is not None]


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
    return members(Addition, a=hexadecimal(a), b=shown_b, comment=comment, faults=names)
