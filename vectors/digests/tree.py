# SPDX-License-Identifier: Apache-2.0
"""The tree of hashes: SHA-256, in the shape of RFC 6962, section 2.1, with several records in a leaf.

A leaf is the hash of a byte 0 and of the records of `leaf` consecutive cases, the last one perhaps of fewer. An inner
node is the hash of a byte 1, its left and its right child; the left one has as many leaves as possible that are a
power of two and fewer than all. Part of a leaf is hashed as a leaf is.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from limbtrace.refmodels.errors import ParameterError

_LEAF, _INNER = b"\0", b"\1"


def inner(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(_INNER + left + right).digest()


def leaves(chunks: Iterable[Any], size: int) -> Iterator[bytes]:
    """The hashes of leaves of `size` bytes from their records, which come in chunks of any number of bytes."""
    state, room = hashlib.sha256(_LEAF), size
    for chunk in chunks:
        data = memoryview(chunk).cast("B")
        while data:
            state.update(data[:room])
            data, room = data[room:], room - min(room, len(data))
            if not room:
                yield state.digest()
                state, room = hashlib.sha256(_LEAF), size
    if room < size:
        yield state.digest()


class Growing:
    """The hash over nodes that come in order, all of the same number of leaves, but for the last one, which may have
    fewer. Keeps no more of them than the tree has levels.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[int, bytes]] = []

    def add(self, node: bytes) -> None:
        """The next node."""
        height = 0
        while self._waiting and self._waiting[-1][0] == height:
            height, node = height + 1, inner(self._waiting.pop()[1], node)
        self._waiting.append((height, node))

    def root(self) -> bytes:
        """The hash over all nodes so far, of which there is one or more."""
        *others, (_, whole) = self._waiting
        for _, left in reversed(others):
            whole = inner(left, whole)
        return whole


def root(nodes: Iterable[bytes]) -> bytes:
    """The hash over nodes as `Growing` takes them."""
    growing = Growing()
    for node in nodes:
        growing.add(node)
    return growing.root()


@dataclass(frozen=True)
class Tree:
    """The shape of a tree over `count` cases, `leaf` of them in each leaf, a power of two."""

    count: int
    leaf: int

    @property
    def leaves(self) -> int:
        return -(-self.count // self.leaf)

    def width(self, level: int) -> int:
        """Number of cases of a node of a level, but for the last node; the leaves are level 0."""
        return self.leaf << level

    def nodes(self, level: int) -> int:
        """Number of nodes of a level."""
        return -(-self.count // self.width(level))

    def level(self, most: int) -> int:
        """The lowest level with at most `most` nodes."""
        return next(level for level in range(self.leaves.bit_length() + 1) if self.nodes(level) <= most)

    def level_of(self, first: int, last: int) -> int | None:
        """The level of the node over these cases; None if no node has exactly these."""
        level = max((last - first) // self.leaf, 0).bit_length()
        width = self.width(level)
        return level if first % width == 0 and last == min(first + width, self.count) - 1 else None

    def check(self, first: int, last: int) -> None:
        """Raises ParameterError unless these cases have a hash: a node, or part of a leaf."""
        if not 0 <= first <= last < self.count:
            raise ParameterError("last", f"cases {first} to {last} are not among cases 0 to {self.count - 1}")
        if first // self.leaf != last // self.leaf and self.level_of(first, last) is None:
            raise ParameterError(
                "last",
                f"cases {first} to {last} are neither part of a leaf of {self.leaf} cases nor a node of the tree",
            )

    def middle(self, first: int, last: int) -> int:
        """The first case of the right one of two halves of a node, or of a part of a leaf; there are several cases."""
        level = self.level_of(first, last)
        return first + self.width(level - 1) if level else (first + last + 1) // 2
