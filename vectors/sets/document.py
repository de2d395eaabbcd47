# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a vector set."""

from typing import Annotated, Literal

from limbtrace.vectors.document import (
    DigitsOfCase,
    Document,
    Hex,
    Int,
    MultiplierShape,
    Otherwise,
    Shape,
    Text,
    Told,
    member,
)
from limbtrace.vectors.sets.grade import Grade

CaseId = Annotated[
    str,
    Told(pattern="^[0-9a-f]{16}$"),
    Otherwise("the id {} is not that of these operands: they were edited", named=True),
]
Checkpoint = Annotated[tuple[Int, Hex], Otherwise("the checkpoint {} is not [links, value]", named=True)]


class CaseShape(Shape, name="Case"):
    """One product, or one chain, which has checkpoints instead of b. `id` follows from the content."""

    id: CaseId
    a: Hex
    b: Hex | None = member("missing in a chain", default=None)
    result: Hex = member("the exact integer that the algorithm returns; it may exceed the modulus")
    residue: Hex = member("result modulo the modulus")
    flags: list[Text] = member("keys of the set's notes")
    comment: Text
    digits: DigitsOfCase = member(default=None)
    checkpoints: list[Checkpoint] | None = member(
        "for a chain: number of squarings, and the result of a chain that ends there", default=None
    )


class SeenShape(Shape, name="Seen"):
    """A product of a user's core or program."""

    a: Hex
    b: Hex | None = member("missing for a chain", default=None)
    result: Hex
    residue: Hex | None = member("compared too, if given", default=None)
    checkpoints: list[Checkpoint] | None = member("for a chain; compared if given", default=None)
    id: Text = member("name of the product in the verdict", default="")


class Range(Shape):
    """Smallest and largest value (inclusive), bits of the largest, and the range in the paper's symbols."""

    min: Hex
    max: Hex
    bits: int
    text: str


class Ranges(Shape):
    """The ranges of a, b and the result."""

    a: Range
    b: Range | None = member("missing for a chain", default=None)
    result: Range


class Domain(Shape):
    """The model's own R."""

    R: Hex
    meaning: str


class GroupHead(MultiplierShape):
    """One multiplier, without its cases, which are written as text."""

    ranges: Ranges
    domain: Domain | None = member("null if the result is congruent to a * b")


class Group(GroupHead):
    """Cases of one multiplier."""

    tests: list[CaseShape]


class ShardShape(Shape, name="Shard"):
    """Which part of a set the cases are."""

    part: int = member("number of the part, counted from 1", ge=1)
    parts: int = member("number of parts", ge=1)
    cases: int = member("cases of the whole set", ge=1)
    first: int = member("the first case here, counted from 0 in the whole set", ge=0)


class SetHead(Document):
    """A vector set without its group and its digest."""

    algorithm: str = member("id of the model")
    schema: Literal["limbtrace-vectors-1.schema.json"]
    license: Literal["CC0-1.0"]
    id: str = member("hash of the normalised request", pattern="^[0-9a-f]{32}$")
    seed: int = member(ge=0)
    kind: str
    checkpoints: int = member("number of checkpoints of each chain", default=0, ge=0)
    numberOfTests: int = member(ge=1)
    shard: ShardShape | None = member("of a file with a part of a set, which part it is", default=None)
    notes: dict[str, str] = member("meaning of each flag of a case")
    grade: Grade | None = member("what the cases show and would find, if it was asked for", default=None)


class SetDocument(SetHead, name="VectorSet"):
    """Test vectors, shaped like a Wycheproof file."""

    testGroups: list[Group] = member(min_length=1, max_length=1)
    digest: str = member("over head and cases, the same in every format", pattern="^sha256:[0-9a-f]{64}$")
