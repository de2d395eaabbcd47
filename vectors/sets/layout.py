# SPDX-License-Identifier: Apache-2.0
"""The text of a case in a format: declared once, for the writer in Python and the one in C."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

import gmpy2
import numpy as np

NUMBERS = ("a", "b", "result", "residue")
"""The fields that are numbers, which a line shows as hexadecimal digits without zeros in front."""
REPEATED = ("flags", "comment")
"""The fields with few different values, each of which is written once."""


class CaseFields(Protocol):
    """Consecutive cases, as the writer in Python sees them."""

    def numbers(self, name: str) -> Sequence[int]:
        """One of NUMBERS for every case; the integers are those of gmpy2."""

    def column(self, name: str) -> Sequence[Any]:
        """A field of every case: text, or a value that the layout knows how to write."""


class Piece(NamedTuple):
    """A part of the text of a case: a literal, or the content of a field."""

    kind: Literal["literal", "id", "number", "word", "bytes", "flags", "comment"]
    text: str = ""
    """The literal, or the name of the number."""
    places: int = 0
    """Hexadecimal digits of a word, or the bytes of a number with its low byte first."""


@dataclass(frozen=True)
class LineTemplate:
    """A line: `text` with %s in the place of each of `fields`."""

    text: str
    fields: tuple[str, ...]
    write: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    """Writers of the fields that are neither an id nor a number."""

    def of(self, cases: CaseFields) -> bytes:
        """The text of the cases."""
        columns = [self._column(name, cases.column(name)) for name in self.fields]
        return "".join(map(self.text.__mod__, zip(*columns, strict=True))).encode()

    def one(self, values: Mapping[str, Any]) -> str:
        """The text of one case, from the values of its fields as `Fields.column` has them."""
        return self.text % tuple(next(iter(self._column(name, [values[name]]))) for name in self.fields)

    def _column(self, name: str, values: Sequence[Any]) -> Iterable[str]:
        if name not in self.write:
            return values
        if name not in REPEATED:
            return map(self.write[name], values)
        written = {value: self.write[name](value) for value in set(values)}
        return map(written.__getitem__, values)

    def and_then(self, text: str, name: str, write: Callable[[Any], str], last: str = "\n") -> "LineTemplate":
        """The line with one more field, which is written as `text` in the place of the `last` characters."""
        whole = self.text.removesuffix(last) + text
        return LineTemplate(whole, (*self.fields, name), {**self.write, name: write})

    @property
    def pieces(self) -> list[Piece] | None:
        """The parts in order; None if the line has a field that is only known in Python."""
        literals = self.text.split("%s")
        found = [Piece("literal", literals[0])]
        for name, literal in zip(self.fields, literals[1:], strict=True):
            if name in NUMBERS and name not in self.write:
                found.append(Piece("number", name))
            elif name in ("id", *REPEATED):
                found.append(Piece(name))  # type: ignore[arg-type]
            else:
                return None
            found.append(Piece("literal", literal))
        return [piece for piece in found if piece.kind != "literal" or piece.text]


@dataclass(frozen=True)
class Word:
    """A line of nothing but a number, with that many hexadecimal digits."""

    name: str
    places: int

    def of(self, cases: CaseFields) -> bytes:
        """The text of the cases."""
        return words(cases.numbers(self.name), self.places)

    @property
    def pieces(self) -> list[Piece] | None:
        """The parts in order."""
        return [Piece("word", self.name, self.places), Piece("literal", "\n")]


class CaseLayout(Protocol):
    """The layout of a case: Line, Word, or one of a single format."""

    def of(self, cases: CaseFields) -> bytes:
        """The cases, written one after the other."""

    @property
    def pieces(self) -> list[Piece] | None:
        """The parts in order; None if only Python writes them."""


class TextBatch(NamedTuple):
    """Some consecutive cases as text."""

    cases: int
    text: bytes
    """In the first layout."""
    others: Sequence[bytes | memoryview]
    """In the other layouts; it may change when the next cases are written."""


def words(column: Sequence[int], places: int) -> bytes:
    """One word per line, each with that many hexadecimal digits."""
    width = -(-places // 2)
    packed = gmpy2.pack([*reversed(column)], 8 * width)
    text = packed.to_bytes(width * len(column), "big").hex("\n", width) + "\n"
    lines = np.frombuffer(text.encode(), np.uint8).reshape(len(column), 2 * width + 1)
    return lines[:, 2 * width - places :].tobytes()
