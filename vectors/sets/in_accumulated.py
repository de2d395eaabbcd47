# SPDX-License-Identifier: Apache-2.0
"""A vector set as two hashes, without its cases: SHAKE128 over all operands, and over all results.

As the accumulated tests of CCTV, it lets any number of cases be compared by a program that draws the same operands. A
number has the bytes of the largest one in its place, low byte first.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, json_with
from limbtrace.vectors.sets.cases import Case
from limbtrace.vectors.sets.read import VectorReader
from limbtrace.vectors.sets.vector_set import VectorSet
from limbtrace.vectors.validation import DamagedFileError, check_members, load_json

HASH, BYTES = "SHAKE128", 32
"""The hash, and how many bytes of it are written."""


def check(vectors: VectorSet) -> None:
    """Raises ParameterError for checkpoints of chains."""
    if vectors.request.checkpoints:
        raise ParameterError("checkpoints", "hashes are made of operands and results alone")


@dataclass
class _Accumulated:
    """The hashes of the cases that were added."""

    vectors: VectorSet
    inputs: Any = field(default_factory=hashlib.shake_128)
    outputs: Any = field(default_factory=hashlib.shake_128)

    @property
    def sizes(self) -> list[int]:
        """Bytes of a, b and the result; of a alone and the result, for a model without a b."""
        m = self.vectors.request.multiplier
        limits = (*m.params.limits[: 2 if "b" in m.model.operands else 1], m.params.result_limit - 1)
        return [max(-(-int(limit).bit_length() // 8), 1) for limit in limits]

    def add(self, cases: Iterable[Case]) -> Iterator[Case]:
        """The cases as they come, which are added."""
        *sizes, last = self.sizes
        for case in cases:
            for value, size in zip((case.a, case.b), sizes, strict=False):
                self.inputs.update(int(value).to_bytes(size, "little"))
            self.outputs.update(int(case.result).to_bytes(last, "little"))
            yield case

    @property
    def document(self) -> dict[str, Any]:
        """The document."""
        return {
            "accumulated": HASH,
            "bytes": self.sizes,
            "cases": self.vectors.request.count,
            "inputs": self.inputs.hexdigest(BYTES),
            "outputs": self.outputs.hexdigest(BYTES),
            "head": {**self.vectors.head, "notes": self.vectors.every_note},
            "multiplier": self.vectors.group,
        }


def write(vectors: VectorSet) -> Iterator[bytes]:
    """The chunks of the file."""
    accumulated = _Accumulated(vectors)
    for number, _ in enumerate(accumulated.add(vectors.cases()), 1):
        vectors.made = number
        yield b""
    yield (dump(accumulated.document) + "\n").encode()


def read(stream: IO[bytes]) -> VectorReader:
    """A vector set from a file; its cases are made again. Raises DamagedFileError if their hashes are others."""
    document = load_json(stream)
    head, group = document.get("head"), document.get("multiplier")
    if not isinstance(head, dict) or not isinstance(group, dict):
        raise DamagedFileError("head", "this is not the head of a vector set")

    def entries() -> Iterator[tuple[str, Case]]:
        accumulated = _Accumulated(reader.vectors)
        for number, case in enumerate(accumulated.add(accumulated.vectors.cases())):
            yield f"case {number}", case
        right = {**accumulated.document, "head": None, "multiplier": None}
        for name in ("inputs", "outputs"):
            if document.get(name) != right[name]:
                raise DamagedFileError(name, f"{shown(str(document.get(name)))} is not the hash over these cases")
        seen = {"document": {**document, "head": None, "multiplier": None}}
        check_members(seen, {"document": right}, "the file")

    reader = VectorReader(head, group, entries(), every_note=True)
    return reader


FORMAT = Format("accumulated", "application/json", "json", write, read, json_with(b'{"accumulated":'), check)
