# SPDX-License-Identifier: Apache-2.0
"""Time limits: a request that takes too long ends with a clear response or a closed connection, and frees its slot."""

import json
import logging
import socket
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from tests.patience import PATIENCE, eventually, get
from tests.service.attack.test_bodies import HEAD
from tests.service.test_streams import MILLION, in_progress, started_stream


def last_request(caplog: pytest.LogCaptureFixture, status: int) -> dict[str, Any]:
    """The log record of the last request with that status."""
    found: list[Any] = [record.msg for record in caplog.records if record.name == "limbtrace"]
    entry: dict[str, Any] = [entry for entry in found if entry.get("status") == status][-1]
    return entry


def metrics(url: str) -> str:
    return get(f"{url}/metrics").text


WORST = "/v1/vectors?model=vdf&prime=2%5E4096-2%5E1000-1&t=5000000&count=1"
"""Half a minute of computing."""


def test_a_stream_that_takes_too_long_is_cut(caplog: pytest.LogCaptureFixture) -> None:
    """The time limit is reached once the stream has begun, however long the client waits."""
    with background(ServiceSettings(max_seconds=4)) as url:
        assert eventually(lambda: get(f"{url}/v1/models").status_code == 200)
        with httpx.stream("GET", f"{url}{MILLION}", timeout=PATIENCE) as answer:
            assert answer.status_code == 200
            assert eventually(lambda: in_progress(url) == 0)
            with pytest.raises(httpx.RemoteProtocolError):
                answer.read()
        assert 'limbtrace_cut_total{limit="max_seconds"} 1.0' in metrics(url)
        assert get(f"{url}/v1/models").status_code == 200
    entry = last_request(caplog, 200)
    assert (entry["ended"], entry["level"]) == ("max_seconds", "warning")
    assert entry["set"] == answer.headers["limbtrace-set"]


def test_an_answer_that_has_not_begun_in_time() -> None:
    with background(ServiceSettings(max_seconds=0.5)) as url:
        answer = get(f"{url}{WORST}")
        assert answer.status_code == 503
        assert answer.json()["type"] == "urn:limbtrace:problem:too-slow"
        assert "longer than 0.5 seconds" in answer.json()["detail"]
        assert answer.headers["retry-after"] == "30"
        assert eventually(lambda: in_progress(url) == 0)
        assert 'limbtrace_cut_total{limit="max_seconds"} 1.0' in metrics(url)


def test_a_client_that_does_not_read_loses_its_slot(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "limbtrace")
    with background(ServiceSettings(max_stall_seconds=0.3)) as url:
        with started_stream(url) as client:
            assert eventually(lambda: in_progress(url) == 0)
            rest = b"".join(iter(lambda: client.recv(1 << 16), b""))
            assert not rest.endswith(b"0\r\n\r\n")
        assert 'limbtrace_cut_total{limit="max_stall_seconds"} 1.0' in metrics(url)
    assert last_request(caplog, 200)["ended"] == "max_stall_seconds"


def test_a_body_that_does_not_come() -> None:
    head = HEAD.format(100) + "{"
    with background(ServiceSettings(max_stall_seconds=0.2)) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
            client.sendall(head.encode())
            answer = b"".join(iter(lambda: client.recv(1 << 16), b"")).decode()
        assert answer.startswith("HTTP/1.1 408 ")
        problem = json.loads(answer.partition("\r\n\r\n")[2])
        assert problem["type"] == "urn:limbtrace:problem:too-long"
        assert "0.2 seconds" in problem["detail"]
        assert eventually(lambda: in_progress(url) == 0)


@pytest.mark.parametrize(
    ("leave", "ended", "level"),
    [
        (lambda url: get(f"{url}/v1/models"), "answer", "info"),
        (lambda url: get(f"{url}/v1/nix"), "answer", "info"),
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
