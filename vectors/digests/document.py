# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a digest."""

from typing import Annotated, Final, Literal

from limbtrace.vectors.document import (
    Document,
    Int,
    MultiplierReference,
    MultiplierShape,
    Otherwise,
    Shape,
    Told,
    member,
)
from limbtrace.vectors.request import DEFAULT_KIND

SCHEMA: Final = "limbtrace-digest-1.schema.json"
DEFAULT_LEAF = 4096
"""Cases of a leaf."""

Hash = Annotated[
    str,
    Told("SHA-256 in hexadecimal digits", pattern="^[0-9a-f]{64}$"),
    Otherwise("{} is no SHA-256 of 64 hexadecimal digits"),
]


class RecordField(Shape):
    """A number of a record: unsigned, low byte first."""

    field: Literal["a", "b", "result"]
    bytes: int = member("whole words of 64 bits, as in a vector set of format raw", ge=8)
    bits: int = member("of the largest value", ge=1)


class HashedRange(Shape):
    """A node, or part of a leaf."""

    first: int = member("first case, counted from 0", ge=0)
    last: int = member("last case", ge=0)
    hash: Hash


class DigestDocument(MultiplierShape, Document):
    """One hash over the operands and results of a set's cases, or of some of them; see docs/reference/digests.md."""

    schema: Literal["limbtrace-digest-1.schema.json"]
    license: Literal["CC0-1.0"]
    id: str = member("hash of the normalised request of the set", pattern="^[0-9a-f]{32}$")
    seed: int = member(ge=0)
    kind: str
    count: int = member("cases of the set", ge=1)
    results: Literal["golden", "measured"] = member("whether they were computed by the model, or read from a file")
    record: list[RecordField] = member("the numbers of a case, in order")
    leaf: int = member("cases of a leaf, a power of two", ge=1)
    root: Hash | None = member("hash over all cases; missing where a range was asked for", default=None)
    range: HashedRange | None = member("some of the cases, where they were asked for", default=None)
    level: int | None = member("level of the nodes; the leaves are level 0", default=None, ge=0)
    nodes: list[Hash] | None = member("all nodes of the level, in order", default=None)


class DigestClaim(MultiplierReference):
    """A hash that a user has computed, with the request of the set that it is over: `root` of all cases, or `range`."""

    count: Int = member("cases of the set")
    seed: Int = member(default=1)
    kind: str = member(default=DEFAULT_KIND)
    leaf: Int = member("cases of a leaf, a power of two", default=DEFAULT_LEAF)
    root: Hash | None = member("hash over all cases", default=None)
    range: HashedRange | None = member("a node of the tree, or part of a leaf", default=None)
