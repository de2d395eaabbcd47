# SPDX-License-Identifier: Apache-2.0
"""The tables of the first release, which had no migrations: whatever is there already stays."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create what is missing; a kill of the first release could leave some of the tables."""
    op.create_table(
        "limbtrace",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("version", sa.Integer),
        if_not_exists=True,
    )
    op.create_table(
        "sets",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        if_not_exists=True,
    )
    op.create_index("ix_sets_used", "sets", ["used"], if_not_exists=True)
    op.create_table(
        "certificates",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("cases", sa.Integer, nullable=False),
        sa.Column("disagreements", sa.Integer, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        if_not_exists=True,
    )
