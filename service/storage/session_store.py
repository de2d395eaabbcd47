# SPDX-License-Identifier: Apache-2.0
"""Sessions in the database. Nothing that can be computed is stored: requests for sets, and one letter per case."""

import re
import secrets
import time
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from limbtrace.service.storage.database import Database
from limbtrace.service.storage.store import FullError, stored_request
from limbtrace.service.storage.tables import SESSION_SETS, SESSIONS
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.sessions import JudgedSet, overlay


class Stored(NamedTuple):
    """A session as it is stored."""

    expires: int
    """Seconds since 1970."""
    sets: list[JudgedSet]


class SessionStore:
    """At most `limit` sessions, each forgotten `seconds` after its last use."""

    def __init__(self, database: Database, limit: int, seconds: float) -> None:
        self._database, self._limit, self._seconds = database, limit, seconds

    def create(self, sets: Sequence[JudgedSet]) -> str:
        """Store a new session; returns its id, which is random and is not stored. Raises FullError, StoreError."""
        id = secrets.token_urlsafe(24)
        now, key = time.time(), _hash(id)
        rows = [
            {
                "session": key,
                "number": number,
                "id": part.request.id,
                "request": dump(part.request.document),
                "compare": part.compare,
                "verdicts": part.verdicts,
            }
            for number, part in enumerate(sets)
        ]
        with self._database.writing(alone=True) as connection:
            gone = select(SESSIONS.c.sha256).where(SESSIONS.c.expires <= now)
            connection.execute(delete(SESSION_SETS).where(SESSION_SETS.c.session.in_(gone)))
            connection.execute(delete(SESSIONS).where(SESSIONS.c.expires <= now))
            if connection.execute(select(func.count()).select_from(SESSIONS)).scalar_one() >= self._limit:
                raise FullError(f"there are {self._limit} sessions already; they expire {self._seconds:g} s after use")
            connection.execute(insert(SESSIONS), {"sha256": key, "expires": now + self._seconds})
            connection.execute(insert(SESSION_SETS), rows)
        return id

    def find(self, id: str) -> Stored | None:
        """A session, None if there is none or if it has expired. Raises StoreError, OutdatedError."""
        if not re.fullmatch(r"[A-Za-z0-9_-]{32}", id):
            return None
        with self._database.reading() as connection:
            return self._found(connection, _hash(id))

    def record(self, id: str, name: str, letters: dict[int, str]) -> None:
        """Keep letters of cases of the set `name`; the session lasts longer from now on. Raises StoreError."""
        key = _hash(id)
        of_set = (SESSION_SETS.c.session == key) & (SESSION_SETS.c.id == name)
        with self._database.writing(alone=True) as connection:
            before = connection.execute(select(SESSION_SETS.c.verdicts).where(of_set)).scalar()
            if before is None:  # it has expired meanwhile
                return
            connection.execute(update(SESSION_SETS).where(of_set).values(verdicts=overlay(before, letters)))
            expires = time.time() + self._seconds
            connection.execute(update(SESSIONS).where(SESSIONS.c.sha256 == key).values(expires=expires))

    def _found(self, connection: Connection, key: str) -> Stored | None:
        alive = (SESSIONS.c.sha256 == key) & (SESSIONS.c.expires > time.time())
        expires = connection.execute(select(SESSIONS.c.expires).where(alive)).scalar()
        if expires is None:
            return None
        wanted = select(SESSION_SETS).where(SESSION_SETS.c.session == key).order_by(SESSION_SETS.c.number)
        rows = connection.execute(wanted).all()
        return Stored(
            int(expires), [JudgedSet(stored_request(row.id, row.request), row.compare, row.verdicts) for row in rows]
        )


def _hash(id: str) -> str:
    return sha256(id.encode()).hexdigest()
