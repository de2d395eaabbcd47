# SPDX-License-Identifier: Apache-2.0
"""The SIDH paper: multiplication modulo f*2^a*l^b - 1 in two digits."""

from refmodels.paper import Paper
from refmodels.papers.sidh import barrett, effm, ffm1, ffm2, hffm, units
from refmodels.papers.sidh.errata import ERRATA
from refmodels.papers.sidh.figures import FIGURES

PAPER = Paper(
    id="hffm",
    models=(
        barrett.MODEL,
        effm.MODEL,
        ffm1.MODEL,
        ffm2.MODEL,
        hffm.MODEL,
    ),
    architectures=(units.ARCHITECTURE,),
    figures=FIGURES,
    errata=ERRATA,
)
