# SPDX-License-Identifier: Apache-2.0
"""The IDDMM paper: digit-digit Montgomery multiplication, and the algorithms that lead to it."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="iddmm",
    package=__name__,
    algorithms=("r2mm", "mwr2mm", "mwr2kmm", "imm", "iddmm1", "iddmm2"),
    schedules={
        "iddmm_arch1": "iddmm_arch1",
        "iddmm_arch2": "iddmm_arch2",
        "r2mm_bitserial": "r2mm_bitserial",
        "mwr2mm_wordserial": "mwr2mm_wordserial",
    },
)
