# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a cycle table."""

from typing import Literal

from vectors.document import DigitsOfCase, Document, Hex, Int, MultiplierShape, Shape, member


class ColumnShape(Shape, name="Column"):
    """A watched signal of a cycle table."""

    name: str
    width: int = member("bits", ge=1)
    step: str | None = member("the step that it holds, null where it depends on the cycle alone")
    kind: Literal["register", "combinational"]
    parts: list[str] = member("the steps side by side in it, high part first, where there are several", default=())


class CycleHead(MultiplierShape, Document):
    """A cycle table without its rows, which are written as text."""

    core: str
    operands: list[tuple[Hex, Hex] | tuple[Hex]] = member("of a model without b [a] each", min_length=1)
    results: list[Hex]
    digits: list[DigitsOfCase] | None = member("of every product", default=None)
    starts: list[Int] = member("cycle in which each product starts")
    columns: list[ColumnShape]
    first_cycle: int = member("number of row 0 in the paper's counting")


class CycleDocument(CycleHead, name="CycleTable"):
    """Every watched signal in every cycle: registers after the edge that ends the cycle, null is don't care."""

    rows: list[list[Hex | None]]
