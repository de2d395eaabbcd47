# SPDX-License-Identifier: Apache-2.0
"""Query strings of forms as the queries of `limbtrace.vectors.options`, and the same request as lines to copy."""

import shlex
from collections.abc import Sequence
from dataclasses import MISSING
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from limbtrace.refmodels.errors import ParameterError
from limbtrace.service.http.responses import Exchange
from limbtrace.vectors.options import Query

_Q = TypeVar("_Q", bound=Query)

FormFields = Sequence[tuple[str, str]]
"""Names and values of a form in their order, without the empty ones."""


class ShownCommand(NamedTuple):
    """A line to copy."""

    label: str
    text: str


def fields(here: Exchange) -> list[tuple[str, str]]:
    """Fields of a form; one that was left empty counts as not given."""
    items = ((name, value.strip()) for name, value in here.request.query_params.multi_items())
    return [(name, value) for name, value in items if value]


def read(query: type[_Q], given: FormFields) -> _Q:
    """The query of a form, in which `set` holds any number of NAME=VALUE. Raises ParameterError as the routes do."""
    named = {option.flag or entry.name: entry for entry, option in query.options()}
    values: dict[str, Any] = {}
    others: list[str] = []
    for name, value in given:
        if name == "set":
            others += value.split()
        elif name not in named:
            others.append(f"{name}={value}")
        elif named[name].default == ():
            values.setdefault(named[name].name, []).append(value)
        elif values.setdefault(named[name].name, value) != value:
            raise ParameterError(name, f"given twice, as {values[name][:40]} and as {value[:40]}")
    for name, entry in named.items():
        if entry.default is MISSING and entry.name not in values:
            raise ParameterError(name, "the request does not give it")
    if others and "set" not in named:
        raise ParameterError(others[0].partition("=")[0][:60], f"this page takes {', '.join(named)}")
    if others:
        values["pairs"] = others
    return query(**values)


def shown(query: type[Query], given: FormFields) -> dict[str, str]:
    """The values of the fields of a form; parameters of a model or core, which have no field, are those of `set`."""
    known = {option.flag or entry.name for entry, option in query.options()} - {"set"}
    others = [value if name == "set" else f"{name}={value}" for name, value in given if name not in known]
    return {**{name: value for name, value in given if name in known}, **({"set": " ".join(others)} if others else {})}


def url(path: str, query: Query, **more: str) -> str:
    """The path of a route with a query string."""
    given: dict[str, str | list[str]] = query.parameters()
    names = sorted(given, key=lambda name: name not in ("model", "core"))
    return f"{path}?{urlencode([*((name, given[name]) for name in names), *more.items()], doseq=True)}"


def curl(here: Exchange, path: str, query: Query, **more: str) -> ShownCommand:
    """A request to this service."""
    address = f"{str(here.request.base_url).rstrip('/')}{url(path, query, **more)}"
    return ShownCommand("curl", f"curl {shlex.quote(address)}")


def command(name: str, query: Query, *more: str) -> ShownCommand:
    """The request as a command."""
    words = ["limbtrace", name]
    for entry, option in sorted(query.options(), key=lambda pair: bool(pair[1].help)):  # arguments come first
        value = getattr(query, entry.name)
        if value == entry.default:
            continue
        if not option.help:
            words.append(str(value))
            continue
        flag = f"--{option.flag or entry.name}"
        values = value if entry.default == () else [value]
        words += [flag] if option.metavar is None else [word for one in values for word in (flag, str(one))]
    return ShownCommand("Command line", " ".join(map(shlex.quote, [*words, *more])))
