# SPDX-License-Identifier: Apache-2.0
"""Sources for Yosys, whose slang reads a few things in another way than simulators: they are rewritten in copies.

Every token keeps its line, so that messages name the lines of the sources.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from pyslang import BumpAllocator, Diagnostics, SourceManager
from pyslang.parsing import Lexer, TokenKind

_TESTS = ("`ifdef", "`ifndef", "`elsif")
_PROMISES = ("full_case", "parallel_case")
MOST_DECIMAL = (1 << 31) - 1
"""Largest int."""
_OPEN = TokenKind.OpenParenthesis, TokenKind.Star
_CLOSE = TokenKind.Star, TokenKind.CloseParenthesis


class RawToken(NamedTuple):
    """A token of a source before its macros and conditions are applied."""

    kind: TokenKind
    text: str
    offset: int
    """In bytes."""


def raw_tokens(source: bytes) -> Iterator[RawToken]:
    """The tokens of a source, without comments."""
    manager = SourceManager()
    buffer = manager.assignText("text", source.decode("latin-1").encode("ascii", "replace").decode())
    lexer = Lexer(buffer, BumpAllocator(), Diagnostics(), manager)
    while (token := lexer.lex()).kind != TokenKind.EndOfFile:
        yield RawToken(token.kind, token.rawText, token.location.offset)


def asked_macros(source: bytes) -> Iterator[tuple[str, int]]:
    """(macro, line) of each condition in a source that asks if a macro is defined."""
    tokens = list(raw_tokens(source))
    for directive, name in pairwise(tokens):
        if directive.kind == TokenKind.Directive and directive.text in _TESTS:
            yield name.text, source.count(b"\n", 0, name.offset) + 1


def long_decimals(source: bytes) -> Iterator[tuple[int, int]]:
    """(value, line) of each decimal number without a size that an int cannot hold."""
    yield from ((_value(token), source.count(b"\n", 0, token.offset) + 1) for token in _long(list(raw_tokens(source))))


def _long(tokens: list[RawToken]) -> Iterator[RawToken]:
    base = TokenKind.IntegerBase
    for number, token in enumerate(tokens):
        sized = base in (each.kind for each in (*tokens[max(number - 1, 0) : number], *tokens[number + 1 : number + 2]))
        if token.kind == TokenKind.IntegerLiteral and not sized and _value(token) > MOST_DECIMAL:
            yield token


def _value(token: RawToken) -> int:
    digits = token.text.replace("_", "")
    return int(digits) if digits.isdecimal() else 0


def verilator_size(value: int) -> int:
    """Bits of a decimal number without a size in Verilator, which takes it as signed: 2^63 in 64 bits is negative."""
    return max(value.bit_length(), 32)


def icarus_size(value: int) -> int:
    """Bits of a decimal number without a size in Icarus Verilog, which takes it as signed and not negative."""
    return max(value.bit_length() + 1, 32)


def as_simulated(source: bytes, size: Callable[[int], int] = icarus_size) -> bytes:
    """A source whose reading by Yosys is that of simulators, as far as single tokens decide.

    Decimal numbers that an int cannot hold get a size, since slang would cut them to 32 bits.

    `unique` is a promise that no two items are true at a time, which simulators do not rely on: they take the first
    one, as with `priority`. `full_case` and `parallel_case` are comments for them.
    """
    tokens, copy = list(raw_tokens(source)), bytearray(source)
    sizes = [(token, f"{size(_value(token))}'sd{token.text}") for token in _long(tokens)]
    changed = [*sizes, *_keywords(tokens), *_attributes(tokens)]
    for token, instead in sorted(changed, key=lambda change: -change[0].offset):
        copy[token.offset : token.offset + len(token.text)] = instead.encode()
    return bytes(copy)


def _keywords(tokens: list[RawToken]) -> Iterator[tuple[RawToken, str]]:
    for token in tokens:
        if token.kind == TokenKind.UniqueKeyword:
            yield token, "priority"
        elif token.kind == TokenKind.Unique0Keyword:
            yield token, ""


def _attributes(tokens: list[RawToken]) -> Iterator[tuple[RawToken, str]]:
    """The tokens from (* to *) of each attribute that is such a promise."""
    kinds = [token.kind for token in tokens]
    start = 0
    while (start := _index(kinds, _OPEN, start)) < len(tokens):
        end = start + 3 if _is_event(kinds, start) else _index(kinds, _CLOSE, start + 2) + 2
        if any(token.text in _PROMISES for token in tokens[start:end]):
            yield from ((token, "") for token in tokens[start:end])
        start = end


def _is_event(kinds: list[TokenKind], start: int) -> bool:
    """True for (*) of an event."""
    return kinds[start + 2 : start + 3] == [TokenKind.CloseParenthesis]


def _index(kinds: list[TokenKind], pair: tuple[TokenKind, TokenKind], start: int) -> int:
    """The first place of a pair of tokens; the end if there is none."""
    places = range(start, len(kinds) - 1)
    return next((place for place in places if (kinds[place], kinds[place + 1]) == pair), len(kinds))
