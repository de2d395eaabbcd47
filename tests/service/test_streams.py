# SPDX-License-Identifier: Apache-2.0
"""Long responses stop when the client disconnects, never block other requests, and are never held in memory."""

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from starlette.requests import ClientDisconnect

from limbtrace.service.app import create_app
from limbtrace.service.http.responses import BLOCK, Stream, blocks
from limbtrace.service.server import UNREAD_SECONDS, background, listen
from limbtrace.service.settings import ServiceSettings
from tests.patience import PATIENCE, eventually, get
from tests.service.apps import FAULTY

PLAIN = {"Accept-Encoding": "identity"}
MILLION = "/v1/vectors?model=cios&prime=p521&format=ndjson&count=1000000"
PATIENT = ServiceSettings(max_seconds=3 * PATIENCE, max_stall_seconds=2 * PATIENCE)
"""A limit so long that a request that ends earlier ends for another reason."""


def in_progress(url: str) -> float:
    line = next(x for x in get(f"{url}/metrics").text.splitlines() if x.startswith("limbtrace_requests_in"))
    return float(line.split()[1])


@contextmanager
def started_stream(url: str) -> Iterator[socket.socket]:
    """A client that requested a million cases and has read the first bytes."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
        client.sendall(f"GET {MILLION} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert client.recv(4096).startswith(b"HTTP/1.1 200")
        yield client


def in_a_loop(work: Callable[[], Awaitable[None]]) -> None:
    """Run in a thread of its own: the browser of other tests keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(anyio.run, work).result()


def test_a_client_that_goes_away_ends_the_work() -> None:
    with background(PATIENT) as url:
        with started_stream(url):
            assert in_progress(url) == 1
        assert eventually(lambda: in_progress(url) == 0)


def test_a_stream_closes_its_source() -> None:
    closed = threading.Event()

    def source() -> Iterator[bytes]:
        try:
            while True:
                yield b"x" * BLOCK
        finally:
            closed.set()

    async def gone(*_: object) -> Any:
        raise OSError("the client went away")

    made = blocks(source())
    stream = Stream([next(made)], made, {}, "text/plain")

    async def answer() -> None:
        await stream({"type": "http", "asgi": {"spec_version": "2.4"}}, gone, gone)

    with pytest.raises(ClientDisconnect):
        in_a_loop(answer)
    assert closed.is_set()


def test_blocks_are_the_same_bytes_in_fewer_pieces() -> None:
    chunks = [bytes([k % 256]) * 1000 for k in range(200)]
    pieces = list(blocks(chunks))
    assert b"".join(pieces) == b"".join(chunks)
    assert len(pieces) == 4


def test_all_slots_for_long_responses_taken() -> None:
    with background(PATIENT.model_copy(update={"max_slow": 1})) as url:
        with started_stream(url):
            answer = get(f"{url}{MILLION}")
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) >= 1
            assert "all 1 slots" in answer.json()["detail"]
            assert 'limbtrace_refused_total{limit="max_slow"} 1.0' in get(f"{url}/metrics").text
            assert get(f"{url}/healthz").json()["status"] == "ok"
            assert get(f"{url}/v1/models").status_code == 200
        assert eventually(lambda: get(f"{url}/v1/vectors?model=cios&prime=p521&count=20000").status_code == 200)


def test_an_error_in_the_first_block_is_still_answered() -> None:
    with background(workers_app=FAULTY) as url:
        assert get(f"{url}/v1/vectors?model=cios&prime=mlkem").status_code == 500
        assert get(f"{url}/v1/vectors?model=cios&prime=mldsa").status_code == 200


def test_head_makes_no_cases(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the process of the test, where it can be counted."""
    made = []

    def noted(*_: object) -> Iterator[bytes]:
        made.append(True)
        yield b"{}"

    monkeypatch.setattr("limbtrace.service.routes.golden.sets.render", noted)
    app = create_app(ServiceSettings(database=f"sqlite:///{tmp_path}/sets.sqlite3"))
    app.state.store.open()

    async def ask() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            assert (await client.head(MILLION)).status_code == 200
            assert made == []
            assert (await client.get(MILLION)).content == b"{}"
            assert made == [True]

    in_a_loop(ask)
    app.state.store.close()


def test_small_answers_do_not_wait_for_an_acknowledgement() -> None:
    """Without TCP_NODELAY every response on a kept-alive connection takes 40 ms."""
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_the_kernel_lets_go_of_what_nobody_reads() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNREAD_SECONDS * 1000


def test_memory_does_not_grow_with_the_set() -> None:
    """200,000 cases are 66 MB of text."""
    command = ["limbtrace", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().split()[-1]

        def peak_after(count: int) -> tuple[int, int]:
            size = 0
            query: dict[str, str | int] = {"model": "cios", "prime": "secp256k1", "count": count}
            with httpx.stream("GET", f"{url}/v1/vectors", params=query, headers=PLAIN, timeout=PATIENCE) as answer:
                for chunk in answer.iter_raw():
                    size += len(chunk)
            status = Path(f"/proc/{process.pid}/status").read_text()
            return size, int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024

        _, small = peak_after(2000)
        size, large = peak_after(200_000)
        os.kill(process.pid, signal.SIGTERM)
    assert size > 60_000_000
    assert large - small < 16_000_000
    assert process.returncode == 0
