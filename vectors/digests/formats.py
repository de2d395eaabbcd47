# SPDX-License-Identifier: Apache-2.0
"""The format of a digest: one JSON document."""

from collections.abc import Iterator

from limbtrace.vectors.digests.request import Advance, DigestRequest
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format, table
from limbtrace.vectors.validation import load_json


def render(request: DigestRequest, jobs: int = 1, advance: Advance = lambda _: None) -> Iterator[bytes]:
    """The document, by that many processes; `advance` is told how many cases more are hashed. Raises ToolError."""
    yield (dump(request.document(jobs, advance)) + "\n").encode()


FORMATS = table(Format("json", "application/json", "json", render, load_json))
