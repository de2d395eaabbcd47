# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL servers of the tests: Debian's programs, in a folder of their own, behind a Unix socket only."""

import ctypes
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from tests.patience import eventually

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)
_NAMES = count()


def programs() -> Path:
    """The folder of `postgres` and `initdb`; Debian does not put it on PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("postgres")
    if not found and on_path is None:
        raise RuntimeError("no PostgreSQL server is installed; ./run test installs Debian's package postgresql")
    return found[-1].parent if found else Path(str(on_path)).resolve().parent


class Server:
    """A PostgreSQL server of one test process, with any number of databases; `close` removes everything.

    PostgreSQL refuses to run as root, so for root it runs as `postgres`, or as `nobody`.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="limbtrace-pg-", dir="/tmp"))  # a socket's path is limited
        self._user: dict[str, Any] = {}
        if os.getuid() == 0:
            names = [entry.pw_name for entry in pwd.getpwall()]
            user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            self._user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self._folder, user.pw_uid, user.pw_gid)
        self._log = self._folder / "log"
        made = self._run("initdb", "--no-sync", "--auth=trust", "--username=limbtrace", "--encoding=UTF8", "--locale=C")
        if made.wait() != 0:
            raise RuntimeError(f"initdb failed: {self._log.read_text()}")
        self.start()

    def _run(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [programs() / name, "-D", self._folder / "data", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                preexec_fn=_end_with_the_parent,
                **self._user,
            )

    def start(self) -> None:
        """Start the server and wait until it answers."""
        quick = ["-c", "fsync=off", "-c", "max_connections=200", "-c", "listen_addresses=", "-c", "shared_buffers=16MB"]
        self._process = self._run("postgres", "-k", str(self._folder), *quick)
        if not eventually(self._answers):
            raise RuntimeError(f"postgres does not answer: {self._log.read_text()}")

    def _answers(self) -> bool:
        if self._process.poll() is not None:
            raise RuntimeError(f"postgres ended: {self._log.read_text()}")
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        """End the server at once, with all connections, as a crash would."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()

    def close(self) -> None:
        """End the server and remove its folder."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def execute(self, statement: str, database: str = "postgres") -> list[Any]:
        """Run a statement as another program would, without a transaction; returns the rows."""
        where = f"host={self._folder} user=limbtrace dbname={database}"
        with psycopg.connect(where, autocommit=True, connect_timeout=10) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def database(self) -> str:
        """URL of a new database."""
        name = f"test{next(_NAMES)}"
        self.execute(f"CREATE DATABASE {name}")
        return f"postgresql://limbtrace@/{name}?host={self._folder}"


def name_of(url: str) -> str:
    """The name of a database in a URL of `Server.database`."""
    return re.split(r"[/?]", url.removeprefix("postgresql://"))[1]


def _end_with_the_parent() -> None:
    """Otherwise the server would go on after a test process that was killed."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)
