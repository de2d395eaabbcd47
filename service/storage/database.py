# SPDX-License-Identifier: Apache-2.0
"""The database of the service, SQLite or PostgreSQL: connections, locks, failures as one sentence, upgrades."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, select, text, update
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.service.storage.tables import SCHEMA
from limbtrace.vectors.errors import ToolError

VERSION: Final = 5
"""Number of the latest revision in `service/storage/migrations/versions`."""
BUSY_SECONDS = 5
"""Seconds that a write waits for the write of another process, and a connection for a server."""
UPGRADE_SECONDS = 60
"""Seconds that a service waits for the upgrade by another one."""
EXAMPLE = "sqlite:////var/lib/limbtrace/sets.sqlite3"

_LOCKS = 0x6C696D62  # "limb": PostgreSQL's advisory locks are shared with other programs in the same database
_UPGRADE, _WRITE = 1, 2


class StoreError(ToolError):
    """The database failed; the message is one sentence."""


class Database:
    """Connections to the database at `url`. Threads and processes may share the database, and threads the object.

    A process that was forked needs an object of its own.
    """

    def __init__(self, url: str) -> None:
        """Does not connect yet. Raises ParameterError("database"), and StoreError if a driver is missing."""
        self._engine = _engine(url)
        self.name = self._engine.url.render_as_string(hide_password=True)
        """The URL without its password, for messages."""

    def open(self) -> None:
        """Create what is missing, upgrade the tables of an earlier release, and check that they can be written.

        Raises StoreError, after which no connection is left.
        """
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the connections."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for queries. Raises StoreError."""
        with self._failures(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, alone: bool = False) -> Iterator[Connection]:
        """A transaction, committed at the end. Raises StoreError; IntegrityError is passed on.

        `alone`: no other transaction with `alone` runs meanwhile, in any process. This is for those that read what they
        then write, or that change several rows, since PostgreSQL ends one of two that change them in different orders.
        """
        with self._failures(), self._engine.begin() as connection:
            if alone:
                self._lock(connection, _WRITE)
            yield connection

    def _prepare(self) -> None:
        with self._failures():
            self._make_file()
            with self._engine.connect() as connection:
                version = _version(connection)
        if version < VERSION:
            version = self._upgrade()
        if version > VERSION:
            raise StoreError(
                f"the database {self.name} has tables of version {version} and this release of limbtrace knows "
                f"version {VERSION}; take the release that wrote it, or another database"
            )
        with self.writing() as connection:
            connection.execute(update(SCHEMA).values(id=1))  # changes nothing, and fails where nothing can be

    def _make_file(self) -> None:
        """Creates an SQLite file that only its owner can read; SQLite gives its other files the same mode."""
        if (path := self._path) is None:
            return
        # The modes are set again because the umask may take rights away from the owner as well.
        is_new = not path.parent.exists()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_new:
            path.parent.chmod(0o700)
        with suppress(FileExistsError):
            created = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
            os.fchmod(created, 0o600)
            os.close(created)

    @property
    def _path(self) -> Path | None:
        """The file of an SQLite database; None for one whose URL has options of SQLite, and for a server."""
        path = self._engine.url.database
        return Path(path) if self._is_sqlite and path and not path.startswith("file:") else None

    @property
    def _is_sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    def _upgrade(self) -> int:
        """Upgrades the tables in one transaction, unless another process has done so; returns their version."""
        from limbtrace.service.storage import migrations

        with self._failures():
            with self._engine.begin() as connection:
                self._lock(connection, _UPGRADE)
                version = _version(connection)
                if version < VERSION:
                    migrations.upgrade(connection)
                    version = _version(connection)
            if self._path is not None:
                _make_private(self._path)
        return version

    def _lock(self, connection: Connection, number: int) -> None:
        """Waits for every other process that holds this lock; it is released at the end of the transaction."""
        if self._is_sqlite:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # the module sqlite3 begins no transaction for DDL
            return
        seconds = UPGRADE_SECONDS if number == _UPGRADE else BUSY_SECONDS
        connection.execute(text("SELECT set_config('lock_timeout', :limit, true)"), {"limit": f"{seconds * 1000:.0f}"})
        connection.execute(text("SELECT pg_advisory_xact_lock(:locks, :lock)"), {"locks": _LOCKS, "lock": number})

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except (SQLAlchemyError, OSError) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            raise StoreError(f"the database {self.name} failed: {' '.join(str(cause).split())}") from error


def _version(connection: Connection) -> int:
    """The version of the tables; 0 if there are none, or if a kill has left only some of them."""
    if not inspect(connection).has_table(SCHEMA.name):
        return 0
    return connection.execute(select(SCHEMA.c.version)).scalar() or 0


def _make_private(path: Path) -> None:
    """Takes the files of an earlier release, which everybody could read, away from others."""
    for name in (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))):
        with suppress(FileNotFoundError, PermissionError):  # they belong to another user, who shares them
            name.chmod(0o600)


def _engine(url: str) -> Engine:
    """An engine that has not connected yet. Raises ParameterError("database"), and StoreError for a missing driver."""
    try:
        parsed = make_url(url)
        if parsed.drivername == "postgresql":  # SQLAlchemy's own default changes from release to release
            parsed = parsed.set(drivername="postgresql+psycopg")
        # Passwords must not be shown, so the text of an invalid URL is not shown either.
        dialect = parsed.get_dialect()
    except NoSuchModuleError:
        raise ParameterError("database", f"SQLAlchemy knows no database {shown(parsed.drivername)}") from None
    except (ArgumentError, ValueError):
        raise ParameterError("database", f"it is no address such as {EXAMPLE}") from None
    sqlite = dialect.name == "sqlite"
    if not sqlite and dialect.name != "postgresql":
        raise ParameterError("database", f"{dialect.name} is neither sqlite nor postgresql")
    if sqlite and parsed.database in (None, "", ":memory:"):
        raise ParameterError("database", f"{parsed.drivername} without a file remembers nothing; write {EXAMPLE}")
    try:
        engine = create_engine(
            parsed,
            connect_args={"timeout": BUSY_SECONDS} if sqlite else {"connect_timeout": BUSY_SECONDS},
            pool_timeout=BUSY_SECONDS,
            pool_pre_ping=not sqlite,  # a server may have been started again
        )
    except ImportError as error:
        advice = "pip install 'limbtrace[postgres]'" if error.name == "psycopg" else "pip install it"
        raise StoreError(f"{parsed.drivername} needs {error.name}, which is not installed: {advice}") from None
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
