# SPDX-License-Identifier: Apache-2.0
"""Demonstrations of errata, printed and corrected side by side: every command and every URL is run."""

import json
import shlex
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from vectors.catalogue import errata_document
from vectors.cli import cli

ENTRIES = errata_document()["errata"]


def shown_of(entry: dict[str, Any]) -> list[str]:
    """The texts of an example."""
    return [value for value in entry["example"].values() if isinstance(value, str)]


def test_nothing_is_shown_by_what_says_nothing_of_it() -> None:
    for entry in ENTRIES:
        assert entry["requests"]
        assert not [request for request in entry["requests"] if request["url"].startswith("/v1/models")]


def test_an_id_that_none_has(api: httpx.Client) -> None:
    answer = api.get("/v1/errata/redundant.E99")
    assert (answer.status_code, answer.json()["parameter"]) == (404, "erratum")
    seen = CliRunner().invoke(cli, ["errata", "redundant.E99"])
    assert "there is no erratum 'redundant.E99'" in str(seen.exception)
    listed = CliRunner().invoke(cli, ["errata"]).stdout.splitlines()
    assert [line.split()[0] for line in listed] == [entry["id"] for entry in ENTRIES]


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["id"] for entry in ENTRIES])
def test_every_request_shows_what_it_says(entry: dict[str, Any], api: httpx.Client) -> None:
    results = {}
    for request in entry["requests"]:
        answer = api.get(request["url"])
        assert answer.status_code == 200, answer.text
        words = shlex.split(request["command"])
        assert words[0] == "limbtrace"
        seen = CliRunner().invoke(cli, words[1:])
        assert seen.exit_code == 0, seen.output
        if request["url"].startswith("/v1/errata/"):
            assert answer.json() == {"format": "limbtrace/1", **entry}
            assert all(part in seen.stdout for part in (entry["printed"], entry["corrected"], *shown_of(entry)))
        if request["form"] is not None:
            assert seen.stdout == answer.text
            document = json.loads(answer.text)
            assert (document["form"], document["result"]) == (request["form"], request["result"])
            results[request["form"]] = document["result"]
    if "operands" in entry["example"]:
        assert entry["command"].startswith("python -c ")  # a stream, which no trace of one product shows
        return
    assert entry["command"] == entry["requests"][0]["command"]
    assert list(results) == {"form": ["printed", "corrected"], "claim": ["corrected"]}.get(entry["kind"], [])
    assert len(set(results.values())) == len(results)
