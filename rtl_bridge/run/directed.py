# SPDX-License-Identifier: Apache-2.0
"""`limbtrace sim --moduli directed`: a core at moduli that are likely to show a fault, one run for each of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from limbtrace.refmodels.directed_moduli import DirectedModulus, directed_moduli
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expressions import parse_power_of_two
from limbtrace.rtl_bridge.description.formula import all_hold
from limbtrace.rtl_bridge.run.contract import has_constants
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.neighbours import with_neighbours
from limbtrace.rtl_bridge.run.replays import confirmed
from limbtrace.rtl_bridge.run.report import OTHER_MODULUS, Report
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.catalogue.moduli import DEFAULT_RADIX
from limbtrace.vectors.cli.options import table
from limbtrace.vectors.document import members
from limbtrace.vectors.progress import Progress
from limbtrace.vectors.report.document import TriedModulus
from limbtrace.vectors.request import EXHAUSTIVE

DIRECTED = "directed"
COUNT = 64
"""Products at each modulus by default."""
MOST_BUILDS = 8
"""Builds of the core beside the first by default."""
MOST = 100
"""Most directed moduli."""
ASKED_FOR = "asked for"


@dataclass(frozen=True)
class ModulusRun:
    """A run of a core at a modulus."""

    run: Run
    reason: str
    rebuilt: bool = False
    """True if it takes another build than the run at the modulus that was asked for."""


@dataclass(frozen=True)
class ModulusOutcome:
    """The report of a run at a modulus."""

    tried: ModulusRun
    report: Report

    @property
    def document(self) -> Any:
        """As a TriedModulus."""
        return members(
            TriedModulus,
            prime=self.report.about["prime"],
            reason=self.tried.reason,
            verdict="agrees" if self.report.passed else "differs",
            verified=self.report.tally.verified,
            rebuilt=self.tried.rebuilt,
        )


@dataclass(frozen=True)
class ModuliOutcomes:
    """The outcomes of all runs, the last of which is the one that differs, if one does."""

    runs: tuple[ModulusOutcome, ...]

    @property
    def passed(self) -> bool:
        return self.runs[-1].report.passed

    @property
    def _shown(self) -> Report:
        """The report of the run that differs, or of the modulus that was asked for."""
        return self.runs[0 if self.passed else -1].report

    @property
    def document(self) -> dict[str, Any]:
        """The report of one run as a ReportDocument, with the verdicts of all."""
        document: dict[str, Any] = {**self._shown.document, "moduli": [each.document for each in self.runs]}
        return document

    def table(self) -> str:
        """The last rows up to a difference; empty without one."""
        found = self._shown.tally.divergence
        return "" if found is None else found.table()

    def text(self) -> str:
        """The verdict of each modulus, and the report of the one that differs."""
        rows = [
            [f"  {each.document['prime']['modulus']}", each.document["verdict"], each.document["reason"]]
            for each in self.runs
        ]
        report, last = self._shown, self.runs[-1]
        if not self.passed:
            modulus = last.document["prime"]["modulus"]
            note = f"  {OTHER_MODULUS}\n" if len(self.runs) > 1 else ""
            return f"{table(rows)}modulus {modulus}: {last.tried.reason}\n{note}{report.text()}"
        verified = sum(each.report.tally.verified for each in self.runs)
        what = f"{report.signals} watched signal{'' if report.signals == 1 else 's'}" if report.signals else "results"
        head = (
            f"{report.core} ({report.model}) in {report.simulator}, {report.mode}: "
            f"{verified} products of {len(self.runs)} moduli agree, {what}\n"
        )
        warnings = dict.fromkeys(warning for each in self.runs for warning in each.report.tally.warnings)
        head += "".join(f"warning: {warning}\n" for warning in warnings)
        open_ = f"not tried: {', '.join(report.not_tried)}\n" if report.not_tried else ""
        return f"{head}{table(rows)}{open_}"


def check_directed(job: Job, given: Mapping[str, Any]) -> None:
    """Raises ParameterError for an option that is about one modulus; `given` are those that the job does not have."""
    own = {"operands": job.operands, "only": job.only is not None, "waves": job.waves}
    if refused := next((name for name, value in {**own, **given}.items() if value), None):
        why = f"it is about one modulus, and --moduli {DIRECTED} tries many; the replay of a difference takes it"
        raise ParameterError(refused, why)


def try_moduli(job: Job, builds: int, *, check_replay: bool) -> ModuliOutcomes:
    """Run a core at the modulus of a job and at directed ones, up to the first difference.

    `builds`: the most builds of the core beside the first; `check_replay`: a replay is run before it is printed.

    Raises ParameterError for a wrong request, and for a core that takes no other modulus; ToolError.
    """
    if job.count is None and job.kind != EXHAUSTIVE:
        job = job.model_copy(update={"count": COUNT})
    first = replace(settle(job), directed=True)
    some = [ModulusRun(first, ASKED_FOR), *_taken(first, builds)]
    if len(some) == 1:
        core = first.bound.core.file.name
        raise ParameterError("moduli", f"{core} takes no directed modulus beside the one that is asked for")
    outcomes: list[ModulusOutcome] = []
    with Progress("moduli", len(some)) as progress:
        for tried in some:
            report = simulate_run(tried.run, quiet=True)
            if not report.passed:
                report = confirmed(tried.run, report) if check_replay else report
                outcomes.append(ModulusOutcome(tried, with_neighbours(tried.run, report)))
                break
            outcomes.append(ModulusOutcome(tried, report))
            progress.advance()
    return ModuliOutcomes(tuple(outcomes))


def _taken(first: Run, builds: int) -> Iterator[ModulusRun]:
    """Runs at the directed moduli that a core takes, as far as they need no more builds than that."""
    rebuilt = 0
    # A core into which its modulus is written takes no other one, although nothing refuses it.
    carries = has_constants(first.bound)
    for entry in _moduli(first):
        run = _settled(first, entry)
        if run is None:
            continue
        follows = run.bound.parameters != first.bound.parameters
        same_width = run.bound.multiplier.modulus.bits == first.bound.multiplier.modulus.bits
        carries = carries or (follows and same_width)
        if not carries:
            continue
        if run.shell.text == first.shell.text:
            yield ModulusRun(run, entry.reason)
        elif rebuilt < builds:
            rebuilt += 1
            yield ModulusRun(run, entry.reason, rebuilt=True)


def _moduli(first: Run) -> Iterator[DirectedModulus]:
    """The directed moduli that the description of a core permits."""
    multiplier, conditions = first.bound.multiplier, first.bound.core.file.modulus
    asked = multiplier.modulus.modulus
    word = multiplier.params.radix_bits or parse_power_of_two(DEFAULT_RADIX)
    found = permitted(conditions, multiplier.modulus.bits, word, even=asked % 2 == 0, other_widths=True)
    return islice((entry for entry in found if entry.modulus != asked), MOST)


def permitted(
    conditions: Sequence[str], bits: int, word: int, *, even: bool = False, other_widths: bool = False
) -> Iterator[DirectedModulus]:
    """The directed moduli for which all conditions of a core hold; composite ones, too, unless one of them is "prime".

    The other arguments are those of `directed_moduli`. Raises ParameterError.
    """
    primes = any(condition.strip() == "prime" for condition in conditions)
    return directed_moduli(
        bits,
        word,
        composite="no" if primes else "yes",
        even=even and not primes,
        other_widths=other_widths,
        takes=partial(all_hold, conditions),
    )


def _settled(first: Run, entry: DirectedModulus) -> Run | None:
    """The run at another modulus; None if the core cannot be bound to it."""
    job = first.job.model_copy(update={"prime": hex(entry.modulus)})
    if job.kind == EXHAUSTIVE:  # it has another number of pairs
        job = job.model_copy(update={"count": None})
    try:
        return replace(settle(job, first.bound.core, first.bound), directed=True)
    except ParameterError:
        return None
