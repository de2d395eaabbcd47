# SPDX-License-Identifier: Apache-2.0
"""`limbtrace models`, `primes`, `cores`, `errata`, `defects`, `events`, `tables`: the catalogue."""

from collections.abc import Callable
from textwrap import indent
from typing import Any

import click

from limbtrace.refmodels.defects import DefectKind
from limbtrace.refmodels.erratum import CORRECTIONS, ERRATUM, REMARK, STANDINGS, UNCERTAIN
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import step_label
from limbtrace.refmodels.program import PROOF_BITS
from limbtrace.vectors import catalogue
from limbtrace.vectors.catalogue import tables
from limbtrace.vectors.catalogue.lists import ALL
from limbtrace.vectors.catalogue.proofs import HEAD, proof_cells
from limbtrace.vectors.catalogue.proved import proved_heading, proved_rows
from limbtrace.vectors.catalogue.routes import ABOUT, route_cells
from limbtrace.vectors.catalogue.routes import HEAD as ROUTED
from limbtrace.vectors.cli.options import asks, json_option, table
from limbtrace.vectors.encoding import dump
from limbtrace.vectors.options import EventsQuery, FilterQuery
from limbtrace.vectors.request import DIRECTED


def _print(document: dict[str, Any], as_json: bool, text: Callable[[dict[str, Any]], str]) -> None:
    click.echo(dump(document) if as_json else text(document), nl=as_json)


def _check_alone(name: str, given: str | None, asked: FilterQuery) -> None:
    """Raises ParameterError for a filter beside the name of one entry."""
    if given is not None and asked != ALL:
        raise ParameterError(name, "one is described alone; --prime, --radix and --bits are for the list")


def _rows(rows: list[list[str]], nothing: str) -> str:
    return table(rows) if rows else f"{nothing}\n"


def _fitting_text(entries: list[dict[str, Any]], nothing: str) -> str:
    """Models or cores with the values and ranges of their parameters; models also with ranges of operands, and R."""
    rows = [[entry["id"], *_ranges(entry), _values(entry["fitting"])] for entry in entries]
    return _rows(rows, nothing)


def _values(fitting: dict[str, Any]) -> str:
    return "; ".join(f"{p['name']} {p['default']} ({p['range']})" for p in fitting["parameters"])


def _ranges(entry: dict[str, Any]) -> list[str]:
    """Cells about operands, result and R of a model; none of a core."""
    if "operands" not in entry:
        return []
    ranges = dict(entry["operands"])
    result, R = ranges.pop("result"), entry["fitting"].get("R")
    names = [", ".join(ranges)] if len(set(ranges.values())) == 1 else list(ranges)
    operands = ", ".join(f"{name} {text}" for name, text in zip(names, ranges.values(), strict=False))
    return [operands, f"result {result}", f"R = 2^{int(R, 16).bit_length() - 1}" if R else "no R"]


@click.command()
@click.argument("model", required=False)
@asks(FilterQuery)
@json_option
def models(asked: FilterQuery, model: str | None, as_json: bool) -> None:
    """List the models, or describe one: parameters, ranges, trace vocabulary, claims.

    With --prime, --radix or --bits the list has the models that take them, and what their parameters are there.
    """
    _check_alone("model", model, asked)
    if model is None:
        _print(
            catalogue.models_document(asked),
            as_json,
            lambda d: (
                _fitting_text(d["models"], "no model takes this")
                if asked != ALL
                else table([m["id"], m["title"], m["source"]] for m in d["models"])
            ),
        )
    else:
        _print(catalogue.model_document(model), as_json, _model_text)


def _model_text(d: dict[str, Any]) -> str:
    return (
        f"{d['id']}: {d['title']}\n{d['source']}\nforms: {', '.join(d['forms'])}\n\noperands\n"
        + table([f"  {name}", text] for name, text in d["operands"].items())
        + (f"\nin short\n{indent(d['pseudocode'], '  ')}\n" if d["pseudocode"] else "")
        + "\nparameters\n"
        + _parameters_text(d["parameters"])
        + "\nsteps\n"
        + table([f"  {step_label(s['name'], s['index'])}", s["range"], s["meaning"]] for s in d["steps"])
        + "\nclaims (checked by --check; intervals: also proved for all operands, at shapes of "
        + f"{PROOF_BITS[0]} to {PROOF_BITS[-1]} bits)\n"
        + table([f"  {c['step'] or 'result'}", c["statement"], c["proof"], c["reference"]] for c in d["claims"])
        + f"\n{proved_heading(d['id']).lower()}, for all operands (tests: of drawn operands alone)\n"
        + table([f"  {what}", by, parameters] for what, by, parameters in proved_rows(d))
        + _errata_text(d["standing_of"])
    )


def _errata_text(standing_of: dict[str, str]) -> str:
    """The ids of a model's errata, by standing."""
    titles = {ERRATUM: "errata", REMARK: "remarks", UNCERTAIN: "uncertain"}
    ids = {title: [id for id, found in standing_of.items() if found == name] for name, title in titles.items()}
    return "".join(f"\n{title}: {', '.join(found)}\n" for title, found in ids.items() if found)


def _parameters_text(parameters: list[dict[str, Any]]) -> str:
    return table(
        [f"  {', '.join([p['name'], *p['aliases']])}", f"default {p['default']}", p["range"], p["meaning"]]
        for p in parameters
    )


@click.command()
@click.argument("name", required=False)
@asks(FilterQuery)
@json_option
def primes(asked: FilterQuery, name: str | None, as_json: bool) -> None:
    """List the catalogue of moduli, or show one (any name, number or expression).

    With --bits the list has the moduli of that width, with --prime the names of that modulus.
    """
    _check_alone("name", name, asked)
    if name is None:
        _print(
            catalogue.primes_document(asked),
            as_json,
            lambda d: _rows(
                [[p["name"], f"{p['bits']} bits", p["primality"], p["source"]] for p in d["primes"]],
                "the catalogue has no such modulus",
            ),
        )
    else:
        _print(
            catalogue.prime_entry_document(name),
            as_json,
            lambda d: table(
                [key, ", ".join(value) if isinstance(value, list) else str(value)]
                for key, value in d.items()
                if value not in (None, "")
            ),
        )


@click.command()
@click.argument("core", required=False)
@asks(FilterQuery)
@json_option
def cores(asked: FilterQuery, core: str | None, as_json: bool) -> None:
    """List the cores, or describe one: parameters, watched signals, cost formulas.

    With --prime, --radix or --bits the list has the cores that take them, and what their parameters are there.
    """
    _check_alone("core", core, asked)
    if core is None:
        _print(
            catalogue.cores_document(asked),
            as_json,
            lambda d: (
                _fitting_text(d["cores"], "no core takes this")
                if asked != ALL
                else table([c["id"], c["model"], c["title"]] for c in d["cores"])
            ),
        )
    else:
        _print(catalogue.core_document(core), as_json, _core_text)


def _core_text(d: dict[str, Any]) -> str:
    return (
        f"{d['id']}: {d['title']}\n{d['source']}\nmodel: {d['model']}\n\nparameters\n"
        + _parameters_text(d["parameters"])
        + "\nwatched signals\n"
        + table([f"  {s['name']}", s["kind"]] for s in d["signals"])
        + f"\ncosts ({d['costs'][0]['example']['prime']}, default radix)\n"
        + table([f"  {c['name']}", c["formula"], f"{c['example']['value']} {c['unit']}"] for c in d["costs"])
        + _proofs_text(d["proofs"])
        + _routes_text(d["routes"])
    )


def _proofs_text(proofs: list[dict[str, Any]]) -> str:
    rows = [[f"  {first}", *rest] for first, *rest in map(proof_cells, proofs)]
    first, *rest = HEAD
    return "\nproofs for all operands\n" + table([[f"  {first}", *rest], *rows]) if rows else ""


def _routes_text(routes: list[dict[str, Any]]) -> str:
    rows = [[f"  {first}", *rest] for first, *rest in map(route_cells, routes)]
    first, *rest = ROUTED
    return "\nplaced and routed\n" + table([[f"  {first}", *rest], *rows]) + f"  {ABOUT}\n" if rows else ""


@click.command()
@click.argument("erratum", required=False, metavar="[ID]")
@click.option("--standing", metavar="S", help=f"List only entries of one standing: {', '.join(STANDINGS)}.")
@json_option
def errata(erratum: str | None, standing: str | None, as_json: bool) -> None:
    """List errata of the papers and remarks on them, or show one: quotation, correction, commands that show it."""
    if erratum is None:
        _print(
            catalogue.errata_document(standing),
            as_json,
            lambda d: table([e["id"], e["standing"], e["kind"], e["printed"]] for e in d["errata"]),
        )
    elif standing is not None:
        raise ParameterError("standing", "--standing selects entries of the list; an erratum by its id needs none")
    else:
        _print(catalogue.erratum_document(erratum), as_json, _erratum_text)


def _erratum_text(d: dict[str, Any]) -> str:
    example = [[f"  {name}", _cell(value)] for name, value in d["example"].items()]
    return (
        f"{d['id']}: {d['standing']} ({d['kind']}), {', '.join(d['models'])}\n"
        + table(
            [[d["place"], f'"{d["quote"]}"'], ["printed", d["printed"]], [CORRECTIONS[d["standing"]], d["corrected"]]]
        )
        + (f"\nexample\n{table(example)}" if example else "")
        + "\nseen with\n"
        + "".join(f"  {command}\n" for command in dict.fromkeys([d["command"], *(r["command"] for r in d["requests"])]))
        + (f"\n{len(d['witnesses'])} products show it\n" if d["witnesses"] else "")
        + "".join(f"  {w['requests'][0]['command']}\n" for w in d["witnesses"])
    )


@click.command()
@click.argument("defect", required=False, metavar="[ID]")
@click.option("--mechanism", metavar="M", help=f"List only defects of one mechanism: {', '.join(DefectKind)}.")
@json_option
def defects(defect: str | None, mechanism: str | None, as_json: bool) -> None:
    """List public faults of modular arithmetic, or show one: source, emulation, operands and cases that show it.

    The last column says which case of kind directed shows it first.
    """
    if defect is None:
        _print(
            catalogue.defects_document(mechanism),
            as_json,
            lambda d: table(
                [e["id"], str(e["year"]), e["mechanism"], e["title"], _case(e["first"].get(DIRECTED))]
                for e in d["defects"]
            ),
        )
    elif mechanism is not None:
        raise ParameterError("mechanism", "--mechanism selects entries of the list; a defect by its id needs none")
    else:
        _print(catalogue.defect_document(defect), as_json, _defect_text)


def _defect_text(d: dict[str, Any]) -> str:
    settings = "".join(f", {name} = {value}" for name, value in d["settings"].items())
    facts = {
        "place": d["place"],
        "source": ", ".join(filter(None, (d["source"], d["identifier"]))),
        "mechanism": d["mechanism"] + ", in hardware" * d["hardware"],
        "uniform operands": d["rate"],
        "multiplier": f"{d['model']}, modulus {d['prime']}{settings}",
        "a": d["a"],
        **({} if d["b"] is None else {"b": d["b"]}),
        "right result": d["right"],
        "its result": d["wrong"],
    }
    return (
        f"{d['id']}: {d['title']} ({d['year']})\n{d['statement']}\n\n"
        + table([f"  {name}", value] for name, value in facts.items())
        + "\nfirst case that shows it\n"
        + table([f"  {kind}", _case(case)] for kind, case in d["first"].items())
        + f"\nseen with\n  {d['command']}\n"
        + (f"\nin RTL (--build Faulty=0 mends it)\n  {d['simulation']}\n" if d["simulation"] else "")
    )


def _case(number: int | None) -> str:
    return "none" if number is None else f"case {number}"


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else dump(value)


@click.command()
@asks(EventsQuery)
@json_option
def events(asked: EventsQuery, as_json: bool) -> None:
    """List what can happen inside a product of a model; with --prime, where, and operands that make it happen."""
    _print(catalogue.events_document(asked), as_json, _events_text)


def _events_text(d: dict[str, Any]) -> str:
    if d["multiplier"] is None:
        return table([event["name"], event["statement"], event["hunts"]] for event in d["events"])
    rows = [["event", "happens at", "for example", "a", "b"]]
    for event in d["events"]:
        example = event.get("example") or {}
        count = f"{event['reachable']} of {event['indices']}"
        rows.append([event["name"], count, example.get("event", ""), example.get("a", ""), example.get("b", "")])
    missing = [
        [event["name"], word, f"{_places(entry['indices'])}", entry["reason"]]
        for event in d["events"]
        for word, member in (("unreachable", "unreachable"), ("not found", "not_found"))
        for entry in event[member]
    ]
    return table(rows) + ("\n" + table(missing) if missing else "")


def _places(indices: list[list[int]]) -> str:
    """Subscripts, the first and the last of many."""
    texts = [f"[{','.join(map(str, index))}]" if index else "always" for index in indices]
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}, {len(texts)} in all"


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
                f"\n{tables.title(number)}\n" + table([tables.HEAD, *tables.rows(paper, number)])
                for number in tables.numbers(paper)
            )
            + "\n"
            + table([f"{count}", verdict, d["verdicts"][verdict]] for verdict, count in paper["count"].items())
            for paper in d["papers"]
        )
        + f"\n{tables.SYNTHESIS}\n"
    )
