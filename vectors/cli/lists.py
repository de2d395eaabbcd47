# SPDX-License-Identifier: Apache-2.0
"""`limbtrace models`, `primes`, `cores`, `errata`, `tables`: the catalogue."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from refmodels.model import step_label
from vectors import catalogue
from vectors.catalogue import tables
from vectors.cli.options import json_option
from vectors.wire import dump


def _table(rows: Iterable[Sequence[str]]) -> str:
    rows = [list(row) for row in rows]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]) - 1)]
    return "".join(
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip() + "\n"
        for row in rows
    )


def _print(document: dict[str, Any], as_json: bool, text: Callable[[dict[str, Any]], str]) -> None:
    click.echo(dump(document) if as_json else text(document), nl=as_json)


@click.command()
@click.argument("model", required=False)
@json_option
def models(model: str | None, as_json: bool) -> None:
    """List the models, or describe one: parameters, ranges, trace vocabulary, claims."""
    if model is None:
        _print(
            catalogue.models_document(),
            as_json,
            lambda d: _table([m["id"], m["title"], m["source"]] for m in d["models"]),
        )
    else:
        _print(catalogue.model_document(model), as_json, _model_text)


def _model_text(d: dict[str, Any]) -> str:
    return (
        f"{d['id']}: {d['title']}\n{d['source']}\nforms: {', '.join(d['forms'])}\n\noperands\n"
        + _table([f"  {name}", text] for name, text in d["operands"].items())
        + "\nparameters\n"
        + _parameters_text(d["parameters"])
        + "\nsteps\n"
        + _table([f"  {step_label(s['name'], s['index'])}", s["range"], s["meaning"]] for s in d["steps"])
        + "\nclaims (checked by --check)\n"
        + _table([f"  {c['step'] or 'result'}", c["statement"], c["reference"]] for c in d["claims"])
        + (f"\nerrata: {', '.join(d['errata'])}\n" if d["errata"] else "")
    )


def _parameters_text(parameters: list[dict[str, Any]]) -> str:
    return _table(
        [f"  {', '.join([p['name'], *p['aliases']])}", f"default {p['default']}", p["range"], p["meaning"]]
        for p in parameters
    )


@click.command()
@click.argument("name", required=False)
@json_option
def primes(name: str | None, as_json: bool) -> None:
    """List the catalogue of moduli, or show one (any name, number or expression)."""
    if name is None:
        _print(
            catalogue.primes_document(),
            as_json,
            lambda d: _table([p["name"], f"{p['bits']} bits", p["primality"], p["source"]] for p in d["primes"]),
        )
    else:
        _print(
            catalogue.prime_entry_document(name),
            as_json,
            lambda d: _table([key, str(value)] for key, value in d.items() if value not in (None, "")),
        )


@click.command()
@click.argument("core", required=False)
@json_option
def cores(core: str | None, as_json: bool) -> None:
    """List the cores, or describe one: parameters, watched signals, cost formulas."""
    if core is None:
        _print(
            catalogue.cores_document(),
            as_json,
            lambda d: _table([c["id"], c["model"], c["title"]] for c in d["cores"]),
        )
    else:
        _print(catalogue.core_document(core), as_json, _core_text)


def _core_text(d: dict[str, Any]) -> str:
    return (
        f"{d['id']}: {d['title']}\n{d['source']}\nmodel: {d['model']}\n\nparameters\n"
        + _parameters_text(d["parameters"])
        + "\nwatched signals\n"
        + _table([f"  {s['name']}", s["kind"]] for s in d["signals"])
        + f"\ncosts ({d['costs'][0]['example']['prime']}, default radix)\n"
        + _table([f"  {c['name']}", c["formula"], f"{c['example']['value']} {c['unit']}"] for c in d["costs"])
    )


@click.command()
@click.argument("erratum", required=False, metavar="[ID]")
@json_option
def errata(erratum: str | None, as_json: bool) -> None:
    """List the errata of the papers, or show one: the printed text, the correction, and commands that show it."""
    if erratum is None:
        _print(
            catalogue.errata_document(),
            as_json,
            lambda d: _table([e["id"], e["kind"], e["printed"]] for e in d["errata"]),
        )
    else:
        _print(catalogue.erratum_document(erratum), as_json, _erratum_text)


def _erratum_text(d: dict[str, Any]) -> str:
    example = [[f"  {name}", _cell(value)] for name, value in d["example"].items()]
    return (
        f"{d['id']} ({d['kind']}), {', '.join(d['models'])}\n"
        + _table([["printed", d["printed"]], ["corrected", d["corrected"]]])
        + (f"\nexample\n{_table(example)}" if example else "")
        + "\nseen with\n"
        + "".join(f"  {command}\n" for command in dict.fromkeys([d["command"], *(r["command"] for r in d["requests"])]))
    )


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else dump(value)


@click.command(name="tables")
@click.argument("paper", required=False)
@json_option
def tables_command(paper: str | None, as_json: bool) -> None:
    """Figures printed in the papers, our values beside them, and a verdict on each."""
    _print(tables.tables_document(paper), as_json, _tables_text)


def _tables_text(d: dict[str, Any]) -> str:
    return (
        "\n".join(
            f"{paper['id']}: {paper['source']}\n"
            + "".join(
                f"\n{tables.title(number)}\n" + _table([tables.HEAD, *tables.rows(paper, number)])
                for number in tables.numbers(paper)
            )
            + "\n"
            + _table([f"{count}", verdict, d["verdicts"][verdict]] for verdict, count in paper["count"].items())
            for paper in d["papers"]
        )
        + f"\n{tables.SYNTHESIS}\n"
    )
