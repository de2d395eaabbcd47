# SPDX-License-Identifier: Apache-2.0
"""Reports of simulations."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """A table, empty."""
    op.create_table(
        "reports",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
    )
    op.create_index("ix_reports_used", "reports", ["used"])
    op.create_index("ix_reports_owner_bytes", "reports", ["owner", "bytes"])
