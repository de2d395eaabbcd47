# SPDX-License-Identifier: Apache-2.0
"""Vectors and traces for GF(p^2): every case with the sequence of base-field operations that makes it.

Each base-field product carries the id that the same product has in a vector set of the model, so that the cases of the
one drive what was built for the other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from refmodels import fp2
from refmodels.errors import ParameterError, shown
from refmodels.fp2 import PRODUCT, SEQUENCES, Element
from vectors.operands import operands
from vectors.request import CHAINED, KINDS, Multiplier, VectorRequest, drawn_by
from vectors.sets import CaseMaker
from vectors.wire import FORMAT, digest, dump, hexadecimal

MAX_CASES = 100_000
FIELD = {"name": "fp2", "polynomial": "i^2 + 1"}
CSV_FIELDS = ("case", "name", "kind", "x", "y", "result", "value", "product")


@dataclass(frozen=True)
class Fp2Request:
    """Cases of one operation: given ones, or drawn ones."""

    multiplier: Multiplier
    op: str
    pairs: tuple[tuple[Element, Element], ...]
    steps: bool
    drawn: dict[str, Any] | None

    @classmethod
    def resolve(
        cls,
        multiplier: Multiplier,
        op: str,
        a: str | None = None,
        b: str | None = None,
        count: str | int | None = None,
        seed: str | int | None = None,
        kind: str | None = None,
        steps: bool = False,
    ) -> "Fp2Request":
        """Operands [x0,x1], or as many drawn ones as `count` says. Raises ParameterError."""
        check(multiplier, op)
        asked = drawn_by(a, "a", count=count, seed=seed, kind=kind)
        if a is None:
            if b is not None:
                raise ParameterError("a", "b is given and a is not")
            return cls._draw(multiplier, op, steps, **asked)
        if (b is None) != (op == "sqr"):
            raise ParameterError("b", "a square has no b" if b is not None else "it is missing, and only sqr has none")
        first = _element(multiplier, "a", a)
        return cls(multiplier, op, ((first, first if b is None else _element(multiplier, "b", b)),), steps, None)

    @classmethod
    def of(cls, multiplier: Multiplier, op: Any, pairs: Sequence[tuple[Element, Element]]) -> "Fp2Request":
        """Given cases. Raises ParameterError."""
        check(multiplier, op)
        for name, element in ((name, element) for pair in pairs for name, element in zip("ab", pair, strict=True)):
            _check_element(multiplier, name, element)
        return cls(multiplier, op, tuple(pairs), False, None)

    @classmethod
    def _draw(
        cls,
        multiplier: Multiplier,
        op: str,
        steps: bool,
        count: str | int = 16,
        seed: str | int = 1,
        kind: str = "mixed",
    ) -> "Fp2Request":
        """Two pairs of the base field make a case: that of a0 and b0, and that of a1 and b1."""
        if kind in ("lazy", CHAINED):
            raise ParameterError("kind", f"elements are below p: {', '.join(k for k in KINDS if k != 'lazy')}")
        base = VectorRequest.resolve(multiplier, count, seed, kind, MAX_CASES)
        twice = VectorRequest(multiplier, 2 * base.count, base.seed, kind)
        drawn = [(int(x), int(y)) for x, y, _ in operands(twice)]
        elements = (tuple(zip(low, high, strict=True)) for low, high in zip(drawn[::2], drawn[1::2], strict=True))
        pairs = tuple((a, a if op == "sqr" else b) for a, b in elements)
        return cls(multiplier, op, pairs, steps, {"seed": base.seed, "kind": kind})

    @cached_property
    def id(self) -> str:
        """Of the document: it follows from its cases."""
        return digest(",".join(self.case_id(a, b) for a, b in self.pairs))[:32]

    @property
    def head(self) -> dict[str, Any]:
        """The document without its cases."""
        domain = self.multiplier.params.domain
        return {
            "format": FORMAT,
            "field": FIELD,
            "id": self.id,
            "op": self.op,
            **self.multiplier.head,
            "R": None if domain is None else hexadecimal(domain),
            "sequence": [list(operation) for operation in SEQUENCES[self.op]],
            **(self.drawn or {"seed": None, "kind": None}),
            "numberOfTests": len(self.pairs),
        }

    def tests(self) -> Iterator[dict[str, Any]]:
        """The cases, made as they are asked for."""
        maker = CaseMaker(self.multiplier)
        return (self._test(maker, a, b) for a, b in self.pairs)

    def _test(self, maker: CaseMaker, a: Element, b: Element) -> dict[str, Any]:
        m = self.multiplier
        performed = list(fp2.perform(m.model, m.params, self.op, a, b))
        values = {done.operation.name: done.value for done in performed}
        factors = {"a": a} if self.op == "sqr" else {"a": a, "b": b}
        return {
            "id": self.case_id(a, b),
            **{name: [hexadecimal(x) for x in element] for name, element in factors.items()},
            "result": [hexadecimal(values[name]) for name in ("c0", "c1")],
            "operations": [self._operation(maker, done) for done in performed],
        }

    def case_id(self, a: Element, b: Element) -> str:
        """Follows from the operands and from what multiplies them."""
        content = f"{self.multiplier.identity}|fp2|{self.op}|{a[0]:x}|{a[1]:x}|{b[0]:x}|{b[1]:x}"
        return digest(content)[:16]

    def _operation(self, maker: CaseMaker, done: fp2.Performed) -> dict[str, Any]:
        m = self.multiplier
        document: dict[str, Any] = {
            "name": done.operation.name,
            "kind": done.operation.kind,
            **{name: hexadecimal(getattr(done, name)) for name in ("x", "y", "result", "value")},
        }
        if done.operation.kind == PRODUCT:
            document["product"] = maker.case_id(done.x, done.y)
            if self.steps:
                steps = m.model.steps(m.params, *m.params.split(done.x, done.y))
                document["steps"] = [[name, list(index), hexadecimal(value)] for name, index, value in steps]
        return document


def check(multiplier: Multiplier, op: Any) -> None:
    """Raises ParameterError for an operation or a field that there is not."""
    if not isinstance(op, str) or op not in SEQUENCES:
        raise ParameterError("op", f"{shown(op)} is none of {', '.join(SEQUENCES)}")
    if multiplier.model.unary or not multiplier.model.has_modulus:
        raise ParameterError("model", f"{multiplier.model.id} does not multiply two elements of a field")
    fp2.check(multiplier.params)


def _check_element(multiplier: Multiplier, name: str, element: Element) -> None:
    p = multiplier.modulus.modulus
    if not all(0 <= x < p for x in element):
        raise ParameterError(name, f"x0 and x1 are from 0 to p - 1, that is up to {p - 1:#x}")


def _element(multiplier: Multiplier, name: str, text: str) -> Element:
    """[x0,x1]. Raises ParameterError(name)."""
    parts = text.strip().removeprefix("[").removesuffix("]").split(",")
    if len(parts) != 2:
        raise ParameterError(name, "an element of the field is written [x0,x1], for x0 + x1*i")
    x0, x1 = (multiplier.operand(name, part) for part in parts)
    _check_element(multiplier, name, (x0, x1))
    return x0, x1


def render(request: Fp2Request, format: str) -> Iterator[bytes]:
    """The bytes of a document in one of FORMATS."""
    return FORMATS[format][1](request)


def _json(request: Fp2Request) -> Iterator[bytes]:
    """One document, one case a line."""
    yield (dump(request.head)[:-1] + ',"tests":[\n').encode()
    separator = ""
    for chunk in _chunks(dump(test) for test in request.tests()):
        yield (separator + ",\n".join(chunk)).encode()
        separator = ",\n"
    yield b"\n]}\n"


def _csv(request: Fp2Request) -> Iterator[bytes]:
    """A head comment, the column names, a row an operation, the number of rows."""
    yield (f"# {dump(request.head)}\n" + ",".join(CSV_FIELDS) + "\n").encode()
    rows = (
        ",".join([test["id"], *(str(operation.get(name, "")) for name in CSV_FIELDS[1:])]) + "\n"
        for test in request.tests()
        for operation in test["operations"]
    )
    for chunk in _chunks(rows):
        yield "".join(chunk).encode()
    yield f'# {{"end":{len(request.pairs) * len(SEQUENCES[request.op])}}}\n'.encode()


def _chunks(lines: Iterable[str]) -> Iterator[list[str]]:
    lines = iter(lines)
    while chunk := list(islice(lines, 256)):
        yield chunk


FORMATS: dict[str, tuple[str, Callable[[Fp2Request], Iterator[bytes]]]] = {
    "json": ("application/json", _json),
    "csv": ("text/csv", _csv),
}
"""Media type and renderer of each format."""
