# SPDX-License-Identifier: Apache-2.0
"""The pages generated from the source: models, cores, errata, tables of the papers, designs.

One file, although it is long: a short function for each part of a page.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from limbtrace.refmodels.architecture import Architecture
from limbtrace.refmodels.erratum import CORRECTIONS, AnyErratum
from limbtrace.refmodels.errors import shown
from limbtrace.refmodels.model import Model, step_label
from limbtrace.refmodels.program import PROOF_BITS
from limbtrace.refmodels.registry import ARCHITECTURES, MODELS, PAPERS, SPACES
from limbtrace.refmodels.space import Space
from limbtrace.rtl_bridge.binding.bind import bind
from limbtrace.rtl_bridge.binding.bind import example as example_modulus
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.core.core import Core
from limbtrace.rtl_bridge.interface.port_types import DesignPort
from limbtrace.rtl_bridge.synthesis import areas
from limbtrace.vectors import catalogue, designs
from limbtrace.vectors.catalogue import tables
from limbtrace.vectors.catalogue.proofs import HEAD, common, core_proofs, proof_cells, versions
from limbtrace.vectors.catalogue.proved import proved_heading, proved_rows
from limbtrace.vectors.catalogue.routes import ABOUT, core_routes, route_cells
from limbtrace.vectors.catalogue.routes import HEAD as ROUTED
from limbtrace.vectors.cycles.picture import Wave, svg
from tools.docs import examples

PRIME, RADIX, A, B = "0xea7", "2^4", "0xe8a", "0xd66"
"""The example that every page traces, small enough to follow by hand."""

OTHERS = {
    "effm": ("0xa1f", "0x8ca", "0x666"),
    "ffm1": ("0xa1f", "0x8ca", "0x666"),
    "fold": ("0xffd", B, A),
    "solinas": ("0xff1", B, A),
}
"""The example for models that take only some moduli: modulus, a and b."""

WAVEFORM_CYCLES = 16

DESIGN_BITS = (128, 256)
"""Widths of moduli for which designs are shown."""


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([cell(value) for value in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def cell(value: object) -> str:
    """A value as text for a table."""
    return str(value).replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_")


def example(model: Model) -> tuple[str, str, str]:
    """Modulus, a and b of the example of a model."""
    return OTHERS.get(model.id, (PRIME, A, B))


def _has_radix(model: Model) -> bool:
    """True if there is a choice of radix."""
    return any(p.name == "radix" and p.range != p.default for p in model.parameters)


def _arguments(model: Model) -> str:
    """Options of the example for this model."""
    prime = [f"--prime {example(model)[0]}"] if model.has_modulus else []
    return " ".join([*prime, *([f"--radix {RADIX}"] if _has_radix(model) else [])])


def _core_arguments(model: Model, architecture: Architecture | None) -> str:
    """Options of the example for a core that computes it."""
    if architecture is None or not architecture.example_settings:
        return _arguments(model)
    settings = [f"--set {name}={value}" for name, value in architecture.example_settings.items()]
    return " ".join([f"--prime {PRIME}", *settings])


def _operands(architecture: Architecture) -> str:
    """Option with the operands of the example for this core."""
    return f"--operands {A}" + ("" if architecture.model.unary else f",{B}")


def _query(model: Model) -> str:
    """A request with operands, over HTTP."""
    modulus, a, b = example(model)
    pairs = [*([f"prime={modulus}"] if model.has_modulus else []), *([f"radix={quote(RADIX)}"] * _has_radix(model))]
    return "&".join([f"model={model.id}", *pairs, f"a={a}", *([] if model.unary else [f"b={b}"])])


def _parameters(document: dict[str, Any]) -> str:
    rows = [
        (", ".join([p["name"], *p["aliases"]]), p["default"], p["range"], p["meaning"]) for p in document["parameters"]
    ]
    return "## Parameters\n\n" + table(("name", "default", "range", "meaning"), rows)


def model_page(model: Model, url: str) -> str:
    """Symbols, ranges, the loop itself, claims, a traced example, errata."""
    document = catalogue.model_document(model.id)
    options, query = _arguments(model), _query(model)
    cores = [f"[{a.id}](../cores/{a.id}.md)" for a in ARCHITECTURES.values() if a.model is model]
    _, a, b = example(model)
    widths = ", ".join(map(str, PROOF_BITS))
    title = model.title.replace("*", r"\*")  # two of them would be emphasis
    operands = f"--a {a}" + ("" if model.unary else f" --b {b}")
    parts = [
        f"# Model `{model.id}`: {title}\n\n{model.source}. Forms: {', '.join(model.forms)}.",
        f" Cores: {', '.join(cores)}.\n\n" if cores else "\n\n",
        "## Operands and result\n\n" + table(("", "range"), document["operands"].items()),
        _parameters(document),
        "## Symbols\n\nThe steps of a trace, in the paper's symbols.\n\n",
        table(
            ("step", "range", "meaning"),
            [(step_label(s["name"], s["index"]), s["range"], s["meaning"]) for s in document["steps"]],
        ),
        "## The loop\n\nThe model is this text; it yields every step as (symbol, subscripts, value).\n\n",
        *(f"```python\n{inspect.getsource(text)}```\n\n" for text in (model.loop, model.steps) if text is not None),
        "## Claims\n\nThey are checked by property tests, and for one product by `--check`. Those marked "
        "`intervals` are also proved "
        f"for all operands by interval arithmetic on the loop, at a shape each of {widths} bits.\n\n",
        table(
            ("about", "statement", "proof", "source"),
            [(c["step"] or "result", c["statement"], c["proof"], c["reference"]) for c in document["claims"]],
        ),
        f"## {proved_heading(model.id)}\n\n"
        "Claims that hold for all operands, and events that none of them makes happen: by interval arithmetic, by a "
        "solver, by trying all operands (exhaustive), or by a reason in words. `tests` are those of "
        "drawn operands.\n\n",
        table(("what holds", "by", "for which parameters"), proved_rows(document)),
        "## A traced example\n\n",
        examples.console(f"trace {model.id} {options} {operands} --format text"),
        "\nThis trace over HTTP, and vectors by prime and radix:\n\n",
        examples.query(url, f"/v1/traces?{query}&format=csv", 9),
        "\n",
        examples.console(f"vectors {model.id} {options} --count 3 --format csv"),
        _chain(model, options, url),
        "\n## Constants\n\n",
        examples.console(f"constants {model.id} {options} --format sv"),
        "\n",
    ]
    if document["errata"]:
        links = [f"* [{name}](../errata.md#{_anchor(name)})\n" for name in document["errata"]]
        parts += ["## Errata\n\n", *links]
    return "".join(parts)


def _chain(model: Model, options: str, url: str) -> str:
    """The section on chains: intermediate values, and one link."""
    if model.chain is None:
        return ""
    vectors, link = f"vectors {model.id} {options} --set t=1000 --count 2 --checkpoints 3", f"--a {A} --step 700"
    return (
        "\n## Long chains\n\nA case may have checkpoints: after so many squarings, the result of a chain that ends "
        "there. The register of a squarer holds that times R, modulo M; `--step` traces one squaring of the chain and "
        "shows the digits that are squared, without keeping those before it.\n\n"
        f"{examples.console(f'{vectors} --format csv')}\n"
        f"{examples.console(f'trace {model.id} {options} --set t=1000 {link} --format text', 12)}\n"
        + examples.query(url, f"/v1/traces?{_query(model)}&t=1000&step=700&format=csv", 6)
    )


def core_page(core: Core, architecture: Architecture | None) -> str:
    """Ports, schedule, cycle formula, waveform, area, how to simulate it."""
    file = core.file
    title = f": {architecture.title}\n\n{architecture.source}." if architecture else ""
    parts = [f"# Core `{file.name}`{title}\n\n"]
    parts += [f"Model: [{file.model}](../models/{file.model}.md). Protocol: {file.protocol.kind}.\n\n", _ports(core)]
    if architecture is not None:
        parts += _described(architecture)
    parts += [_area(core, architecture), _clock(core), _proofs(core)]
    model = MODELS[file.model]
    count = 100 if model.chain is None else 5
    example = f"sim {file.name} {_core_arguments(model, architecture)} --count {count} --simulator icarus"
    parts += ["## Simulate it\n\n", examples.console(example)]
    parts.append("\nVerilator, which is the default, takes longer to build and is faster for many products.\n")
    return "".join(parts)


def schedule_page(architecture: Architecture) -> str:
    """Schedule, costs and waveform of an architecture without a core."""
    head = f"# `{architecture.id}`: {architecture.title}\n\n{architecture.source}.\n\n"
    model = f"Model: [{architecture.model.id}](../models/{architecture.model.id}.md).\n\n"
    return "".join([head, model, *_described(architecture)])


def _described(architecture: Architecture) -> list[str]:
    return [part(architecture) for part in (_schedule, _costs, _occupation, _waveform)]


def _ports(core: Core) -> str:
    bound = bind(core, example_modulus(core), {}, {})
    meant = _meanings(core, bound.ports)
    rows = [(p.name, p.direction, p.width, meant.get(p.name, "")) for p in bound.ports.values()]
    named = ", ".join(f"{name} = {shown(value)}" for name, value in bound.parameters.items())
    return (
        f"## Ports\n\nWidths for {example_modulus(core)}: {named}.\n\n"
        + table(("port", "direction", "bits", "what"), rows)
        + _registers(bound)
    )


def _registers(bound: Bound) -> str:
    """The register map of a core behind a bus, as far as core.toml knows it."""
    rows = [(f"{offset:#06x}", words, what) for offset, words, what in bound.protocol.registers(bound)]
    return "## Registers\n\n" + table(("offset", "words", "what"), sorted(rows)) if rows else ""


def _meanings(core: Core, ports: Mapping[str, DesignPort]) -> dict[str, str]:
    """The entries of core.toml for each port, including watched ones that this shape does not have."""
    file = core.file
    memory, result = file.memory, file.result
    meant: dict[str | None, str] = {file.clock.port: "clock"} if file.clock else {}
    if file.reset:
        synchronous = f"{'' if file.reset.synchronous else 'a'}synchronous"
        meant[file.reset.port] = f"reset, active {file.reset.active}, {synchronous}"
    meant.update(file.protocol.meanings(ports).items())
    meant |= {entry.port: f"constant: {entry.value}" for entry in file.input}
    meant |= {entry.port: f"operand {entry.name}" for entry in file.operand}
    if memory is not None:
        which = ", ".join(f"{load.select}: {load.value}" for load in memory.load)
        meant |= {memory.enable: "writes a word", memory.select: f"which memory; {which}"}
        meant |= {memory.address: "which word, the lowest is 0", memory.data: "word"}
    meant |= {result.port: "result", result.address: "word of the result that is read", result.data: "that word"}
    meant |= {row.port: f"watched: {row.name}" for row in file.row}
    return {port: text for port, text in meant.items() if port is not None}


def _schedule(architecture: Architecture) -> str:
    core = catalogue.core_document(architecture.id)
    source = inspect.getsource(architecture.columns)
    rows = [(signal["name"], signal["kind"]) for signal in core["signals"]]
    return (
        "## Schedule\n\nWhich step of the model each signal holds in each cycle. The schedule computes nothing; these"
        f" are its rows:\n\n```python\n{source}```\n\n" + table(("signal", "kind"), rows)
    )


def _costs(architecture: Architecture) -> str:
    costs = catalogue.core_document(architecture.id)["costs"]
    where = costs[0]["example"]
    default = ", radix ".join(filter(None, (where["prime"], where["radix"])))
    rows = []
    for cost in costs:
        example = cost["example"]
        published = "; ".join(f"{where}: {_listed(value)}" for where, value in (cost["published"] or {}).items())
        rows.append((cost["name"], cost["formula"], f"{example['value']} {cost['unit']}", published))
    return "## Costs\n\n" + table(("", "formula", default, "published"), rows)


def _listed(value: Any) -> str:
    """One or several figures."""
    if isinstance(value, dict):
        return ", ".join(f"{figure} for {case}" for case, figure in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _waveform(architecture: Architecture) -> str:
    options, operands = _core_arguments(architecture.model, architecture), _operands(architecture)
    text = examples.console(f"cycles {architecture.id} {options} {operands} --format csv")
    return (
        f"## In every cycle\n\n![Waveform of one product]({architecture.id}.svg)\n\nRegisters are violet and stand in "
        "the cycle after the edge that loads them; grey is don't care. The same as a table, where a register stands in "
        "the row of the cycle whose end loads it; `--format vcd`, `fst` and `gtkw` are for waveform viewers:\n\n"
        f"{text}\n"
    )


def _units(architecture: Architecture) -> str:
    """The example for units that products share: two pairs of products."""
    return f"cycles {architecture.id} --prime {architecture.example} --count 4 --format"


def _occupation(architecture: Architecture) -> str:
    """The picture of the occupation of shared units."""
    if architecture.occupation is None:
        return ""
    return (
        f"## What the units are busy with\n\n![What every unit is busy with]({architecture.id}-units.svg)\n\n"
        f"Four products as early as they can, each in a colour of its own; made by `limbtrace {_units(architecture)} "
        "svg`. Cycles are those of the table below. The same as a table:"
        f"\n\n{examples.console(f'{_units(architecture)} units', 20)}\n"
    )


def occupation(architecture: Architecture) -> str | None:
    """The occupation picture of a core; None if it has no shared units."""
    return None if architecture.occupation is None else examples.shell(f"{_units(architecture)} svg")


def waveform(architecture: Architecture) -> str:
    """The picture of the example's first cycles."""
    options = f"{_core_arguments(architecture.model, architecture)} {_operands(architecture)}"
    text = examples.shell(f"cycles {architecture.id} {options}")
    document = json.loads(text)
    rows = document["rows"][:WAVEFORM_CYCLES]
    waves = [
        Wave(column["name"], [row[k] and row[k][2:] for row in rows], column["kind"] == "register")
        for k, column in enumerate(document["columns"])
    ]
    return svg(waves, document["first_cycle"])


def _area(core: Core, architecture: Architecture | None) -> str:
    rows = areas.kept(core)
    if not rows:
        return ""
    text = (
        f"## Area\n\nOut of context, from `limbtrace synth {core.file.name}`; [what the columns are](../areas.md). "
        "Yosys is another tool than the papers' ones: these figures compare versions of a core, and with the papers "
        "only roughly.\n\n"
    ) + table(areas.HEAD[1:], [[_short(row[1]), *row[2:]] for row in rows])
    published = architecture.published.get("area", {}) if architecture else {}
    if published:
        text += "Published, from the vendor's tools:\n\n"
        rows = [[where, ", ".join(f"{k} {v}" for k, v in figures.items())] for where, figures in published.items()]
        text += table(("design", "figures"), rows)
    return text


def _clock(core: Core) -> str:
    kept = core_routes(core.file.name)
    if not kept:
        return ""
    return (
        f"## Clock\n\nAfter place and route by nextpnr, from `limbtrace synth {core.file.name} --route ecp5`, with a "
        f"register at each port; MHz inside are those of paths that begin and end in the core. {ABOUT}\n\n"
    ) + table(ROUTED, map(route_cells, kept))


def _proofs(core: Core) -> str:
    kept = core_proofs(core.file.name)
    if not kept:
        return ""
    parts = [
        "## Proofs\n\nFor all operands of a modulus, by [`limbtrace prove`](../proofs.md). The documents are `proofs` "
        f"of `/v1/cores/{core.file.name}`. Tools: {versions(kept)}.\n\n",
        table((*HEAD, "SHA-256"), [[*proof_cells(proof), f"{proof['proof']['digest'][:16]}..."] for proof in kept]),
    ]
    for member, title in (("hypotheses", "What they assume"), ("trusted", "What they rest on and do not check")):
        parts += [f"{title}:\n\n", *(f"* {text}\n" for text in common(kept, member)), "\n"]
    return "".join(parts)


def _short(parameters: str) -> str:
    """RTL parameters of a row, constants of a modulus by their width only."""
    pairs = (pair.partition("=") for pair in parameters.split())
    return " ".join(f"{name}={shown(int(value))}" for name, _, value in pairs)


def errata_page(url: str) -> str:
    """Every erratum with requests that show the printed and the corrected form side by side."""
    parts = [
        "# Errata\n\nWhere a paper is wrong as printed, and remarks. Each entry quotes the paper and is a test, and "
        "each request below was run when this "
        "page was made. The last ones are about formulas, operations, figures in tables, "
        "what the text says of them, and words.\n\n"
    ]
    document = catalogue.errata_document()
    parts.append(table(("standing", "meaning"), document["standings"].items()))
    for paper in PAPERS.values():
        rows = [
            (f"[{erratum.id}](#{_anchor(erratum.id)})", erratum.standing, erratum.kind, erratum.printed)
            for erratum in sorted(paper.errata, key=_number)
        ]
        parts.append(f"**{paper.id}**\n\n" + table(("", "standing", "kind", "printed"), rows))
    for erratum in document["errata"]:
        parts += _SECTIONS[erratum["kind"]](erratum, url)
    parts.append("## Right as printed\n\nNumbers of the lists under which the paper turned out to be right:\n\n")
    parts.append(table(("", ""), document["right"].items()))
    return "".join(parts)


def tables_page(url: str) -> str:
    """Every figure that a paper prints, ours beside it, and the verdict."""
    document = tables.tables_document()
    parts = [
        "# Tables of the papers\n\nFigures as printed, ours beside them, and a verdict on each:\n\n",
        table(("verdict", "meaning"), document["verdicts"].items()),
        f"An area of a paper has beside it what Yosys makes of our core. {tables.SYNTHESIS}\n\n",
    ]
    for paper in document["papers"]:
        parts.append(f"## {paper['id']}\n\n{paper['source']}.\n\n" + table(paper["count"], [paper["count"].values()]))
        for number in tables.numbers(paper):
            parts.append(
                f"### {paper['id']}, {tables.title(number)}\n\n" + table(tables.HEAD, tables.rows(paper, number))
            )
        parts.append("The same on the command line and over HTTP, as text or as JSON:\n\n")
        parts.append(examples.console(f"tables {paper['id']}", 12) + "\n")
        parts.append(examples.query(url, f"/v1/tables/{paper['id']}", 3) + "\n")
    return "".join(parts)


def designs_page(url: str) -> str:
    """The design spaces: the quantities of each design, and the Pareto front."""
    parts = ["# Designs to choose from\n\n"]
    for space in SPACES.values():
        found = designs.designs_document(designs.Exploration.resolve(space.core, DESIGN_BITS[0]))
        parts.append(f"## {space.core}\n\n{space.source}. What is known of each design:\n\n")
        parts.append(
            table(("", "unit", "meaning"), [(q["name"], q["unit"], q["meaning"]) for q in found["quantities"]])
        )
        named = ", ".join(objective["name"] for objective in found["objectives"])
        parts.append(
            "Designs that the core cannot be have their times, and the reason. Those that it can be are compared by "
            f"{named}: a design is on the Pareto front where no other one is as good in all of them and better in one. "
            "Times are in nanoseconds, and count as such, where a clock is known: `--frequency MHZ`, or `--device "
            "NAME` for those that the paper printed. Memories do not count, unless areas are measured by Yosys, with "
            "`--synth`.\n\n"
        )
        for bits in DESIGN_BITS:
            parts.append(f"### {space.core}, {bits} bits\n\n![Area and times](designs-{space.core}-{bits}.svg)\n\n")
        parts.append(examples.console(f"explore {space.core} --bits {DESIGN_BITS[0]} --format csv", 6) + "\n")
        parts.append(examples.query(url, f"/v1/explore?core={space.core}&bits={DESIGN_BITS[0]}&format=csv", 6) + "\n")
    return "".join(parts)


def designs_picture(space: Space[Any], bits: int) -> str:
    """Area and times of the designs for moduli of that many bits."""
    return examples.shell(f"explore {space.core} --bits {bits} --format plot")


def _number(erratum: AnyErratum) -> int:
    """The one in a list of errata."""
    return int(re.findall(r"\d+", erratum.id)[0])


def _anchor(name: str) -> str:
    return name.lower().replace(".", "")


def _erratum_head(entry: dict[str, Any]) -> str:
    models = ", ".join(f"[{name}](models/{name}.md)" for name in entry["models"])
    correction = CORRECTIONS[entry["standing"]]
    rows = [("quotation", f"`{entry['quote']}`"), ("place", entry["place"]), ("printed", entry["printed"])]
    text = table(("", ""), [*rows, (correction, entry["corrected"])])
    return f"## {entry['id']}\n\n{entry['standing'].capitalize()}, {models}\n\n{text}"


def _text_erratum(entry: dict[str, Any], _: str) -> Iterator[str]:
    yield _erratum_head(entry)
    if not entry["example"]:
        yield f"This is about words, and nothing computes them: `{entry['command']}`.\n\n"
        return
    yield f"The registers of a circuit that is right, in every cycle of a product: `{entry['command']}`.\n\n"


def _circuit_erratum(entry: dict[str, Any], _: str) -> Iterator[str]:
    yield _erratum_head(entry)
    keys = ("core", "modulus", "settings", "a", "b", "flaw", "printed_result", "result")
    example = {**entry["example"], "settings": ", ".join(f"{k} = {v}" for k, v in entry["example"]["settings"].items())}
    yield table(keys, [[example[key] for key in keys]])
    right = entry["requests"][-1]["command"]
    yield f"Clocked again by `{entry['command']}`; the registers of the circuit that is right: `{right}`.\n\n"


def _statement_erratum(entry: dict[str, Any], _: str) -> Iterator[str]:
    yield _erratum_head(entry)
    yield table(("from the printed figures", ""), entry["example"]["values"].items())
    yield f"These are in [the tables](tables.md): `{entry['command']}`.\n\n"


def _operation_erratum(entry: dict[str, Any], _: str) -> Iterator[str]:
    yield _erratum_head(entry)
    keys = ("operation", "printed", "ours")
    yield table(keys, [[entry["example"][key] for key in keys]])
    yield f"Worked out again by `{entry['command']}`.\n\n"


def _formula_erratum(entry: dict[str, Any], _: str) -> Iterator[str]:
    yield _erratum_head(entry)
    example = entry["example"]
    yield f"{cell(example['quantity'])}, for units of the paper, by the printed formula and by the corrected one:\n\n"
    keys = ("design", "bits", "printed", "ours")
    yield table(keys, [[value[key] for key in keys] for value in example["values"]])
    yield f"Beside the figures of [the tables](tables.md): `{entry['command']}`.\n\n"


def _figure_erratum(entry: dict[str, Any], _: str) -> Iterator[str]:
    yield _erratum_head(entry)
    (paper,) = tables.tables_document(entry["example"]["paper"])["papers"]
    shown = [figure for figure in paper["figures"] if figure["erratum"] == entry["id"]]
    keys = ("table", "design", "bits", "k", "metric", "published", "ours")
    yield table(keys, [["" if figure[key] is None else figure[key] for key in keys] for figure in shown])
    yield f"All of them, with the rest of [the tables](tables.md): `{entry['command']}`.\n\n"


def _erratum(entry: dict[str, Any], url: str) -> Iterator[str]:
    yield _erratum_head(entry)
    if "operands" in entry["example"]:
        yield "It takes several products in one stream, which only cores take; theirs is the corrected form:\n\n"
        names = ("operands", "printed_results", "results")
        rows = zip(*(entry["example"][name] for name in names), strict=True)
        yield table(("a, b", "printed", "corrected"), [(", ".join(pair), *results) for pair, *results in rows])
        yield f"```sh\n{entry['command']}\n```\n\n"
        return
    claim = entry["kind"] == "claim"
    for request in entry["requests"]:
        statement = (
            f"This product breaks the printed statement `{entry['claim']}`" if claim else f"As {request['form']}"
        )
        shown = f"{request['command'].removeprefix('limbtrace ')} --format text"
        yield f"{statement}:\n\n{examples.console(shown, 30 if claim else 14)}\n"
        yield examples.query(url, f"{request['url']}&format=csv", 4) + "\n"


_SECTIONS: dict[str, Callable[[dict[str, Any], str], Iterator[str]]] = {
    "form": _erratum,
    "claim": _erratum,
    "formula": _formula_erratum,
    "operation": _operation_erratum,
    "figure": _figure_erratum,
    "statement": _statement_erratum,
    "circuit": _circuit_erratum,
    "text": _text_erratum,
}
"""Display of each kind of erratum: (entry of the document, address of a service) -> text."""
