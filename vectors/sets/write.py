# SPDX-License-Identifier: Apache-2.0
"""What the formats of a vector set write alike: the lines of the cases, streamed, for no set is ever held in memory."""

from collections.abc import Iterable, Iterator
from typing import Any

from vectors.representations import digits_member
from vectors.request import Multiplier
from vectors.sets.cases import Batch, Digest, TextBatch, VectorSet
from vectors.wire import dump


def numbers(batch: Batch) -> Iterable[tuple[int, int, int]]:
    """a, b and result of every case, written as digits where they have digits of their own."""
    if batch.written is not None:
        return batch.written
    return zip(*(map(int, column) for column in batch[:3]), strict=True)


def end(vectors: VectorSet, digest: Digest) -> dict[str, Any]:
    return {"end": vectors.request.count, "digest": digest.text()}


def case_lines(vectors: VectorSet, digest: Digest) -> Iterator[bytes]:
    """The lines of the cases, which are what the digest sees."""
    for batch in vectors.batches():
        lines = joined(vectors.maker.texts(batch))
        digest.add_lines(lines)
        yield _with_digits(vectors.request.multiplier, batch, lines)


def _with_digits(multiplier: Multiplier, batch: Batch, lines: bytes) -> bytes:
    """The lines, with the digits of the numbers where the model has several ways to hold these."""
    if not multiplier.params.representations:
        return lines
    pairs = zip(lines.splitlines(), numbers(batch), strict=True)
    return b"".join(line[:-1] + f",{dump(digits_member(multiplier, *case))[1:]}\n".encode() for line, case in pairs)


def joined(texts: TextBatch) -> bytes:
    return ("\n".join(texts.lines()) + "\n").encode()
