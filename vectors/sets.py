# SPDX-License-Identifier: Apache-2.0
"""Cases: operands with results, ids that follow from the content, and flags that say why a case is worth having."""

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from vectors.operands import operands
from vectors.request import Multiplier, VectorRequest
from vectors.wire import FORMAT, LICENSE, dump, hexadecimal

NOTES = {
    "ZeroOperand": "An operand is 0; the result must be 0.",
    "LazyOperand": "An operand is not below the modulus, which the model accepts and a core may not.",
    "NotReduced": "The result is not below the modulus: the algorithm returns it without a final subtraction.",
    "QuotientZero": "No multiple of the modulus is added: every quotient digit is 0.",
    "QuotientMaximal": "Every quotient digit has its largest value.",
}


class Case(NamedTuple):
    """One product; `residue` is the result modulo the modulus."""

    id: str
    a: int
    b: int
    result: int
    residue: int
    flags: tuple[str, ...]
    comment: str

    def line(self) -> str:
        """The case as compact JSON, the form in which the digest of a set sees it."""
        flags = dump(list(self.flags)) if self.flags else "[]"
        comment = dump(self.comment) if self.comment else '""'
        return (
            f'{{"id":"{self.id}","a":"{self.a:#x}","b":"{self.b:#x}","result":"{self.result:#x}",'
            f'"residue":"{self.residue:#x}","flags":{flags},"comment":{comment}}}'
        )


class CaseMaker:
    """Cases of one multiplier from operands."""

    def __init__(self, multiplier: Multiplier) -> None:
        self.multiplier = multiplier
        self._hash = hashlib.sha256(multiplier.identity.encode())
        domain = multiplier.params.domain
        self._r_bits = domain.bit_length() - 1 if domain is not None else None
        self._widest = (domain - 1) * multiplier.modulus.modulus if domain is not None else 0

    def case_id(self, a: int, b: int) -> str:
        """Id of a case: a hash of everything that determines it."""
        content = self._hash.copy()
        content.update(f"|{a:x}|{b:x}".encode())
        return content.hexdigest()[:16]

    def flags(self, a: int, b: int, result: int) -> tuple[str, ...]:
        """The notes that apply, in the order of NOTES."""
        p = self.multiplier.modulus.modulus
        flags = []
        if a == 0 or b == 0:
            flags.append("ZeroOperand")
        if a >= p or b >= p:
            flags.append("LazyOperand")
        if result >= p:
            flags.append("NotReduced")
        if self._r_bits is not None:
            multiple = (result << self._r_bits) - a * b
            if multiple == 0:
                flags.append("QuotientZero")
            elif multiple == self._widest:
                flags.append("QuotientMaximal")
        return tuple(flags)

    def case(self, a: int, b: int, comment: str = "", result: int | None = None) -> Case:
        """The case of these operands; `result` where it is known already."""
        m = self.multiplier
        if result is None:
            result = m.model.result(m.params, a, b)
        residue = result % m.modulus.modulus
        return Case(self.case_id(a, b), a, b, result, residue, self.flags(a, b, result), comment)


class VectorSet:
    """The cases of a request; they are made as they are asked for and never kept."""

    def __init__(self, request: VectorRequest) -> None:
        self.request = request
        self.maker = CaseMaker(request.multiplier)

    @property
    def group(self) -> dict[str, Any]:
        """Head of the test group: model, modulus, parameters, constants, ranges, domain."""
        m = self.request.multiplier
        a_max, b_max = m.params.limits
        domain = m.params.domain
        return {
            **m.head,
            "ranges": {
                "a": _range(a_max, m.model.operands["a"]),
                "b": _range(b_max, m.model.operands["b"]),
                "result": _range(m.params.result_limit - 1, m.model.operands["result"]),
            },
            "domain": None
            if domain is None
            else {"R": hexadecimal(domain), "meaning": "result is congruent to a * b * R^-1 modulo the modulus"},
        }

    @property
    def head(self) -> dict[str, Any]:
        """Head of the document."""
        request = self.request
        return {
            "format": FORMAT,
            "algorithm": request.multiplier.model.id,
            "schema": "limbtrace-vectors-1.schema.json",
            "license": LICENSE,
            "id": request.id,
            "seed": request.seed,
            "kind": request.kind,
            "numberOfTests": request.count,
            "notes": NOTES,
        }

    def cases(self) -> Iterator[Case]:
        """The cases, in order."""
        case = self.maker.case
        for a, b, comment in operands(self.request):
            yield case(a, b, comment)


def _range(limit: int, text: str) -> dict[str, Any]:
    return {"min": "0x0", "max": hexadecimal(limit), "bits": limit.bit_length(), "text": text}


class Digest:
    """Digest of a set: SHA-256 over its head and its cases as compact JSON, one a line; the same in every format."""

    def __init__(self, vectors: VectorSet) -> None:
        self._hash = hashlib.sha256()
        self.add(dump({**vectors.head, **vectors.group}))

    def add(self, line: str) -> None:
        self._hash.update(line.encode() + b"\n")

    def text(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"
