# SPDX-License-Identifier: Apache-2.0
"""The VHDL package of a library for GHDL, the C functions behind it, and an example testbench.

GHDL calls C by VHPIDIRECT. An array with known bounds is passed as a pointer to its first element, which is the
leftmost one; an element of a std_logic_vector is a byte that counts U, X, 0, 1, Z, W, L, H and - from 0.
"""

import re
from typing import NamedTuple

from limbtrace.vectors.library.render import render
from limbtrace.vectors.library.tables import LibraryTables, distinct

_RESERVED = """
abs access after alias all and architecture array assert assume attribute begin block body buffer bus case
component configuration constant context cover default disconnect downto else elsif end entity exit fairness
file for force function generate generic group guarded if impure in inertial inout is label library linkage
literal loop map mod nand new next nor not null of on open or others out package parameter port postponed
procedure process property protected pure range record register reject release rem report restrict return rol
ror select sequence severity shared signal sla sll sra srl strong subtype then to transport type unaffected
units until use variable view vmode vprop vunit wait when while with xnor xor
"""
"""Words of the language, up to VHDL-2019."""


def _plain(name: str) -> str:
    """An identifier as VHDL takes it: no _ beside another or at an end, and no word of the language."""
    plain = re.sub("_+", "_", name).strip("_")
    return f"{plain}_v" if plain.lower() in _RESERVED.split() else plain


def vhdl_names(names: list[str]) -> list[str]:
    """Identifiers of SystemVerilog as such of VHDL, different ones for different names."""
    return distinct([_plain(name) for name in names])


def package_name(tables: LibraryTables) -> str:
    """The package that a testbench uses."""
    return f"{_plain(tables.request.name)}_pkg"


def example_name(tables: LibraryTables) -> str:
    """The entity of the example."""
    return f"{_plain(tables.request.name)}_example"


class RowElement(NamedTuple):
    """A signal in a row."""

    name: str
    width: int
    low: int
    """Its lowest bit in the vector of the row, in whose high bits the first signal is."""


def package(tables: LibraryTables) -> str:
    """Types, functions with the widths of the values, and the foreign procedures in the body."""
    unique = vhdl_names([entry.identifier for entry in tables.names])
    steps = list(zip(tables.names, unique, strict=True))
    return render("package.vhd.j2", tables, package=package_name(tables), steps=steps, columns=_fields(tables))


def bridge(tables: LibraryTables) -> str:
    """The functions that GHDL calls."""
    return render("vhpidirect.c.j2", tables, places=_places(tables))


def example(tables: LibraryTables) -> str:
    """A testbench that draws operands and checks what the library says of them."""
    return render(
        "example.vhd.j2", tables, package=package_name(tables), entity=example_name(tables), columns=_fields(tables)
    )


def _fields(tables: LibraryTables) -> list[RowElement]:
    """Every watched signal."""
    fields, low = [], tables.row_bits
    for column, unique in zip(tables.columns, vhdl_names([c.identifier for c in tables.columns]), strict=True):
        low -= column.width
        fields.append(RowElement(unique, column.width, low))
    return fields


def _places(tables: LibraryTables) -> list[tuple[str, int, int, int]]:
    """(operand, product, first byte, bytes) of every operand; the bytes of a vector begin with its highest bit."""
    products = tables.request.products
    return [
        (letter, k, bits * (products - 1 - k), bits)
        for k in range(products)
        for letter, bits in tables.operands.items()
    ]
