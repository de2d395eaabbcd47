# SPDX-License-Identifier: Apache-2.0
"""The mechanisms that vectors show, the faults that they find, and operands that would find the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from limbtrace.refmodels.defects import ATLAS
from limbtrace.refmodels.defects.families import FamilyFault, faults
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.mechanisms import MechanismCase, ReducedProduct, shown
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, hexadecimal
from limbtrace.vectors.grades.document import Addition, GradedFault, GradedMechanism, GradeDocument
from limbtrace.vectors.grades.read import Graded
from limbtrace.vectors.operands import operands
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import DIRECTED, Multiplier, VectorRequest

TRIED = 512
"""Cases of kind directed among which additions are sought."""
GRADED_WORDS = 2
"""Widths of limbs of the faults, unless others are given."""


@dataclass(frozen=True)
class _Case:
    a: int
    b: int
    comment: str


def grade(vectors: Graded, words: Sequence[int] = ()) -> dict[str, Any]:
    """The document. Raises ParameterError for a model that does not promise a result alone."""
    multiplier, product = vectors.multiplier, reduced_product(vectors.multiplier)
    widths = tuple(words) or product.words()
    known = list(shown(product, 1, widths))
    mechanisms = _mechanisms(product, known, vectors.pairs)
    tried = [_Case(int(a), int(b), comment) for a, b, comment in _directed(multiplier)]
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


def reduced_product(multiplier: Multiplier) -> ReducedProduct:
    """The integer that hardware reduces. Raises ParameterError for a model that does not promise a result alone."""
    params, value = multiplier.params, multiplier.model.reduced_value
    if value is None:
        raise ParameterError(
            "model", f"{multiplier.model.id} has events of its own (`limbtrace cover`); grades are for modmul, square, "
            "montgomery and redc"
        )  # fmt: skip
    return ReducedProduct(params.modulus, *params.limits, value, params.domain or 1)


def _directed(multiplier: Multiplier) -> Iterator[tuple[int, int, str]]:
    return operands(VectorRequest.resolve(multiplier, TRIED, 1, DIRECTED, TRIED))


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


def _showing(multiplier: Multiplier, fault: FamilyFault, tried: Sequence[_Case]) -> list[int]:
    return [place for place, case in enumerate(tried) if _first(multiplier, fault, [(case.a, case.b)]) is not None]


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


def _addition(multiplier: Multiplier, case: _Case, names: list[str]) -> Any:
    b = None if multiplier.model.unary else hexadecimal(case.b)
    return members(Addition, a=hexadecimal(case.a), b=b, comment=case.comment, faults=names)
