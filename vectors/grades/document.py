# SPDX-License-Identifier: Apache-2.0
"""The JSON document with the grade of vectors."""

from limbtrace.vectors.document import Document, Hex, MultiplierShape, Shape, member


class GradedMechanism(Shape):
    """A mechanism of hardware, and how much of it the vectors show."""

    name: str
    statement: str
    hunts: str = member("the fault that it finds")
    shown: int = member("places at which the vectors show it", ge=0)
    places: int = member("places at which operands are known that show it", ge=1)
    first: int | None = member("number of the first case that shows it, from 0 on; null if none does")


class GradedFault(Shape):
    """A fault, and the first case whose result it changes."""

    name: str
    mechanism: str = member("what is wrong, as `mechanisms` of /v1/defects names it")
    first: int | None = member("number of the case, from 0 on; null where no case shows it")
    known: bool = member("true if the vectors, or those of kind directed, show it")


class Addition(Shape):
    """Operands that would show faults that the vectors do not show."""

    a: Hex
    b: Hex | None = member("null where the model takes none")
    comment: str = member("as a vector set has it")
    faults: list[str]


class GradeDocument(Document):
    """The grade of vectors."""

    multiplier: MultiplierShape
    words: list[int] = member("widths of limbs, in bits")
    cases: int = member("cases that were graded", ge=1)
    more: bool = member("true if there are further cases, which were not graded")
    mechanisms: list[GradedMechanism]
    faults: list[GradedFault]
    additions: list[Addition] = member("few cases of kind directed that show all that they can of what is missing")
