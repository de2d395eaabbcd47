# SPDX-License-Identifier: Apache-2.0
"""The IDDMM paper: digit-digit Montgomery multiplication, and the algorithms that lead to it."""

from refmodels.paper import Paper
from refmodels.papers.iddmm import (
    iddmm1,
    iddmm2,
    iddmm_arch1,
    iddmm_arch2,
    imm,
    mwr2kmm,
    mwr2mm,
    mwr2mm_wordserial,
    r2mm,
    r2mm_bitserial,
)
from refmodels.papers.iddmm.errata import ERRATA
from refmodels.papers.iddmm.figures import FIGURES

PAPER = Paper(
    id="iddmm",
    models=(
        r2mm.MODEL,
        mwr2mm.MODEL,
        mwr2kmm.MODEL,
        imm.MODEL,
        iddmm1.MODEL,
        iddmm2.MODEL,
    ),
    architectures=(
        iddmm_arch1.ARCHITECTURE,
        iddmm_arch2.ARCHITECTURE,
        r2mm_bitserial.ARCHITECTURE,
        mwr2mm_wordserial.ARCHITECTURE,
    ),
    figures=FIGURES,
    errata=ERRATA,
)
