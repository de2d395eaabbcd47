# SPDX-License-Identifier: Apache-2.0
"""`limbtrace serve` as users start and stop it."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from click.testing import CliRunner
from prometheus_client.parser import text_string_to_metric_families

from limbtrace.service.settings import ServiceSettings
from limbtrace.vectors.cli import cli
from tests.patience import PATIENCE, get


@contextmanager
def serve(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with subprocess.Popen(
        ["limbtrace", "serve", "--port", "0", *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert line.startswith("limbtrace: serving on http://127.0.0.1:")
            yield process, line.split()[-1]
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.budget(8)
def test_starts_answers_and_stops(number: signal.Signals) -> None:
    with serve() as (process, url):
        assert get(f"{url}/healthz").json()["status"] == "ok"
        os.kill(process.pid, number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, "", "")


def test_access_log() -> None:
    with serve("--access-log") as (process, url):
        answer = get(f"{url}/v1/vectors?model=cios&prime=mlkem&count=2", headers={"X-Request-Id": "mine-1"})
        os.kill(process.pid, signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
    entry = json.loads(err)
    assert (entry["method"], entry["path"], entry["status"]) == ("GET", "/v1/vectors", 200)
    assert entry["query"] == "model=cios&prime=mlkem&count=2"
    assert entry["bytes"] == int(answer.headers["content-length"])
    assert (entry["request_id"], answer.headers["x-request-id"]) == ("mine-1", "mine-1")
    assert (entry["set"], entry["route"]) == (answer.headers["limbtrace-set"], "/v1/vectors")
    assert (entry["event"], entry["level"], entry["ended"]) == ("request", "info", "answer")
    assert entry["timestamp"].endswith("Z")
    assert entry["seconds"] > 0


def test_help_lists_every_setting() -> None:
    text = CliRunner().invoke(cli, ["serve", "--help"]).stdout
    for name, field in ServiceSettings.model_fields.items():
        assert f"LIMBTRACE_{name}".upper() in text
        assert f" {field.get_default(call_default_factory=True)} " in text


def refused(*arguments: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        ["limbtrace", "serve", *arguments],
        capture_output=True, text=True, timeout=PATIENCE, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.returncode, done.stderr


def test_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, sentence = refused("--port", port)
    assert code == 3
    assert port in sentence


def test_wrong_options() -> None:
    code, sentence = refused("--host", "192.0.2.1", "--port", "0")
    assert code == 3
    assert "192.0.2.1" in sentence
    code, sentence = refused("--port", "70000")
    assert code == 2
    assert "--port" in sentence
    code, sentence = refused("--port", "0", "--database", "")
    assert code == 2
    assert "database: it is no address" in sentence
    code, sentence = refused("--port", "0", LIMBTRACE_MAX_COUNT="many")
    assert code == 2
    assert "LIMBTRACE_MAX_COUNT" in sentence


@pytest.mark.parametrize(
    ("database", "status", "words"),
    [
        ("nonsense", 2, "database: it is no address such as sqlite:///"),
        ("nix://host/sets", 2, "SQLAlchemy knows no database 'nix'"),
        ("sqlite:////dev/null/sets.sqlite3", 3, "the database sqlite:////dev/null/sets.sqlite3 failed"),
    ],
)
def test_databases_that_cannot_be_used(database: str, status: int, words: str) -> None:
    code, sentence = refused("--port", "0", LIMBTRACE_DATABASE=database)
    assert code == status
    assert words in sentence


@pytest.mark.parametrize(
    ("state", "home", "folder"),
    [
        ("/state", "/home/me", "/state"),
        ("", "/home/me", "/home/me/.local/state"),
        ("relative", "/home/me", "/home/me/.local/state"),
        ("", "relative", "/var/lib"),
    ],
)
def test_where_sets_are_remembered(monkeypatch: pytest.MonkeyPatch, state: str, home: str, folder: str) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", state)
    monkeypatch.setenv("HOME", home)
    assert ServiceSettings().database == f"sqlite:///{folder}/limbtrace/sets.sqlite3"


def test_where_sets_are_remembered_of_a_user_that_the_system_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 9)
    assert ServiceSettings().database == "sqlite:////var/lib/limbtrace/sets.sqlite3"


def test_metrics_can_be_read_by_prometheus(api: httpx.Client) -> None:
    api.get("/v1/models")
    text = api.get("/metrics").text
    samples = {
        (sample.name, sample.labels.get("route")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["limbtrace_requests_total", "/v1/models"] >= 1
    assert samples["limbtrace_response_bytes_total", "/v1/models"] > 100
    assert samples["limbtrace_request_seconds_count", "/v1/models"] >= 1
