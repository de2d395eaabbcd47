# SPDX-License-Identifier: Apache-2.0
"""Narrower ranges of the terms of a program, which follow from how its values depend on each other.

Interval arithmetic forgets that: of (a1+a2)(b1+b2) - a1b1 - a2b2 it knows no sign, nor of a remainder after a division
by an estimate. Here each term is a polynomial with integer coefficients as well. Its unknowns are the values that no
sum or product makes: fields of operands, x >> n, and the low bits of x. The range of a polynomial is the sum of the
ranges of its monomials, before and after each of its unknowns is replaced by what defines it: x >> n is
(x - low bits) / 2^n. Where one of few values of an x >> n decides about others, each of them is looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from limbtrace.refmodels.expr import Term, ends, inputs
from limbtrace.refmodels.program import Program

MOST_MONOMIALS = 64
"""A term that has more is an unknown of its own."""
MOST_ROUNDS = 8
"""Most unknowns to replace by their definitions, one after the other."""
MOST_CASES = 4
"""Values of an x >> n that are looked at one by one."""
MOST_DEPTH = 2
"""Most definitions of unknowns through which a case is followed."""

Polynomial = dict[tuple[int, ...], int]
"""Numbers of unknowns, sorted -> the factor of their product; the constant has none."""
Range = tuple[int, int]


@dataclass(frozen=True)
class _Unknown:
    """A value with a range, and what it is equal to where that is known: a polynomial divided by 2^shift."""

    range: Range
    definition: Polynomial | None = None
    shift: int = 0
    whole: Polynomial | None = None
    """x, where the value is x >> shift."""
    term: Term | None = None


def narrowed(program: Program) -> Program:
    """A program with equal values, whose terms have ranges that are at most as wide.

    Bits that no value has are not masked, and a sum of digits of a mixed radix is compared with a constant digit by
    digit.
    """
    return _Narrowing().program(program)


class _Narrowing:
    def __init__(self) -> None:
        self._unknowns: list[_Unknown] = []
        self._low: dict[tuple[int, int], int] = {}
        """(number of a term, bits) -> the unknown that its low bits are."""
        self._made: dict[int, Any] = {}
        """Id of a term -> what takes its place."""
        self._polynomials: dict[int, Polynomial] = {}
        """A key of what takes the place of a term -> its polynomial."""
        self._kept: list[Any] = []  # keeps ids valid

    def program(self, program: Program) -> Program:
        """The program with other terms."""
        for term in program.terms:
            self._made[id(term)] = self._again(term)
            self._kept.append(term)
        return Program(
            program.operands,
            program.digits,
            tuple((name, index, self._of(value)) for name, index, value in program.steps),
            tuple(map(self._of, program.results)),
        )

    def _of(self, value: Any) -> Any:
        return value if isinstance(value, int) else self._made[id(value)]

    def _again(self, term: Term) -> Any:
        """The term on what takes the place of its inputs, with its range."""
        known = [self._of(value) for value in inputs(term)]
        low, high = _both((term.least, term.most), _interval(term, known))
        operation, operands = term.operation, _with(term, known)
        if operation == "&" and isinstance(operands[1], int) and _is_mask(operands[1]):
            least, most = ends(operands[0])
            if least >= 0 and most <= operands[1]:
                return operands[0]
        polynomial = self._polynomial(operation, operands, (low, high))
        if polynomial is not None:
            low, high = _both((low, high), self._narrowest(polynomial))
            if operation in "+-":
                low, high = _both((low, high), self._by_cases(polynomial))
        if low == high:
            return low
        made = Term(operation, operands, low, high)
        if operation == ">>" and (low, high) == (0, 1) and (digits := self._by_digits(operands)) is not None:
            made = digits
        if isinstance(made, int):
            return made
        self._kept.append(made)
        if polynomial is None:
            polynomial = self._unknown(_Unknown((low, high), term=made))
        elif operation in (">>", "&"):
            (number,) = next(iter(polynomial))
            old = self._unknowns[number]
            self._unknowns[number] = _Unknown((low, high), old.definition, old.shift, old.whole, made)
        elif self._range(polynomial) != (low, high):
            polynomial = self._unknown(_Unknown((low, high), polynomial, term=made))
        self._polynomials[id(made)] = polynomial
        return made

    def _unknown(self, unknown: _Unknown) -> Polynomial:
        self._unknowns.append(unknown)
        return {(len(self._unknowns) - 1,): 1}

    def _read(self, value: Any) -> Polynomial:
        if isinstance(value, int):
            return {(): value} if value else {}
        return self._polynomials[id(value)]

    def _polynomial(self, operation: str, operands: tuple[Any, ...], known: Range) -> Polynomial | None:
        """The polynomial of an operation; None if it has none, or if it would be too long."""
        if operation == "join":
            total: Polynomial = {}
            for value, shift in operands:
                _add(total, self._read(value), 1 << shift)
        elif operation in "+-":
            total = dict(self._read(operands[0]))
            _add(total, self._read(operands[1]), 1 if operation == "+" else -1)
        elif operation == "<<":
            total = {monomial: factor << operands[1] for monomial, factor in self._read(operands[0]).items()}
        elif operation == "*":
            one, other = map(self._read, operands)
            if len(one) * len(other) > MOST_MONOMIALS:
                return None
            total = _product(one, other)
        elif operation == ">>":
            x = self._read(operands[0])
            definition = dict(x)
            _add(definition, self._low_bits(*operands), -1)
            return self._unknown(_Unknown(known, definition, operands[1], x))
        elif operation == "&" and isinstance(operands[1], int) and _is_mask(operands[1]):
            return self._low_bits(operands[0], operands[1].bit_length())
        else:
            return None
        return total if len(total) <= MOST_MONOMIALS else None

    def _low_bits(self, value: Term, bits: int) -> Polynomial:
        key = id(value), bits
        if key not in self._low:
            self._low[key] = len(self._unknowns)
            self._unknowns.append(_Unknown((0, (1 << bits) - 1)))
        return {(self._low[key],): 1}

    def _range(self, polynomial: Polynomial, of: Mapping[int, Range] | None = None, depth: int = 0) -> Range:
        """The sum of the ranges of the monomials; `of` has narrower ranges of unknowns."""
        least = most = 0
        for monomial, factor in polynomial.items():
            low = high = factor
            for number in monomial:
                below, above = self._of_unknown(number, of, depth)
                corners = (low * below, low * above, high * below, high * above)
                low, high = min(corners), max(corners)
            least, most = least + low, most + high
        return least, most

    def _of_unknown(self, number: int, of: Mapping[int, Range] | None, depth: int) -> Range:
        unknown = self._unknowns[number]
        if of is None:
            return unknown.range
        if number in of:
            return of[number]
        if depth == MOST_DEPTH or unknown.definition is None:
            return unknown.range
        if unknown.whole is not None:
            least, most = self._range(unknown.whole, of, depth + 1)
            return _both(unknown.range, (least >> unknown.shift, most >> unknown.shift))
        return _both(unknown.range, self._range(unknown.definition, of, depth + 1))

    def _narrowest(self, polynomial: Polynomial) -> Range:
        """The range of what holds of the polynomial before and after unknowns are replaced, the newest one first."""
        found, shift = self._range(polynomial), 0
        for _ in range(MOST_ROUNDS):
            defined = [n for n in set().union(*polynomial) if self._unknowns[n].definition is not None]
            if not defined:
                break
            newest = max(defined)
            unknown, total = self._unknowns[newest], Polynomial()
            assert unknown.definition is not None
            for monomial, factor in polynomial.items():
                if newest not in monomial:
                    _add(total, {monomial: factor}, 1 << unknown.shift)
                    continue
                rest = list(monomial)
                rest.remove(newest)
                if newest in rest:
                    return found
                _add(total, _product({tuple(rest): factor}, unknown.definition), 1)
            if len(total) > MOST_MONOMIALS:
                break
            polynomial, shift = total, shift + unknown.shift
            least, most = self._range(polynomial)
            found = _both(found, (-(-least >> shift), most >> shift))
        return found

    def _by_cases(self, polynomial: Polynomial) -> Range:
        """The range over the values of one of its unknowns that is an x >> n, each with what it says of x."""
        found = self._range(polynomial)
        for number in sorted(set().union(*polynomial)):
            low, high = self._unknowns[number].range
            if self._unknowns[number].whole is None or high - low >= MOST_CASES:
                continue
            cases = [self._in_case(polynomial, number, value) for value in range(low, high + 1)]
            ranges = [case for case in cases if case is not None]
            found = _both(found, (min(least for least, _ in ranges), max(most for _, most in ranges)))
        return found

    def _in_case(self, polynomial: Polynomial, number: int, value: int) -> Range | None:
        """The range when that unknown has that value; None if it never does."""
        unknown = self._unknowns[number]
        whole = unknown.whole or {}
        least, most = self._range(whole)
        least, most = max(least, value << unknown.shift), min(most, (value + 1 << unknown.shift) - 1)
        if least > most:
            return None
        left: Polynomial = {}
        for monomial, factor in polynomial.items():
            others = tuple(other for other in monomial if other != number)
            _add(left, {others: factor}, value ** (len(monomial) - len(others)))
        of = {number: (value, value)}
        found = self._range(left, of)
        for monomial, factor in whole.items():
            times, rest = divmod(left.get(monomial, 0), factor)
            if monomial and times and not rest:
                less = dict(left)
                _add(less, whole, -times)
                below, above = self._range(less, of)
                found = _both(
                    found, (below + min(times * least, times * most), above + max(times * least, times * most))
                )
        return found

    def _by_digits(self, operands: tuple[Any, ...]) -> Any:
        """A bit x >> n as the comparison of digits, if x is a number in mixed radix; otherwise None."""
        x, shift = operands
        polynomial = self._read(x)
        digits = []
        for monomial, factor in polynomial.items():
            if len(monomial) > 1 or (monomial and factor <= 0):
                return None
            if monomial:
                unknown = self._unknowns[monomial[0]]
                if unknown.term is None or unknown.range[0] < 0:
                    return None
                digits.append((factor, unknown.range[1], unknown.term))
        digits.sort(key=lambda digit: -digit[0])
        if len(digits) < 2 or all(not factor & (factor - 1) for factor, _, _ in digits):
            return None
        below = 0
        for factor, most, _ in reversed(digits):
            if factor <= below:
                return None
            below += factor * most
        return _at_least(digits, (1 << shift) - polynomial.get((), 0))


def _at_least(digits: list[tuple[int, int, Term]], limit: int) -> Any:
    """A bit: the sum of digits times their weights is at least a limit."""
    if limit <= 0:
        return 1
    if not digits:
        return 0
    (weight, most, digit), *lower = digits
    count, rest = divmod(limit, weight)
    above = _compared(digit, most, count + 1)
    return above | (_compared(digit, most, count) & _at_least(lower, rest))


def _compared(digit: Term, most: int, limit: int) -> Any:
    """A bit: a digit is at least a limit."""
    if limit <= 0:
        return 1
    if limit > most:
        return 0
    bits = most.bit_length()
    return (digit + ((1 << bits) - limit)) >> bits


def _with(term: Term, known: list[Any]) -> tuple[Any, ...]:
    """The operands of a term with others in place of its inputs."""
    if term.operation == "field":
        return term.operands
    if term.operation == "join":
        return tuple((value, shift) for value, (_, shift) in zip(known, term.operands, strict=True))
    return (known[0], term.operands[1]) if term.operation in ("<<", ">>") else tuple(known)


def _interval(term: Term, known: list[Any]) -> Range:
    """The range of an operation on those inputs by interval arithmetic."""
    operation, of = term.operation, [ends(value) for value in known]
    if operation == "join":
        shifts = [shift for _, shift in term.operands]
        least, most = (sum(each[end] << shift for each, shift in zip(of, shifts, strict=True)) for end in (0, 1))
        return least, most
    if operation in ("<<", ">>"):
        count = term.operands[1]
        least, most = of[0]
        return (least << count, most << count) if operation == "<<" else (least >> count, most >> count)
    if operation == "*":
        corners = [x * y for x in of[0] for y in of[1]]
        return min(corners), max(corners)
    if operation == "+":
        return of[0][0] + of[1][0], of[0][1] + of[1][1]
    if operation == "-":
        return of[0][0] - of[1][1], of[0][1] - of[1][0]
    if operation == "&" and isinstance(known[1], int) and _is_mask(known[1]):
        (least, most), mask = of[0], known[1]
        bits = mask.bit_length()
        return (least & mask, most & mask) if least >> bits == most >> bits else (0, mask)
    return term.least, term.most


def _is_mask(value: int) -> bool:
    return value > 0 and not value & (value + 1)


def _both(one: Range, other: Range) -> Range:
    """The intersection of two ranges."""
    return max(one[0], other[0]), min(one[1], other[1])


def _add(total: Polynomial, other: Polynomial, times: int) -> None:
    """Adds another polynomial times a factor."""
    for monomial, factor in other.items():
        whole = total.get(monomial, 0) + factor * times
        if whole:
            total[monomial] = whole
        else:
            total.pop(monomial, None)


def _product(one: Polynomial, other: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for x, factor in one.items():
        for y, times in other.items():
            _add(total, {tuple(sorted((*x, *y))): factor * times}, 1)
    return total
