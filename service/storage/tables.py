# SPDX-License-Identifier: Apache-2.0
"""The tables of the database as the current revision of the migrations leaves them; a test compares the two."""

from sqlalchemy import BigInteger, Column, Float, Index, Integer, MetaData, String, Table, Text

TABLES = MetaData()
_LONG = BigInteger().with_variant(Integer, "sqlite")

SCHEMA = Table("limbtrace", TABLES, Column("id", Integer, primary_key=True), Column("version", Integer))
"""One row: the number of the revision that the tables have."""

SETS = Table(
    "sets",
    TABLES,
    Column("id", String(32), primary_key=True),
    Column("request", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False, index=True),
)
"""Normalised requests for sets; `used` decides which are deleted first."""

CERTIFICATES = Table(
    "certificates",
    TABLES,
    Column("id", String(32), primary_key=True),  # of the set
    Column("sha256", String(64), nullable=False),
    Column("cases", _LONG, nullable=False),
    Column("disagreements", _LONG, nullable=False),
    Column("document", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("owner", String(64), nullable=False, server_default=""),
    Column("bytes", Integer, nullable=False, server_default="0"),
    Index("ix_certificates_owner_bytes", "owner", "bytes"),
)
"""Certificates of sets. `owner` is the name of the token that put it, empty without one; `bytes` is the size of
`document` in UTF-8, and its index makes the sum cheap."""

TOKENS = Table(
    "tokens",
    TABLES,
    Column("name", String(64), primary_key=True),
    Column("sha256", String(64), nullable=False, unique=True),
    Column("created", Float, nullable=False),
    Column("revoked", Float),
    Column("requests_per_day", BigInteger),
    Column("seconds_per_day", Float),
    Column("bytes", BigInteger),
)
"""Access tokens by their hash; a revoked one stays, since its name owns certificates."""

USES = Table(
    "uses",
    TABLES,
    Column("name", String(64), primary_key=True),  # of the token
    Column("day", Integer, primary_key=True, autoincrement=False),  # since 1970, UTC
    Column("requests", BigInteger, nullable=False),
    Column("seconds", Float, nullable=False),
)
"""Usage of a token on a day."""

SESSIONS = Table(
    "sessions",
    TABLES,
    Column("sha256", String(64), primary_key=True),
    Column("expires", Float, nullable=False, index=True),
)
"""Sessions by the hash of their id; anyone who knows an id can use the session."""

SESSION_SETS = Table(
    "session_sets",
    TABLES,
    Column("session", String(64), primary_key=True),  # hash of its id
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("id", String(32), nullable=False),
    Column("request", Text, nullable=False),
    Column("compare", String(16), nullable=False),
    Column("verdicts", Text, nullable=False),
)
"""The sets of a session: normalised requests, and one letter per case."""

REPORTS = Table(
    "reports",
    TABLES,
    Column("id", String(32), primary_key=True),
    Column("document", Text, nullable=False),
    Column("used", Float, nullable=False, index=True),
    Column("owner", String(64), nullable=False),
    Column("bytes", Integer, nullable=False),
    Index("ix_reports_owner_bytes", "owner", "bytes"),
)
"""Reports of simulations by the hash of their text. `used` is when one was posted last and decides which are deleted
first; `owner` and `bytes` are as in `CERTIFICATES`."""
