# SPDX-License-Identifier: Apache-2.0
"""Checks of documents: a truncated or edited file is rejected with the place of the fault.

A value is compared with its type (`shaped`), and the head of a document with the head that its writer would write
(`check_members`, `check_head`); the format has no other definition.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import zip_longest
from pathlib import Path
from typing import IO, Annotated, Any, Literal, TypeVar

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.model import step_label
from limbtrace.vectors.document import SENTENCES, Int, Otherwise, Shape, adapter, member
from limbtrace.vectors.encoding import FORMAT, dump, parse_hexadecimal
from limbtrace.vectors.request import Multiplier

_Shape = TypeVar("_Shape", bound=Shape)
_T = TypeVar("_T")
_AS_TEXT = Otherwise("it is written as text or as an integer, not {}", damage=False)


class DamagedFileError(ParameterError):
    """A damaged document; `place` is the first inconsistent place."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__("file", f"{place}: {reason}")
        self.place = place


def shaped(shape: type[_Shape], value: Any, place: str = "", spot: str = "", closed: str = "") -> _Shape:
    """A value of a document, checked against its type.

    `spot` is the place of all of its contents; without one it is the member of `place`. With `closed`, the name of the
    object in the error, members that are not in the type are rejected. Raises DamagedFileError or ParameterError with
    the place.
    """
    findings: list[dict[str, Any]] = []
    try:
        found = _validated(shape.model_validate, value)
    except ValueError as error:
        findings = error.errors(include_url=False)  # type: ignore[attr-defined]
        findings.sort(key=lambda finding: finding["type"] != "missing")  # what is missing comes first
    if findings and findings[0]["type"] == "missing":
        raise _refusal(findings[0], place, spot)
    if closed:
        check_closed(shape, value, place, closed)
    if findings:
        raise _refusal(findings[0], place, spot)
    return found


def check_closed(shape: type[Shape], value: Any, place: str, closed: str) -> None:
    """Raises DamagedFileError for a member that is not in the type; `closed` names the object."""
    surplus = [name for name in value if name not in shape.names()] if isinstance(value, dict) else []
    if surplus:
        raise DamagedFileError(place, f"{closed} has no member {shown(surplus[0])}")


def _validated(validate: Callable[[Any], _T], value: Any) -> _T:
    """Raises pydantic.ValidationError.

    Where a signal arrives inside of pydantic, that takes the exception of its handler for a wrong value; then the same
    value is right a moment later, and KeyboardInterrupt is raised.
    """
    try:
        return validate(value)
    except ValueError:
        validate(value)
    raise KeyboardInterrupt


def typed(kind: Any, value: Any, spot: str) -> Any:
    """A part of a document, checked against a type; `spot` is its place. Raises DamagedFileError or ParameterError."""
    try:
        return adapter(kind).validate_python(value)
    except ValueError as error:
        found = error.errors(include_url=False)[0]  # type: ignore[attr-defined]
        raise _refusal({**found, "loc": (spot, *found["loc"])}, "", spot) from None


def _refusal(found: dict[str, Any], place: str, spot: str = "") -> ParameterError:
    """The error about a value, from pydantic's first finding."""
    kind, where = found["type"], found["loc"]
    name = str(where[0]) if where else ""
    spot = spot or ", ".join(filter(None, (place, name)))
    if kind in SENTENCES:
        sentence = found["msg"].replace("{}", shown(found["input"]))
        if kind == "value":
            return ParameterError(spot, sentence)
        return DamagedFileError(spot if kind == "damage" else place or name, sentence)
    if kind == "missing":
        if not place:
            return ParameterError(", ".join(map(str, where)), "the document does not say it")
        return DamagedFileError(place, f"it has no {where[-1]}")
    if not where:
        return DamagedFileError(place, "it is no object")
    if kind == "list_type" and len(where) == 1:
        return DamagedFileError(place or name, f"{name if place else 'it'} is no list")
    return DamagedFileError(spot, f"{shown(found['input'])} is no {_NOUNS.get(kind, 'such value')}")


_NOUNS = {"int_type": "integer", "list_type": "list", "dict_type": "object", "dataclass_type": "object"}
"""The expected type or value, for a finding of pydantic."""


class PrimeName(Shape):
    """A modulus as a document may give it: by number, by name, or by both."""

    modulus: str | Int | None = member(default=None)
    name: str | Int | None = member(default=None)


class MultiplierName(Shape):
    """The ways in which a document may name its multiplier; users' documents may differ from ours."""

    format: Annotated[Literal["limbtrace/1"], Otherwise(f"{{}} is not {FORMAT}", damage=False)] = member(default=FORMAT)
    model: Annotated[str, Otherwise("it is written as the id of a model, not {}", damage=False)]
    prime: Annotated[
        str | Int | PrimeName | None,
        Otherwise("it is written as a name, an expression or an object with the modulus", damage=False),
    ]
    radix: Annotated[str | Int | None, _AS_TEXT] = member(default=None)
    params: Annotated[dict[str, str | Int], Otherwise("it is written as an object of names and integers", damage=False)]
    form: Annotated[str | Int | None, _AS_TEXT] = member(default=None)


def document_multiplier(document: dict[str, Any]) -> Multiplier:
    """The multiplier of a document: model, prime, radix, params and form. Raises ParameterError."""
    said = {name: value for name, value in document.items() if name != "model" or value is not None}
    named = shaped(MultiplierName, {**said, "params": document.get("params") or {}})
    settings: dict[str, str | int] = dict(named.params)
    settings |= {name: value for name, value in (("radix", named.radix), ("form", named.form)) if value is not None}
    if not isinstance(named.prime, PrimeName):
        return Multiplier.resolve(named.model, named.prime, settings)
    prime, name = named.prime.modulus, named.prime.name
    multiplier = Multiplier.resolve(named.model, name if prime is None else prime, settings)
    if name is None and "name" in document["prime"]:
        return multiplier.unnamed
    if name not in (None, multiplier.modulus.name):
        # Two catalogue names may share a modulus: keep the one that the document uses.
        of_name = Multiplier.resolve(named.model, name, settings)
        if of_name.modulus.modulus != multiplier.modulus.modulus:
            raise ParameterError("prime", f"{shown(of_name.modulus.name)} has another modulus than the one beside it")
        return of_name
    return multiplier


def check_members(seen: dict[str, Any], golden: dict[str, Any], place: str) -> None:
    """Raises DamagedFileError if a member is missing in `golden` or has a different value there."""
    for name, value in seen.items():
        if name not in golden:
            raise DamagedFileError(place, f"it has no member {shown(name)}")
        if dump(value) != dump(golden[name]):
            raise DamagedFileError(place, _difference(name, value, golden[name]))


def _difference(name: str, seen: Any, golden: Any) -> str:
    """The innermost difference of two values of a member, as a sentence."""
    parts: list[tuple[str, Any, Any]] = []
    if isinstance(seen, dict) and isinstance(golden, dict):
        for key in seen:
            if key not in golden:
                return f"{name} has no member {shown(key)}"
        for key in golden:
            if key not in seen:
                return f"{name}.{key} is missing"
        parts = [(f"{name}.{key}", seen[key], value) for key, value in golden.items()]
    elif isinstance(seen, list) and isinstance(golden, list) and len(seen) == len(golden):
        parts = [(f"{name}[{k}]", *pair) for k, pair in enumerate(zip(seen, golden, strict=True))]
    for part in parts:
        if dump(part[1]) != dump(part[2]):
            return _difference(*part)
    return f"{name} is {dump(seen)[:80]}, and {dump(golden)[:80]} belongs there"


def paired_steps(
    golden: Iterable[tuple[str, tuple[int, ...], int]], seen: Any, where: str
) -> Iterator[tuple[str, list[Any], int, int]]:
    """(place, [name, index], golden value, seen value) of every step of a trace, the member `where` of a document.

    Raises DamagedFileError for steps that are not those of the model.
    """
    if not isinstance(seen, list):
        raise DamagedFileError(where, "it is no list")
    for position, (expected, found) in enumerate(zip_longest(golden, seen)):
        place = f"{where}[{position}]"
        if expected is None:
            raise DamagedFileError(place, "the trace ends before this step: something was added")
        name, index, value = expected
        label = step_label(name, index)
        if position >= len(seen):
            raise DamagedFileError(place, f"{label} is missing: the trace was cut short")
        if not isinstance(found, list) or found[:2] != [name, list(index)] or len(found) != 3:
            raise DamagedFileError(place, f"{label} comes there, not {shown(found)}")
        yield place, [name, list(index)], value, parse_hexadecimal(found[2], place)


@contextmanager
def open_file(path: Path) -> Iterator[BufferedReader]:
    """A file for reading; raises ParameterError("file") if it cannot be opened."""
    if path.exists() and not path.is_file():
        raise ParameterError("file", f"{path} is no regular file, and is read more than once")
    try:
        stream = path.open("rb")
    except OSError as error:
        raise ParameterError("file", f"{path} cannot be read: {error.strerror}") from None
    with stream:
        yield stream


def load_json(stream: IO[bytes]) -> dict[str, Any]:
    """A JSON document. Raises DamagedFileError with line and column."""
    try:
        document = json.load(stream)
    except json.JSONDecodeError as error:
        raise DamagedFileError(
            f"line {error.lineno}, column {error.colno}", "this is no JSON: the file was cut short or edited"
        ) from None
    except (UnicodeDecodeError, RecursionError, ValueError):
        raise DamagedFileError("the file", "this is no JSON text") from None
    if not isinstance(document, dict):
        raise DamagedFileError("the document", "it is no JSON object")
    return document


def check_head(document: dict[str, Any], golden: dict[str, Any], content: tuple[str, ...]) -> None:
    """Checks that the members of a document outside of its `content` are right; members may be missing.

    Members that name the multiplier may be written in other ways than ours; resolving it has checked them.
    """
    seen = {name: value for name, value in document.items() if name not in content}
    if isinstance(seen.get("constants"), dict):
        check_members(seen.pop("constants"), golden["constants"], "constants")
    if isinstance(prime := seen.get("prime"), dict):
        said = {name: value for name, value in prime.items() if name != "modulus" and (name, value) != ("name", None)}
        check_members(said, golden["prime"], "prime")
    resolved = {name: seen.get(name) for name in _RESOLVED if name in golden}
    check_members(seen, {**golden, **resolved}, "the document")


_RESOLVED = ("format", "model", "core", "form", "prime", "radix", "params")
"""Members by which a document names its multiplier."""


def csv_row(line: str, place: str) -> list[str]:
    """The fields of one line of CSV. Raises DamagedFileError."""
    try:
        return next(csv.reader([line]))
    except (csv.Error, StopIteration):
        raise DamagedFileError(place, "this is no row of CSV") from None
