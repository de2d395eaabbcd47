# SPDX-License-Identifier: Apache-2.0
"""Questions as clauses: they can be fulfilled just where words differ; a refutation that was altered does not hold."""

from itertools import product

import pytest

from limbtrace.rtl_bridge.check_proof.clauses import Question, refuted
from limbtrace.rtl_bridge.check_proof.files import Refutations
from limbtrace.rtl_bridge.check_proof.logic import BitWord, Logic
from limbtrace.rtl_bridge.proof.refutations import lines, refutation
from tests.rtl_bridge.check_proof.values import value_of, words


def _differ(logic: Logic, x: BitWord, y: BitWord) -> bool:
    """True if two words differ for some values of the variables."""
    bounds = {logic.nodes[top][1]: most for top, (_, most) in logic.groups.items() if logic.nodes[top][0] == "var"}
    valuations = (dict(zip(bounds, each, strict=True)) for each in product(*(range(m + 1) for m in bounds.values())))
    return any(value_of(logic, x, values) != value_of(logic, y, values) for values in valuations)


@pytest.mark.parametrize("seed", range(12))
def test_questions_say_whether_words_differ(seed: int) -> None:
    logic, made, _ = words(seed, count=14, widest=2)
    compared = 0
    for (x, _), (y, _) in zip(made, made[1:] + made[:1], strict=True):
        width = min(len(x), len(y))
        answer = refutation(Question(logic, x[:width], y[:width], {}, 0).clauses)
        assert (answer is True) == _differ(logic, x[:width], y[:width])
        assert answer is True or refuted(Question(logic, x[:width], y[:width], {}, 0).clauses, answer or [])
        compared += 1
    assert compared > 10


def _distributed() -> Question:
    """x * (y + z) and x * y + x * z, which are equal by clauses alone."""
    logic = Logic()
    x, y, z = (logic.variable(name, 2, 3) for name in "xyz")
    one = logic.product(x, logic.sum_of([(y, 1), (z, 1)], 0, 2), 2)
    other = logic.sum_of([(logic.product(x, y, 2), 1), (logic.product(x, z, 2), 1)], 0, 2)
    assert one != other
    return Question(logic, one, other, {}, 0)


def test_altered_refutations_do_not_hold() -> None:
    clauses = _distributed().clauses
    steps = refutation(clauses)
    assert isinstance(steps, list)
    assert refuted(clauses, steps)
    assert not refuted(clauses, steps[:-1])
    for number, (clause, hints) in enumerate(steps):
        for altered in ((clause, hints[:-1]), (clause, (*hints[:-1], len(clauses) + len(steps))), ((), hints)):
            if altered != (clause, hints):
                assert not refuted(clauses, [*steps[:number], altered, *steps[number + 1 :]])


def test_a_clause_that_does_not_follow_is_refused() -> None:
    clauses = [(1,), (2, 3), (-2, 3)]
    assert not refuted(clauses, [((-3,), (1, 2)), ((), (3, 1))])
    assert refuted([*clauses, (-3,)], [((2,), (3, 1)), ((), (3, 4, 2))])


def test_a_fact_is_what_makes_words_equal() -> None:
    logic = Logic()
    x, y = logic.variable("x", 2, 3), logic.variable("y", 2, 3)
    facts = {bit: [pair] for bit, pair in zip(x, zip(x, y, strict=True), strict=True)}
    assert refutation(Question(logic, x, y, facts, 0).clauses) is True
    assert isinstance(refutation(Question(logic, x, y, facts, 1).clauses), list)


def test_a_refutation_answers_the_same_question_alone() -> None:
    question = _distributed()
    steps = refutation(question.clauses)
    assert isinstance(steps, list)
    kept = [f"Q 1 0 0 {len(steps)}", *lines(steps), "Q 2 0 0 0", "Q 3 0 0 0", "X 4"]
    refutations = Refutations(kept)
    assert refutations.answer(1, lambda depth: question)
    assert refutations.answer(2, lambda depth: _distributed())
    logic = Logic()
    x, y = logic.variable("x", 2, 3), logic.variable("y", 2, 3)
    with pytest.raises(ValueError, match="is about another question"):
        refutations.answer(3, lambda depth: Question(logic, x, y, {}, 0))
    assert not refutations.answer(4, lambda depth: question)
