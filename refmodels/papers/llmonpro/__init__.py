# SPDX-License-Identifier: Apache-2.0
"""The LLMonPro paper: redundant digits multiplied without carry chains, and delay functions."""

from refmodels.paper import Paper
from refmodels.papers.llmonpro import datapath, llmonpro, monpro, ozturk, redmonpro, vdf, vdf_squarer, vdf_squarer_axil
from refmodels.papers.llmonpro.errata import ERRATA
from refmodels.papers.llmonpro.figures import FIGURES

PAPER = Paper(
    id="llmonpro",
    models=(
        monpro.MODEL,
        redmonpro.MODEL,
        ozturk.MODEL,
        llmonpro.MODEL,
        vdf.MODEL,
    ),
    architectures=(
        datapath.ARCHITECTURE,
        vdf_squarer.ARCHITECTURE,
        vdf_squarer_axil.ARCHITECTURE,
    ),
    figures=FIGURES,
    errata=ERRATA,
    right={
        "llmonpro.E22": "the share is that of delays before they were rounded",
        "llmonpro.E24": "the range of Algorithms 1 and 2 is true, for every odd modulus below 64 as for large ones",
    },
)
