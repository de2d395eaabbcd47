# SPDX-License-Identifier: Apache-2.0
"""Operands in files of any kind: vector sets, JSON with members a and b, columns of text, and memory images."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors import sets
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets.read import MAX_LINE, VectorReader
from limbtrace.vectors.validation import DamagedFileError

DEFAULT_COUNT = 1_000_000
"""Most cases that are graded, unless another number is asked for; at 256 bits they take less than a minute."""
_UNNAMED = ("readmemh", "wycheproof", "acvp", "rooterberg", "accumulated")
"""Formats of ours that need not say so in their first bytes."""
_NUMBER = re.compile(r"0[xX][0-9a-fA-F_]+|[0-9a-fA-F]+")
_LETTERS = re.compile(r"[a-fA-F]")
_DIGIT = re.compile(r"[0-9]")


@dataclass(frozen=True)
class Graded:
    """A multiplier, and operands that it takes."""

    multiplier: Multiplier
    pairs: Sequence[tuple[int, int]]
    more: bool
    """True if there are further ones, which were not asked for."""


def graded(files: Sequence[Path], multiplier: Multiplier | None, count: int) -> Graded:
    """The first `count` pairs of operands in a file, or in a file of each operand.

    A vector set of ours brings its multiplier; else `multiplier` is needed. Raises ParameterError, DamagedFileError.
    """
    if len(files) == 1:
        if files[0].is_dir():
            with sets.open_vectors(files[0]) as reader:
                return _matching(_of_reader(reader, count), multiplier, str(files[0]))
        try:
            with files[0].open("rb") as stream:
                return graded_stream(stream, str(files[0]), multiplier, count)
        except OSError as error:
            raise ParameterError("files", f"{shown(str(files[0]))}: {error.strerror}") from None
    known = _needed(multiplier)
    if len(files) != 2 or known.model.unary:
        raise ParameterError("files", "give one file, or one of each operand")
    columns = [[row[0] for row in _rows(_text(file.read_bytes(), str(file)), 1, base=16)] for file in files]
    if len(columns[0]) != len(columns[1]):
        raise ParameterError("files", f"they have {len(columns[0])} and {len(columns[1])} numbers, not equally many")
    return _chosen(known, list(zip(*columns, strict=True)), count, str(files[0]))


def graded_stream(stream: IO[bytes], name: str, multiplier: Multiplier | None, count: int) -> Graded:
    """As `graded`, of one file that is open at its first byte; `name` is for what is wrong with it."""
    start = stream.read(512)
    stream.seek(0)
    if b"limbtrace" in start or any(sets.FORMATS[name].recognises(start) for name in _UNNAMED):
        found = _by_lines(stream, count)
        if found is None:
            stream.seek(0)
            found = _of_reader(sets.read_vectors(stream), count)
        return _matching(found, multiplier, name)
    known = _needed(multiplier)
    return _chosen(known, list(_pairs(_text(stream.read(), name), name, known.model.unary)), count, name)


def _needed(multiplier: Multiplier | None) -> Multiplier:
    if multiplier is None:
        raise ParameterError("prime", "needed, since only vector sets of limbtrace bring their own")
    return multiplier


def _chosen(multiplier: Multiplier, found: list[tuple[int, int]], count: int, name: str) -> Graded:
    if not found:
        raise ParameterError("files", f"{shown(name)} has no operands")
    return Graded(multiplier, _checked(multiplier, found[:count]), len(found) > count)


def _of_reader(reader: VectorReader, count: int) -> Graded:
    """The cases of a vector set of ours."""
    pairs = [(int(case.a), int(case.b)) for _, case in islice(reader.cases(), count + 1)]
    return Graded(reader.multiplier, pairs[:count], len(pairs) > count)


def _matching(found: Graded, multiplier: Multiplier | None, name: str) -> Graded:
    if multiplier is not None and multiplier.identity != found.multiplier.identity:
        raise ParameterError("prime", f"{shown(name)} is of {found.multiplier.title}, not {multiplier.title}")
    return Graded(found.multiplier, _checked(found.multiplier, found.pairs), found.more)


_LAST_OF_HEAD = b'"tests":[\n'
_CASE = re.compile(
    rb'(?:\{"id":"[0-9a-f]{16}","a":"|[0-9a-f]{16},)(?P<a>0x[0-9a-f]+)(?:","b":"|,)(?P<b>0x[0-9a-f]+)[",]'
)
"""The start of a case in a line of JSON or CSV."""


def _by_lines(stream: IO[bytes], count: int) -> Graded | None:
    """The operands of the first `count` cases, each of which has a line of its own, as our writers leave it.

    Nothing else of a case is looked at. None for a file that is anything else, or is cut short.
    """
    first = stream.readline(MAX_LINE)
    try:
        if first.endswith(_LAST_OF_HEAD):
            head = json.loads(first + b"]}]}")
            group = head["testGroups"][0]
        else:
            head = json.loads(first.removeprefix(b"# "))
            group = head["group"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if "format" not in head:
        return None
    if first.startswith(b"# "):
        stream.readline(MAX_LINE)
    reader = VectorReader(head, group, iter(()))
    cases = min(reader.request.count, count)
    if reader.multiplier.model.chain is not None:
        return None
    pairs = []
    for line in islice(iter(lambda: stream.readline(MAX_LINE), b""), cases):
        if (found := _CASE.match(line)) is None:
            return None
        pairs.append((int(found["a"], 16), int(found["b"], 16)))
    return Graded(reader.multiplier, pairs, reader.request.count > cases) if len(pairs) == cases else None


def _checked(multiplier: Multiplier, pairs: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    columns = zip(zip(*pairs, strict=True), multiplier.params.limits, strict=True)
    if multiplier.model.largest_b is None and all(min(seen) >= 0 and max(seen) <= most for seen, most in columns):
        return pairs
    for number, (a, b) in enumerate(pairs):
        try:
            multiplier.model.check_operands(multiplier.params, a, b)
        except ParameterError as error:
            raise ParameterError("files", f"case {number}, from 0 on: {error}") from None
    return pairs


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise DamagedFileError(name, "it is not text") from None


def _pairs(text: str, name: str, unary: bool) -> Iterator[tuple[int, int]]:
    if text.lstrip()[:1] in ("{", "["):
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ParameterError(
                "files", f"{shown(name)} begins like JSON, but cannot be read as such: {error}"
            ) from None
        yield from _members(document, unary)
        return
    yield from ((row[0], 0 if unary else row[1]) for row in _rows(text, 1 if unary else 2))


def _members(value: Any, unary: bool) -> Iterator[tuple[int, int]]:
    """Every object with members a and b, at any depth, in order; texts are hexadecimal, as Wycheproof and ACVP have."""
    if isinstance(value, dict):
        if "a" in value and (unary or "b" in value):
            yield _integer(value["a"]), 0 if unary else _integer(value["b"])
        else:
            for inner in value.values():
                yield from _members(inner, unary)
    elif isinstance(value, list):
        for inner in value:
            yield from _members(inner, unary)


def _integer(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value, 16)
    raise ParameterError("files", f"{shown(str(value))} should be an integer, or hexadecimal digits as a text")


def _rows(text: str, columns: int, base: int | None = None) -> list[tuple[int, ...]]:
    """The numbers in each line: those below the names a and b of the first line, or else the first ones.

    They are hexadecimal with 0x; the others have that base, or without one are decimal unless one of them has letters.
    Comments (`//`, `#`) and addresses of `$readmemh` (`@`) are left out.
    """
    lines = [re.sub(r"//.*|#.*|@[0-9a-fA-F]+", " ", line) for line in text.splitlines()]
    rows = [row for row in ([word for word in re.split(r"[\s,;|]+", line) if word] for line in lines) if row]
    places = list(range(columns))
    if rows and not any(map(_DIGIT.search, rows[0])):
        names = [name.lower() for name in rows.pop(0)]
        if {"a", "b"} <= {*names}:
            places = [names.index(name) for name in ("a", "b")[:columns]]
    for row in rows:
        if len(row) <= max(places) or not all(_NUMBER.fullmatch(row[place]) for place in places):
            raise ParameterError("files", f"{shown(' '.join(row))} should be a line of {columns} numbers")
    chosen = [[row[place] for place in places] for row in rows]
    plain = (word for row in chosen for word in row if not word.lower().startswith("0x"))
    base = base or (16 if any(map(_LETTERS.search, plain)) else 10)
    return [tuple(int(word, 16 if word.lower().startswith("0x") else base) for word in row) for row in chosen]
