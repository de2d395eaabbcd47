# SPDX-License-Identifier: Apache-2.0
"""A pool that notes what each call of a rule, nested ones too, says; and the question whether all of that holds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from limbtrace.rtl_bridge.proof import smt
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool, cone
from tests.rtl_bridge.proof.rules import plain

BATCH = 25
"""Equalities in one question to a solver: many are faster together, and hundreds are slower."""
_ITERABLES = {"concat", "_added"}
"""Methods that take an iterable, which may be read once."""
_ASSUMING = {"bounded", "exact"}
"""Methods that are told what a value is at most."""


@dataclass(frozen=True)
class Call:
    """A call of a method of the pool, with what it was given and what it returned."""

    method: str
    arguments: tuple[Any, ...]
    named: Mapping[str, Any]
    result: Any

    def equality(self) -> plain.Equality | None:
        return plain.equality(self.method, self.arguments, self.named, self.result)

    @property
    def terms(self) -> Iterator[BitTerm]:
        """The terms that are mentioned."""
        return _terms((self.arguments, self.result))

    def __str__(self) -> str:
        given = ", ".join(map(str, (*self.arguments, *(f"{name}={value}" for name, value in self.named.items()))))
        return f"{self.method}({given}) = {self.result}"


class RecordingPool(TermPool):
    """A pool whose calls are noted, each as often as it differs in text from all others."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Call] = []
        self.assumed: list[tuple[str, tuple[BitTerm, ...]]] = []
        """What the calls from outside take for granted, with the terms that it is about."""
        self._depth = 0

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if name not in plain.OPERATIONS and name not in plain.SUMS:
            return found
        return lambda *arguments, **named: self._called(name, found, arguments, named)

    def _called(self, method: str, rule: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        if method in _ITERABLES:
            arguments = (list(arguments[0]), *arguments[1:])
        before = tuple(dict(each) if isinstance(each, Mapping) else each for each in arguments)
        if method in _ASSUMING:
            self._assume(method, before)
        self._depth += 1
        try:
            result = rule(*arguments, **named)
        finally:
            self._depth -= 1
        self.calls.append(Call(method, before, named, result))
        return result

    def _assume(self, method: str, arguments: Sequence[Any]) -> None:
        """Take a bound for granted where it comes from outside; where a rule says it, it is to be shown."""
        bounded = ({arguments[0]: 1}, 0, arguments[1]) if method == "bounded" else arguments
        said = plain.in_range(*bounded)
        if not self._depth:
            self.assumed.append((said, tuple(bounded[0])))
        else:
            self.calls.append(_Said(said, tuple(bounded[0])))


class _Said(Call):
    """A truth value that is to hold, about terms."""

    def __init__(self, text: str, terms: tuple[BitTerm, ...]) -> None:
        super().__init__(text, terms, {}, None)

    def equality(self) -> plain.Equality:
        return self.method, "true"


class Question:
    """Whether all that the calls of a pool say holds for all values of the variables that fulfil the assumptions."""

    def __init__(self, pool: RecordingPool) -> None:
        self._assumed = [_Said(each, terms) for each, terms in pool.assumed]
        self.equalities: dict[plain.Equality, tuple[str, list[BitTerm]]] = {}
        """What says so, and the terms that are mentioned."""
        calls = list(pool.calls)
        for call in calls:
            self._add(call.equality(), str(call), list(call.terms))
        for term in cone(dict.fromkeys(term for call in calls for term in call.terms)):
            self._about(term)

    def _about(self, term: BitTerm) -> None:
        """What a term says of its own value, and what `smt.text` makes of it."""
        for equality in plain.known(term):
            self._add(equality, f"what is known of {term}", [term])
        if term.operands:
            names = {each: plain.name(each) for each in (term, *term.operands)}
            written = smt._expression(term, names, products=True)
            self._add((plain.definition(term), written), f"smt.text of {term}", [term])

    def _add(self, equality: plain.Equality | None, said_by: str, terms: list[BitTerm]) -> None:
        if equality is not None and equality[0] != equality[1]:
            self.equalities.setdefault(equality, (said_by, terms))

    def text(self, equalities: Sequence[plain.Equality]) -> str:
        """The question whether one of some equalities does not hold."""
        mentioned = [term for each in equalities for term in self.equalities[each][1]]
        mentioned += [term for said in self._assumed for term in said.terms]
        lines = [line for term in cone(dict.fromkeys(mentioned)) for line in plain.declaration(term)]
        lines += [f"(assert {said.method})" for said in self._assumed]
        differ = "\n".join(f"(distinct {one} {other})" for one, other in equalities)
        return "\n".join(["(set-logic QF_BV)", *lines, f"(assert (or false {differ}))", "(check-sat)\n"])

    def broken(self, differs: Callable[[str], bool]) -> str:
        """What does not hold, by a solver that says whether a text can be fulfilled; empty if all of it holds."""
        everything = list(self.equalities)
        for start in range(0, len(everything), BATCH):
            left = everything[start : start + BATCH]
            if differs(self.text(left)):
                while len(left) > 1:
                    half = left[: len(left) // 2]
                    left = half if differs(self.text(half)) else left[len(half) :]
                return self.equalities[left[0]][0]
        return ""


def _terms(value: Any) -> Iterator[BitTerm]:
    if isinstance(value, BitTerm):
        yield value
    elif isinstance(value, Mapping):
        yield from _terms(tuple(value))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _terms(each)
