# SPDX-License-Identifier: Apache-2.0
"""The outcome of a product in a lock-step run: where its fields are, for Python and for lt_lockstep_tb."""

from rtl_bridge.shell.layout import CYCLE_BITS

OUTCOME = {"Taken": 1, "Late": 1, "Unknown": 1, "Octets": 32, "Latency": CYCLE_BITS}
"""Fields of `outcome` in lt_lockstep_tb and their widths, the first in the low bits; the result is above them."""


def outcome_parameters() -> dict[str, int]:
    """Where each field of `outcome` begins, as parameters of the testbench; ResultAt is where the result does."""
    positions, position = {}, 0
    for name, width in OUTCOME.items():
        positions[f"{name}At"] = position
        position += width
    return {**positions, "ResultAt": position}


def outcome_fields(outcome: str) -> dict[str, str]:
    """The digits of every field of `outcome`, given as digits with the high one first; those above them as Result."""
    fields = {}
    for name, width in OUTCOME.items():
        outcome, fields[name] = outcome[:-width], outcome[-width:]
    return {**fields, "Result": outcome}
