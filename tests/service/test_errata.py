# SPDX-License-Identifier: Apache-2.0
"""Demonstrations of errata, printed and corrected side by side: every command and every URL is run."""

import json
import shlex
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from limbtrace.refmodels.erratum import STANDINGS
from limbtrace.vectors.catalogue import errata_document
from limbtrace.vectors.cli import cli

ENTRIES = errata_document()["errata"]


def shown_of(entry: dict[str, Any]) -> list[str]:
    """The texts of an example."""
    return [value for value in entry["example"].values() if isinstance(value, str)]


def words_of(entry: dict[str, Any]) -> list[str]:
    """What an entry says, and the texts of its example."""
    return [*(entry[name] for name in ("place", "quote", "standing", "printed", "corrected")), *shown_of(entry)]


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
    assert [line.split()[:2] for line in listed] == [[entry["id"], entry["standing"]] for entry in ENTRIES]


@pytest.mark.parametrize("standing", STANDINGS)
def test_entries_of_one_standing(standing: str, api: httpx.Client) -> None:
    ids = [entry["id"] for entry in ENTRIES if entry["standing"] == standing]
    document = api.get("/v1/errata", params={"standing": standing}).json()
    assert ids
    assert [entry["id"] for entry in document["errata"]] == ids
    assert document["standings"] == STANDINGS
    listed = CliRunner().invoke(cli, ["errata", "--standing", standing]).stdout.splitlines()
    assert [line.split()[0] for line in listed] == ids


def test_a_standing_that_does_not_exist_or_is_given_with_an_id(api: httpx.Client) -> None:
    answer = api.get("/v1/errata?standing=wrong")
    assert (answer.status_code, answer.json()["parameter"]) == (422, "standing")
    for words in (["errata", "--standing", "wrong"], ["errata", "iddmm.E1", "--standing", "remark"]):
        assert "standing" in str(CliRunner().invoke(cli, words).exception)


def test_an_erratum_with_many_witnesses(api: httpx.Client) -> None:
    """The carry of LLMonPro is one erratum with 14 products, whose former ids lead to it; each is shown by requests."""
    (entry,) = (entry for entry in ENTRIES if entry["witnesses"])
    assert (entry["id"], len(entry["witnesses"])) == ("llmonpro.E1", 14)
    assert entry["witnesses"][0] == {name: entry[name] for name in ("id", "example", "requests")}
    for witness in entry["witnesses"]:
        assert api.get(f"/v1/errata/{witness['id']}").json()["id"] == "llmonpro.E1"
        assert CliRunner().invoke(cli, ["errata", witness["id"]]).stdout.startswith("llmonpro.E1: erratum")
        results = [api.get(request["url"]).json()["result"] for request in witness["requests"]]
        assert results == [witness["example"]["printed_result"], witness["example"]["result"]]
        assert results[0] != results[1]


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
            assert all(part in seen.stdout for part in words_of(entry))
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
