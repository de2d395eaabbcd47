# SPDX-License-Identifier: Apache-2.0
"""Every paper whose figures are here, by id."""

from refmodels.errors import ParameterError, shown
from refmodels.published import fpmm, hffm, iddmm, llmonpro, redundant
from refmodels.published.figures import Paper

PAPERS: dict[str, Paper] = {p.id: p for p in (iddmm.PAPER, fpmm.PAPER, redundant.PAPER, hffm.PAPER, llmonpro.PAPER)}


def paper(name: str) -> Paper:
    """The paper called `name`; raises ParameterError("paper")."""
    if name not in PAPERS:
        raise ParameterError("paper", f"there is no paper {shown(name)}; there is {', '.join(PAPERS)}")
    return PAPERS[name]
