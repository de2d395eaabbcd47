# SPDX-License-Identifier: Apache-2.0
"""Cases: operands with results, ids that follow from the content, and flags that say what is special about a case.

Sets are generated in batches with one column per field, because Python's work per value takes most of the time.
"""

import hashlib
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import count, islice, repeat
from typing import Any, Final, NamedTuple, TypeVar

import gmpy2

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, LICENSE, dump, hexadecimal
from limbtrace.vectors.operands import chained, operands
from limbtrace.vectors.options import COUNT_HELP, DrawnQuery, ModelQuery, option
from limbtrace.vectors.representations import digit_vectors
from limbtrace.vectors.request import CHAINED, DIRECTED, EVENTS, Multiplier, SetShard, VectorRequest
from limbtrace.vectors.sets import native
from limbtrace.vectors.sets.document import Domain, GroupHead, Range, SetHead, ShardShape
from limbtrace.vectors.sets.jobs import in_turn
from limbtrace.vectors.sets.layout import NUMBERS, CaseLayout, Line, TextBatch

SCHEMA: Final = "limbtrace-vectors-1.schema.json"

NOTES = {
    "ZeroOperand": "An operand is 0; the result must be 0.",
    "LazyOperand": "An operand is not below the modulus, which the model accepts and a core may not.",
    "NotReduced": "The result is not below the modulus: the algorithm returns it without a final subtraction.",
    "QuotientZero": "No multiple of the modulus is added: every quotient digit is 0.",
    "QuotientMaximal": "Every quotient digit has its largest value.",
}

MEANING = "result is congruent to a * b * R^-1 modulo the modulus"
REDUCTION_MEANING = "result is congruent to a * R^-1 modulo the modulus"
CHAIN_MEANING = "a enters as a * R modulo the modulus, and the result is divided by R again"

_T = TypeVar("_T")
_SUBSCRIPTS = re.compile(r"\[[-0-9,]*\]")

OCCURRING, ALL = "cases", "all"
NOTED = (OCCURRING, ALL)
"""Which notes of events a head has: those of its cases, or all of the model."""
MOST_NOTED = 4096
"""Cases up to which a set leaves out the notes of events that none of them has: the head comes before the cases."""
BATCH = 512
"""Number of cases that are generated together."""


class Case(NamedTuple):
    """One product; `residue` is the result modulo the modulus."""

    id: str
    a: int
    b: int
    result: int
    residue: int
    flags: tuple[str, ...]
    comment: str
    checkpoints: tuple[tuple[int, int], ...] | None = None
    """Checkpoints of a chain, which has no b: (links, result of a chain that ends there)."""

    def line(self) -> str:
        """The case as compact JSON, the form in which the digest of a set sees it."""
        a, b, result, residue = (hexadecimal(value) for value in self[1:5])
        rest = dump(list(self.flags)), dump(self.comment)
        if self.checkpoints is not None:
            return _SIGNED[True] % (self.id, a, result, residue, *rest, _points(self.checkpoints))
        return _SIGNED[False] % (self.id, a, b, result, residue, *rest)


Checkpoints = tuple[tuple[int, int], ...]


def _points(checkpoints: Checkpoints) -> str:
    return dump([[links, hexadecimal(value)] for links, value in checkpoints])


_TEXTS: dict[str, Callable[[Any], str]] = {"flags": lambda flags: dump(list(flags)), "comment": dump}
_START, _END = '{"id":"%s","a":"0x%s",', '"result":"0x%s","residue":"0x%s","flags":%s,"comment":%s'
LINE = Line(_START + '"b":"0x%s",' + _END + "}\n", ("id", "a", "b", "result", "residue", "flags", "comment"), _TEXTS)
"""A case as compact JSON."""
CHAIN_LINE = Line(
    _START + _END + ',"checkpoints":%s}\n',
    ("id", "a", "result", "residue", "flags", "comment", "checkpoints"),
    {**_TEXTS, "checkpoints": _points},
)
"""A case of a chain as compact JSON."""
_SIGNED = [line.text.replace("0x%s", "%s").removesuffix("\n") for line in (LINE, CHAIN_LINE)]
"""Both for numbers with a sign, since a user's case may have -0x5."""


class Batch(NamedTuple):
    """Consecutive cases, one column a field; the integers are those of gmpy2.

    `residue[k] is result[k]` if the result is below the modulus, so that nothing is computed twice.
    """

    a: Sequence[int]
    b: Sequence[int]
    result: Sequence[int]
    residue: Sequence[int]
    comment: Sequence[str]
    checkpoints: Sequence[Checkpoints] | None = None
    written: Sequence[tuple[int, int, int]] | None = None
    """a, b and result again, as digits if these do not follow from the integers."""

    def cases(self) -> Iterable[tuple[int, int, int]]:
        """a, b and result of every case."""
        return zip(*(map(int, column) for column in self[:3]), strict=True)


class Texts:
    """The fields of a batch as lines show them, each made when it is asked for; see `layout.Fields`."""

    def __init__(self, maker: "CaseMaker", batch: Batch) -> None:
        self.maker, self.batch = maker, batch
        self._columns: dict[str, Sequence[Any]] = {}

    def numbers(self, name: str) -> Sequence[int]:
        """One of NUMBERS for every case."""
        column: Sequence[int] = getattr(self.batch, name)
        return column

    def column(self, name: str) -> Sequence[Any]:
        """A field of every case: a text; flags as tuples, checkpoints as pairs, digits as `digit_vectors`."""
        if name not in self._columns:
            self._columns[name] = self._made(name)
        return self._columns[name]

    def _made(self, name: str) -> Sequence[Any]:
        maker, batch = self.maker, self.batch
        if name == "id":
            return maker.ids(self.column("a"), self.column("b"))
        if name == "flags":
            return maker.all_flags(batch)
        if name == "residue":
            pairs = zip(batch.result, batch.residue, self.column("result"), strict=True)
            return [text if residue is result else f"{residue:x}" for result, residue, text in pairs]
        if name == "digits":
            return [digit_vectors(maker.multiplier, *case) for case in batch.written or batch.cases()]
        return _hexadecimal(self.numbers(name)) if name in NUMBERS else getattr(batch, name)


class CaseMaker:
    """Generates the cases of one multiplier from operands; for a chain, with checkpoints after the given links."""

    def __init__(self, multiplier: Multiplier, checkpoints: Sequence[int] = (), events: Container[str] = ()) -> None:
        self.multiplier = multiplier
        self.checkpoints = checkpoints
        self.events = events
        """Names of events that are flags of the cases whose comment is such an event at its place."""
        params = multiplier.params
        # Without a modulus, a bound that no operand reaches.
        self._modulus = gmpy2.mpz(multiplier.modulus.modulus or max(*params.limits, params.result_limit) + 1)
        self._hash = hashlib.sha256(multiplier.identity.encode())
        domain = None if multiplier.model.unary else params.domain
        self._r_bits = domain.bit_length() - 1 if domain is not None else None
        self._maximal = () if domain is None else tuple(map(gmpy2.mpz, multiplier.params.full_multiples))

    def case_id(self, a: int, b: int) -> str:
        """Id of a case: a hash of everything that determines it."""
        return self.ids([f"{a:x}"], [f"{b:x}"])[0]

    def ids(self, a: Sequence[str], b: Sequence[str]) -> list[str]:
        """`case_id` of operands in hexadecimal digits."""
        digests = []
        for content in [f"|{a_digits}|{b_digits}".encode() for a_digits, b_digits in zip(a, b, strict=True)]:
            digest = self._hash.copy()
            digest.update(content)
            digests.append(digest.digest()[:8])
        return b"".join(digests).hex(" ", 8).split()

    def flags(self, a: int, b: int, result: int) -> tuple[str, ...]:
        """The notes that apply, in the order of NOTES."""
        p = self._modulus
        flags = []
        if a == 0 or (b == 0 and not self.multiplier.model.unary):
            flags.append("ZeroOperand")
        if a >= p or b >= p:
            flags.append("LazyOperand")
        if result >= p:
            flags.append("NotReduced")
        if self._r_bits is not None:
            multiple = (result << self._r_bits) - a * b
            if multiple == 0:
                flags.append("QuotientZero")
            elif multiple in self._maximal:
                flags.append("QuotientMaximal")
        return tuple(flags)

    @property
    def quotient_bits(self) -> tuple[int, tuple[int, ...]]:
        """Some low bits, and what they are in the product of operands whose quotient may be extreme."""
        low = (gmpy2.mpz(1) << min(self._r_bits or 64, 64)) - 1
        return low, (0, *(-multiple & low for multiple in self._maximal))

    def _noteworthy(self, batch: Batch) -> list[int]:
        """Positions of the cases that may have flags.

        Modulo R, a*b is 0 if every quotient digit is 0, and one of a few other values if all are maximal. The lowest
        bits of a*b rule out nearly all other cases.
        """
        p = self._modulus
        lazy = max(*batch.a, *batch.b) >= p
        low, extremes = self.quotient_bits
        columns = zip(batch.a, batch.b, batch.result, strict=True)
        return [
            k for k, (a, b, result) in enumerate(columns)
            if result >= p or (lazy and (a >= p or b >= p)) or a * b & low in extremes
        ]  # fmt: skip

    def case(self, a: int, b: int, comment: str = "", result: int | None = None) -> Case:
        """The case of these operands; `result` is given if it is already known."""
        m = self.multiplier
        if result is None:
            result = m.model.result(m.params, a, b)
        residue = m.residue(result)
        flags = self.flags(a, b, result)
        return Case(self.case_id(a, b), a, b, result, residue, flags, comment, self.on_the_way(a))

    def on_the_way(self, a: int) -> Checkpoints | None:
        """The checkpoints of a chain."""
        m = self.multiplier
        if m.model.chain is None:
            return None
        return tuple(zip(self.checkpoints, m.model.chain.powers(m.params, int(a), self.checkpoints), strict=True))

    def batch(
        self, a: Sequence[int], b: Sequence[int], comment: Sequence[str], results: Sequence[int] | None = None
    ) -> Batch:
        """The cases of these operands; `results` are given if they are already known."""
        m, p = self.multiplier, self._modulus
        if results is None:
            results = m.model.results(m.params, a, b)
        checkpoints = None if m.model.chain is None else [self.on_the_way(value) or () for value in a]
        return Batch(a, b, results, [value if value < p else value % p for value in results], comment, checkpoints)

    def all_flags(self, batch: Batch) -> list[tuple[str, ...]]:
        """The flags of every case, those for events among them."""
        flags: list[tuple[str, ...]] = [()] * len(batch.a)
        for k in self._noteworthy(batch):
            flags[k] = self.flags(batch.a[k], batch.b[k], batch.result[k])
        if self.events:
            flags = [(*own, *self.event(comment)) for own, comment in zip(flags, batch.comment, strict=True)]
        return flags

    def event(self, comment: str) -> tuple[str, ...]:
        """The flag that a comment stands for: the name of its event, if it is one."""
        name = _SUBSCRIPTS.sub("", comment)
        return (name,) if name in self.events else ()


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

    def resolve(self, multiplier: Multiplier) -> VectorRequest:
        """The requested set, or part of it. Raises ParameterError."""
        check_notes(self.notes)
        return VectorRequest.resolve(multiplier, checkpoints=self.checkpoints, shard=self.shard, **self.drawn)


class VectorSet:
    """The cases of a request, generated lazily and never kept."""

    def __init__(self, request: VectorRequest, jobs: int = 1, notes: str = OCCURRING) -> None:
        """`notes` is one of NOTED."""
        self.request = request
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
        )
        return document

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
        for _, _, comment in operands(self.request):
            met.update(self.maker.event(comment))
            if len(met) == len(self._events):
                break
        return {name: text for name, text in self.every_note.items() if name in NOTES or name in met}

    def cases(self) -> Iterator[Case]:
        """The cases, in order."""
        for batch in self.batches():
            texts = Texts(self.maker, batch)
            numbers = (map(int, column) for column in batch[:4])
            checkpoints = repeat(None, len(batch.a)) if batch.checkpoints is None else batch.checkpoints
            ids, flags = texts.column("id"), texts.column("flags")
            yield from map(Case._make, zip(ids, *numbers, flags, batch.comment, checkpoints, strict=True))

    def texts(self, *layouts: CaseLayout) -> Iterator[TextBatch]:
        """The text of the cases in each of these layouts, many cases at a time, in order."""
        jobs = min(self.jobs, -(-self.request.count // self._size))

        def part(number: int) -> Iterator[TextBatch]:
            return native.texts(self, layouts, number, jobs) or self._texts(layouts, number, jobs)

        def sent(number: int) -> Iterator[TextBatch]:
            return (written._replace(others=[*map(bytes, written.others)]) for written in part(number))

        for written in part(0) if jobs == 1 else in_turn(sent, jobs):
            self.made += written.cases
            yield written

    def _texts(self, layouts: Sequence[CaseLayout], part: int, parts: int) -> Iterator[TextBatch]:
        """The text of the cases by Python: of all `batches`, or of those of one part."""
        for batch in self.batches(part, parts):
            texts = Texts(self.maker, batch)
            first, *others = (layout.of(texts) for layout in layouts)
            yield TextBatch(len(batch.a), first, others)

    @property
    def _size(self) -> int:
        """Number of cases of a batch; a chain takes as long as many products."""
        return BATCH if self.request.multiplier.model.chain is None else 1

    def batches(self, part: int = 0, parts: int = 1) -> Iterator[Batch]:
        """The cases, BATCH at a time: all batches, or one of `parts` parts, which have them in turn."""
        if self.request.kind == CHAINED:
            yield from self._linked(part, parts)
            return
        for chunk in _cut(operands(self.request), self._size, part, parts):
            yield self.maker.batch(*zip(*chunk, strict=True))

    def _linked(self, part: int, parts: int) -> Iterator[Batch]:
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


def _hexadecimal(column: Sequence[int]) -> list[str]:
    return list(map(gmpy2.mpz.digits, column, repeat(16)))  # three times as fast as formatting each value


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
