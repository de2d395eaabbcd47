# SPDX-License-Identifier: Apache-2.0
"""`limbtrace identify`: what a core computes, from the results of a few products."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.binding.checks import MOST_MULTIPLES
from limbtrace.rtl_bridge.description.writer import toml
from limbtrace.rtl_bridge.flow.bare_run import bare_run
from limbtrace.rtl_bridge.flow.identify_numbers import described_numbers, is_own, text_of, with_numbers
from limbtrace.rtl_bridge.flow.r_formulas import formulas
from limbtrace.rtl_bridge.run.explanation import port_widths
from limbtrace.rtl_bridge.run.job import MODES, Job
from limbtrace.rtl_bridge.run.options import job_options
from limbtrace.rtl_bridge.run.report import Divergence, Report
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.cli import MISMATCH, json_option
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.identification import FoundRelation, Identification
from limbtrace.vectors.report.identify import Relation, Sample, relations
from limbtrace.vectors.report.number_formulas import NumberFormula, R
from limbtrace.vectors.report.relations import NumberWidths
from limbtrace.vectors.request import within

FEWEST_PRODUCTS, MOST_PRODUCTS = 3, 1000
DEFAULT_BOUNDS = {"reduce": "p^2", "redc": "p*R"}
"""Bounds of the operand of models that reduce it, where none is given."""


@click.command()
@job_options(
    Job,
    "core",
    "run",
    mode=MODES[0],
    disturb=(),
    service=None,
    keep_going=None,
    waves=None,
    kind="random",
    operands=(),
    only=None,
    stream=None,
    every_cycle=False,
)
@click.option("--count", metavar="N", default="16", show_default=True, help="Random products.")
@click.option("--seed", metavar="N", default="1", show_default=True, help="Seed of the operands.")
@json_option
def identify(job: Job, count: str, seed: str, as_json: bool) -> int:
    """Run a few products and say which formula explains what CORE returns; exit 1 if none does.

    CORE is a folder with RTL and a core.toml whose ports and handshake are right. Its model, its R, the range of its
    result and the order of its words need not be, and broken rules of the handshake are not looked at.
    """
    products = within("count", count, FEWEST_PRODUCTS, MOST_PRODUCTS)
    drawn = job.model_copy(update={"count": products, "seed": within("seed", seed, 0, (1 << 64) - 1)})
    run = bare_run(drawn.model_copy(update={"keep_going": products}))
    samples, found = identified(run)
    if as_json:
        click.echo(dump(_document(run, samples, found)))
    else:
        click.echo("".join(f"{line}\n" for line in _lines(run, samples, found)), nl=False)
    return 0 if found else MISMATCH


@dataclass(frozen=True)
class Explained:
    """A formula that explains the results of a core."""

    text: str
    keys: Mapping[str, str]
    """Keys of core.toml that say it, as TOML; empty if none does."""
    exponent: int | None
    """That of the power of 2 by which results are multiplied; None for another factor."""
    document: Any
    """It as a `FoundRelation`."""
    is_own: bool = False
    """True if it is what the description of the core says; of a core with several numbers on its ports alone."""
    is_partial: bool = False
    """True if it explains most results alone; of such a core, too."""


def identified(run: Run, *, quiet: bool = False) -> tuple[list[Sample], list[Explained]]:
    """Products and results of a bare run, and what explains them. Raises ParameterError, ToolError."""
    samples = _samples(run, simulate_run(run, quiet=quiet))
    if run.bound.multiplier.model.numbers:
        return samples, [_of_numbers(run, formula, len(samples)) for formula in with_numbers(run, samples)]
    return samples, [_of_relation(run, relation) for relation in _relations(run, samples)]


def _of_relation(run: Run, relation: Relation) -> Explained:
    keys = described(run.bound, relation)
    return Explained(relation.text, keys, relation.exponent, _shown(relation, keys))


def _of_numbers(run: Run, formula: NumberFormula, products: int) -> Explained:
    bound = run.bound
    is_partial = formula.right < products
    text, keys, r = text_of(bound, formula, products), described_numbers(bound, formula), formula.settings.get(R, 0)
    document = members(
        FoundRelation,
        text=text,
        form=formula.model.title,
        factor=f"{pow(2, -r, bound.multiplier.modulus.modulus):#x}",
        exponent=-r,
        multiples=1,
        result_order=0,
        a_order=0,
        b_order=0,
        previous=False,
        signed=False,
        readings=[],
        fault=None,
        right=formula.right if is_partial else None,
        description=keys,
    )
    return Explained(text, keys, -r, document, is_own(bound, formula), is_partial)


def _samples(run: Run, report: Report) -> list[Sample]:
    """The products and the results of the core. Raises ParameterError if it returned no more than a few."""
    wrong = {found.case: found for found in report.differences}
    multiplier, unary = run.bound.multiplier, run.bound.core.file.unary
    samples = []
    for case, (a, b) in enumerate(_drawn(run)):
        found = wrong.get(case)
        seen = multiplier.model.result(multiplier.params, a, b) if found is None else _number(found)
        if seen is not None:
            samples.append(Sample(a, None if unary else b, seen))
    if len(samples) < FEWEST_PRODUCTS:
        sentence = report.differences[0].sentence()
        raise ParameterError("core", f"nothing that it returned is a number: {sentence}; run `limbtrace sim` first")
    return samples


def _drawn(run: Run) -> Iterator[tuple[int, int]]:
    for pair in run.stimulus.pairs():
        yield int(pair.a), int(pair.b)


def _number(found: Divergence) -> int | None:
    """The result that the core returned; None without one."""
    if found.signal != "result" or found.seen is None:
        return None
    try:
        return int(found.seen, 16)
    except ValueError:
        return None


def _relations(run: Run, samples: Sequence[Sample]) -> list[Relation]:
    radix = run.bound.multiplier.params.radix_bits
    widths = (run.shell.operand_width("a"), run.shell.result_width)
    modulus, domain = run.bound.multiplier.modulus, run.bound.multiplier.params.domain
    exponents = [modulus.bits, *([] if domain is None else [domain.bit_length() - 1])]
    ports = NumberWidths(**port_widths(run.shell))
    return relations(samples, modulus.modulus, widths=widths, digit=radix, ports=ports, exponents=exponents)


def described(bound: Bound, relation: Relation) -> dict[str, str]:
    """Keys of core.toml that say it: those that follow from the relation."""
    keys: dict[str, str] = {}
    if relation.multiples > MOST_MULTIPLES or relation.previous or any(relation.readings):
        return keys
    model, exponent = _without_product(bound, relation), 0
    if model is None:
        model, exponent = _with_product(bound, relation)
    if model is None:
        return keys
    keys["model"] = f'"{model}"'
    settings = {}
    if exponent < 0:
        settings["r"] = f'"{formulas(-exponent, bound.multiplier.modulus.bits)[0]}"'
    if (below := _bound_of_operand(bound, model)) is not None:
        settings["below"] = f'"{below}"'
    if settings:
        keys["settings"] = f"{{ {', '.join(f'{name} = {text}' for name, text in settings.items())} }}"
    if relation.form.text == "a - b" and relation.factor != 1:
        a, b = (operand.port for operand in bound.core.file.operand)
        keys["operand"] = toml([{"name": "a", "port": str(b)}, {"name": "b", "port": str(a)}])
    if relation.multiples > 1 or relation.signed:
        multiple = "p" if relation.multiples == 1 else f"{relation.multiples} * p"
        keys["compare"] = '"congruent"'
        keys["result"] = f'{"signed = true, " if relation.signed else ""}below = "{multiple}"'
    return keys


def _with_product(bound: Bound, relation: Relation) -> tuple[str | None, int]:
    """A model of products or of residues, or None, and the exponent of 2 as a factor, which is not positive."""
    form, exponent, odd = relation.form.text, relation.exponent, relation.modulus % 2
    if exponent is None or exponent > 0 or (exponent < 0 and not odd):
        return None, 0
    reducers = ("reduce", "redc") if bound.core.file.unary else (None, None)
    models = {"a*b": ("modmul", "montgomery"), "a^2": ("square", None), "a": reducers}
    plain, domain = models.get(form, (None, None))
    return plain if exponent == 0 else domain, exponent


def _without_product(bound: Bound, relation: Relation) -> str | None:
    """A model of a sum, a difference, a negative or a half of operands below p, or None.

    It is one of b - a only where each operand has a port.
    """
    p, file, named = relation.modulus, bound.core.file, [("a + b", 1, "modadd"), ("a - b", 1, "modsub")]
    if len(file.operand) == 2 and all(operand.port is not None for operand in file.operand):
        named.append(("a - b", p - 1, "modsub"))
    if file.unary and p > 2 and bound.multiplier.params.limits[0] < p:
        named += [("a", p - 1, "modneg"), *([("a", (p + 1) // 2, "modhalve")] if p % 2 else [])]
    return next((model for *found, model in named if found == [relation.form.text, relation.factor]), None)


def _bound_of_operand(bound: Bound, model: str) -> str | None:
    """The bound of the operands of the run, as the model of a reducer says it; None for its default."""
    params, default = bound.multiplier.params, DEFAULT_BOUNDS.get(model)
    below = params.named.get("below", default)
    if model == "reduce" and below is not None and "R" in below:  # which it does not know
        below = "p" if params.domain == 1 else default
    return None if default is None or below == default else below


def _lines(run: Run, samples: Sequence[Sample], found: Sequence[Explained]) -> Iterator[str]:
    file, modulus = run.bound.core.file, run.bound.multiplier.modulus
    named = modulus.name or f"{modulus.modulus:#x}"
    yield f"{file.name}: {len(samples)} random products modulo {named} in {run.job.simulator}"
    if not found:
        yield "no formula that identify knows explains the results"
        first = samples[0]
        b = "" if first.b is None else f"b = {first.b:#x}, "
        yield f"the first: a = {first.a:#x}, {b}result = {first.seen:#x}"
        return
    for number, explained in enumerate(found):
        yield f"{'or ' if number else ''}{explained.text}"
    if len(found) > 1 and not run.bound.multiplier.model.numbers:
        yield "so small a modulus cannot tell them apart; take a larger one, or more products"
    has_r = not found[0].keys or "r = " in found[0].keys.get("settings", "")
    if (k := found[0].exponent) is not None and k < 0 and has_r:
        yield f"R = 2^{-k}; with N = {modulus.bits}, r = {' or '.join(formulas(-k, modulus.bits))}"
    if keys := found[0].keys:
        yield "in core.toml:"
        yield from (f"  {'[result] ' if key == 'result' else f'{key} = '}{text}" for key, text in keys.items())


def _shown(relation: Relation, keys: Mapping[str, str]) -> Any:
    return members(
        FoundRelation,
        text=relation.text,
        form=relation.form.text,
        factor=None if relation.factor is None else f"{relation.factor:#x}",
        exponent=relation.exponent,
        multiples=relation.multiples if relation.factor is not None else None,
        result_order=relation.result.unit,
        a_order=relation.a.unit,
        b_order=relation.b.unit,
        previous=relation.previous,
        signed=relation.signed,
        readings=cast(Any, list(relation.readings) if any(relation.readings) else ()),
        fault=None if relation.fault is None else f"{relation.fault.text}, as {relation.fault.cause}",
        right=None if relation.fault is None else relation.right,
        description=dict(keys),
    )


def _document(run: Run, samples: Sequence[Sample], found: Sequence[Explained]) -> dict[str, Any]:
    document: dict[str, Any] = members(
        Identification,
        format=FORMAT,
        core=run.bound.core.file.name,
        modulus=f"{run.bound.multiplier.modulus.modulus:#x}",
        products=len(samples),
        relations=[explained.document for explained in found],
    )
    return document
