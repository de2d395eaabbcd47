# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init`: a core.toml from RTL."""

import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.rtl_bridge.binding.bind import bind
from limbtrace.rtl_bridge.core.core import load
from limbtrace.rtl_bridge.description.writer import FILL_IN, Draft, DraftLine, toml
from limbtrace.rtl_bridge.init.inference import Guess
from limbtrace.rtl_bridge.init.rtl_scan import scan
from limbtrace.rtl_bridge.init.trial import MOST_SECONDS, PRODUCTS, InitTrial, TrialOutcome, trial_prime, written
from limbtrace.rtl_bridge.init.variants import variants
from limbtrace.rtl_bridge.init.ways import Described, plainly, ways
from limbtrace.rtl_bridge.interface.module_ports import Sketch
from limbtrace.vectors.cli import json_option
from limbtrace.vectors.core_draft import CoreDraft, CoreDraftLine, CoreTrial
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.files import write_file
from limbtrace.vectors.request import merge_settings

SPARE = 2
"""Bits of its ports that a core may need for sums."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--top", metavar="MODULE", help="Top module; default: the one that no other instantiates.")
@click.option("--model", metavar="MODEL", help="The model that the core computes; with --prime one is chosen.")
@click.option("--prime", metavar="P", help="A modulus that the description is tried with.")
@click.option("--radix", metavar="R", help="Radix that the core is built for.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A parameter of the model; repeatable.")
@click.option("--build", "built", multiple=True, metavar="NAME=VALUE", help="A parameter of the RTL; repeatable.")
@click.option("--force", is_flag=True, help="Replace the core.toml that is there.")
@click.option("--no-trial", is_flag=True, help="Simulate nothing.")
@click.option("--no-includes", is_flag=True, help="As --no-trial, and read no file that an `include names.")
@json_option
def init(
    folder: Path,
    top: str | None,
    model: str | None,
    prime: str | None,
    radix: str | None,
    pairs: tuple[str, ...],
    built: tuple[str, ...],
    force: bool,
    no_trial: bool,
    no_includes: bool,
    as_json: bool,
) -> None:
    """Write FOLDER/core.toml for the RTL in FOLDER: ports, reset, handshake and widths, as far as they show.

    Guesses are marked, and what cannot be guessed is a line to fill in. A few products are simulated at the end; where
    they differ, other handshakes and formulas that the ports allow are tried, and the first one that agrees is written.
    """
    target = folder / "core.toml"
    if target.exists() and not force:
        raise ParameterError("core", f"{target} is there already; --force replaces it")
    settings = merge_settings(radix, pairs)
    build = {key: parse_integer(value, key) for key, value in merge_settings(None, built).items()}
    if model is None and settings:
        raise ParameterError("model", "--radix and --set go with --model")
    if model is not None and model not in registry.MODELS:
        raise ParameterError("model", f"{shown(model)} is none of {', '.join(registry.MODELS)}")
    sketch = scan(folder, top, includes=not no_includes, build=build)
    name = re.sub(r"\W", "_", folder.resolve().name)
    name = name if re.match(r"[A-Za-z_]", name) else f"core_{name}"

    def describe(shape: Sketch, kind: str) -> Guess:
        if model is not None:
            return Guess(shape, name, model, prime, settings, kind)
        return plainly(shape, name, kind) if prime is None else ways(sketch, name, prime)[0](shape, kind)

    guess = describe(sketch, "")
    if model is None and prime is None and guess.model is None and guess.modulus is not None:
        prime = written(guess.modulus)
        guess = describe(sketch, "")
    draft = guess.draft
    write_file(target, [draft.text.encode()])
    outcome = None if no_trial or no_includes else _outcome(folder, guess, prime, describe, is_asked=model is not None)
    if outcome is not None and outcome.simulator:
        draft = outcome.draft
        report = _after(folder, outcome)
        misfit: str | None = ""
    else:
        misfit = None if draft.open or prime is None else _misfit(folder, prime)
        report = _next(folder, prime, misfit)
        if outcome is not None and not misfit:
            report = f"not simulated: {outcome.said}\n{report}"
    if as_json:
        click.echo(dump(_document(name, sketch.top, draft, misfit, outcome)))
    else:
        click.echo(_said(target, draft), nl=False)
        click.echo(report, nl=False)


def _outcome(
    folder: Path, guess: Guess, prime: str | None, describe: Described, *, is_asked: bool
) -> TrialOutcome | None:
    """The outcome of a trial; None without a description that can be tried. `is_asked`: the model was asked for.

    Without a model and a modulus, both are chosen; the description without a model stays if it is not confirmed.
    A modulus that was chosen is as long as the ports, and then shorter: a core may need bits of them for its sums.
    """
    until = time.monotonic() + MOST_SECONDS

    def outcome(modulus: str) -> TrialOutcome | None:
        is_open = guess.model is None or prime is not None or guess.tried.numbers
        known = ways(guess.sketch, guess.name, modulus) if is_open and not is_asked else [describe]
        return InitTrial(folder, modulus, until).outcome(variants(guess.sketch, known))

    first = guess if guess.model is not None else ways(guess.sketch, guess.name, None)[0](guess.sketch, "")
    tried = prime or trial_prime(first)
    found = outcome(tried) if tried else None
    if found is None or found.agrees or not found.simulator:
        return found
    full = first.roles.full_width_port
    fits = found.returned and first.fixes_widths and first.modulus is None and full
    shorter = trial_prime(first, SPARE) if fits else None
    again = outcome(shorter) if shorter else None
    if again is not None and again.agrees and full:
        limits = DraftLine("N", [2, full.width - SPARE], guess=f"products agree so, and not with {full.width} bits")
        draft = again.draft.with_line("ranges", limits)
        write_file(folder / "core.toml", [draft.text.encode()])
        return replace(again, draft=draft, also=(f"a modulus of {full.width} bits", *again.also))
    if guess.model is None and not first.tried.unary:
        open_ = DraftLine("model", FILL_IN, open="the algorithm, one of `limbtrace models`")
        found = replace(found, draft=found.draft.with_line("", open_), said=f"as {first.model}, {found.said}")
    write_file(folder / "core.toml", [found.draft.text.encode()])
    return found


def _after(folder: Path, outcome: TrialOutcome) -> str:
    """The lines about the trial, and the next command."""
    prime = outcome.prime
    where = f"modulo {prime} in {outcome.simulator}"
    left = f"not tried: {', '.join(outcome.not_tried)}\n" if outcome.not_tried else ""
    if outcome.agrees:
        how = f", with {outcome.what}" if outcome.what else ""
        others = f"do not agree: {'; '.join(outcome.also)}\n" if outcome.also else ""
        command = f"next: limbtrace sim {folder} --prime {prime}\n"
        same = f"would agree, too: {'; '.join(outcome.same)}\n" if outcome.same else ""
        models = f"{same}{_models(outcome.alike)}"
        return f"agrees: {outcome.agrees} products {where}{how}\n{others}{left}{models}{command}"
    also = f"nor do the others: {'; '.join(outcome.also)}\n" if outcome.also else ""
    explained = f"{PRODUCTS} random products: {outcome.relation}\n" if outcome.relation else ""
    how = f", with {outcome.what}" if outcome.what else ""
    ready = set(outcome.draft.open) <= {"model"}
    command = f"next: limbtrace identify {folder} --prime {prime}\n"
    if not ready:
        command = f"then: limbtrace sim {folder} --prime {prime}\n"
    return f"does not agree {where}{how}: {outcome.said}\n{also}{left}{explained}{command}"


def _models(alike: tuple[str, ...]) -> str:
    """The line about models whose steps the registers of the core may hold."""
    if not alike:
        return ""
    return f"models with steps that return the same: {'; '.join(alike)} (limbtrace models NAME shows the loop)\n"


def _document(name: str, top: str, draft: Draft, misfit: str | None, outcome: TrialOutcome | None) -> dict[str, Any]:
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
        trial=_trial(outcome) if outcome and outcome.simulator else None,
    )
    return document


def _trial(outcome: TrialOutcome) -> Any:
    return members(
        CoreTrial,
        prime=outcome.prime,
        simulator=outcome.simulator,
        agrees=outcome.agrees,
        difference="" if outcome.agrees else outcome.said,
        variant=outcome.what,
        others=list(outcome.also),
        explained=outcome.relation,
        not_tried=list(outcome.not_tried),
        alike=list(outcome.alike),
        same=list(outcome.same),
    )


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
