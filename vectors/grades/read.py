# SPDX-License-Identifier: Apache-2.0
"""Operands in files of any kind: vector sets, JSON with members a and b, columns of text, and memory images."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors import sets
from limbtrace.vectors.request import Multiplier
from limbtrace.vectors.sets.read import MAX_LINE, VectorReader
from limbtrace.vectors.validation import DamagedFileError

DEFAULT_COUNT = 1_000_000
"""Most cases that are graded, unless another number is asked for; they take about a minute."""
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
    if len(files) == 1 and (own := _own(files[0], multiplier, count)) is not None:
        return own
    if multiplier is None:
        raise ParameterError("prime", "needed, since only vector sets of limbtrace bring their own")
    unary = multiplier.model.unary
    if len(files) > (1 if unary else 2):
        raise ParameterError("files", "give one file, or one of each operand")
    if len(files) == 2:
        columns = [[row[0] for row in _rows(_text(file), 1, base=16)] for file in files]
        if len(columns[0]) != len(columns[1]):
            raise ParameterError(
                "files", f"they have {len(columns[0])} and {len(columns[1])} numbers, not equally many"
            )
        found = list(zip(*columns, strict=True))
    else:
        found = list(_pairs(files[0], unary))
    if not found:
        raise ParameterError("files", f"{shown(str(files[0]))} has no operands")
    return Graded(multiplier, _checked(multiplier, found[:count]), len(found) > count)


def _own(file: Path, multiplier: Multiplier | None, count: int) -> Graded | None:
    """The cases of a vector set of ours; None for another file."""
    if not file.is_dir():
        try:
            with file.open("rb") as stream:
                start = stream.read(512)
        except OSError as error:
            raise ParameterError("files", f"{shown(str(file))}: {error.strerror}") from None
        if b"limbtrace" not in start and not sets.FORMATS["readmemh"].recognises(start):
            return None
    found = None if file.is_dir() else _by_lines(file, count)
    if found is None:
        with sets.open_vectors(file) as reader:
            pairs = [(int(case.a), int(case.b)) for _, case in islice(reader.cases(), count + 1)]
            found = Graded(reader.multiplier, pairs[:count], len(pairs) > count)
    if multiplier is not None and multiplier.identity != found.multiplier.identity:
        raise ParameterError("prime", f"{shown(str(file))} is of {found.multiplier.title}, not {multiplier.title}")
    return Graded(found.multiplier, _checked(found.multiplier, found.pairs), found.more)


_LAST_OF_HEAD = b'"tests":[\n'
_CASE = re.compile(
    rb'(?:\{"id":"[0-9a-f]{16}","a":"|[0-9a-f]{16},)(?P<a>0x[0-9a-f]+)(?:","b":"|,)(?P<b>0x[0-9a-f]+)[",]'
)
"""The start of a case in a line of JSON or CSV."""


def _by_lines(file: Path, count: int) -> Graded | None:
    """The operands of the first `count` cases, each of which has a line of its own, as our writers leave it.

    Nothing else of a case is looked at. None for a file that is anything else, or is cut short.
    """
    with file.open("rb") as stream:
        first = stream.readline(MAX_LINE)
        try:
            if first.endswith(_LAST_OF_HEAD):
                head = json.loads(first + b"]}]}")
                group = head["testGroups"][0]
            else:
                head = json.loads(first.removeprefix(b"# "))
                group = head["group"]
        except (ValueError, KeyError, RecursionError):
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


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ParameterError("files", f"{shown(str(file))}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DamagedFileError(str(file), "it is not text") from None


def _pairs(file: Path, unary: bool) -> Iterator[tuple[int, int]]:
    text = _text(file)
    if text.lstrip()[:1] in ("{", "["):
        try:
            document = json.loads(text)
        except ValueError as error:
            raise ParameterError(
                "files", f"{shown(str(file))} begins like JSON, but cannot be read as such: {error}"
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
