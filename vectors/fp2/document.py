# SPDX-License-Identifier: Apache-2.0
"""The JSON document of cases in GF(p^2)."""

from typing import Annotated, Literal

from limbtrace.vectors.document import Document, Hex, MultiplierShape, Otherwise, Shape, Step, Told, member

Pair = Annotated[
    list[Hex],
    Told(min_length=2, max_length=2),
    Otherwise("an element is written as a list of two integers"),
]
"""An element x0 + x1*i as [x0, x1]."""


class Field2(Shape):
    """The field of the elements x0 + x1*i."""

    name: Literal["fp2"]
    polynomial: Literal["i^2 + 1"]


class Fp2Operation(Shape):
    """One operation of the base field."""

    name: str = member("the name that it defines; c0 and c1 are the result")
    kind: Literal["mul", "add", "sub"]
    x: Hex
    y: Hex
    result: Hex = member("the exact integer that the model returns")
    value: Hex = member("result modulo the modulus, which later operations use")
    product: str | None = member("id of the same product in a vector set of the model", default=None)
    steps: list[Step] | None = member("the trace of the product, if requested", default=None)


class Fp2Case(Shape):
    """One product or square of elements [x0, x1]."""

    id: str = member(pattern="^[0-9a-f]{16}$")
    a: Pair
    b: Pair | None = member("none for a square", default=None)
    result: Pair
    operations: list[Fp2Operation]


class Fp2Head(MultiplierShape, Document):
    """Cases in GF(p^2) without the cases, which are written one by one."""

    field: Field2
    id: str = member("follows from the cases", pattern="^[0-9a-f]{32}$")
    op: Literal["mul", "sqr"]
    R: Hex | None = member("R of the model; results are in its domain if operands are")
    sequence: list[tuple[str, str, str, str]] = member("name, kind, x and y of the operations, in order")
    seed: int | None = member("null if the operands were given", ge=0)
    kind: str | None = member("null if the operands were given")
    numberOfTests: int = member(ge=1)


class Fp2Set(Fp2Head):
    """Products or squares in GF(p^2), each with its base-field operations."""

    tests: list[Fp2Case] = member(min_length=1)
