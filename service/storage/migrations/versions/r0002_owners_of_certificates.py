# SPDX-License-Identifier: Apache-2.0
"""Certificates have an owner and a size, and their counts may be large."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Leave existing certificates without an owner."""
    op.add_column("certificates", sa.Column("owner", sa.String(64), nullable=False, server_default=""))
    op.add_column("certificates", sa.Column("bytes", sa.Integer, nullable=False, server_default="0"))
    postgresql = op.get_bind().dialect.name == "postgresql"
    size = "octet_length(document)" if postgresql else "length(CAST(document AS BLOB))"
    if postgresql:  # SQLite's integers are long already
        for name in ("cases", "disagreements"):
            op.alter_column("certificates", name, type_=sa.BigInteger)
    op.execute(f"UPDATE certificates SET bytes = {size}")
    op.create_index("ix_certificates_owner_bytes", "certificates", ["owner", "bytes"])
