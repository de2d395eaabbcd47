# SPDX-License-Identifier: Apache-2.0
"""Interleaved multiplication and reduction: a digit of one operand at a time, the highest first."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="interleaved",
    package=__name__,
    algorithms=("blakley",),
    schedules={"blakley_serial": "serial"},
)
