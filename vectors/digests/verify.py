# SPDX-License-Identifier: Apache-2.0
"""The verdict on a digest: one hash agrees, or the first case that differs is found by halves.

What is asked are hashes of golden results, of this process or of a service. What they are compared with is known from
the nodes of the digest, or from the results that it was made of.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from limbtrace.refmodels.errors import ParameterError
from limbtrace.vectors.digests.read import DigestFile
from limbtrace.vectors.digests.records import RecordFields, records
from limbtrace.vectors.digests.request import KEPT, Advance, Hashed
from limbtrace.vectors.digests.tree import Tree, inner, root
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import VectorRequest
from limbtrace.vectors.sets import Case, VectorSet
from limbtrace.vectors.verification import CasesShape, Divergences, divergence, verdict


class Oracle(Protocol):
    """A source of golden results."""

    questions: int
    """Hashes that were asked for."""

    def hash(self, first: int, last: int) -> bytes:
        """The hash of a node, or of part of a leaf."""


@dataclass
class Kept:
    """The nodes of a level, and the cases below it, if they are known."""

    tree: Tree
    level: int
    nodes: list[bytes]
    hashed: Hashed | None = None

    @classmethod
    def made(cls, hashed: Hashed, jobs: int, advance: Advance) -> "Kept":
        """Few nodes, of all the cases."""
        level = hashed.tree.level(KEPT)
        return cls(hashed.tree, level, hashed.nodes(level, jobs, advance), hashed)

    def hash(self, first: int, last: int) -> bytes | None:
        """The hash of a node, or of part of a leaf; None if unknown."""
        level = self.tree.level_of(first, last)
        if self.nodes and level is not None and level >= self.level:
            width = self.tree.width(self.level)
            return root(self.nodes[first // width : last // width + 1])
        return None if self.hashed is None else self.hashed.hash(first, last)


@dataclass
class LocalGolden:
    """Golden results computed here, by `jobs` processes: all of them once, and then what is asked for again."""

    hashed: Hashed
    jobs: int = 1
    advance: Advance = lambda _: None
    questions: int = 0
    _kept: Kept | None = None

    def hash(self, first: int, last: int) -> bytes:
        """The hash of a node, or of part of a leaf. Raises ToolError."""
        self.questions += 1
        if self._kept is None and (first, last) == (0, self.hashed.vectors.count - 1):
            self._kept = Kept.made(self.hashed, self.jobs, self.advance)
        found = None if self._kept is None else self._kept.hash(first, last)
        return self.hashed.hash(first, last) if found is None else found


@dataclass
class There:
    """Golden results from a source that limits the number of cases, with ParameterError beyond the limit."""

    tree: Tree
    ask: Callable[[int, int], bytes]
    questions: int = 0
    _most: int | None = None
    """Cases that may be asked for at once, as far as it is known."""
    _known: dict[tuple[int, int], bytes] = field(default_factory=dict)

    def hash(self, first: int, last: int) -> bytes:
        """The hash of a node, or of part of a leaf; of a large node that of its halves. Raises ParameterError."""
        if (first, last) not in self._known:
            self._known[first, last] = self._answer(first, last)
        return self._known[first, last]

    def _answer(self, first: int, last: int) -> bytes:
        count, middle = last + 1 - first, self.tree.middle(first, last)
        divisible = bool(self.tree.level_of(first, last))
        if self._most is None or count <= self._most or not divisible:
            self.questions += 1
            try:
                return self.ask(first, last)
            except ParameterError as error:
                if error.parameter not in ("last", "count") or not divisible:
                    raise
                self._most = count - 1
        return inner(self.hash(first, middle - 1), self.hash(middle, last))


def verify(
    found: DigestFile, golden: Oracle, results: Path | None = None, jobs: int = 1, advance: Advance = lambda _: None
) -> dict[str, Any]:
    """The verdict on a digest, with the results that it was made of, if they are there.

    Raises ParameterError("results") if it was made of others, ToolError, and what `golden` raises.
    """
    vectors, tree = found.request.hashed.vectors, found.request.hashed.tree
    seen = Kept(tree, found.request.level or 0, found.nodes)
    if results is not None:
        hashed = Hashed(vectors, tree.leaf, results)
        whole = found.request.range is None
        seen = Kept.made(hashed, jobs, advance) if whole else Kept(tree, 0, [], hashed)
        if seen.hash(*found.cases) != found.hash:
            raise ParameterError("results", f"the digest was made of others than those of {results}")
    first, last = found.cases
    divergences = Divergences()
    own: dict[str, Any] = {}
    if golden.hash(first, last) != found.hash:
        first, last = _first_difference(tree, first, last, golden, seen)
        own["differs"] = members(CasesShape, first=first, last=last)
        if first == last:
            case = _case(vectors, first, golden)
            actual = "unknown" if results is None else hexadecimal(_result(results, vectors, first))
            divergences.add(lambda: _divergence(vectors, first, case, actual))
        else:
            divergences.count = 1
    counted = found.cases[1] + 1 - found.cases[0]
    own["questions"] = golden.questions
    return verdict("digest", vectors.multiplier, counted, divergences, id=vectors.id, **own)


def _first_difference(tree: Tree, first: int, last: int, golden: Oracle, seen: Kept) -> tuple[int, int]:
    """The fewest cases of those whose hash differs that are known to hold the first difference."""
    while first < last:
        middle = tree.middle(first, last)
        own = seen.hash(first, middle - 1)
        if own is None:
            break
        if own == golden.hash(first, middle - 1):
            first = middle
        else:
            last = middle - 1
    return first, last


def _case(vectors: VectorRequest, number: int, golden: Oracle) -> Case:
    """The golden case. Raises ToolError if the other source has a different one."""
    (case,) = VectorSet(vectors.range(number, 1)).cases()
    own = Hashed(vectors, 1).hash(number, number)
    if isinstance(golden, There) and golden.hash(number, number) != own:
        raise ToolError(f"case {number} of the service is not that of this release, so they cannot be compared")
    return case


def _result(results: Path, vectors: VectorRequest, number: int) -> int:
    """A result of a file."""
    size = RecordFields.of(vectors).result
    (record,) = records(vectors.range(number, 1), results)
    return int.from_bytes(bytes(record)[-size:], "little")


def _divergence(vectors: VectorRequest, number: int, case: Case, seen: str) -> dict[str, Any]:
    return divergence(
        vectors.multiplier,
        case.id,
        case.a,
        case.b,
        place=f"case {number}",
        signal="result",
        expected=hexadecimal(case.result),
        seen=seen,
    )
