# SPDX-License-Identifier: Apache-2.0
"""Items of a sign-off, each with its status, and the exit code that they add up to."""

from collections.abc import Iterable
from dataclasses import dataclass

from limbtrace.vectors.signoff import Status

PASSED: Status = "passed"
DIFFERS: Status = "differs"
FAILED: Status = "tool failed"
TIMED_OUT: Status = "timed out"
OPEN: Status = "open"
DENIED: Status = "denied by contract"
INAPPLICABLE: Status = "does not apply"
MISSING: Status = "tool missing"
LEFT_OUT: Status = "left out"


@dataclass(frozen=True)
class SignoffItem:
    """Something that a core was tried with, or was not."""

    group: str
    """simulator, operands, mode, disturbance, modulus, size, netlist, proof or code coverage."""
    name: str
    status: Status
    reason: str = ""
    """The reason why it is not covered; empty if it is."""
    products: int = 0
    """Products that agree."""
    detail: str = ""
    """The result in words."""


def exit_code(items: Iterable[SignoffItem]) -> int:
    """1 if something differs; else 3 if a tool failed or nothing is covered; else 0."""
    statuses = {item.status for item in items}
    if DIFFERS in statuses:
        return 1
    return 3 if FAILED in statuses or PASSED not in statuses else 0
