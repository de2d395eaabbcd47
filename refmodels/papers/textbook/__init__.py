# SPDX-License-Identifier: Apache-2.0
"""The contract of hardware, whatever its algorithm: a*b mod p, a^2 mod p, a mod p, and products by Montgomery's R."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="textbook",
    package=__name__,
    algorithms=("modmul", "square", "reduce", "montgomery", "redc"),
    schedules={},
)
