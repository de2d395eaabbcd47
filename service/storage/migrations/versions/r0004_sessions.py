# SPDX-License-Identifier: Apache-2.0
"""Sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Two tables, empty."""
    op.create_table(
        "sessions",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_index("ix_sessions_expires", "sessions", ["expires"])
    op.create_table(
        "session_sets",
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("compare", sa.String(16), nullable=False),
        sa.Column("verdicts", sa.Text, nullable=False),
    )
