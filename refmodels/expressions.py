# SPDX-License-Identifier: Apache-2.0
"""Integer expressions: the one language of numbers on the command line, in queries and in descriptions of cores.

    mod                            A mod B computes all of A modulo B, so -p^-1 mod 2^k is the inverse there
    << >>                          shifts
    + -
    * // %                         // and % as in Python, by positive numbers alone
    + -                            signs
    ^ **                           the power, right-associative
    123 0x7b name ( ) max( , ) min( , )

Operators are listed from the loosest to the tightest. Nothing is evaluated as code. The size of every intermediate
value, and of all of them together, is known before it is computed, so a hostile expression is rejected cheaply.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import gmpy2

from limbtrace.refmodels.errors import ParameterError, shown

MAX_BITS = 1 << 17
"""Widest value, intermediate ones included, in bits."""
MAX_WORK = 1 << 22
"""Most bits of all values that are computed, together: thirty-two of the widest."""
MAX_POWER_WORK = 1 << 34
"""Most bits of an exponent times the square of the bits of its modulus."""
MAX_LENGTH = 1 << 16
"""Longest text, in characters; the widest value has 39,457 decimal digits."""
MAX_TOKENS = 1 << 13
"""Most numbers, names, operators and parentheses of a text."""
WIDEST_DIGIT = 4096
"""Widest digit of a model, in bits."""
MAX_DEPTH = 64
"""Deepest nesting of parentheses, signs and powers."""

T = TypeVar("T")
_TOKEN = re.compile(
    r"\s*(?:(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*)|([A-Za-z_][A-Za-z0-9_]*['~]*)|(\*\*|<<|>>|//|[-+*%^(),]))"
)
_PARTS = "digits, 0x digits, + - * // % ^ ** << >> ( ), mod, max and min"
_FUNCTIONS: dict[str, Callable[..., gmpy2.mpz]] = {"max": max, "min": min}
_WORDS = ("mod", *_FUNCTIONS)
_RING: dict[str, Callable[[gmpy2.mpz, gmpy2.mpz], gmpy2.mpz]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
_NO_NAMES: Mapping[str, int] = {}


class ExpressionError(ValueError):
    """The text is not an expression, or it has no value; the message is a clause with the reason."""


class UnknownNameError(ExpressionError):
    """A name in it is none of those that are known."""


@dataclass(frozen=True)
class _Integer:
    value: gmpy2.mpz


@dataclass(frozen=True)
class _Name:
    name: str


@dataclass(frozen=True)
class _Negated:
    operand: "_Node"


@dataclass(frozen=True)
class _Power:
    base: "_Node"
    exponent: "_Node"


@dataclass(frozen=True)
class _Call:
    function: str
    arguments: "tuple[_Node, ...]"


@dataclass(frozen=True)
class _Chain:
    """Operands with left-associative operators of one precedence between them."""

    first: "_Node"
    rest: "tuple[tuple[str, _Node], ...]"


class Algebra(Protocol[T]):
    """Another meaning of an expression than its value: what each of its parts stands for."""

    def integer(self, value: int) -> T: ...
    def name(self, name: str) -> T: ...
    def negated(self, term: T) -> T: ...
    def power(self, base: T, exponent: T) -> T: ...
    def call(self, function: str, terms: list[T]) -> T: ...
    def binary(self, sign: str, left: T, right: T) -> T: ...


_Node = _Integer | _Name | _Negated | _Power | _Call | _Chain


@dataclass(frozen=True)
class Expression:
    """A text that was parsed."""

    names: frozenset[str]
    """The names in it."""
    root: _Node

    @classmethod
    def parse(cls, text: str, max_length: int = MAX_LENGTH, named: bool = True) -> "Expression":
        """The expression in a text of at most `max_length` characters; `named`: with names. Raises ExpressionError."""
        if len(text) > max_length:
            raise ExpressionError(f"the text has {len(text)} characters and the limit is {max_length}")
        parser = _Parser(text, named)
        root = parser.parse()
        return cls(frozenset(parser.names), root)

    def interpreted(self, algebra: "Algebra[T]") -> T:
        """Meaning of the expression in the algebra, from its parts up."""
        return _interpreted(self.root, algebra)

    def value(self, names: Mapping[str, int] = _NO_NAMES, max_bits: int = MAX_BITS) -> int:
        """The value for those of the names, no value on the way being wider than `max_bits`. Raises ExpressionError."""
        return int(_Evaluation(names, max_bits).value(self.root, None))


def _interpreted(node: _Node, algebra: Algebra[T]) -> T:
    match node:
        case _Integer():
            return algebra.integer(int(node.value))
        case _Name():
            return algebra.name(node.name)
        case _Negated():
            return algebra.negated(_interpreted(node.operand, algebra))
        case _Power():
            return algebra.power(_interpreted(node.base, algebra), _interpreted(node.exponent, algebra))
        case _Call():
            return algebra.call(node.function, [_interpreted(each, algebra) for each in node.arguments])
        case _Chain():
            found = _interpreted(node.first, algebra)
            for sign, operand in node.rest:
                found = algebra.binary(sign, found, _interpreted(operand, algebra))
            return found


def parse_integer(text: str | int, parameter: str = "integer", names: Mapping[str, int] = _NO_NAMES) -> int:
    """Value of an integer expression, of at most MAX_BITS bits; `names` are those that may stand in it.

    Raises ParameterError, naming `parameter`, if the text is not such an expression or a value in it is too wide.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    if not isinstance(text, str):  # values of a document may be of any type
        raise ParameterError(parameter, "it must be an integer, or text with an integer expression")
    try:
        return Expression.parse(text, named=bool(names)).value(names)
    except ExpressionError as error:
        raise ParameterError(parameter, str(error)) from None


def parse_power_of_two(text: str | int, parameter: str = "radix") -> int:
    """Exponent k of a radix 2^k >= 2. Raises ParameterError, naming `parameter`, for anything else."""
    value = parse_integer(text, parameter)
    if value < 2 or value & (value - 1):
        hint = f"; for digits of {value} bits it is 2^{value}" if 2 <= value <= WIDEST_DIGIT else ""
        raise ParameterError(
            parameter, f"the radix must be a power of two of at least 2, and {shown(value)} is none{hint}"
        )
    return value.bit_length() - 1


def _tokens(text: str, named: bool) -> Iterator[str]:
    """The tokens of a text, names among them if `named`; `**` is `^`."""
    position, end = 0, len(text.rstrip())
    for _ in range(MAX_TOKENS):
        if position >= end:
            return
        match = _TOKEN.match(text, position)
        if match is None or (match[2] and not named and match[2] not in _WORDS):
            wrong = text[position:].lstrip()[0]
            raise ExpressionError(f"character {wrong!r} is not part of an integer expression, which has only {_PARTS}")
        yield "^" if match[3] == "**" else match[1] or match[2] or match[3]
        position = match.end()
    if position < end:
        raise ExpressionError(f"the expression has more than {MAX_TOKENS} numbers, names, operators and parentheses")


class _Parser:
    """Recursive descent; `depth` counts parentheses, signs and powers."""

    def __init__(self, text: str, named: bool) -> None:
        self.tokens = list(_tokens(text, named))
        self.names: set[str] = set()
        self.next = 0

    def parse(self) -> _Node:
        root = self.modulo(0)
        if self.next < len(self.tokens):
            before, after = self.tokens[self.next - 1], self.tokens[self.next]
            hint = " (a + in a query string is a space: write %2B)" if after[0].isdigit() or after == "(" else ""
            raise ExpressionError(f"{after[:20]!r} cannot follow {before[:20]!r}{hint}")
        return root

    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.next += 1
        return token

    def modulo(self, depth: int) -> _Node:
        return self.chain(self.shift, ("mod",), depth)

    def shift(self, depth: int) -> _Node:
        return self.chain(self.sum, ("<<", ">>"), depth)

    def sum(self, depth: int) -> _Node:
        return self.chain(self.product, ("+", "-"), depth)

    def product(self, depth: int) -> _Node:
        return self.chain(self.signed, ("*", "//", "%"), depth)

    def chain(self, operand: Callable[[int], _Node], operators: Sequence[str], depth: int) -> _Node:
        first, rest = operand(depth), []
        while self.peek() in operators:
            rest.append((self.take(), operand(depth)))
        return _Chain(first, tuple(rest)) if rest else first

    def signed(self, depth: int) -> _Node:
        if depth > MAX_DEPTH:
            raise ExpressionError(f"the expression is nested deeper than {MAX_DEPTH} levels")
        if self.peek() not in ("+", "-"):
            return self.power(depth)
        sign = self.take()
        operand = self.signed(depth + 1)
        return operand if sign == "+" else _Negated(operand)

    def power(self, depth: int) -> _Node:
        base = self.atom(depth)
        if self.peek() != "^":
            return base
        self.take()
        return _Power(base, self.signed(depth + 1))

    def atom(self, depth: int) -> _Node:
        token = self.take()
        if token == "(":
            return self.enclosed(depth)[0]
        if not token:
            raise ExpressionError("the integer is missing" if not self.tokens else "the expression ends too early")
        if token in _FUNCTIONS and self.peek() == "(":
            self.take()
            return _Call(token, self.enclosed(depth, several=True))
        if token[0].isdigit():
            return self.integer(token)
        if token == "mod" or not (token[0].isalpha() or token[0] == "_"):
            raise ExpressionError(f"{token!r} stands where an integer should be")
        self.names.add(token)
        return _Name(token)

    def enclosed(self, depth: int, several: bool = False) -> tuple[_Node, ...]:
        """The contents of a parenthesis, up to the closing one; with `several` commas divide it."""
        found = [self.modulo(depth + 1)]
        while several and self.peek() == ",":
            self.take()
            found.append(self.modulo(depth + 1))
        if self.take() != ")":
            raise ExpressionError("a parenthesis is not closed")
        return tuple(found)

    def integer(self, token: str) -> _Integer:
        try:
            return _Integer(gmpy2.mpz(token, 16 if token[:2].lower() == "0x" else 10))
        except ValueError:
            raise ExpressionError(f"{token[:20]!r} is not an integer") from None


class _Evaluation:
    """One evaluation, with the limits of what it may compute."""

    def __init__(self, names: Mapping[str, int], max_bits: int) -> None:
        self.names, self.max_bits = names, max_bits
        self.work = 0

    def value(self, node: _Node, modulus: gmpy2.mpz | None) -> gmpy2.mpz:
        """Value of a node, modulo the modulus if there is one; without, powers have no negative exponents."""
        match node:
            case _Chain():
                return self.chain(node, modulus)
            case _Power():
                return self.power(node, modulus)
            case _Negated():
                found = -self.value(node.operand, modulus)
            case _Call():
                found = _FUNCTIONS[node.function](self.value(each, None) for each in node.arguments)
            case _Name():
                found = self.named(node.name)
            case _Integer():
                found = node.value
        self.fits(found.bit_length())
        return found if modulus is None else found % modulus

    def named(self, name: str) -> gmpy2.mpz:
        if name not in self.names:
            raise UnknownNameError(f"there is no {shown(name)}, only {', '.join(self.names) or 'integers'}")
        return gmpy2.mpz(self.names[name])

    def chain(self, node: _Chain, modulus: gmpy2.mpz | None) -> gmpy2.mpz:
        """Sums and products in front of a remainder, and at the end, are computed modulo what follows them."""
        others = [k for k, (sign, _) in enumerate(node.rest) if sign not in _RING]
        found, start = None, 0
        for end in (*others, len(node.rest)):
            sign, right = node.rest[end] if end < len(node.rest) else ("", None)
            argument = None if right is None else self.value(right, None)
            if sign in ("//", "%", "mod"):
                self.check_divisor(argument)
            inner = argument if sign in ("%", "mod") else None if sign else modulus
            found = self.folded(self.value(node.first, inner) if found is None else found, node.rest[start:end], inner)
            found = self.applied(sign, found, argument)
            start = end + 1
        return found if modulus is None else found % modulus

    def folded(self, found: gmpy2.mpz, terms: Sequence[tuple[str, _Node]], modulus: gmpy2.mpz | None) -> gmpy2.mpz:
        """A value with terms added, subtracted or multiplied to it."""
        for sign, node in terms:
            term = self.value(node, modulus)
            bits = found.bit_length(), term.bit_length()
            self.costs(sum(bits) - 1 if sign == "*" else max(bits))
            found = _RING[sign](found, term)
            self.fits(found.bit_length())
            found = found if modulus is None else found % modulus
        return found

    def applied(self, sign: str, found: gmpy2.mpz, argument: gmpy2.mpz | None) -> gmpy2.mpz:
        """A value divided or shifted."""
        if argument is None:
            return found
        if sign == "//":
            return found // argument
        if sign in ("%", "mod"):
            return found % argument
        if argument < 0:
            raise ExpressionError("a value is shifted by a negative number of bits")
        if sign == ">>":
            return found >> int(min(argument, found.bit_length()))
        if not found:
            return found
        self.costs(found.bit_length() + argument)
        return found << int(argument)

    def check_divisor(self, divisor: gmpy2.mpz | None) -> None:
        if divisor is None or divisor < 1:
            raise ExpressionError(f"a value is divided by {'a negative number' if divisor else '0'}")

    def power(self, node: _Power, modulus: gmpy2.mpz | None) -> gmpy2.mpz:
        exponent = self.value(node.exponent, None)
        base = self.value(node.base, modulus)
        if modulus is not None:
            return self.modular_power(base, exponent, modulus)
        if exponent < 0:
            raise ExpressionError("a power has a negative exponent, which takes a modulus, as in 'x^-1 mod m'")
        if abs(base) > 1:
            self.costs((base.bit_length() - 1) * exponent)
        elif base != 0:
            exponent %= 2
        found = base**exponent
        self.fits(found.bit_length())
        return found

    def modular_power(self, base: gmpy2.mpz, exponent: gmpy2.mpz, modulus: gmpy2.mpz) -> gmpy2.mpz:
        if exponent < 0 and gmpy2.gcd(base, modulus) != 1:
            raise ExpressionError("a value has no inverse modulo what follows it")
        if exponent.bit_length() * modulus.bit_length() ** 2 > MAX_POWER_WORK:
            raise ExpressionError("a power would take too long")
        return gmpy2.powmod(base, exponent, modulus)

    def costs(self, bits: int) -> None:
        """Asked before a value of about that many bits is computed."""
        self.fits(bits)
        self.work += int(bits)
        if self.work > MAX_WORK:
            raise ExpressionError(f"the values in the expression have more than {MAX_WORK} bits together, the limit")

    def fits(self, bits: int) -> None:
        if bits > self.max_bits:
            raise ExpressionError(f"a value in the expression would be wider than the limit of {self.max_bits} bits")


def within(name: str, text: str | int, low: int, high: int) -> int:
    """An integer expression whose value is from low to high. Raises ParameterError(name)."""
    value = parse_integer(text, name)
    if not low <= value <= high:
        raise ParameterError(name, f"{shown(value)} is outside {low} to {high}")
    return value
