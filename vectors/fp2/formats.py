# SPDX-License-Identifier: Apache-2.0
"""The formats of cases in GF(p^2)."""

from collections.abc import Iterator
from typing import IO, Any

from limbtrace.refmodels.fp2 import SEQUENCES
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, csv_with, read_csv, table, write_csv, write_json
from limbtrace.vectors.fp2.request import Fp2Request
from limbtrace.vectors.validation import DamagedFileError, load_json

_FIELDS = ("case", "name", "kind", "x", "y", "result", "value", "product")


def _json(request: Fp2Request) -> Iterator[bytes]:
    return write_json(request.head, "tests", (dump(test) for test in request.tests()))


def _csv(request: Fp2Request) -> Iterator[bytes]:
    """One row per operation."""
    rows = (
        ",".join([test["id"], *(str(operation.get(name, "")) for name in _FIELDS[1:])])
        for test in request.tests()
        for operation in test["operations"]
    )
    return write_csv(request.head, _FIELDS, rows)


def _read_csv(stream: IO[bytes]) -> dict[str, Any]:
    """The JSON document, with the elements as a0, a1, b0 and b1 of the sequence. Raises DamagedFileError."""
    found = read_csv(stream)
    if found.names != ",".join(_FIELDS):
        raise DamagedFileError("line 2", f"the columns are not {','.join(_FIELDS)}")
    return {**found.head, "tests": _cases(found.head, found.rows)}


def _cases(head: dict[str, Any], body: list[list[str]]) -> list[dict[str, Any]]:
    operations = SEQUENCES.get(str(head.get("op")))
    if operations is None:
        raise DamagedFileError("head", f"op is none of {', '.join(SEQUENCES)}")
    tests = []
    for at in range(0, len(body), len(operations)):
        rows = body[at : at + len(operations)]
        if [row[1:3] for row in rows] != [[operation.name, operation.kind] for operation in operations]:
            raise DamagedFileError(f"line {at + 3}", "here a case begins, and these are not its operations")
        if any(len(row) != len(_FIELDS) or row[0] != rows[0][0] for row in rows):
            raise DamagedFileError(f"line {at + 3}", "a row has 8 fields, and all rows of a case its id")
        values: dict[str, str] = {}
        for operation, (_, name, _, x, y, _, value, _) in zip(operations, rows, strict=True):
            for symbol, stated in ((operation.x, x), (operation.y, y)):
                values.setdefault(symbol, stated)
            values[name] = value
        second = {} if head["op"] == "sqr" else {"b": [values["b0"], values["b1"]]}
        tests.append({
            "id": rows[0][0], "a": [values["a0"], values["a1"]], **second, "result": [values["c0"], values["c1"]],
            "operations": [{key: text for key, text in zip(_FIELDS[1:], row[1:], strict=True) if text}
                           for row in rows],
        })  # fmt: skip
    return tests


FORMATS = table(
    Format("json", "application/json", "json", _json, load_json),
    Format("csv", "text/csv", "csv", _csv, _read_csv, csv_with(b"sequence")),
)


def render(request: Fp2Request, format: str) -> Iterator[bytes]:
    """The bytes of a document in one of FORMATS."""
    return FORMATS[format].write(request)
