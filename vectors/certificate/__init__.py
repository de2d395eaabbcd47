# SPDX-License-Identifier: Apache-2.0
"""Certificates: what SageMath says of a vector set, or of cases in GF(p^2)."""

from limbtrace.vectors.certificate.certify import MAX_LISTED, SCHEMA, certify
from limbtrace.vectors.certificate.document import Certificate
from limbtrace.vectors.certificate.file import (
    MAX_BYTES,
    beside,
    check,
    default_path,
    describe,
    file_digest,
    parse,
    render,
)

__all__ = [
    "MAX_BYTES",
    "MAX_LISTED",
    "SCHEMA",
    "Certificate",
    "beside",
    "certify",
    "check",
    "default_path",
    "describe",
    "file_digest",
    "parse",
    "render",
]
