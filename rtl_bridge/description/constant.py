# SPDX-License-Identifier: Apache-2.0
"""Integers of any size in a `core.toml`: constants by name, their low bits, words and inverses; parsed, never run.

`A mod B` has the lowest precedence and computes all of A modulo B, so `-p^-1 mod 2^k` is the inverse there. `%` and
`//` stand where they do in Python, and `^` is the power.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gmpy2

from limbtrace.refmodels.errors import shown
from limbtrace.rtl_bridge.description.formula import FormulaError

MAX_LENGTH = 200
MAX_BITS = 1 << 17
"""Widest value, intermediate ones included, in bits."""
MAX_WORK = 1 << 34
"""Most bits of an exponent times the square of the bits of its modulus."""
MAX_DEPTH = 32

_TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F_]+|[0-9][0-9_]*|mod\b|[A-Za-z_][A-Za-z0-9_]*['~]*|//|[-+*^%()])")
_PLAIN = re.compile(r"[\s\w+*/%(),-]*")


def is_number(text: str | int, names: Mapping[str, int]) -> bool:
    """Whether a text is for `number`: it has a sign that no formula has, or a name that is in `names` alone."""
    if isinstance(text, int):
        return False
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    return not _PLAIN.fullmatch(text) or "mod" in words or bool(words & names.keys())


@dataclass(frozen=True)
class _Node:
    """A value, or an operation on others."""

    operation: str
    operands: "tuple[_Node, ...]" = ()
    value: int = 0


def number(text: str, names: Mapping[str, int]) -> int:
    """Value of a text, given the values of its names. Raises FormulaError, half a sentence with the reason."""
    return _parsed(text, names, lambda node: int(_exact(node)))


def _parsed(text: str, names: Mapping[str, int], value: Callable[[_Node], int]) -> int:
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"is longer than {MAX_LENGTH} characters")
    try:
        return value(_Parser(text, names).parse())
    except FormulaError as error:
        raise FormulaError(f"is {text!r}, {error}") from None


class _Parser:
    def __init__(self, text: str, names: Mapping[str, int]) -> None:
        self.names = names
        self.tokens: list[str] = []
        self.next = self.depth = 0
        position, text = 0, text.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise FormulaError(f"and {shown(text[position:].lstrip()[0])} is no part of a number")
            self.tokens.append(match[1])
            position = match.end()

    def parse(self) -> _Node:
        found = self.reduced()
        if self.next < len(self.tokens):
            raise FormulaError(f"and {self.peek!r} does not belong there")
        return found

    @property
    def peek(self) -> str:
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self) -> str:
        token, self.next = self.peek, self.next + 1
        return token

    def reduced(self) -> _Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise FormulaError(f"which is nested deeper than {MAX_DEPTH} levels")
        found = self.sum()
        while self.peek == "mod":
            self.take()
            found = _Node("%", (found, self.sum()))
        self.depth -= 1
        return found

    def sum(self) -> _Node:
        found = self.product()
        while self.peek in ("+", "-"):
            found = _Node(self.take(), (found, self.product()))
        return found

    def product(self) -> _Node:
        found = self.signed()
        while self.peek in ("*", "//", "%"):
            found = _Node(self.take(), (found, self.signed()))
        return found

    def signed(self) -> _Node:
        minus = False
        while self.peek == "-":
            self.take()
            minus = not minus
        found = self.power()
        return _Node("-", (_Node("value"), found)) if minus else found

    def power(self) -> _Node:
        base = self.atom()
        if self.peek != "^":
            return base
        self.take()
        minus = self.peek == "-"
        if minus:
            self.take()
        exponent = int(_exact(self.power()))
        return _Node("^", (base,), -exponent if minus else exponent)

    def atom(self) -> _Node:
        token = self.take()
        if token == "(":
            found = self.reduced()
            if self.take() != ")":
                raise FormulaError("in which a parenthesis is not closed")
            return found
        if token[:1].isdigit():
            return _Node("value", value=int(gmpy2.mpz(token.replace("_", ""), 0 if "x" in token.lower() else 10)))
        if token[:1].isalpha() or token[:1] == "_":
            if token == "mod" or token not in self.names:
                raise FormulaError(f"and there is no {token!r}, only {', '.join(self.names) or 'integers'}")
            return _Node("value", value=self.names[token])
        raise FormulaError(f"in which a number is missing{f' before {token!r}' if token else ' at the end'}")


_OPERATIONS: dict[str, Callable[[gmpy2.mpz, gmpy2.mpz], gmpy2.mpz]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def _exact(node: _Node) -> gmpy2.mpz:
    """The value of a node as an integer."""
    if node.operation == "value":
        return gmpy2.mpz(node.value)
    if node.operation == "%":
        return _modulo(node.operands[0], _divisor(node.operands[1]))
    if node.operation == "^":
        base = _exact(node.operands[0])
        if node.value < 0:
            raise FormulaError("which has an inverse that is none modulo anything: 'x^-1 mod m' is one")
        if abs(base) > 1 and base.bit_length() * node.value > MAX_BITS:
            raise FormulaError(f"with a value of more than {MAX_BITS} bits in it")
        return base**node.value
    if node.operation == "//":
        return _exact(node.operands[0]) // _divisor(node.operands[1])
    found = _OPERATIONS[node.operation](*map(_exact, node.operands))
    if found.bit_length() > MAX_BITS:
        raise FormulaError(f"with a value of more than {MAX_BITS} bits in it")
    return found


def _divisor(node: _Node) -> gmpy2.mpz:
    divisor = _exact(node)
    if divisor < 1:
        raise FormulaError("which divides by 0" if divisor == 0 else "which divides by a negative number")
    return divisor


def _modulo(node: _Node, modulus: gmpy2.mpz) -> gmpy2.mpz:
    """The value of a node modulo another one, where inverses are."""
    if node.operation == "^":
        base = _modulo(node.operands[0], modulus)
        if node.value < 0 and gmpy2.gcd(base, modulus) != 1:
            raise FormulaError("in which something has no inverse")
        if abs(node.value).bit_length() * modulus.bit_length() ** 2 > MAX_WORK:
            raise FormulaError("with a power in it that would take too long")
        return gmpy2.powmod(base, node.value, modulus)
    if node.operation in _OPERATIONS:
        x, y = (_modulo(operand, modulus) for operand in node.operands)
        return _OPERATIONS[node.operation](x, y) % modulus
    return _exact(node) % modulus


_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
_PROPERTIES: dict[str, Callable[[int], bool]] = {
    "odd": lambda p: p % 2 == 1,
    "even": lambda p: p % 2 == 0,
    "prime": lambda p: bool(gmpy2.is_prime(p, 25)),
}


def check_condition(condition: str) -> None:
    """Whether `holds` can be asked. Raises FormulaError."""
    if condition.strip() not in _PROPERTIES:
        for side in _sides(condition)[::2]:
            _parsed(side, {"p": 3, "N": 2}, lambda node: 0)


def _sides(condition: str) -> list[str]:
    """Left side, relation, right side. Raises FormulaError."""
    parts = re.split(r"(==|!=|<=|>=|<|>)", condition)
    if len(parts) != 3:
        some = ", ".join(_PROPERTIES)
        raise FormulaError(f"is {condition!r}, which is none of {some}, and no comparison such as 'p % 2^10 == 1'")
    return parts


def holds(condition: str, modulus: int) -> bool:
    """Whether a modulus has a property: odd, even, prime, or a comparison of numbers over p and N, its bits.

    Raises FormulaError.
    """
    if condition.strip() in _PROPERTIES:
        return _PROPERTIES[condition.strip()](modulus)
    left, relation, right = _sides(condition)
    names = {"p": modulus, "N": modulus.bit_length()}
    return _RELATIONS[relation](number(left, names), number(right, names))
