# SPDX-License-Identifier: Apache-2.0
"""Requests that compute for long: they end when their client has gone, wait for their turn, and stop nobody."""

import os
import signal
import socket
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.workers.front import QUICK_SECONDS
from tests.patience import PATIENCE, Pulse, computed, eventually, get
from tests.service.test_problems import RESULTS
from tests.service.test_serve import serve
from tests.service.test_streams import in_progress
from tests.service.test_time import WORST

QUICK = "/v1/vectors?model=cios&prime=mlkem&kind=random&count=4"


def workers(server: int) -> list[int]:
    """The processes that compute for a server: those of its zygote."""
    return [worker for zygote in children(server) for worker in children(zygote)]


def children(process: int) -> list[int]:
    try:
        tasks = [*Path(f"/proc/{process}/task").iterdir()]
    except FileNotFoundError:
        return []
    found = []
    for task in tasks:
        try:
            found += [int(number) for number in (task / "children").read_text().split()]
        except FileNotFoundError:
            continue
    return found


def used(process: int) -> float:
    """CPU time in seconds; none of a process that has ended."""
    try:
        return computed(process)
    except FileNotFoundError:
        return 0.0


def is_still(server: int) -> bool:
    """Whether no worker computes for half a second."""
    before = {worker: used(worker) for worker in workers(server)}
    time.sleep(0.5)
    return all(used(worker) <= seconds for worker, seconds in before.items())


def ask(stack: ExitStack, url: str, path: str, number: int) -> list[socket.socket]:
    """That many clients who have asked and wait."""
    host, _, port = url.removeprefix("http://").partition(":")
    made = []
    for _ in range(number):
        client = stack.enter_context(socket.create_connection((host, int(port)), timeout=PATIENCE))
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        made.append(client)
    return made


def test_the_worst_requests_stop_nobody_and_end_with_their_clients() -> None:
    """Row 1: 32 clients leave; nothing is computed for them any more."""
    with serve() as (process, url):
        get(f"{url}{QUICK}")
        with ExitStack() as clients, Pulse(url) as pulse:
            ask(clients, url, WORST, 32)
            assert eventually(lambda: len(workers(process.pid)) > 2)
            for _ in range(20):
                assert get(f"{url}{QUICK}").status_code == 200
            assert pulse.percentile(0.5) < PATIENCE
        assert pulse.answered
        assert eventually(lambda: in_progress(url) == 0)
        assert eventually(lambda: len(workers(process.pid)) <= (os.cpu_count() or 1))
        assert eventually(lambda: is_still(process.pid))
        assert all(used(worker) < 10 for worker in workers(process.pid)), "the worst request takes more"


def test_a_server_that_computes_ends_when_it_is_told() -> None:
    """Row 14: with all its processes; that it is at once is in the assertion about what they had computed."""
    with serve() as (process, url), ExitStack() as clients:
        get(f"{url}{QUICK}")
        ask(clients, url, WORST, 8)
        assert eventually(lambda: any(used(worker) > 0.3 for worker in workers(process.pid)))
        everybody = [*children(process.pid), *workers(process.pid)]
        begin = sum(used(worker) for worker in workers(process.pid))
        os.kill(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)
        assert begin < 26
        assert eventually(lambda: not any(Path(f"/proc/{number}").exists() for number in everybody))
    assert process.returncode == 0


def test_a_server_that_is_killed_leaves_no_process() -> None:
    with serve() as (process, url), ExitStack() as clients:
        get(f"{url}{QUICK}")
        ask(clients, url, WORST, 2)
        assert eventually(lambda: any(used(worker) > 0.3 for worker in workers(process.pid)))
        everybody = [*children(process.pid), *workers(process.pid)]
        process.kill()
        assert eventually(lambda: not any(Path(f"/proc/{number}").exists() for number in everybody))


def test_a_worker_that_dies_is_replaced() -> None:
    with serve() as (process, url), ExitStack() as clients:
        get(f"{url}{QUICK}")
        (client,) = ask(clients, url, WORST, 1)
        assert eventually(lambda: any(used(worker) > 0.3 for worker in workers(process.pid)))
        for worker in workers(process.pid):
            os.kill(worker, signal.SIGKILL)
        answer = client.recv(1 << 16)
        while b"}" not in answer:
            answer += client.recv(1 << 16)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 5" in answer.lower()
        assert b"urn:limbtrace:problem:worker" in answer
        for _ in range(3):
            assert get(f"{url}{QUICK}").status_code == 200
        for worker in workers(process.pid):  # idle ones
            os.kill(worker, signal.SIGKILL)
        assert eventually(lambda: not workers(process.pid))
        assert get(f"{url}{QUICK}").status_code == 200


def test_a_worker_that_dies_while_nobody_asks_is_replaced() -> None:
    """The first request afterwards may be told to come again, as if the worker had died a moment later."""
    with serve() as (process, url):
        for _ in range(3):
            get(f"{url}{QUICK}")
            for worker in workers(process.pid):
                os.kill(worker, signal.SIGKILL)
            assert eventually(lambda: not workers(process.pid))
            answer = get(f"{url}{QUICK}")
            assert answer.status_code == 200 or (answer.status_code, answer.headers["retry-after"]) == (503, "5")


def test_memory_of_a_computation_is_limited() -> None:
    """A document that takes twice the limit when it is parsed; the next one is served."""
    body = {**RESULTS, "more": [{"a": k} for k in range(500_000)]}
    with background(ServiceSettings(max_memory_bytes=1 << 26)) as url:
        answer = httpx.post(f"{url}/v1/verifications", json=body, timeout=PATIENCE)
        assert answer.status_code == 422
        assert answer.json()["type"] == "urn:limbtrace:problem:memory"
        counted = 'limbtrace_refused_total{limit="max_memory_bytes"} 1.0'
        assert eventually(lambda: counted in get(f"{url}/metrics").text)
        assert httpx.post(f"{url}/v1/verifications", json=RESULTS, timeout=PATIENCE).json()["verdict"] == "pass"


def test_one_client_leaves_turns_to_others() -> None:
    """A client with many long requests waits behind another one with a single request."""
    with serve() as (process, url), ExitStack() as clients:
        get(f"{url}{QUICK}")
        ask(clients, url, WORST.replace("5000000", "200000"), 20)
        assert eventually(lambda: any(used(worker) > 0.3 for worker in workers(process.pid)))
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=PATIENCE) as other:
            answer = other.get(f"{url}/v1/vectors?model=cios&prime=p521&count=30000&format=ndjson&kind=random")
        assert len(answer.content) > 1 << 20
        assert in_progress(url) > 8, "most of the others still wait"


def test_one_client_has_half_of_the_slots_for_long_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request takes a slot when it has computed for QUICK_SECONDS."""
    monkeypatch.setenv("LIMBTRACE_MAX_SLOW", "4")
    with serve() as (process, url), ExitStack() as clients:
        get(f"{url}{QUICK}")
        ask(clients, url, WORST, 2)
        assert eventually(lambda: sum(used(worker) >= QUICK_SECONDS for worker in workers(process.pid)) == 2)
        time.sleep(2 * QUICK_SECONDS)  # the server looks at least that often
        answer = get(f"{url}{WORST}")
        assert answer.status_code == 503
        assert "this client has its 2 of the 4 slots" in answer.json()["detail"]
        assert int(answer.headers["retry-after"]) >= 1
        assert get(f"{url}{QUICK}").status_code == 200
