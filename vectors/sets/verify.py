# SPDX-License-Identifier: Apache-2.0
"""Comparison of a vector set with the golden one, and of cases in general."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets.cases import Case
from limbtrace.vectors.sets.read import VectorReader
from limbtrace.vectors.verification import Divergences, divergence, verdict


def verify(reader: VectorReader) -> dict[str, Any]:
    """The verdict. Raises ParameterError, DamagedFileError."""
    reader.check_constants()
    verified, divergences = compare(reader.multiplier, reader.cases())
    if not divergences:
        reader.check_digest()
    return verdict("vectors", reader.multiplier, verified, divergences, id=reader.head["id"])


def compare(multiplier: Multiplier, cases: Iterable[tuple[str, Case]], modulo: bool = False) -> tuple[int, Divergences]:
    """Number of cases and the divergences of their results, or only of their residues if `modulo` is set."""
    m, verified, divergences = multiplier, 0, Divergences()
    for place, case in cases:
        m.model.check_operands(m.params, case.a, case.b)
        divergences.compares(*m.model.given(case.a, case.b))
        verified += 1
        result = m.model.result(m.params, case.a, case.b)
        pairs = [("residue", m.residue(result), m.residue(case.result))]
        if not modulo:
            pairs = [("result", result, case.result)]
            if case.residue >= 0:
                pairs.append(("residue", m.residue(result), case.residue))
        pairs += _checkpoints(m, case)
        for signal, expected, seen in pairs:
            if expected != seen:
                divergences.add(partial(differs, m, place, case, signal, expected, seen))
                break
    return verified, divergences


def differs(multiplier: Multiplier, place: str, case: Case, signal: str, expected: int, seen: int) -> dict[str, Any]:
    """The divergence of a value of a case."""
    return divergence(
        multiplier,
        case.id or place,
        case.a,
        case.b,
        place=place,
        signal=signal,
        expected=hexadecimal(expected),
        seen=hexadecimal(seen),
    )


def _checkpoints(multiplier: Multiplier, case: Case) -> Iterator[tuple[str, int, int]]:
    """(name, golden value, seen value) of the checkpoints of a chain. Raises ParameterError for impossible ones."""
    chain, indices = multiplier.model.chain, [links for links, _ in case.checkpoints or ()]
    if chain is None:
        return
    if indices != sorted(set(indices)) or not all(0 < i <= chain.length(multiplier.params) for i in indices):
        raise ParameterError("checkpoints", "they are increasing numbers of squarings, and none is beyond the chain")
    golden = chain.powers(multiplier.params, case.a, indices)
    for (links, seen), expected in zip(case.checkpoints or (), golden, strict=True):
        yield f"checkpoint {links}", expected, seen
