# SPDX-License-Identifier: Apache-2.0
"""Reading back cases in GF(p^2). Only the structure is checked here.

`vectors.fp2.verify` checks the values with our models, `vectors.certificate` with SageMath.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from refmodels.errors import shown
from refmodels.fp2 import SEQUENCES, Element, Operation
from vectors.fp2.document import Fp2Operation, Pair
from vectors.fp2.formats import FORMATS
from vectors.fp2.request import Fp2Request
from vectors.reading import DamagedFileError, check_head, document_multiplier, open_file, shaped, typed

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
        self.request = Fp2Request.of(multiplier, op, pairs)
        check_head(document, self.request.head, ("tests", "seed", "kind", *judged))
        self.stated = document

    def cases(self) -> Iterator[SeenCase]:
        """Raises DamagedFileError for an inconsistent case."""
        request = self.request
        for k, (test, (a, b)) in enumerate(zip(self._tests, request.pairs, strict=True)):
            place, operations, sequence = f"tests[{k}]", test.get("operations"), SEQUENCES[request.op]
            if not isinstance(operations, list) or len(operations) != len(sequence):
                raise DamagedFileError(place, f"it has not the {len(sequence)} operations of {request.op}")
            if test.get("id") != request.case_id(a, b):
                raise DamagedFileError(place, "the id is not that of these operands: something was edited")
            seen = [
                _operation(operation, stated, f"{place}.{operation.name}")
                for operation, stated in zip(sequence, operations, strict=True)
            ]
            yield SeenCase(place, test["id"], a, b, _element(test, "result", place), seen)


def _operation(operation: Operation, stated: Any, place: str) -> SeenOperation:
    """Raises DamagedFileError for an operation that is not the next one of the sequence."""
    if not isinstance(stated, dict) or (stated.get("name"), stated.get("kind")) != (operation.name, operation.kind):
        raise DamagedFileError(place, f"{operation.kind} {operation.name} comes there, not {shown(stated)}")
    found = shaped(Fp2Operation, {**dict.fromkeys(VALUES), **stated}, place, place)
    x, y, result, value = (int(getattr(found, name), 16) for name in VALUES)
    return SeenOperation(place, operation, x, y, result, value, found.product)


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
