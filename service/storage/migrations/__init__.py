# SPDX-License-Identifier: Apache-2.0
"""Upgrades of the database from release to release, by Alembic; `limbtrace.service.storage.database` decides when.

`versions` has one file per revision, `0001` and so on. The table `limbtrace` holds the number of the last one, which
releases before revision 2 read too, so that they refuse a newer database. To change the tables: change
`limbtrace.service.storage.tables`, add a revision, and set `limbtrace.service.storage.database.VERSION` to its number.
"""

from pathlib import Path
from typing import Any

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, insert

from limbtrace.service.storage.tables import SCHEMA


def upgrade(connection: Connection) -> None:
    """Run the missing revisions in the transaction that the connection has begun.

    A database without Alembic's table is either empty or one of the first release: revision 1 leaves what is there.
    """
    scripts = ScriptDirectory(str(Path(__file__).parent), version_locations=[str(Path(__file__).parent / "versions")])

    def missing(revision: Any, _: MigrationContext) -> Any:
        return scripts._upgrade_revs("head", revision)

    context = MigrationContext.configure(connection, opts={"fn": missing})
    with Operations.context(context):
        context.run_migrations()
    connection.execute(delete(SCHEMA))
    connection.execute(insert(SCHEMA), {"id": 1, "version": int(scripts.get_current_head() or 0)})
