# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init`: a core.toml from RTL."""

import re
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.rtl_bridge.binding.bind import bind
from limbtrace.rtl_bridge.core.core import load
from limbtrace.rtl_bridge.description.writer import Draft, toml
from limbtrace.rtl_bridge.init.inference import Guess, plainly
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.vectors.cli import json_option
from limbtrace.vectors.core_draft import CoreDraft, CoreDraftLine
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.files import write_file
from limbtrace.vectors.request import merge_settings


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--top", metavar="MODULE", help="Top module; default: the one that no other instantiates.")
@click.option("--model", metavar="MODEL", help="The model that the core computes; see `limbtrace models`.")
@click.option("--prime", metavar="P", help="A modulus that the description is tried with.")
@click.option("--radix", metavar="R", help="Radix that the core is built for.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A parameter of the model; repeatable.")
@click.option("--force", is_flag=True, help="Replace the core.toml that is there.")
@click.option("--no-includes", is_flag=True, help="Read no file that an `include names: for RTL that a stranger wrote.")
@json_option
def init(
    folder: Path,
    top: str | None,
    model: str | None,
    prime: str | None,
    radix: str | None,
    pairs: tuple[str, ...],
    force: bool,
    no_includes: bool,
    as_json: bool,
) -> None:
    """Write FOLDER/core.toml for the Verilog in FOLDER: ports, reset, handshake and widths, as far as they show.

    Guesses are marked, and what cannot be guessed is a line to fill in. Nothing is simulated.
    """
    target = folder / "core.toml"
    if target.exists() and not force:
        raise ParameterError("core", f"{target} is there already; --force replaces it")
    settings = merge_settings(radix, pairs)
    if model is None and (settings or prime is not None):
        raise ParameterError("model", "--prime, --radix and --set go with --model")
    if model is not None and model not in registry.MODELS:
        raise ParameterError("model", f"{shown(model)} is none of {', '.join(registry.MODELS)}")
    sketch = scan(folder, top, includes=not no_includes)
    name = re.sub(r"\W", "_", folder.resolve().name)
    name = name if re.match(r"[A-Za-z_]", name) else f"core_{name}"
    guess = plainly(sketch, name) if model is None else Guess(sketch, name, model, prime, settings)
    draft = guess.draft
    write_file(target, [draft.text.encode()])
    misfit = None if draft.open or prime is None else _misfit(folder, prime)
    if as_json:
        click.echo(dump(_document(name, sketch.top, draft, misfit)))
    else:
        click.echo(_said(target, draft), nl=False)
        click.echo(_next(folder, prime, misfit), nl=False)


def _document(name: str, top: str, draft: Draft, misfit: str | None) -> dict[str, Any]:
    lines = [
        members(
            CoreDraftLine,
            line=number,
            table=table,
            key=line.key,
            value=toml(line.value),
            state="open" if line.open else "guess",
            reason=line.open or line.guess,
        )
        for number, table, line in draft.numbered()
        if line.open or line.guess
    ]
    document: dict[str, Any] = members(
        CoreDraft,
        format=FORMAT,
        name=name,
        top=top,
        text=draft.text,
        lines=lines,
        fits=None if misfit is None else not misfit,
        misfit=misfit or "",
    )
    return document


def _said(target: Path, draft: Draft) -> str:
    guesses = f"{draft.guesses} guess{'' if draft.guesses == 1 else 'es'}"
    if not draft.open:
        return f"{target}: {guesses}, nothing to fill in\n"
    return f"{target}: {guesses}, to fill in: {', '.join(draft.open)}\n"


def _misfit(folder: Path, prime: str) -> str:
    """The first thing of the description that does not fit the RTL; empty if all of it does."""
    try:
        bind(load(folder), prime, {}, {})
    except ParameterError as error:
        return str(error)
    return ""


def _next(folder: Path, prime: str | None, misfit: str | None) -> str:
    """The next step, with the first mismatch if that was tried."""
    command = f"limbtrace sim {folder} --prime {prime or 'P'}\n"
    if misfit is None:
        return f"then: {command}"
    return f"does not fit yet: {misfit}\n" if misfit else f"it fits the RTL; next: {command}"
