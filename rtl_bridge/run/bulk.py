# SPDX-License-Identifier: Apache-2.0
"""A bulk run: golden data in $readmemh files, compared inside the simulator, without Python."""

import re
import shutil
import time
from itertools import islice
from pathlib import Path

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs.process import HungError, log_of, no_report, supervise
from limbtrace.rtl_bridge.run.builds import Build
from limbtrace.rtl_bridge.run.driver import Driver, More, enough
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.log_parser import LogParser, asserted
from limbtrace.rtl_bridge.run.mode import hung
from limbtrace.rtl_bridge.run.products import CoreOutputs
from limbtrace.rtl_bridge.run.readmemh import SIZES, plusargs, write_files
from limbtrace.rtl_bridge.run.report import Divergence, Tally
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.testbench import TIMED, Testbench
from limbtrace.rtl_bridge.shell.outcome import Broken, early_warnings
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.request import MAX_COUNT

_AT = re.compile(rb"LIMBTRACE AT case=(\d+) cycle=(\d+)\n")
_LINE = re.compile(r"LIMBTRACE (PASS|MISMATCH|HANG|RULE|ROW|EARLY) (.*)")
"""Not at the beginning of a line where the core left one open."""


class Bulk(Driver):
    """All products in one go; results alone, or with `every_cycle` the watched signals too."""

    testbench = Testbench(top="lt_files_tb", parameters=SIZES, verilator=(*TIMED, "--main"))

    max_products = MAX_COUNT
    why_max = "it writes the golden data of all of them to files first; modes lockstep and fast do not"
    asks_beforehand = True

    def compares_signals(self, job: Job) -> bool:
        return job.every_cycle

    def check(self, run: Run) -> None:
        super().check(run)
        rows = run.bound.core.file.row
        if run.job.every_cycle and (run.bound.plan is None or not rows or any(row.match != "cycle" for row in rows)):
            why = "needs a schedule and rows that all match by cycle; mode lockstep compares others"
            raise ParameterError("every-cycle", f"{run.bound.core.file.name} {why}")

    def drive(self, run: Run, build: Build, work: Path, waves: Path | None, more: More = enough) -> Tally:
        write_files(run, work)
        first = _simulate(run, build, work, work, waves)
        number, rest = 0, more(first)
        while rest is not None:  # it reads the files that are there, and has a folder of its own to write in
            number += 1
            own = work.with_name(f"{work.name}.{number}")
            own.mkdir()
            rest = more(_simulate(rest, build, own, work, None))
            if not build.counted:  # its counts are there
                shutil.rmtree(own)
        return first


def _simulate(run: Run, build: Build, work: Path, files: Path, waves: Path | None) -> Tally:
    """A run in the folder `work`, with golden data in `files`."""
    log = log_of(work)
    given = (f"+{name}={value}" for name, value in plusargs(run).items())
    command = build.command(waves, run.job.power_up, "+marks", f"+folder={files}", *given)
    start = time.monotonic()
    heard, parser = _Heard(), LogParser()
    try:
        code = supervise(
            command, work, log, patience=run.job.patience, alive=heard, listener=parser, sandboxed=run.job.sandbox
        )
    except HungError:
        raise hung(run.job, str(run.stimulus.origin + heard.case * run.stimulus.size)) from None
    seconds = time.monotonic() - start
    lines = _LINE.findall(log.read_text(errors="replace"))
    if not lines or code < 0:
        if parser.failure is None:
            raise no_report(code, log)
        return asserted(run, Tally(0, 0, seconds, None), parser)
    verdict, fields = lines[0][0], dict(part.split("=") for part in lines[0][1].split())
    cycles = int(fields["cycles"])
    if verdict == "PASS":
        early = next((int(text.removeprefix("cycle=")) + 1 for kind, text in lines if kind == "EARLY"), 0)
        warnings = early_warnings(run.bound.protocol.finished, early)
        return asserted(run, Tally(run.stimulus.products, cycles, seconds, None, warnings=warnings), parser)
    rows = [text for kind, text in lines if kind == "ROW"]
    verified = (int(fields["case"]) - run.skipped) * run.stimulus.size
    found = _divergence(run, verdict, fields, rows)
    return asserted(run, Tally(verified, cycles, seconds, found), parser)


MODE = Bulk()


class _Heard:
    """The case that the testbench says it is at, every now and then."""

    def __init__(self) -> None:
        self.case = self._cycles = 0
        self._rest = b""

    def __call__(self, output: bytes) -> tuple[int, int]:
        text = self._rest + output
        for case, cycles in _AT.findall(text):
            self.case, self._cycles = int(case), int(cycles)
        self._rest = text.rpartition(b"\n")[2][-200:]
        return self.case, self._cycles


def _divergence(run: Run, verdict: str, fields: dict[str, str], shown: list[str]) -> Divergence:
    """The difference that the testbench found, with the golden data of its case; `shown` are its last rows."""
    comparator = run.comparator
    streams = run.golden.streams(steps=False, table=run.job.every_cycle)
    expected = next(islice(streams, int(fields["case"]) - run.skipped, None))
    if verdict == "RULE":
        broken = Broken.read(int(fields["rule"]), fields["level"], int(fields["since"]), int(fields["cycle"]))
        assert broken is not None
        return comparator.broken(expected, broken)
    latency, rows = int(fields["latency"]), shown
    if expected.table is not None:
        if fields["finished"] == fields["unknown"] == "0":
            latency = len(expected.table[0])  # a row differs while the core works, and nothing is wrong about done
        # Rows that are no longer kept agreed with the golden ones; the first is that of cycle -1.
        golden = [0, *comparator.expected_rows(expected.table)]
        lost = int(fields["rows"]) - len(shown)
        rows = [f"{row:0{comparator.row_width}b}" for row in golden[:lost]] + shown
    observed = CoreOutputs(
        rows="".join(reversed(rows)),
        result=fields["result"],
        latency=latency,
        taken=fields["taken"] == "1",
        late=verdict == "HANG",
        unknown=fields["unknown"] == "1",
    )
    found = comparator.check(expected, observed) if run.job.every_cycle else comparator.outcome(expected, observed)
    if found is None:
        raise ToolError(f"the testbench reports a {verdict.lower()} in case {expected.case}, and there is none")
    return found
