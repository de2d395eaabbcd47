# SPDX-License-Identifier: Apache-2.0
"""The C sources of a library: header, program with its tables, and an example."""

from limbtrace.vectors.compiled.c import FrameSlot, limbs, words
from limbtrace.vectors.library.render import render
from limbtrace.vectors.library.tables import LibraryTables


def header(tables: LibraryTables) -> str:
    """The header file."""
    said = tables.request.multiplier.model.operands
    ranges = {name: said[name] for name in (*tables.operands, "result") if name in said}
    return render("header.h.j2", tables, ranges=ranges)


def program(tables: LibraryTables) -> str:
    """The functions of the header."""
    return render(
        "program.c.j2", tables, limbs=limbs(), pointers=_pointers(tables), places=_constant_places(tables),
        parts=[(low, width) for _, low, width in tables.parts], first_parts=_first_parts(tables),
    )  # fmt: skip


def example(tables: LibraryTables) -> str:
    """A program that multiplies the operands of its command line and shows every step."""
    return render("example.c.j2", tables)


def _pointers(tables: LibraryTables) -> list[str]:
    """Pointers to the operands of each product, and to the constants."""
    products = range(tables.request.products)
    sizes = {letter: words(bits) for letter, bits in tables.operands.items()}
    operands = [f"{letter} + {k * size}" for k in products for letter, size in sizes.items()]
    return operands + tables.arguments[len(sizes) :]


def _constant_places(tables: LibraryTables) -> list[tuple[int, int]]:
    """(word, words) of every constant in the frame of the setup."""
    steps = () if tables.setup is None else tables.setup.steps
    return [(place.word, place.words) for place in steps if isinstance(place, FrameSlot)]


def _first_parts(tables: LibraryTables) -> list[tuple[int]]:
    """The number of the first part of every column, and the number of parts, each in a tuple of its own."""
    columns = [column for column, _, _ in tables.parts]
    return [*((columns.index(k),) for k in range(len(tables.columns))), (len(columns),)]
