# SPDX-License-Identifier: Apache-2.0
"""Connections that say nothing, say it slowly, or are too many; clients that read slowly."""

import resource
import socket
import time
from contextlib import ExitStack

import pytest

from limbtrace.service.http.connection import most_connections
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from tests.patience import PATIENCE, Pulse, eventually, get
from tests.service.test_streams import MILLION, in_progress


def connection(url: str, receive_buffer: int = 0) -> socket.socket:
    host, _, port = url.removeprefix("http://").partition(":")
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(PATIENCE)
    client.connect((host, int(port)))
    return client


def ended(client: socket.socket) -> bool:
    """Whether the connection ends without a byte."""
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("said", ["", "G", "GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1\r\n"])
def test_a_head_that_does_not_come_is_cut(said: str) -> None:
    """Row 5."""
    with background(ServiceSettings(max_header_seconds=0.3)) as url, connection(url) as client:
        client.sendall(said.encode())
        assert ended(client)


def test_the_head_of_a_second_request_is_cut_as_well() -> None:
    with background(ServiceSettings(max_header_seconds=0.5)) as url, connection(url) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 200")
        for letter in b"GET /healthz":
            try:
                client.sendall(bytes([letter]))
            except OSError:
                break
            time.sleep(0.1)
        else:
            raise AssertionError("the connection is still open after twice the time")


def test_more_connections_than_allowed_are_closed() -> None:
    with background(ServiceSettings(max_connections=5)) as url, ExitStack() as stack:
        held = [stack.enter_context(connection(url)) for _ in range(5)]
        assert eventually(lambda: _is_closed(url))
        held[0].close()
        assert eventually(lambda: not _is_closed(url))


def _is_closed(url: str) -> bool:
    with connection(url) as client:
        try:
            client.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return not client.recv(1)
        except ConnectionError:
            return True


def test_connections_leave_descriptors_for_the_rest() -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most_connections(ServiceSettings(max_connections=10**9)) < soft
    assert most_connections(ServiceSettings(max_connections=7)) == 7


def test_two_lengths_are_refused() -> None:
    """Row 13: Content-Length beside Transfer-Encoding, by which servers in a chain may be made to disagree."""
    head = b"POST /v1/verifications HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with background() as url, connection(url) as client:
        client.sendall(head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
        assert client.recv(1 << 16).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_reads_slowly_but_steadily_is_not_cut() -> None:
    """Row 10: less than a block in the time after which a client that does not read is cut."""
    with background(ServiceSettings(max_stall_seconds=1)) as url, connection(url, 4096) as client:
        client.sendall(f"GET {MILLION} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert client.recv(64).startswith(b"HTTP/1.1 200")
        for _ in range(30):
            time.sleep(0.1)
            assert client.recv(1024)
        assert in_progress(url) == 1
        assert 'limbtrace_cut_total{limit="max_stall_seconds"}' not in get(f"{url}/metrics").text


def test_many_slow_heads_stop_nobody() -> None:
    with background(ServiceSettings(max_header_seconds=2)) as url, ExitStack() as stack, Pulse(url) as pulse:
        clients = [stack.enter_context(connection(url)) for _ in range(300)]
        for client in clients:
            client.sendall(b"GET /v1/models HT")
        assert get(f"{url}/v1/models").status_code == 200
        for client in clients:
            assert ended(client)
    assert pulse.answered
