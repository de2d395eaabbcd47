# SPDX-License-Identifier: Apache-2.0
"""Vectors and traces for GF(p^2): every case with its sequence of base-field operations.

Each base-field product carries the id that the same product has in a vector set of the model, so that a testbench for
the base field can use these cases.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels import fp2
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.fp2 import PRODUCT, SEQUENCES, Element
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, digest, hexadecimal
from limbtrace.vectors.fp2.document import Field2, Fp2Case, Fp2Head, Fp2Operation
from limbtrace.vectors.operands import operands
from limbtrace.vectors.options import DrawnQuery, ModelQuery, option
from limbtrace.vectors.request import CHAINED, DIRECTED, EVENTS, EXHAUSTIVE, KINDS, Multiplier, VectorRequest, drawn_by
from limbtrace.vectors.sets.cases import CaseMaker

MAX_CASES = 100_000


ELEMENT_KINDS = [kind for kind in KINDS if kind != "lazy"]
"""Kinds of drawn elements, which are below the modulus."""


class _ElementsQuery(ModelQuery):
    op: str = option(
        f"{', '.join(SEQUENCES)}.", list(SEQUENCES), choices=lambda: SEQUENCES, help=", ".join(SEQUENCES), metavar="OP"
    )
    a: str | None = option(
        "First element x0 + x1*i, instead of drawn ones.", ["[5,7]", "[0x11,1]"], default=None,
        help="First element x0 + x1*i, instead of drawn ones.", metavar="[X0,X1]",
    )  # fmt: skip
    b: str | None = option(
        "Second element, for a product.", ["[2,3]"], default=None,
        help="Second element, for a product.", metavar="[X0,X1]",
    )  # fmt: skip


class Fp2Query(DrawnQuery, _ElementsQuery):
    """The query for cases in GF(p^2): given elements, or a number of drawn ones."""

    kind: str | None = option(
        f"{', '.join(ELEMENT_KINDS)}; mixed by default.", ELEMENT_KINDS, default=None,
        help=f"{', '.join(ELEMENT_KINDS)}; default mixed.", metavar="KIND", choices=lambda: ELEMENT_KINDS,
    )  # fmt: skip

    steps: bool = option(
        "The digit-level steps of every product.", ["true"], default=False,
        help="The digit-level steps of every base-field product.",
    )  # fmt: skip


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
        """Operands [x0,x1], or `count` drawn ones. Raises ParameterError."""
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
    def asked(cls, query: Fp2Query, multiplier: Multiplier) -> "Fp2Request":
        """The request of a query. Raises ParameterError."""
        return cls.resolve(
            multiplier, query.op, query.a, query.b, query.count, query.seed, query.drawn_kind, query.steps
        )

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
        """Two pairs of the base field form a case: (a0, b0) and (a1, b1)."""
        if kind.partition(":")[0] in ("lazy", CHAINED, EVENTS, DIRECTED, EXHAUSTIVE):
            raise ParameterError("kind", f"elements are below p: {', '.join(ELEMENT_KINDS)}")
        base = VectorRequest.resolve(multiplier, count, seed, kind, MAX_CASES)
        twice = VectorRequest(multiplier, 2 * base.count, base.seed, kind)
        drawn = [(int(x), int(y)) for x, y, _ in operands(twice)]
        elements = (tuple(zip(low, high, strict=True)) for low, high in zip(drawn[::2], drawn[1::2], strict=True))
        pairs = tuple((a, a if op == "sqr" else b) for a, b in elements)
        return cls(multiplier, op, pairs, steps, {"seed": base.seed, "kind": kind})

    @property
    def document(self) -> dict[str, Any]:
        """The normalised request for the cases without their steps, with every default written out."""
        elements = [[list(map(hexadecimal, element)) for element in pair] for pair in self.pairs]
        drawn = None if self.drawn is None else {"count": len(self.pairs), **self.drawn}
        return {
            "format": FORMAT,
            "op": self.op,
            **self.multiplier.document,
            **({"elements": elements} if drawn is None else drawn),
        }

    @cached_property
    def id(self) -> str:
        """Id of the document, which follows from its cases."""
        return digest(",".join(self.case_id(a, b) for a, b in self.pairs))[:32]

    @property
    def head(self) -> dict[str, Any]:
        """The document without its cases."""
        domain = self.multiplier.params.domain
        sequence: Any = [list(operation) for operation in SEQUENCES[self.op]]
        drawn = self.drawn or {"seed": None, "kind": None}
        document: dict[str, Any] = members(
            Fp2Head,
            format=FORMAT,
            field=members(Field2, name="fp2", polynomial="i^2 + 1"),
            id=self.id,
            op=self.op,  # type: ignore[arg-type]
            **self.multiplier.head,
            R=None if domain is None else hexadecimal(domain),
            sequence=sequence,
            seed=drawn["seed"],
            kind=drawn["kind"],
            numberOfTests=len(self.pairs),
        )
        return document

    def tests(self) -> Iterator[dict[str, Any]]:
        """The cases, generated lazily."""
        maker = CaseMaker(self.multiplier)
        return (self._test(maker, a, b) for a, b in self.pairs)

    def _test(self, maker: CaseMaker, a: Element, b: Element) -> dict[str, Any]:
        m = self.multiplier
        performed = list(fp2.perform(m.model, m.params, self.op, a, b))
        values = {done.operation.name: done.value for done in performed}
        document: dict[str, Any] = members(
            Fp2Case,
            id=self.case_id(a, b),
            a=[hexadecimal(x) for x in a],
            b=None if self.op == "sqr" else [hexadecimal(x) for x in b],
            result=[hexadecimal(values[name]) for name in ("c0", "c1")],
            operations=[self._operation(maker, done) for done in performed],
        )
        return document

    def case_id(self, a: Element, b: Element) -> str:
        """Id of a case, which follows from the operands and the multiplier."""
        content = f"{self.multiplier.identity}|fp2|{self.op}|{a[0]:x}|{a[1]:x}|{b[0]:x}|{b[1]:x}"
        return digest(content)[:16]

    def _operation(self, maker: CaseMaker, done: fp2.Performed) -> Any:
        m, product, steps = self.multiplier, None, None
        if done.operation.kind == PRODUCT:
            product = maker.case_id(done.x, done.y)
            if self.steps:
                made = m.model.steps(m.params, *m.params.split(done.x, done.y))
                steps = [[name, list(index), hexadecimal(value)] for name, index, value in made]
        return members(
            Fp2Operation,
            name=done.operation.name,
            kind=done.operation.kind,  # type: ignore[arg-type]
            x=hexadecimal(done.x),
            y=hexadecimal(done.y),
            result=hexadecimal(done.result),
            value=hexadecimal(done.value),
            product=product,
            steps=steps,  # type: ignore[arg-type]
        )


def check(multiplier: Multiplier, op: Any) -> None:
    """Raises ParameterError for an unknown operation or field."""
    if not isinstance(op, str) or op not in SEQUENCES:
        raise ParameterError("op", f"{shown(op)} is none of {', '.join(SEQUENCES)}")
    model = multiplier.model
    if model.unary or not model.has_modulus or not model.multiplies:
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
