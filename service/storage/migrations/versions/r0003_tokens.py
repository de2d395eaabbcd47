# SPDX-License-Identifier: Apache-2.0
"""Access tokens, and what was used of their quotas."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Two tables, empty."""
    op.create_table(
        "tokens",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("revoked", sa.Float),
        sa.Column("requests_per_day", sa.BigInteger),
        sa.Column("seconds_per_day", sa.Float),
        sa.Column("bytes", sa.BigInteger),
    )
    op.create_table(
        "uses",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("requests", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
    )
