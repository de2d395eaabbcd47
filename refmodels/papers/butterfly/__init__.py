# SPDX-License-Identifier: Apache-2.0
"""Butterflies of number-theoretic transforms, and what they are made of: sums, differences, halves."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="butterfly",
    package=__name__,
    algorithms=("butterfly_ct", "butterfly_gs", "modmac", "modadd", "modsub", "modneg", "modhalve"),
    schedules={},
)
