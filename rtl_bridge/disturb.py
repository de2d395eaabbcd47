# SPDX-License-Identifier: Apache-2.0
"""Disturbances on purpose: what a core has to bear between and during its products, as the testbench is told it.

Everything follows from the seed, the modulus and the number of the case, so that a case is disturbed alike when it is
run alone.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from refmodels.errors import ParameterError
from rtl_bridge.bound import Bound
from rtl_bridge.compare import Comparator, Expected
from rtl_bridge.job import Job
from rtl_bridge.shell import Shell, pack

LONGEST_RESET = 4
"""Cycles."""


@dataclass(frozen=True)
class Trial:
    """A product, the constants that belong to it, and how it is disturbed."""

    expected: Expected
    constants: int
    control: int = 0
    """Signal `disturb` of the testbench."""
    other: bool = False
    """It has the other modulus and is not one of those asked for."""
    disturbed: dict[str, Any] = field(default_factory=dict)
    """What a reader of a difference has to know."""


def trials(job: Job, bound: Bound, comparator: Comparator) -> Iterator[Trial]:
    """The products of a job in order, and in front of each one with another modulus where the job asks for it.

    Raises ParameterError, ServiceError.
    """
    constants = pack(Shell(bound).constants)
    products = job.checked(bound, comparator)
    if not job.disturb:
        for expected in products:
            yield Trial(expected, constants)
        return
    other = other_modulus(job, bound) if "modulus" in job.disturb else None
    if other is None:
        for expected in products:
            yield _disturbed(job, bound, expected, constants)
        return
    others = job.checked(other, comparator)
    for first, second in zip(others, products, strict=True):
        yield _disturbed(job, other, first, pack(Shell(other).constants), other=True)
        yield _disturbed(job, bound, second, constants)


def other_modulus(job: Job, bound: Bound) -> Bound | None:
    """The core for the odd modulus of as many bits that differs in all others; None where the core cannot take it."""
    modulus = bound.multiplier.modulus
    inner = (1 << (modulus.bits - 1)) - 2
    try:
        other = job.model_copy(update={"prime": str(modulus.modulus ^ inner)}).bind()
    except ParameterError:
        return None
    same = other.multiplier.params.named == bound.multiplier.params.named and Shell(other).text == Shell(bound).text
    return other if same and inner else None


def _longest(bound: Bound) -> int:
    """Cycles that a product takes, or may take where nobody knows."""
    return bound.plan.cycles if bound.plan else bound.formula("timeout", bound.core.file.timeout or 0)


def _disturbed(job: Job, bound: Bound, expected: Expected, constants: int, *, other: bool = False) -> Trial:
    modulus = bound.multiplier.modulus.modulus
    random = hashlib.shake_128(f"{job.seed}|{modulus:x}|{expected.case}".encode()).digest(8)
    seed = int.from_bytes(random[:2], "little") or 1
    start, unknown, renew = "start" in job.disturb, "unknown" in job.disturb, "modulus" in job.disturb
    control = start | unknown << 1 | renew << 2 | seed << 3
    disturbed: dict[str, Any] = {"modulus": f"{modulus:#x}"} if other else {}
    if "reset" in job.disturb and random[2] % 2:  # every other product goes through as it follows the last one
        at = int.from_bytes(random[3:7], "little") % (_longest(bound) + 1)
        cycles = 1 + random[7] % LONGEST_RESET
        control |= at << 19 | cycles << 51
        disturbed["reset"] = {"cycle": at, "cycles": cycles}
    return Trial(expected, constants, control, other, disturbed)
