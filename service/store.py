# SPDX-License-Identifier: Apache-2.0
"""The store behind /v1/sets: requests for sets, and their certificates, in a database.

The store keeps normalised requests, never cases: the same request gives the same bytes. An id is in the database
before the first byte of the response that shows it, so a client can use it even after a crash.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    make_url,
    select,
    update,
)
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)
from sqlalchemy.schema import CreateIndex, CreateTable

from refmodels.errors import ParameterError, shown
from vectors.errors import ToolError
from vectors.request import Multiplier, VectorRequest
from vectors.wire import dump, parse_hexadecimal

SCHEMA = 1
"""Version of the tables, stored in the table `limbtrace`, so that a later release knows what to change."""
BUSY_SECONDS = 5
"""How long a write waits for the write of another process."""
TOUCHES = 1000
"""Number of times of use after which they are written at the latest."""
EXAMPLE = "sqlite:////var/lib/limbtrace/sets.sqlite3"

_TABLES = MetaData()
_SCHEMA = Table("limbtrace", _TABLES, Column("id", Integer, primary_key=True), Column("version", Integer))
_SETS = Table(
    "sets",
    _TABLES,
    Column("id", String(32), primary_key=True),
    Column("request", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False, index=True),
)
_CERTIFICATES = Table(
    "certificates",
    _TABLES,
    Column("id", String(32), primary_key=True),  # of the set
    Column("sha256", String(64), nullable=False),
    Column("cases", Integer, nullable=False),
    Column("disagreements", Integer, nullable=False),
    Column("document", Text, nullable=False),
    Column("created", Float, nullable=False),
)

_NAME: BindParameter[str] = bindparam("name")
_SUMMARY = (_CERTIFICATES.c.sha256, _CERTIFICATES.c.cases, _CERTIFICATES.c.disagreements)
_KNOWN = select(_SETS.c.id, *_SUMMARY).outerjoin(_CERTIFICATES, _SETS.c.id == _CERTIFICATES.c.id).where(
    _SETS.c.id == _NAME
)  # fmt: skip
_REQUEST = select(_SETS.c.request).where(_SETS.c.id == _NAME)
_DOCUMENT = select(_CERTIFICATES.c.document).where(_CERTIFICATES.c.id == _NAME)
_COUNT = select(func.count()).select_from(_SETS)
_TOUCH = update(_SETS).where(_SETS.c.id == _NAME).values(used=bindparam("time"))


class StoreError(ToolError):
    """The database failed; the message is one sentence."""


class OutdatedError(Exception):
    """A set that another release stored and that this one cannot generate again; the message is one sentence."""


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

    Threads and processes may share it. A repeated request for a set costs one read: times of use are kept in memory and
    written with the next new set, so a crash loses at most some of them, never a set.
    """

    def __init__(self, url: str, limit: int) -> None:
        """Does not open the database yet. Raises ParameterError("database"), and StoreError if a driver is missing."""
        self.limit = limit
        self._engine = _engine(url)
        self.name = self._engine.url.render_as_string(hide_password=True)
        # A hundredth more than the limit is kept, so that a new set seldom has to search for the oldest ones.
        self._slack = limit // 100
        self._new = 0
        self._used: dict[str, float] = {}
        self._lock = Lock()

    def open(self) -> None:
        """Create the file and the tables if they are missing, and check that they can be written.

        After raising StoreError it holds no connection.
        """
        try:
            self._prepare()
        except BaseException:
            self._engine.dispose()
            raise

    def _prepare(self) -> None:
        path = self._engine.url.database
        with self._failures():
            if self._engine.dialect.name == "sqlite" and path and not path.startswith("file:"):
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            with suppress(IntegrityError):  # PostgreSQL says so where another service makes them at the same time
                self._make_tables()
            self._make_tables()
            with suppress(IntegrityError), self._engine.begin() as connection:  # it is there already
                connection.execute(insert(_SCHEMA), {"id": 1, "version": SCHEMA})
            with self._engine.begin() as connection:
                connection.execute(update(_SCHEMA).values(id=1))  # changes nothing, and fails where nothing can be
                version = connection.execute(select(_SCHEMA.c.version)).scalar_one()
                if version == SCHEMA:
                    self._forget(connection)
        if version != SCHEMA:
            raise StoreError(
                f"the database {self.name} has tables of version {version} and this release of limbtrace knows "
                f"version {SCHEMA}; take the release that wrote it, or another database"
            )

    def _make_tables(self) -> None:
        with self._engine.begin() as connection:
            for table in _TABLES.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
                for index in table.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))

    def close(self) -> None:
        """Write pending times of use and release the database."""
        with suppress(StoreError):  # only times of use are lost
            self._write(None)
        self._engine.dispose()

    def remember(self, request: VectorRequest) -> Certified | None:
        """Stores a set before it returns; returns the certificate of the set, if there is one. Raises StoreError."""
        now = time.time()
        with self._failures():
            with self._engine.connect() as connection:
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

    def find(self, name: str) -> VectorRequest | None:
        """The request of a set, None if it is not stored. Raises StoreError, OutdatedError."""
        if not re.fullmatch(r"[0-9a-f]{32}", name):  # no id: databases do not take every text
            return None
        with self._failures(), self._engine.connect() as connection:
            text = connection.execute(_REQUEST, {"name": name}).scalar()
        return None if text is None else _request(name, text)

    def certify(self, name: str, certified: Certified, document: str) -> None:
        """Store a certificate of a stored set in place of an earlier one. Raises StoreError."""
        row = {"id": name, **certified._asdict(), "document": document, "created": time.time()}
        with self._failures(), self._engine.begin() as connection:
            connection.execute(delete(_CERTIFICATES).where(_CERTIFICATES.c.id == name))
            connection.execute(insert(_CERTIFICATES), row)

    def certificate(self, name: str) -> str | None:
        """The certificate of a set as JSON, None if there is none. Raises StoreError."""
        with self._failures(), self._engine.connect() as connection:
            text = connection.execute(_DOCUMENT, {"name": name}).scalar()
        return None if text is None else str(text)

    def count(self) -> int:
        """The number of stored sets. Raises StoreError."""
        with self._failures(), self._engine.connect() as connection:
            return connection.execute(_COUNT).scalar_one()

    def _write(self, new: dict[str, Any] | None) -> None:
        """Writes a new set, if any, and the pending times of use, in one transaction."""
        with self._lock:
            used, self._used = self._used, {}
            self._new += new is not None
            crowded = self._new > self._slack
            self._new = 0 if crowded else self._new
        # Another process may have stored the same set first.
        with self._failures(), suppress(IntegrityError), self._engine.begin() as connection:
            if new is not None:
                connection.execute(insert(_SETS), new)
            if used:
                connection.execute(_TOUCH, [{"name": name, "time": when} for name, when in used.items()])
            if crowded:
                self._forget(connection)

    def _forget(self, connection: Connection) -> None:
        """Delete the least recently used sets, with their certificates, down to the limit."""
        surplus = connection.execute(_COUNT).scalar_one() - self.limit
        if surplus > 0:
            oldest = select(_SETS.c.id).order_by(_SETS.c.used).limit(surplus)
            rows = [{"name": name} for name in connection.execute(oldest).scalars()]
            for table in (_CERTIFICATES, _SETS):
                connection.execute(delete(table).where(table.c.id == _NAME), rows)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            raise StoreError(f"the database {self.name} failed: {' '.join(str(cause).split())}") from error


def _engine(url: str) -> Engine:
    """An engine that has not connected yet. Raises ParameterError("database"), and StoreError for a missing driver."""
    try:
        parsed = make_url(url)
        # Passwords must not be shown, so the text of an invalid URL is not shown either.
        dialect = parsed.get_dialect()
    except NoSuchModuleError:
        raise ParameterError("database", f"SQLAlchemy knows no database {shown(parsed.drivername)}") from None
    except (ArgumentError, ValueError):
        raise ParameterError("database", f"it is no address such as {EXAMPLE}") from None
    sqlite = dialect.name == "sqlite"
    if sqlite and parsed.database in (None, "", ":memory:"):
        raise ParameterError("database", f"{parsed.drivername} without a file remembers nothing; write {EXAMPLE}")
    try:
        engine = create_engine(
            parsed,
            connect_args={"timeout": BUSY_SECONDS} if sqlite else {},
            pool_timeout=BUSY_SECONDS,
            pool_pre_ping=not sqlite,  # a server may have been started again
        )
    except ImportError as error:
        raise StoreError(f"{parsed.drivername} needs {error.name}, which is not installed: pip install it") from None
    if sqlite:
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "checkout", _check_file)
    return engine


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """Readers never wait for a writer, and a commit is on the disk when it returns."""
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        record.info["file"] = _file(connection)
    except BaseException:  # SQLAlchemy 2.0 forgets a connection whose listener fails
        connection.close()
        raise


def _check_file(connection: Any, record: Any, _: object) -> None:
    """Closes connections to a file that was removed or replaced, since everything written there would be lost."""
    if _file(connection) != record.info["file"]:
        raise DisconnectionError("the file was removed or replaced")  # and SQLAlchemy connects again


def _file(connection: Any) -> tuple[int, int] | None:
    """The identity of the file at the path of a database, None without a file."""
    (_, _, path) = connection.execute("PRAGMA database_list").fetchone()
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _request(name: str, text: str) -> VectorRequest:
    """The request that was stored as `name`. Raises OutdatedError."""
    try:
        document = json.loads(text)
        said = document["prime"]
        prime = said and (said["name"] or parse_hexadecimal(said["modulus"], "prime"))
        multiplier = Multiplier.resolve(document["model"], prime, document["settings"])
        request = VectorRequest.resolve(
            multiplier,
            document["count"],
            document["seed"],
            document["kind"],
            checkpoints=document.get("checkpoints", 0),
        )
    except (KeyError, TypeError, ValueError):
        request = None
    if request is None or request.id != name:
        raise OutdatedError(
            f"the set {name} was remembered by another release of limbtrace, and what it was asked for gives another "
            "set in this one; ask /v1/vectors again"
        )
    return request
