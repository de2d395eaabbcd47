# SPDX-License-Identifier: Apache-2.0
"""GF(p^2) = GF(p)[i] with i^2 = -1: multiplication and squaring as sequences of base-field operations.

An element is (x0, x1) = x0 + x1*i. Products of the base field are those of a model; sums and differences are reduced to
[0, p). With a model that divides by R, so do these sequences, and operands in its domain stay there.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Model, Parameters

Element = tuple[int, int]

PRODUCT = "mul"
"""The operation that a model carries out; the others are `add` and `sub` modulo p."""


class Operation(NamedTuple):
    """One base-field operation: it defines `name`; `x` and `y` are operands or names defined before."""

    name: str
    kind: str
    x: str
    y: str


class Performed(NamedTuple):
    """An operation with its values: `result` is the exact integer; `value`, the result modulo p, feeds later ones."""

    operation: Operation
    x: int
    y: int
    result: int
    value: int


SEQUENCES: dict[str, tuple[Operation, ...]] = {
    "mul": (
        Operation("t0", PRODUCT, "a0", "b0"),
        Operation("t1", PRODUCT, "a1", "b1"),
        Operation("sa", "add", "a0", "a1"),
        Operation("sb", "add", "b0", "b1"),
        Operation("t2", PRODUCT, "sa", "sb"),
        Operation("u", "sub", "t2", "t0"),
        Operation("c0", "sub", "t0", "t1"),
        Operation("c1", "sub", "u", "t1"),
    ),
    "sqr": (
        Operation("s", "add", "a0", "a1"),
        Operation("d", "sub", "a0", "a1"),
        Operation("e", "add", "a0", "a0"),
        Operation("c0", PRODUCT, "s", "d"),
        Operation("c1", PRODUCT, "e", "a1"),
    ),
}
"""Karatsuba's three products for a product, two products for a square; c0 and c1 are the result."""


def check(params: Parameters) -> None:
    """Raises ParameterError if the field does not exist, or if the model does not accept all of [0, p)."""
    p = params.modulus
    if p % 4 != 3:
        raise ParameterError("prime", f"i^2 = -1 needs a modulus that is 3 modulo 4, and it is {p % 4} here")
    if min(params.limits) < p - 1:
        raise ParameterError("prime", "the model takes shorter operands than this field has, with these parameters")


def perform(model: Model, params: Parameters, op: str, a: Element, b: Element) -> Iterator[Performed]:
    """The operations of `op` in their order; a square has no b."""
    p = params.modulus
    values = {"a0": a[0], "a1": a[1], "b0": b[0], "b1": b[1]}
    for operation in SEQUENCES[op]:
        x, y = values[operation.x], values[operation.y]
        if operation.kind == PRODUCT:
            result = int(model.result(params, x, y))
        else:
            result = (x + y if operation.kind == "add" else x - y) % p
        values[operation.name] = result % p
        yield Performed(operation, x, y, result, values[operation.name])


def closed_form(params: Parameters, op: str, a: Element, b: Element) -> Element:
    """The result, in [0, p), by the definition of the product."""
    (a0, a1), (b0, b1) = a, a if op == "sqr" else b
    p = params.modulus
    factor: Any = 1 if params.domain is None else pow(params.domain, -1, p)
    return (a0 * b0 - a1 * b1) * factor % p, (a0 * b1 + a1 * b0) * factor % p
