# SPDX-License-Identifier: Apache-2.0
"""Documents in the database by the token that put them there: their sizes together, and room for another one."""

from sqlalchemy import Connection, delete, func, select

from limbtrace.service.storage.tables import CERTIFICATES, REPORTS

_STORED = (CERTIFICATES, REPORTS)


class FullError(Exception):
    """A document that exceeds the quota; the message is one sentence."""


def stored_bytes(connection: Connection, owner: str) -> int:
    """Bytes of the documents of a token; of all that were put without one for an empty name."""
    sums = (select(func.coalesce(func.sum(t.c.bytes), 0)).where(t.c.owner == owner) for t in _STORED)
    return sum(int(connection.execute(wanted).scalar_one()) for wanted in sums)


def make_room(connection: Connection, owner: str, size: int, limit: int | None) -> None:
    """Forget the oldest reports of a token until a document of `size` bytes keeps it within its `limit`.

    To be called within `Database.writing(alone=True)`. Raises FullError if its certificates alone leave too little.
    """
    surplus = 0 if limit is None else stored_bytes(connection, owner) + size - limit
    if surplus > 0 and forget_reports(connection, surplus, owner) < surplus:
        raise FullError(f"the documents of the token {owner} would take more than {limit} bytes")


def forget_reports(connection: Connection, surplus: int, owner: str | None = None, count: int = 0) -> int:
    """Delete the oldest reports, or those of an owner, at least `count`, until `surplus` bytes are free.

    Returns how many bytes are.
    """
    wanted = select(REPORTS.c.id, REPORTS.c.bytes).order_by(REPORTS.c.used, REPORTS.c.id)
    free = 0
    gone: list[str] = []
    with connection.execute(wanted if owner is None else wanted.where(REPORTS.c.owner == owner)) as rows:
        for row in rows:
            if free >= surplus and len(gone) >= count:
                break
            free += row.bytes
            gone.append(row.id)
    for name in gone:
        connection.execute(delete(REPORTS).where(REPORTS.c.id == name))
    return free
