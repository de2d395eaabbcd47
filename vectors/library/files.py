# SPDX-License-Identifier: Apache-2.0
"""The files of a library."""

from collections.abc import Iterator

from limbtrace.vectors.library import in_c, in_sv, in_vhdl
from limbtrace.vectors.library.render import render
from limbtrace.vectors.library.request import LibraryRequest
from limbtrace.vectors.library.tables import LibraryTables

MARK = "limbtrace-library.txt"
"""Is in every library; a folder that has it may be replaced."""


def files(request: LibraryRequest) -> Iterator[tuple[str, list[bytes]]]:
    """(name, content) of every file. Raises ParameterError for a program that is too large."""
    tables = LibraryTables.of(request)
    name = request.name
    texts = {
        MARK: f"limbtrace library {request.options}\n",
        f"{name}.h": in_c.header(tables),
        f"{name}.c": in_c.program(tables),
        f"{name}_dpi.c": in_sv.bridge(tables),
        f"{name}_pkg.sv": in_sv.package(tables),
        f"{name}.f": f"{name}_pkg.sv\n{name}_dpi.c\n{name}.c\n",
        "example.c": in_c.example(tables),
        f"{name}_example.sv": in_sv.example(tables),
        f"{name}_vhdl.c": in_vhdl.bridge(tables),
        f"{name}_pkg.vhd": in_vhdl.package(tables),
        f"{name}_example.vhd": in_vhdl.example(tables),
        "Makefile": render("Makefile.j2", tables, entity=in_vhdl.example_name(tables)),
        "README.md": render("README.md.j2", tables),
    }
    for file, text in texts.items():
        yield file, [text.encode()]
