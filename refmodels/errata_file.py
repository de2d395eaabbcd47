# SPDX-License-Identifier: Apache-2.0
"""The errata of a paper: texts and numbers are in its file errata.toml, functions in its module `errata`."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from fractions import Fraction
from importlib.resources import files
from typing import Any, NamedTuple, TypedDict, TypeVar

from limbtrace.refmodels.erratum import (
    STANDINGS,
    AnyErratum,
    CircuitErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OnCore,
    OperationErratum,
    StatementErratum,
    TextErratum,
    Witness,
)
from limbtrace.refmodels.errors import shown
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.refmodels.figures import Figures
from limbtrace.refmodels.model import Claim, Index, Limit, Model, Run, at_most
from limbtrace.refmodels.paper import Paper

FILE, MODULE = "errata.toml", "errata.py"

_Found = TypeVar("_Found")

_CLAIM = "claim"
_KINDS: Mapping[str, type[AnyErratum]] = {
    "form": Erratum,
    _CLAIM: Erratum,
    "formula": FormulaErratum,
    "operation": OperationErratum,
    "figure": FigureErratum,
    "statement": StatementErratum,
    "circuit": CircuitErratum,
    "text": TextErratum,
}
"""Classes by what the documents call a kind of erratum."""

ErratumCondition = Callable[[Run, Index, int], bool]
"""(run, subscripts, value) -> whether a claim is true of a step, or of the result."""


class Executable(TypedDict, total=False):
    """The fields of an entry that are not in the file: functions, and values that take a function to write."""

    holds: ErratumCondition
    """The condition of the entry's claim, unless it is a limit."""
    limit: Limit[Any]
    """The largest value of the step that the claim is about."""
    a: int
    b: int
    witnesses: tuple[Witness, ...]
    as_printed: Callable[[str, int], int] | Callable[[OnCore], int]
    as_corrected: Callable[[str, int], int]
    found: Callable[[], int]
    worked_out: Callable[[Figures], Mapping[str, Fraction]]
    flaw: str


def read_errata(paper: Paper, executable: Mapping[str, Executable]) -> tuple[AnyErratum, ...]:
    """The errata of a paper, in the order of its file; `executable` has further fields by the ids of entries.

    Raises ValueError, which names the file and the entry, for an id that only `executable` has, an unknown key, a field
    that is missing or given twice, and a value that its field does not take.
    """
    try:
        tables = _tables((files(paper.package) / FILE).read_bytes())
        for id in executable:
            if id not in tables:
                raise ValueError(f"{id}: {MODULE} has this entry, and the file does not")
        return tuple(_entry(paper, id, table, executable.get(id, {})) for id, table in tables.items())
    except ValueError as error:
        raise ValueError(f"{paper.package.replace('.', '/')}/{FILE}: {error}") from error


def _tables(text: bytes) -> dict[str, Mapping[str, Any]]:
    """The table of every entry, by id."""
    document = tomllib.loads(text.decode())
    listed = document.pop("erratum", None)
    if document or not isinstance(listed, list) or not all(isinstance(table, dict) for table in listed):
        raise ValueError("it must have tables [[erratum]], and nothing else")
    tables: dict[str, Mapping[str, Any]] = {}
    for number, table in enumerate(listed, 1):
        id = table.get("id")
        if not isinstance(id, str):
            raise ValueError(f"entry {number} has no id")
        if id in tables:
            raise ValueError(f"{id}: there are two entries with this id")
        tables[id] = table
    return tables


def _entry(paper: Paper, id: str, table: Mapping[str, Any], executable: Executable) -> AnyErratum:
    """The object of an entry."""
    try:
        kind = table.get("kind")
        if not isinstance(kind, str) or kind not in _KINDS:
            raise ValueError(f"kind: {shown(kind)} is not one of {', '.join(_KINDS)}")
        given = {name: value for name, value in table.items() if name != "kind"}
        _check_names(kind, given, executable)
        return _entry_of_kind(paper, kind, given, executable)
    except ValueError as error:
        raise ValueError(f"{id}: {error}") from error


def _required(kind: str) -> dict[str, bool]:
    """The fields that entries of a kind may have, and whether they must; all have the figures of their paper."""
    required = {field.name: field.default is MISSING for field in fields(_KINDS[kind]) if field.name != "figures"}
    if kind == _CLAIM:
        return {**required, _CLAIM: True}
    required.pop(_CLAIM, None)
    return required


def _check_names(kind: str, given: Mapping[str, Any], executable: Executable) -> None:
    """Check that file and module together give the fields of a kind, each once."""
    required = _required(kind)
    for name in given:
        if name not in required or name not in _READERS:
            raise ValueError(f"{name}: kind {kind} has no such key")
        if name in executable:
            raise ValueError(f"{name}: {MODULE} gives it, too")
    of_claim = executable.keys() & {"holds", "limit"}
    for name in executable:
        if name not in required and not (name in of_claim and kind == _CLAIM):
            raise ValueError(f"{name}: {MODULE} gives it, and kind {kind} has no such field")
    for name, needed in required.items():
        if needed and name not in given and name not in executable:
            raise ValueError(f"{name}: it is missing" + ("" if name in _READERS else f" in {MODULE}"))
    if kind == _CLAIM and len(of_claim) != 1:
        raise ValueError(f"{_CLAIM}: {MODULE} must give either holds or limit")


class _Scope(NamedTuple):
    """Objects that the values of an entry may refer to."""

    paper: Paper
    names: Mapping[str, int]
    """Names in integer expressions: the modulus, once that is known."""


def _entry_of_kind(paper: Paper, kind: str, given: Mapping[str, Any], executable: Mapping[str, Any]) -> AnyErratum:
    """The object of an entry with these keys."""
    modulus = {"modulus": parse_integer(given["modulus"], "modulus")} if "modulus" in given else {}
    scope = _Scope(paper, modulus)
    values = {name: _READERS[name](name, value, scope) for name, value in given.items()}
    values.update(executable)
    if kind == _CLAIM:
        values[_CLAIM] = _claim(values[_CLAIM], values.pop("holds", None), values.pop("limit", None))
    if "figures" in {field.name for field in fields(_KINDS[kind])}:
        values["figures"] = paper.figures
    return _KINDS[kind](**values)


def _claim(texts: Mapping[str, str], holds: ErratumCondition | None, limit: Limit[Any] | None) -> Claim:
    """The claim with these texts, about a step or the result, by its condition or its limit."""
    step, about = texts.get("step"), (texts["statement"], texts["reference"])
    if holds is not None:
        return Claim("printed", *about, step, holds)
    if limit is None or step is None:
        raise ValueError(f"{_CLAIM}.step: a limit is one of a step")
    return at_most(step, *about, limit)


def _text(name: str, value: object, _: _Scope) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name}: {shown(value)} is no text")
    return value


def _standing(name: str, value: object, _: _Scope) -> str:
    if not isinstance(value, str) or value not in STANDINGS:
        raise ValueError(f"{name}: {shown(value)} is not one of {', '.join(STANDINGS)}")
    return value


def _integer(name: str, value: Any, scope: _Scope) -> int:
    """An integer, or an expression in text form."""
    return parse_integer(value, name, scope.names)


def _models(name: str, value: object, scope: _Scope) -> tuple[Model, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"{name}: {shown(value)} is no list of models")
    return tuple(_looked_up(name, scope.paper.models, id) for id in value)


def _looked_up(name: str, entries: Mapping[str, _Found], id: object) -> _Found:
    """An entry of the paper by its id."""
    if not isinstance(id, str) or id not in entries:
        raise ValueError(f"{name}: there is no {shown(id)} in the paper; there is {', '.join(entries)}")
    return entries[id]


def _settings(name: str, value: object, _: _Scope) -> Mapping[str, int | str]:
    if not isinstance(value, dict) or not all(type(setting) in (int, str) for setting in value.values()):
        raise ValueError(f"{name}: {shown(value)} is no table of integers and texts")
    return value


def _pairs(name: str, value: object) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        raise ValueError(f"{name}: {shown(value)} is no list of pairs")
    return value


def _operands(name: str, value: object, scope: _Scope) -> tuple[tuple[int, int], ...]:
    return tuple((_integer(name, a, scope), _integer(name, b, scope)) for a, b in _pairs(name, value))


def _units(name: str, value: object, scope: _Scope) -> tuple[tuple[str, int], ...]:
    return tuple((_text(name, code, scope), _integer(name, bits, scope)) for code, bits in _pairs(name, value))


def _product(name: str, value: object, scope: _Scope) -> OnCore:
    table = _table(name, value, OnCore._fields)
    modulus = parse_integer(table["modulus"], f"{name}.modulus")
    scope = scope._replace(names={"modulus": modulus})
    return OnCore(
        _looked_up(f"{name}.architecture", scope.paper.architectures, table["architecture"]),
        modulus,
        _settings(f"{name}.settings", table["settings"], scope),
        *(_integer(f"{name}.{operand}", table[operand], scope) for operand in ("a", "b")),
    )


def _claim_texts(name: str, value: object, scope: _Scope) -> Mapping[str, str]:
    table = _table(name, value, ("statement", "reference"), ("step",))
    return {key: _text(f"{name}.{key}", text, scope) for key, text in table.items()}


def _table(name: str, value: object, required: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """A table within an entry, with its keys checked."""
    if not isinstance(value, dict):
        raise ValueError(f"{name}: {shown(value)} is no table")
    for key in value:
        if key not in (*required, *optional):
            raise ValueError(f"{name}.{key}: there is no such key, only {', '.join((*required, *optional))}")
    for key in required:
        if key not in value:
            raise ValueError(f"{name}.{key}: it is missing")
    return value


_READERS: Mapping[str, Callable[[str, Any, _Scope], Any]] = {
    **dict.fromkeys(("id", "place", "quote", "printed", "corrected", "quantity", "operation"), _text),
    **dict.fromkeys(("modulus", "a", "b", "promised"), _integer),
    "standing": _standing,
    "models": _models,
    "settings": _settings,
    "others": _operands,
    "units": _units,
    "product": _product,
    _CLAIM: _claim_texts,
}
"""Reads a value of the file, by its key; what is not here takes code."""
