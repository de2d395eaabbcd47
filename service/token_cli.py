# SPDX-License-Identifier: Apache-2.0
"""`limbtrace token`: access tokens of the service."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from limbtrace.service.settings import ServiceSettings
from limbtrace.service.storage.database import Database
from limbtrace.service.storage.tokens import Tokens


@contextmanager
def _tokens(database: str | None) -> Iterator[Tokens]:
    url = ServiceSettings.from_environment(**({} if database is None else {"database": database})).database
    opened = Database(url)
    opened.open()
    try:
        yield Tokens(opened)
    finally:
        opened.close()


_database = click.option(
    "--database", metavar="URL", help="The database of the service, for SQLAlchemy; else LIMBTRACE_DATABASE."
)


@click.group()
def token() -> None:
    """Who may use the service, and how much."""


@token.command()
@click.argument("name")
@click.option("--requests-per-day", type=click.IntRange(0, 2**62), metavar="N", help="Requests per day (UTC).")
@click.option("--seconds-per-day", type=click.FloatRange(0), metavar="N", help="Seconds of computing per day (UTC).")
@click.option("--bytes", "stored", type=click.IntRange(0, 2**62), metavar="N", help="Bytes of stored documents in all.")
@_database
def add(
    name: str, requests_per_day: int | None, seconds_per_day: float | None, stored: int | None, database: str | None
) -> None:
    """Make a token and print it; it is not shown again."""
    with _tokens(database) as tokens:
        click.echo(tokens.add(name, requests_per_day, seconds_per_day, stored))


@token.command("list")
@_database
def list_tokens(database: str | None) -> None:
    """Every token, with what was used today of its quotas."""
    with _tokens(database) as tokens:
        for usage in tokens.usages():
            quotas = usage.token
            click.echo(
                f"{quotas.name}: {_of(usage.requests, quotas.requests_per_day)} requests, "
                f"{_of(round(usage.seconds, 1), quotas.seconds_per_day)} seconds today, "
                f"{_of(usage.stored, quotas.bytes)} bytes stored{', revoked' * usage.is_revoked}"
            )


@token.command()
@click.argument("name")
@_database
def revoke(name: str, database: str | None) -> None:
    """Refuse a token from now on; its name stays taken, and its certificates stay."""
    with _tokens(database) as tokens:
        tokens.revoke(name)


def _of(used: float, quota: float | None) -> str:
    return f"{used:g}" if quota is None else f"{used:g} of {quota:g}"
