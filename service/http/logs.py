# SPDX-License-Identifier: Apache-2.0
"""Logs as JSON lines: those of the service, which carry the id of the request, and those of uvicorn."""

import logging
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.processors.format_exc_info,
]

LOG: structlog.stdlib.BoundLogger = structlog.wrap_logger(
    logging.getLogger("limbtrace"),
    processors=[structlog.stdlib.filter_by_level, *_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    wrapper_class=structlog.stdlib.BoundLogger,
)
"""The logger of the service. Without `to_stderr`, Python's defaults apply and warnings are shown as plain text."""


def to_stderr(level: str) -> None:
    """Sends everything from `level` on to standard error, one JSON object per line."""
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),  # ASCII: a terminal obeys some other characters,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn").setLevel(max(root.level, logging.WARNING))  # it has much to say when it starts
