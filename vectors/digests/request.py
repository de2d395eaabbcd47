# SPDX-License-Identifier: Apache-2.0
"""Requests for digests, and the hashes that they ask for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.digests.document import DEFAULT_LEAF, SCHEMA, DigestDocument, HashedRange
from limbtrace.vectors.digests.records import RecordFields, check_results, records
from limbtrace.vectors.digests.tree import Growing, Tree, leaves, root
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, LICENSE
from limbtrace.vectors.options import DrawnQuery, ModelQuery, kind_option, option
from limbtrace.vectors.request import CHAINED, EVERY_KIND, MAX_WHOLE, Multiplier, VectorRequest, within
from limbtrace.vectors.sets.jobs import in_turn

MAX_LEAF = 1 << 20
MAX_NODES = 1 << 20
"""Most nodes of a document."""
KEPT = 4096
"""Most nodes that are kept while a tree is made, of the lowest level that has so few."""

_TOLD = 4096
"""Cases after which a process says what is done."""

Advance = Callable[[int], None]
"""Told how many cases more are done."""


class DigestQuery(DrawnQuery, ModelQuery):
    """The query for a digest."""

    kind: str | None = kind_option(lambda: (kind for kind in EVERY_KIND if kind != CHAINED))
    leaf: str | int = option(
        f"Cases of a leaf, a power of two up to {MAX_LEAF}.", [f"{DEFAULT_LEAF}"], default=f"{DEFAULT_LEAF}",
        help=f"Cases of a leaf, a power of two; default {DEFAULT_LEAF}.", metavar="N", least=1,
    )  # fmt: skip
    level: str | int | None = option(
        "Also all nodes of a level, with 2^level leaves each.", ["0", "4"], default=None,
        help="Also all nodes of a level, with 2^L leaves each.", metavar="L", least=0,
    )  # fmt: skip
    first: str | int | None = option(
        "With last: instead of the root the hash of a node, or of part of a leaf, by its first and last case.", ["0"],
        default=None, help="With --last: instead of the root that of a node, or of part of a leaf.", metavar="CASE",
        least=0,
    )  # fmt: skip
    last: str | int | None = option(
        "The last case of a node, or of part of a leaf.", ["4095"], default=None,
        help="Last case of a node, or of part of a leaf.", metavar="CASE", least=0,
    )  # fmt: skip

    def resolve(self, multiplier: Multiplier, results: Path | None = None) -> "DigestRequest":
        """The requested digest. Raises ParameterError."""
        own: dict[str, Any] = {"leaf": self.leaf, "level": self.level, "first": self.first, "last": self.last}
        return DigestRequest.resolve(multiplier, **self.drawn, **own, results=results)


class _Done(NamedTuple):
    """Cases that a process has hashed, and the nodes that are complete with them."""

    part: int
    cases: int
    nodes: list[bytes]


@dataclass(frozen=True)
class Hashed:
    """The cases of a set, with the results of the model or of a file, as a tree."""

    vectors: VectorRequest
    leaf: int
    results: Path | None = None

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.vectors.count, self.leaf)

    def hash(self, first: int, last: int, advance: Advance = lambda _: None) -> bytes:
        """The hash of a node, or of part of a leaf, computed from its cases."""
        return root(self._leaves(first, last, advance))

    def nodes(self, level: int, jobs: int = 1, advance: Advance = lambda _: None) -> list[bytes]:
        """All nodes of a level, by that many processes. Raises ToolError."""
        jobs = min(jobs, self.tree.nodes(level))
        found: list[list[bytes]] = [[] for _ in range(jobs)]

        def part(number: int) -> Iterator[_Done]:
            return self._nodes(level, number, jobs)

        for done in part(0) if jobs == 1 else in_turn(part, jobs):
            advance(done.cases)
            found[done.part] += done.nodes
        return [node for own in found for node in own]

    def _nodes(self, level: int, part: int, parts: int) -> Iterator[_Done]:
        """The nodes of a part: those next to each other, so that only the first one begins in the middle of the set."""
        count, width = self.tree.nodes(level), self.tree.width(level)
        begin, end = count * part // parts, count * (part + 1) // parts
        at, last = begin * width, min(end * width, self.vectors.count) - 1
        growing, done = Growing(), _Done(part, 0, [])
        for leaf in self._leaves(at, last, lambda _: None):
            growing.add(leaf)
            size = min(self.leaf, last + 1 - at)
            at, done = at + size, done._replace(cases=done.cases + size)
            if at % width == 0 or at > last:
                done.nodes.append(growing.root())
                growing = Growing()
            if done.cases >= _TOLD or at > last:
                yield done
                done = _Done(part, 0, [])

    def _leaves(self, first: int, last: int, advance: Advance) -> Iterator[bytes]:
        """The leaves of these cases, which begin with a leaf or are in one."""
        asked = self.vectors.range(first, last + 1 - first)
        size = RecordFields.of(asked).size

        def counted() -> Iterator[Any]:
            for chunk in records(asked, self.results):
                yield chunk
                advance(len(memoryview(chunk).cast("B")) // size)

        return leaves(counted(), size * self.leaf)


@dataclass(frozen=True)
class DigestRequest:
    """A digest of a set: its root, perhaps with the nodes of a level, or the hash of some of its cases."""

    hashed: Hashed
    level: int | None = None
    range: tuple[int, int] | None = None

    @classmethod
    def resolve(
        cls,
        multiplier: Multiplier,
        *,
        leaf: str | int = DEFAULT_LEAF,
        level: str | int | None = None,
        first: str | int | None = None,
        last: str | int | None = None,
        results: Path | None = None,
        **drawn: Any,
    ) -> "DigestRequest":
        """Raises ParameterError. `drawn` are count, seed and kind as of `VectorRequest.resolve`."""
        vectors = VectorRequest.resolve(multiplier, max_count=MAX_WHOLE, **drawn)
        if vectors.kind == CHAINED:
            raise ParameterError("kind", f"{CHAINED} has no digests: each of its cases needs those before it")
        size = within("leaf", leaf, 1, MAX_LEAF)
        if size & (size - 1):
            raise ParameterError("leaf", f"{size} is no power of two")
        hashed = Hashed(vectors, size, results)
        if results is not None:
            check_results(results, vectors)
        if (first is None) != (last is None):
            raise ParameterError("first" if first is None else "last", "first and last are given together")
        if first is None or last is None:
            return cls(hashed, None if level is None else _level(hashed.tree, level))
        if level is not None:
            raise ParameterError("level", "the nodes of a level are those of the whole tree: give no first and last")
        chosen = within("first", first, 0, vectors.count - 1), within("last", last, 0, vectors.count - 1)
        hashed.tree.check(*chosen)
        return cls(hashed, None, chosen)

    @property
    def cases(self) -> VectorRequest:
        """The cases that are hashed."""
        first, last = self.range or (0, self.hashed.vectors.count - 1)
        return self.hashed.vectors.range(first, last + 1 - first)

    def document(self, jobs: int = 1, advance: Advance = lambda _: None) -> dict[str, Any]:
        """The document, computed now. Raises ToolError."""
        found: dict[str, Any]
        if self.range is not None:
            one = self.hashed.hash(*self.range, advance).hex()
            found = {"range": members(HashedRange, first=self.range[0], last=self.range[1], hash=one)}
        else:
            level = self.hashed.tree.level(KEPT) if self.level is None else self.level
            nodes = self.hashed.nodes(level, jobs, advance)
            found = {"root": root(nodes).hex()}
            if self.level is not None:
                found |= {"level": level, "nodes": [node.hex() for node in nodes]}
        return {**self.head, **found}

    @property
    def head(self) -> dict[str, Any]:
        """The document without hashes."""
        vectors = self.hashed.vectors
        document: dict[str, Any] = members(
            DigestDocument,
            format=FORMAT,
            schema=SCHEMA,
            license=LICENSE,
            id=vectors.id,
            **vectors.multiplier.head,
            seed=vectors.seed,
            kind=vectors.kind,
            count=vectors.count,
            results="golden" if self.hashed.results is None else "measured",
            record=RecordFields.of(vectors).described,
            leaf=self.hashed.leaf,
        )
        return document


def _level(tree: Tree, text: str | int) -> int:
    level = within("level", text, 0, tree.level(1))
    if tree.nodes(level) > MAX_NODES:
        many = f"level {level} has {tree.nodes(level)} nodes, and a document at most {MAX_NODES}"
        raise ParameterError("level", f"{many}: ask for level {tree.level(MAX_NODES)} or above, or for larger leaves")
    return level
