# SPDX-License-Identifier: Apache-2.0
"""The redundant paper: a free quotient digit, and digits of two radices with overlap bits."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="redundant",
    package=__name__,
    algorithms=("orup", "redundant"),
    schedules={"redundant": "pipeline"},
    right={
        "redundant.E15": "the bound of K_i is true",
        "redundant.E16": "the bound of T_i is true of the digits, and says nothing about the value",
    },
)
