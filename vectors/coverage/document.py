# SPDX-License-Identifier: Apache-2.0
"""The JSON document about what sets cover."""

from limbtrace.vectors.document import Document, MultiplierShape, Shape, member


class FirstCase(Shape):
    """The first case that makes an event happen."""

    set: str = member("id of the set")
    case: int = member("its number in that set, from 0 on", ge=0)
    id: str
    event: str = member("with its subscripts")


class CoveredPlace(Shape):
    """How often an event happens at some subscripts."""

    index: list[int] = member("the subscripts")
    cases: int = member("cases in which it happens there", ge=1)


class CoveredEvent(Shape):
    """How often an event happens in the cases."""

    name: str
    statement: str
    indices: int = member("subscripts at which it was looked for")
    hit: int = member("of these, those at which it happens in some case")
    cases: int = member("cases in which it happens at some of them", ge=0)
    first: FirstCase | None = member("null where it does not happen", default=None)
    at: list[CoveredPlace] = member("subscripts at which it happens")
    missed: list[list[int]] = member("subscripts at which it happens in no case")


class CoverageDocument(Document):
    """The events that one or several vector sets of the same multiplier make happen."""

    multiplier: MultiplierShape
    sets: list[str] = member("ids of the sets")
    cases: int = member("cases of all of them", ge=0)
    events: list[CoveredEvent]
