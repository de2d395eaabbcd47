# SPDX-License-Identifier: Apache-2.0
"""Integers in text form: decimal, 0x hexadecimal, or an expression of + - * ^ ( ), with names where some are known.

As in programs, ** may stand for ^, and 1<<34 for 2^34.

Nothing is evaluated as code. The size of every intermediate value, and of all of them together, is known before it is
computed, so a hostile expression is rejected cheaply.
"""

import re
from collections.abc import Mapping

import gmpy2

from limbtrace.refmodels.errors import ParameterError, shown

MAX_BITS = 1 << 17
"""Widest value, intermediate ones included, in bits."""
MAX_WORK = 1 << 22
"""Most bits of all values that are computed, together: thirty-two of the widest."""
MAX_LENGTH = 1 << 16
"""Longest text, in characters; the widest value has 39,457 decimal digits."""
MAX_TOKENS = 1 << 13
"""Most numbers, operators and parentheses of a text."""
WIDEST_DIGIT = 4096
"""Widest digit of a model, in bits."""
MAX_DEPTH = 64
"""Deepest nesting of parentheses, signs and powers."""

_OPERATOR = r"\*\*|<<|[-+*^()]"
_NUMBER = r"\s*(?:(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*)"
_TOKEN = re.compile(_NUMBER + rf"|({_OPERATOR}))")
_TOKEN_OR_NAME = re.compile(_NUMBER + rf"|({_OPERATOR}|[A-Za-z_][A-Za-z0-9_]*))")
_NO_NAMES: Mapping[str, int] = {}


def parse_integer(text: str | int, parameter: str = "integer", names: Mapping[str, int] = _NO_NAMES) -> int:
    """Value of an integer expression, of at most MAX_BITS bits; `names` are those that may stand in it.

    `^`, or `**`, is the power (right-associative, binds tighter than the sign), and `<<` shifts, with the precedence
    that it has in Python: last. Raises ParameterError, naming `parameter`, if
    the text is not such an expression or a value in it is too wide.
    """
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    if not isinstance(text, str):  # values of a document may be of any type
        raise ParameterError(parameter, "it must be an integer, or text with an integer expression")
    return _Parser(text, parameter, names).parse()


def parse_power_of_two(text: str | int, parameter: str = "radix") -> int:
    """Exponent k of a radix 2^k >= 2. Raises ParameterError, naming `parameter`, for anything else."""
    value = parse_integer(text, parameter)
    if value < 2 or value & (value - 1):
        hint = f"; for digits of {value} bits it is 2^{value}" if 2 <= value <= WIDEST_DIGIT else ""
        raise ParameterError(
            parameter, f"the radix must be a power of two of at least 2, and {shown(value)} is none{hint}"
        )
    return value.bit_length() - 1


class _Parser:
    def __init__(self, text: str, parameter: str, names: Mapping[str, int]) -> None:
        self.parameter, self.names = parameter, names
        if len(text) > MAX_LENGTH:
            raise self.error(f"the text has {len(text)} characters and the limit is {MAX_LENGTH}")
        self.tokens: list[str] = []
        self.work = 0
        position, end = 0, len(text.rstrip())
        while position < end:
            match = (_TOKEN_OR_NAME if names else _TOKEN).match(text, position)
            if match is None:
                known = f" and the names {', '.join(names)}" if names else ""
                raise self.error(
                    f"character {text[position:].lstrip()[0]!r} is not part of an integer expression, "
                    f"which has only digits, 0x digits and + - * ^ ** << ( ){known}"
                )
            if len(self.tokens) == MAX_TOKENS:
                raise self.error(f"the expression has more than {MAX_TOKENS} numbers, operators and parentheses")
            self.tokens.append("^" if match[2] == "**" else match[1] or match[2])
            position = match.end()
        self.next = 0

    def error(self, reason: str) -> ParameterError:
        return ParameterError(self.parameter, reason)

    def parse(self) -> int:
        value = self.shift(0)
        if self.next < len(self.tokens):
            before, after = self.tokens[self.next - 1], self.tokens[self.next]
            hint = " (a + in a query string is a space: write %2B)" if after[0].isdigit() or after == "(" else ""
            raise self.error(f"{after[:20]!r} cannot follow {before[:20]!r}{hint}")
        return int(value)

    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.next += 1
        return token

    def shift(self, depth: int) -> gmpy2.mpz:
        value = self.sum(depth)
        while self.peek() == "<<":
            self.take()
            places = self.sum(depth)
            if places < 0:
                raise self.error("a value is shifted by a negative number of bits")
            if value:
                self.costs(value.bit_length() + places)
                value <<= int(places)
        return value

    def sum(self, depth: int) -> gmpy2.mpz:
        value = self.product(depth)
        while self.peek() in ("+", "-"):
            sign = self.take()
            term = self.product(depth)
            self.costs(max(value.bit_length(), term.bit_length()))
            value = value + term if sign == "+" else value - term
            self.fits(value.bit_length())
        return value

    def product(self, depth: int) -> gmpy2.mpz:
        value = self.signed(depth)
        while self.peek() == "*":
            self.take()
            factor = self.signed(depth)
            self.costs(value.bit_length() + factor.bit_length() - 1)
            value *= factor
            self.fits(value.bit_length())
        return value

    def signed(self, depth: int) -> gmpy2.mpz:
        if depth > MAX_DEPTH:
            raise self.error(f"the expression is nested deeper than {MAX_DEPTH} levels")
        if self.peek() in ("+", "-"):
            return self.signed(depth + 1) if self.take() == "+" else -self.signed(depth + 1)
        return self.power(depth)

    def power(self, depth: int) -> gmpy2.mpz:
        base = self.atom(depth)
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.signed(depth + 1)
        if exponent < 0:
            raise self.error("a power has a negative exponent, and only integers are taken")
        if abs(base) > 1:
            self.costs((base.bit_length() - 1) * exponent)
        elif base != 0:
            exponent %= 2
        value = base**exponent
        self.fits(value.bit_length())
        return value

    def atom(self, depth: int) -> gmpy2.mpz:
        token = self.take()
        if token == "(":
            value = self.shift(depth + 1)
            if self.take() != ")":
                raise self.error("a parenthesis is not closed")
            return value
        if not token:
            raise self.error("the integer is missing" if not self.tokens else "the expression ends too early")
        if token in self.names:
            return gmpy2.mpz(self.names[token])
        if self.names and token.isidentifier():
            raise self.error(f"there is no {shown(token)}, only {', '.join(self.names)}")
        if not token[0].isdigit():
            raise self.error(f"{token!r} stands where an integer should be")
        try:
            value = gmpy2.mpz(token, 16 if token[:2].lower() == "0x" else 10)
        except ValueError:
            raise self.error(f"{token[:20]!r} is not an integer") from None
        self.fits(value.bit_length())
        return value

    def costs(self, bits: int) -> None:
        """Asked before a value of about that many bits is computed."""
        self.fits(bits)
        self.work += int(bits)
        if self.work > MAX_WORK:
            raise self.error(f"the values in the expression have more than {MAX_WORK} bits together, the limit")

    def fits(self, bits: int) -> None:
        if bits > MAX_BITS:
            raise self.error(f"a value in the expression would be wider than the limit of {MAX_BITS} bits")
