# SPDX-License-Identifier: Apache-2.0
"""Access tokens in the database: shown once, hashed, counted by day, written in batches."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import event

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.storage import tokens as tokens_module
from limbtrace.service.storage.database import Database, StoreError
from limbtrace.service.storage.store import Certified, Store
from limbtrace.service.storage.tokens import Token, Tokens
from tests.service.test_store import execute
from tests.vectors.test_cli import run

NOON = 20_000 * 86_400 + 43_200.0


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres").database())
    return f"sqlite:///{tmp_path}/sets.sqlite3"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database(url)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock of the tokens: `now` in seconds since 1970."""
    clock = SimpleNamespace(now=NOON)
    clock.time = clock.monotonic = lambda: clock.now
    monkeypatch.setattr(tokens_module, "time", clock)
    return clock


@pytest.fixture
def tokens(database: Database, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> Tokens:
    """Tokens of one process, which keeps nothing in memory."""
    monkeypatch.setattr(tokens_module, "CACHE_SECONDS", 0.0)
    monkeypatch.setattr(tokens_module, "WRITE_SECONDS", 0.0)
    return Tokens(database)


def test_a_token_is_found_until_it_is_revoked(tokens: Tokens, url: str) -> None:
    assert not tokens.any()
    text = tokens.add("ann", 5, 1.5, 1 << 40)
    other = tokens.add("bob")
    assert re.fullmatch(r"lt_[A-Za-z0-9_-]{43}", text)
    assert text != other
    assert tokens.any()
    assert tokens.find(text) == Token("ann", 5, 1.5, 1 << 40)
    assert tokens.find(other) == Token("bob")
    for wrong in ("", "lt_", text[:-1], text + "x", "\0", "\udcff", text.swapcase()):
        assert tokens.find(wrong) is None
    assert text not in str(execute(url, "SELECT * FROM tokens"))  # only its hash
    tokens.revoke("ann")
    assert tokens.find(text) is None
    assert tokens.find(other) is not None
    for name in ("ann", "nobody"):
        with pytest.raises(ParameterError, match="name: there is no token"):
            tokens.revoke(name)
    with pytest.raises(ParameterError, match="maybe a revoked one"):
        tokens.add("ann")


def test_a_revoked_token_is_soon_forgotten(
    tokens: Tokens, database: Database, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens_module, "CACHE_SECONDS", 1.0)
    text = tokens.add("ann")
    assert tokens.find(text)
    Tokens(database).revoke("ann")  # by another process
    assert tokens.find(text)
    clock.now += 1.0
    assert tokens.find(text) is None


@pytest.mark.parametrize("name", ["", "a b", "-a", "\n", "a\n", "x" * 65, "ä", "../a"])
def test_names_that_are_none(tokens: Tokens, name: str) -> None:
    with pytest.raises(ParameterError, match="is no name"):
        tokens.add(name)


def test_quotas_hold_for_a_day(tokens: Tokens, clock: SimpleNamespace) -> None:
    ann, bob = Token("ann", requests_per_day=3), Token("bob", seconds_per_day=1.5)
    for _ in range(3):
        assert tokens.exhausted(ann) is None
        assert tokens.exhausted(bob) is None
        tokens.use("ann", 100.0)
        tokens.use("bob", 0.5)
    assert tokens.exhausted(ann) == "the token ann has used its 3 requests of today (UTC)"
    assert tokens.exhausted(bob) == "the token bob has used its 1.5 seconds of today (UTC)"
    assert tokens.exhausted(Token("ann")) is None
    clock.now = NOON + 43_199
    assert tokens.exhausted(ann)
    clock.now = NOON + 43_200
    assert tokens.exhausted(ann) is None


def test_processes_share_quotas(tokens: Tokens, database: Database) -> None:
    ann = Token("ann", requests_per_day=200)
    others = [Tokens(database) for _ in range(4)]

    def use(number: int) -> None:
        others[number % 4].use("ann", 0.25)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(200)))
    for other in others:
        other.write()
    assert tokens.exhausted(ann)
    assert Tokens(database)._used("ann") == (200, 50.0)


def test_uses_are_written_together(
    tokens: Tokens, database: Database, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a token that was found just now, a request costs neither a read nor a write."""
    monkeypatch.setattr(tokens_module, "WRITE_SECONDS", 10.0)
    monkeypatch.setattr(tokens_module, "CACHE_SECONDS", 10.0)
    text = tokens.add("ann", requests_per_day=150)
    statements: list[str] = []
    ann = tokens.find(text)
    assert ann is not None
    tokens.use("ann")
    event.listen(database._engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    for _ in range(148):
        assert tokens.find(text) == ann
        assert tokens.exhausted(ann) is None
        tokens.use("ann", 1.0)
    assert statements == []
    clock.now += 10.0
    tokens.use("ann", 1.0)
    assert statements != []
    assert tokens.exhausted(ann)
    assert Tokens(database)._used("ann") == (150, 149.0)


def test_uses_are_kept_while_the_database_fails(tokens: Tokens, database: Database, url: str) -> None:
    execute(url, "ALTER TABLE uses RENAME TO away")
    for _ in range(2):
        with pytest.raises(StoreError):
            tokens.use("ann", 1.0)
    execute(url, "ALTER TABLE away RENAME TO uses")
    tokens.use("ann", 1.0)
    assert Tokens(database)._used("ann") == (3, 3.0)


def test_on_the_command_line(url: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, text, err = run(capfd, "token", "add", "ann", "--requests-per-day", "5", "--bytes", "1000", "--database", url)
    assert (code, err) == (0, "")
    assert run(capfd, "token", "add", "bob", "--database", url)[0] == 0
    store = Store(url, 10)
    tokens = Tokens(store.database)
    assert tokens.find(text.strip()) == Token("ann", 5, None, 1000)
    tokens.use("ann", 0.25)
    tokens.write()
    store.certify("0" * 32, Certified("0" * 64, 1, 0), "{}", "ann")
    assert run(capfd, "token", "revoke", "bob", "--database", url) == (0, "", "")
    assert run(capfd, "token", "list", "--database", url)[1].splitlines() == [
        "ann: 1 of 5 requests, 0.2 seconds today, 2 of 1000 bytes stored",
        "bob: 0 requests, 0 seconds today, 0 bytes stored, revoked",
    ]
    code, out, err = run(capfd, "token", "add", "ann", "--database", url)
    assert (code, out, err.count("\n")) == (2, "", 1)
    store.close()
