# SPDX-License-Identifier: Apache-2.0
"""Mutants of a recorded loop: each has one change, and its results are those of the program with that change."""

from collections import Counter

import pytest

from limbtrace.refmodels.expr import value_of
from limbtrace.refmodels.loop_mutants import Mutant, MutantKind, MutatedRuns, mutants
from limbtrace.refmodels.program import Program, of_model
from limbtrace.vectors.operands import operands
from limbtrace.vectors.request import Multiplier, VectorRequest

SHAPES = [("cios", {"radix": "2^8"}), ("iddmm2", {"radix": "2^8"}), ("montgomery", {}), ("square", {}), ("r2mm", {})]


def program_of(model: str, settings: dict[str, str]) -> tuple[Multiplier, Program]:
    m = Multiplier.resolve(model, 0xFFF1, settings)
    return m, of_model(m.model, m.params)


def result_of(program: Program, mutant: Mutant | None, given: dict[str, int]) -> int:
    """The result, computed operation by operation."""
    values: dict[int, int] = {}

    def known(value: object) -> int:
        return value if isinstance(value, int) else values[id(value)]

    for place, term in enumerate(program.terms):
        changed = mutant is not None and mutant.place == place
        value = value_of(mutant.term if changed and mutant else term, known, given)
        if changed and mutant and mutant.bits is not None:
            value &= (1 << mutant.bits) - 1
            if mutant.term.signed and value >> mutant.bits - 1:
                value -= 1 << mutant.bits
        values[id(term)] = value
    return known(program.results[0])


@pytest.mark.parametrize(("model", "settings"), SHAPES, ids=lambda value: str(value))
def test_results_are_those_of_the_changed_program(model: str, settings: dict[str, str]) -> None:
    m, program = program_of(model, settings)
    pairs = [(int(a), int(b)) for a, b, _ in operands(VectorRequest.resolve(m, 6, 1, "mixed"))]
    columns = {"a0": [a for a, _ in pairs], "b0": [b for _, b in pairs]}
    given = {name: columns[name] for name in program.operands}
    runs = MutatedRuns(program)
    values = runs.values(given)
    assert runs.results(values) == [m.model.result(m.params, a, b) for a, b in pairs]
    every = list(mutants(program))
    for mutant in every[:: max(len(every) // 300, 1)]:
        changed = {number: result for number, result in runs.changed(mutant, given, values, 6) if result is not None}
        for number in range(len(pairs)):
            mine = result_of(program, mutant, {name: column[number] for name, column in given.items()})
            assert changed.get(number, runs.results(values)[number]) == mine, (mutant.label, number)


def test_no_more_products_than_asked_for() -> None:
    _, program = program_of("cios", {"radix": "2^8"})
    given = {"a0": [*range(1, 30)], "b0": [*range(1, 30)]}
    runs = MutatedRuns(program)
    values = runs.values(given)
    first = next(mutants(program))
    assert len(list(runs.changed(first, given, values, 5))) == 5
    assert len(list(runs.changed(first, given, values, 40))) > 5


def test_kinds_of_changes() -> None:
    _, program = program_of("cios", {"radix": "2^8"})
    every = list(mutants(program))
    assert {mutant.kind for mutant in every} == {*MutantKind}
    assert len({mutant.label for mutant in every if mutant.kind is MutantKind.RANGE}) > 10
    registers = {id(value) for _, _, value in program.steps}
    for place, term in enumerate(program.terms):
        kinds = Counter(mutant.kind for mutant in every if mutant.place == place)
        assert kinds[MutantKind.RANGE] == (id(term) in registers and term.bits > 1)
        assert kinds[MutantKind.OPERATOR] == (term.operation in ["+", "-", "*", "&", "|", "^"])
        if term.operation in ("<<", ">>"):
            assert kinds[MutantKind.SHIFT] == 2
        constants = sum(isinstance(value, int) for value in term.operands)
        if term.operation in ("+", "-", "*"):
            assert kinds[MutantKind.CONSTANT] == 2 * constants
        if term.operation in ("&", "|", "^"):
            assert kinds[MutantKind.MASK] == 2 * constants


def test_steps_that_need_an_operation_first() -> None:
    _, program = program_of("cios", {"radix": "2^8"})
    names = {name for name, _, _ in program.steps}
    every = list(mutants(program))
    assert {mutant.symbol for mutant in every} <= {*names, "result"}
    by_label = {f"{name}[{','.join(map(str, index))}]" for name, index, _ in program.steps if index}
    assert all(mutant.step in by_label | names | {"result"} for mutant in every)
