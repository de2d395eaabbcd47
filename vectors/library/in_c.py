# SPDX-License-Identifier: Apache-2.0
"""The C sources of a library: header, program with its tables, and an example."""

from collections.abc import Iterable
from importlib.resources import files

from limbtrace.vectors.compiled.c import Place, ProgramText, limbs, words
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.library.tables import LibraryTables

HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n"


def text_of(name: str) -> str:
    """A file of this folder."""
    return files(__package__).joinpath(name).read_text()


def array(values: Iterable[str], width: int = 112) -> str:
    """The entries of an initialiser, several in a line."""
    lines, line = [], ""
    for value in values:
        if line and len(line) + len(value) + 2 > width:
            lines.append(line)
            line = ""
        line = f"{line}, {value}" if line else f"  {value}"
    return ",\n".join([*lines, line]) if lines or line else "  0"


def operand_words(tables: LibraryTables) -> dict[str, int]:
    """a and b, as far as the model has them -> 64-bit words of each product's."""
    return {letter: words(bits) for letter, bits in tables.operands.items()}


def given(tables: LibraryTables) -> list[str]:
    """The operands, and the constants where the modulus is not known."""
    return [*tables.operands, *["constants"] * (tables.setup is not None)]


def arguments(tables: LibraryTables) -> str:
    """What `given` names, as parameters of a C function."""
    return ", ".join(f"const uint64_t *{name}" for name in given(tables))


def header(tables: LibraryTables) -> str:
    """What a user includes."""
    request, source, m = tables.request, tables.source, tables.request.multiplier
    name, upper = request.name, request.name.upper()
    operands = operand_words(tables)
    ranges = {letter: m.model.operands[letter] for letter in (*operands, "result") if letter in m.model.operands}
    said = "".join(f"\n   {letter}: {text}" for letter, text in ranges.items())
    if tables.setup is not None:
        said += "\n   The modulus, in these ranges too, is that of the constants."
    sizes = {"PRODUCTS": request.products}
    if request.bits is not None:
        sizes |= {"MODULUS_BITS": request.bits, "MODULUS_WORDS": words(request.bits)}
        sizes |= {"CONSTANTS_WORDS": source.operands["constants"]}
    sizes |= {
        **{f"{letter.upper()}_WORDS": count for letter, count in operands.items()},
        "RESULT_WORDS": words(tables.result_bits),
        "FRAME_WORDS": source.words,
        "SUBSCRIPTS": tables.depth,
    }
    text = (
        HEAD
        + f"""/* {request.title}.
   Written by `limbtrace library {request.options}`.

   Numbers are 64-bit words, low word first. Operands of several products stand one after the other. Ranges:{said}
   Every function is free of state, allocates nothing and may be called by several threads. */
#ifndef {upper}_H
#define {upper}_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

"""
    )
    text += "".join(f"#define {upper}_{key} {value}\n" for key, value in sizes.items())
    text += f"""
/* Names of steps, in the order of the paper. */
enum {name}_name {{
"""
    text += "".join(f"  {upper}_STEP_{entry.identifier} = {k},\n" for k, entry in enumerate(tables.names))
    text += f"  {upper}_NAMES = {len(tables.names)}\n}};\n\n"
    text += "/* 64-bit words of the steps of each name; those that may be negative are in two's complement. */\n"
    text += f"static const uint32_t {name}_step_words[] = {{\n"
    text += array(f"{words(entry.bits)}" for entry in tables.names) + "\n};\n"
    if tables.setup is not None:
        text += f"""
/* What the functions below need of a modulus: {upper}_MODULUS_WORDS words into {upper}_CONSTANTS_WORDS words.
   Returns 0, and writes nothing, for a modulus that is even or has not exactly {request.bits} bits. */
int {name}_constants(const uint64_t *modulus, uint64_t *constants);
"""
    text += f"""
/* Computes all steps of {request.products} product(s) into `frame`, {upper}_FRAME_WORDS words. */
void {name}_run({arguments(tables)}, uint64_t *frame);

/* The result of a product, {upper}_RESULT_WORDS words; products are counted from 0. Returns 0 where there is none. */
int {name}_result(const uint64_t *frame, uint32_t product, uint64_t *result);

/* A step by name and subscripts, {upper}_SUBSCRIPTS of them, missing ones 0; as many words as {name}_step_words says.
   Returns 0 where there is no such step. */
int {name}_step(const uint64_t *frame, enum {name}_name step, const int32_t *subscripts, uint64_t *value);
"""
    if request.products == 1:
        text += f"""
/* The result alone, of operands in their ranges. */
void {name}_product({arguments(tables)}, uint64_t *result);
"""
    if tables.columns:
        text += f"""
/* The cycle table of the core: signals, and the cycles from the start of the first product on. */
#define {upper}_CYCLES {request.plan.cycles}
enum {name}_signal {{
"""
        text += "".join(f"  {upper}_SIGNAL_{entry.identifier} = {k},\n" for k, entry in enumerate(tables.columns))
        text += f"  {upper}_SIGNALS = {len(tables.columns)}\n}};\n"
        text += f"static const uint32_t {name}_signal_words[] = {{\n"
        text += array(f"{words(entry.width)}" for entry in tables.columns) + "\n};\n"
        text += f"""
/* A signal in a cycle, counted from 0, as many words as {name}_signal_words says. Returns 0 for don't care. */
int {name}_cell(const uint64_t *frame, enum {name}_signal signal, int64_t cycle, uint64_t *value);
"""
    return text + f"""
#ifdef __cplusplus
}}
#endif

#endif /* {upper}_H */
"""  # fmt: skip


def program(tables: LibraryTables) -> str:
    """The functions of the header."""
    request, source, name = tables.request, tables.source, tables.request.name
    upper, operands = name.upper(), operand_words(tables)
    steps, cells = tables.steps, tables.cells if tables.columns else []
    results = tables.results
    text = HEAD + f'/* {request.title}. */\n#include "{name}.h"\n\n#include <stddef.h>\n\n{limbs()}\n{source.text}\n'
    if tables.setup is not None:
        text += _constants(tables, tables.setup)
    text += (
        f"#define LT_FRAME_WORDS {source.words}u\n#define LT_STEPS {len(steps)}u\n#define LT_DEPTH {tables.depth}u\n"
    )
    text += "static const uint64_t lt_constants[] = {\n"
    text += array(f"UINT64_C({hexadecimal(word)})" for word in tables.constants or [0]) + "\n};\n"
    text += "static const struct { uint32_t at; uint16_t words; uint8_t negative; } lt_values[] = {\n"
    text += array(f"{{{at}, {count}, {int(signed)}}}" for at, count, signed in tables.values) + "\n};\n"
    text += "static const struct { uint32_t name; int32_t index[LT_DEPTH]; uint32_t value; } lt_steps[] = {\n"
    text += array(f"{{{k}, {{{', '.join(map(str, index))}}}, {value}}}" for k, index, value in steps) + "\n};\n\n"
    text += text_of("library.c")
    pointers = [f"{letter} + {k * count}" for k in range(request.products) for letter, count in operands.items()]
    pointers += given(tables)[len(operands) :]
    text += f"""
void {name}_run({arguments(tables)}, uint64_t *frame) {{
  const uint64_t *const operands[] = {{{", ".join(pointers)}}};
  lt_run(operands, frame);
}}

int {name}_result(const uint64_t *frame, uint32_t product, uint64_t *result) {{
  static const uint32_t numbers[] = {{{", ".join(map(str, results))}}};
  if (product >= {upper}_PRODUCTS) return 0;
  for (uint32_t k = 0; k < {upper}_RESULT_WORDS; ++k) result[k] = lt_value(frame, numbers[product], k);
  return 1;
}}

int {name}_step(const uint64_t *frame, enum {name}_name step, const int32_t *subscripts, uint64_t *value) {{
  return lt_step(frame, (uint32_t)step, subscripts, value, {name}_step_words[step]);
}}
"""
    if request.products == 1:
        text += f"""
void {name}_product({arguments(tables)}, uint64_t *result) {{
  {_kept(source)}uint64_t frame[{upper}_FRAME_WORDS];
  {name}_run({", ".join(given(tables))}, frame);
  (void){name}_result(frame, 0, result);
}}
"""
    if cells:
        firsts = [next(k for k, part in enumerate(tables.parts) if part[0] == column) for column in
                  range(len(tables.columns))]  # fmt: skip
        text += f"\n#define LT_CYCLES {len(cells)}\n"
        text += "static const struct { uint32_t low, width; } lt_parts[] = {\n"
        text += array(f"{{{low}, {width}}}" for _, low, width in tables.parts) + "\n};\n"
        text += "static const struct { uint32_t first; } lt_columns[] = {\n"
        text += array(f"{{{first}}}" for first in [*firsts, len(tables.parts)]) + "\n};\n"
        text += f"static const int32_t lt_cells[LT_CYCLES][{len(tables.parts)}] = {{\n"
        text += array(f"{{{', '.join(map(str, row))}}}" for row in cells) + "\n};\n"
        text += text_of("cells.c")
        text += f"""
int {name}_cell(const uint64_t *frame, enum {name}_signal signal, int64_t cycle, uint64_t *value) {{
  for (uint32_t k = 0; k < {name}_signal_words[signal]; ++k) value[k] = 0;
  return lt_cell(frame, (uint32_t)signal, cycle, value, 0);
}}
"""
    return text


def _kept(source: ProgramText) -> str:
    """Where a function keeps a frame of its own: on the stack, as far as that has room for it."""
    return "" if source.words <= 8192 else "LT_THREAD_LOCAL "


def _constants(tables: LibraryTables, setup: ProgramText) -> str:
    """The function that makes constants of a modulus."""
    request, name, upper = tables.request, tables.request.name, tables.request.name.upper()
    places = [place for place in setup.steps if isinstance(place, Place)]
    top = (request.bits or 0) - 1
    return f"""{setup.text}
int {name}_constants(const uint64_t *modulus, uint64_t *constants) {{
  static const struct {{ uint32_t at, words; }} places[] = {{
{array(f"{{{place.word}, {place.words}}}" for place in places)}
  }};
  {_kept(setup)}uint64_t frame[{setup.words}];
  const uint64_t *const operands[] = {{modulus}};
  if (modulus[0] % 2 == 0 || modulus[{upper}_MODULUS_WORDS - 1] >> {top % 64} != 1) return 0;
  lt_setup(operands, frame);
  for (uint32_t k = 0; k < {len(places)}; ++k) {{
    for (uint32_t word = 0; word < places[k].words; ++word) *constants++ = frame[places[k].at + word];
  }}
  return 1;
}}

"""


def example(tables: LibraryTables) -> str:
    """A program that multiplies the operands of its command line and shows every step."""
    name, upper = tables.request.name, tables.request.name.upper()
    operands, first = operand_words(tables), 1 + (tables.setup is not None)
    complaint = "is no hexadecimal number, or too long"
    reads = "".join(
        f"  uint64_t {letter}[{upper}_PRODUCTS * {upper}_{letter.upper()}_WORDS] = {{0}};\n"
        f"  for (int k = 0; k < {upper}_PRODUCTS; ++k) {{\n"
        f"    if (!parsed(argv[{first} + {len(operands)} * k + {place}], {letter} + k * {upper}_{letter.upper()}_WORDS,"
        f" {upper}_{letter.upper()}_WORDS)) {{\n"
        f'      fprintf(stderr, "{letter} {complaint}\\n");\n'
        "      return 2;\n    }\n  }\n"
        for place, letter in enumerate(operands)
    )
    setup, modulus, needed = "", "", f"{len(operands)} operands of each product are needed"
    if tables.setup is not None:
        needed, modulus = f"a modulus and {needed}", "a modulus, and "
        setup = f"""  uint64_t modulus[{upper}_MODULUS_WORDS] = {{0}}, constants[{upper}_CONSTANTS_WORDS];
  if (!parsed(argv[1], modulus, {upper}_MODULUS_WORDS)) {{
    fprintf(stderr, "modulus {complaint}\\n");
    return 2;
  }}
  if (!{name}_constants(modulus, constants)) {{
    fprintf(stderr, "modulus is even, or has not {tables.request.bits} bits\\n");
    return 2;
  }}
"""
    return (
        HEAD
        + f"""/* Multiplies: takes {modulus}hexadecimal operands, {" ".join(operands)} of each product. */
#include <stdio.h>
#include <string.h>

#include "{name}.h"

static uint64_t frame[{upper}_FRAME_WORDS];

/* A hexadecimal number into n words; 0 where it is none, or too long. */
static int parsed(const char *text, uint64_t *value, size_t n) {{
  size_t digits = strlen(text);
  if (digits == 0 || digits > 16 * n) return 0;
  for (size_t k = 0; k < digits; ++k) {{
    const char *const all = "0123456789abcdef";
    const char *const found = strchr(all, text[digits - 1 - k]);
    if (found == NULL) return 0;
    value[k / 16] |= (uint64_t)(found - all) << 4 * (k % 16);
  }}
  return 1;
}}

static void shown(const uint64_t *value, uint32_t n) {{
  while (n > 1 && value[n - 1] == 0) --n;
  printf("%llx", (unsigned long long)value[n - 1]);
  while (--n > 0) printf("%016llx", (unsigned long long)value[n - 1]);
  printf("\\n");
}}

int main(int argc, char **argv) {{
  if (argc != {first} + {len(operands)} * {upper}_PRODUCTS) {{
    fprintf(stderr, "{needed}\\n");
    return 2;
  }}
{setup}{reads}  {name}_run({", ".join(given(tables))}, frame);
  for (uint32_t k = 0; k < {upper}_PRODUCTS; ++k) {{
    uint64_t result[{upper}_RESULT_WORDS];
    (void){name}_result(frame, k, result);
    shown(result, {upper}_RESULT_WORDS);
  }}
  return 0;
}}
"""
    )
