# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog package of a library, the C functions behind it, and an example testbench.

Vectors cross the DPI in whole words of 32 bits, which every simulator passes as pointers to svBitVecVal.
"""

from limbtrace.vectors.library.render import render
from limbtrace.vectors.library.tables import LibraryTables


def package(tables: LibraryTables) -> str:
    """Types, imports, and functions with the widths of the values."""
    stream = {letter: tables.request.products * bits for letter, bits in tables.operands.items()}
    return render("package.sv.j2", tables, stream=stream)


def bridge(tables: LibraryTables) -> str:
    """The functions that a simulator calls."""
    return render("dpi.c.j2", tables)


def example(tables: LibraryTables) -> str:
    """A testbench that draws operands and checks what the library says of them."""
    domain = 0 if tables.domain is None else tables.domain
    wide = domain.bit_length() + tables.result_bits + sum(tables.operands.values()) + 2
    return render("example.sv.j2", tables, wide=wide)
