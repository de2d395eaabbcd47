# SPDX-License-Identifier: Apache-2.0
"""The VHDL package of `limbtrace library` in GHDL: examples, every value against the models, and what is refused."""

import os
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS
from limbtrace.vectors.library import LibraryQuery, LibraryRequest
from limbtrace.vectors.library.in_vhdl import vhdl_names
from limbtrace.vectors.library.tables import LibraryTables
from tests.refmodels.test_programs import ANY, at, operands
from tests.vectors.test_library import any_modulus, small, written

pytestmark = pytest.mark.usefixtures("compiler")

BENCH = """
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;
use work.{package}.all;

entity bench is
end entity bench;

architecture asking of bench is
begin
  process
    variable frame : frame_t;
    variable text : line;
{variables}
    procedure say(value : in std_logic_vector) is
    begin
      write(text, value);
      writeline(output, text);
    end procedure;
  begin
{statements}
    wait;
  end process;
end architecture asking;
"""


def bits(value: int, width: int) -> str:
    """A literal of std_logic_vector."""
    return '"' + format(value, f"0{width}b") + '"'


def simulated(
    request: LibraryRequest, folder: Path, statements: Sequence[str], variables: str = ""
) -> subprocess.CompletedProcess[str]:
    """What GHDL says of a testbench with these statements."""
    written(request, folder)
    package = f"{request.name}_pkg"
    text = BENCH.format(package=package, statements="\n".join(statements), variables=variables)
    (folder / "bench.vhd").write_text(text)
    library = ["make", "-s", f"{request.name}.so", "CFLAGS=-O0 -Wall -Wextra -pedantic -Werror"]
    subprocess.run(library, cwd=folder, check=True)
    subprocess.run(["ghdl", "-a", "--std=08", f"{package}.vhd", "bench.vhd"], cwd=folder, check=True)
    return subprocess.run(["ghdl", "--elab-run", "--std=08", "bench"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "LD_LIBRARY_PATH": str(folder)})  # fmt: skip


@pytest.mark.parametrize(
    ("name", "core", "size"),
    [*((name, False, None) for name in MODELS), *((name, True, None) for name in ARCHITECTURES),
     *((name, False, 61) for name in ANY), ("redundant", True, 61), ("iddmm_arch2", True, 256)],
)  # fmt: skip
def test_the_example(name: str, core: bool, size: int | None, tmp_path: Path) -> None:
    """Of every model and core, without a warning of GHDL."""
    written(small(name, core) if size is None else any_modulus(name, core, size), tmp_path)
    command = ["make", "-s", "ghdl", "CFLAGS=-O0 -Wall -Wextra -pedantic -Werror"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "100 runs of" in done.stdout
    assert ", 0 wrong" in done.stdout


def test_the_example_sees_a_wrong_library(tmp_path: Path) -> None:
    written(small("iddmm2", core=False), tmp_path)
    source = tmp_path / "lt_iddmm2.c"
    source.write_text(source.read_text().replace("result[k] = lt_value(", "result[k] = 1 ^ lt_value("))
    done = subprocess.run(["make", "-s", "ghdl"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "the library is wrong" in done.stdout + done.stderr


@pytest.mark.parametrize(("name", "size"), [("iddmm2", None), ("mwr2kmm", None), ("cios", 64), ("llmonpro", 30)])
def test_every_step(name: str, size: int | None, tmp_path: Path) -> None:
    """Results and all steps of some products, signed ones among them."""
    request = small(name, core=False) if size is None else any_modulus(name, False, size)
    tables, rng = LibraryTables.of(request), random.Random(name)
    model, params = request.multiplier.model, request.multiplier.params
    widths, statements, golden, constants = tables.operands, [], [], ""
    unique = dict(
        zip([entry.name for entry in tables.names], vhdl_names([n.identifier for n in tables.names]), strict=True)
    )
    if size is not None:
        constants, modulus = ", constants", rng.getrandbits(size) | 1 << size - 1 | 1
        params = at(model, params, modulus)
        statements.append(f"    constants_of({bits(modulus, size)}, constants);")
    for a, b in operands(model, params, rng)[-3:]:
        run, passed = model.run(params, a, b), f"{bits(a, widths['a'])}, {bits(b, widths['b'])}{constants}"
        statements.append(f"    run({passed}, frame);\n    say(result(frame));\n    say(product({passed}));")
        golden += [run.result, run.result]
        for step, index, value in run.steps:
            statements.append(f"    say(step_{unique[step]}({', '.join(['frame', *map(str, index)])}));")
            (width,) = (entry.bits for entry in tables.names if entry.name == step)
            golden.append(value & (1 << width) - 1)
    done = simulated(request, tmp_path, statements, "    variable constants : constants_t;" if constants else "")
    assert (done.returncode, done.stderr) == (0, "")
    assert [int(line, 2) for line in done.stdout.split()] == golden


@pytest.mark.parametrize(("name", "size"), [("fpmm", None), ("iddmm_arch2", 61)])
def test_every_cell(name: str, size: int | None, tmp_path: Path) -> None:
    """The rows of a core, don't care included, and the results of its stream."""
    request = small(name, core=True) if size is None else any_modulus(name, True, size)
    tables, rng, architecture = LibraryTables.of(request), random.Random(name), ARCHITECTURES[name]
    params, statements, constants, shape = request.shape.params, [], "", request.shape
    if size is not None:
        constants, modulus = ", constants", rng.getrandbits(size) | 1 << size - 1 | 1
        params = at(architecture.model, params, modulus)
        shape = type(shape)(params, shape.own, shape.starts)
        statements.append(f"    constants_of({bits(modulus, size)}, constants);")
    pairs = rng.choices(operands(architecture.model, params, rng), k=request.products)
    passed = ", ".join(
        bits(sum(pair[place] << width * k for k, pair in enumerate(pairs)), width * request.products)
        for place, width in enumerate(tables.operands.values())
    )
    statements.append(f"    run({passed}{constants}, frame);")
    statements += [f"    say(result(frame, {k}));" for k in range(request.products)]
    columns = vhdl_names([column.identifier for column in tables.columns])
    statements += [
        f"    say(row(frame, {cycle}).{column});" for column in columns for cycle in range(request.plan.cycles)
    ]
    statements += [f"    say(row(frame, {cycle}).{columns[0]});" for cycle in (-1, request.plan.cycles)]
    done = simulated(request, tmp_path, statements, "    variable constants : constants_t;" if constants else "")
    assert (done.returncode, done.stderr) == (0, "")
    said = [None if set(line) == {"-"} else int(line, 2) for line in done.stdout.split()]
    products = list(architecture.products(shape, [TimedPair(a, b) for a, b in pairs], request.plan))
    cells = [cell for column in products[0].table for cell in column]
    assert said == [*(product.result for product in products), *cells, None, None]
    assert None in cells


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("say(step_q(frame, 99, 0));", "there is no q[99, 0]"),
        ("say(result(frame, 1));", "there is no product 1"),
        ("say(result(frame, -1));", "there is no product -1"),
        ("a(3) := 'U'; run(a, b, constants, frame);", "an operand has bits that are neither 0 nor 1"),
        ("b(0) := 'X'; say(product(a, b, constants));", "an operand has bits that are neither 0 nor 1"),
        ("modulus(0) := '0'; constants_of(modulus, constants);", "is no odd modulus of 20 bits"),
        ("modulus(19) := '0'; constants_of(modulus, constants);", "is no odd modulus of 20 bits"),
        ("modulus(5) := 'Z'; constants_of(modulus, constants);", "is no odd modulus of 20 bits"),
    ],
)
def test_what_ends_a_simulation(statement: str, sentence: str, tmp_path: Path) -> None:
    variables = """
    variable a : a_t := (others => '0');
    variable b : b_t := (others => 'L');
    variable modulus : modulus_t := (others => 'H');
    variable constants : constants_t;
"""
    request = LibraryQuery(model="iddmm2", bits=20, pairs=["k=10"], name="golden").request
    before = ["    constants_of(modulus, constants); run(a, b, constants, frame); say(result(frame));"]
    done = simulated(request, tmp_path, [*before, f"    {statement}"], variables)
    assert done.returncode != 0
    first, *others = (done.stdout + done.stderr).splitlines()
    assert int(first, 2) == 0
    assert sentence in others[0]


def test_a_library_that_is_not_there(tmp_path: Path) -> None:
    request = LibraryQuery(model="iddmm2", bits=20, name="golden").request
    written(request, tmp_path)
    subprocess.run(["ghdl", "-a", "--std=08", "golden_pkg.vhd", "golden_example.vhd"], cwd=tmp_path, check=True)
    done = subprocess.run(
        ["ghdl", "--elab-run", "--std=08", "golden_example"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "golden.so" in done.stdout + done.stderr


@pytest.mark.parametrize("name", ["a__b", "Ends_", "x"])
def test_names_that_vhdl_does_not_take(name: str, tmp_path: Path) -> None:
    written(LibraryQuery(model="iddmm2", bits=20, name=name).request, tmp_path)
    done = subprocess.run(["make", "-s", "ghdl"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_names() -> None:
    assert vhdl_names(["in", "S__a", "_b_", "s_a", "Signal"]) == ["in_v", "S_a", "b", "s_a_2", "Signal_v"]
    assert all(re.fullmatch(r"[A-Za-z](_?[A-Za-z0-9])*", name) for name in vhdl_names(["a_" * 9]))
