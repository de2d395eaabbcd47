# SPDX-License-Identifier: Apache-2.0
"""Files of a library from `templates`, in which each looks like the file it becomes."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from limbtrace.vectors.compiled.c import words
from limbtrace.vectors.encoding import hexadecimal
from limbtrace.vectors.library.tables import LibraryTables

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, tables: LibraryTables, **values: Any) -> str:
    """The text of a file. A template knows `tables`, `request`, `name`, PREFIX for names of macros, and `values`."""
    request, name = tables.request, tables.request.name
    known = {"tables": tables, "request": request, "name": name, "PREFIX": name.upper(), **values}
    return _environment().get_template(template).render(known)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # no other command waits for it

    environment = Environment(
        loader=PackageLoader(__package__), autoescape=False, undefined=StrictUndefined, keep_trailing_newline=True,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters.update(
        each=each, entries=entries, hexadecimal=hexadecimal, initializer=initializer, whole=whole, words=words
    )
    return environment


def each(values: Iterable[Any], pattern: str) -> list[str]:
    """Every value in a pattern of `str.format`; of a tuple, {0} is the first item."""
    return [pattern.format(*value) if isinstance(value, tuple) else pattern.format(value) for value in values]


def initializer(values: Iterable[Any]) -> str:
    """An initialiser of C: values in braces, those of tuples and lists in braces of their own, truth as 0 or 1."""
    return f"{{{', '.join(map(_initial, values))}}}"


def _initial(value: Any) -> str:
    if isinstance(value, tuple | list):
        return initializer(value)
    return str(int(value) if isinstance(value, bool) else value)


def entries(values: Iterable[Any], width: int = 112) -> str:
    """The lines between the braces of a long initialiser, several values in each; 0 if there are no values."""
    return ",\n".join(f"  {line}" for line in _filled(map(_initial, values), width)) or "  0"


def _filled(values: Iterable[str], width: int) -> Iterator[str]:
    """Values separated by commas, as many in a line as `width` allows with the indentation of two."""
    line = ""
    for value in values:
        if line and len(line) + len(value) + 4 > width:
            yield line
            line = ""
        line = f"{line}, {value}" if line else value
    if line:
        yield line


def whole(bits: int) -> int:
    """Bits of the whole words of 32 bits that hold them."""
    return 32 * -(-bits // 32)
