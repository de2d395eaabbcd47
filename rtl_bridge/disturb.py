# SPDX-License-Identifier: Apache-2.0
"""Disturbances on purpose: what a core has to bear between and during its products, as the testbench is told it.

Everything follows from the seed, the modulus and the number of the case, so that a case is disturbed alike when it is
run alone.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from refmodels.errors import ParameterError
from rtl_bridge.bound import Bound
from rtl_bridge.compare import Comparator, Expected
from rtl_bridge.corefile import WordSerial
from rtl_bridge.job import Job
from rtl_bridge.shell import Shell, pack

LONGEST_RESET = 4
LONGEST_GAP = 64
"""Cycles."""


@dataclass(frozen=True)
class Trial:
    """A product, the constants that belong to it, and how it is disturbed."""

    expected: Expected
    bound: Bound
    constants: int
    limit: int
    """Most cycles to wait."""
    control: dict[str, int] = field(default_factory=dict)
    """Signals of lt_lockstep_tb that say how, by name."""
    other: bool = False
    """It has the other modulus and is not one of those asked for."""
    disturbed: dict[str, Any] = field(default_factory=dict)
    """What a reader of a difference has to know."""


def trials(job: Job, bound: Bound, comparator: Comparator) -> Iterator[Trial]:
    """The products of a job in order, and in front of each one with another modulus where the job asks for it.

    Raises ParameterError, ServiceError.
    """
    constants = pack(Shell(bound).constants)
    if not job.disturb:
        for expected in job.checked(bound, comparator):
            yield Trial(expected, bound, constants, bound.limit)
        return
    other = other_modulus(job, bound) if "modulus" in job.disturb else None
    products = _spread(job, bound, comparator)
    if other is None:
        for expected, spread in products:
            yield _disturbed(job, spread, expected)
        return
    seeded = job.model_copy(update={"operands": (), "count": job.cases})  # given ones may be too large for it
    others = _spread(seeded, other, comparator)
    for (first, spread_first), (second, spread_second) in zip(others, products, strict=True):
        yield _disturbed(job, spread_first, first, other=True)
        yield _disturbed(job, spread_second, second)


def _spread(job: Job, bound: Bound, comparator: Comparator) -> Iterator[tuple[Expected, Bound]]:
    """Every stream, and the core for it: with starts of its own where products of a stream wait."""
    if "stalls" not in job.disturb or job.timed or not isinstance(bound.core.file.protocol, WordSerial):
        for expected in job.checked(bound, comparator):
            yield expected, bound
    elif bound.plan is None:
        for expected in job.checked(bound, comparator):
            yield expected, bound.stream(_gaps(job, bound, expected.case))
    else:
        first, pairs = job.first(bound), job.pairs(bound)
        while stream := list(islice(pairs, len(bound.starts))):
            spread = bound.stream(_gaps(job, bound, first))
            yield job.stream_of(spread, first, stream, comparator.needs_steps), spread
            first += len(stream)


def _gaps(job: Job, bound: Bound, case: int) -> list[int]:
    """For each product of a stream the cycles that it waits; for every other one none."""
    random = _random(job, bound, case, b"gaps", len(bound.starts))
    return [octet // 2 % LONGEST_GAP + 1 if octet % 2 else 0 for octet in random]


def _random(job: Job, bound: Bound, case: int, what: bytes, length: int) -> bytes:
    modulus = bound.multiplier.modulus.modulus
    return hashlib.shake_128(f"{job.seed}|{modulus:x}|{case}".encode() + what).digest(length)


def other_modulus(job: Job, bound: Bound) -> Bound | None:
    """The core for the odd modulus of as many bits that differs in all others; None where the core cannot take it."""
    modulus = bound.multiplier.modulus
    inner = (1 << (modulus.bits - 1)) - 2
    try:
        other = job.model_copy(update={"prime": str(modulus.modulus ^ inner), "operands": ()}).bind()
    except ParameterError:
        return None
    same = other.multiplier.params.named == bound.multiplier.params.named and Shell(other).text == Shell(bound).text
    return other if same and inner else None


def _disturbed(job: Job, bound: Bound, expected: Expected, *, other: bool = False) -> Trial:
    modulus = bound.multiplier.modulus.modulus
    random = _random(job, bound, expected.case, b"", 8)
    seed = int.from_bytes(random[:2], "little") or 1
    kinds = {"extra_offers": "start", "unknown_inputs": "unknown", "new_constants": "modulus"}
    control = {signal: int(kind in job.disturb) for signal, kind in kinds.items()}
    control |= {"seed": seed, "reset_at": 0, "reset_cycles": 0}
    disturbed: dict[str, Any] = {"modulus": f"{modulus:#x}"} if other else {}
    if "reset" in job.disturb and random[2] % 2:  # every other product goes through as it follows the last one
        at = int.from_bytes(random[3:7], "little") % (bound.longest + 1)
        cycles = 1 + random[7] % LONGEST_RESET
        control |= {"reset_at": at, "reset_cycles": cycles}
        disturbed["reset"] = {"cycle": at, "cycles": cycles}
    if "stalls" in job.disturb and isinstance(bound.core.file.protocol, WordSerial):
        disturbed["starts"] = list(bound.starts)
    return Trial(expected, bound, pack(Shell(bound).constants), bound.limit, control, other, disturbed)
