# SPDX-License-Identifier: Apache-2.0
"""The rows of a long cycle table by C, several times as fast as by Python, with the same bytes.

The program of the schedule is compiled on first use, once for a shape.
"""

import ctypes
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbtrace.refmodels.digits import chosen_digits
from limbtrace.refmodels.program import of_architecture
from limbtrace.vectors.compiled import build
from limbtrace.vectors.compiled.c import WORD, limbs, source, to_text, words
from limbtrace.vectors.compiled.cells import BitField, cell, image
from limbtrace.vectors.format import CSV_END, JSON_END, RawRows

if TYPE_CHECKING:
    from limbtrace.vectors.cycles.request import CycleRequest

WORTH = 400_000
"""Fewest cells for which a library is loaded, and compiled if it has to be."""
WORTH_WORK = 500
"""Fewest cells for each step of a product: its program takes longer to compile the more steps there are."""
CHUNK = 1 << 20
"""Characters of text for which there is room, if one product has no more."""
_PRODUCTS = 4096
"""Most products whose operands are packed together."""


class Style(NamedTuple):
    """The format of a row."""

    open: bytes
    quote: bytes
    """On both sides of a cell."""
    none: bytes
    """A don't-care cell."""
    close: bytes
    numbered: bool
    """True if a row begins with the number of its cycle."""


JSON = Style(b"[", b'"', b"null", f"]{JSON_END}".encode(), numbered=False)
CSV = Style(b"", b"", b"", CSV_END.encode(), numbered=True)


class _Style(ctypes.Structure):
    _fields_ = (("open", ctypes.c_char_p), ("quote", ctypes.c_char_p), ("none", ctypes.c_char_p),
                ("close", ctypes.c_char_p), ("numbered", ctypes.c_size_t))  # fmt: skip


def rows(request: "CycleRequest", style: Style) -> RawRows | None:
    """All rows in order; None if Python has to write them.

    That is so for few cells, for products that overlap, for operands with digits that their values do not imply, and
    without a compiler that this process may use.
    """
    cells, work = request.count * len(request.columns), request.core.architecture.model.work(request.shape.params)
    if cells < max(WORTH, WORTH_WORK * work) or len(request.shape.starts) > 1 or not build.new_allowed:
        return None
    if any(chosen_digits(value) is not None for job in request.jobs for value in (job.a, job.b)):
        return None
    found = _source(request)
    if found is None or (library := build.usable(found.text, f"{request.core.architecture.id}-rows")) is None:
        return None
    library.lt_rows.restype = ctypes.c_size_t
    return _written(request, style, found, library)


class _Program(NamedTuple):
    """The C text of a schedule, and its sizes in words of 64 bits."""

    text: str
    a_words: int
    b_words: int
    scratch: int


def _source(request: "CycleRequest") -> _Program | None:
    architecture, shape, plan = request.core.architecture, request.shape, request.plan
    sizes = [words(column.width) for column in plan.columns]
    count = plan.cycles * sum(sizes)
    try:
        program = of_architecture(architecture, shape)
    except TypeError:  # digits of operands that are chosen by branches
        return None
    steps = source(program, "lt_steps")
    bits: list[BitField] = []
    cares = bytearray()
    at = 0
    for cycle in range(plan.cycles):
        for column, size in enumerate(sizes):
            shown = cell(plan, column, cycle, steps.steps, at)
            cares.append(shown is not None)
            bits += shown or ()
            at += WORD * size
    places = [sum(sizes[:column]) for column in range(len(sizes))]
    operands = ", ".join(name[0] for name in steps.operands)
    a_words, b_words = (steps.operands.get(f"{letter}0", 0) for letter in "ab")
    text = f"""#include <stddef.h>
#include <stdint.h>
#include <string.h>

{limbs()}
{to_text()}
enum {{ ROWS = {plan.cycles}, COLUMNS = {len(sizes)}, ROW_WORDS = {sum(sizes)}, FRAME_WORDS = {steps.words} }};
enum {{ A_WORDS = {a_words}, B_WORDS = {b_words} }};
{steps.text}
{image(bits, count, "lt_image")}
static const struct {{ uint32_t word, words; }} lt_columns[] = {{
{", ".join(f"{{{place}, {size}}}" for place, size in zip(places, sizes, strict=True))}}};
static const uint8_t lt_cares[] = {{{",".join(map(str, cares))}}};

static void lt_product(const uint64_t *a, const uint64_t *b, uint64_t *frame, uint64_t *rows) {{
  const uint64_t *const operands[] = {{{operands}}};
  (void)a; (void)b;
  lt_steps(operands, frame);
  lt_image(frame, rows);
}}
"""
    return _Program(text + files(__package__).joinpath("native.c").read_text(), a_words, b_words, steps.words + count)


def _written(request: "CycleRequest", style: Style, found: _Program, library: ctypes.CDLL) -> RawRows:
    plan = request.plan
    most = len(style.open) + len(style.close) + 24
    most += sum(16 * words(column.width) + 3 + max(2 * len(style.quote), len(style.none)) for column in plan.columns)
    idle = max(CHUNK // most, plan.cycles)
    at_once = min(max(CHUNK // (most * plan.cycles), 1), _PRODUCTS)
    out = ctypes.create_string_buffer(most * (at_once * plan.cycles + idle))
    scratch = np.empty(found.scratch, np.uint64)
    how = _Style(style.open, style.quote, style.none, style.close, style.numbered)
    cycle = ctypes.c_int64(request.first_cycle)
    jobs, number = iter(request.jobs), 0
    while chunk := list(islice(jobs, at_once)):
        begins = np.array([request.begin(k) for k in range(number, number + len(chunk))], np.int64)
        number += len(chunk)
        a = _column([job.a for job in chunk], found.a_words)
        b = _column([job.b for job in chunk], found.b_words)
        done = 0
        while done < len(chunk):
            products, before = ctypes.c_size_t(len(chunk) - done), cycle.value
            columns = (ctypes.c_void_p(column[done:].ctypes.data) for column in (a, b, begins))
            length = library.lt_rows(
                *columns, ctypes.byref(products), ctypes.byref(cycle), ctypes.c_size_t(idle), ctypes.byref(how),
                ctypes.c_void_p(scratch.ctypes.data), out,
            )  # fmt: skip
            done += products.value
            yield ctypes.string_at(out, length), cycle.value - before


def _column(values: list[int], size: int) -> "np.ndarray[tuple[int, int], np.dtype[np.uint64]]":
    """Numbers of `size` words each, low word first."""
    octets = bytearray().join(value.to_bytes(8 * size, "little") for value in values if size)
    return np.frombuffer(octets or bytearray(8), "<u8").astype(np.uint64)[: len(octets) // 8].reshape(len(values), size)
