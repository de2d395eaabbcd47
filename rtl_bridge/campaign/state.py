# SPDX-License-Identifier: Apache-2.0
"""The state of a campaign: one SQLite file, which is right whenever the process is killed.

What a shard brings is written in one transaction, under the number of the shard, so that none counts twice.
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.campaign.outcome import Outcome
from limbtrace.rtl_bridge.campaign.shards import Shard
from limbtrace.vectors.errors import ToolError

LAYOUT = 1
"""Number of the layout of the tables."""
NOTHING: Mapping[str, str] = {}
MOST_ALIKE = 24
"""Most shards that a bucket names."""

_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE shard (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, cell INTEGER NOT NULL, verdict TEXT NOT NULL,
    verified INTEGER NOT NULL, cycles INTEGER NOT NULL, seconds REAL NOT NULL, digest TEXT NOT NULL,
    reason TEXT NOT NULL
);
CREATE TABLE cell (
    number INTEGER PRIMARY KEY, shards INTEGER NOT NULL, verified INTEGER NOT NULL, cycles INTEGER NOT NULL,
    seconds REAL NOT NULL, differing INTEGER NOT NULL, aside INTEGER NOT NULL
);
CREATE TABLE attempt (number INTEGER PRIMARY KEY, failures INTEGER NOT NULL);
CREATE TABLE bucket (
    key TEXT PRIMARY KEY, shards INTEGER NOT NULL, number INTEGER NOT NULL, report TEXT NOT NULL, shrunk TEXT
) WITHOUT ROWID;
CREATE TABLE alike (key TEXT NOT NULL, number INTEGER NOT NULL, replay TEXT NOT NULL, PRIMARY KEY (key, number))
    WITHOUT ROWID;
CREATE TABLE covered (multiplier TEXT PRIMARY KEY, head TEXT NOT NULL, cases INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE event (
    multiplier TEXT NOT NULL, name TEXT NOT NULL, at TEXT NOT NULL, cases INTEGER NOT NULL, number INTEGER NOT NULL,
    first TEXT NOT NULL, PRIMARY KEY (multiplier, name, at)
) WITHOUT ROWID;
"""

_LATER = """
CREATE TABLE IF NOT EXISTS code (
    cell INTEGER NOT NULL, point TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (cell, point)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS coded (cell INTEGER PRIMARY KEY, runs INTEGER NOT NULL, uncounted INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS untried (
    cell INTEGER NOT NULL, phrase TEXT NOT NULL, shards INTEGER NOT NULL, PRIMARY KEY (cell, phrase)
);
"""
"""Tables that states of earlier releases do not have."""


class CellCode(NamedTuple):
    """Code coverage of the shards of a cell."""

    cell: int
    runs: int
    uncounted: int
    """Shards that ended before Verilator wrote their counts."""
    rows: list[list[Any]]
    """As `Outcome.code`."""


class Sums(NamedTuple):
    """Totals over all completed shards."""

    shards: int
    verified: int
    cycles: int
    seconds: float
    """Time of workers."""
    differing: int
    aside: int


@dataclass(frozen=True)
class Bucket:
    """Differences that have something in common."""

    key: tuple[str, ...]
    shards: int
    number: int
    """The first shard with one."""
    report: dict[str, Any]
    """That of the first."""
    replays: list[str]
    """Of some of them, the first one first."""
    shrunk: dict[str, Any] | None
    tried: bool
    """True if shrinking the product was tried."""


class CampaignState:
    """The file, locked: `with State.open(...) as state`. Raises ParameterError, ToolError."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: int) -> None:
        self.path, self._database, self._lock = path, database, lock

    @classmethod
    def open(cls, path: Path, digest: str, parts: Mapping[str, str] = NOTHING, *, resume: bool) -> "CampaignState":
        """The state of the campaign with that digest: a new file, or with `resume` one that is there.

        `parts` are digests of what goes into it, by what they are called in a complaint.
        """
        lock = _locked(path, resume)
        try:
            return cls(path, _opened(path, {"digest": digest, **parts}, resume), lock)
        except BaseException:
            os.close(lock)
            raise

    def __enter__(self) -> "CampaignState":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(sqlite3.Error):
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._database.close()
        os.close(self._lock)

    def ended(self) -> Iterator[int]:
        """Numbers of the shards that have ended, in order."""
        return (number for (number,) in self._database.execute("SELECT number FROM shard ORDER BY number"))

    def failures(self) -> dict[int, int]:
        """Number of failures of each shard that has not ended."""
        return dict(self._database.execute("SELECT number, failures FROM attempt"))

    @property
    def elapsed(self) -> float:
        """Seconds that the campaign has taken."""
        return float(self._about("elapsed") or 0)

    @property
    def sums(self) -> Sums:
        row = self._database.execute(
            "SELECT coalesce(sum(shards), 0), coalesce(sum(verified), 0), coalesce(sum(cycles), 0), "
            "coalesce(sum(seconds), 0.0), coalesce(sum(differing), 0), coalesce(sum(aside), 0) FROM cell"
        ).fetchone()
        return Sums(*row)

    @property
    def cells(self) -> dict[int, Sums]:
        """Sums by the number of a cell, of those of which a shard has ended."""
        rows = self._database.execute("SELECT number, shards, verified, cycles, seconds, differing, aside FROM cell")
        return {number: Sums(*sums) for number, *sums in rows}

    @property
    def aside(self) -> list[tuple[int, int, str]]:
        """(number, cell, reason) of the first thousand shards that were set aside."""
        return list(
            self._database.execute(
                "SELECT number, cell, reason FROM shard WHERE verdict = 'aside' ORDER BY number LIMIT 1000"
            )
        )

    def untried(self) -> dict[int, list[str]]:
        """By the number of a cell in which nothing differs the circumstances that none of its shards tried."""
        rows = self._database.execute(
            "SELECT cell, phrase FROM untried JOIN cell ON cell.number = untried.cell "
            "WHERE differing = 0 AND untried.shards = cell.shards - cell.aside ORDER BY untried.rowid"
        )
        found: dict[int, list[str]] = {}
        for cell, phrase in rows:
            found.setdefault(cell, []).append(phrase)
        return found

    @property
    def digest(self) -> str:
        """SHA-256 over the digests of all shards, in their order: equal on every machine that ran the same ones."""
        key = sha256()
        for row in self._database.execute("SELECT number, id, digest FROM shard ORDER BY number"):
            key.update("{} {} {}\n".format(*row).encode())
        return key.hexdigest()

    @property
    def hits(self) -> tuple[int, int]:
        """(places of events that were hit, all places of events), of all models."""
        happened, places = self._database.execute(
            "SELECT coalesce(sum(cases > 0), 0), count(*) FROM event WHERE at != ''"
        ).fetchone()
        return happened, places

    def record(self, entries: Iterable[tuple[Shard, Outcome, float]], elapsed: float) -> None:
        """Shards that have ended, with their outcomes and the seconds that they took; all of them or none."""
        with self._transaction():
            for shard, outcome, seconds in entries:
                verdict = "aside" if outcome.wrong or outcome.failed else "differs" if outcome.bucket else "agrees"
                self._end(shard, verdict, outcome, seconds)
                if outcome.bucket:
                    self._difference(shard, outcome)
                if outcome.covered is not None:
                    self._count(shard, outcome.covered)
                if outcome.code is not None:
                    self._count_code(shard.cell, outcome.code)
            self._say("elapsed", str(elapsed))

    def again(self) -> None:
        """Forget the shards that were set aside, so that they have not ended."""
        with self._transaction():
            gone = "FROM shard WHERE verdict = 'aside'"
            sums = self._database.execute(f"SELECT count(*), sum(seconds), cell {gone} GROUP BY cell").fetchall()
            # a shard that was set aside has neither products nor cycles
            self._database.executemany(
                "UPDATE cell SET shards = shards - ?1, aside = aside - ?1, seconds = seconds - ?2 WHERE number = ?3",
                sums,
            )
            self._database.execute(f"DELETE {gone}")

    def failed(self, number: int, failures: int) -> None:
        """A shard has failed so many workers by now, and is tried again."""
        with self._transaction():
            self._database.execute("INSERT OR REPLACE INTO attempt VALUES (?, ?)", (number, failures))

    @property
    def buckets(self) -> list[Bucket]:
        """All of them, by their first shards."""
        found = []
        rows = self._database.execute("SELECT key, shards, number, report, shrunk FROM bucket ORDER BY number, key")
        for key, shards, number, report, shrunk in rows.fetchall():
            replays = self._database.execute("SELECT replay FROM alike WHERE key = ? ORDER BY number", (key,))
            found.append(
                Bucket(
                    key=tuple(json.loads(key)),
                    shards=shards,
                    number=number,
                    report=json.loads(report),
                    replays=[replay for (replay,) in replays],
                    shrunk=None if shrunk is None else json.loads(shrunk),
                    tried=shrunk is not None,
                )
            )
        return found

    def shrunk(self, bucket: Bucket, found: Mapping[str, Any] | None) -> None:
        """The shrunk first product of a bucket."""
        with self._transaction():
            self._database.execute(
                "UPDATE bucket SET shrunk = ? WHERE key = ?", (json.dumps(found), json.dumps(list(bucket.key)))
            )

    @property
    def coverage(
        self,
    ) -> Iterator[tuple[dict[str, Any], int, list[tuple[str, Sequence[int] | None, int, dict[str, Any]]]]]:
        """(head, cases, events) of every model: (name, index or None for any place, cases, first of them)."""
        for identity, head, cases in self._database.execute("SELECT * FROM covered ORDER BY multiplier").fetchall():
            rows = self._database.execute(
                "SELECT name, at, cases, first FROM event WHERE multiplier = ? ORDER BY name, at", (identity,)
            )
            events = [(name, json.loads(at) if at else None, n, json.loads(first)) for name, at, n, first in rows]
            yield json.loads(head), cases, events

    @property
    def code(self) -> list[CellCode]:
        """Code coverage of every cell in which it was counted."""
        found = []
        for cell, runs, uncounted in self._database.execute("SELECT * FROM coded ORDER BY cell").fetchall():
            rows = self._database.execute("SELECT point, count FROM code WHERE cell = ? ORDER BY point", (cell,))
            found.append(CellCode(cell, runs, uncounted, [[*json.loads(point), count] for point, count in rows]))
        return found

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All that is written in it, or none of it. Raises ToolError."""
        try:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise ToolError(f"{self.path}: {error}") from None

    def _about(self, name: str) -> str | None:
        row = self._database.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def _say(self, name: str, value: str) -> None:
        self._database.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def _end(self, shard: Shard, verdict: str, outcome: Outcome, seconds: float) -> None:
        reason = outcome.wrong or outcome.failed
        verified, cycles = outcome.verified, outcome.cycles
        self._database.execute(
            "INSERT INTO shard VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (shard.number, shard.id, shard.cell, verdict, verified, cycles, seconds, outcome.digest, reason),
        )
        self._database.execute(
            "INSERT INTO cell VALUES (?, 1, ?, ?, ?, ?, ?) ON CONFLICT (number) DO UPDATE SET shards = shards + 1, "
            "verified = verified + excluded.verified, cycles = cycles + excluded.cycles, "
            "seconds = seconds + excluded.seconds, differing = differing + excluded.differing, "
            "aside = aside + excluded.aside",
            (shard.cell, verified, cycles, seconds, verdict == "differs", verdict == "aside"),
        )
        self._database.executemany(
            "INSERT INTO untried VALUES (?, ?, 1) ON CONFLICT (cell, phrase) DO UPDATE SET shards = shards + 1",
            [(shard.cell, phrase) for phrase in outcome.untried],
        )
        self._database.execute("DELETE FROM attempt WHERE number = ?", (shard.number,))

    def _difference(self, shard: Shard, outcome: Outcome) -> None:
        assert outcome.report is not None
        key, report = json.dumps(list(outcome.bucket)), json.dumps(outcome.report)
        self._database.execute(
            "INSERT INTO bucket VALUES (?, 1, ?, ?, NULL) ON CONFLICT (key) DO UPDATE SET shards = shards + 1, "
            "report = iif(excluded.number < number, excluded.report, report), "
            "shrunk = iif(excluded.number < number, NULL, shrunk), number = min(number, excluded.number)",
            (key, shard.number, report),
        )
        replay = outcome.report["first_divergence"]["replay"]
        self._database.execute("INSERT INTO alike VALUES (?, ?, ?)", (key, shard.number, replay))
        self._database.execute(
            "DELETE FROM alike WHERE key = ?1 AND number NOT IN "
            "(SELECT number FROM alike WHERE key = ?1 ORDER BY number LIMIT ?2)",
            (key, MOST_ALIKE),
        )

    def _count_code(self, cell: int, rows: Sequence[Sequence[Any]]) -> None:
        self._database.execute(
            "INSERT INTO coded VALUES (?, ?, ?) ON CONFLICT (cell) DO UPDATE SET runs = runs + excluded.runs, "
            "uncounted = uncounted + excluded.uncounted",
            (cell, bool(rows), not rows),
        )
        self._database.executemany(
            "INSERT INTO code VALUES (?, ?, ?) ON CONFLICT (cell, point) DO UPDATE SET count = count + excluded.count",
            [(cell, json.dumps(point), count) for *point, count in rows],
        )

    def _count(self, shard: Shard, covered: Mapping[str, Any]) -> None:
        head = json.dumps(covered["multiplier"], sort_keys=True)
        identity = sha256(head.encode()).hexdigest()
        self._database.execute(
            "INSERT INTO covered VALUES (?, ?, ?) "
            "ON CONFLICT (multiplier) DO UPDATE SET cases = cases + excluded.cases",
            (identity, head, covered["cases"]),
        )
        rows = []
        for event in covered["events"]:
            first = json.dumps(event.get("first"))
            rows.append((identity, event["name"], "", event["cases"], shard.number, first))
            rows += [
                (identity, event["name"], json.dumps(at["index"]), at["cases"], shard.number, "null")
                for at in event["at"]
            ]
            rows += [(identity, event["name"], json.dumps(index), 0, shard.number, "null") for index in event["missed"]]
        self._database.executemany(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (multiplier, name, at) DO UPDATE SET "
            "cases = cases + excluded.cases, "
            "first = iif(excluded.cases > 0 AND (cases = 0 OR excluded.number < number), excluded.first, first), "
            "number = iif(excluded.cases > 0 AND (cases = 0 OR excluded.number < number), excluded.number, number)",
            rows,
        )


def check(path: Path, *, resume: bool) -> None:
    """Check a state before the shards are known. Raises ParameterError."""
    if resume or path.exists():
        lock = _locked(path, resume)
        try:
            if not resume:
                with closing(sqlite3.connect(path)) as database:
                    _check_new(path, database)
        finally:
            os.close(lock)


def _locked(path: Path, resume: bool) -> int:
    """A descriptor of the file with an exclusive lock. Raises ParameterError."""
    if resume and not path.exists():
        raise ParameterError("resume", f"there is no {path} to go on with")
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise ParameterError("state", f"{path} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise ParameterError("state", f"{path} is that of a campaign that is running") from None
    return lock


def _opened(path: Path, about: Mapping[str, str], resume: bool) -> sqlite3.Connection:
    """The database, of this campaign; one that was killed before it wrote anything is new. Raises ParameterError."""
    database = sqlite3.connect(path, isolation_level=None)
    try:
        if not resume:
            _check_new(path, database)
        if not _is_new(path, database):
            _check_campaign(path, dict(database.execute("SELECT name, value FROM about")), about)
        # Not before: it changes the file, which may not be a campaign's.
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        if _is_new(path, database):
            database.executescript(f"BEGIN IMMEDIATE; {_TABLES}")
            said = {"layout": str(LAYOUT), **about}
            database.executemany("INSERT INTO about VALUES (?, ?)", said.items())
            database.execute("COMMIT")
        database.executescript(_LATER)
    except sqlite3.Error as error:
        database.close()
        if error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            raise ToolError(f"{path}: {error}") from None
        raise ParameterError("state", f"{path} is not the state of a campaign: {error}") from None
    except BaseException:
        database.close()
        raise
    return database


def _is_new(path: Path, database: sqlite3.Connection) -> bool:
    """True if nothing was written. Raises ParameterError."""
    try:
        return database.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    except sqlite3.Error as error:
        raise ParameterError("state", f"{path} is not the state of a campaign: {error}") from None


def _check_new(path: Path, database: sqlite3.Connection) -> None:
    """Raises ParameterError where something was written."""
    if not _is_new(path, database):
        raise ParameterError("state", f"{path} is there already: --resume goes on with it, or name another file")


def _check_campaign(path: Path, found: Mapping[str, str], about: Mapping[str, str]) -> None:
    """Raises ParameterError where a state is not that of this campaign."""
    if found.get("layout") != str(LAYOUT):
        raise ParameterError("state", f"{path} is not the state of a campaign of this release")
    if found["digest"] != about["digest"]:
        changed = [name for name, content in about.items() if name != "digest" and found.get(name) != content]
        what = " and ".join(changed[:5]) or "what its shards are made of"
        raise ParameterError("resume", f"{path} is of another campaign: since it began, {what} changed")
