# SPDX-License-Identifier: Apache-2.0
"""The FPMM paper: CIOS without a final subtraction, and products interleaved in one pipeline."""

from refmodels.paper import Paper
from refmodels.papers.fpmm import cios, designs, fpmm, pipeline
from refmodels.papers.fpmm.errata import ERRATA
from refmodels.papers.fpmm.figures import FIGURES

PAPER = Paper(
    id="fpmm",
    models=(
        cios.MODEL,
        fpmm.MODEL,
    ),
    architectures=(pipeline.ARCHITECTURE,),
    figures=FIGURES,
    errata=ERRATA,
    spaces=(designs.SPACE,),
)
