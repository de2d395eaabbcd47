# SPDX-License-Identifier: Apache-2.0
"""The SIDH paper: multiplication modulo f*2^a*l^b - 1 in two digits."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="hffm",
    package=__name__,
    algorithms=("barrett", "effm", "ffm1", "ffm2", "hffm"),
    schedules={"hffm": "units", "hffm_layers": "layers"},
)
