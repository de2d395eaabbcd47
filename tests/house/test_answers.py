# SPDX-License-Identifier: Apache-2.0
"""The product answers every request of the list in tests/answers as it did when the list was written."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import pytest

from tools import requests
from tools.answers import LIST, Entry, asked, differences, read
from tools.asking import DROPPED_HEADERS, NORMALISED, Asker

ENTRIES = read()
SIZES = {"sim": 4}
"""Number of slow requests in one test."""


def groups() -> Iterator[tuple[str, list[Entry]]]:
    """Number of requests in one test, so that several processes share the work."""
    for family, members in groupby(ENTRIES, lambda entry: entry.family):
        entries, size = list(members), SIZES.get(family, 50)
        for start in range(0, len(entries), size):
            yield f"{family}-{start // size}", entries[start : start + size]


GROUPS = dict(groups())


@pytest.mark.budget(30)
@pytest.mark.parametrize("group", GROUPS)
def test_answers_are_those_of_the_list(group: str) -> None:
    found = list(differences(GROUPS[group]))
    assert found == [], f"`python -m tools.answers` shows them; see {LIST.name} and CONTRIBUTING.md"


def test_the_list_holds_every_request_once() -> None:
    """Otherwise run `python -m tools.answers --write`."""
    listed = [(entry.family, entry.request) for entry in ENTRIES]
    assert listed == asked()
    assert len(set(listed)) == len(listed) > 400


def test_a_line_is_read_as_it_is_written() -> None:
    lines = [line for line in LIST.read_text().splitlines(keepends=True) if not line.startswith("#")]
    assert [entry.line for entry in ENTRIES] == lines


def test_what_differs_is_named() -> None:
    entry = next(entry for entry in ENTRIES if entry.request == "limbtrace primes 13")
    assert list(differences([entry])) == []
    other = replace(entry, digest="0" * 64)
    assert list(differences([other])) == ["answered differently: limbtrace primes 13"]
    other = replace(entry, status="2")
    assert list(differences([entry, other])) == ["answered 0 instead of 2: limbtrace primes 13"]


def test_every_part_of_an_answer_counts() -> None:
    with Asker() as asker:
        answer = asker.ask("limbtrace trace cios --prime 13 --a 5 --b 7 --check -o trace.json")
        assert [name for name, _ in answer.parts] == ["status", "stdout", "stderr", "file trace.json"]
        parts = list(answer.parts)
        for k, (name, content) in enumerate(parts):
            for changed in ((name, content + b"x"), (f"{name}x", content)):
                assert replace(answer, parts=[*parts[:k], changed, *parts[k + 1 :]]).digest != answer.digest
        answer = asker.ask("GET /v1/primes/13")
        assert [name for name, _ in answer.parts] == ["status", "headers", "body"]
        assert b"etag: " in answer.parts[1][1]


def test_little_is_left_out() -> None:
    """Everything that is not compared has a reason, and names an existing family."""
    assert all(reason for *_, reason in NORMALISED)
    assert set(DROPPED_HEADERS) == {"x-request-id"}
    assert set(requests.OUTLINES) < set(requests.families())
    assert sum(entry.family in requests.OUTLINES for entry in ENTRIES) < len(ENTRIES) / 20
