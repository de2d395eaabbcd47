# SPDX-License-Identifier: Apache-2.0
"""The files of a library."""

from collections.abc import Iterator

from limbtrace.vectors.library import in_c, in_sv, in_vhdl
from limbtrace.vectors.library.request import LibraryRequest
from limbtrace.vectors.library.tables import LibraryTables

MARK = "limbtrace-library.txt"
"""Is in every library; a folder that has it may be replaced."""


def files(request: LibraryRequest) -> Iterator[tuple[str, list[bytes]]]:
    """(name, content) of every file. Raises ParameterError for a program that is too large."""
    tables = LibraryTables.of(request)
    name = request.name
    program = in_c.program(tables)
    texts = {
        MARK: f"limbtrace library {request.options}\n",
        f"{name}.h": in_c.header(tables),
        f"{name}.c": program,
        f"{name}_dpi.c": in_sv.bridge(tables),
        f"{name}_pkg.sv": in_sv.package(tables),
        f"{name}.f": f"{name}_pkg.sv\n{name}_dpi.c\n{name}.c\n",
        "example.c": in_c.example(tables),
        f"{name}_example.sv": in_sv.example(tables),
        f"{name}_vhdl.c": in_vhdl.bridge(tables),
        f"{name}_pkg.vhd": in_vhdl.package(tables),
        f"{name}_example.vhd": in_vhdl.example(tables),
        "Makefile": _makefile(request, tables),
        "README.md": _readme(request, tables),
    }
    for file, text in texts.items():
        yield file, [text.encode()]


def _makefile(request: LibraryRequest, tables: LibraryTables) -> str:
    name = request.name
    return f"""# SPDX-License-Identifier: Apache-2.0
# make: the C example; make sim: the SystemVerilog example in Verilator; make ghdl: the VHDL example in GHDL.

CFLAGS ?= -O2 -Wall -Wextra
GHDL ?= ghdl

all: example

example: example.c {name}.c {name}.h
\t$(CC) -std=c11 $(CFLAGS) -o $@ example.c {name}.c

sim: {name}.f {name}_example.sv
\tverilator --binary -Wno-fatal --top-module {name}_example -f {name}.f {name}_example.sv
\t./obj_dir/V{name}_example

{name}.so: {name}.c {name}_vhdl.c {name}.h
\t$(CC) -std=c11 $(CFLAGS) -shared -fPIC -o $@ {name}.c {name}_vhdl.c

ghdl: {name}.so {name}_pkg.vhd {name}_example.vhd
\t$(GHDL) -a --std=08 {name}_pkg.vhd {name}_example.vhd
\tLD_LIBRARY_PATH=. $(GHDL) --elab-run --std=08 {in_vhdl.example_name(tables)}

clean:
\trm -rf example obj_dir {name}.so {in_vhdl.example_name(tables).lower()} work-obj08.cf *.o

.PHONY: all sim ghdl clean
"""


def _readme(request: LibraryRequest, tables: LibraryTables) -> str:
    name = request.name
    steps = "".join(f"| `{entry.name}` | `step_{entry.identifier}` | {entry.bits} |\n" for entry in tables.names)
    rows = "; `row` gives every watched signal in a cycle of the core" if tables.columns else ""
    constants = ""
    if tables.setup is not None:
        constants = f"""The modulus is an input: an odd number of exactly {request.bits} bits. `{name}_constants`, in a
testbench `{name}_pkg::constants_of`, computes constants of it once; the other functions take these beside operands.

"""
    text = f"""# {name}

{request.title}.

Written by `limbtrace library {request.options}`.

| file | what it is |
|---|---|
| `{name}.h`, `{name}.c` | C11 without dependencies: results, and all steps by name and subscripts |
| `{name}_pkg.sv`, `{name}_dpi.c` | the functions of the C sources for SystemVerilog, by DPI-C |
| `{name}.f` | sources of a simulation in SystemVerilog |
| `{name}_pkg.vhd`, `{name}_vhdl.c` | the functions for VHDL in GHDL, by VHPIDIRECT |
| `example.c`, `{name}_example.sv`, `{name}_example.vhd` | one example each: `make`, `make sim`, `make ghdl` |

{constants}In a testbench, `{name}_pkg::run` computes a frame. From it, `result` and the functions below take
values{rows}.
All functions are free of state: several threads may call them, and they may be called in any order.

| step | function | bits |
|---|---|---|
{steps}"""
    if tables.columns:
        text += "\n| signal | bits |\n|---|---|\n"
        text += "".join(f"| `{column.identifier}` | {column.width} |\n" for column in tables.columns)
    return text
