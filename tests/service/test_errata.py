# SPDX-License-Identifier: Apache-2.0
"""What shows an erratum, printed and corrected side by side: every command and every URL of every one is run."""

import json
import shlex
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from vectors.catalogue import errata_document
from vectors.cli import cli

ENTRIES = errata_document()["errata"]


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
