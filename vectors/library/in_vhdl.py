# SPDX-License-Identifier: Apache-2.0
"""The VHDL package of a library for GHDL, the C functions behind it, and an example testbench.

GHDL calls C by VHPIDIRECT. An array with known bounds is passed as a pointer to its first element, which is the
leftmost one; an element of a std_logic_vector is a byte that counts U, X, 0, 1, Z, W, L, H and - from 0.
"""

import re
from collections.abc import Callable

from limbtrace.refmodels.expr import ends
from limbtrace.refmodels.model import CORRECTED
from limbtrace.vectors.compiled.c import words
from limbtrace.vectors.library.in_c import HEAD, given
from limbtrace.vectors.library.tables import LibraryTables, distinct

VHDL_HEAD = "-- SPDX-License-Identifier: Apache-2.0\n"

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
    """What a testbench uses."""
    return f"{_plain(tables.request.name)}_pkg"


def example_name(tables: LibraryTables) -> str:
    """The entity of the example."""
    return f"{_plain(tables.request.name)}_example"


def _vector(bits: int) -> str:
    return f"std_logic_vector({bits - 1} downto 0)"


def package(tables: LibraryTables) -> str:
    """Types, functions with the widths of the values, and the foreign procedures in the body."""
    request, name = tables.request, package_name(tables)
    bits = {letter: request.products * width for letter, width in tables.operands.items()}
    setup = tables.setup is not None
    formal = "; ".join([*(f"{letter} : in {letter}_t" for letter in bits), *["constants : in constants_t"] * setup])
    passed = ", ".join(given(tables))
    widest = max(entry.bits for entry in tables.names)
    heads: list[str] = []
    bodies: list[str] = []

    def foreign(procedure: str, formals: str) -> None:
        """A procedure whose body is in C; what does not exist, or is not 0 or 1, comes back as X."""
        head = f"  procedure c_{procedure}({formals})"
        bodies.append(
            f'{head};\n  attribute foreign of c_{procedure} : procedure is\n    "VHPIDIRECT {request.name}.so'
            f' {request.name}_vhdl_{procedure}";\n{head} is\n  begin\n'
            f'    report "{request.name}.so is not loaded" severity failure;\n  end procedure;\n'
        )

    def local(comment: str, head: str, variables: str, statements: str) -> None:
        """A subprogram of the package."""
        heads.append(f"  -- {comment}\n  {head};\n")
        ending = "function" if "function" in head else "procedure"
        bodies.append(f"  {head} is\n{variables}  begin\n{statements}  end {ending};\n")

    known = "    variable known : std_logic_vector(0 downto 0);\n"
    if setup:
        foreign("constants", f"modulus : in modulus_t; constants : out constants_t; known : out {_vector(1)}")
        local(
            f"The constants of a modulus, which must be odd and have {request.bits} bits.",
            "procedure constants_of(modulus : in modulus_t; constants : out constants_t)", known,
            "    c_constants(modulus, constants, known);\n"
            f'    assert known = "1" report to_hstring(modulus) & " is no odd modulus of {request.bits} bits" severity'
            " failure;\n",
        )  # fmt: skip
    foreign("run", f"{formal}; frame : out frame_t; known : out {_vector(1)}")
    local(
        "Computes all steps.", f"procedure run({formal}; frame : out frame_t)", known,
        f"    c_run({passed}, frame, known);\n"
        '    assert known = "1" report "an operand has bits that are neither 0 nor 1" severity failure;\n',
    )  # fmt: skip
    foreign("result", "frame : in frame_t; number : in integer; value : out result_t")
    local(
        "The result of a product, counted from 0.",
        "impure function result(frame : frame_t; number : integer := 0) return result_t",
        "    variable value : result_t;\n",
        "    c_result(frame, number, value);\n    assert value(0) /= 'X' report"
        ' "there is no product " & integer\'image(number) severity failure;\n    return value;\n',
    )  # fmt: skip
    if request.products == 1:
        foreign("product", f"{formal}; value : out result_t")
        local(
            "The result of operands in their ranges.",
            f"impure function product({formal.replace(' in ', ' ')}) return result_t",
            "    variable value : result_t;\n",
            f"    c_product({passed}, value);\n    assert value(0) /= 'X' report"
            ' "an operand has bits that are neither 0 nor 1" severity failure;\n    return value;\n',
        )  # fmt: skip
    indices = "".join(f"; i{k} : in integer" for k in range(tables.depth))
    foreign("step", f"frame : in frame_t; step : in integer{indices}; value : out {_vector(widest)}")
    types = ""
    for k, (entry, unique) in enumerate(
        zip(tables.names, vhdl_names([n.identifier for n in tables.names]), strict=True)
    ):
        types += f"  subtype step_{unique}_t is {_vector(entry.bits)};\n"
        inputs = "".join(f"; i{at} : integer" for at in range(entry.subscripts))
        places = "".join(f", {f'i{at}' if at < entry.subscripts else '0'}" for at in range(tables.depth))
        shown = ' & ", " & '.join(f"integer'image(i{at})" for at in range(entry.subscripts)) or '""'
        local(
            f"{entry.name}, in two's complement" if entry.signed else entry.name,
            f"impure function step_{unique}(frame : frame_t{inputs}) return step_{unique}_t",
            f"    variable value : {_vector(widest)};\n",
            f"    c_step(frame, {k}{places}, value);\n"
            f"    assert value(0) /= 'X' report \"there is no {unique}[\" & {shown} & \"]\" severity failure;\n"
            f"    return value(step_{unique}_t'range);\n",
        )  # fmt: skip
    rows = _rows(tables, foreign, local) if tables.columns else ""
    operands = "".join(f"  subtype {letter}_t is {_vector(width)};\n" for letter, width in bits.items())
    constants = ""
    if setup:
        constants = f"""
  constant ModulusBits : positive := {request.bits};
  subtype modulus_t is {_vector(request.bits or 0)};

  -- All that the functions need of a modulus.
  type constants_t is array (0 to {tables.source.operands["constants"] - 1}) of word_t;
"""
    return f"""{VHDL_HEAD}-- {request.title}.
-- Written by `limbtrace library {request.options}`.
--
-- Operands of several products stand side by side, the first product in the low bits. Subprograms are called while a
-- simulation runs, not in declarations that are elaborated before.

library ieee;
use ieee.std_logic_1164.all;

package {name} is

  constant Products : positive := {request.products};

{operands}  subtype result_t is {_vector(tables.result_bits)};

  -- 64 bits.
  type word_t is range -9223372036854775807 - 1 to 9223372036854775807;

  -- All steps of all products.
  type frame_t is array (0 to {tables.source.words - 1}) of word_t;
{constants}
{types}{rows}
{chr(10).join(heads)}
end package {name};

package body {name} is

{chr(10).join(bodies)}
end package body {name};
"""


def _rows(
    tables: LibraryTables, foreign: Callable[[str, str], None], local: Callable[[str, str, str, str], None]
) -> str:
    """The types of a cycle table; its function is given to `local`."""
    width = sum(column.width for column in tables.columns)
    names = vhdl_names([column.identifier for column in tables.columns])
    foreign("row", f"frame : in frame_t; cycle : in integer; value : out {_vector(width)}")
    members, taken, low = "", "", width
    for column, unique in zip(tables.columns, names, strict=True):
        members += f"    {unique} : {_vector(column.width)};\n"
        taken += f"    got.{unique} := value({low - 1} downto {low - column.width});\n"
        low -= column.width
    local(
        "The row of a cycle, counted from 0.", "impure function row(frame : frame_t; cycle : integer) return row_t",
        f"    variable value : {_vector(width)};\n    variable got : row_t;\n",
        f"    c_row(frame, cycle, value);\n{taken}    return got;\n",
    )  # fmt: skip
    return f"""
  constant Cycles : positive := {tables.request.plan.cycles};

  -- Every watched signal in a cycle: a register as it is after the edge that ends the cycle, any other signal as it is
  -- during the cycle; '-' where it does not matter.
  type row_t is record
{members}  end record;
"""


def bridge(tables: LibraryTables) -> str:
    """The functions that GHDL calls."""
    request, name, upper = tables.request, tables.request.name, tables.request.name.upper()
    bits, products, setup = tables.operands, tables.request.products, tables.setup is not None
    formal = "".join(f"const unsigned char *{letter}, " for letter in bits)
    if setup:
        formal += "const uint64_t *constants, "
    passed = ", ".join([*(f"{letter}_words" for letter in bits), *["constants"] * setup])
    arrays = "".join(f"  uint64_t {letter}_words[{products} * {upper}_{letter.upper()}_WORDS];\n" for letter in bits)
    known = " &\n      ".join(
        f"taken({letter} + {width * (products - 1 - k)}, {width}u,"
        f" {letter}_words + {k} * {upper}_{letter.upper()}_WORDS, {upper}_{letter.upper()}_WORDS)"
        for k in range(products)
        for letter, width in bits.items()
    )
    indices = "".join(f"int32_t i{k}, " for k in range(tables.depth))
    widest = max(entry.bits for entry in tables.names)
    text = (
        HEAD
        + f"""/* {request.title}: what VHDL calls in GHDL.
   A std_ulogic is a byte, and the first one of a vector is its highest bit. */
#include <string.h>

#include "{name}.h"

enum {{ LT_X = 1, LT_0 = 2, LT_1 = 3, LT_L = 6, LT_H = 7, LT_DONT_CARE = 8 }};

/* A vector into n 64-bit words; 0 if a bit is neither 0 nor 1. */
static int taken(const unsigned char *from, uint32_t width, uint64_t *to, uint32_t n) {{
  int known = 1;
  for (uint32_t k = 0; k < n; ++k) to[k] = 0;
  for (uint32_t k = 0; k < width; ++k) {{
    const unsigned char bit = from[width - 1 - k];
    if (bit == LT_1 || bit == LT_H) to[k / 64] |= UINT64_C(1) << k % 64;
    else if (bit != LT_0 && bit != LT_L) known = 0;
  }}
  return known;
}}

/* n 64-bit words into a vector; missing ones extend the sign. */
static void given(const uint64_t *from, uint32_t n, int negative, unsigned char *to, uint32_t width) {{
  const uint64_t fill = negative && from[n - 1] >> 63 ? UINT64_MAX : 0;
  for (uint32_t k = 0; k < width; ++k) {{
    const uint64_t word = k / 64 < n ? from[k / 64] : fill;
    to[width - 1 - k] = word >> k % 64 & 1 ? LT_1 : LT_0;
  }}
}}
"""
    )
    if setup:
        text += f"""
void {name}_vhdl_constants(const unsigned char *modulus, uint64_t *constants, unsigned char *known) {{
  uint64_t modulus_words[{upper}_MODULUS_WORDS];
  known[0] = LT_0;
  if (!taken(modulus, {upper}_MODULUS_BITS, modulus_words, {upper}_MODULUS_WORDS)) return;
  if ({name}_constants(modulus_words, constants)) known[0] = LT_1;
}}
"""
    text += f"""
void {name}_vhdl_run({formal}uint64_t *frame, unsigned char *known) {{
{arrays}  known[0] = LT_0;
  if (!({known})) return;
  {name}_run({passed}, frame);
  known[0] = LT_1;
}}

void {name}_vhdl_result(const uint64_t *frame, int32_t product, unsigned char *value) {{
  uint64_t words[{upper}_RESULT_WORDS];
  memset(value, LT_X, {tables.result_bits}u);
  if (product < 0 || !{name}_result(frame, (uint32_t)product, words)) return;
  given(words, {upper}_RESULT_WORDS, 0, value, {tables.result_bits}u);
}}

void {name}_vhdl_step(const uint64_t *frame, int32_t step, {indices}unsigned char *value) {{
  static const uint8_t negative[] = {{{", ".join(str(int(entry.signed)) for entry in tables.names)}}};
  const int32_t subscripts[] = {{{", ".join(f"i{k}" for k in range(tables.depth))}}};
  uint64_t words[{words(widest)}];
  memset(value, LT_X, {widest}u);
  if (!{name}_step(frame, (enum {name}_name)step, subscripts, words)) return;
  given(words, {name}_step_words[step], negative[step], value, {widest}u);
}}
"""
    if products == 1:
        text += f"""
void {name}_vhdl_product({formal}unsigned char *value) {{
{arrays}  uint64_t words[{upper}_RESULT_WORDS];
  memset(value, LT_X, {tables.result_bits}u);
  if (!({known})) return;
  {name}_product({passed}, words);
  given(words, {upper}_RESULT_WORDS, 0, value, {tables.result_bits}u);
}}
"""
    if tables.columns:
        text += f"""
void {name}_vhdl_row(const uint64_t *frame, int32_t cycle, unsigned char *value) {{
  static const uint32_t widths[] = {{{", ".join(f"{column.width}u" for column in tables.columns)}}};
  for (uint32_t signal = 0; signal < {upper}_SIGNALS; ++signal) {{
    uint64_t words[{words(max(column.width for column in tables.columns))}];
    if ({name}_cell(frame, (enum {name}_signal)signal, cycle, words)) {{
      given(words, {name}_signal_words[signal], 0, value, widths[signal]);
    }} else {{
      memset(value, LT_DONT_CARE, widths[signal]);
    }}
    value += widths[signal];
  }}
}}
"""
    return text


def example(tables: LibraryTables) -> str:
    """A testbench that draws operands and checks what the library says of them."""
    request, name = tables.request, example_name(tables)
    m, bits, setup = request.multiplier, tables.operands, tables.setup is not None
    # Where the modulus is drawn, too, operands are in the range of each.
    limits = {letter: ends(m.params.limits["ab".index(letter)])[0] + 1 for letter in bits}
    constants = "".join(f"  constant Limit_{letter} : unsigned := {_hex(limit)};\n" for letter, limit in limits.items())
    variables = "".join(f"    variable {letter} : {letter}_t;\n" for letter in bits)
    draws = "".join(
        f"        {letter}({width} * i + {width - 1} downto {width} * i) :=\n"
        f"          std_logic_vector(resize(drawn({width + 64}) mod Limit_{letter}, {width}));\n"
        for letter, width in bits.items()
    )
    modulus = ""
    if setup:
        variables += "    variable modulus : modulus_t;\n    variable constants : constants_t;\n"
        modulus = """      modulus := std_logic_vector(drawn(ModulusBits));
      modulus(0) := '1';
      modulus(ModulusBits - 1) := '1';
      constants_of(modulus, constants);
"""
    check = ""
    if m.params.domain is not None and not m.model.unary and m.model.has_modulus and m.params.form == CORRECTED:
        constants += f"  constant R : unsigned := {_hex(m.params.domain)};\n"
        if not setup:
            constants += f"  constant Modulus : unsigned := {_hex(m.modulus.modulus)};\n"
        p = "unsigned(modulus)" if setup else "Modulus"
        a, b = (
            f"unsigned({letter}({bits[letter]} * i + {bits[letter] - 1} downto {bits[letter]} * i))" for letter in "ab"
        )
        check = f"""
        -- Another arithmetic: the result times R is congruent to the product of the operands.
        if (unsigned(c) * (R mod {p})) mod {p} /=
            ({a} * {b}) mod {p} then
          wrong := wrong + 1;
        end if;"""
    rows = ""
    if tables.columns:
        variables += "    variable cells : row_t;\n"
        shown = ' & " " & '.join(
            f"to_hstring(cells.{unique})" for unique in vhdl_names([column.identifier for column in tables.columns])
        )
        rows = f"""
      for cycle in 0 to Cycles - 1 loop
        cells := row(frame, cycle);
        if n = 1 then
          report integer'image(cycle) & ": " & {shown};
        end if;
      end loop;"""
    return f"""{VHDL_HEAD}-- Draws operands and shows that the library agrees with the arithmetic of the simulator.

library ieee;
use ieee.math_real.all;
use ieee.numeric_std.all;
use ieee.std_logic_1164.all;

use work.{package_name(tables)}.all;

entity {name} is
end entity {name};

architecture drawing of {name} is
{constants}begin

  process
{variables}    variable frame : frame_t;
    variable c : result_t;
    variable wrong : natural := 0;
    variable seed1, seed2 : positive := 1;

    impure function drawn(bits : positive) return unsigned is
      variable value : unsigned(bits - 1 downto 0);
      variable x : real;
    begin
      for k in value'range loop
        uniform(seed1, seed2, x);
        value(k) := '1' when x < 0.5 else '0';
      end loop;
      return value;
    end function;
  begin
    for n in 1 to 100 loop
{modulus}      for i in 0 to Products - 1 loop
{draws}      end loop;
      run({", ".join(given(tables))}, frame);
      for i in 0 to Products - 1 loop
        c := result(frame, i);{check}
      end loop;{rows}
    end loop;
    report "100 runs of " & integer'image(Products) & " product(s), the last result " & to_hstring(c) & ", "
      & integer'image(wrong) & " wrong";
    assert wrong = 0 report "the library is wrong" severity failure;
    wait;
  end process;

end architecture drawing;
"""


def _hex(value: int) -> str:
    """A literal of unsigned."""
    return f'unsigned\'(x"{value:x}")'
