# SPDX-License-Identifier: Apache-2.0
"""Common parts of the commands: options, many of them from queries, exit codes, and output."""

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field
from pathlib import Path
from typing import Any, TypeVar

import click

from limbtrace.vectors.files import write_file
from limbtrace.vectors.options import DrawnQuery, Option, PrimeQuery, Query, SettingsQuery

MISMATCH, WRONG, FAILED, UNDECIDED = 1, 2, 3, 4
"""Exit codes; UNDECIDED: neither a proof nor a fault was found."""

_F = TypeVar("_F", bound=Callable[..., Any])


def asks(query: type[Query], *required: str) -> Callable[[_F], Callable[..., Any]]:
    """Adds the arguments and options of a query to a command, whose first parameter `asked` receives the query.

    `required` names options that this command requires although the query does not.
    """

    def decorate(command: _F) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            asked = query(**{entry.name: given.pop(entry.name) for entry, _ in query.options()})
            return command(asked=asked, **given)

        return options(query, *required)(run)

    return decorate


def options(query: type[Query], *required: str) -> Callable[[_F], _F]:
    """Adds the arguments and options of a query to a command, which receives each of them by name."""

    def decorate(command: _F) -> _F:
        for entry, option in reversed(list(query.options())):
            command = _declared(entry, option, entry.name in required)(command)
        return command

    return decorate


def _declared(entry: Field[Any], option: Option, required: bool) -> Callable[[_F], _F]:
    if not option.help:
        return click.argument(entry.name, cls=_Subject)
    name = f"--{option.flag or entry.name}"
    if option.metavar is None:
        return click.option(name, entry.name, is_flag=True, help=option.help)
    if entry.default == ():
        return click.option(name, entry.name, multiple=True, metavar=option.metavar, help=option.help)
    if required or entry.default is MISSING:
        return click.option(name, entry.name, required=True, metavar=option.metavar, help=option.help)
    return click.option(name, entry.name, default=entry.default, metavar=option.metavar, help=option.help)


class _Subject(click.Argument):
    """The model or core of a command; if it is missing, the error lists those that take the modulus and the radix."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """See click. Raises ParameterError."""
        if self.value_is_missing(value) and self.name in ("model", "core") and not ctx.resilient_parsing:
            from limbtrace.vectors.catalogue.fitting import not_named  # which loads every model

            asked = (ctx.params.get(name) for name in ("prime", "radix"))
            raise not_named(self.name, *asked)[0]
        return super().process_value(ctx, value)


class _ModulusOptions(SettingsQuery, PrimeQuery):
    """--prime, --radix and --set."""


modulus_options = options(_ModulusOptions)
"""--prime, --radix and --set of every command about a core."""
set_options = options(DrawnQuery)
"""--count, --seed and --kind of drawn operands; None if not given, since operands may be given instead."""


def format_option(names: Iterable[str]) -> Callable[[_F], _F]:
    names = list(names)
    return click.option("--format", "form", type=click.Choice(names), default=names[0], show_default=True)


output_option = click.option("-o", "--output", type=click.Path(path_type=Path), help="File instead of standard output.")


def emit(chunks: Iterable[bytes], output: Path | None) -> None:
    """Writes chunks to a file (completely or not at all) or to standard output."""
    if output is not None:
        write_file(output, chunks)
        return
    for chunk in chunks:
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document.")


def table(rows: Iterable[Sequence[str]]) -> str:
    """Cells in columns, for people."""
    rows = [list(row) for row in rows]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]) - 1)]
    return "".join(
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip() + "\n"
        for row in rows
    )
