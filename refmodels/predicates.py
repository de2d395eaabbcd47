# SPDX-License-Identifier: Apache-2.0
"""Conditions on a product whose operands are not known: what claims and events say, as terms that are 0 or 1.

Conditions of events and claims are written for integers. Here they are judged on a product whose steps are terms
(`refmodels.program`): a comparison is a term, too, and where a claim branches on one, both ways are followed. The
result is 1 for exactly the operands for which the condition holds.
"""

from collections.abc import Callable
from typing import Any

from limbtrace.refmodels.event import Event, Index
from limbtrace.refmodels.expr import Term, ends, field, whole
from limbtrace.refmodels.model import Claim, Model, Parameters, Run
from limbtrace.refmodels.program import Program, of_model

MOST_PATHS = 64
"""Ways through a condition that are followed."""


class SymbolicValue:
    """An int or a term in a condition: a comparison gives 0 or 1 as a value, and a branch on it goes both ways."""

    __slots__ = ("of", "paths")
    __array_ufunc__ = None
    __hash__ = object.__hash__

    def __init__(self, of: Any, paths: "Paths") -> None:
        self.of, self.paths = of, paths

    def _with(self, of: Any) -> "SymbolicValue":
        return SymbolicValue(of, self.paths)

    def __add__(self, other: Any) -> "SymbolicValue":
        return self._with(self.of + _plain(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> "SymbolicValue":
        return self._with(self.of - _plain(other))

    def __rsub__(self, other: Any) -> "SymbolicValue":
        return self._with(_plain(other) - self.of)

    def __mul__(self, other: Any) -> "SymbolicValue":
        return self._with(self.of * _plain(other))

    __rmul__ = __mul__

    def __and__(self, other: Any) -> "SymbolicValue":
        return self._with(self.of & _plain(other))

    __rand__ = __and__

    def __or__(self, other: Any) -> "SymbolicValue":
        return self._with(self.of | _plain(other))

    __ror__ = __or__

    def __xor__(self, other: Any) -> "SymbolicValue":
        return self._with(self.of ^ _plain(other))

    __rxor__ = __xor__

    def __neg__(self) -> "SymbolicValue":
        return self._with(0 - self.of)

    def __lshift__(self, bits: int) -> "SymbolicValue":
        return self._with(self.of << bits)

    def __rshift__(self, bits: int) -> "SymbolicValue":
        return self._with(self.of >> bits)

    def __floordiv__(self, divisor: Any) -> "SymbolicValue":
        raised, times = _raised(self.of, _plain(divisor))
        return self._with(raised // _plain(divisor) - times)

    def __rfloordiv__(self, dividend: int) -> "SymbolicValue":
        return self._with(whole(dividend) // _not_zero(self.of))

    def __mod__(self, divisor: Any) -> "SymbolicValue":
        return self._with(_raised(self.of, _plain(divisor))[0] % _plain(divisor))

    def __eq__(self, other: object) -> Any:
        return self._with(equal(self.of, _plain(other)))

    def __ne__(self, other: object) -> Any:
        return self._with(1 - equal(self.of, _plain(other)))

    def __lt__(self, other: Any) -> "SymbolicValue":
        return self._with(below(self.of, _plain(other)))

    def __le__(self, other: Any) -> "SymbolicValue":
        return self._with(1 - below(_plain(other), self.of))

    def __gt__(self, other: Any) -> "SymbolicValue":
        return self._with(below(_plain(other), self.of))

    def __ge__(self, other: Any) -> "SymbolicValue":
        return self._with(1 - below(self.of, _plain(other)))

    def __bool__(self) -> bool:
        return self.paths.taken(self.of)

    def __index__(self) -> int:
        if isinstance(self.of, Term):
            raise TypeError("a condition takes a value as an int, which no term is")
        return int(self.of)

    __int__ = __index__


def _plain(value: Any) -> Any:
    """The int or term of an operand."""
    return value.of if isinstance(value, SymbolicValue) else whole(value)


def _raised(dividend: Any, divisor: Any) -> tuple[Any, int]:
    """A dividend plus as many times the divisor as make it not negative, and how many these are."""
    least = ends(dividend)[0]
    times = 0 if least >= 0 or isinstance(divisor, Term) else -(least // divisor)
    return dividend + times * divisor, times


def _not_zero(divisor: Any) -> Any:
    """A divisor with 1 in place of 0, by which a path that excludes 0 divides."""
    least, most = ends(divisor)
    return Term("|", (divisor, equal(divisor, 0)), 1, most) if least == 0 < most else divisor


def below(x: Any, y: Any) -> Any:
    """x < y as an int or a term, 0 or 1: the sign of the difference."""
    difference = x - y
    least, most = ends(difference)
    if most < 0 or least >= 0:
        return int(most < 0)
    return 0 - (difference >> max(most.bit_length(), (~least).bit_length()))


def equal(x: Any, y: Any) -> Any:
    """x == y as an int or a term, 0 or 1."""
    difference = 0 if x is y else x - y
    least, most = ends(difference)
    if most < 0 or least > 0 or least == most:
        return int(least == most == 0)
    if least == 0:
        return below(difference, 1)
    either = difference | (0 - difference)  # negative unless both are 0
    least, most = ends(either)
    return (either >> max(most.bit_length(), (~least).bit_length())) + 1


class Paths:
    """The ways through a condition that branches on values."""

    def __init__(self) -> None:
        self._planned: list[bool] = []
        self._taken: list[tuple[Any, bool]] = []

    def taken(self, value: Any) -> bool:
        """The outcome of the condition in this run, at a branch on a value."""
        holds = 1 - equal(value, 0)
        if isinstance(holds, int):
            return bool(holds)
        at = len(self._taken)
        way = self._planned[at] if at < len(self._planned) else True
        self._taken.append((holds, way))
        return way

    def judged(self, condition: Callable[[], Any]) -> Any:
        """The condition as an int or a term, 0 or 1. Raises TypeError if no term expresses it."""
        total: Any = 0
        self._planned = []
        for _ in range(MOST_PATHS):
            self._taken = []
            try:
                found = 1 - equal(_plain(condition()), 0)
            except AttributeError as error:  # a condition on ints or columns alone
                raise TypeError(str(error)) from None
            for holds, way in self._taken:
                found = found & (holds if way else 1 - holds)
            total = total | found
            ways = [way for _, way in self._taken]
            while ways and not ways[-1]:
                ways.pop()
            if not ways:
                return total
            self._planned = [*ways[:-1], False]
        raise TypeError(f"a condition has more than {MOST_PATHS} ways through it")


class SymbolicRun:
    """All products of a model at parameters as one run, in which every value is a term of the operands."""

    def __init__(self, model: Model[Any], params: Parameters) -> None:
        """Raises TypeError for a loop that branches on operands."""
        self.model, self.params = model, params
        self.program: Program = of_model(model, params)
        self._paths = Paths()
        a, b = (self._operand(name) for name in ("a0", "b0"))
        steps = tuple((name, index, self._value(value)) for name, index, value in self.program.steps)
        run: Any = Run(params, a, b, steps, self._value(self.program.results[0]))
        self._run = run

    def _value(self, of: Any) -> Any:
        return SymbolicValue(of, self._paths)

    def _operand(self, name: str) -> Any:
        most = self.program.operands.get(name, 0)
        return self._value(field(name, 0, max(most.bit_length(), 1), most))

    @property
    def accepted(self) -> Any:
        """True if the model takes these operands, beside their ranges: 0, 1 or a term."""
        largest_b, run = self.model.largest_b, self._run
        return 1 if largest_b is None else self._paths.judged(lambda: run.b <= largest_b(self.params, run.a))

    def happens(self, event: Event[Any], index: Index) -> Any:
        """True if an event happens at an index: 0, 1 or a term. Raises TypeError if no term expresses it."""
        return self._paths.judged(lambda: event.happens(self._run, index))

    def broken(self, claim: Claim[Any]) -> Any:
        """True if a claim fails somewhere in the run: 0, 1 or a term. Raises TypeError if no term expresses it."""
        run, total = self._run, 0
        if claim.step is None:
            return 1 - self._paths.judged(lambda: claim.holds(run, (), run.result))
        for name, index, value in run.steps:
            if name == claim.step:
                total = total | (1 - self._judged_claim(claim, index, value))
        return total

    def _judged_claim(self, claim: Claim[Any], index: Index, value: Any) -> Any:
        return self._paths.judged(lambda: claim.holds(self._run, index, value))

    def differing(self) -> Any:
        """True if the result is not what the closed form says: 0, 1 or a term. Raises TypeError as `broken` does."""
        run = self._run
        return self._paths.judged(lambda: self.model.closed_form(self.params, run.a, run.b) != run.result)
