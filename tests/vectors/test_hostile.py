# SPDX-License-Identifier: Apache-2.0
"""A service that means harm: whatever it answers, the client says so in one sentence and in bounded time and memory."""

import gzip
import json
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

import limbtrace.vectors.client as client_module
from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.client import Client, ServiceError
from limbtrace.vectors.cycles import CycleQuery, CycleRequest, formats
from limbtrace.vectors.request import CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, render
from limbtrace.vectors.source import Local
from limbtrace.vectors.traces import TraceRequest
from limbtrace.vectors.traces.formats import FORMATS as TRACE_FORMATS
from tests.patience import PATIENCE
from tests.rtl_bridge.helpers import CORE
from tests.vectors.test_cli import run

Answer = Callable[[socket.socket, str], None]
"""What a server does with a connection, given the request line."""
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"
MEMORY = 300 << 20


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """A server that does this with every connection, and its URL."""

    def connection(stream: socket.socket) -> None:
        with stream:
            head = b""
            while b"\r\n\r\n" not in head and (data := stream.recv(1 << 16)):
                head += data
            try:
                answer(stream, head.split(b"\r\n")[0].decode())
            except OSError:
                return

    def accept() -> None:
        while True:
            try:
                stream, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=connection, args=(stream,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def said(body: bytes, status: str = "200 OK", *more: str) -> Answer:
    head = "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *more, ""))
    return lambda stream, _: stream.sendall(head.encode() + body)


def endless(chunk: bytes, pause: float = 0) -> Answer:
    def send(stream: socket.socket, _: str) -> None:
        stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            stream.sendall(chunk)
            time.sleep(pause)

    return send


def asks(client: Client) -> dict[str, Callable[[], object]]:
    """Everything that a client can ask for."""
    return {
        "models": client.models,
        "primes": client.primes,
        "constants": lambda: client.constants("cios", "mlkem", {}),
        "events": lambda: client.events("cios"),
        "fp2": lambda: client.fp2("cios", "mlkem", {}, "mul", count=2),
        "verify": lambda: client.verify({}),
        "coverage": lambda: client.coverage({}),
        "cases": lambda: list(client.cases("cios", "mlkem", {}, 5).cases),
        "tables": lambda: list(client.tables(CORE, "mlkem", {}, [(1, 2), (3, 4), (5, 6)]).products),
        "trace": lambda: client.trace("cios", "mlkem", {}, 5, 7),
    }


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ((f"Location: /v1/reports/{'0a' * 16}",), ""),
        ((f"Location: https://lab.example/of/ours/v1/reports/{'0a' * 16}",), ""),
        (("Location: /v1/reports/..%2f",), "the service names no id of the report"),
        ((), "the answer is not a document"),
    ],
)
def test_the_id_of_a_report_is_what_the_service_says(more: tuple[str, ...], sentence: str) -> None:
    """One of another release keeps other members, so that the id does not follow from the answer."""
    with serving(said(b"{}", "201 Created", *more)) as url, Client(url) as client:
        if not sentence:
            assert client.post_report({}) == "0a" * 16
            return
        with pytest.raises(ServiceError, match=sentence):
            client.post_report({})


DEEP = b'{"steps":' + b"[" * 200_000
ANSWERS = {
    "deep": said(DEEP + b"]" * 200_000 + b"}"),
    "long number": said(b'{"seed":' + b"9" * 5000 + b"}\n"),
    "other host": said(b"", "307 Temporary Redirect", "Location: http://169.254.169.254/latest/"),
    "packed": said(gzip.compress(b"[" * 1000), "200 OK", "Content-Encoding: gzip"),
    "no HTTP": lambda stream, _: stream.sendall(b"SSH-2.0\r\n" * 100),
    "header without end": endless(b"X" * 4096),
    "not text": said(b"\xff\xfe{}\n"),
    "numbers": said(b"1\n2\n3\n"),
    "NaN": said(b'{"steps": NaN}\n'),
    "closed": lambda stream, _: None,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_one_sentence_for_everything(name: str) -> None:
    with serving(ANSWERS[name]) as url, Client(url, timeout=PATIENCE) as client:
        for ask in asks(client).values():
            with pytest.raises(ServiceError) as caught:
                ask()
            assert "\n" not in str(caught.value)


def test_nothing_is_asked_elsewhere() -> None:
    asked: list[str] = []

    def record(stream: socket.socket, line: str) -> None:
        asked.append(line)
        said(b"{}")(stream, line)

    with (
        serving(record) as other,
        serving(said(b"", "302 Found", f"Location: {other}/x")) as url,
        Client(url) as client,
        pytest.raises(ServiceError, match="sends elsewhere, which is not followed"),
    ):
        client.models()
    assert asked == []


@pytest.mark.parametrize("ask", ["models", "verify", "cases", "tables", "trace"])
@pytest.mark.parametrize("chunk", [b" " * 65536, b'{"a":[' + b"[]," * 20000, b"\n" * 65536], ids=[*"abc"])
def test_a_body_that_never_ends(ask: str, chunk: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_DOCUMENT", 1 << 20)
    monkeypatch.setattr(client_module, "MAX_LINE", 1 << 18)
    with serving(endless(chunk)) as url, Client(url, timeout=PATIENCE) as client, pytest.raises(ServiceError):
        asks(client)[ask]()


@pytest.mark.parametrize("ask", ["models", "cases"])
def test_a_body_that_comes_byte_by_byte(ask: str) -> None:
    """Never silent for as long as the service may be, and never done."""
    slow, sentence = endless(b" ", 0.02), "did not end within 5 seconds"
    with serving(slow) as url, Client(url, timeout=0.5) as client, pytest.raises(ServiceError, match=sentence):
        asks(client)[ask]()


def test_limits_are_far_above_what_is_asked_for() -> None:
    assert client_module.MAX_DOCUMENT >= 1 << 25
    assert client_module.MAX_LINE > 1024 * 10_000


MORE = b"".join(render(VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "mlkem", {}), 9)), "ndjson"))


def test_more_cases_than_were_asked_for() -> None:
    with serving(said(MORE)) as url, Client(url) as client, pytest.raises(ServiceError, match="more than the 5 cases"):
        asks(client)["cases"]()


def test_fewer_cases_than_were_asked_for() -> None:
    fewer = VectorSet(VectorRequest.resolve(Multiplier.resolve("cios", "mlkem", {}), 3))
    answer = said(b"".join(render(fewer, "ndjson")))
    with serving(answer) as url, Client(url) as client, pytest.raises(ServiceError, match="has 3 cases, and 5 were"):
        asks(client)["cases"]()


@pytest.mark.parametrize("status", ["422 x", "404 x", "500 x", "503 x"])
def test_terminal_escapes_in_a_problem(status: str, capfd: pytest.CaptureFixture[str]) -> None:
    problem = dict.fromkeys(("type", "title", "instance", "parameter", "detail"), ESCAPES)
    body = json.dumps({**problem, "status": int(status[:3])}).encode()
    with serving(said(body, status)) as url:
        with Client(url) as client, pytest.raises((ServiceError, ParameterError)) as caught:
            client.models()
        code, out, err = run(
            capfd, "sim", CORE, "--prime", "mlkem", "--simulator", "icarus", "--service", url, "--mode", "bulk"
        )
    assert str(caught.value).isprintable()
    assert (code in (2, 3), out) == (True, "")
    assert err.replace("\n", "").isprintable()
    assert "Traceback" not in err


def documents() -> dict[str, bytes]:
    """Right answers, by the beginning of the path."""
    core = CoreRequest.resolve(CORE, "mlkem", {"radix": "2^4"})
    cycles = CycleRequest.of(CycleQuery(core=CORE, prime="mlkem", operands=["5,7", "3,4"]), core)
    trace = TraceRequest(Multiplier.resolve("iddmm2", "mlkem", {"radix": "2^4"}), 5, 7)
    vectors = VectorSet(VectorRequest.resolve(Multiplier.resolve("iddmm2", "mlkem", {"radix": "2^4"}), 5))
    return {
        "/v1/cycles": b"".join(formats.FORMATS["json"].write(cycles)),
        "/v1/traces": b"".join(TRACE_FORMATS["json"].write(trace)),
        "/v1/vectors": b"".join(render(vectors, "ndjson")),
    }


VALUES: list[Any] = [None, 0, -1, 1 << 70, 1e300, "", ESCAPES, "0x", "-0x1", "0x" + "f" * 3000, [], {}, [[]], True]


def spoilt(value: Any, draw: random.Random) -> Any:
    """The value with something else somewhere in it."""
    if isinstance(value, dict) and value and draw.random() < 0.9:
        key = draw.choice(list(value))
        return (
            {name: v for name, v in value.items() if name != key}
            if draw.random() < 0.1
            else {**value, key: spoilt(value[key], draw)}
        )
    if isinstance(value, list) and value and draw.random() < 0.9:
        at = draw.randrange(len(value))
        there = [] if draw.random() < 0.1 else [spoilt(value[at], draw)]
        return [*value[:at], *there, *value[at + 1 :]]
    return draw.choice(VALUES)


@pytest.mark.parametrize("path", ["/v1/cycles", "/v1/traces", "/v1/vectors"])
def test_spoilt_answers(path: str) -> None:
    """Either it is taken, or it is refused in one sentence."""
    draw, right = random.Random(1), documents()[path]
    current = right

    def reply(stream: socket.socket, line: str) -> None:
        said(current)(stream, line)

    refused: list[str] = []
    with serving(reply) as url, Client(url, timeout=PATIENCE) as client:
        asked: dict[str, Callable[[], object]] = {
            "/v1/cycles": lambda: list(client.tables(CORE, "mlkem", {}, [(5, 7), (3, 4)]).products),
            "/v1/traces": lambda: client.trace("iddmm2", "mlkem", {}, 5, 7),
            "/v1/vectors": lambda: list(client.cases("iddmm2", "mlkem", {}, 5).cases),
        }
        ask = asked[path]
        ask()
        for _ in range(250):
            lines = right.splitlines() if path == "/v1/vectors" else [right]
            at = draw.randrange(len(lines))
            lines[at] = json.dumps(spoilt(json.loads(lines[at]), draw)).encode()
            current = b"\n".join(lines)
            try:
                ask()
            except ServiceError as error:
                refused.append(str(error))
    assert len(refused) > 20
    assert all(sentence.isprintable() for sentence in refused)


@pytest.mark.parametrize("at", [0, 2, -1, None])
def test_an_answer_has_ended_when_its_error_is_known(at: int | None) -> None:
    """Somebody may keep the error; what is left open would be closed by the garbage collector, at any time."""
    lines = documents()["/v1/vectors"].splitlines()
    if at is not None:
        lines[at] = b"{}"
    errors: list[ServiceError] = []
    with serving(said(b"\n".join(lines))) as url, Client(url, timeout=PATIENCE) as client:
        try:
            cases = client.cases("iddmm2", "mlkem", {}, 5).cases
            assert at is None or at
            assert len(list(cases)) == 5
        except ServiceError as error:
            errors.append(error)
        transport = client._http._transport
        assert isinstance(transport, httpx.HTTPTransport)
        assert all(connection.is_idle() for connection in transport._pool.connections)
    assert len(errors) == (at is not None)


WRONG: dict[str, tuple[str, list[Any]]] = {
    "wide operand": ("operands", [["0x" + "f" * 40, "0x7"]]),
    "wide result": ("results", ["0x" + "f" * 40]),
    "wide cell": ("rows", ["0x" + "f" * 40]),
    "no cells": ("rows", []),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("mode", ["lockstep", "bulk"])
def test_values_that_no_core_has(what: str, mode: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A table that is well-formed, and whose values fit no signal: exit 3, and no traceback of the simulator."""
    right = json.loads(documents()["/v1/cycles"])
    trace = json.loads(documents()["/v1/traces"])
    name, value = WRONG[what]
    if name == "rows":
        value = [value * len(row) for row in right["rows"]]
    table = {**right, name: value}

    def reply(stream: socket.socket, line: str) -> None:
        wrong = {**trace, "result": "0x" + "f" * 40}
        said(json.dumps(table if "/v1/cycles" in line else wrong).encode())(stream, line)

    with serving(reply) as url:
        code, out, err = run(
            capfd, "sim", CORE, "--prime", "mlkem", "--radix", "2^4", "--simulator", "icarus", "--mode", mode,
            "--operands", "5,7", "--operands", "3,4", "--service", url,
        )  # fmt: skip
    assert (code, out) == (3, "")
    assert "Traceback" not in err
    assert "service" in err or url in err


def test_memory_is_bounded() -> None:
    """A document of blanks without end in a process with a limit on memory."""
    program = (
        "import resource, sys; from limbtrace.vectors.client import Client, ServiceError\n"
        f"resource.setrlimit(resource.RLIMIT_DATA, ({MEMORY}, {MEMORY}))\n"
        "try: Client(sys.argv[1]).models()\n"
        "except ServiceError as error: print(error)\n"
    )
    with serving(endless(b" " * (1 << 20))) as url:
        done = subprocess.run([sys.executable, "-c", program, url], capture_output=True, text=True, check=False)
    assert "a document of more than 67108864 bytes" in done.stdout, done.stderr


def test_the_right_answers_are_those_of_the_models() -> None:
    """So that what is spoilt above is an answer that would be taken."""
    trace = Local().trace("iddmm2", "mlkem", {"radix": "2^4"}, 5, 7)
    assert int(json.loads(documents()["/v1/traces"])["result"], 16) == trace.result
