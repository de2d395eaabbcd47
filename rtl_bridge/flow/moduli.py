# SPDX-License-Identifier: Apache-2.0
"""`limbtrace moduli`: directed moduli of a width, of a core those that it takes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import click

from limbtrace.refmodels.directed_moduli import DirectedModulus
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import model
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.description.formula import all_hold
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.vectors.catalogue.moduli import ModuliQuery, ModuliRequest, moduli_document
from limbtrace.vectors.cli import json_option
from limbtrace.vectors.cli.options import asks, table
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.request import merge_settings


@click.command()
@asks(ModuliQuery)
@click.option("--core", metavar="CORE", help="Only those that this core takes: a built-in one, or a folder.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A parameter of the core; repeatable.")
@json_option
def moduli(asked: ModuliQuery, core: str | None, pairs: tuple[str, ...], as_json: bool) -> None:
    """List moduli of N bits at which hardware is likely to be wrong, each with the reason.

    Of a core, composite ones are listed, too, if it takes them, and the radix is its own.
    """
    request = asked.request
    if core is not None:
        request, found = _taken(asked, request, core, pairs)
    elif pairs:
        raise ParameterError("set", "it is a parameter of a core, which --core names")
    else:
        found = iter(request.moduli())
    document = moduli_document(request, found)
    rows = [[m["modulus"], m["primality"], m["reason"], m.get("expression") or ""] for m in document["moduli"]]
    click.echo(dump(document) if as_json else table(rows) if rows else "no modulus is like this\n", nl=as_json)


def _taken(
    asked: ModuliQuery, request: ModuliRequest, name: str, pairs: Sequence[str]
) -> tuple[ModuliRequest, Iterator[DirectedModulus]]:
    """The request with the radix of a core, and the moduli that the core takes. Raises ParameterError."""
    core = BindRequest(core=name, prime="").find()
    takes = partial(all_hold, core.file.modulus)
    has_radix = any(known.name == "radix" for known in model(core.file.model).parameters)
    settings = merge_settings(asked.radix if has_radix else None, pairs)
    request = replace(request, composite=asked.composite or "yes")
    refusals: list[ParameterError] = []
    first = next(_bound(core, name, settings, iter(request.moduli(takes)), refusals), None)
    if first is None:
        sentence = f"{core.file.name} takes none of these moduli of {request.bits} bits"
        raise refusals[0] if refusals else ParameterError("core", sentence)
    radix_bits = first[1].multiplier.params.radix_bits
    if asked.radix is None and radix_bits:
        request = replace(request, word=radix_bits)
    return request, (entry for entry, _ in _bound(core, name, settings, iter(request.moduli(takes)), refusals))


def _bound(
    core: Core, name: str, settings: dict[str, str], some: Iterator[DirectedModulus], refusals: list[ParameterError]
) -> Iterator[tuple[DirectedModulus, Bound]]:
    """The moduli that a core can be bound to, with the bound core; errors of the others are added to `refusals`."""
    like = None
    for entry in some:
        try:
            like = BindRequest(core=name, prime=hex(entry.modulus), settings=settings).bind(core, like=like)
        except ParameterError as error:
            refusals.append(error)
            continue
        yield entry, like
