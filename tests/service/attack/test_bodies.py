# SPDX-License-Identifier: Apache-2.0
"""Bodies that are large, deep or slow."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from limbtrace.service.http.request_body import Structure
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from tests.patience import PATIENCE, Pulse, eventually, get
from tests.service.test_streams import in_progress

HEAD = (
    "POST /v1/verifications HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"
)


def structure(text: bytes, cuts: list[int]) -> tuple[int, int]:
    found = Structure()
    ends = sorted(min(cut, len(text)) for cut in cuts)
    for begin, end in zip([0, *ends], [*ends, len(text)], strict=True):
        found.feed(text[begin:end])
    return found.items, found.deepest


def counted(text: bytes) -> tuple[int, int]:
    """Character by character."""
    items = depth = deepest = 0
    inside = escaped = False
    for character in text.decode("latin-1"):
        if inside:
            inside, escaped = escaped or character != '"', character == "\\" and not escaped
        elif character == '"':
            inside = True
        elif character in "[{":
            items, depth = items + 1, depth + 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return items, deepest


@given(st.text(alphabet='[]{}"\\a', max_size=40), st.lists(st.integers(0, 40), max_size=5))
@example('"\\"[', [2])
@example('["\\\\", [', [3, 4])
@example('"', [])
def test_lists_and_objects_are_counted_outside_of_strings(text: str, cuts: list[int]) -> None:
    """However the text is cut into pieces. Backslashes outside of strings are no JSON and are left out."""
    data = _only_inside(text).encode()
    assert structure(data, cuts) == counted(data)


def _only_inside(text: str) -> str:
    """The text without the backslashes outside of strings."""
    kept, inside, escaped = "", False, False
    for character in text:
        if inside:
            inside, escaped = escaped or character != '"', character == "\\" and not escaped
        elif character == "\\":
            continue
        elif character == '"':
            inside = True
        kept += character
    return kept


@pytest.mark.parametrize(
    ("content", "limit"),
    [
        ('{"model":"cios","prime":"p256","results":[' + ",".join(["[]"] * 5_000_000) + "]}", "max_body_items"),
        ('{"a":' * 1000 + "1" + "}" * 1000, "max_body_depth"),
    ],
    ids=["row 2: five million lists", "deep"],
)
def test_large_structures_are_refused_while_they_arrive(content: str, limit: str) -> None:
    with background() as url:
        get(f"{url}/v1/models")
        with Pulse(url) as pulse, ThreadPoolExecutor(8) as pool:

            def send(_: int) -> httpx.Response:
                head = {"Content-Type": "application/json"}
                return httpx.post(f"{url}/v1/verifications", content=content, headers=head, timeout=PATIENCE)

            try:
                statuses = {answer.status_code for answer in pool.map(send, range(8))}
            except httpx.WriteError:  # the connection is closed while the rest is being sent
                statuses = {413}
            assert statuses <= {413, 503}
        assert pulse.answered
        assert f'limbtrace_refused_total{{limit="{limit}"}}' in get(f"{url}/metrics").text


def test_slow_bodies_hold_up_nobody() -> None:
    """Row 4: 32 bodies of a byte every now and then; all other requests are answered, and the bodies are cut."""
    with background(ServiceSettings(max_stall_seconds=2, max_concurrent=2)) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        slow = [socket.create_connection((host, int(port)), timeout=PATIENCE) for _ in range(32)]
        try:
            for client in slow:
                client.sendall(HEAD.format(1000).encode() + b"{")
            assert eventually(lambda: in_progress(url) == 32)
            assert [get(f"{url}/v1/models").status_code for _ in range(20)] == [200] * 20
            assert {client.recv(12) for client in slow} == {b"HTTP/1.1 408"}
        finally:
            for client in slow:
                client.close()


def test_a_body_has_a_least_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte at a time never stalls, but is too slow."""
    monkeypatch.setattr("limbtrace.service.http.request_body.START_SECONDS", 1.0)
    with background(ServiceSettings(min_body_rate=1000)) as url:
        host, _, port = url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
            client.sendall(HEAD.format(100_000).encode())
            done = threading.Event()

            def trickle() -> None:
                while not done.wait(0.05):
                    client.sendall(b"[")

            thread = threading.Thread(target=trickle)
            thread.start()
            try:
                answer = b""
                while b"}" not in answer:
                    answer += client.recv(1 << 16)
            finally:
                done.set()
                thread.join()
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"more slowly than 1000 bytes a second" in answer
