# SPDX-License-Identifier: Apache-2.0
"""A vector set as a package of SystemVerilog or VHDL: a record for each case, for testbenches that read no files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import IO, Any

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.format import Format
from limbtrace.vectors.representations import digit_vectors
from limbtrace.vectors.sets.cases import Case
from limbtrace.vectors.sets.in_memory import MemoryFile, memory_list
from limbtrace.vectors.sets.layout import LineTemplate
from limbtrace.vectors.sets.read import VectorReader, json_object, read_head, text_lines, until_end
from limbtrace.vectors.sets.vector_set import Digest, VectorSet
from limbtrace.vectors.sets.write import digested, end
from limbtrace.vectors.validation import DamagedFileError

MOST_CASES = 65_536
"""Most cases of a package: a compiler holds all of them."""


def check(vectors: VectorSet) -> None:
    """Raises ParameterError for a set that no package can hold."""
    if vectors.request.checkpoints:
        raise ParameterError("checkpoints", "a package holds no checkpoints; json, ndjson and csv do")
    if vectors.request.count > MOST_CASES:
        limit = f"a package has at most {MOST_CASES} cases; readmemh, coe, mif and raw have no such limit"
        raise ParameterError("count", limit)


@dataclass(frozen=True)
class Language:
    """The format of a package. In each text, %-names are `package`, `count`, `last`, `fields` and `modulus`."""

    name: str
    extension: str
    comment: str
    opening: str
    closing: str
    field: str
    """Declaration of a field of the record, with `name`, `bits` and `high`."""
    literal: str
    """A number, with `bits` and `digits`."""
    entry: str
    """A case, with `comma`, which is empty for the first one, `number` and `values`."""
    value: str
    """A field of a case, with `name` and `literal`."""
    whole_digits: bool
    """True if a literal has as many bits as its hexadecimal digits."""

    def bits(self, bits: int) -> int:
        return -(-bits // 4) * 4 if self.whole_digits else bits

    def number(self, bits: int, digits: str) -> str:
        """A literal of a field of so many bits, from hexadecimal digits."""
        return self.literal.format(bits=self.bits(bits), digits=digits.rjust(-(-bits // 4), "0"))


SYSTEMVERILOG = Language(
    name="sv",
    extension="sv",
    comment="//",
    opening="""\
package %(package)s;

  localparam int Count = %(count)d;
  localparam logic [%(high)d:0] Modulus = %(modulus)s;

  typedef struct packed {
%(fields)s
  } product_t;

  // Case `number`, from 0 to Count - 1; unknown for any other number.
  function automatic product_t product(input int number);
    case (number)
""",
    closing="""\
      default: product = 'x;
    endcase
  endfunction

endpackage
""",
    field="    logic [{high}:0] {name};",
    literal="{bits}'h{digits}",
    entry="      {number}: product = {{{values}}};",
    value="{literal}",
    whole_digits=False,
)
VHDL = Language(
    name="vhdl",
    extension="vhd",
    comment="--",
    opening="""\
library ieee;
use ieee.std_logic_1164.all;

package %(package)s is

  constant COUNT : positive := %(count)d;
  constant MODULUS : std_logic_vector(%(high)d downto 0) := %(modulus)s;

  type product_t is record
%(fields)s
  end record;

  type products_t is array (natural range <>) of product_t;

  constant PRODUCTS : products_t(0 to %(last)d) := (
""",
    closing="""\
  );

end package;
""",
    field="    {name} : std_logic_vector({high} downto 0);",
    literal='x"{digits}"',
    entry="    {comma}{number} => ({values})",
    value="{name} => {literal}",
    whole_digits=True,
)
LANGUAGES = (SYSTEMVERILOG, VHDL)

_LITERAL = re.compile(r"""(?:'h|x")([0-9a-fA-F]+)""")


def package_name(vectors: VectorSet) -> str:
    """The name of the package: model and prime; for a modulus without a name its bits and the id of the set."""
    multiplier = vectors.request.multiplier
    modulus = multiplier.modulus
    text = f"{multiplier.model.id}_{modulus.name or f'{modulus.bits}_bits_{vectors.request.id[:8]}'}_vectors"
    return re.sub(r"[^0-9a-z]+", "_", text.lower())


def _numbers(vectors: VectorSet) -> list[MemoryFile]:
    """The fields of a record: numbers, the residue, and digits."""
    modulus = vectors.request.multiplier.modulus.modulus
    files = memory_list(vectors)
    at = next(number for number, file in enumerate(files) if file.field == "result") + 1
    bits = max((modulus - 1).bit_length(), 1) if modulus else files[at - 1].bits
    return [*files[:at], MemoryFile("residue", bits), *files[at:]]


def _layout(language: Language, fields: list[MemoryFile]) -> LineTemplate:
    """A line for each case: its fields as literals, and a comment with the rest."""
    numbers = [field for field in fields if field.form is None]
    digits = [field for field in fields if field.form is not None]

    def literals(vectors: dict[str, dict[str, list[int]]]) -> str:
        words = (language.number(file.bits, f"{file.word(vectors):x}") for file in digits)
        named = zip(digits, words, strict=True)
        return "".join(f", {language.value.format(name=file.stem, literal=word)}" for file, word in named)

    write = {
        file.field: partial(_named, language, file) for file in numbers
    } | {"flags": lambda flags: dump(list(flags)), "comment": dump, "digits": literals}  # fmt: skip
    values = ", ".join(["%s"] * len(numbers)) + ("%s" if digits else "")
    text = values + '\t{"id":"%s","flags":%s,"comment":%s}\n'
    names = (*(file.field for file in numbers), *(["digits"] if digits else []), "id", "flags", "comment")
    return LineTemplate(text, names, write)


def _named(language: Language, file: MemoryFile, digits: str) -> str:
    return language.value.format(name=file.stem, literal=language.number(file.bits, digits))


def _opening(vectors: VectorSet, language: Language, fields: list[MemoryFile]) -> str:
    """The text between the head and the first case."""
    cases, modulus = vectors.request.count, vectors.request.multiplier.modulus
    sizes = [(file.stem, language.bits(file.bits)) for file in fields]
    bits = max(modulus.bits, 1)
    return language.opening % {
        "package": package_name(vectors),
        "count": cases,
        "last": cases - 1,
        "fields": "\n".join(language.field.format(name=name, high=size - 1) for name, size in sizes),
        "high": language.bits(bits) - 1,
        "modulus": language.number(bits, f"{modulus.modulus:x}"),
    }


def _line(language: Language, number: int, text: str) -> str:
    """The line of a case from its text in the layout."""
    values, _, rest = text.partition("\t")
    entry = language.entry.format(comma=", " if number else "", number=number, values=values)
    return f"{entry} {language.comment} {rest}"


def write(vectors: VectorSet, language: Language) -> Iterator[bytes]:
    """The chunks of the file."""
    digest, fields = Digest(vectors), _numbers(vectors)
    yield f"{language.comment} {dump({**vectors.head, 'group': vectors.group})}\n".encode()
    yield _opening(vectors, language, fields).encode()
    number = count()
    for chunk in digested(vectors, digest, _layout(language, fields)):
        lines = chunk.decode().splitlines(keepends=True)
        yield "".join(_line(language, next(number), line) for line in lines).encode()
    yield language.closing.encode()
    yield f"{language.comment} {dump(end(vectors, digest))}\n".encode()


def read(stream: IO[bytes], language: Language) -> VectorReader:
    """A vector set from a package. Raises DamagedFileError."""
    lines, prefix = text_lines(stream), f"{language.comment} "
    head = read_head(lines, prefix)

    def entries() -> Iterator[tuple[str, Case]]:
        vectors = VectorSet(reader.request)
        fields = _numbers(vectors)
        opening = _opening(vectors, language, fields).splitlines(keepends=True)
        closing, number = language.closing.splitlines(keepends=True), 0
        for line_number, line in until_end(lines, prefix, lambda: reader):
            place = f"line {line_number}"
            if not opening and number < reader.request.count:
                yield place, _case(reader, language, fields, number, line, place)
                number += 1
            elif not (frame := opening or closing) or line != frame.pop(0):
                raise DamagedFileError(place, "a package of this set has something else here: it was edited")
        if closing and number == reader.request.count:
            raise DamagedFileError("the end", "the package is not closed: the file was cut short")

    reader = VectorReader(head, head["group"], entries())
    return reader


def _case(
    reader: VectorReader, language: Language, fields: list[MemoryFile], number: int, line: str, place: str
) -> Case:
    """The case of a line. Raises DamagedFileError."""
    values, _, comment = line.partition(f" {language.comment} ")
    words = _LITERAL.findall(values)
    if len(words) != len(fields):
        raise DamagedFileError(place, f"this is not case {number} with its {len(fields)} numbers")
    rest = json_object(comment, place)
    if surplus := {*rest} - {"id", "flags", "comment"}:
        raise DamagedFileError(place, f"its comment has {shown(min(surplus))}")
    named = {file.field: f"0x{word}" for file, word in zip(fields, words, strict=True) if file.form is None}
    absent: dict[str, Any] = {"b": "0x0"} if reader.multiplier.model.chain is None else {"checkpoints": []}
    case = reader.case({**absent, **rest, **named}, place)
    texts: dict[str, Any] = {name: f"{getattr(case, name):x}" for name in named}
    texts |= {"id": case.id, "flags": case.flags, "comment": case.comment}
    layout = _layout(language, fields)
    if "digits" in layout.fields:
        texts["digits"] = digit_vectors(reader.multiplier, *reader.written(case, place))
    if line != _line(language, number, layout.one(texts)):
        raise DamagedFileError(place, "this is not how the case is written: something was edited")
    return case


def _recognises(language: Language, start: bytes) -> bool:
    return start.startswith(f"{language.comment} {{".encode())


FORMATS = [
    Format(
        language.name,
        "text/plain",
        language.extension,
        partial(write, language=language),
        partial(read, language=language),
        partial(_recognises, language),
        check=check,
    )
    for language in LANGUAGES
]
