# SPDX-License-Identifier: Apache-2.0
"""Unsound rules of the prover's terms, planted one by one: the checker finds a term that is not what a line says."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from limbtrace.rtl_bridge.check_proof.clauses import Question
from limbtrace.rtl_bridge.check_proof.design import term, value
from limbtrace.rtl_bridge.check_proof.logic import BitWord, Logic
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, cone
from limbtrace.rtl_bridge.proof.proof_log import _own
from limbtrace.rtl_bridge.proof.refutations import refutation
from tests.rtl_bridge.proof.rules.operands import Operands
from tests.rtl_bridge.proof.rules.planted import PLANTED, Planted
from tests.rtl_bridge.proof.rules.planted import RULES as OF_RULES
from tests.rtl_bridge.proof.rules.recorded import Call, RecordingPool
from tests.rtl_bridge.proof.rules.table import RULES
from tests.rtl_bridge.proof.test_rules import _call

Words = Mapping[BitTerm, BitWord]
WIDTHS = (1, 2, 3)
_LINES = {"bvnot": "not", "bvand": "and", "bvor": "or", "bvxor": "xor", "ite": "ite", "add": "add", "sub": "sub",
          "mul": "mul", "equal": "eq", "bvult": "ult", "bvslt": "slt", "any_bit": "redor",
          "parity": "redxor"}  # fmt: skip
"""Methods of the pool, and lines of a design that are made by them."""
KNOWN = {
    "the bound of a choice is that of one side",
    "zeros at the end of a sum in spite of its constant",
    "a product with the bound of a sum",
    "a remainder by a constant that may be it",
    "a bound that is not looked at",
    "a bounded sum that may be negative",
}
"""Rules that say something wrong of a term, its bound or its known bits, of which no other term is made here."""


def _line(logic: Logic, call: Call, words: Words) -> BitWord | None:
    """The word that a call is to make, as a line of a design says it; None if no line is made by it alone."""
    given: list[Any] = [words[each] if isinstance(each, BitTerm) else each for each in call.arguments]
    method, first = call.method, tuple(given[0]) if isinstance(given[0], tuple) else ()
    width = call.result.width if isinstance(call.result, BitTerm) else 0
    if method in _LINES:
        known: dict[int, BitWord] = dict(enumerate(given, start=1))
        return value(logic, (_LINES[method], width, tuple(known)), known, ())
    if method == "shifted":
        operation, x, by = given
        size = max(len(x), len(by))
        wide = [(word + (word[-1] if operation == "sra" and word is x else -1,) * size)[:size] for word in (x, by)]
        return value(logic, (operation, size, (1, 2)), dict(enumerate(wide, start=1)), ())[: len(x)]
    if method == "extract":
        cut: BitWord = first[given[2] : given[1] + 1]
        return cut
    if method == "extend":
        sign = first[-1] if call.named.get("signed") else -1
        extended: BitWord = (first + (sign,) * given[1])[: given[1]]
        return extended
    if method == "concat":
        return tuple(bit for part in reversed(given[0]) for bit in words[part])
    if method == "product":
        return logic.product(given[0], given[1], width)
    if method == "sum":
        terms, plus, size = given
        return logic.sum_of([(words[each], factor) for each, factor in terms.items()], plus, size)
    if method in ("bvudiv", "bvurem"):
        return logic.division(given[0], given[1], rest=method == "bvurem")
    return None


def _words(logic: Logic, calls: list[Call]) -> dict[BitTerm, BitWord]:
    """All terms, made as the checker makes them from what the log says."""
    made: dict[BitTerm, BitWord] = {}
    for each in cone(dict.fromkeys(found for call in calls for found in call.terms)):
        if each.operation == "var":
            made[each] = logic.variable(str(each.detail), each.width, each.most)
            continue
        own: list[Any] = [*_own(each)]
        numbers: list[int] = []
        if each.operation == "const":
            numbers = [int(own[0], 16)]
        elif each.operation == "slice":
            numbers = own[-2:]
        elif each.operation in ("sum", "wrap"):
            numbers = [own[0], *(int(pair.split(":")[1]) for pair in own[1:])]
        made[each] = term(logic, each.operation, each.width, [made[x] for x in each.operands], numbers)
    return made


def _broken(width: int, method: str) -> Iterator[str]:
    """Calls of rules whose terms are not what the lines say. Shapes that take something for granted are left out."""
    for shapes in dict.fromkeys(rule.shapes for rule in RULES if width in rule.widths and rule.method == method):
        pool, logic = RecordingPool(), Logic()
        try:
            _call(shapes, Operands(pool, width))
        except (AssertionError, IndexError, RecursionError):
            continue
        if pool.assumed:
            continue
        try:
            words = _words(logic, pool.calls)
        except ValueError as error:
            yield str(error)
            continue
        for call in pool.calls:
            wanted = _line(logic, call, words) if isinstance(call.result, BitTerm) else None
            if wanted is None:
                continue
            made = words[call.result]
            if len(made) != len(wanted) or (made != wanted and _differ(logic, made, wanted)):
                yield str(call)


def _differ(logic: Logic, x: BitWord, y: BitWord) -> bool:
    answer = refutation(Question(logic, x, y, {}, 0).clauses)
    assert answer is not False
    return answer is True


PLANTED_RULES = [planted for planted in PLANTED if planted.trial == OF_RULES and planted.title not in KNOWN]


def _method(planted: Planted) -> str:
    return planted.function.rpartition(".")[2].replace("_carried", "added_up")


@pytest.mark.budget(8)
@pytest.mark.parametrize("planted", PLANTED_RULES, ids=lambda planted: planted.title)
def test_an_unsound_rule_is_found(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.plant(monkeypatch)
    assert any(next(_broken(width, _method(planted)), None) for width in WIDTHS)


def test_most_rules_are_planted() -> None:
    assert len(PLANTED_RULES) >= 30
    assert {planted.title for planted in PLANTED} >= KNOWN


@pytest.mark.budget(8)
@pytest.mark.parametrize("method", sorted({_method(planted) for planted in PLANTED_RULES}))
def test_no_rule_is_found_as_it_is(method: str) -> None:
    assert [*_broken(2, method)] == []
