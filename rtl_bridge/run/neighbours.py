# SPDX-License-Identifier: Apache-2.0
"""Cycles beside the one in which a wrong result was taken: the right one may stand there.

The product that differs is simulated once more, alone and with a waveform, in Icarus Verilog, which builds a model
quickly. Nothing depends on it: where that simulation fails or takes long, nothing is found.
"""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.interface.pins import ports_in
from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.driver import driver
from limbtrace.rtl_bridge.run.job import MODES, Job, TracedJob
from limbtrace.rtl_bridge.run.log_parser import CYCLE
from limbtrace.rtl_bridge.run.report import Divergence, Report, Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.waveform import CORE, behind_result, wave_names
from limbtrace.vectors.cycles.waves import nanosecond
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.report.document import RESULT

SIMULATOR = "icarus"
FARTHEST = 8
"""Cycles before and after it that are looked at."""
CERTAINTY = 20
"""Bits: numbers that are equal by chance are so with a probability of 2^-20 at most."""
MOST_SIMULATIONS = 4
MOST_CYCLES, MOST_SECONDS, MOST_BYTES = 20_000, 5.0, 400_000
"""Cycles that a product may take, seconds after which nothing is begun any more, and size of all sources."""
UNEXPLAINED = ("wrong_word", "zero", "unknown_bits", "operand", "previous_", "next_", "inverted_", "truncated")
"""Beginnings of kinds of observations that a result from another cycle may have, too."""


def with_neighbours(run: Run, report: Report) -> Report:
    """The report, with the cycle in which the port has the right result if that is near."""
    found = report.tally.divergence
    if found is None or report.observe is None or not _is_open(report, found):
        return report
    try:
        distance = _distance(run, found)
    except (ToolError, ParameterError, OSError):
        return report
    if not distance:
        return report
    observe, first = report.observe, found.case

    def observed(document: object, divergence: Divergence, *, events: bool) -> dict[str, object]:
        known = {"right_at": distance} if divergence.case == first else {}
        return observe(document, divergence, events=events, **known)

    return replace(report, observe=observed)


def _is_open(report: Report, found: Divergence) -> bool:
    """True if a whole result is wrong, and nothing else explains it."""
    facts = [fact["kind"] for fact in report.observed.get("observations", [])]
    plain = found.signal == RESULT and found.kind == "value" and found.expected is not None
    return plain and "modulus" not in found.disturbed and all(kind.startswith(UNEXPLAINED) for kind in facts)


def _distance(run: Run, found: Divergence) -> int | None:
    """Cycles from that in which the result was taken to that with the right one, the same for several products.

    None if there is none, or if chance may explain it.
    """
    file, bound = run.bound.core.file, run.bound
    port = file.result.port
    is_plain = port is not None and ports_in(port) == [port] and file.result.radix is None and bound.result_words == 1
    bits = bound.multiplier.modulus.bits - (2 * FARTHEST).bit_length()
    wanted = -(-CERTAINTY // max(bits, 1))
    size = sum(path.stat().st_size for path in bound.files)
    waits = bound.protocol.stalls and bound.protocol.keeps  # then nothing says in which of its cycles it was taken
    if not is_plain or waits or file.clock is None or wanted > MOST_SIMULATIONS:
        return None
    if bound.limit > MOST_CYCLES or size > MOST_BYTES or file.ghdl == "simulate":
        return None
    distances: set[int] = set()
    end = time.monotonic() + MOST_SECONDS
    for a, b in islice(_products(run, found), wanted):
        if time.monotonic() > end:
            return None
        near = _nearest(run, a, b)
        if not near:
            return None
        distances = distances & near if distances else near
    return min(distances, key=lambda k: (abs(k), -k), default=None)


def _products(run: Run, found: Divergence) -> Iterator[tuple[int, int]]:
    """The product that differs, then others of the run."""
    first = int(found.a, 16), int(found.b or "0x0", 16)
    yield first
    for pair in run.stimulus.pairs():
        if (int(pair.a), int(pair.b)) != first:
            yield int(pair.a), int(pair.b)


def _nearest(run: Run, a: int, b: int) -> set[int]:
    """Distances in cycles at which the port has the right result of a product that differs; empty without one."""
    update = {
        "simulator": SIMULATOR,
        "mode": MODES[0],
        "operands": (run.bound.operand_text(a, b),),
        "only": None,
        "stream": 1 if run.bound.products > 1 and (run.bound.protocol.timed or run.bound.in_order) else None,
        "disturb": (),
        "every_cycle": False,
        "keep_going": None,
        "waves": None,
        "service": None,
        "patience": MOST_SECONDS,
    }
    alone = settle(TracedJob(**{**dict(run.job), **update}))
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work, waves = Path(folder) / "run", Path(folder) / "run" / "waves.vcd"
        work.mkdir()
        tally = _traced(alone, work, waves)
        return _distances(alone, tally, waves)


def _traced(run: Run, work: Path, waves: Path) -> Tally:
    """Simulate a run with its waveform."""
    job: Job = run.job
    model = build(run.shell, job.simulator, job.mode, True, sandboxed=job.sandbox)
    return driver(job.mode).drive(run, model, work, waves)


def _distances(run: Run, tally: Tally, waves: Path) -> set[int]:
    from limbtrace.vectors.report.waves import sampled  # with the library for waveforms

    found = tally.divergence
    if found is None or tally.began is None or found.signal != RESULT or found.cycle is None:
        return set()
    port, clock = run.bound.core.file.result.port, wave_names(run.bound)["clock"]
    samples = sampled(waves, clock, f"{CORE}.{port}")
    edge = round((tally.began + CYCLE * (found.cycle + 1 - behind_result(run.bound))) * nanosecond(waves))
    at = next((k for k, (time, _) in enumerate(samples) if time >= edge), None)
    if at is None or not _has(samples[at][1], found.seen):
        return set()
    near = range(max(at - FARTHEST, 0), min(at + FARTHEST + 1, len(samples)))
    return {k - at for k in near if _has(samples[k][1], found.expected)}


def _has(value: int | None, text: str | None) -> bool:
    """True if a number is the one that a report shows; unknown bits are no number on either side."""
    try:
        return value == (None if text is None else int(text, 16))
    except ValueError:
        return value is None
