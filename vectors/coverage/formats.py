# SPDX-License-Identifier: Apache-2.0
"""The formats of coverage."""

from collections.abc import Iterator

from limbtrace.vectors.coverage.cover import Coverage
from limbtrace.vectors.coverage.ucis import write_ucis
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, table


def _json(coverage: Coverage) -> Iterator[bytes]:
    yield f"{dump(coverage.document)}\n".encode()


FORMATS = table(
    Format("json", "application/json", "json", _json),
    Format("ucis", "application/xml", "xml", lambda coverage: write_ucis(coverage.document)),
)
