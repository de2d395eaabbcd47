# SPDX-License-Identifier: Apache-2.0
"""Habits of prose that a native engineer would not have: their counts only fall.

A text is a docstring, a comment, a string literal with a blank in it, or a line of a page that is written by hand.
Rewriting some means lowering the number here.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.test_pages import by_hand

PRODUCT = ("limbtrace", "refmodels", "vectors", "service", "rtl_bridge", "tools")

MOST = {
    r"\b([Nn]obody|[Ss]omebody|[Ww]hoever)\b": 12,
    r"\bis no [a-z]+": 94,
    r"\bwhere (it|there|they)\b": 24,
    r"\bthat there (is|are)\b": 2,
}
"""Pattern -> most texts of the product that may match it."""
MOST_ON_PAGES = {
    r"\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Ss]trangers?)\b": 0,
    r"\bis no [a-z]+": 0,
    r"\bwhere (it|there|they)\b": 3,
    r"\bthat there (is|are)\b": 6,
}
"""Pattern -> most lines of pages that may match it; the changelog and the decisions stay as they are."""
MOST_CLAUSES = {"What": 13, "Whether": 0}
"""First word of a docstring -> most docstrings of modules, classes and functions that may begin with it."""


@cache
def texts() -> list[str]:
    return [text for path in sources() for text in _texts(path.read_text())]


def sources() -> list[Path]:
    return [path for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py"))]


def _records() -> list[Path]:
    return [ROOT / "CHANGELOG.md", *(ROOT / "docs" / "adr").glob("*.md")]


def _pages() -> list[Path]:
    return [page for page in by_hand() if page not in _records()]


def _texts(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in token.string):
            yield token.string


def _docstrings(source: str) -> Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield text


@pytest.mark.parametrize("pattern", MOST)
def test_habits_only_get_fewer(pattern: str) -> None:
    found = [text for text in texts() if re.search(pattern, text)]
    assert len(found) <= MOST[pattern], found[:20]


@pytest.mark.parametrize("pattern", MOST_ON_PAGES)
def test_habits_on_pages_only_get_fewer(pattern: str) -> None:
    found = [line for page in _pages() for line in page.read_text().splitlines() if re.search(pattern, line)]
    assert len(found) <= MOST_ON_PAGES[pattern], found[:20]


def test_records_name_the_one_who_acts() -> None:
    indefinite = re.compile(r"\b(nobody|somebody|everybody|whoever|strangers?)\b", re.IGNORECASE)
    assert [line for record in _records() for line in record.read_text().splitlines() if indefinite.search(line)] == []


@pytest.mark.parametrize("word", MOST_CLAUSES)
def test_docstrings_are_noun_phrases_or_imperatives(word: str) -> None:
    found = [text for path in sources() for text in _docstrings(path.read_text()) if text.startswith(f"{word} ")]
    assert len(found) <= MOST_CLAUSES[word], found[:20]
