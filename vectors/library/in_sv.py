# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog package of a library, the C functions behind it, and an example testbench.

Vectors cross the DPI in whole words of 32 bits, which every simulator passes as pointers to svBitVecVal.
"""

from limbtrace.refmodels.expr import ends
from limbtrace.refmodels.model import CORRECTED
from limbtrace.vectors.compiled.c import words
from limbtrace.vectors.library.in_c import HEAD, given
from limbtrace.vectors.library.tables import LibraryTables

SV_HEAD = "// SPDX-License-Identifier: Apache-2.0\n"


def _whole(bits: int) -> int:
    """Bits of the whole words that hold them."""
    return 32 * -(-bits // 32)


def _packed(bits: int) -> str:
    """The type of a vector on its way through the DPI."""
    return f"bit [{_whole(bits) - 1}:0]"


def _row_bits(tables: LibraryTables) -> int:
    return sum(column.width for column in tables.columns)


def package(tables: LibraryTables) -> str:
    """Types, imports, and functions with the widths of the values."""
    request, name = tables.request, tables.request.name
    bits, products = tables.operands, request.products
    operands = "".join(f"input {_packed(products * width)} {letter}, " for letter, width in bits.items())
    constants = "input longint unsigned constants[ConstantsWords], " if tables.setup is not None else ""
    text = (
        SV_HEAD
        + f"""// {request.title}.
// Written by `limbtrace library {request.options}`.
//
// Operands of several products stand side by side, the first product in the low bits.

package {name}_pkg;

  localparam int unsigned Products = {products};
  localparam int unsigned FrameWords = {tables.source.words};

"""
    )
    if tables.setup is not None:
        text += f"""  localparam int unsigned ModulusBits = {request.bits};
  localparam int unsigned ConstantsWords = {tables.source.operands["constants"]};

  typedef bit [{(request.bits or 0) - 1}:0] modulus_t;

  // All that the functions need of a modulus.
  typedef longint unsigned constants_t[ConstantsWords];

  import "DPI-C" function int {name}_dpi_constants(
    input {_packed(request.bits or 0)} modulus, output longint unsigned constants[ConstantsWords]);

  // The constants of a modulus, which must be odd and have {request.bits} bits.
  function automatic void constants_of(input modulus_t modulus, output constants_t constants);
    if ({name}_dpi_constants({_whole(request.bits or 0)}'(modulus), constants) == 0) begin
      $fatal(1, "%0h is no odd modulus of {request.bits} bits", modulus);
    end
  endfunction

"""
    text += "".join(
        f"  typedef bit [{width - 1}:0] {letter}_t;\n"
        for letter, width in (*bits.items(), ("result", tables.result_bits))
    )
    text += "\n  // All steps of all products.\n  typedef longint unsigned frame_t[FrameWords];\n\n"
    text += "  // Steps by name.\n"
    for entry in tables.names:
        sign = " signed" if entry.signed else ""
        text += f"  typedef bit{sign} [{entry.bits - 1}:0] step_{entry.identifier}_t;\n"
    index = ", ".join(f"input int i{k}" for k in range(tables.depth))
    text += f"""
  import "DPI-C" function void {name}_dpi_run({operands}{constants}output longint unsigned frame[FrameWords]);
  import "DPI-C" function int {name}_dpi_result(
    input longint unsigned frame[FrameWords], input int product, output {_packed(tables.result_bits)} result);
"""
    widest = max(entry.bits for entry in tables.names)
    text += f"""  import "DPI-C" function int {name}_dpi_step(
    input longint unsigned frame[FrameWords], input int step, {index}, output {_packed(widest)} value);
"""
    passed = "".join(f"{_whole(products * width)}'({letter}), " for letter, width in bits.items())
    formal = "".join(f"input bit [{products * width - 1}:0] {letter}, " for letter, width in bits.items())
    if tables.setup is not None:
        passed, formal = f"{passed}constants, ", f"{formal}input constants_t constants, "
    text += f"""
  // Computes all steps.
  function automatic void run({formal}output frame_t frame);
    {name}_dpi_run({passed}frame);
  endfunction

  // The result of a product, counted from 0.
  function automatic result_t result(input frame_t frame, input int product = 0);
    {_packed(tables.result_bits)} value;
    if ({name}_dpi_result(frame, product, value) == 0) $fatal(1, "there is no product %0d", product);
    return result_t'(value);
  endfunction
"""
    if products == 1:
        text += f"""
  // The result of operands in their ranges.
  function automatic result_t product({formal.removesuffix(", ")});
    frame_t frame;
    run({", ".join(given(tables))}, frame);
    return result(frame);
  endfunction
"""
    for k, entry in enumerate(tables.names):
        inputs = "".join(f", input int i{at}" for at in range(entry.subscripts))
        missing = "".join(f", {f'i{at}' if at < entry.subscripts else '0'}" for at in range(tables.depth))
        shown = ", ".join(f"i{at}" for at in range(entry.subscripts))
        places = ", ".join(["%0d"] * entry.subscripts)
        complaint = f'"there is no {entry.identifier}[{places}]"' + (f", {shown}" if shown else "")
        text += f"""
  function automatic step_{entry.identifier}_t step_{entry.identifier}(input frame_t frame{inputs});
    {_packed(widest)} value;
    if ({name}_dpi_step(frame, {k}{missing}, value) == 0) $fatal(1, {complaint});
    return step_{entry.identifier}_t'(value);
  endfunction
"""
    if tables.columns:
        text += _rows(tables)
    return text + f"\nendpackage : {name}_pkg\n"


def _rows(tables: LibraryTables) -> str:
    name, width = tables.request.name, _row_bits(tables)
    members = "".join(f"    bit [{column.width - 1}:0] {column.identifier};\n" for column in tables.columns)
    return f"""
  localparam int unsigned Cycles = {tables.request.plan.cycles};

  // Every watched signal in a cycle: a register as it is after the edge that ends the cycle, any other signal as it is
  // during the cycle.
  typedef struct packed {{
{members}  }} row_t;

  import "DPI-C" function void {name}_dpi_row(
    input longint unsigned frame[FrameWords], input int cycle,
    output {_packed(width)} value, output {_packed(width)} care);

  // The row of a cycle, counted from 0; bits of `care` are 1 where the value counts.
  function automatic void row(input frame_t frame, input int cycle, output row_t value, output row_t care);
    {_packed(width)} v, c;
    {name}_dpi_row(frame, cycle, v, c);
    value = row_t'(v[{width - 1}:0]);
    care = row_t'(c[{width - 1}:0]);
  endfunction
"""


def bridge(tables: LibraryTables) -> str:
    """The functions that a simulator calls."""
    request, name, upper = tables.request, tables.request.name, tables.request.name.upper()
    bits = tables.operands
    operands = "".join(f"const svBitVecVal *{letter}, " for letter in bits)
    arrays = "".join(
        f"  uint64_t {letter}_words[{upper}_PRODUCTS * {upper}_{letter.upper()}_WORDS];\n"
        f"  for (uint32_t k = 0; k < {upper}_PRODUCTS; ++k) {{\n"
        f"    taken({letter}, k * {width}u, {width}u, {letter}_words + k * {upper}_{letter.upper()}_WORDS,"
        f" {upper}_{letter.upper()}_WORDS);\n  }}\n"
        for letter, width in bits.items()
    )
    setup, passed = "", ", ".join(f"{letter}_words" for letter in bits)
    if tables.setup is not None:
        operands, passed = f"{operands}const uint64_t *constants, ", f"{passed}, constants"
        setup = f"""int {name}_dpi_constants(const svBitVecVal *modulus, uint64_t *constants) {{
  uint64_t modulus_words[{upper}_MODULUS_WORDS];
  taken(modulus, 0, {upper}_MODULUS_BITS, modulus_words, {upper}_MODULUS_WORDS);
  return {name}_constants(modulus_words, constants);
}}

"""
    indices = ", ".join(f"int i{k}" for k in range(tables.depth))
    widest = max(entry.bits for entry in tables.names)
    text = (
        HEAD
        + f"""/* {request.title}: what SystemVerilog calls. */
#include <stddef.h>

#include <svdpi.h>

#include "{name}.h"

#ifdef __cplusplus
extern "C" {{
#endif

/* Bits from `low` on, `width` of them, into n 64-bit words. */
static void taken(const svBitVecVal *from, uint32_t low, uint32_t width, uint64_t *to, uint32_t n) {{
  for (uint32_t k = 0; k < n; ++k) to[k] = 0;
  for (uint32_t k = 0; k < width;) {{
    const uint32_t at = low + k;
    uint32_t count = width - k;
    if (count > 32 - at % 32) count = 32 - at % 32;
    if (count > 64 - k % 64) count = 64 - k % 64;
    const uint64_t part = from[at / 32] >> at % 32 & (UINT32_MAX >> (32 - count));
    to[k / 64] |= part << k % 64;
    k += count;
  }}
}}

/* 64-bit words into `bits` bits, rounded up to whole words of 32 bits; missing ones extend the sign. */
static void given(const uint64_t *from, uint32_t n, int negative, svBitVecVal *to, uint32_t bits) {{
  const uint64_t fill = negative && from[n - 1] >> 63 ? UINT64_MAX : 0;
  for (uint32_t k = 0; k < (bits + 31) / 32; ++k) {{
    const uint64_t word = k / 2 < n ? from[k / 2] : fill;
    to[k] = (svBitVecVal)(k % 2 ? word >> 32 : word & UINT32_MAX);
  }}
}}

{setup}void {name}_dpi_run({operands}uint64_t *frame) {{
{arrays}  {name}_run({passed}, frame);
}}

int {name}_dpi_result(const uint64_t *frame, int product, svBitVecVal *result) {{
  uint64_t words[{upper}_RESULT_WORDS] = {{0}};
  const int there = product >= 0 && {name}_result(frame, (uint32_t)product, words);
  given(words, {upper}_RESULT_WORDS, 0, result, {tables.result_bits}u);
  return there;
}}

int {name}_dpi_step(const uint64_t *frame, int step, {indices}, svBitVecVal *value) {{
  static const uint8_t negative[] = {{{", ".join(str(int(entry.signed)) for entry in tables.names)}}};
  const int32_t subscripts[] = {{{", ".join(f"i{k}" for k in range(tables.depth))}}};
  uint64_t words[{words(widest)}] = {{0}};
  const int known = step >= 0 && step < {upper}_NAMES;
  const int there = known && {name}_step(frame, (enum {name}_name)step, subscripts, words);
  given(words, known ? {name}_step_words[step] : 1, known && negative[step], value, {widest}u);
  return there;
}}
"""
    )
    if tables.columns:
        widest_signal = max(column.width for column in tables.columns)
        widths = ", ".join(f"{column.width}u" for column in tables.columns)
        text += f"""
void {name}_dpi_row(const uint64_t *frame, int cycle, svBitVecVal *value, svBitVecVal *care) {{
  static const uint32_t widths[] = {{{widths}}};
  uint32_t at = {_row_bits(tables)}u;
  for (uint32_t k = 0; k < {-(-_row_bits(tables) // 32)}u; ++k) value[k] = care[k] = 0;
  for (uint32_t signal = 0; signal < {upper}_SIGNALS; ++signal) {{
    uint64_t words[{words(widest_signal)}];
    const int cares = {name}_cell(frame, (enum {name}_signal)signal, cycle, words);
    at -= widths[signal];  /* the first signal is in the high bits */
    for (uint32_t k = 0; cares && k < widths[signal]; ++k) {{
      care[(at + k) / 32] |= (svBitVecVal)1 << (at + k) % 32;
      value[(at + k) / 32] |= (svBitVecVal)(words[k / 64] >> k % 64 & 1) << (at + k) % 32;
    }}
  }}
}}
"""
    return (
        text
        + """
#ifdef __cplusplus
}
#endif
"""
    )


def example(tables: LibraryTables) -> str:
    """A testbench that draws operands and checks what the library says of them."""
    request, name = tables.request, tables.request.name
    m, bits, products = request.multiplier, tables.operands, request.products
    # Where the modulus is drawn, too, operands are in the range of each.
    limits = {letter: ends(m.params.limits["ab".index(letter)])[0] for letter in bits}
    drawn = "".join(
        f"        for (int k = 0; k < {-(-width // 32)}; ++k) {letter}_drawn[32*k +: 32] = $urandom();\n"
        f"        {letter}[{width}*i +: {width}] = {width}'({letter}_drawn % {64 + width}'h{limits[letter] + 1:x});\n"
        for letter, width in bits.items()
    )
    declared = "".join(
        f"  bit [{products * width - 1}:0] {letter};\n  bit [{width + 63}:0] {letter}_drawn;\n"
        for letter, width in bits.items()
    )
    setup = ""
    if tables.setup is not None:
        declared = f"  modulus_t modulus;\n  constants_t constants;\n{declared}"
        setup = """      for (int k = 0; k < ModulusBits; ++k) modulus[k] = 1'($urandom());
      modulus[0] = 1;
      modulus[ModulusBits - 1] = 1;
      constants_of(modulus, constants);
"""
    check, wide = "", ""
    if m.params.domain is not None and not m.model.unary and m.model.has_modulus and m.params.form == CORRECTED:
        size = m.params.domain.bit_length() + tables.result_bits + sum(bits.values()) + 2
        wide = f"  localparam bit [{size - 1}:0] R = {size}'h{m.params.domain:x};\n"
        if tables.setup is None:
            wide += f"  localparam bit [{size - 1}:0] Modulus = {size}'h{m.modulus.modulus:x};\n"
            modulus = "Modulus"
        else:
            modulus = f"{size}'(modulus)"
        check = f"""
        // Another arithmetic: the result times R is congruent to the product of the operands.
        if ((({size}'(c) % {modulus}) * (R % {modulus})) % {modulus} != ({size}'(a[{bits["a"]}*i +: {bits["a"]}])
            * {size}'(b[{bits["b"]}*i +: {bits["b"]}])) % {modulus}) begin
          $display("product %0d: %h * %h is not %h", n, a[{bits["a"]}*i +: {bits["a"]}],
                   b[{bits["b"]}*i +: {bits["b"]}], c);
          ++wrong;
        end"""
    rows = ""
    if tables.columns:
        rows = """
      for (int cycle = 0; n == 0 && cycle < Cycles; ++cycle) begin
        row(frame, cycle, value, care);
        $display("cycle %0d: %h, known %h", cycle, value, care);
      end"""
    return (
        SV_HEAD
        + f"""// Draws operands and shows that the library agrees with the arithmetic of the simulator.

module {name}_example;

  import {name}_pkg::*;

{wide}{declared}  frame_t frame;
  result_t c;
{"  row_t value, care;" if tables.columns else ""}
  int unsigned wrong;

  initial begin
    for (int n = 0; n < 1000; ++n) begin
{setup}      for (int i = 0; i < {products}; ++i) begin
{drawn}      end
      run({", ".join(given(tables))}, frame);
      for (int i = 0; i < {products}; ++i) begin
        c = result(frame, i);{check}
      end{rows}
    end
    $display("1000 runs of %0d product(s), the last result %h, %0d wrong", Products, c, wrong);
    if (wrong != 0) $fatal(1, "the library is wrong");
    $finish;
  end

endmodule
"""
    )
