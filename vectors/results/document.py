# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a user's results, which limbtrace reads but does not write."""

from typing import Annotated, Literal

from limbtrace.vectors.document import MultiplierReference, Otherwise, Told, member
from limbtrace.vectors.sets.document import SeenShape

Compare = Annotated[Literal["result", "residue"], Otherwise("it is result or residue, not {}", damage=False)]
Products = Annotated[
    list[SeenShape], Told(min_length=1), Otherwise("it must be a list of at least one {a, b, result}", damage=False)
]


class Results(MultiplierReference):
    """A user's results, with their multiplier."""

    compare: Compare = member("exact integers, or modulo the modulus", default="result")
    results: Products
