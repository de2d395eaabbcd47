# SPDX-License-Identifier: Apache-2.0
"""The text of cases by `native.c`, several times as fast as by Python, with the same bytes.

Operands that Python chooses, and results that no formula gives, are handed over in batches. Fields of a layout that are
only known in Python, such as digits, are not written here.
"""

import ctypes
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any, NamedTuple

import gmpy2
import numpy as np

from limbtrace.vectors.compiled import build
from limbtrace.vectors.compiled.c import limbs, to_text, words
from limbtrace.vectors.operands import PAIRS, Drawn, RandomStream, RunPattern, Series, series
from limbtrace.vectors.request import CHAINED, VectorRequest
from limbtrace.vectors.sets.cases import CaseMaker
from limbtrace.vectors.sets.layout import NUMBERS, CaseLayout, LineTemplate, Piece, TextBatch

BATCH = 1920
"""Number of cases that are generated together: whole blocks of one, two or three series."""
CHUNK = 1 << 20
"""Most characters of text that are written together, for which batches of wide numbers are smaller."""
WORTH = 4096
"""Fewest cases for which a library is loaded, and compiled if it has to be."""
FORMULA_WORDS = 48
"""Widest columns, in words, for which results are computed here: gmpy2 multiplies wider numbers faster."""
_TEXTS = 1 << 12
"""Most texts of flags and comments that a layout remembers."""

_ENDINGS = {"as it is": 0, "subtracted": 1, "reduced": 2}
_KINDS = ("literal", "id", "number", "word", "bytes", "flags", "comment")
_SHOWN = ("number", "word", "bytes")
"""Kinds that show a number."""
_UNIFORM, _RUNS, _DIGITS = range(3)
_NOTED = ("ZeroOperand", "LazyOperand", "NotReduced")
"""Flags by their bits in C; the next bit is for a quotient that may be extreme."""
_PERHAPS = 1 << len(_NOTED)

_size, _pointer = ctypes.c_size_t, ctypes.c_void_p


class _Division(ctypes.Structure):
    _fields_ = (("factor", _pointer), ("words", _size), ("inverse", ctypes.c_uint64), ("bits", _size))


class _Set(ctypes.Structure):
    _fields_ = (
        ("words", _size), ("a_words", _size), ("b_words", _size),
        ("modulus", _pointer), ("modulus_words", _size),
        ("divisions", _pointer), ("division_count", _size), ("product_words", _size),
        ("last", _size), ("unary", _size),
        ("low", ctypes.c_uint64), ("extremes", _pointer), ("extreme_count", _size),
        ("identity", ctypes.c_char_p), ("identity_length", _size),
        ("scratch", _pointer),
    )  # fmt: skip


class _Piece(ctypes.Structure):
    _fields_ = (("kind", _size), ("text", ctypes.c_char_p), ("length", _size), ("column", _size))


class _Table(ctypes.Structure):
    _fields_ = (("text", ctypes.c_char_p), ("ends", _pointer))


class _Layout(ctypes.Structure):
    _fields_ = (("pieces", _pointer), ("count", _size), ("flags", _Table), ("comments", _Table), ("out", _pointer),
                ("length", _size))  # fmt: skip


_ARGUMENTS = {
    "lt_draw": (*(_pointer, _size, _size, _size), *(_size, _size, _size), *(_pointer, _size), _pointer, *(_size, _size),
                _pointer),
    "lt_streams": (ctypes.c_char_p, _size, ctypes.c_uint64, _size, _size, _pointer),
    "lt_results": (_pointer, _pointer, _pointer, _size, _pointer),
    "lt_notes": (_pointer, _pointer, _pointer, _pointer, _size, _pointer, _pointer),
    "lt_write": (_pointer, _pointer, _pointer, _pointer, _size, _pointer, _size),
}  # fmt: skip

_RETURNED = {"lt_streams": _size}


def library() -> ctypes.CDLL | None:
    """The functions of `native.c`, compiled now if they have to be; None if they cannot be compiled."""
    library = build.usable(source(), "sets")
    if library is not None:
        for name, types in _ARGUMENTS.items():
            function = getattr(library, name)
            function.argtypes, function.restype = types, _RETURNED.get(name)
    return library


@cache
def source() -> str:
    """The C text, with everything that it includes."""
    own = files(__package__).joinpath("native.c").read_text()
    return "\n".join(("#include <stddef.h>", "#include <stdint.h>", "#include <string.h>", limbs(), to_text(), own))


def texts(
    request: VectorRequest, maker: CaseMaker, layouts: Sequence[CaseLayout], part: int = 0, parts: int = 1
) -> Iterator[TextBatch] | None:
    """The text of the cases in each layout; None if Python has to write it.

    That is so for few cases, for chains, for a layout with other fields, and without a compiler. Yields all batches,
    or those of one of `parts` parts, which have them in turn.
    """
    pieces = [layout.pieces for layout in layouts]
    if None in pieces or (functions := _functions(request)) is None:
        return None
    return _SetWriter(request, maker, functions, layouts).texts(part, parts)


def _functions(request: VectorRequest) -> ctypes.CDLL | None:
    """The library, for sets that it makes."""
    known = request.count >= WORTH and request.multiplier.model.chain is None and request.kind != CHAINED
    return library() if known else None


def columns(request: VectorRequest, maker: CaseMaker, results: bool) -> "Iterator[Columns] | None":
    """The cases as columns, with results if `results`; None if Python has to make them, as of `texts`."""
    if (functions := _functions(request)) is None:
        return None
    made = _SetColumns(request, maker, functions)
    return made.batches(BATCH // len(made.feeds) * len(made.feeds), results)


def _array(values: Sequence[int] | gmpy2.mpz, size: int) -> "np.ndarray[Any, Any]":
    """Numbers of `size` words each, or a single one."""
    column = [values] if isinstance(values, int | type(gmpy2.mpz())) else list(values)
    data = gmpy2.pack(column, 64 * size).to_bytes(8 * size * len(column), "little")
    return np.frombuffer(data, np.dtype("<u8")).astype(np.uint64)


def _numbers(column: "np.ndarray[Any, Any]") -> list[int]:
    """The numbers of a column, as integers of gmpy2."""
    data = column.astype("<u8").tobytes() + b"\1"  # a nonzero last field keeps the leading zero ones
    return list(gmpy2.unpack(gmpy2.mpz.from_bytes(data, "little"), 64 * column.shape[1]))[: len(column)]


def _random(library: ctypes.CDLL, stream: RandomStream, first: int, last: int) -> "np.ndarray[Any, Any]":
    """As `stream.raw`; blocks that C does not make, such as the last ones, are made here."""
    size = 2 * PAIRS * stream.size
    raw = np.empty(size * (last - first), np.uint8)
    made = library.lt_streams(stream.label, len(stream.label), first, last - first, size, raw.ctypes.data)
    if first + made < last:
        raw[size * made :] = np.frombuffer(stream.raw(first + made, last), np.uint8)
    return raw


class _Feed:
    """A series of operands from number `first` on, as columns."""

    def __init__(self, series: Series, size: int, first: int) -> None:
        self._size = size
        self._taken = 0  # of those drawn
        self._drawn: Drawn | None = None
        if isinstance(series.rest, Drawn) and not series.rest.fitted:
            self._drawn = series.rest
            self._chosen, self._taken = series.begin(first)
            self._prepare(series.rest)
        else:
            self._chosen = series.start(first)

    def _prepare(self, drawn: Drawn) -> None:
        shape = drawn.shape
        if shape is None:
            self._shape = (_UNIFORM, 0, 0)
        elif isinstance(shape, RunPattern):
            self._shape = (_RUNS, 1, shape.bits)
        else:
            self._shape = (_DIGITS, shape.digits, shape.width)
        self._ranges = [_array(limit + 1, words((limit + 1).bit_length())) for limit in drawn.limits]
        value = words(8 * drawn.stream.size) + words(self._shape[1] * self._shape[2])
        self._scratch = np.empty(2 * max(map(len, self._ranges)) + 2 * value + 4, np.uint64)

    def fill(
        self, library: ctypes.CDLL, a: "np.ndarray[Any, Any]", b: "np.ndarray[Any, Any]",
        comments: "np.ndarray[Any, Any]", numbers: dict[str, int],
    ) -> None:  # fmt: skip
        """The next operands and numbers of their comments, into rows of the columns; new comments get new numbers."""
        drawn, count = self._drawn, len(a)
        ours = list(islice(self._chosen, count))
        if ours:
            of_a, of_b, texts = zip(*ours, strict=True)
            for column, values in ((a, of_a), (b, of_b)):
                column[: len(ours)] = _array(values, self._size).reshape(-1, self._size)
            comments[: len(ours)] = [numbers.setdefault(text, len(numbers)) for text in texts]
        if drawn is not None and len(ours) < count:
            comments[len(ours) :] = numbers.setdefault(drawn.comment, len(numbers))
            self._draw(library, drawn, a[len(ours) :], b[len(ours) :])

    def skip(self, count: int) -> None:
        """Leave out the next operands."""
        chosen = len(list(islice(self._chosen, count)))
        self._taken += count - chosen

    def _draw(self, library: ctypes.CDLL, drawn: Drawn, a: "np.ndarray[Any, Any]", b: "np.ndarray[Any, Any]") -> None:
        count, size = len(a), drawn.stream.size
        first, behind = divmod(self._taken, PAIRS)
        last = -(-(self._taken + count) // PAIRS)
        raw = _random(library, drawn.stream, first, last)
        start = raw.ctypes.data + 2 * size * behind
        for which, column in enumerate((a, b)):
            library.lt_draw(
                start + which * size, size, 2 * size, count, *self._shape, self._ranges[which].ctypes.data,
                len(self._ranges[which]), column.ctypes.data, self._size, column.strides[0] // 8,
                self._scratch.ctypes.data,
            )  # fmt: skip
        self._taken += count


class _Output:
    """A layout with its memory."""

    def __init__(self, layout: CaseLayout, size: int) -> None:
        self.layout = layout
        self.pieces = layout.pieces or []
        self.shown = {piece.text for piece in self.pieces if piece.kind in _SHOWN}
        self.kinds = {piece.kind for piece in self.pieces}
        self._size = size
        self._texts: dict[tuple[str, Any], bytes] = {}
        self.array = (_Piece * len(self.pieces))(*map(_piece, self.pieces))
        self.longest = sum(_length(piece, size) for piece in self.pieces)
        """Most characters of a line, without flags and comment."""
        self._memory = np.empty(0, np.uint8)
        self._kept: list[Any] = []
        self._tables: Any = None

    def prepare(self, into: _Layout, flags: Sequence[tuple[str, ...]], comments: Sequence[str], count: int) -> None:
        """Set tables and room for a batch of at most `count` cases."""
        if self._tables == (flags, comments):
            return
        self._tables = flags, comments
        longest = 0
        for name, values, table in (("flags", flags, into.flags), ("comment", comments, into.comments)):
            written = [self._text(name, value) for value in values] if name in self.kinds else []
            ends = np.cumsum([len(text) for text in written], dtype=np.uint64)
            whole = b"".join(written)
            self._kept += [ends, whole]
            table.text, table.ends = whole, ends.ctypes.data
            longest += max(map(len, written), default=0)
        del self._kept[:-4]
        if len(self._memory) < (needed := count * (self.longest + longest)):
            self._memory = np.empty(needed, np.uint8)
        into.pieces, into.count = ctypes.addressof(self.array), len(self.pieces)
        into.out = self._memory.ctypes.data

    def _text(self, name: str, value: Any) -> bytes:
        if (name, value) not in self._texts:
            if len(self._texts) >= _TEXTS:
                self._texts.clear()
            assert isinstance(self.layout, LineTemplate)
            self._texts[name, value] = self.layout.write[name](value).encode()
        return self._texts[name, value]

    def taken(self, length: int) -> memoryview:
        """The text that was written; the next batch overwrites it."""
        return self._memory.data[:length]


def _piece(piece: Piece) -> _Piece:
    text = piece.text.encode() if piece.kind == "literal" else b""
    column = NUMBERS.index(piece.text) if piece.kind in _SHOWN else 0
    return _Piece(_KINDS.index(piece.kind), text, len(text) or piece.places, column)


def _length(piece: Piece, size: int) -> int:
    """Most characters of a piece; those of flags and comments are counted if they are known."""
    return {"literal": len(piece.text.encode()), "id": 16, "number": 16 * size}.get(piece.kind, piece.places)


class Columns(NamedTuple):
    """Consecutive cases: a row of 64-bit words for each, low word first. The next ones overwrite them."""

    a: "np.ndarray[Any, Any]"
    b: "np.ndarray[Any, Any]"
    result: "np.ndarray[Any, Any]"
    """Computed only on request."""
    residue: "np.ndarray[Any, Any]"
    """Room for it."""
    comment: "np.ndarray[Any, Any]"
    """Places in `comments`."""
    comments: tuple[str, ...]


class _SetColumns:
    """The cases of a set as columns."""

    def __init__(self, request: VectorRequest, maker: CaseMaker, library: ctypes.CDLL) -> None:
        m = request.multiplier
        self.request, self.maker, self.library, self.model, self.params = request, maker, library, m.model, m.params
        a_max, b_max = m.params.limits
        self.size = words(max(a_max, b_max, m.params.result_limit - 1, m.modulus.modulus).bit_length())
        self.feeds = self._fed(request)
        self.set = self._described()

    def _fed(self, request: VectorRequest) -> list[_Feed]:
        """The series, that of the first case first."""
        several, first = series(request), request.first
        turn = first % len(several)
        feeds = [_Feed(one, self.size, len(range(k, first, len(several)))) for k, one in enumerate(several)]
        return feeds[turn:] + feeds[:turn]

    def _described(self) -> _Set:
        m, maker = self.request.multiplier, self.maker
        a_max, b_max = m.params.limits
        formula = m.params.formula if m.params.closed and self.size <= FORMULA_WORDS else None
        self.formula = formula
        p = 0 if m.model.numbers else m.modulus.modulus
        modulus = _array(p, words(p.bit_length()))
        product = a_max * b_max
        rows = []
        kept: list[Any] = [modulus]
        widest = words(product.bit_length())
        for factor, bits in () if formula is None else formula.divisions:
            array = _array(factor, words(factor.bit_length()))
            kept.append(array)
            inverse = int(-gmpy2.invert(factor, 1 << 64) % (1 << 64))
            rows.append(_Division(array.ctypes.data, len(array), inverse, bits))
            widest = max(widest, words(bits) + len(array)) + 1
        divisions = (_Division * len(rows))(*rows)
        low, extremes = maker.quotient_bits
        extreme = np.array(extremes, np.uint64)
        identity = m.identity.encode()
        size = max(widest, words(a_max.bit_length()) + words(b_max.bit_length()), len(modulus), self.size)
        scratch = np.empty(12 * self.size + size + 2 * len(modulus) + 32, np.uint64)
        self._kept = [*kept, divisions, extreme, scratch]
        return _Set(
            self.size, words(a_max.bit_length()), words(b_max.bit_length()),
            modulus.ctypes.data, len(modulus) if p else 0,
            ctypes.addressof(divisions), len(rows), size,
            0 if formula is None else _ENDINGS[formula.ending], m.model.unary,
            low, extreme.ctypes.data, len(extreme),
            identity, len(identity), scratch.ctypes.data,
        )  # fmt: skip

    def batches(self, size: int, results: bool, part: int = 0, parts: int = 1) -> Iterator[Columns]:
        """The cases, `size` at a time, a multiple of the number of series; all of them, or a part that has them in
        turn.
        """
        left, turns = self.request.count, len(self.feeds)
        columns = [np.zeros((size, self.size), np.uint64) for _ in NUMBERS]
        comments = np.zeros(size, np.uint32)
        for number in range(-(-self.request.count // size)):
            count = min(size, left)
            left -= count
            if number % parts != part:
                for turn, feed in enumerate(self.feeds):
                    feed.skip(len(range(turn, count, turns)))
                continue
            a, b, result, residue = (column[:count] for column in columns)
            numbers: dict[str, int] = {}
            for turn, feed in enumerate(self.feeds):
                if turn < count:
                    feed.fill(self.library, a[turn::turns], b[turn::turns], comments[turn:count:turns], numbers)
            if results:
                self._compute(a, b, result)
            yield Columns(a, b, result, residue, comments[:count], tuple(numbers))

    def _compute(self, a: Any, b: Any, result: Any) -> None:
        if self.formula is not None:
            self.library.lt_results(ctypes.byref(self.set), a.ctypes.data, b.ctypes.data, len(a), result.ctypes.data)
            return
        found = self.model.results(self.params, _numbers(a), _numbers(b))
        result[:] = _array(found, self.size).reshape(-1, self.size)


class _SetWriter(_SetColumns):
    """The cases of a set as text."""

    def __init__(
        self, request: VectorRequest, maker: CaseMaker, library: ctypes.CDLL, layouts: Sequence[CaseLayout]
    ) -> None:
        super().__init__(request, maker, library)
        self.outputs = [_Output(layout, self.size) for layout in layouts]
        shown = set().union(*(output.shown for output in self.outputs))
        kinds = set().union(*(output.kinds for output in self.outputs))
        self.noted = bool(kinds & {"flags"}) or "residue" in shown
        self.computed = self.noted or "result" in shown
        self._own = tuple(tuple(name for bit, name in enumerate(_NOTED) if mask >> bit & 1) for mask in range(_PERHAPS))
        """The flags that C finds, by their bits."""

    def texts(self, part: int, parts: int) -> Iterator[TextBatch]:
        """The text of the cases in each layout, batch by batch of a part."""
        turns = len(self.feeds)
        layouts = (_Layout * len(self.outputs))()
        size = max(min(BATCH, CHUNK // max(output.longest for output in self.outputs)) // turns, 1) * turns
        nothing, bits = np.zeros(size, np.uint32), np.zeros(size, np.uint8)
        for cases in self.batches(size, self.computed, part, parts):
            count, flags = len(cases.a), nothing
            names: Sequence[tuple[str, ...]] = self._own
            a, b, result, residue = cases[:4]
            pointers = (ctypes.c_void_p * len(NUMBERS))(*(column.ctypes.data for column in (a, b, result, residue)))
            if self.noted:
                where = (column.ctypes.data for column in (a, b, result))
                self.library.lt_notes(ctypes.byref(self.set), *where, count, residue.ctypes.data, bits.ctypes.data)
                names, flags = self._flags(bits[:count], a, b, result, cases.comment, cases.comments)
            for output, layout in zip(self.outputs, layouts, strict=True):
                output.prepare(layout, names, cases.comments, size)
            self.library.lt_write(
                ctypes.byref(self.set), pointers, flags.ctypes.data, cases.comment.ctypes.data, count, layouts,
                len(layouts),
            )  # fmt: skip
            first, *others = (output.taken(layout.length) for output, layout in zip(self.outputs, layouts, strict=True))
            yield TextBatch(count, bytes(first), others)

    def _flags(
        self, bits: Any, a: Any, b: Any, result: Any, comments: Any, texts: Sequence[str]
    ) -> tuple[Sequence[tuple[str, ...]], Any]:
        """Different flags, and which of them each case has."""
        maker = self.maker
        flags = bits.astype(np.uint32)
        if not maker.events and bits.max() < _PERHAPS:
            return self._own, flags
        numbers = {own: number for number, own in enumerate(self._own)}
        flags &= _PERHAPS - 1
        perhaps = np.flatnonzero(bits & _PERHAPS)
        for k, case in zip(perhaps, zip(*(_numbers(column[perhaps]) for column in (a, b, result)), strict=True),
                           strict=True):  # fmt: skip
            flags[k] = numbers.setdefault(maker.flags(*case), len(numbers))
        if maker.events:
            of_comment = [maker.event(text) for text in texts]
            own = list(numbers)
            for k in np.flatnonzero(np.array([bool(event) for event in of_comment])[comments]):
                whole = (*own[flags[k]], *of_comment[comments[k]])
                flags[k] = numbers.setdefault(whole, len(numbers))
        return tuple(numbers), flags
