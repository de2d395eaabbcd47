# SPDX-License-Identifier: Apache-2.0
"""`limbtrace reach`."""

import importlib.metadata
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.event import Pair
from limbtrace.refmodels.event_search import Occurrences
from limbtrace.refmodels.registry import MODELS
from limbtrace.rtl_bridge.core.core import built_in, find
from limbtrace.rtl_bridge.proof.reach import PlaceAnswer, reached
from limbtrace.vectors.cli import UNDECIDED, json_option
from limbtrace.vectors.cli.options import asks
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump, hexadecimal
from limbtrace.vectors.options import AnyPrimeQuery, SettingsQuery
from limbtrace.vectors.proof import ReachDocument
from limbtrace.vectors.request import Multiplier


class _ReachQuery(SettingsQuery, AnyPrimeQuery):
    """--prime, --radix and --set of a model or a core."""


@click.command()
@click.argument("subject", metavar="CORE|MODEL")
@asks(_ReachQuery)
@click.option("--event", required=True, metavar="EVENT", help="As `limbtrace events` prints it, such as q[3]=max.")
@click.option("--core", "is_core", is_flag=True, help="Interpret NAME as a core if a model has the same name.")
@click.option(
    "--method",
    type=click.Choice(("construction", "solver")),
    help="construction: never ask the solver; solver: ask it at once. Default: where construction does not settle it.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 86_400),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="Time for the solver.",
)
@json_option
def reach(
    asked: _ReachQuery, subject: str, event: str, is_core: bool, method: str | None, limit: int, as_json: bool
) -> int:
    """Find operands that make an event happen, or prove that there are none; exit 4 if neither is known.

    A model, or a core with the model, the parameters and the operands that it has. The answer says which method gave
    it; the solver (extra [prove]) decides at widths of some 8 to 16 bits, or where few digits matter.
    """
    core, multiplier, limits = _subject(subject, asked, is_core)
    known = Occurrences(multiplier.model, multiplier.params)
    place = known.place(event)
    found = reached(known, place, method, limits, limit)
    document: dict[str, Any] = members(
        ReachDocument,
        format=FORMAT,
        core=core,
        multiplier=multiplier.head,  # type: ignore[arg-type]
        event=place.label,
        statement=place.event.statement,
        limits=[hexadecimal(most) for most in multiplier.model.given(*limits)],
        verdict=found.verdict,
        method=found.method,
        reason=found.reason,
        **_operands(subject, asked, core, multiplier, found),
        limit=limit,
        tools=_tools(),
    )
    click.echo(dump(document) if as_json else _text(document, multiplier), nl=as_json)
    return UNDECIDED if found.verdict == "open" else 0


def _subject(name: str, asked: _ReachQuery, is_core: bool) -> tuple[str | None, Multiplier, Pair]:
    """The core, if it is one, the multiplier, and the largest operands."""
    cores = [path.name for path in built_in()]
    if name in MODELS and not is_core:
        multiplier = Multiplier.resolve(name, asked.prime, asked.settings)
        return None, multiplier, multiplier.params.limits
    if name not in cores and not Path(name).is_dir():
        known = f"models: {', '.join(MODELS)}; cores: {', '.join(cores)}, or a folder"
        raise ParameterError("core", f"there is neither a model nor a core {shown(name)}; {known}")
    core = find(name)
    if asked.prime is None:
        raise ParameterError("prime", f"the request does not give it, and {core.file.name} is a core for one")
    from limbtrace.rtl_bridge.binding.bind import bind  # which loads the compiler that looks into designs

    bound = bind(core, asked.prime, asked.settings, {})
    return core.file.name, bound.multiplier, bound.limits


def _operands(subject: str, asked: _ReachQuery, core: str | None, multiplier: Multiplier, found: PlaceAnswer) -> Any:
    if found.pair is None:
        return {"a": None, "b": None, "result": None, "command": None}
    a, b = found.pair
    model = multiplier.model
    written = ",".join(hexadecimal(value) for value in model.given(a, b))
    if core is None:
        command = f"limbtrace trace {model.id} {multiplier.options} {multiplier.arguments(a, b)}"
    else:
        given = [word for name, value in asked.settings.items() for word in ("--set", f"{name}={value}")]
        command = shlex.join(["limbtrace", "sim", subject, "--prime", str(asked.prime), *given, "--operands", written])
    return {
        "a": hexadecimal(a),
        "b": None if model.unary else hexadecimal(b),
        "result": hexadecimal(model.result(multiplier.params, a, b)),
        "command": command,
    }


def _tools() -> dict[str, str]:
    found = {}
    for name in ("limbtrace", "bitwuzla"):
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    return found


_BY = {
    "construction": "by construction, and seen in a run of the model",
    "exhaustive": "by trying all operands",
    "intervals": "by interval arithmetic",
    "solver": "by the solver",
    "reason": "by a reason that the model gives",
}


def _text(d: dict[str, Any], multiplier: Multiplier) -> str:
    """The document as lines."""
    head = f"{d['core'] + ': ' if d['core'] else ''}{multiplier.title}\n{d['event']}: {d['statement']}\n"
    if d["verdict"] == "operands":
        seen = ", and seen in a run of the model" if d["method"] == "solver" else ""
        pair = "".join(f"  {name} = {d[name]}\n" for name in ("a", "b") if d[name] is not None)
        return f"{head}operands, {_BY[d['method']]}{seen}:\n{pair}{d['command']}\n"
    if d["verdict"] == "none":
        return f"{head}none, {_BY[d['method']]}: {d['reason']}\n"
    return f"{head}open: {d['reason']}\n"
