# SPDX-License-Identifier: Apache-2.0
"""Sources for Yosys, whose slang reads a few things in another way than simulators: they are rewritten in copies.

Every token keeps its line, so that messages name the lines of the sources.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from pyslang import BumpAllocator, Diagnostics, SourceManager
from pyslang.parsing import Lexer, TokenKind

_TESTS = ("`ifdef", "`ifndef", "`elsif")
_PROMISES = ("full_case", "parallel_case")
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


def as_simulated(source: bytes) -> bytes:
    """A source whose reading by Yosys is that of simulators, as far as single tokens decide.

    `unique` is a promise that no two items are true at a time, which simulators do not rely on: they take the first
    one, as with `priority`. `full_case` and `parallel_case` are comments for them.
    """
    tokens, copy = list(raw_tokens(source)), bytearray(source)
    changed = [*_keywords(tokens), *_attributes(tokens)]
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
