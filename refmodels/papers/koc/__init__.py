# SPDX-License-Identifier: Apache-2.0
"""The paper of Koç, Acar and Kaliski: five ways to order the words of Montgomery's product, each with a subtraction."""

from limbtrace.refmodels.paper import Paper

PAPER = Paper(
    id="koc",
    package=__name__,
    algorithms=("koc_sos", "koc_cios", "koc_fios", "koc_fips", "koc_cihs"),
    schedules={"koc_cios": "mac"},
)
