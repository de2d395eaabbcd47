# SPDX-License-Identifier: Apache-2.0
"""The LLMonPro paper: redundant digits multiplied without carry chains, and delay functions."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="llmonpro",
    package=__name__,
    algorithms=("monpro", "redmonpro", "ozturk", "llmonpro", "vdf"),
    schedules={"llmonpro": "datapath", "vdf_squarer": "vdf_squarer", "vdf_squarer_axil": "vdf_squarer_axil"},
    right={
        "llmonpro.E22": "the share is that of delays before they were rounded",
        "llmonpro.E24": "the range of Algorithms 1 and 2 is true, for every odd modulus below 64 as for large ones",
    },
)
