# SPDX-License-Identifier: Apache-2.0
"""The outcome of a product in a lock-step run: positions of its fields, for Python and for lt_lockstep_tb."""

from typing import NamedTuple

from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS

RULE = {"Rule": 8, "Level": 64, "Since": 2, "RuleCycle": 32}
"""Outputs of lt_monitor and their widths in bits: which handshake rule was broken, and when."""
OUTCOME = {"Taken": 1, "Late": 1, "Unknown": 1, "Octets": 32, "Latency": CYCLE_BITS, **RULE, "Early": 32, "Struck": 1}
"""Fields of `outcome` in lt_lockstep_tb and their widths in bits, low field first; the result is above them."""


SINCE = ("in a reset", "after the reset", "after the start of the product before it", "")
"""Origin of a cycle of lt_monitor, by the value of `Since`; the last is the start of the product at work."""


class Broken(NamedTuple):
    """The first handshake rule that was broken, as lt_monitor reports it."""

    rule: int
    """Its number in `Connection.rules`."""
    level: str
    """Bits of its output or value: 0, 1 or x."""
    since: int
    """Index into SINCE."""
    cycle: int

    @classmethod
    def read(cls, rule: int, level: str, since: int, cycle: int) -> "Broken | None":
        """From the outputs of lt_monitor; None if no rule was broken."""
        return cls(rule - 1, level, since, cycle) if rule else None

    @property
    def where(self) -> str:
        """The place in words, for violations before the product at work has started."""
        if self.since == 0:
            return SINCE[0]
        return f"{self.cycle} cycle{'' if self.cycle == 1 else 's'} {SINCE[self.since]}"


def early_warnings(finished: str, early: int) -> tuple[str, ...]:
    """A warning if `finished`, which shows that the core is done, did so before anything was started.

    `early`: `early_o` of lt_monitor, one more than the cycle after the reset; 0 if it did not.
    """
    if not early:
        return ()
    cycle = early - 1
    when = f"{cycle} cycle{'' if cycle == 1 else 's'} after the reset, before anything was started"
    return (f'{finished} was high {when}; idle = "any" in [protocol] says that it may be',)


def outcome_parameters() -> dict[str, int]:
    """Bit positions of the fields of `outcome`, as parameters of the testbench; ResultAt is that of the result."""
    positions, position = {}, 0
    for name, width in OUTCOME.items():
        positions[f"{name}At"] = position
        position += width
    return {**positions, "ResultAt": position}


def outcome_fields(outcome: str) -> dict[str, str]:
    """The digits of every field of `outcome`, which is given high digit first; the digits above are Result."""
    fields = {}
    for name, width in OUTCOME.items():
        outcome, fields[name] = outcome[:-width], outcome[-width:]
    return {**fields, "Result": outcome}
