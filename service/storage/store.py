# SPDX-License-Identifier: Apache-2.0
"""The store behind /v1/sets: requests for sets, and their certificates, in a database.

The store keeps normalised requests, never cases: the same request gives the same bytes. An id is in the database
before the first byte of the response that shows it, so a client can use it even after a crash.
"""

import json
import re
import time
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from limbtrace.service.storage.database import Database, StoreError
from limbtrace.service.storage.quotas import FullError, make_room
from limbtrace.service.storage.tables import CERTIFICATES, SETS
from limbtrace.vectors.encoding import dump, parse_hexadecimal
from limbtrace.vectors.fp2 import Fp2Request
from limbtrace.vectors.request import Multiplier, VectorRequest

__all__ = [
    "Certified",
    "FullError",
    "OutdatedError",
    "OwnedError",
    "Store",
    "StoreError",
    "StoredRequest",
    "stored_request",
]

TOUCHES = 1000
"""Number of times of use after which they are written at the latest."""

StoredRequest = VectorRequest | Fp2Request
"""A request for a set: of cases in the base field, or in GF(p^2)."""

_NAME: BindParameter[str] = bindparam("name")
_SUMMARY = (CERTIFICATES.c.sha256, CERTIFICATES.c.cases, CERTIFICATES.c.disagreements)
_KNOWN = select(SETS.c.id, *_SUMMARY).outerjoin(CERTIFICATES, SETS.c.id == CERTIFICATES.c.id).where(
    SETS.c.id == _NAME
)  # fmt: skip
_REQUEST = select(SETS.c.request).where(SETS.c.id == _NAME)
_DOCUMENT = select(CERTIFICATES.c.document).where(CERTIFICATES.c.id == _NAME)
_EARLIER = select(CERTIFICATES.c.sha256, CERTIFICATES.c.owner).where(CERTIFICATES.c.id == _NAME)
_BYTES = select(func.coalesce(func.sum(CERTIFICATES.c.bytes), 0))
_COUNT = select(func.count()).select_from(SETS)
_TOUCH = update(SETS).where(SETS.c.id == _NAME).values(used=bindparam("time"))


class OutdatedError(Exception):
    """A set that another release stored and that this one cannot generate again; the message is one sentence."""


class OwnedError(Exception):
    """A certificate that may not be replaced; the message is one sentence."""


class Certified(NamedTuple):
    """Summary of a certificate: hash of its document, number of cases, number of disagreements of SageMath."""

    sha256: str
    cases: int
    disagreements: int

    @property
    def header(self) -> str:
        """As the dictionary of a structured field (RFC 9651)."""
        return f'sha256="{self.sha256}", cases={self.cases}, disagreements={self.disagreements}'


class Store:
    """At most about `limit` sets in the database at `url`, SQLite or PostgreSQL; the least recently used are deleted.

    Their certificates have at most `max_bytes` bytes together.

    Threads and processes may share it. A repeated request for a set costs one read: times of use are kept in memory and
    written with the next new set, so a crash loses at most some of them, never a set.
    """

    def __init__(self, url: str, limit: int, max_bytes: int = 1 << 30) -> None:
        """Does not open the database yet. Raises ParameterError("database"), and StoreError if a driver is missing."""
        self.limit = limit
        self.max_bytes = max_bytes
        self.database = Database(url)
        # A hundredth more than the limit is kept, so that a new set seldom has to search for the oldest ones.
        self._slack = limit // 100
        self._new = 0
        self._used: dict[str, float] = {}
        self._lock = Lock()

    def open(self) -> None:
        """Open the database as `Database.open` does, and enforce the limit. Raises StoreError."""
        self.database.open()
        try:
            if self.count() > self.limit:
                with self.database.writing(alone=True) as connection:
                    self._forget(connection)
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        """Write pending times of use and release the database."""
        with suppress(StoreError):  # only times of use are lost
            self._write(None)
        self.database.close()

    def remember(self, request: StoredRequest) -> Certified | None:
        """Stores a set before it returns; returns the certificate of the set, if there is one. Raises StoreError."""
        now = time.time()
        with self.database.reading() as connection:
            row = connection.execute(_KNOWN, {"name": request.id}).first()
        if row is None:
            self._write({"id": request.id, "request": dump(request.document), "created": now, "used": now})
            return None
        with self._lock:
            self._used[request.id] = now
            full = len(self._used) >= TOUCHES
        if full:
            self._write(None)
        return Certified(*row[1:]) if row[1] is not None else None

    def find(self, name: str) -> StoredRequest | None:
        """The request of a set, None if it is not stored. Raises StoreError, OutdatedError."""
        if not re.fullmatch(r"[0-9a-f]{32}", name):  # no id: databases do not take every text
            return None
        with self.database.reading() as connection:
            text = connection.execute(_REQUEST, {"name": name}).scalar()
        return None if text is None else _stored(name, text)

    def certify(
        self, name: str, certified: Certified, document: str, owner: str = "", max_owned: int | None = None
    ) -> None:
        """Store a certificate of a stored set. `owner` is the name of a token, empty without one.

        An earlier one is replaced if it has the same owner or none, but not without a token. Putting the one that is
        stored again changes nothing. Raises OwnedError; FullError if all certificates, or the documents of the owner
        without its reports (`max_owned` bytes), would take too much room; StoreError.
        """
        size = len(document.encode())
        row = {"id": name, **certified._asdict(), "document": document, "created": time.time()}
        with self.database.writing(alone=True) as connection:
            earlier = connection.execute(_EARLIER, {"name": name}).first()
            if earlier is not None:
                if earlier.sha256 == certified.sha256:
                    return
                if owner == "" or earlier.owner not in ("", owner):
                    raise OwnedError(
                        f"the set {name} has another certificate, and only the access token that put it replaces it"
                        if earlier.owner
                        else f"the set {name} has another certificate, which is only replaced with an access token"
                    )
                connection.execute(delete(CERTIFICATES).where(CERTIFICATES.c.id == name))
            if connection.execute(_BYTES).scalar_one() + size > self.max_bytes:
                raise FullError(f"the certificates here would take more than {self.max_bytes} bytes")
            make_room(connection, owner, size, max_owned)
            connection.execute(insert(CERTIFICATES), {**row, "owner": owner, "bytes": size})

    def certificate(self, name: str) -> str | None:
        """The certificate of a set as JSON, None if there is none. Raises StoreError."""
        with self.database.reading() as connection:
            text = connection.execute(_DOCUMENT, {"name": name}).scalar()
        return None if text is None else str(text)

    def count(self) -> int:
        """The number of stored sets. Raises StoreError."""
        with self.database.reading() as connection:
            return connection.execute(_COUNT).scalar_one()

    def _write(self, new: dict[str, Any] | None) -> None:
        """Writes a new set, if any, and the pending times of use, in one transaction."""
        with self._lock:
            used, self._used = self._used, {}
            self._new += new is not None
            crowded = self._new > self._slack
            self._new = 0 if crowded else self._new
        if new is None and not used:
            return
        several = crowded or bool(used)
        # Another process may have stored the same set first.
        with suppress(IntegrityError), self.database.writing(alone=several) as connection:
            if new is not None:
                connection.execute(insert(SETS), new)
            if used:
                connection.execute(_TOUCH, [{"name": name, "time": when} for name, when in used.items()])
            if crowded:
                self._forget(connection)

    def _forget(self, connection: Connection) -> None:
        """Delete the least recently used sets, with their certificates, down to the limit."""
        surplus = connection.execute(_COUNT).scalar_one() - self.limit
        if surplus > 0:
            oldest = select(SETS.c.id).order_by(SETS.c.used).limit(surplus)
            rows = [{"name": name} for name in connection.execute(oldest).scalars()]
            for table in (CERTIFICATES, SETS):
                connection.execute(delete(table).where(table.c.id == _NAME), rows)


def stored_request(name: str, text: str) -> VectorRequest:
    """The request for cases in the base field that was stored as `name`. Raises OutdatedError."""
    found = _stored(name, text)
    if not isinstance(found, VectorRequest):
        raise OutdatedError(f"the set {name} has cases in GF(p^2)")
    return found


def _stored(name: str, text: str) -> StoredRequest:
    """The request that was stored as `name`. Raises OutdatedError."""
    route = "/v1/vectors"
    try:
        document = json.loads(text)
        said = document["prime"]
        prime = said and (said["name"] or parse_hexadecimal(said["modulus"], "prime"))
        multiplier = Multiplier.resolve(document["model"], prime, document["settings"])
        if said and said["name"] is None:  # the catalogue may name it by now, which is not part of this request
            multiplier = multiplier.unnamed
        request: StoredRequest | None
        if "op" in document:
            route = "/v1/fp2"
            request = _elements(multiplier, document)
        else:
            request = VectorRequest.resolve(
                multiplier,
                document["count"],
                document["seed"],
                document["kind"],
                checkpoints=document.get("checkpoints", 0),
                shard=document.get("shard"),
            )
    except (KeyError, TypeError, ValueError):
        request = None
    if request is None or request.id != name:
        raise OutdatedError(
            f"the set {name} was remembered by another release of limbtrace, and what it was asked for gives another "
            f"set in this one; ask {route} again"
        )
    return request


def _elements(multiplier: Multiplier, document: dict[str, Any]) -> Fp2Request:
    """Raises KeyError, TypeError, ValueError."""
    if "elements" in document:
        numbers = [[[int(x, 16) for x in element] for element in pair] for pair in document["elements"]]
        return Fp2Request.of(multiplier, document["op"], [((*a,), (*b,)) for a, b in numbers])  # type: ignore[misc]
    drawn = {name: document[name] for name in ("count", "seed", "kind")}
    return Fp2Request.resolve(multiplier, document["op"], **drawn)
