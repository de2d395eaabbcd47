# SPDX-License-Identifier: Apache-2.0
"""The store behind /v1/sets: it outlives the service, is shared, stays bounded, and reports its failures."""

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event, text

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.server import background
from limbtrace.service.settings import ServiceSettings
from limbtrace.service.storage import database as database_module
from limbtrace.service.storage import store as store_module
from limbtrace.service.storage.database import VERSION, Database
from limbtrace.service.storage.store import Certified, FullError, OutdatedError, OwnedError, Store, StoreError
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import Multiplier, VectorRequest
from tests.patience import PATIENCE, eventually
from tests.postgres import Server
from tests.service.apps import FULL_DISK, full

VECTORS = {"model": "iddmm2", "prime": "p256", "radix": "2^32", "count": "30", "seed": "7", "kind": "lazy"}
MLKEM = Multiplier.resolve("cios", "mlkem", {})


def request(seed: int) -> VectorRequest:
    return VectorRequest.resolve(MLKEM, seed=seed)


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    """URL of an SQLite database that does not exist yet."""
    return f"sqlite:///{tmp_path}/new/sets.sqlite3"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """URL of a database without tables, of each kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("file_url"))
    return str(request.getfixturevalue("postgres").database())


@contextmanager
def opened(url: str, limit: int = 1000) -> Iterator[Store]:
    store = Store(url, limit)
    store.open()
    try:
        yield store
    finally:
        store.close()


@contextmanager
def sql(url: str) -> Iterator[sqlite3.Connection]:
    """A connection of another program to an SQLite database."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def execute(url: str, statement: str, **values: Any) -> list[Any]:
    """Run a statement as another program would; returns the rows."""
    database = Database(url)
    try:
        with database.writing() as connection:
            found = connection.execute(text(statement), values)
            return [*found] if found.returns_rows else []
    finally:
        database.close()


@contextmanager
def service(database: str, **limits: Any) -> Iterator[httpx.Client]:
    settings = ServiceSettings(database=database, **limits)
    with background(settings) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


@pytest.mark.parametrize(
    "asked",
    [
        request(3),
        VectorRequest.resolve(Multiplier.resolve("iddmm2", "13", {"k": "2", "form": "printed"}), 7, 2**64 - 1, "lazy"),
        VectorRequest.resolve(Multiplier.resolve("iddmm1", 2**521 - 3, {"passes": 40}), 10**6, 0, "edge"),
    ],
)
def test_a_request_is_found_as_it_was(url: str, asked: VectorRequest) -> None:
    with opened(url) as store:
        assert store.remember(asked) is None
    with opened(url) as store:
        assert store.find(asked.id) == asked
        assert store.find(request(4).id) is None


def test_sets_outlive_the_service(url: str) -> None:
    with service(url) as api:
        first = api.get("/v1/vectors", params=VECTORS)
    with service(url) as api:
        assert api.get(f"/v1/sets/{first.headers['limbtrace-set']}").content == first.content


def test_services_share_a_database(url: str) -> None:
    with service(url) as one, service(url) as other:
        for here, there, seed in ((one, other, "1"), (other, one, "2")):
            name = here.get("/v1/vectors", params={**VECTORS, "seed": seed}).headers["limbtrace-set"]
            assert there.get(f"/v1/sets/{name}").json()["seed"] == int(seed)


def test_many_threads_and_stores(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight stores start without a database, with four threads each; every id is known to all of them at once."""
    monkeypatch.setattr(database_module, "BUSY_SECONDS", PATIENCE)  # a disk may be slow, and SQLite's queue is not fair
    stores = [Store(url, 1000) for _ in range(8)]
    with ThreadPoolExecutor(32) as pool:
        list(pool.map(Store.open, stores))
        list(pool.map(lambda job: stores[job % 8].remember(request(job // 4)), range(400)))
    for store in stores:
        assert store.count() == 100
        assert all(store.find(request(seed).id) for seed in range(100))
        store.close()


def test_the_longest_unused_are_forgotten_with_their_certificates(url: str) -> None:
    with opened(url, limit=3) as store:
        for seed in (1, 2, 3):
            store.remember(request(seed))
            store.certify(request(seed).id, Certified("0" * 64, 16, 0), "{}")
        store.remember(request(1))
    with opened(url, limit=3) as store:  # what was used before is not forgotten on a restart
        store.remember(request(4))
        assert [store.find(request(seed).id) is not None for seed in (1, 2, 3, 4)] == [True, False, True, True]
        assert store.certificate(request(2).id) is None
        assert store.certificate(request(3).id) == "{}"
    with opened(url, limit=1) as store:  # a smaller limit holds from the start
        assert store.count() == 1
        assert store.find(request(4).id)


def certified(store: Store, seed: int, letter: str, size: int = 100, **owner: Any) -> None:
    """Put a certificate of that many bytes."""
    store.certify(request(seed).id, Certified(64 * letter, 16, 2**62), size * letter, **owner)


def test_only_its_owner_replaces_a_certificate(url: str) -> None:
    with opened(url) as store:
        store.remember(request(1))
        certified(store, 1, "a")
        certified(store, 1, "a")  # nothing changes
        with pytest.raises(OwnedError, match="only replaced with an access token"):
            certified(store, 1, "b")
        certified(store, 1, "b", owner="ann")
        for owner in ("", "bob"):
            with pytest.raises(OwnedError, match="only the access token that put it"):
                certified(store, 1, "c", owner=owner)
        certified(store, 1, "c", owner="ann")
        assert store.certificate(request(1).id) == 100 * "c"
        assert execute(url, "SELECT owner, bytes FROM certificates") == [("ann", 100)]


def test_certificates_have_bounds(url: str) -> None:
    store = Store(url, 100, 1000)
    store.open()
    for seed in range(12):
        store.remember(request(seed))
    certified(store, 0, "a", 300, owner="ann", max_owned=300)
    with pytest.raises(FullError, match="of the token ann would take more than 300 bytes"):
        certified(store, 1, "a", 1, owner="ann", max_owned=300)
    certified(store, 0, "b", 300, owner="ann", max_owned=300)  # the earlier one counts no more

    def put(seed: int) -> bool:
        try:
            certified(store, seed, "a", 200)
        except FullError:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(put, range(2, 12))) == 3
    with pytest.raises(FullError, match="would take more than 1000 bytes"):
        certified(store, 1, "a", 200)
    store.close()
    with opened(url, limit=1):  # forgotten sets make room
        assert int(execute(url, "SELECT count(*) FROM certificates")[0][0]) <= 1


def test_the_bound_holds_with_a_hundredth_more(url: str) -> None:
    with opened(url, limit=200) as store:
        for seed in range(500):
            store.remember(request(seed))
            assert store.count() <= 203
        assert all(store.find(request(seed).id) for seed in range(300, 500))


def test_a_set_that_is_asked_for_again_costs_no_write(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statements: list[str] = []
    monkeypatch.setattr(store_module, "TOUCHES", 2)
    with opened(url) as store:
        for seed in (1, 2):
            store.remember(request(seed))
        event.listen(
            store.database._engine, "before_cursor_execute", lambda *given: statements.append(given[2].split()[0])
        )
        for _ in range(3):
            store.remember(request(1))
        assert statements == ["SELECT"] * 3
        store.remember(request(2))  # the times of use are written together
        assert statements[:4] == ["SELECT"] * 4
        assert statements[-1] == "UPDATE"


def test_every_commit_is_on_the_disk(file_url: str) -> None:
    with opened(file_url) as store, store.database._engine.connect() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
        assert found == ["wal", 2]  # 2 is FULL
        plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN SELECT id FROM sets ORDER BY used LIMIT 3").first()
        assert plan is not None
        assert "INDEX ix_sets_used" in str(plan)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sets.sqlite3", "no address such as sqlite:///"),
        ("", "no address such as sqlite:///"),
        ("postgresql://name:secret@host:port/sets", "no address"),
        ("nix://host/sets", "knows no database 'nix'"),
        ("sqlite://", "remembers nothing"),
        ("sqlite:///:memory:", "remembers nothing"),
    ],
)
def test_addresses_that_are_none(url: str, words: str) -> None:
    with pytest.raises(ParameterError, match=f"database: .*{words}") as caught:
        Store(url, 10)
    assert "secret" not in str(caught.value)


def test_a_driver_that_is_not_installed() -> None:
    with pytest.raises(ToolError, match=r"needs psycopg2?, which is not installed"):
        Store("postgresql+psycopg2://name:secret@host/sets", 10)


@pytest.fixture
def unclosed(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Open SQLite connections. From Python 3.13 on, a connection that is dropped without being closed is a warning."""
    connect, found = sqlite3.dbapi2.connect, list[sqlite3.Connection]()

    class Noted(sqlite3.Connection):
        def close(self) -> None:
            super().close()
            if self in found:
                found.remove(self)

    def noted(*arguments: Any, **options: Any) -> sqlite3.Connection:
        found.append(connect(*arguments, **options, factory=Noted))
        return found[-1]

    monkeypatch.setattr(sqlite3.dbapi2, "connect", noted)
    return found


def _directory(path: Path) -> str:
    path.mkdir()
    return f"sqlite:///{path}"


def _behind_a_file(path: Path) -> str:
    path.write_text("")
    return f"sqlite:///{path}/sets.sqlite3"


def _garbage(path: Path) -> str:
    path.write_bytes(b"this is no database at all" * 100)
    return f"sqlite:///{path}"


def _read_only(path: Path) -> str:
    with opened(f"sqlite:///{path}"):
        pass
    return f"sqlite:///file:{path}?mode=ro&uri=true"


def _newer(path: Path) -> str:
    url = f"sqlite:///{path}"
    with opened(url):
        pass
    with sql(url) as connection:
        connection.execute("UPDATE limbtrace SET version = version + 1")
    return url


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (_directory, "unable to open"),
        (_behind_a_file, "Not a directory|File exists"),
        (_garbage, "not a database"),
        (_read_only, "readonly"),
        (_newer, f"tables of version {VERSION + 1} .* knows version {VERSION};"),
    ],
)
def test_databases_that_cannot_be_used(
    tmp_path: Path, make: Callable[[Path], str], words: str, unclosed: list[sqlite3.Connection]
) -> None:
    store = Store(make(tmp_path / "sets"), 10)
    with pytest.raises(StoreError, match=words) as caught:
        store.open()
    assert unclosed == []
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_database_that_somebody_else_has_locked(
    file_url: str, monkeypatch: pytest.MonkeyPatch, unclosed: list[sqlite3.Connection]
) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.1)
    with opened(file_url) as store, sql(file_url) as other:
        store.remember(request(1))
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="locked"):
            store.remember(request(2))
        before = [*unclosed]
        with pytest.raises(StoreError, match="locked"):
            Store(file_url, 10).open()
        assert unclosed == before
        store.remember(request(1))
        assert store.find(request(1).id)  # readers never wait
        other.execute("ROLLBACK")
        store.remember(request(2))
        assert store.find(request(2).id)
    assert unclosed == []


def metric(api: httpx.Client, name: str) -> float:
    lines = api.get("/metrics").text.splitlines()
    return float(next(line for line in lines if line.startswith(f"{name} ")).split()[1])


def test_vectors_are_handed_out_where_the_disk_is_full(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Vectors come without the header, since the set is not stored."""
    file = tmp_path / "sets.sqlite3"
    settings = ServiceSettings(database=f"sqlite:///{file}")
    with (
        background(settings, FULL_DISK) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as api,
    ):
        known = api.get("/v1/vectors", params=VECTORS).headers["limbtrace-set"]
        assert metric(api, "limbtrace_sets") == 1
        full(file).touch()
        answer = api.get("/v1/vectors", params={**VECTORS, "seed": "8"})
        full(file).unlink()
        assert answer.status_code == 200
        assert answer.json()["seed"] == 8
        assert "limbtrace-set" not in answer.headers
        assert answer.headers["cache-control"] == "no-store"
        assert api.get(f"/v1/sets/{answer.json()['id']}").status_code == 404
        assert api.get(f"/v1/sets/{known}").status_code == 200
        assert metric(api, "limbtrace_store_errors_total") == 1
        assert api.get("/v1/vectors", params={**VECTORS, "seed": "8"}).headers["limbtrace-set"]
    (entry,) = [json.loads(line) for line in capfd.readouterr().err.splitlines() if '"event": "store"' in line]
    assert entry["level"] == "error"
    assert "full" in entry["reason"]
    assert entry["request_id"] == answer.headers["x-request-id"]


def test_a_database_that_was_removed(file_url: str, tmp_path: Path) -> None:
    """Otherwise connections would continue with the deleted file, and all sets would be lost when they end."""
    with service(file_url) as api:
        known = api.get("/v1/vectors", params=VECTORS).headers["limbtrace-set"]
        (tmp_path / "new").rename(tmp_path / "away")
        for seed in ("7", "8"):
            answer = api.get("/v1/vectors", params={**VECTORS, "seed": seed})
            assert answer.status_code == 200
            assert "limbtrace-set" not in answer.headers
        assert api.get(f"/v1/sets/{known}").status_code == 503
        (tmp_path / "away").rename(tmp_path / "new")
        assert api.get(f"/v1/sets/{known}").headers["limbtrace-set"] == known


def test_texts_that_are_no_ids_are_not_looked_for(file_url: str) -> None:
    """PostgreSQL does not accept a zero byte, and the request would count as a database failure."""
    store = Store(file_url, 10)  # not open: to look would fail
    for name in ("\0", "", "x" * 32, "0" * 31, "0" * 33):
        assert store.find(name) is None


def test_a_database_that_broke(url: str) -> None:
    with service(url) as api:
        known = api.get("/v1/vectors", params=VECTORS).headers["limbtrace-set"]
        execute(url, "DROP TABLE sets")
        answer = api.get(f"/v1/sets/{known}")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert answer.json()["type"] == "urn:limbtrace:problem:store"
        assert re.search('no such table|relation "sets" does not exist', answer.json()["detail"])
        assert api.get("/v1/vectors", params=VECTORS).status_code == 200
        assert "limbtrace_sets NaN" in api.get("/metrics").text
        assert api.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "change", [{"count": 31}, {"model": "nix"}, {"prime": None}, {"settings": {"nix": 1}}, {"prime": {"name": "nix"}}]
)
def test_a_set_of_another_release(url: str, change: dict[str, Any]) -> None:
    with service(url) as api:
        known = api.get("/v1/vectors", params=VECTORS).headers["limbtrace-set"]
        ((stored,),) = execute(url, "SELECT request FROM sets")
        execute(url, "UPDATE sets SET request = :request", request=json.dumps({**json.loads(stored), **change}))
        answer = api.get(f"/v1/sets/{known}")
        assert answer.status_code == 410
        assert "another release" in answer.json()["detail"]
    with opened(url) as store, pytest.raises(OutdatedError):
        store.find(known)


def _is_counted(api: httpx.Client, line: str) -> bool:
    """Whether the metrics get the line, which is after the answer that it counts."""
    return eventually(lambda: line in api.get("/metrics").text)


def test_limits_hold_for_sets_that_were_handed_out_before(url: str) -> None:
    with service(url) as api:
        known = api.get("/v1/vectors", params=VECTORS).headers["limbtrace-set"]
    for limits, parameter in (({"max_count": 20}, "count"), ({"max_modulus_bits": 200}, "prime")):
        with service(url, **limits) as api:
            answer = api.get(f"/v1/sets/{known}")
            assert answer.status_code == 422
            assert answer.json()["parameter"] == parameter
            line = f'limbtrace_refused_total{{limit="{next(iter(limits))}"}} 1.0'
            assert _is_counted(api, line)


def test_files_are_private(tmp_path: Path) -> None:
    """Also where the umask would leave them open or take them away from their owner."""
    for umask in (0o000, 0o077, 0o777):
        file = tmp_path / f"{umask:o}" / "limbtrace" / "sets.sqlite3"
        file.parent.parent.mkdir()
        before = os.umask(umask)
        try:
            with opened(f"sqlite:///{file}") as store:
                store.remember(request(1))
                modes = {path.name: path.stat().st_mode & 0o777 for path in file.parent.iterdir()}
        finally:
            os.umask(before)
        assert modes == {f"sets.sqlite3{ending}": 0o600 for ending in ("", "-wal", "-shm")}
        assert file.parent.stat().st_mode & 0o777 == 0o700


def test_a_start_with_nothing_to_do_loads_no_alembic(url: str) -> None:
    program = (
        "import sys; from limbtrace.service.storage.store import Store; store = Store(sys.argv[1], 10); store.open(); "
        "assert store.count() == 0; store.close(); print('alembic' in sys.modules)"
    )
    for expected in ("True", "False"):
        done = subprocess.run([sys.executable, "-c", program, url], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [expected]


class TestPostgreSQL:
    """What only a server can do."""

    def test_the_server_may_be_started_again(self, postgres: Server) -> None:
        url = postgres.database()
        with service(url) as api:
            first = api.get("/v1/vectors", params=VECTORS)
            path = f"/v1/sets/{first.headers['limbtrace-set']}"
            postgres.stop()
            assert api.get("/healthz").status_code == 200
            answer = api.get("/v1/vectors", params=VECTORS)
            assert (answer.content, answer.headers.get("limbtrace-set")) == (first.content, None)
            answer = api.get(path)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            with pytest.raises(StoreError, match=r"^the database postgresql\S* failed: ") as caught:
                Store(url, 10).open()
            assert "\n" not in str(caught.value)
            postgres.start()
            assert api.get(path).content == first.content
            assert api.get("/v1/vectors", params=VECTORS).headers["limbtrace-set"] in path

    def test_a_password_is_not_shown(self, postgres: Server) -> None:
        url = postgres.database().replace("limbtrace@", "nobody:secret@")
        with pytest.raises(StoreError, match=r'role "nobody" does not exist') as caught:
            Store(url, 10).open()
        assert "secret" not in str(caught.value)

    def test_an_upgrade_waits_for_another_one(self, postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        """One that hangs does not hang the other."""
        url = postgres.database()
        other = Database(url)
        monkeypatch.setattr(database_module, "UPGRADE_SECONDS", 0.2)
        with other.writing() as connection:
            other._lock(connection, database_module._UPGRADE)
            with pytest.raises(StoreError, match="lock timeout"):
                Store(url, 10).open()
        other.close()
        with opened(url) as store:
            assert store.count() == 0

    def test_services_that_touch_and_delete_the_same_sets(self, postgres: Server, monkeypatch: Any) -> None:
        """PostgreSQL ends one of two transactions that lock the same rows in different orders."""
        monkeypatch.setattr(store_module, "TOUCHES", 5)
        url = postgres.database()
        stores = [Store(url, 20) for _ in range(4)]
        for store in stores:
            store.open()

        def use(number: int) -> None:
            order = random.Random(number)
            for _ in range(60):
                stores[number % 4].remember(request(order.randrange(30)))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(use, range(8)))
        for store in stores:
            assert store.count() <= 30
            store.close()
        assert postgres.execute("SELECT 1 FROM pg_stat_database WHERE deadlocks > 0") == []
