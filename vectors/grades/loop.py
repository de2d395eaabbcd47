# SPDX-License-Identifier: Apache-2.0
"""Mutants of a model's own loop that operands kill: whose result is then another one than that of the model."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from limbtrace.refmodels.loop_mutants import Mutant as LoopMutant
from limbtrace.refmodels.loop_mutants import MutantKind, MutatedRuns, ValueColumn, mutants
from limbtrace.refmodels.program import Program, of_model
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.operands import Operands, operands
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.request import DIRECTED, Multiplier, VectorRequest
from limbtrace.vectors.sets.grade import LoopGrade, MutantClass, Survivor

MOST_OPERATIONS = 20_000
"""Operations of a loop up to which mutants are made of it."""
MOST_MUTANTS = 2000
"""Mutants that are judged; of more, so many are drawn."""
MOST_CASES = 1000
"""Cases at which mutants are judged."""
MOST_CHANGES = 64
"""Cases at which an operation that is changed has another value, but not the result, until a mutant is left alone."""
SOUGHT = (DIRECTED, "mixed")
"""Kinds of operands among which those that kill survivors are sought."""
SOUGHT_CASES = 256
"""Cases of each of these kinds."""
FIRST_BATCH, BATCH = 8, 128
"""Cases that are computed together: few first, since they kill most mutants."""

PairList = Sequence[tuple[int, int]]


@dataclass
class _JudgedMutant:
    """A mutant, and how far it was judged."""

    mutant: LoopMutant
    changes: int = 0
    """Cases at which its operation has another value, but not its result."""


def without_mutants(multiplier: Multiplier) -> str | None:
    """Why no mutants are made of a model's loop; None if they can be."""
    if multiplier.model.chain is not None:
        return f"a case of {multiplier.model.id} is a chain of squarings, of which no mutants are made"
    if (steps := multiplier.model.work(multiplier.params)) > MOST_OPERATIONS:
        return _too_long(multiplier, steps)
    try:
        program = of_model(multiplier.model, multiplier.params)
    except TypeError:
        return (
            f"the loop of {multiplier.model.id} is not recorded at these parameters, as it branches on the operands: "
            "no mutants are made of it"
        )
    return _too_long(multiplier, len(program.terms)) if len(program.terms) > MOST_OPERATIONS else None


def _too_long(multiplier: Multiplier, operations: int) -> str:
    return (
        f"the loop of {multiplier.model.id} has {operations} operations or more here and mutants are made of up to "
        f"{MOST_OPERATIONS}: larger digits take fewer"
    )


def loop_grade(multiplier: Multiplier, pairs: PairList) -> dict[str, Any]:
    """Which mutants of the loop the operands kill, and operands for the others. `without_mutants` must be None."""
    program = of_model(multiplier.model, multiplier.params)
    every = list(mutants(program))
    made = [every[place] for place in sorted(random.Random(1).sample(range(len(every)), min(len(every), MOST_MUTANTS)))]
    runs, judged = MutatedRuns(program), pairs[:MOST_CASES]
    with Progress("mutants", len(made)) as progress:
        left = [_JudgedMutant(mutant) for mutant in made]
        for number, batch in enumerate(_batches(judged)):
            killed = _killed(multiplier, runs, left, batch)
            left = [suspect for place, suspect in enumerate(left) if place not in killed]
            progress.advance(len(killed) if number else len(made) - len(left))
    survivors = [suspect.mutant for suspect in left]
    document: dict[str, Any] = members(
        LoopGrade,
        operations=len(program.terms),
        mutants=len(every),
        judged=len(made),
        killed=len(made) - len(survivors),
        cases=len(judged),
        tries=SOUGHT_CASES * len(SOUGHT),
        classes=list(_classes(made, survivors)),
        survivors=list(_survivors(multiplier, runs, survivors)),
    )
    return document


def _batches(pairs: PairList) -> Iterator[PairList]:
    """Few pairs, then more of them at a time."""
    yield pairs[:FIRST_BATCH]
    yield from (pairs[start : start + BATCH] for start in range(FIRST_BATCH, len(pairs), BATCH))


def _columns(program: Program, pairs: PairList) -> dict[str, ValueColumn]:
    """The operands of a program."""
    a, b = (list(column) for column in zip(*pairs, strict=True))
    known = {"a0": a, "b0": b}
    return {name: known[name] for name in program.operands}


def _killed(
    multiplier: Multiplier, runs: MutatedRuns, suspects: Sequence[_JudgedMutant], pairs: PairList
) -> dict[int, int]:
    """The place of each mutant that some case kills -> the number of the first one.

    Results are compared modulo p, if the model does not reduce them.
    """
    columns = _columns(runs.program, pairs)
    values = runs.values(columns)
    right = runs.results(values)
    modulus = multiplier.modulus.modulus
    exact = modulus == 0 or multiplier.params.result_limit <= modulus
    found: dict[int, int] = {}
    for place, suspect in enumerate(suspects):
        if suspect.changes >= MOST_CHANGES:
            continue
        for number, result in runs.changed(suspect.mutant, columns, values, MOST_CHANGES - suspect.changes):
            if result is not None and (result - right[number] if exact else (result - right[number]) % modulus):
                found[place] = number
                break
            suspect.changes += 1
    return found


def _classes(made: Sequence[LoopMutant], survivors: Sequence[LoopMutant]) -> Iterator[Any]:
    """Mutants by kind and step, those of which the smallest share is killed first."""
    counts: dict[tuple[MutantKind, str], list[int]] = {}
    for mutant in made:
        counts.setdefault((mutant.kind, mutant.symbol), [0, 0])[1] += 1
    for mutant in made:
        counts[mutant.kind, mutant.symbol][0] += 1
    for mutant in survivors:
        counts[mutant.kind, mutant.symbol][0] -= 1
    ranked = sorted(counts.items(), key=lambda item: (item[1][0] / item[1][1], -item[1][1]))
    for (kind, step), (killed, number) in ranked:
        yield members(MutantClass, kind=kind.value, step=step, killed=killed, mutants=number)


def _survivors(multiplier: Multiplier, runs: MutatedRuns, survivors: Sequence[LoopMutant]) -> Iterator[Any]:
    """Each survivor with operands that kill it, if some are found."""
    tried = [*chain.from_iterable(_sought(multiplier, kind) for kind in SOUGHT)]
    left = [_JudgedMutant(mutant) for mutant in survivors]
    killing: dict[int, Operands] = {}
    for start in range(0, len(tried) if survivors else 0, BATCH):
        batch = tried[start : start + BATCH]
        alive = [suspect for suspect in left if id(suspect) not in killing]
        pairs = [(int(a), int(b)) for a, b, _ in batch]
        for place, number in _killed(multiplier, runs, alive, pairs).items():
            killing[id(alive[place])] = batch[number]
    for suspect in left:
        a, b, comment = killing.get(id(suspect), (None, None, None))
        yield members(
            Survivor,
            mutant=suspect.mutant.label,
            kind=suspect.mutant.kind.value,
            a=None if a is None else hexadecimal(a),
            b=None if b is None or multiplier.model.unary else hexadecimal(b),
            comment=comment,
        )


def _sought(multiplier: Multiplier, kind: str) -> Iterator[Operands]:
    return operands(VectorRequest.resolve(multiplier, SOUGHT_CASES, 1, kind, SOUGHT_CASES))
