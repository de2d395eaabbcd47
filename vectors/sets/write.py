# SPDX-License-Identifier: Apache-2.0
"""Common parts of the writers of vector sets: the text of the cases, streamed, since no set is held in memory."""

from collections.abc import Iterator
from typing import Any

from limbtrace.vectors.encoding import dump
from limbtrace.vectors.representations import as_texts
from limbtrace.vectors.sets.cases import CHAIN_LINE, LINE
from limbtrace.vectors.sets.layout import LineTemplate
from limbtrace.vectors.sets.vector_set import Digest, VectorSet


def end(vectors: VectorSet, digest: Digest) -> dict[str, Any]:
    return {"end": vectors.request.count, "digest": digest.text()}


def case_line(vectors: VectorSet) -> LineTemplate:
    """The layout of the lines over which the digest is computed."""
    return LINE if vectors.request.multiplier.model.chain is None else CHAIN_LINE


def digested(vectors: VectorSet, digest: Digest, layout: LineTemplate) -> Iterator[bytes]:
    """The text of the cases in a layout, while their lines go into the digest."""
    line = case_line(vectors)
    for written in vectors.texts(*([line] if layout is line else [layout, line])):
        digest.add_lines(written.others[0] if written.others else written.text)
        yield written.text


def json_lines(vectors: VectorSet, digest: Digest) -> Iterator[bytes]:
    """The lines of the cases, with the digits of the numbers if the model has several representations."""
    line = case_line(vectors)
    if vectors.request.multiplier.params.representations:
        line = line.and_then(',"digits":%s}\n', "digits", lambda digits: dump(as_texts(digits)), last="}\n")
    return digested(vectors, digest, line)
