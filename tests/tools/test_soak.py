# SPDX-License-Identifier: Apache-2.0
"""`./run soak` for some seconds: it finds nothing wrong with the service, and finds faults that are planted."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tools.soak import server
from tools.soak.__main__ import OUTPUT, Plan, soak
from tools.soak.hostile import KINDS
from tools.soak.ordinary import CLIENT
from tools.soak.page import page
from tools.soak.tally import FAULTS, RIGHT, Tally

SHORT = Plan(minutes=0.3, clients=6, worker_pause=60, attacks=False)


def faulty(fault: str) -> dict[str, Any]:
    return soak(SHORT, [sys.executable, "-m", "tests.tools.served", fault])


def form(text: str) -> Iterator[str]:
    """Headings, heads of tables and names of rows."""
    lines = text.splitlines()
    for line, below in pairwise(lines):
        if line.startswith("#") or below.startswith("|--"):
            yield line
        elif line.startswith("| "):
            yield line.split(" | ")[0]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.soak", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_some_seconds(tmp_path: Path) -> None:
    output = tmp_path / "reliability.md"
    for minutes in ("0.2", "1"):  # a busy machine may make no set in the shorter time
        done = run("--minutes", minutes, "--clients", "6", "--seed", "2", "--output", str(output))
        assert done.returncode == 0, done.stderr[-3000:]
        found = json.loads(done.stdout)
        if found["sets"]["seen"]:
            break
    assert found["passed"]
    assert found["faults"] == dict.fromkeys(FAULTS, 0)
    assert set(found["requests"]) == {CLIENT, *(kind.name for kind, _ in KINDS)}
    assert found["requests"][CLIENT][RIGHT] > 0
    assert found["sets"]["seen"] == found["sets"]["checked"] > 0
    assert (found["kills"], found["processes_left"]) == (1, 0)
    assert 0 < found["healthz"]["p50_ms"] <= found["healthz"]["p99_ms"] <= found["healthz"]["max_ms"]
    for sizes in (*found["memory"].values(), found["descriptors"]):
        assert 0 < sizes["begin"] <= sizes["highest"] >= sizes["end"] > 0
    text = output.read_text()
    assert text == page(found)
    assert found["command"] in text


def test_the_page_in_the_docs_is_as_the_tool_writes_it() -> None:
    sizes = dict.fromkeys(("begin", "highest", "end"), 0)
    times = {"asked": 0, "p50_ms": 0, "p99_ms": 0, "max_ms": 0}
    blank = page(
        {
            "command": "",
            "minutes": 1,
            "clients": 1,
            "threads": 1,
            "kills": 1,
            "worker_pause": 1,
            "requests": {},
            "faults": dict.fromkeys(FAULTS, 0),
            "processes_left": 0,
            "sets": {"seen": 0, "checked": 0},
            "healthz": times,
            "ordinary": times,
            "end_seconds": 0.0,
            "descriptors": sizes,
            "memory": {"server": sizes, "all": sizes},
            "log": {"bytes": 0, "levels": {}, "tracebacks": {}},
        }
    )
    text = OUTPUT.read_text()
    assert [*form(text)] == [*form(blank)]
    assert re.search(r"^Written by `\./run soak[^`]*`\.$", text, re.MULTILINE)


@pytest.mark.full
def test_answers_that_must_not_be_are_found() -> None:
    found = faulty("broken")
    assert not found["passed"]
    assert found["faults"]["forbidden"] > 0
    assert any("/v1/models is answered with 500 internal" in example for example in found["examples"])


@pytest.mark.full
def test_sets_that_are_lost_are_found() -> None:
    found = faulty("forgetful")
    assert not found["passed"]
    assert found["faults"]["lost"] > 0
    assert "404" in "".join(found["examples"])


@pytest.mark.full
def test_processes_that_stay_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "END_SECONDS", 2)
    found = faulty("clinging")
    assert not found["passed"]
    assert found["processes_left"] >= 2  # of the server that was killed, and of the one that was told to end


@pytest.mark.parametrize(
    ("status", "later", "fault"),
    [(500, {}, 1), (503, {}, 1), (503, {"retry-after": "5"}, 0), (507, {"retry-after": "5"}, 1), (422, {}, 0)],
)
def test_which_statuses_are_faults(status: int, later: dict[str, str], fault: int) -> None:
    tally = Tally()
    tally.judge("one", "/", status, later, b'{"type":"urn:limbtrace:problem:busy"}')
    assert tally.faults["forbidden"] == fault
    assert (tally.refusals.total(), tally.outcomes["one"].total()) == (1 - fault, 1)


def test_what_the_kill_of_the_server_explains_is_no_fault() -> None:
    tally = Tally()
    tally.unanswered("one", "before", 0.0)
    with tally.down():
        tally.unanswered("one", "meanwhile", 0.0)
    assert (tally.faults["unanswered"], tally.outcomes["one"]["server away"]) == (1, 1)


def test_a_wrong_request_is_one_sentence() -> None:
    for options, sentence in (
        (["--minutes", "0"], "--minutes: 0 is outside 0 to 1440"),
        (["--clients", "0"], "--clients: 0 is outside 1 to 1000"),
        (["--output", "/none/reliability.md"], "--output: /none/reliability.md cannot be written"),
    ):
        done = run(*options)
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence in done.stderr.splitlines()[-1]
