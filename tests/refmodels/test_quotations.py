# SPDX-License-Identifier: Apache-2.0
"""Every entry of the lists of errata quotes its paper, shortly and with the place.

With LIMBTRACE_PAPERS, a folder with transcripts of the papers as text files, each quotation is looked for in that of
its paper.
"""

import os
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from limbtrace.refmodels.erratum import ERRATUM, OMITTED, REMARK, STANDINGS, UNCERTAIN, AnyErratum
from limbtrace.refmodels.registry import PAPERS

ENTRIES = [entry for paper in PAPERS.values() for entry in paper.errata]
TRANSCRIPTS = os.environ.get("LIMBTRACE_PAPERS")
WORDS = 25

_COMMANDS = {
    "times": "×", "leftarrow": "←", "bmod": "mod", "pmod": "mod", "beta": "β", "geq": "≥", "leq": "≤", "neq": "≠",
    "lceil": "⌈", "rceil": "⌉", "dots": "…", "cdots": "…", "cdot": "·", "in": "∈",
}  # fmt: skip
"""Signs by their names in TeX; other commands have no sign of their own."""


def plain(text: str) -> str:
    """Letters, digits and signs of a text, without what copies of it differ in: blanks, hyphens, markup, fractions."""
    text = re.sub(r"\\([a-z]+)", lambda found: _COMMANDS.get(found[1], ""), text)
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace("...", "…").replace("’", "'")
    text = re.sub(r"\s|[\\${}^_*/]", "", text.replace("′", "'"))
    return re.sub(r"(?<=[A-Za-z])-(?=[A-Za-z])", "", text)


def pattern(part: str) -> str:
    """A pattern for part of a quotation in plain text, where brackets of floor and ceiling may be letters."""
    escaped = re.escape(plain(part))
    return re.sub(r"[⌈⌊]", "[⌈⌊bd]", re.sub(r"[⌉⌋]", "[⌉⌋ce]", escaped))


def found_in(entry: AnyErratum, transcript: str) -> bool:
    """Whether a transcript, in plain text, has all parts of a quotation."""
    return all(re.search(pattern(part), transcript) for part in entry.quote.split(OMITTED))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_a_quotation_is_short_and_has_its_place(entry: AnyErratum) -> None:
    assert 0 < len(entry.quote.split()) <= WORDS
    assert all(len(plain(part)) >= 4 for part in entry.quote.split(OMITTED))
    assert re.match(r"(section|sections|Algorithm|figure|Table|introduction|appendix|caption)\b", entry.place)
    assert entry.standing in STANDINGS


def test_the_standing_of_every_entry() -> None:
    assert Counter(entry.standing for entry in ENTRIES) == {ERRATUM: 64, REMARK: 74, UNCERTAIN: 10}
    standing = {entry.id: entry.standing for entry in ENTRIES}
    remarks = """llmonpro.E18 llmonpro.E17 redundant.E25 fpmm.E14 fpmm.E28 hffm.E25 hffm.E18 redundant.E14 redundant.E26
        hffm.E15 fpmm.E5 fpmm.E16 fpmm.E4 iddmm.E27 hffm.E22"""
    assert {standing[name] for name in remarks.split()} == {REMARK}
    assert {standing[name] for name in ("iddmm.E26", "hffm.E23")} == {UNCERTAIN}
    assert {standing[name] for name in ("iddmm.E29", "hffm.E20", "llmonpro.E1")} == {ERRATUM}


def test_copies_of_the_same_words_are_the_same() -> None:
    """Broken lines, ligatures, TeX, and formulas whose superscripts were lost."""
    assert plain("a ﬁnely-\npipelined unit") == plain("a finely pipelined unit")
    assert plain(r"$R = \beta^{n+1}$") == plain("R = β^{n+1}") == plain("R = βn+1")
    assert plain(r"$\text{MUL}_k \leftarrow \lceil N/w \rceil$") == plain("MUL_k ← ⌈N/w⌉")
    assert plain("0 ≤ u(c)s < 2w−1") == plain("0 ≤ u^{(c)}_s < 2^{w-1}")
    assert plain("n − 1") != plain("n 1")
    assert re.search(pattern("σ_min ← ⌈α_min/w⌉"), plain("σmin ← d αmin\n\nw\n e"))
    assert not re.search(pattern("σ_min ← ⌈α_min/w⌉"), plain("σmin ← ⌈αmin\nθ\n⌉"))


if TRANSCRIPTS:

    @cache
    def transcript(paper: str) -> str:
        """The transcript with most of a paper's quotations, in plain text."""
        assert TRANSCRIPTS
        texts = [plain(path.read_text()) for path in sorted(Path(TRANSCRIPTS).glob("*.txt"))]
        return max(texts, key=lambda text: sum(found_in(entry, text) for entry in PAPERS[paper].errata))

    @pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
    def test_the_transcript_has_the_quotation(entry: AnyErratum) -> None:
        assert found_in(entry, transcript(entry.id.partition(".")[0])), entry.quote
