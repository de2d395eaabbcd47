# SPDX-License-Identifier: Apache-2.0
"""A bulk run: operands and results in $readmemh files, compared inside the simulator, without Python."""

import re
import subprocess
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rtl_bridge.builds import SIZES, Build
from rtl_bridge.compare import Comparator, Expected, Seen
from rtl_bridge.job import Job
from rtl_bridge.lockstep import keep
from rtl_bridge.report import Divergence, Tally
from rtl_bridge.shell import Shell, pack
from rtl_bridge.tools import environment, tail
from vectors.errors import ToolError
from vectors.progress import Progress

_LINE = re.compile(r"^LIMBTRACE (PASS|MISMATCH|HANG|ROW) (.*)$", re.MULTILINE)


def run(job: Job, shell: Shell, build: Build, work: Path, waves: Path | None) -> Tally:
    """Simulate in the folder `work`. Raises ToolError, ParameterError."""
    count = write_files(job, shell, work)
    bound = shell.bound
    log = work / "sim.log"
    stalls = job.stall_seed if bound.stalls else 0
    plusargs = [f"+folder={work}", f"+cases={count}", f"+limit={bound.limit}", f"+stalls={stalls}"]
    command = build.command(waves, *plusargs)
    start = time.monotonic()
    with log.open("wb") as stream:
        done = subprocess.run(
            command, cwd=work, env=environment(), stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, check=False
        )
    seconds = time.monotonic() - start
    lines = _LINE.findall(log.read_text(errors="replace"))
    if not lines:
        raise ToolError(
            f"the simulation ended with exit code {done.returncode} and no report; the last lines of {keep(log)}: "
            f"{tail(log)}"
        )
    verdict, fields = lines[0][0], dict(part.split("=") for part in lines[0][1].split())
    if verdict == "PASS":
        return Tally(int(fields["cases"]), int(fields["cycles"]), seconds, None)
    rows = "".join(text for kind, text in reversed(lines) if kind == "ROW")
    return Tally(int(fields["case"]), 0, seconds, _divergence(job, shell, verdict, fields, rows))


def write_files(job: Job, shell: Shell, folder: Path) -> int:
    """Constants and chunks of operands and results for the testbench; returns the number of cases."""
    digits = {
        "a": -(-shell.operand_width("a") // 4),
        "b": -(-shell.operand_width("b") // 4),
        "result": -(-shell.result_width // 4),
    }
    (folder / "constants.hex").write_text(f"{pack(shell.constants):x}\n")
    products = job.expected(shell.bound, with_steps=False, with_table=False)
    count = 0
    with Progress("cases", job.products) as progress:
        for number, chunk in enumerate(_chunks(products)):
            for name, width in digits.items():
                text = "".join(f"{getattr(product, name):0{width}x}\n" for product in chunk)
                (folder / f"{name}.{number}.hex").write_text(text)
            count += len(chunk)
            progress.advance(len(chunk))
    return count


def _chunks(products: Iterator[Expected]) -> Iterator[list[Expected]]:
    while chunk := list(islice(products, SIZES["bulk"]["Chunk"])):
        yield chunk


def _divergence(job: Job, shell: Shell, verdict: str, fields: dict[str, str], rows: str) -> Divergence:
    """The difference that the testbench found, with the golden data of its case."""
    products = job.expected(shell.bound, with_steps=False, with_table=False)
    expected = next(islice(products, int(fields["case"]), None))
    if verdict == "HANG":
        seen = Seen(rows, "", 0, taken=fields["taken"] == "1", late=True)
    else:
        seen = Seen(rows, fields["result"], int(fields["latency"]), taken=True, late=False)
    found = Comparator(shell).outcome(expected, seen)
    if found is None:
        raise ToolError(f"the testbench reports a {verdict.lower()} in case {expected.case}, and there is none")
    return found
