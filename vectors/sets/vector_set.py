# SPDX-License-Identifier: Apache-2.0
"""A set of cases: its head, the cases in batches, and its digest."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import count, islice, repeat
from typing import Any, Final, TypeVar

import gmpy2

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, LICENSE, dump, hexadecimal
from limbtrace.vectors.operands import chained, event_labels, operands
from limbtrace.vectors.options import COUNT_HELP, DrawnQuery, ModelQuery, option
from limbtrace.vectors.request import CHAINED, DIRECTED, EVENTS, Multiplier, SetShard, VectorRequest
from limbtrace.vectors.sets import native
from limbtrace.vectors.sets.cases import BATCH, NOTES, Case, CaseBatch, CaseMaker, CaseTexts
from limbtrace.vectors.sets.document import Domain, GroupHead, Range, SetHead, ShardShape
from limbtrace.vectors.sets.jobs import in_turn
from limbtrace.vectors.sets.layout import CaseLayout, TextBatch

SCHEMA: Final = "limbtrace-vectors-1.schema.json"
_T = TypeVar("_T")

MEANING = "result is congruent to a * b * R^-1 modulo the modulus"
REDUCTION_MEANING = "result is congruent to a * R^-1 modulo the modulus"
CHAIN_MEANING = "a enters as a * R modulo the modulus, and the result is divided by R again"
OCCURRING = "cases"
ALL = "all"
NOTED = (OCCURRING, ALL)
"""The notes of events in a head: those of its cases, or all of the model."""
MOST_NOTED = 4096
"""Cases up to which a set leaves out the notes of events that none of them has: the head comes before the cases."""


def check_notes(notes: str) -> None:
    """Raises ParameterError("notes")."""
    if notes not in NOTED:
        raise ParameterError("notes", f"{shown(notes)} is none of {', '.join(NOTED)}")


class VectorQuery(DrawnQuery, ModelQuery):
    """The query for a vector set."""

    count: str | int | None = option(
        "Number of cases, 16 by default, and all of kind exhaustive; the first N do not depend on it.", ["16", "1000"],
        default=None, help=COUNT_HELP, metavar="N", least=1,
    )  # fmt: skip
    checkpoints: str | int = option(
        "For chains: number of evenly spread intermediate values.", ["0"], default="0",
        help="For chains: N evenly spread intermediate values.", metavar="N", least=0,
    )  # fmt: skip

    shard: str | None = option(
        "Only the i-th of n parts of the set, without making those before it; count is that of the whole set, at most "
        "2^48. Not of kind chained.", ["3/10"], default=None,
        help="Only the i-th of n parts of the set of --count cases; not of kind chained.", metavar="i/n",
    )  # fmt: skip

    notes: str = option(
        f"Notes of events in the head: {OCCURRING}, of those in the set, or {ALL}, of all that the model has. Sets of "
        f"more than {MOST_NOTED} cases have all.", list(NOTED), default=OCCURRING, choices=lambda: NOTED,
        help=f"Notes of events in the head: {OCCURRING}, of those in the set, or {ALL}; default {OCCURRING}.",
        metavar="WHICH",
    )  # fmt: skip

    grade: bool = option(
        "Whether the head has the grade of the cases, as /v1/grades has it.", [True], default=False,
        help="Put the grade of the cases into the head of the set, as `limbtrace grade` has it.",
    )  # fmt: skip

    def resolve(self, multiplier: Multiplier) -> VectorRequest:
        """The requested set, or part of it. Raises ParameterError."""
        check_notes(self.notes)
        return VectorRequest.resolve(multiplier, checkpoints=self.checkpoints, shard=self.shard, **self.drawn)


class VectorSet:
    """The cases of a request, generated lazily and never kept."""

    def __init__(
        self,
        request: VectorRequest,
        jobs: int = 1,
        notes: str = OCCURRING,
        grade: Callable[[VectorRequest], dict[str, Any]] | None = None,
    ) -> None:
        """`notes` is one of NOTED; `grade` makes the member `grade` of the head, if that is to have one."""
        self.request = request
        self._grade_of = grade
        self._noted = notes
        self.jobs = jobs
        """Number of processes that make the text, if more than one; 1 to MAX_JOBS."""
        self.made = 0
        """Number of cases whose text was made, for the progress; more than there are, if several files are made."""
        events = request.multiplier.model.events if request.kind_name in (EVENTS, DIRECTED) else ()
        self._events = {event.name: f"{event.statement}; it finds {event.hunts} ({event.source})" for event in events}
        self.maker = CaseMaker(request.multiplier, request.checkpoint_indices, self._events)

    @property
    def group(self) -> dict[str, Any]:
        """Head of the test group: model, modulus, parameters, constants, ranges, domain."""
        m = self.request.multiplier
        a_max, b_max = m.params.limits
        domain = m.params.domain
        meaning = CHAIN_MEANING if m.model.chain else REDUCTION_MEANING if m.model.unary else MEANING
        document: dict[str, Any] = members(
            GroupHead,
            **m.head,
            ranges={  # type: ignore[arg-type]
                name: _range(limit, m.model.operands[name])
                for name, limit in (("a", a_max), ("b", b_max), ("result", m.params.result_limit - 1))
                if name in m.model.operands
            },
            domain=None if domain is None else members(Domain, R=hexadecimal(domain), meaning=meaning),
        )
        return document

    @property
    def head(self) -> dict[str, Any]:
        """Head of the document."""
        request = self.request
        document: dict[str, Any] = members(
            SetHead,
            format=FORMAT,
            algorithm=request.multiplier.model.id,
            schema=SCHEMA,
            license=LICENSE,
            id=request.id,
            seed=request.seed,
            kind=request.kind,
            numberOfTests=request.count,
            shard=None if request.shard is None else _shard(request.shard),
            notes=self.notes,
            checkpoints=request.checkpoints,
            grade=self.grade,  # type: ignore[arg-type]
        )
        return document

    @cached_property
    def grade(self) -> dict[str, Any] | None:
        """The member `grade` of the head; None if it was not asked for."""
        return None if self._grade_of is None else self._grade_of(self.request)

    @property
    def every_note(self) -> dict[str, str]:
        """The meaning of every flag that a case of this model may have."""
        return {**NOTES, **self._events}

    @cached_property
    def notes(self) -> dict[str, str]:
        """The meanings of flags: of events, those that happen in a case, unless all were asked for."""
        if self._noted == ALL or not self._events or self.request.count > MOST_NOTED:
            return self.every_note
        met: set[str] = set()
        for label in event_labels(self.request):
            met.update(self.maker.event(label))
            if len(met) == len(self._events):
                break
        return {name: text for name, text in self.every_note.items() if name in NOTES or name in met}

    def cases(self) -> Iterator[Case]:
        """The cases, in order."""
        for batch in self.batches():
            texts = CaseTexts(self.maker, batch)
            numbers = (map(int, column) for column in batch[:4])
            checkpoints = repeat(None, len(batch.a)) if batch.checkpoints is None else batch.checkpoints
            ids, flags = texts.column("id"), texts.column("flags")
            yield from map(Case._make, zip(ids, *numbers, flags, batch.comment, checkpoints, strict=True))

    def texts(self, *layouts: CaseLayout) -> Iterator[TextBatch]:
        """The text of the cases in each of these layouts, many cases at a time, in order."""
        jobs = min(self.jobs, -(-self.request.count // self._size))

        def part(number: int) -> Iterator[TextBatch]:
            return native.texts(self.request, self.maker, layouts, number, jobs) or self._texts(layouts, number, jobs)

        def sent(number: int) -> Iterator[TextBatch]:
            return (written._replace(others=[*map(bytes, written.others)]) for written in part(number))

        for written in part(0) if jobs == 1 else in_turn(sent, jobs):
            self.made += written.cases
            yield written

    def _texts(self, layouts: Sequence[CaseLayout], part: int, parts: int) -> Iterator[TextBatch]:
        """The text of the cases by Python: of all `batches`, or of those of one part."""
        for batch in self.batches(part, parts):
            texts = CaseTexts(self.maker, batch)
            first, *others = (layout.of(texts) for layout in layouts)
            yield TextBatch(len(batch.a), first, others)

    @property
    def _size(self) -> int:
        """Number of cases of a batch; a chain takes as long as many products."""
        return BATCH if self.request.multiplier.model.chain is None else 1

    def batches(self, part: int = 0, parts: int = 1) -> Iterator[CaseBatch]:
        """The cases, BATCH at a time: all batches, or one of `parts` parts, which have them in turn."""
        if self.request.kind == CHAINED:
            yield from self._linked(part, parts)
            return
        for chunk in _cut(operands(self.request), self._size, part, parts):
            yield self.maker.batch(*zip(*chunk, strict=True))

    def _linked(self, part: int, parts: int) -> Iterator[CaseBatch]:
        """The batches of chained cases."""
        request = self.request
        links = islice(chained(request.multiplier, request.seed), request.first, request.first + request.count)
        for chunk in _cut(links, BATCH, part, parts):
            written = [link[:3] for link in chunk]
            a, b, results = (list(map(gmpy2.mpz, column)) for column in zip(*written, strict=True))
            yield self.maker.batch(a, b, [link.comment for link in chunk], results)._replace(written=written)


def _shard(shard: SetShard) -> Any:
    return members(ShardShape, part=shard.part, parts=shard.parts, cases=shard.whole, first=shard.first)


def _cut(items: Iterator[_T], size: int, part: int, parts: int) -> Iterator[list[_T]]:
    """Lists of that many items, and one with the rest; of each `parts` lists, that of the part."""
    for number in count():
        if not (chunk := list(islice(items, size))):
            return
        if number % parts == part:
            yield chunk


def _range(limit: int, text: str) -> dict[str, Any]:
    document: dict[str, Any] = members(Range, min="0x0", max=hexadecimal(limit), bits=limit.bit_length(), text=text)
    return document


class Digest:
    """Digest of a set in any format: SHA-256 over its head and its cases as compact JSON, one per line."""

    def __init__(self, vectors: VectorSet) -> None:
        self._hash = hashlib.sha256()
        self.add(dump({**vectors.head, **vectors.group}))

    def add(self, line: str) -> None:
        self.add_lines(line.encode() + b"\n")

    def add_lines(self, lines: bytes | memoryview) -> None:
        """Text of cases in the layout LINE or CHAIN_LINE."""
        self._hash.update(lines)

    def text(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"
