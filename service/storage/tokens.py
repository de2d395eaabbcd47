# SPDX-License-Identifier: Apache-2.0
"""Access tokens: names for those who may use the service, with quotas, in the database of the store.

A token is 32 random bytes as text, so its SHA-256 is all that the database needs to hold: it cannot be guessed, and
looking up a hash takes the same time however much of a guess is right. Days are those of UTC.
"""

import re
import secrets
import time
from collections.abc import Iterable
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.service.storage.database import Database, StoreError
from limbtrace.service.storage.quotas import stored_bytes
from limbtrace.service.storage.tables import TOKENS, USES

CACHE_SECONDS = 1.0
"""Seconds that a token is kept after it was looked up; a revoked one may be accepted as long."""
CACHED = 1000
"""Most tokens in that cache."""
WRITE_SECONDS = 1.0
"""Uses are written after this time at the latest, with the next use; a kill loses those that are not written."""
DAY = 86400

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Token(NamedTuple):
    """A valid token. A quota that is None is unlimited."""

    name: str
    requests_per_day: int | None = None
    seconds_per_day: float | None = None
    bytes: int | None = None
    """Bytes that may be stored in its name in all."""


class Usage(NamedTuple):
    """A token with what was used today, and the bytes that are stored in its name."""

    token: Token
    is_revoked: bool
    requests: int
    seconds: float
    stored: int


class Used(NamedTuple):
    """Usage on a day."""

    requests: int = 0
    seconds: float = 0.0


_COLUMNS = (TOKENS.c.name, TOKENS.c.requests_per_day, TOKENS.c.seconds_per_day, TOKENS.c.bytes)


class Tokens:
    """The tokens in a database. Threads may share the object; every method blocks for as long as the database takes.

    Each process that calls `use` knows what others have used when it writes its own uses, so a quota that several
    processes share may be exceeded by what they use in `WRITE_SECONDS`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._found: dict[str, tuple[float, Token]] = {}
        self._pending: dict[tuple[str, int], Used] = {}
        self._written: dict[tuple[str, int], Used] = {}
        self._next_write = 0.0

    def add(
        self,
        name: str,
        requests_per_day: int | None = None,
        seconds_per_day: float | None = None,
        bytes: int | None = None,
    ) -> str:
        """Makes a token and returns its text, which cannot be had again.

        Raises ParameterError("name") if the name is taken, even by a revoked token, or is none; StoreError.
        """
        if not _NAME.fullmatch(name):
            raise ParameterError(
                "name", f"{shown(name)} is no name: up to 64 of A-Z a-z 0-9 . _ -, the first a letter or a digit"
            )
        text = f"lt_{secrets.token_urlsafe(32)}"
        quotas = {"requests_per_day": requests_per_day, "seconds_per_day": seconds_per_day, "bytes": bytes}
        try:
            with self._database.writing() as connection:
                connection.execute(
                    insert(TOKENS), {"name": name, "sha256": _hash(text), "created": time.time(), **quotas}
                )
        except IntegrityError:
            raise ParameterError("name", f"there is a token {name} already, maybe a revoked one") from None
        return text

    def revoke(self, name: str) -> None:
        """Raises ParameterError("name") without such a token, StoreError."""
        with self._database.writing() as connection:
            of_name = update(TOKENS).where(TOKENS.c.name == name, TOKENS.c.revoked.is_(None))
            changed = connection.execute(of_name.values(revoked=time.time())).rowcount
        if not changed:
            raise ParameterError("name", f"there is no token {shown(name)} that is not revoked")

    def any(self) -> bool:
        """True if there is a token that is not revoked. Raises StoreError."""
        with self._database.reading() as connection:
            return (
                connection.execute(select(TOKENS.c.name).where(TOKENS.c.revoked.is_(None)).limit(1)).first() is not None
            )

    def usages(self) -> list[Usage]:
        """Every token by name. Raises StoreError."""
        uses = TOKENS.outerjoin(USES, (USES.c.name == TOKENS.c.name) & (USES.c.day == _today()))
        wanted = select(*_COLUMNS, TOKENS.c.revoked, USES.c.requests, USES.c.seconds).select_from(uses)
        with self._database.reading() as connection:
            rows = connection.execute(wanted.order_by(TOKENS.c.name)).all()
            stored = [stored_bytes(connection, row[0]) for row in rows]
        return [
            Usage(Token(*row[:4]), row[4] is not None, row[5] or 0, row[6] or 0.0, size)
            for row, size in zip(rows, stored, strict=True)
        ]

    def find(self, text: str) -> Token | None:
        """The token whose text this is, None if there is none or if it is revoked. Raises StoreError."""
        key, now = _hash(text), time.monotonic()
        with self._lock:
            known = self._found.get(key)
        if known is not None and now < known[0]:
            return known[1]
        with self._database.reading() as connection:
            row = connection.execute(
                select(*_COLUMNS).where(TOKENS.c.sha256 == key, TOKENS.c.revoked.is_(None))
            ).first()
        with self._lock:
            self._found.pop(key, None)
            if row is None:
                return None
            if len(self._found) >= CACHED:
                self._found.clear()
            self._found[key] = now + CACHE_SECONDS, Token(*row)
            return self._found[key][1]

    def exhausted(self, token: Token) -> str | None:
        """The sentence that says which quota of today is used up; None if the token may be used. Raises StoreError."""
        if token.requests_per_day is None and token.seconds_per_day is None:
            return None
        used = self._used(token.name)
        if token.requests_per_day is not None and used.requests >= token.requests_per_day:
            return f"the token {token.name} has used its {token.requests_per_day} requests of today (UTC)"
        if token.seconds_per_day is not None and used.seconds >= token.seconds_per_day:
            return f"the token {token.name} has used its {token.seconds_per_day:g} seconds of today (UTC)"
        return None

    def use(self, name: str, seconds: float = 0.0, requests: int = 1) -> None:
        """Counts a request that took this long. Raises StoreError; what could not be written is written later."""
        key, now = (name, _today()), time.monotonic()
        with self._lock:
            self._pending[key] = _sum(self._pending.get(key, Used()), Used(requests, seconds))
            due = now >= self._next_write
            if due:
                self._next_write = now + WRITE_SECONDS
        if due:
            self.write()

    def write(self) -> None:
        """Write the uses that are not written yet; to be called before the process ends. Raises StoreError."""
        with self._lock:
            pending, self._pending = self._pending, {}
        if not pending:
            return
        try:
            with self._database.writing(alone=True) as connection:
                written = {key: _add(connection, key, used) for key, used in pending.items()}
        except BaseException:
            with self._lock:
                for key, used in pending.items():
                    self._pending[key] = _sum(self._pending.get(key, Used()), used)
            raise
        with self._lock:
            self._written = {key: used for key, used in self._written.items() if key[1] == _today()} | written

    def _used(self, name: str) -> Used:
        """Usage today, as far as this process knows."""
        key = name, _today()
        with self._lock:
            written, pending = self._written.get(key), self._pending.get(key, Used())
        if written is None:
            with self._database.reading() as connection:
                (written,) = _read(connection, [key])
            with self._lock:
                written = self._written.setdefault(key, written)
        return _sum(written, pending)


def _hash(text: str) -> str:
    return sha256(text.encode(errors="surrogateescape")).hexdigest()


def _today() -> int:
    return int(time.time()) // DAY


def _sum(one: Used, other: Used) -> Used:
    return Used(one.requests + other.requests, one.seconds + other.seconds)


def _read(connection: Connection, keys: Iterable[tuple[str, int]]) -> list[Used]:
    wanted = select(USES.c.requests, USES.c.seconds)
    rows = [connection.execute(wanted.where(USES.c.name == name, USES.c.day == day)).first() for name, day in keys]
    return [Used() if row is None else Used(*row) for row in rows]


def _add(connection: Connection, key: tuple[str, int], used: Used) -> Used:
    """Adds to the uses of a day, which no other transaction changes meanwhile; returns their sum."""
    name, day = key
    (before,) = _read(connection, [key])
    after = _sum(before, used)
    found = update(USES).where(USES.c.name == name, USES.c.day == day).values(after._asdict())
    if not connection.execute(found).rowcount:
        connection.execute(insert(USES), {"name": name, "day": day, **after._asdict()})
    return after


__all__ = ["StoreError", "Token", "Tokens", "Usage"]
