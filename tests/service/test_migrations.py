# SPDX-License-Identifier: Apache-2.0
"""Databases of earlier releases are upgraded when a service starts: at once, whole or not at all, and only once."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from limbtrace.service.http.openapi import EXAMPLES
from limbtrace.service.storage import database as database_module
from limbtrace.service.storage.database import VERSION, Database
from limbtrace.service.storage.store import Store
from limbtrace.service.storage.tables import TABLES
from limbtrace.vectors.certificate import Certificate
from limbtrace.vectors.encoding import dump
from tests.patience import PATIENCE
from tests.service.test_store import execute, opened, service

FIRST_RELEASE = (
    """CREATE TABLE certificates (
	id VARCHAR(32) NOT NULL,
	sha256 VARCHAR(64) NOT NULL,
	cases INTEGER NOT NULL,
	disagreements INTEGER NOT NULL,
	document TEXT NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
)""",
    "CREATE TABLE limbtrace (id INTEGER NOT NULL, version INTEGER, PRIMARY KEY (id))",
    """CREATE TABLE sets (
	id VARCHAR(32) NOT NULL,
	request TEXT NOT NULL,
	created FLOAT NOT NULL,
	used FLOAT NOT NULL,
	PRIMARY KEY (id)
)""",
    "CREATE INDEX ix_sets_used ON sets (used)",
    "INSERT INTO limbtrace (id, version) VALUES (1, 1)",
)
"""What commit 7bbc536 does with an empty database."""

REQUEST = (
    '{"format":"limbtrace/1","model":"iddmm2","prime":{"name":"mlkem","modulus":"0xd01"},'
    '"settings":{"radix":"2^8","n":2,"passes":2,"form":"corrected"},"count":2,"seed":1,"kind":"mixed"}'
)
SET_ID = "c4939780aff261924efd761886aaee51"
CERTIFICATE = dump({**EXAMPLES[Certificate], "set": {**EXAMPLES[Certificate]["set"], "id": SET_ID}})


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres").database())
    return f"sqlite:///{tmp_path}/sets.sqlite3"


@pytest.fixture
def old(url: str) -> str:
    """URL of a database as the first release wrote it, with a set and its certificate."""
    for statement in FIRST_RELEASE:
        execute(url, statement)
    execute(url, "INSERT INTO sets VALUES (:id, :request, 1700000000.5, 1700000001.5)", id=SET_ID, request=REQUEST)
    execute(
        url,
        "INSERT INTO certificates VALUES (:id, :sha256, 2, 0, :document, 1700000002.5)",
        id=SET_ID, sha256=64 * "0", document=CERTIFICATE,
    )  # fmt: skip
    return url


def test_sets_and_certificates_of_the_first_release_are_served(old: str) -> None:
    for _ in range(2):
        with service(old) as api:
            answer = api.get(f"/v1/sets/{SET_ID}")
            assert (answer.status_code, answer.json()["id"]) == (200, SET_ID)
            assert answer.headers["limbtrace-certificate"] == f'sha256="{64 * "0"}", cases=2, disagreements=0'
            assert api.get(f"/v1/sets/{SET_ID}/certificate").text == CERTIFICATE
    assert execute(old, "SELECT id, version FROM limbtrace") == [(1, VERSION)]  # which the first release refuses
    assert execute(old, "SELECT owner, bytes FROM certificates") == [("", len(CERTIFICATE.encode()))]
    assert execute(old, "SELECT created, used FROM sets")[0][0] == 1700000000.5


@pytest.mark.parametrize("steps", range(len(FIRST_RELEASE)))
def test_what_a_kill_of_the_first_release_left_is_completed(url: str, steps: int) -> None:
    for statement in FIRST_RELEASE[:steps]:
        execute(url, statement)
    with opened(url) as store:
        assert store.count() == 0
    assert execute(url, "SELECT id, version FROM limbtrace") == [(1, VERSION)]


def test_the_tables_are_those_that_the_code_expects(url: str) -> None:
    with opened(url) as store, store.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": False})
        assert compare_metadata(context, TABLES) == []
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == f"{VERSION:04}"


def test_a_kill_in_the_middle_leaves_the_database_as_it_was(old: str) -> None:
    program = (
        "import os, sys; from limbtrace.service.storage import migrations\n"
        "from limbtrace.service.storage.store import Store\n"
        "whole = migrations.upgrade\n"
        "def killed(connection):\n    whole(connection)\n    os.kill(os.getpid(), 9)\n"
        "migrations.upgrade = killed\nStore(sys.argv[1], 10).open()"
    )
    done = subprocess.run([sys.executable, "-c", program, old], timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL
    assert execute(old, "SELECT version FROM limbtrace") == [(1,)]
    assert len(execute(old, "SELECT * FROM certificates")[0]) == 6
    with opened(old) as store:
        assert store.certificate(SET_ID) == CERTIFICATE


def test_services_that_start_at_the_same_time_upgrade_once(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from limbtrace.service.storage import migrations

    whole, calls = migrations.upgrade, list[Any]()

    def counted(connection: Any) -> None:
        calls.append(connection)
        whole(connection)

    monkeypatch.setattr(migrations, "upgrade", counted)
    monkeypatch.setattr(database_module, "BUSY_SECONDS", PATIENCE)
    stores = [Store(old, 10) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(Store.open, stores))
    assert len(calls) == 1
    for store in stores:
        assert store.certificate(SET_ID) == CERTIFICATE
        store.close()


def test_files_of_the_first_release_become_private(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/sets.sqlite3"
    for statement in FIRST_RELEASE:
        execute(url, statement)
    (tmp_path / "sets.sqlite3").chmod(0o644)
    with opened(url) as store:
        store.count()
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    (tmp_path / "sets.sqlite3").chmod(0o660)  # a later wish of its owner
    with opened(url):
        assert (tmp_path / "sets.sqlite3").stat().st_mode & 0o777 == 0o660


def test_other_databases_are_refused() -> None:
    with pytest.raises(Exception, match="database: mysql is neither sqlite nor postgresql"):
        Database("mysql://host/sets")
