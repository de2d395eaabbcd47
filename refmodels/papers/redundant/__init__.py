# SPDX-License-Identifier: Apache-2.0
"""The redundant paper: a free quotient digit, and digits of two radices with overlap bits."""

from refmodels.paper import Paper
from refmodels.papers.redundant import orup, pipeline, redundant
from refmodels.papers.redundant.errata import ERRATA
from refmodels.papers.redundant.figures import FIGURES

PAPER = Paper(
    id="redundant",
    models=(
        orup.MODEL,
        redundant.MODEL,
    ),
    architectures=(pipeline.ARCHITECTURE,),
    figures=FIGURES,
    errata=ERRATA,
    right={
        "redundant.E15": "the bound of K_i is true",
        "redundant.E16": "the bound of T_i is true of the digits, and says nothing about the value",
    },
)
