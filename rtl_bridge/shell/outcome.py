# SPDX-License-Identifier: Apache-2.0
"""The outcome of a product in a lock-step run: positions of its fields, for Python and for lt_lockstep_tb."""

from rtl_bridge.shell.layout import CYCLE_BITS

OUTCOME = {"Taken": 1, "Late": 1, "Unknown": 1, "Octets": 32, "Latency": CYCLE_BITS}
"""Fields of `outcome` in lt_lockstep_tb and their widths in bits, low field first; the result is above them."""


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
