# SPDX-License-Identifier: Apache-2.0
"""Time limits: a request that takes too long ends with a clear response or a closed connection, and frees its slot."""

import asyncio
import json
import logging
import selectors
import socket
import threading
from collections.abc import Callable
from typing import Any

import anyio
import httpx
import pytest
from starlette.types import Message, Send

from service.app import create_app
from service.middleware import Deadline
from service.server import background
from service.settings import ServiceSettings
from tests.patience import PATIENCE, eventually, get
from tests.service.test_streams import MILLION, in_progress, started_stream


def last_request(caplog: pytest.LogCaptureFixture, status: int) -> dict[str, Any]:
    """The log record of the last request with that status."""
    found: list[Any] = [record.msg for record in caplog.records if record.name == "limbtrace"]
    entry: dict[str, Any] = [entry for entry in found if entry.get("status") == status][-1]
    return entry


def metrics(url: str) -> str:
    return get(f"{url}/metrics").text


def test_a_stream_that_takes_too_long_is_cut(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit is reached once the stream has begun, however long that takes."""
    up, limits = threading.Event(), []

    async def until_told(seconds: float) -> None:
        limits.append(seconds)
        while not up.is_set():
            await asyncio.sleep(0.01)

    monkeypatch.setattr(anyio, "sleep", until_told)
    with background(ServiceSettings(max_seconds=0.3)) as url:
        with httpx.stream("GET", f"{url}{MILLION}", timeout=PATIENCE) as answer:
            assert answer.status_code == 200
            up.set()
            with pytest.raises(httpx.RemoteProtocolError):
                answer.read()
        assert limits == [0.3]
        assert eventually(lambda: in_progress(url) == 0)
        assert 'limbtrace_cut_total{limit="max_seconds"} 1.0' in metrics(url)
        up.clear()
        assert get(f"{url}/v1/models").status_code == 200
    entry = last_request(caplog, 200)
    assert (entry["ended"], entry["level"]) == ("max_seconds", "warning")
    assert entry["set"] == answer.headers["limbtrace-set"]


def test_an_answer_that_has_not_begun_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client gets its response at once; the slot stays occupied while the thread computes."""
    go_on = threading.Event()

    def slow() -> dict[str, str]:
        go_on.wait()
        return {}

    monkeypatch.setattr("service.catalogue.catalogue.errata_document", slow)
    with background(ServiceSettings(max_seconds=0.2)) as url:
        try:
            answer = get(f"{url}/v1/errata")
            assert answer.status_code == 503
            assert answer.json()["type"] == "urn:limbtrace:problem:too-slow"
            assert "longer than 0.2 seconds" in answer.json()["detail"]
            assert "retry-after" not in answer.headers
            assert in_progress(url) == 1
        finally:
            go_on.set()
        assert eventually(lambda: in_progress(url) == 0)
        assert 'limbtrace_requests_total{route="/v1/errata",status="503"} 1.0' in metrics(url)


def test_a_client_that_does_not_read_loses_its_slot(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "limbtrace")
    with background(ServiceSettings(max_stall_seconds=0.3)) as url:
        with started_stream(url) as client:
            assert eventually(lambda: in_progress(url) == 0)
            rest = b"".join(iter(lambda: client.recv(1 << 16), b""))
            assert not rest.endswith(b"0\r\n\r\n")
        assert 'limbtrace_cut_total{limit="max_stall_seconds"} 1.0' in metrics(url)
    assert last_request(caplog, 200)["ended"] == "max_stall_seconds"


class Leaping(asyncio.SelectorEventLoop):
    """An event loop without waiting: if all tasks sleep, its clock jumps to the earliest wake-up."""

    def __init__(self) -> None:
        self.now, leaping = 0.0, self

        class Selector(selectors.DefaultSelector):
            def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
                leaping.now += timeout or 0
                return super().select(0)

        super().__init__(Selector())

    def time(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("pauses", "taken", "ended"),
    [([0.4] * 10, 10, None), ([0.4, 0.4, 0.6, 0.4], 2, "max_stall_seconds")],
    ids=["longer than the limit in all", "longer than the limit once"],
)
def test_a_client_may_read_slowly_but_not_stop(pauses: list[float], taken: int, ended: str | None) -> None:
    """The client reads each block that many seconds after it is sent."""
    app = create_app(ServiceSettings(max_stall_seconds=0.5))
    scope: dict[str, Any] = {"type": "http", "path": "/v1/vectors"}
    blocks: list[Message] = []

    async def stream(_: object, __: object, send: Send) -> None:
        for pause in pauses:
            await send({"type": "http.response.body", "pause": pause})

    async def take(message: Message) -> None:
        await anyio.sleep(message["pause"])
        blocks.append(message)

    async def nothing() -> Message:
        raise AssertionError("nobody asks for the body")

    deadline = Deadline(stream, app.state.limits, app.state.metrics)
    anyio.run(deadline, scope, nothing, take, backend_options={"loop_factory": Leaping})
    assert len(blocks) == taken
    assert scope.get("ended") == ended


def test_a_body_that_does_not_come() -> None:
    head = (
        "POST /v1/verifications HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
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
