# SPDX-License-Identifier: Apache-2.0
"""Sessions: the cases for what a core can do, without expected results, and verdicts on its results by case."""

from limbtrace.vectors.sessions.document import Abilities, Session, SessionCases, SessionResults, SessionVerdicts
from limbtrace.vectors.sessions.judge import (
    MOST_OBSERVED,
    OPEN,
    JudgedSet,
    blind,
    judge,
    overlay,
    parts,
    session_document,
)

__all__ = [
    "MOST_OBSERVED",
    "OPEN",
    "Abilities",
    "JudgedSet",
    "Session",
    "SessionCases",
    "SessionResults",
    "SessionVerdicts",
    "blind",
    "judge",
    "overlay",
    "parts",
    "session_document",
]
