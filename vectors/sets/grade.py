# SPDX-License-Identifier: Apache-2.0
"""The grade of vectors, as it is in the head of a set, or in a document of its own."""

from limbtrace.vectors.document import Hex, Shape, member


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


class GradeAddition(Shape, name="Addition"):
    """Operands that would show faults that the vectors do not show."""

    a: Hex
    b: Hex | None = member("null where the model takes none")
    comment: str = member("as a vector set has it")
    faults: list[str]


class MutantClass(Shape):
    """Mutants of one kind at the steps of one name."""

    kind: str = member("operator, constant, mask, shift or range")
    step: str = member("name of the step that needs the changed operation first, or `result`")
    killed: int = member(ge=0)
    mutants: int = member(ge=1)


class Survivor(Shape):
    """A mutant that no case kills, and operands that do."""

    mutant: str = member("the step that needs the changed operation first, and the change")
    kind: str
    a: Hex | None = member("null where no operands were found: the mutant may be equivalent")
    b: Hex | None = member("null where the model takes none, or none were found")
    comment: str | None = member("as a vector set has it")


class LoopGrade(Shape):
    """Mutants of the model's own loop: each has one operation changed, and is killed by a case with another result."""

    operations: int = member("of the recorded loop", ge=0)
    mutants: int = member("all mutants of it", ge=0)
    judged: int = member("those that were judged, drawn if there are many", ge=0)
    killed: int = member(ge=0)
    cases: int = member("cases at which they were judged, the first ones", ge=1)
    tries: int = member("other cases at which survivors were tried", ge=0)
    classes: list[MutantClass] = member("the class of which the smallest share is killed first")
    survivors: list[Survivor]


class Grade(Shape):
    """The mechanisms that vectors show, and the faults and mutants that they find."""

    words: list[int] = member("widths of limbs, in bits; none of a model with events of its own")
    cases: int = member("cases that were graded", ge=1)
    more: bool = member("true if there are further cases, which were not graded")
    mechanisms: list[GradedMechanism] = member("none of a model with events of its own")
    faults: list[GradedFault]
    additions: list[GradeAddition] = member("few cases of kind directed that show all that they can of what is missing")
    loop: LoopGrade | None = member("null where no mutants are made of the loop")
    no_loop: str | None = member("why no mutants are made of the loop; else null")
