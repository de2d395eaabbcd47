# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a trace."""

from limbtrace.vectors.document import DigitsOfCase, DigitVectors, Document, Hex, MultiplierShape, Step, member

Digits = list[Hex]


class TraceHead(MultiplierShape, Document):
    """A trace without its steps, which are written as text."""

    a: Hex
    b: Hex | None = member("missing for a chain", default=None)
    a_digits: Digits | None = member("redundant digits, if they do not follow from a, low digit first", default=None)
    b_digits: Digits | None = member("redundant digits, if they do not follow from b, low digit first", default=None)
    step: int | None = member("number of the squaring of a chain that the steps belong to", default=None)
    squared: list[Hex] | None = member("the digits that it squares, low digit first", default=None)
    result: Hex
    residue: Hex
    digits: DigitsOfCase = member(default=None)
    representations: dict[str, DigitVectors] | None = member(
        "the result canonical, and maximal: with as many overlap bits as can be", default=None
    )


class TraceDocument(TraceHead, name="Trace"):
    """Every step of one product at digit level; a digit vector has one step per digit, its position as last index."""

    steps: list[Step]
