# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations in the database, by the hash of their text."""

import re
import time

from sqlalchemy import Connection, func, insert, select, update

from limbtrace.service.storage.database import Database
from limbtrace.service.storage.quotas import FullError, forget_reports, make_room
from limbtrace.service.storage.tables import REPORTS
from limbtrace.vectors.report import report_id


class ReportStore:
    """At most `limit` reports that have at most `max_bytes` bytes together; the oldest are deleted first."""

    def __init__(self, database: Database, limit: int, max_bytes: int) -> None:
        self._database, self._limit, self._max_bytes = database, limit, max_bytes

    def keep(self, text: str, owner: str = "", max_owned: int | None = None) -> tuple[str, bool]:
        """Store the canonical text of a report; returns its id, and whether it is new.

        One that is stored already only becomes the newest. `owner` is the name of a token, empty without one; its
        documents have at most `max_owned` bytes, for which its own oldest reports go. Raises FullError if that is not
        enough, StoreError.
        """
        id, size, now = report_id(text), len(text.encode()), time.time()
        with self._database.writing(alone=True) as connection:
            known = update(REPORTS).where(REPORTS.c.id == id).values(used=now)
            if connection.execute(known).rowcount:
                return id, False
            make_room(connection, owner, size, max_owned)
            self._forget(connection, size)
            row = {"id": id, "document": text, "used": now, "owner": owner, "bytes": size}
            connection.execute(insert(REPORTS), row)
        return id, True

    def find(self, id: str) -> str | None:
        """The text of a report, None if there is none. Raises StoreError."""
        if not re.fullmatch(r"[0-9a-f]{32}", id):  # databases do not take every text
            return None
        with self._database.reading() as connection:
            text = connection.execute(select(REPORTS.c.document).where(REPORTS.c.id == id)).scalar()
        return None if text is None else str(text)

    def _forget(self, connection: Connection, size: int) -> None:
        """Delete the oldest reports to make room for another one of `size` bytes. Raises FullError."""
        stored = select(func.count(), func.coalesce(func.sum(REPORTS.c.bytes), 0)).select_from(REPORTS)
        if size > self._max_bytes:
            raise FullError(f"the reports here would take more than {self._max_bytes} bytes")
        count, total = connection.execute(stored).one()
        forget_reports(connection, int(total) + size - self._max_bytes, count=count + 1 - self._limit)
