# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init`: a core.toml from RTL."""

import re
from pathlib import Path

import click

from refmodels import registry
from refmodels.errors import ParameterError, shown
from rtl_bridge.core.bind import bind
from rtl_bridge.core.core import load
from rtl_bridge.core.draft import Draft
from rtl_bridge.core.guess import Guess, plainly
from rtl_bridge.core.survey import survey
from vectors.files import write_file
from vectors.request import merge_settings


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--top", metavar="MODULE", help="Top module; default: the one that no other instantiates.")
@click.option("--model", metavar="MODEL", help="The model that the core computes; see `limbtrace models`.")
@click.option("--prime", metavar="P", help="A modulus that the description is tried with.")
@click.option("--radix", metavar="R", help="Radix that the core is built for.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A parameter of the model; repeatable.")
@click.option("--force", is_flag=True, help="Replace the core.toml that is there.")
def init(
    folder: Path,
    top: str | None,
    model: str | None,
    prime: str | None,
    radix: str | None,
    pairs: tuple[str, ...],
    force: bool,
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
    sketch = survey(folder, top)
    name = re.sub(r"\W", "_", folder.resolve().name)
    name = name if re.match(r"[A-Za-z_]", name) else f"core_{name}"
    guess = plainly(sketch, name) if model is None else Guess(sketch, name, model, prime, settings)
    draft = guess.draft
    write_file(target, [draft.text.encode()])
    click.echo(_said(target, draft), nl=False)
    click.echo(_next(folder, draft, prime), nl=False)


def _said(target: Path, draft: Draft) -> str:
    guesses = f"{draft.guesses} guess{'' if draft.guesses == 1 else 'es'}"
    if not draft.open:
        return f"{target}: {guesses}, nothing to fill in\n"
    return f"{target}: {guesses}, to fill in: {', '.join(draft.open)}\n"


def _next(folder: Path, draft: Draft, prime: str | None) -> str:
    """What to do next, with the first thing that does not fit if a modulus is given."""
    command = f"limbtrace sim {folder} --prime {prime or 'P'}\n"
    if draft.open or prime is None:
        return f"then: {command}"
    try:
        bind(load(folder), prime, {}, {})
    except ParameterError as error:
        return f"does not fit yet: {error}\n"
    return f"it fits the RTL; next: {command}"
