# SPDX-License-Identifier: Apache-2.0
"""Limits of time: what takes too long ends with a clear answer or a cut connection, and gives its slot back."""

import json
import logging
import socket
import threading
from collections.abc import Callable
from itertools import islice
from typing import Any

import httpx
import pytest

from service.server import background
from service.settings import ServiceSettings
from tests.service.test_streams import MILLION, eventually, in_progress, started_stream


def last_request(caplog: pytest.LogCaptureFixture, status: int) -> dict[str, Any]:
    """What the service logged of the last request with that status."""
    found: list[Any] = [record.msg for record in caplog.records if record.name == "limbtrace"]
    entry: dict[str, Any] = [entry for entry in found if entry.get("status") == status][-1]
    return entry


def metrics(url: str) -> str:
    return httpx.get(f"{url}/metrics").text


def test_a_stream_that_takes_too_long_is_cut(caplog: pytest.LogCaptureFixture) -> None:
    with background(ServiceSettings(max_seconds=0.3)) as url:
        with httpx.stream("GET", f"{url}{MILLION}") as answer:
            assert answer.status_code == 200
            with pytest.raises(httpx.RemoteProtocolError):
                answer.read()
        assert eventually(lambda: in_progress(url) == 0)
        assert 'limbtrace_cut_total{limit="max_seconds"} 1.0' in metrics(url)
        assert httpx.get(f"{url}/v1/models").status_code == 200
    entry = last_request(caplog, 200)
    assert (entry["ended"], entry["level"]) == ("max_seconds", "warning")
    assert entry["set"] == answer.headers["limbtrace-set"]


def test_an_answer_that_has_not_begun_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client is told at once; the slot stays taken as long as the thread computes."""
    go_on = threading.Event()

    def slow() -> dict[str, str]:
        assert go_on.wait(20)
        return {}

    monkeypatch.setattr("service.catalogue.catalogue.errata_document", slow)
    try:
        with background(ServiceSettings(max_seconds=0.2)) as url:
            answer = httpx.get(f"{url}/v1/errata")
            assert answer.status_code == 503
            assert answer.json()["type"] == "urn:limbtrace:problem:too-slow"
            assert "longer than 0.2 seconds" in answer.json()["detail"]
            assert "retry-after" not in answer.headers
            assert in_progress(url) == 1
            go_on.set()
            assert eventually(lambda: in_progress(url) == 0)
            assert 'limbtrace_requests_total{route="/v1/errata",status="503"} 1.0' in metrics(url)
    finally:
        go_on.set()


def test_a_client_that_does_not_read_loses_its_slot(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "limbtrace")
    with background(ServiceSettings(max_stall_seconds=0.3)) as url:
        with started_stream(url) as client:
            assert in_progress(url) == 1
            assert eventually(lambda: in_progress(url) == 0)
            rest = b"".join(iter(lambda: client.recv(1 << 16), b""))
            assert not rest.endswith(b"0\r\n\r\n")
        assert 'limbtrace_cut_total{limit="max_stall_seconds"} 1.0' in metrics(url)
    assert last_request(caplog, 200)["ended"] == "max_stall_seconds"


def test_a_client_that_reads_slowly_is_served(caplog: pytest.LogCaptureFixture) -> None:
    """Longer than the limit in all, never as long without reading."""
    caplog.set_level(logging.INFO, "limbtrace")
    query = {"model": "cios", "prime": "p521", "format": "ndjson", "count": "20000"}
    pause = threading.Event()
    with background(ServiceSettings(max_stall_seconds=0.5)) as url:
        with httpx.stream("GET", f"{url}/v1/vectors", params=query) as answer:
            pieces = answer.iter_bytes(1 << 20)
            first = [piece for piece in islice(pieces, 10) if not pause.wait(0.1)]
            assert b'"end":20000' in b"".join([*first, *pieces])
        assert eventually(lambda: in_progress(url) == 0)
    assert last_request(caplog, 200)["ended"] == "answer"


def test_a_body_that_does_not_come() -> None:
    head = (
        "POST /v1/verifications HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    with background(ServiceSettings(max_stall_seconds=0.2)) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=10) as client:
            client.sendall(head.encode())
            answer = b"".join(iter(lambda: client.recv(1 << 16), b"")).decode()
        assert answer.startswith("HTTP/1.1 408 ")
        problem = json.loads(answer.partition("\r\n\r\n")[2])
        assert problem["type"] == "urn:limbtrace:problem:too-long"
        assert "0.2 seconds" in problem["detail"]
        assert in_progress(url) == 0


@pytest.mark.parametrize(
    ("leave", "ended", "level"),
    [
        (lambda url: httpx.get(f"{url}/v1/models"), "answer", "info"),
        (lambda url: httpx.get(f"{url}/v1/nix"), "answer", "info"),
        (lambda url: started_stream(url).__enter__().close(), "client went away", "info"),
    ],
)
def test_what_ended_a_request_is_logged(
    leave: Callable[[str], object], ended: str, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "limbtrace")
    with background() as url:
        leave(url)
        assert eventually(lambda: any(record.name == "limbtrace" for record in caplog.records))
    (entry,) = [record.msg for record in caplog.records if record.name == "limbtrace"]
    assert isinstance(entry, dict)
    assert (entry["ended"], entry["level"]) == (ended, level)
