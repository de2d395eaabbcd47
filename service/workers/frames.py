# SPDX-License-Identifier: Apache-2.0
"""Messages between the service and a worker process: pickled values on a Unix socket, each after its length.

Both ends run this code on one machine as one user, which is why pickle is safe here.
"""

import asyncio
import pickle
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from limbtrace.service.settings import ServiceSettings

_LENGTH = 4
ROOM = 1 << 20
"""Bytes that may wait at either end, so that a worker computes the next part while one is sent."""


@dataclass(frozen=True)
class Setup:
    """The settings of the service: the first thing that a worker is told."""

    settings: ServiceSettings


@dataclass(frozen=True)
class Call:
    """A request; its body follows as Body ... The worker answers Start, Body ..., End, and may first ask for a turn."""

    scope: dict[str, Any]


@dataclass(frozen=True)
class Price:
    """The worker asks for a turn of that many seconds, and waits for Go."""

    seconds: float


@dataclass(frozen=True)
class Go:
    """The turn that a worker asked for."""


@dataclass(frozen=True)
class Start:
    """Status and headers of a response; `route` is the path of the route for the metrics."""

    status: int
    headers: list[tuple[bytes, bytes]]
    route: str


@dataclass(frozen=True)
class Body:
    """A part of the body of a request or of a response."""

    data: bytes
    more: bool


@dataclass(frozen=True)
class AnswerEnd:
    """The end of an answer. `failed` if the app raised an exception, `worn` if the process should not be used again.

    `counts` are the counters to be incremented: their names and labels; `beside` is the CPU time of other processes
    that worked for the request, in seconds.
    """

    failed: bool = False
    worn: bool = False
    counts: list[tuple[str, str]] = field(default_factory=list)
    beside: float = 0.0


@dataclass(frozen=True)
class _Ahead:
    """Placeholder of a long Body, whose data follow unpickled: neither end copies them into a pickle."""

    size: int
    more: bool


LONG = 1 << 15
"""Bytes of a long Body."""
Frame = Setup | Call | Price | Go | Start | Body | AnswerEnd


class Channel:
    """One end of the connection. A `read` that is cancelled loses nothing."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._length: int | None = None
        self._ahead: _Ahead | None = None

    @classmethod
    async def on(cls, connection: socket.socket) -> "Channel":
        """The end at that socket, which belongs to the channel from now on."""
        reader, writer = await asyncio.open_unix_connection(sock=connection, limit=ROOM)
        writer.transport.set_write_buffer_limits(ROOM)
        return cls(reader, writer)

    @property
    def ended(self) -> bool:
        """True if the other end is gone and everything that it said has been read."""
        return self._reader.at_eof()

    async def read(self) -> Frame | None:
        """The next frame; None if the other end is gone."""
        try:
            if self._ahead is None:
                if self._length is None:
                    self._length = int.from_bytes(await self._reader.readexactly(_LENGTH))
                frame: Frame | _Ahead = pickle.loads(await self._reader.readexactly(self._length))
                self._length = None
                if not isinstance(frame, _Ahead):
                    return frame
                self._ahead = frame
            body = Body(await self._reader.readexactly(self._ahead.size), self._ahead.more)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        self._ahead = None
        return body

    async def write(self, frame: Frame) -> None:
        """Returns when the other end has read enough to make room, or is gone, which `read` finds then."""
        said: Frame | _Ahead = frame
        behind = b""
        if isinstance(frame, Body) and len(frame.data) >= LONG:
            said, behind = _Ahead(len(frame.data), frame.more), frame.data
        data = pickle.dumps(said, pickle.HIGHEST_PROTOCOL)
        self._writer.write(len(data).to_bytes(_LENGTH) + data)
        if behind:
            self._writer.write(behind)
        with suppress(ConnectionError):
            await self._writer.drain()

    def close(self) -> None:
        """End the connection; the other end reads None."""
        self._writer.close()
