# SPDX-License-Identifier: Apache-2.0
"""Every paper whose figures are here, by id."""

from refmodels.errors import ParameterError, shown
from refmodels.figures import Paper
from refmodels.papers.fpmm import figures as fpmm
from refmodels.papers.iddmm import figures as iddmm
from refmodels.papers.llmonpro import figures as llmonpro
from refmodels.papers.redundant import figures as redundant
from refmodels.papers.sidh import figures as hffm

PAPERS: dict[str, Paper] = {p.id: p for p in (iddmm.PAPER, fpmm.PAPER, redundant.PAPER, hffm.PAPER, llmonpro.PAPER)}


def paper(name: str) -> Paper:
    """The paper called `name`; raises ParameterError("paper")."""
    if name not in PAPERS:
        raise ParameterError("paper", f"there is no paper {shown(name)}; there is {', '.join(PAPERS)}")
    return PAPERS[name]
