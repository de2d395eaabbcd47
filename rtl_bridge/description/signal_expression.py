# SPDX-License-Identifier: Apache-2.0
"""Expressions over the signals of a core, in the language of `refmodels.expressions`, and what they are in Verilog.

A value is a whole number, never cut: all arithmetic is signed, with as many bits as the widest intermediate value.
`when` takes a comparison of two values, or a value of 0 or 1.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from limbtrace.refmodels.expressions import Expression, ExpressionError
from limbtrace.rtl_bridge.description.formula import MAX_LENGTH, FormulaError

MOST_BITS = 1 << 13
"""Widest value, in bits."""
_PART = r"[A-Za-z_][A-Za-z0-9_$]*(?:\[[0-9]+\])?"
_SIGNAL = re.compile(rf"(?<![\w$.]){_PART}(?:\.{_PART})*")
_WORDS = frozenset({"mod", "max", "min"})
_HOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_RELATION = re.compile(r"(==|!=|<=|>=|(?<!<)<(?!<)|(?<!>)>(?!>))")


def is_expression(text: str) -> bool:
    """True for what is more than the name of a signal."""
    return _SIGNAL.fullmatch(text) is None


def signals_in(text: str) -> tuple[str, ...]:
    """The signals in a name or an expression."""
    return SignalExpression.parse(text, compared=True).names if is_expression(text) else (text,)


class _Term(NamedTuple):
    """A value: the least and the greatest that it can be, and its Verilog."""

    low: int
    high: int
    text: str

    @property
    def bits(self) -> int:
        return max(self.low.bit_length(), self.high.bit_length()) + 1


@dataclass(frozen=True)
class SignalExpression:
    """An expression, or a comparison of two of them."""

    text: str
    sides: tuple[Expression, ...]
    relation: str
    """Empty without a comparison."""
    signals: Mapping[str, str]
    """Signals by the name that stands for them in `sides`."""

    @classmethod
    def parse(cls, text: str, *, compared: bool) -> "SignalExpression":
        """`compared`: a comparison is allowed. Raises FormulaError."""
        parts = _RELATION.split(text)
        if len(parts) > (3 if compared else 1):
            most = "one comparison such as 'state == 3'" if compared else "no comparison"
            raise FormulaError(f"is {text[:MAX_LENGTH]!r}, and takes {most}")
        names: dict[str, str] = {}

        def named(found: re.Match[str]) -> str:
            return found[0] if found[0] in _WORDS else names.setdefault(found[0], f"s{len(names)}")

        try:
            sides = tuple(Expression.parse(_SIGNAL.sub(named, part), MAX_LENGTH) for part in parts[::2])
        except ExpressionError as error:
            raise FormulaError(f"is {text[:MAX_LENGTH]!r}: {error}") from None
        if not names:
            raise FormulaError(f"is {text[:MAX_LENGTH]!r}, which names no signal")
        return cls(text, sides, "".join(parts[1:2]), {short: signal for signal, short in names.items()})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The signals in it."""
        return tuple(self.signals.values())

    def width(self, widths: Mapping[str, int]) -> int:
        """Bits of the value, given those of the signals. Raises FormulaError."""
        if self.relation:
            return 1
        (term,) = self._terms(widths, str, 0)
        if term.low < 0:
            raise FormulaError(f"is {self.text!r}, which may be negative")
        return max(term.high.bit_length(), 1)

    def check(self, widths: Mapping[str, int]) -> None:
        """Raises FormulaError without a value for all signals, and for a comparison that never or always holds."""
        self.width(widths)
        if not self.relation:
            return
        left, right = self._terms(widths, str, 0)
        corners = [(left.low, right.high), (left.high, right.low)]
        if self.relation in ("==", "!="):
            is_apart = left.high < right.low or right.high < left.low
            word = {"==": "never", "!=": "always"}[self.relation] if is_apart else ""
        else:  # one corner is the best case of the relation, the other one the worst
            held = {_HOLDS[self.relation](*corner) for corner in corners}
            word = "" if len(held) == 2 else "always" if True in held else "never"
        if word:
            sizes = ", ".join(f"{name} of {widths[name]} bits" for name in self.names)
            raise FormulaError(f"is {self.text!r}, which {word} holds with {sizes}")

    def verilog(self, widths: Mapping[str, int], net: Callable[[str], str]) -> str:
        """The value in Verilog, with as many bits as `width` says; `net` gives the name of a signal there."""
        bits = self._bits(widths)
        texts = [term.text for term in self._terms(widths, net, bits)]
        if self.relation:
            return f"({texts[0]} {self.relation} {texts[1]})"
        return f"{self.width(widths)}'({texts[0]})"

    def _bits(self, widths: Mapping[str, int]) -> int:
        """Width of all arithmetic, in bits."""
        widest = 1
        for side in self.sides:
            algebra = _Algebra(self.signals, widths, str, 0)
            side.interpreted(algebra)
            widest = max(widest, algebra.widest)
        return widest

    def _terms(self, widths: Mapping[str, int], net: Callable[[str], str], bits: int) -> list[_Term]:
        try:
            return [side.interpreted(_Algebra(self.signals, widths, net, bits)) for side in self.sides]
        except ExpressionError as error:
            raise FormulaError(f"is {self.text!r}: {error}") from None


class _Algebra:
    """Ranges and Verilog of the parts of an expression. Raises ExpressionError without a value."""

    def __init__(
        self, signals: Mapping[str, str], widths: Mapping[str, int], net: Callable[[str], str], bits: int
    ) -> None:
        self._signals, self._widths, self._net, self._bits = signals, widths, net, bits
        self.widest = 1

    def _term(self, low: int, high: int, text: str) -> _Term:
        term = _Term(low, high, text)
        if term.bits > MOST_BITS:
            raise ExpressionError(f"a value in it may be wider than the limit of {MOST_BITS} bits")
        self.widest = max(self.widest, term.bits)
        return term

    def integer(self, value: int) -> _Term:
        return self._term(value, value, f"{self._bits}'sd{value}" if value >= 0 else f"(-{self._bits}'sd{-value})")

    def name(self, name: str) -> _Term:
        signal = self._signals[name]
        width = self._widths[signal]
        above = max(self._bits - width, 1)
        return self._term(0, (1 << width) - 1, f"$signed({{{above}'d0, {self._net(signal)}}})")

    def negated(self, term: _Term) -> _Term:
        return self._term(-term.high, -term.low, f"(-{term.text})")

    def power(self, base: _Term, exponent: _Term) -> _Term:
        if base.low != base.high or exponent.low != exponent.high or exponent.low < 0:
            raise ExpressionError("a power takes numbers that are not negative, and no signals")
        if base.bits * exponent.low > 2 * MOST_BITS:
            raise ExpressionError(f"a value in it may be wider than the limit of {MOST_BITS} bits")
        return self.integer(base.low**exponent.low)

    def call(self, function: str, terms: list[_Term]) -> _Term:
        choose = max if function == "max" else min
        found = terms[0]
        for term in terms[1:]:
            relation = ">" if function == "max" else "<"
            text = f"({found.text} {relation} {term.text} ? {found.text} : {term.text})"
            found = self._term(choose(found.low, term.low), choose(found.high, term.high), text)
        return found

    def binary(self, sign: str, left: _Term, right: _Term) -> _Term:
        if sign in ("//", "%", "mod"):
            return self._division(sign, left, right)
        if sign in ("<<", ">>"):
            return self._shift(sign, left, right)
        ends = {
            "+": (left.low + right.low, left.high + right.high),
            "-": (left.low - right.high, left.high - right.low),
        }
        products = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
        low, high = ends.get(sign, (min(products), max(products)))
        return self._term(low, high, f"({left.text} {sign} {right.text})")

    def _division(self, sign: str, left: _Term, right: _Term) -> _Term:
        if left.low < 0 or right.low < 1:
            raise ExpressionError("a division takes a value that is never negative, and one that is never 0")
        if sign == "//":
            return self._term(left.low // right.high, left.high // right.low, f"({left.text} / {right.text})")
        return self._term(0, min(left.high, right.high - 1), f"({left.text} % {right.text})")

    def _shift(self, sign: str, left: _Term, right: _Term) -> _Term:
        if right.low < 0 or (sign == "<<" and right.high > MOST_BITS):
            raise ExpressionError(f"a value is shifted by a number that may be negative, or above {MOST_BITS}")
        ends = [
            value << by if sign == "<<" else value >> by
            for value in (left.low, left.high)
            for by in (right.low, right.high)
        ]
        return self._term(min(ends), max(ends), f"({left.text} {'<<<' if sign == '<<' else '>>>'} {right.text})")
