# SPDX-License-Identifier: Apache-2.0
"""The constant that the comment behind a port writes as a formula, such as `-n^-1 mod 2^WORD`."""

import re

INVERSE, POSITIVE_INVERSE = "p'", "p^-1"
"""Minus the inverse of p, and the inverse itself, modulo a power of 2 that the width of the port says."""
ONE, SQUARE = "R mod p", "R^2 mod p"
BARRETT = "2^(2 * N) // p"
"""The constant of Barrett's reduction."""

_POWER = r"(?P<base>[a-z][a-z0-9_]*(?:\[0\])?|\([a-z]\))\s*(?:\^|\*\*)\s*\(?\s*-\s*1\s*\)?"
_INVERSE_TEXT = re.compile(rf"(?P<minus>-\s*(?:\(\s*)?)?{_POWER}\s*\)?\s*(?:\(?mod\b|%)", re.IGNORECASE)
_R_TEXT = re.compile(r"\b(?:R|2\s*\^\s*\(?\s*(?:2\s*\*\s*)?\w+\s*\)?)\s*(?P<square>(?:\^|\*\*)\s*2)?\s*(?:mod\b|%)")
_DOUBLED = re.compile(r"2\s*\^\s*\(?\s*2\s*\*")


def value_in(comment: str) -> str | None:
    """INVERSE, POSITIVE_INVERSE, ONE or SQUARE; None if the comment has no such formula."""
    if found := _INVERSE_TEXT.search(comment):
        if found["base"].upper() == "R":  # a factor 1/R is of a result
            return None
        return INVERSE if found["minus"] else POSITIVE_INVERSE
    if found := _R_TEXT.search(comment):
        return SQUARE if found["square"] or _DOUBLED.search(found[0]) else ONE
    return None
