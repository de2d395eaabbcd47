# SPDX-License-Identifier: Apache-2.0
"""Clients that mean no good, each a thread with an address of its own: they leave, dawdle, or send nonsense."""

import json
import random
import re
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import cached_property
from typing import ClassVar
from urllib.parse import quote

from limbtrace.refmodels.registry import MODELS
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, render
from tools.soak.tally import AWAY, CUT, LEFT, RIGHT, Tally

WORST = "/v1/vectors?model=vdf&prime=2%5E4096-2%5E1000-1&t=5000000&count=1"
STREAM = "/v1/vectors?model=cios&prime=p521&format=ndjson&count=1000000&seed={}"
RESULTS = "/v1/verifications"
BETWEEN = 0.2
"""Seconds between two requests of a client that does not wait for anything."""
_TIMEOUT = 60
_LISTS, _DEPTH, _PRODUCTS = 5_000_000, 100_000, 440_000
_ROUTES = (
    *("vectors", "traces", "cycles", "fp2", "constants", "events", "explore"),
    *("tables", "models", "sets/0", "sessions/0", "nothing"),
)
_NAMES = (
    *("model", "core", "prime", "radix", "count", "seed", "kind", "format", "a", "b", "operands", "step", "t"),
    *("set", "op", "form", "event", "bits", "point", "device", "passes", "overlap", "nothing"),
)
_VALUES = (
    *("0", "-1", "1", "2^16384", "2^4096-2^1000-1", "9^9^9^9", "0x", "3^82000", "NaN", "[1,2]", "1,2", "(" * 500),
    *("p256", "mlkem", "json", "csv", "directed", "chained", "events:", "iddmm_arch2", "fpmm", "", "\x00", "\u202e"),
    *sorted(MODELS),
)


class Hostile(ABC):
    """A client. Subclasses are listed in KINDS."""

    name: ClassVar[str]
    about: ClassVar[str]
    """Description of its behaviour, for the page."""

    def __init__(self, port: int, number: int, seed: int, tally: Tally) -> None:
        self.port, self.tally = port, tally
        self.rng = random.Random(f"{seed} {self.name} {number}")
        self._address = f"127.1.{len(self.name)}.{2 + number}"

    def run(self, done: threading.Event) -> None:
        """Attack until it is done."""
        while not done.wait(BETWEEN):
            begin = time.monotonic()
            try:
                self.attack(done)
            except OSError as error:
                self.ended(error, begin)

    def ended(self, error: OSError, begin: float) -> None:
        """A connection failed; that the server closes one is its right, that it does not answer in time is not."""
        if isinstance(error, TimeoutError):
            self.tally.unanswered(self.name, repr(error), begin)
        else:
            away = self.tally.disturbed(begin, time.monotonic())
            self.tally.note(self.name, AWAY if away else CUT)

    @abstractmethod
    def attack(self, done: threading.Event) -> None:
        """Once. Raises OSError."""

    def connect(self, stack: ExitStack, receive_buffer: int = 0) -> socket.socket:
        """A new connection."""
        client = stack.enter_context(socket.socket())
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.settimeout(_TIMEOUT)
        client.bind((self._address, 0))
        client.connect(("127.0.0.1", self.port))
        return client

    def count(self, what: str, answer: bytes) -> None:
        """Count a whole answer, with its head."""
        head, _, body = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        if not re.match(r"HTTP/1\.1 \d{3} ", first):
            self.tally.note(self.name, CUT)
            return
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = int(first.split()[1])
        if status < 400:
            self.tally.note(self.name, RIGHT)
        else:
            self.tally.judge(self.name, what, status, headers, body)


def head(method: str, path: str, length: int | None = None, kind: str = "application/json") -> bytes:
    """The head of a request, after which the server closes the connection."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    if length is not None:
        lines += [f"Content-Type: {kind}", f"Content-Length: {length}"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def everything(client: socket.socket) -> bytes:
    """All data until the end; a reset is an end."""
    parts = []
    try:
        while part := client.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


class Leaver(Hostile):
    """Leaves before the answer."""

    name = "leaver"
    about = "asks for 5,000,000 squarings of 4096 bits, or sends 440,000 products of 4096 bits, and leaves"

    @cached_property
    def _body(self) -> bytes:
        case = '{"a":"0x1","b":"0x1","result":"0x1"}'
        return (
            '{"model":"cios","prime":"2^4096-2^1000-1","radix":"2^64","results":[' + ",".join([case] * _PRODUCTS) + "]}"
        ).encode()

    def attack(self, done: threading.Event) -> None:
        with ExitStack() as stack:
            if self.rng.random() < 0.75:
                clients = [self.connect(stack) for _ in range(8)]
                for client in clients:
                    client.sendall(head("GET", WORST))
            else:
                clients = [self.connect(stack)]
                clients[0].sendall(head("POST", RESULTS, len(self._body)) + self._body)
            done.wait(self.rng.uniform(0.5, 3))
            for _ in clients:
                self.tally.note(self.name, LEFT)


class SlowHead(Hostile):
    """Says a letter of a head now and then."""

    name = "slow head"
    about = "100 connections that say a letter each second"

    def attack(self, done: threading.Event) -> None:
        with ExitStack() as stack:
            waiting = [self.connect(stack) for _ in range(100)]
            for letter in head("GET", "/v1/models")[:-4]:
                if done.wait(1) or not waiting:
                    break
                waiting = [client for client in waiting if self._is_open(client, bytes([letter]))]
            for _ in waiting:
                self.tally.note(self.name, LEFT)

    def _is_open(self, client: socket.socket, letter: bytes) -> bool:
        try:
            client.sendall(letter)
        except OSError:
            self.tally.note(self.name, CUT)
            return False
        return True


class SlowBody(Hostile):
    """Says a letter of a body now and then."""

    name = "slow body"
    about = "32 bodies of 100,000 bytes of which a byte comes each second"

    def attack(self, done: threading.Event) -> None:
        with ExitStack() as stack:
            waiting = [self.connect(stack) for _ in range(32)]
            for client in waiting:
                client.sendall(head("POST", RESULTS, 100_000))
            while waiting and not done.wait(1):
                waiting = [client for client in waiting if self._goes_on(client)]
            for _ in waiting:
                self.tally.note(self.name, LEFT)

    def _goes_on(self, client: socket.socket) -> bool:
        """Send a byte, or take the answer if there is one."""
        client.setblocking(False)
        try:
            client.send(b"[")
            client.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            self.tally.note(self.name, CUT)
            return False
        client.settimeout(_TIMEOUT)
        self.count("a slow body", everything(client))
        return False


class SlowReader(Hostile):
    """Reads a long answer slowly."""

    name = "slow reader"
    about = "asks for 1,000,000 cases of 521 bits and reads 10 KB a second"

    def attack(self, done: threading.Event) -> None:
        begin = time.monotonic()
        with ExitStack() as stack:
            client = self.connect(stack, 4096)
            client.sendall(head("GET", STREAM.format(self.rng.getrandbits(30))))
            first = client.recv(1024)
            if not first.startswith(b"HTTP/1.1 200"):
                self.count("a long answer", first + everything(client))
                return
            end = begin + self.rng.uniform(5, 30)
            while time.monotonic() < end and not done.wait(0.1):
                if not client.recv(1024):  # its worker may be the one that was killed
                    self.tally.note(self.name, CUT)
                    return
            self.tally.note(self.name, LEFT)


class BadBody(Hostile):
    """Sends documents that are too large, too deep, damaged or no documents."""

    name = "bad body"
    about = "5,000,000 lists, 100,000 levels, no JSON, a wrong digest, a wrong media type, two lengths"

    @cached_property
    def _bodies(self) -> list[tuple[str, bytes]]:
        request = VectorRequest.resolve(Multiplier.resolve("cios", "p256", {}), 20, 1, "random")
        document = json.loads(b"".join(render(VectorSet(request), "json")))
        damaged = {**document, "digest": "0" * 64, "numberOfTests": 19, "id": "0" * 32}
        lists = b'{"model":"cios","prime":"p256","results":[' + b",".join([b"[]"] * _LISTS) + b"]}"
        deep = b'{"a":' * _DEPTH + b"1" + b"}" * _DEPTH
        texts = [lists, deep, b"[" * _DEPTH, b"\xff\xfe no JSON", b"{", json.dumps(damaged).encode()]
        requests = [(head("POST", RESULTS, len(text)), text) for text in texts]
        requests.append((head("POST", RESULTS, 2, "text/plain"), b"{}"))
        both = head("POST", RESULTS, 2).replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n")
        requests.append((both, b"2\r\n{}\r\n0\r\n\r\n"))
        return [(start.split(b"\r\n")[0].decode(), start + text) for start, text in requests]

    def attack(self, done: threading.Event) -> None:
        what, sent = self.rng.choice(self._bodies)
        with ExitStack() as stack:
            client = self.connect(stack)
            with suppress(BrokenPipeError, ConnectionResetError):  # refused early; the answer may still be there
                client.sendall(sent)
            self.count(what, everything(client))


class Fuzz(Hostile):
    """Asks for anything."""

    name = "fuzz"
    about = "random routes and query strings"

    def attack(self, done: threading.Event) -> None:
        number = self.rng.randrange(8)
        query = "&".join(f"{self.rng.choice(_NAMES)}={quote(self.rng.choice(_VALUES))}" for _ in range(number))
        path = f"/v1/{self.rng.choice(_ROUTES)}?{query}"
        with ExitStack() as stack:
            client = self.connect(stack)
            client.sendall(head("GET", path))
            self.count(path, everything(client))


KINDS: tuple[tuple[type[Hostile], int], ...] = (
    (Leaver, 2),
    (SlowHead, 1),
    (SlowBody, 1),
    (SlowReader, 2),
    (BadBody, 2),
    (Fuzz, 2),
)
"""Kinds of clients, and how many there are of each."""


def clients(port: int, seed: int, tally: Tally) -> Iterator[Hostile]:
    """All of them."""
    for kind, number in KINDS:
        for k in range(number):
            yield kind(port, k, seed, tally)
