# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a cycle table."""

from typing import Literal

from limbtrace.vectors.document import DigitsOfCase, Document, Hex, Int, MultiplierShape, Shape, member


class ColumnShape(Shape, name="Column"):
    """A watched signal of a cycle table."""

    name: str
    width: int = member("bits", ge=1)
    step: str | None = member("the step that it holds, null if it depends only on the cycle")
    kind: Literal["register", "combinational"]
    parts: list[str] = member("the steps that it holds side by side, high part first, if there are several", default=())


class CycleHead(MultiplierShape, Document):
    """A cycle table without its rows, which are written as text."""

    core: str
    operands: list[tuple[Hex, Hex] | tuple[Hex]] = member("[a, b] of every product; [a] without b", min_length=1)
    results: list[Hex]
    digits: list[DigitsOfCase] | None = member("digits of every product", default=None)
    starts: list[Int] = member("cycle in which each product starts")
    columns: list[ColumnShape]
    first_cycle: int = member("number that the paper gives to row 0")


class CycleDocument(CycleHead, name="CycleTable"):
    """Every watched signal in every cycle: registers after the edge that ends the cycle, null is don't care."""

    rows: list[list[Hex | None]]
