# SPDX-License-Identifier: Apache-2.0
"""Reading back cases in GF(p^2). Only the structure is checked here.

`limbtrace.vectors.fp2.verify` checks the values with our models, `limbtrace.vectors.certificate` with SageMath.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from limbtrace.refmodels.errors import shown
from limbtrace.refmodels.fp2 import PRODUCT, SEQUENCES, Element, Operation
from limbtrace.vectors.document import Int
from limbtrace.vectors.fp2.document import Fp2Case, Fp2Operation, Pair
from limbtrace.vectors.fp2.formats import FORMATS
from limbtrace.vectors.fp2.request import Fp2Request
from limbtrace.vectors.validation import (
    DamagedFileError,
    check_closed,
    check_members,
    document_multiplier,
    open_file,
    shaped,
    typed,
)

VALUES = ("x", "y", "result", "value")
"""Members of an operation that are values."""


class SeenOperation(NamedTuple):
    """An operation with its values as given in the file."""

    place: str
    operation: Operation
    x: int
    y: int
    result: int
    value: int
    product: Any
    """Stated id of the case in the base field."""
    steps: Any
    """Stated trace of the product, None if there is none; nothing of it is checked."""

    def check_product(self, expected: str | None) -> None:
        """Raises DamagedFileError for a different id."""
        if self.product != expected:
            raise DamagedFileError(
                self.place, f"the id of the product is {shown(self.product)}, and {expected} belongs there"
            )


class SeenCase(NamedTuple):
    """A case; a square has b = a."""

    place: str
    id: str
    a: Element
    b: Element
    result: Element
    operations: list[SeenOperation]


class Fp2Reader:
    """A document: `request` has its multiplier and operands, `stated` its head, and `cases` the stated cases."""

    def __init__(self, document: dict[str, Any], judged: tuple[str, ...] = ()) -> None:
        """Members of the head in `judged` may have any value. Raises ParameterError, DamagedFileError."""
        multiplier, tests, op = document_multiplier(document), document.get("tests"), document.get("op")
        if not isinstance(tests, list) or not tests or not all(isinstance(test, dict) for test in tests):
            raise DamagedFileError("tests", "it is no list of cases")
        self._tests = tests
        second = "a" if op == "sqr" else "b"
        pairs = [(_element(test, "a", f"tests[{k}]"), _element(test, second, f"tests[{k}]"))
                 for k, test in enumerate(tests)]  # fmt: skip
        drawn = {name: typed(kind | None, document.get(name), name) for name, kind in (("seed", Int), ("kind", str))}
        products = [entry for test in tests for entry in _objects(test) if entry.get("kind") == PRODUCT]
        traced = sum("steps" in entry for entry in products)  # all or none, unless something was edited
        self.request = replace(Fp2Request.of(multiplier, op, pairs), drawn=drawn, steps=2 * traced > len(products))
        self.stated = document
        self._check_head({name: document[name] for name in judged if name in document})

    def _check_head(self, judged: dict[str, Any]) -> None:
        """Also the ids of the cases: that of the document follows from them, and would be named for each of them."""
        golden = {**self.request.head, **judged}
        stated = {name: value for name, value in self.stated.items() if name != "tests"}
        check_members({name: value for name, value in stated.items() if name != "id"}, golden, "head")
        for name in golden:
            if name not in stated:
                raise DamagedFileError("head", f"{name} is missing")
        for k, (test, (a, b)) in enumerate(zip(self._tests, self.request.pairs, strict=True)):
            if test.get("id") != self.request.case_id(a, b):
                raise DamagedFileError(f"tests[{k}]", "the id is not that of these operands: something was edited")
        check_members({"id": stated["id"]}, golden, "head")

    def check_drawn(self) -> None:
        """Raises DamagedFileError, or ParameterError, if seed and kind do not draw the operands."""
        request, drawn = self.request, self.request.drawn or {}
        if set(drawn.values()) <= {None}:
            return
        wanted = Fp2Request.resolve(request.multiplier, request.op, count=len(request.pairs), **drawn)
        check_members(drawn, wanted.head, "head")
        if wanted.pairs != request.pairs:
            raise DamagedFileError("head", "seed and kind do not draw the operands of these cases")

    def cases(self) -> Iterator[SeenCase]:
        """Raises DamagedFileError for an inconsistent case."""
        request = self.request
        for k, (test, (a, b)) in enumerate(zip(self._tests, request.pairs, strict=True)):
            place, operations, sequence = f"tests[{k}]", test.get("operations"), SEQUENCES[request.op]
            check_closed(Fp2Case, test, place, "a case")
            if request.op == "sqr" and test.get("b") is not None:
                raise DamagedFileError(place, "a square has no b")
            if not isinstance(operations, list) or len(operations) != len(sequence):
                raise DamagedFileError(place, f"it has not the {len(sequence)} operations of {request.op}")
            seen = [
                _operation(operation, stated, f"{place}.{operation.name}", request.steps)
                for operation, stated in zip(sequence, operations, strict=True)
            ]
            yield SeenCase(place, test["id"], a, b, _element(test, "result", place), seen)


def _objects(test: dict[str, Any]) -> list[dict[str, Any]]:
    """The operations of a case, as far as they are any."""
    operations = test.get("operations")
    return [entry for entry in operations if isinstance(entry, dict)] if isinstance(operations, list) else []


def _operation(operation: Operation, stated: Any, place: str, steps: bool) -> SeenOperation:
    """`steps`: products have traces. Raises DamagedFileError for an operation that is not the next of the sequence."""
    if not isinstance(stated, dict) or (stated.get("name"), stated.get("kind")) != (operation.name, operation.kind):
        raise DamagedFileError(place, f"{operation.kind} {operation.name} comes there, not {shown(stated)}")
    trace = stated.get("steps")
    rest = {**dict.fromkeys(VALUES), **{name: value for name, value in stated.items() if name != "steps"}}
    found = shaped(Fp2Operation, rest, place, closed="an operation")
    if (trace is not None) != (steps and operation.kind == PRODUCT):
        raise DamagedFileError(place, f"it has {'no' if trace is None else 'the member'} steps")
    x, y, result, value = (int(getattr(found, name), 16) for name in VALUES)
    return SeenOperation(place, operation, x, y, result, value, found.product, trace)


def _element(test: dict[str, Any], name: str, place: str) -> Element:
    """x0 and x1 of an element of a case in GF(p^2). Raises DamagedFileError, ParameterError."""
    x0, x1 = typed(Pair, test.get(name), f"{place}.{name}")
    return int(x0, 16), int(x1, 16)


_HEAD = re.compile(rb'"field"\s*:\s*\{\s*"name"\s*:\s*"fp2"')
_START = 4096
"""Number of bytes within which the head of a limbtrace document begins."""


def fp2_document(path: Path) -> dict[str, Any] | None:
    """The document in a file in either format; None if the file is something else. Raises DamagedFileError."""
    if path.is_dir():
        return None
    with open_file(path) as stream:
        start = stream.read(_START)
        if not _HEAD.search(start):
            return None
        stream.seek(0)
        form = next((form for form in FORMATS.values() if form.recognises(start)), FORMATS["json"])
        assert form.read is not None
        document: dict[str, Any] = form.read(stream)
        return document
