# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a user's results, the only one that limbtrace reads but does not write."""

from dataclasses import field
from typing import Annotated, Literal

from vectors.document import Form, Hex, Otherwise, Settings, Shape, Told, member
from vectors.sets.document import SeenShape

Compare = Annotated[Literal["result", "residue"], Otherwise("it is result or residue, not {}", damage=False)]
Products = Annotated[
    list[SeenShape], Told(min_length=1), Otherwise("it must be a list of at least one {a, b, result}", damage=False)
]


class PrimeReference(Shape):
    """A modulus as documents name it."""

    modulus: Hex


class Results(Shape):
    """A user's results, with their multiplier."""

    format: Literal["limbtrace/1"] = member(default="limbtrace/1")
    model: str
    prime: str | int | PrimeReference | None = member(
        "catalogue name, integer, expression, or {modulus}; null for a model without modulus"
    )
    radix: str | None = member("power of two; the model's default if it is missing", default=None)
    params: Settings = field(
        default_factory=dict,
        metadata={"description": "parameters of the model", "json_schema_extra": {"default": {}}},
    )
    form: Form = member(default="corrected")
    compare: Compare = member("exact integers, or modulo the modulus", default="result")
    results: Products
