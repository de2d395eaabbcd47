# SPDX-License-Identifier: Apache-2.0
"""Common parts of the writers of vector sets: the lines of the cases, streamed, since no set is held in memory."""

from collections.abc import Iterable, Iterator
from typing import Any

from vectors.representations import digits_member
from vectors.request import Multiplier
from vectors.sets.cases import Batch, Digest, TextBatch, VectorSet
from vectors.wire import dump


def numbers(batch: Batch) -> Iterable[tuple[int, int, int]]:
    """a, b and result of every case, as digits if these do not follow from the integers."""
    if batch.written is not None:
        return batch.written
    return zip(*(map(int, column) for column in batch[:3]), strict=True)


def end(vectors: VectorSet, digest: Digest) -> dict[str, Any]:
    return {"end": vectors.request.count, "digest": digest.text()}


def case_lines(vectors: VectorSet, digest: Digest) -> Iterator[bytes]:
    """The lines of the cases, over which the digest is computed."""
    for batch in vectors.batches():
        lines = joined(vectors.maker.texts(batch))
        digest.add_lines(lines)
        yield _with_digits(vectors.request.multiplier, batch, lines)


def _with_digits(multiplier: Multiplier, batch: Batch, lines: bytes) -> bytes:
    """The lines, with the digits of the numbers if the model has several representations."""
    if not multiplier.params.representations:
        return lines
    pairs = zip(lines.splitlines(), numbers(batch), strict=True)
    return b"".join(line[:-1] + f",{dump(digits_member(multiplier, *case))[1:]}\n".encode() for line, case in pairs)


def joined(texts: TextBatch) -> bytes:
    return ("\n".join(texts.lines()) + "\n").encode()
