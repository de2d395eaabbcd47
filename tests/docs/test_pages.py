# SPDX-License-Identifier: Apache-2.0
"""Pages written by hand are of one kind each, are listed on the start page, and have one sentence a line.

A run-in heading, `**Contents.**`, is part of the sentence behind it, and what stands in parentheses is part of the
sentence around them. Tables, headings and blocks of code are not prose.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.docs.test_commands import TOP

DOCS = TOP / "docs"
KINDS = ("tutorials", "how-to", "reference", "explanation")
ABBREVIATIONS = ("e.g.", "i.e.", "vs.", "cf.", "Fig.", "No.")
GENERATED = re.compile(r"^Written by `(\./run|python -m) ", re.MULTILINE)
BLOCK = re.compile(r"^\s*```.*?^\s*```$", re.DOTALL | re.MULTILINE)
MARKER = re.compile(r"\s*([*-]|\d+\.)\s+")
NO_PROSE = re.compile(r"\s*(\||#|<!--|$)")
RUN_IN = re.compile(r"\*\*[^*]+\*\*")
END = r"[.!?][)\]*\"']*"


def by_hand() -> list[Path]:
    pages = [*TOP.glob("*.md"), *DOCS.rglob("*.md")]
    return sorted(page for page in pages if not GENERATED.search(page.read_text()[:400]))


def prose(text: str) -> Iterator[str]:
    """Lines of prose; every paragraph and list item is followed by an empty line."""
    for line in BLOCK.sub("", text).splitlines():
        if NO_PROSE.match(line):
            yield ""
            continue
        if marker := MARKER.match(line):
            yield ""
            line = line[marker.end() :]
        yield line.strip()
    yield ""


def outside(line: str) -> str:
    """A line without a run-in heading, with `_` for code, links, parentheses and abbreviations.

    What ends with a stop inside of parentheses ends with one outside.
    """
    line = re.sub(r"(`+).*?\1", "_", RUN_IN.sub("_", line, count=1) if RUN_IN.match(line) else line)
    for word in (*ABBREVIATIONS, "..."):
        line = line.replace(word, "_")
    inner = re.compile(r"[(\[][^()\[\]]*?([.!?]?)[)\]]")
    while inner.search(line):
        line = inner.sub(r"_\1", line)
    return line


def sentences(line: str) -> int:
    """The number of sentences on a line."""
    return 1 + len(re.findall(rf"{END} +(?=\S)", outside(line)))


@pytest.mark.parametrize("page", by_hand(), ids=lambda page: str(page.relative_to(TOP)))
def test_a_line_holds_one_sentence(page: Path) -> None:
    lines = list(prose(page.read_text()))
    assert [line for line in lines if sentences(line) > 1] == []
    unfinished = [line for line, following in pairwise(lines) if following and not re.search(rf"({END}|:)$", line)]
    assert [line for line in unfinished if line] == []


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("One sentence.", 1),
        ("One. Two.", 2),
        ("A formula, r = a mod p. Two.", 2),
        ("Is it so? `limbtrace` says it.", 2),
        ("Version 3.4 of a tool (see ADR 4. It is there), e.g. this one.", 1),
        ("`a. B` and [a link. With a stop](page.md) are one.", 1),
        ("**A run-in heading.** One sentence.", 1),
        ("**A run-in heading.** One. Two.", 2),
        ("It ends (as said.) Two.", 2),
    ],
)
def test_sentences_are_counted(line: str, number: int) -> None:
    assert sentences(line) == number


def test_every_page_is_of_a_kind_and_is_listed() -> None:
    """Decisions have a list of their own."""
    pages = [page.relative_to(DOCS) for page in DOCS.rglob("*.md")]
    assert {page.parts[0] for page in pages} == {"README.md", "adr", *KINDS}
    listed = set(re.findall(r"\]\(([\w/.-]+\.md)\)", (DOCS / "README.md").read_text()))
    assert {str(page) for page in pages if page.parts[0] in KINDS} <= listed
