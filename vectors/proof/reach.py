# SPDX-License-Identifier: Apache-2.0
"""The JSON document with operands for an event, or the statement that none exist."""

from typing import Literal

from limbtrace.vectors.document import Document, Hex, MultiplierShape, member

ReachVerdict = Literal["operands", "none", "open"]
ReachMethod = Literal["construction", "reason", "exhaustive", "intervals", "solver"]


class ReachDocument(Document):
    """True if an event can happen at given parameters, and how that is known."""

    core: str | None = member("name of the core whose operands were looked at; null for those of the model")
    multiplier: MultiplierShape
    event: str = member("with its subscripts")
    statement: str = member("what happens")
    limits: list[Hex] = member("largest a, and largest b where there is one")
    verdict: ReachVerdict = member(
        "operands: they make it happen, as a run of the model shows; none: nothing does; open: neither is known"
    )
    method: ReachMethod | None = member(
        "construction: constructed or drawn operands; reason: what the model says; exhaustive: all operands; "
        "intervals: the ranges of its terms; solver: bitwuzla; null where the verdict is open"
    )
    reason: str | None = member("why there are none, or why that is open; null where there are operands")
    a: Hex | None
    b: Hex | None = member("null where the model has none, or there are no operands")
    result: Hex | None
    command: str | None = member("the command that shows the event; null where there are no operands")
    limit: int = member("seconds that the solver was given", ge=1)
    tools: dict[str, str] = member("versions")
