# SPDX-License-Identifier: Apache-2.0
"""The contract of a core as a table: what its environment may do, and which kind of disturbance does it.

The lists of what a run did not try and of what a proof does not cover, the kinds of disturbances that apply to a core,
and the table in docs/reference/disturbances.md are drawn from it. The freedoms of a master of AXI4-Lite are a table of
its protocol.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.shell.text import Shell

_OF_A_STREAM = re.compile("none|products|starts|cycles|words_.*")
"""Constants of a shell that do not depend on the modulus."""


class Standing(Enum):
    """The standing of a behaviour in the contract of a core."""

    PERMITTED = "permitted"
    DENIED = "denied"
    """By the description, or there is nothing in the core that the behaviour is about."""
    OPEN = "open"
    """The description does not say."""
    UNTRIED = "untried"
    """Permitted, and no run does it."""


class Clause(NamedTuple):
    """A behaviour of the environment."""

    title: str
    """A noun phrase."""
    kind: str
    """The kind of disturbance that does this if it is permitted; empty if none does."""
    key: str
    """The key of `core.toml` that decides; empty if that follows from the interface."""
    standing: Callable[[Bound], Standing]
    tried_if_open: bool = False
    """True if the disturbance behaves so as well where the description does not say."""
    unproved: Callable[[Bound], Sequence[str]] | None = None
    """Noun phrases for the parts that no proof covers; None: all of it."""


def _when(permits: Callable[[Bound], bool]) -> Callable[[Bound], Standing]:
    """Permitted or denied, as the condition says of the core."""
    return lambda bound: Standing.PERMITTED if permits(bound) else Standing.DENIED


def has_constants(bound: Bound) -> bool:
    """True if the core is given its modulus, or constants that follow from it, at run time."""
    return any(_OF_A_STREAM.fullmatch(field.name) is None for field in Shell(bound).constants)


def _has_moduli(bound: Bound) -> bool:
    return has_constants(bound) and bool(KINDS["modulus"].moduli(bound))


def _has_sizes(bound: Bound) -> bool:
    names = [field.name for field in Shell(bound).constants]
    return any(name.startswith("words_") for name in names) and bool(KINDS["size"].moduli(bound))


def _again(bound: Bound) -> bool:
    return bound.core.file.clock is not None and bound.core.file.again and not bound.in_order


def _while_working(bound: Bound) -> Standing:
    if not bound.protocol.refuses or bound.in_order or bound.protocol.ignores is False:
        return Standing.DENIED
    return Standing.PERMITTED if bound.protocol.ignores else Standing.OPEN


def _in_done_cycle(bound: Bound) -> Standing:
    if bound.protocol.tries_at_once and bound.core.file.clock is not None:
        return Standing.OPEN
    return Standing.PERMITTED if _again(bound) and bound.protocol.at_once else Standing.DENIED


def _after_reset(bound: Bound) -> Standing:
    if bound.core.file.reset is None or not Shell(bound).connection.given:
        return Standing.DENIED
    return Standing.PERMITTED if bound.starts_after_reset else Standing.OPEN


def _keeps_results(bound: Bound) -> bool:
    result = bound.core.file.result
    return bound.protocol.keeps or result.address is not None or result.stays in ("load", "start")


def _read_after_load(bound: Bound) -> Standing:
    result, memory = bound.core.file.result, bound.core.file.memory
    if memory is None or result.enable is not None or result.stays in ("done", "load"):
        return Standing.DENIED
    return Standing.PERMITTED if bound.reloads_first else Standing.OPEN


def _writes(bound: Bound) -> Standing:
    memory = bound.core.file.memory
    if bound.protocol.permits(bound) and bound.plan is None:  # a bus master may write at any time
        return Standing.UNTRIED
    if memory is None or memory.locked == "next":
        return Standing.DENIED
    return Standing.PERMITTED if memory.locked else Standing.OPEN


def _loads_ahead(bound: Bound) -> Standing:
    memory = bound.core.file.memory
    if memory is None or memory.locked != "next":
        return Standing.DENIED
    a, b = bound.limits
    return Standing.PERMITTED if bound.loads_ahead and a == b else Standing.UNTRIED


def _other_orders(bound: Bound) -> Standing:
    memory = bound.core.file.memory
    if memory is None or memory.ordered:
        return Standing.DENIED
    return Standing.PERMITTED if bound.groups == 1 else Standing.UNTRIED


def _pauses(bound: Bound) -> Standing:
    if bound.core.file.memory is None or sum(bound.words) == 1:
        return Standing.DENIED
    return Standing.PERMITTED if bound.groups == 1 else Standing.UNTRIED


def _with_start(bound: Bound) -> Standing:
    memory = bound.core.file.memory
    if memory is None or memory.locked == "start" or memory.with_start is False:
        return Standing.DENIED
    if memory.with_start is None:
        return Standing.OPEN
    return Standing.PERMITTED if bound.starts_with_write else Standing.UNTRIED


def _operands_from_start(bound: Bound) -> Standing:
    file = bound.core.file
    said = bound.protocol.sampled_at_start is None  # "start": they change in every run
    return Standing.DENIED if said or not file.ported or file.clock is None else Standing.OPEN


def _constants_from_start(bound: Bound) -> Standing:
    ways = {constant.with_ for constant in bound.core.file.input if constant.address is None}
    if bound.core.file.clock is None:
        return Standing.DENIED
    if None in ways:
        return Standing.OPEN
    return Standing.PERMITTED if ways & {"product", "stream"} else Standing.DENIED


def _moduli_in_stream(bound: Bound) -> Standing:
    ways = {constant.with_ for constant in bound.core.file.input if constant.address is None}
    if not ways or not bound.streams or bound.products == 1 or ways & {"stream", "always"}:
        return Standing.DENIED
    if None in ways:
        return Standing.DENIED if bound.plan is not None or bound.core.file.row else Standing.OPEN
    return Standing.UNTRIED if bound.watches else Standing.PERMITTED


def _untried_when(permits: Callable[[Bound], bool]) -> Callable[[Bound], Standing]:
    """Permitted and in no run, or denied, as the condition says of the core."""
    return lambda bound: Standing.UNTRIED if permits(bound) else Standing.DENIED


def _none(_: Bound) -> Sequence[str]:
    """A proof covers all of it."""
    return ()


def _again_unproved(bound: Bound) -> Sequence[str]:
    """A proof has two products right behind each other, of which the second one is not loaded."""
    is_loaded = bound.core.file.memory is not None
    later = ["a start without a load more than 3 cycles behind a product"] if is_loaded else []
    return ("three products right behind each other", *later)


def _if_open(title: str, standing: Callable[[Bound], Standing]) -> Callable[[Bound], Sequence[str]]:
    """A proof covers it where the description permits it."""
    return lambda bound: (title,) if standing(bound) is Standing.OPEN else ()


def _several_products(bound: Bound) -> Standing:
    file = bound.core.file
    in_order = file.row and bound.protocol.in_order_formula(file.model_copy(update={"row": ()}))
    return Standing.UNTRIED if in_order else Standing.DENIED


CLAUSES = (
    Clause("starts while it works", "start", 'while_working = "ignored" in [protocol]', _while_working, True),
    Clause("resets", "reset", "[reset]", _when(lambda bound: bound.core.file.reset is not None)),
    Clause("a start in the first cycle after a reset", "reset", "registers = 0 in [reset]", _after_reset),
    Clause("other moduli", "modulus", "modulus", _when(_has_moduli)),
    Clause("other moduli inside a stream", "modulus", 'with = "product" in [[input]]', _moduli_in_stream),
    Clause("x on inputs that it must not sample", "unknown", "",
           _when(lambda bound: bool(Shell(bound).connection.looked_at) or bound.core.file.memory is not None),
           unproved=_none),
    Clause("operands that change after the start", "unknown", 'sampled = "start" in [protocol]', _operands_from_start,
           unproved=_none),
    Clause("constants that change right before the start", "unknown", 'with = "stream" in [[input]]',
           _constants_from_start,
           unproved=_if_open("constants that change right before the start", _constants_from_start)),
    Clause("stalls", "stalls", "",
           _when(lambda bound: bound.protocol.paused or (bound.protocol.timed and bound.products > 1))),
    Clause("other sizes", "size", "modulus", _when(_has_sizes)),
    Clause("idle times", "idle", "[clock]", _when(lambda bound: bound.core.file.clock is not None),
           unproved=_none),
    Clause("starts at once without a load", "again", "consumed of [memory]", _when(_again),
           unproved=_again_unproved),
    Clause("a start in the cycle of done", "again", 'restart = "done" in [protocol]', _in_done_cycle, True,
           unproved=_if_open("a start in the cycle of done", _in_done_cycle)),
    Clause("results that wait", "hold", "stays of [result]", _when(_keeps_results)),
    Clause("a result read after the next load", "hold", 'stays = "start" in [result]', _read_after_load),
    Clause("writes while it works", "write", "locked of [memory]", _writes),
    Clause("operands in other orders", "load", "ordered of [memory]", _other_orders),
    Clause("pauses between the words of a load", "load", "", _pauses),
    Clause("one operand written alone", "load", "consumed of [memory]", _when(lambda bound: bound.keeps_operands)),
    Clause("the next operands written while it works", "load", 'locked = "next" in [memory]', _loads_ahead),
    Clause("a start with the last word of its operands", "load", "with_start of [memory]", _with_start),
    Clause("results read from the last word on", "hold", "",
           _when(lambda bound: bound.core.file.result.address is not None and bound.core.file.result.enable is None)),
    Clause("several products at once, since rows are watched", "", "", _several_products),
    Clause("a stream in the cycle after the last word of another one", "", "",
           _untried_when(lambda bound: bound.protocol.timed)),
    Clause("streams of other lengths (--stream)", "", "",
           _untried_when(lambda bound: bound.protocol.timed and bound.products > 1)),
)  # fmt: skip
"""In the order of reports."""


def title(kind: str) -> str:
    """The first behaviour that a kind of disturbance tries."""
    return next(clause.title for clause in CLAUSES if clause.kind == kind)


def permitted(bound: Bound, kind: str) -> list[str]:
    """Behaviours of a kind of disturbance that are permitted, or left open and tried."""
    return [clause.title for clause in CLAUSES if clause.kind == kind and _is_tried(clause, bound)]


class Unproved(NamedTuple):
    """Something that the contract permits, or leaves open, and that no proof covers."""

    phrase: str
    is_tried: bool
    """True if disturbed runs try it."""
    key: str = ""
    """The key of `core.toml` that would say whether it is permitted, if none does."""


def not_proved(bound: Bound) -> list[Unproved]:
    """Behaviours that the contract permits, or leaves open, and that no proof covers."""
    found = []
    for clause in CLAUSES:
        standing = clause.standing(bound)
        if standing is not Standing.DENIED:
            phrases = (clause.title,) if clause.unproved is None else clause.unproved(bound)
            key = clause.key if standing is Standing.OPEN else ""
            found += [Unproved(phrase, bool(clause.kind) and _is_tried(clause, bound), key) for phrase in phrases]
    return [*found, *_beside_clauses(bound)]


def _beside_clauses(bound: Bound) -> Iterator[Unproved]:
    """Behaviours that all simulations have and proofs have not, and what the protocol says of those of a bus master."""
    protocol = bound.protocol
    if protocol.stalls and not protocol.paused and not bound.takes_several:
        yield Unproved("stalls", is_tried=True)
    permitted = [name for name, permits in protocol.permits(bound).items() if permits and name not in protocol.always]
    if permitted:
        yield Unproved(f"of a bus master: {', '.join(permitted)}", is_tried=True)
    for phrase in protocol.left_open(bound):
        yield Unproved(phrase, is_tried=False)


def _is_tried(clause: Clause, bound: Bound) -> bool:
    standing = clause.standing(bound)
    return standing is Standing.PERMITTED or (standing is Standing.OPEN and clause.tried_if_open)


def certain(bound: Bound, kind: str) -> bool:
    """True if the contract permits some behaviour of a kind of disturbance, and leaves none open that it tries."""
    tried = [clause.standing(bound) for clause in CLAUSES if clause.kind == kind and _is_tried(clause, bound)]
    return bool(tried) and Standing.OPEN not in tried
