# SPDX-License-Identifier: Apache-2.0
"""Turns to compute: a few at a time, and the client that has computed least comes first.

Start-time fair queueing: a turn is stamped with the time, in computed seconds, at which its client would finish it if
every waiting client computed at the same rate; the least stamp is next. A client with many requests waits for itself.
"""

import asyncio
import heapq
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count


class NoPlaceError(Exception):
    """No more requests may wait; `seconds` says when to try again, the message why."""

    def __init__(self, message: str, seconds: int) -> None:
        super().__init__(message)
        self.seconds = seconds


class Turns:
    """At most `limit` turns at a time, and at most `most` requests that have or wait for one, half of them a client's.

    For one event loop; not for threads.
    """

    def __init__(self, limit: int, most: int, what: str) -> None:
        self.limit, self.most, self.what = limit, most, what
        self.taken = 0
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[float, int, float, asyncio.Future[None]]] = []
        self._finish: dict[str, float] = {}
        self._now = 0.0
        self._order = count()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place for a request of a client, which has or waits for a turn meanwhile. Raises NoPlaceError."""
        self._enter(client)
        try:
            yield
        finally:
            self._leave(client)

    def turn(self, client: str, price: float) -> "Turn":
        """A turn of that many seconds, to be waited for."""
        return Turn(self, client, price)

    def _enter(self, client: str) -> None:
        total, own = self._held.total(), self._held[client]
        wait = max(1, round(sum(price for _, _, price, _ in self._waiting) / self.limit))
        if total >= self.most:
            raise NoPlaceError(f"all {self.most} slots for {self.what} are taken; try again in {_seconds(wait)}", wait)
        if own >= (share := (self.most + 1) // 2):
            reason = f"this client has its {share} of the {self.most} slots for {self.what}"
            raise NoPlaceError(f"{reason}; try again in {_seconds(wait)}", wait)
        self._held[client] += 1

    def _leave(self, client: str) -> None:
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
            if not self._held:  # no client is left to be fair to
                self._finish.clear()
                self._now = 0.0

    async def take(self, client: str, price: float) -> None:
        """Wait for a turn of that many seconds."""
        start = max(self._now, self._finish.get(client, 0.0))
        self._finish[client] = start + price
        if self.taken < self.limit:
            self.taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (start + price, next(self._order), price, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came together with the cancellation
                self.give()
            raise

    def give(self) -> None:
        """Give a turn back; the next one takes it."""
        while self._waiting:
            finish, _, price, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._now = max(self._now, finish - price)
                turn.set_result(None)
                return
        self.taken -= 1


class Turn:
    """A turn as a context, which may be lent to others while it is not used."""

    def __init__(self, turns: Turns, client: str, price: float) -> None:
        self._turns, self._client, self._price = turns, client, price
        self._held = False

    async def __aenter__(self) -> "Turn":
        await self._turns.take(self._client, self._price)
        self._held = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.lend()

    def lend(self) -> None:
        """Let another request have it; without effect if one has it."""
        if self._held:
            self._held = False
            self._turns.give()

    async def regain(self) -> None:
        """Wait for a turn again, if it was lent."""
        if not self._held:
            await self._turns.take(self._client, 0)
            self._held = True


def _seconds(number: int) -> str:
    return "a second" if number == 1 else f"{number} seconds"
