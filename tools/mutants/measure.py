# SPDX-License-Identifier: Apache-2.0
"""Which case is the first to kill a mutant, for each kind of operands, by results alone and with watched signals.

A core is built once. Golden data are computed once for each kind, and each mutant runs in a process of its own, which
it may crash or hang.
"""

import multiprocessing
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path

from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.driver import driver
from limbtrace.rtl_bridge.run.fast import BatchOutputs, Bench
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.products import CoreOutputs, ExpectedStream
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.errors import ToolError
from tools.mutants.bank import Bank
from tools.mutants.copies import PORT

PATIENCE = 120.0
"""Seconds after which a mutant that gives no answer counts as killed in its first case."""
DISTURBED = 300
"""Products of a run with all disturbances."""


@dataclass(frozen=True)
class Kill:
    """First case that differs, None without one."""

    results: int | None
    rows: int | None


CRASH = Kill(0, 0)


class Bred:
    """A copy of a core with all the mutants of its bank, built."""

    def __init__(self, bank: Bank, target: Path) -> None:
        self.bank = bank
        self._folder = bank.spoilt(target)
        self._fast: tuple[Run, Path] | None = None
        self._lockstep: Run | None = None

    def kills(self, kind: str, count: int, numbers: Sequence[int]) -> Iterator[tuple[int, Kill]]:
        """(number, kill) of each mutant; number 0 is the core without a fault. Raises ParameterError for the kind."""
        if self._fast is None:
            run = settle(self._job(mode="fast"))
            self._fast = run, build(run.shell, "verilator", "fast", waves=False).folder / "sim"
        run, library = self._fast
        run = replace(run, job=run.job.model_copy(update={"kind": kind, "count": count}))
        golden = list(run.golden.checked())
        for number in numbers:
            yield number, _apart(run, number, library, golden)

    def disturbed(self, numbers: Sequence[int]) -> Iterator[tuple[int, int | None]]:
        """(number, first case that differs) with all disturbances, in lock-step, of random operands."""
        if self._lockstep is None:
            self._lockstep = settle(self._job(kind="random", count=DISTURBED, disturb=DISTURBANCES))
        model = build(self._lockstep.shell, "verilator", "lockstep", waves=False)
        for number in numbers:
            run = with_fault(self._lockstep, number)
            with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
                try:
                    found = driver("lockstep").drive(run, model, Path(folder), None).divergence
                except ToolError:  # it crashed or hung
                    yield number, 0
                else:
                    yield number, None if found is None else found.case

    def _job(self, **fields: object) -> Job:
        bank = self.bank
        about = {"core": str(self._folder), "prime": bank.prime, "settings": bank.settings, "build": bank.build}
        return Job.model_validate({**about, **fields})


@contextmanager
def bred(bank: Bank) -> Iterator[Bred]:
    """The mutants of a bank, in a folder that is removed in the end."""
    with tempfile.TemporaryDirectory(prefix="limbtrace-mutants-") as folder:
        yield Bred(bank, Path(folder))


def with_fault(run: Run, number: int) -> Run:
    """The run of a bred core with that mutant."""
    core = run.bound.core
    inputs = [
        constant.model_copy(update={"value": number}) if constant.port == PORT else constant
        for constant in core.file.input
    ]
    chosen = replace(core, file=core.file.model_copy(update={"input": inputs}))
    others = [(kind, with_fault(other, number)) for kind, other in run.others]
    return replace(run, bound=replace(run.bound, core=chosen), others=others)


def _apart(run: Run, number: int, library: Path, golden: Sequence[ExpectedStream]) -> Kill:
    """`_kill` in a process of its own."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, run, number, library, golden))
    process.start()
    theirs.close()
    try:
        if ours.poll(PATIENCE):
            answer: Kill = ours.recv()
            return answer
    except EOFError:  # it died
        pass
    finally:
        process.kill()
        process.join()
        ours.close()
    return CRASH


def _answer(pipe: Connection, run: Run, number: int, library: Path, golden: Sequence[ExpectedStream]) -> None:
    pipe.send(_kill(run, number, library, golden))


def _kill(run: Run, number: int, library: Path, golden: Sequence[ExpectedStream]) -> Kill:
    comparator = run.comparator
    with Bench(library, with_fault(run, number)) as bench:
        shown = bench.run(bench.packed([product.a for product in golden], [product.b for product in golden]))
        checked = (comparator.check(golden[at], shown.observed(at, run)) for at in range(len(shown.outcomes)))
        rows = next((found.case for found in checked if found is not None), None)
        for at in _wrong(run, golden, shown):
            found = comparator.outcome(golden[at], _outcome_of(shown.observed(at, run)))
            if found is not None:
                return Kill(found.case, found.case if rows is None else min(rows, found.case))
        if bench.rest(run.bound.tail)[0] is not None:
            last = run.job.cases - 1
            return Kill(last, last if rows is None else rows)
    return Kill(None, rows)


def _outcome_of(observed: CoreOutputs) -> CoreOutputs:
    return replace(observed, rows="")


def _wrong(run: Run, golden: Sequence[ExpectedStream], shown: BatchOutputs) -> Iterator[int]:
    """Streams whose results or handshake may differ, in order."""
    plan = run.bound.plan
    for at, outcome in enumerate(shown.outcomes):
        timely = plan is None or int(outcome["latency"]) == plan.cycles
        right = int.from_bytes(shown.results[at].tobytes(), "little") == golden[at].result
        if outcome["late"] or outcome["rule"] or not timely or not right:
            yield at
