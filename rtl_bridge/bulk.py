# SPDX-License-Identifier: Apache-2.0
"""A bulk run: golden data in $readmemh files, compared inside the simulator, without Python."""

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refmodels.architecture import Batch
from rtl_bridge.builds import SIZES, Build
from rtl_bridge.compare import BatchTable, Comparator, Seen, Table
from rtl_bridge.job import Job
from rtl_bridge.layout import CYCLE_BITS
from rtl_bridge.lockstep import hung
from rtl_bridge.report import Divergence, Tally
from rtl_bridge.shell import Shell, pack
from rtl_bridge.tools import HungError, no_report, supervise
from vectors.errors import ToolError
from vectors.progress import Progress

_AT = re.compile(rb"LIMBTRACE AT case=(\d+) cycle=(\d+)\n")
CHUNK = 256
"""Products of which golden data are held at once."""
_HEX = np.frombuffer("".join(f"{octet:02x}" for octet in range(256)).encode(), dtype=np.uint16)
_LINE = re.compile(r"LIMBTRACE (PASS|MISMATCH|HANG|ROW) (.*)")
"""Not at the beginning of a line where the core left one open."""


def run(job: Job, shell: Shell, build: Build, work: Path, waves: Path | None) -> Tally:
    """Simulate in the folder `work`. Raises ToolError, ParameterError."""
    write_files(job, shell, work)
    log = work / "sim.log"
    command = build.command(waves, f"+folder={work}", *(f"+{k}={v}" for k, v in plusargs(job, shell).items()))
    start = time.monotonic()
    heard = _Heard()
    try:
        code = supervise(command, work, log, patience=job.patience, alive=heard)
    except HungError:
        raise hung(job, str(job.first(shell.bound) + heard.case * len(shell.bound.starts))) from None
    seconds = time.monotonic() - start
    lines = _LINE.findall(log.read_text(errors="replace"))
    if not lines or code < 0:
        raise no_report(code, log)
    verdict, fields = lines[0][0], dict(part.split("=") for part in lines[0][1].split())
    if verdict == "PASS":
        return Tally(job.products(shell.bound), int(fields["cycles"]), seconds, None)
    shown = [text for kind, text in lines if kind == "ROW"]
    return Tally(
        int(fields["case"]) * len(shell.bound.starts), 0, seconds, _divergence(job, shell, verdict, fields, shown)
    )


class _Heard:
    """The case that the testbench says it is at, every now and then."""

    def __init__(self) -> None:
        self.case = self._cycles = 0
        self._rest = b""

    def __call__(self, said: bytes) -> tuple[int, int]:
        text = self._rest + said
        for case, cycles in _AT.findall(text):
            self.case, self._cycles = int(case), int(cycles)
        self._rest = text.rpartition(b"\n")[2][-200:]
        return self.case, self._cycles


def plusargs(job: Job, shell: Shell) -> dict[str, int]:
    """What the testbench is told besides the folder with its files."""
    bound = shell.bound
    rows = bound.plan.cycles if job.every_cycle and bound.plan else 0
    stalls = job.stall_seed if bound.core.file.stalls else 0
    return {
        "cases": job.streams(bound),
        "rows": rows,
        "limit": bound.limit,
        "stalls": stalls,
        "products": len(bound.starts),
        "width": shell.product_width("result"),
        "word": shell.result_word_width,
        "first": job.first(bound),
    }


class Golden(NamedTuple):
    """What the testbench needs of some streams; rows and masks are lines of its files."""

    a: Sequence[int]
    b: Sequence[int]
    results: Sequence[int]
    rows: bytes = b""
    masks: bytes = b""
    """The same for all products."""


class Rows:
    """Golden rows of a core of which every watched signal follows the schedule.

    A row has its words of 64 bits on one line, low word first: simulators take long to read wide words. The cycle
    number is left out.
    """

    def __init__(self, comparator: Comparator) -> None:
        self.comparator = comparator
        self.words = -(-(comparator.row_width - CYCLE_BITS) // 64)

    def of_batch(self, batch: Batch) -> bytes:
        """The rows of a batch, product after product."""
        words = self.comparator.words(batch)
        return self._lines(words.reshape(-1, words.shape[2]))

    def of_tables(self, tables: Iterable[Table]) -> bytes:
        """The rows of products, one after the other."""
        return self._of_integers(row for table in tables for row in self.comparator.golden_rows(table))

    def masks(self, table: Table) -> bytes:
        """For the row of each cycle the bits that somebody cares about."""
        return self._of_integers(self.comparator.masks(table))

    def _of_integers(self, rows: Iterable[int]) -> bytes:
        octets = b"".join((row >> CYCLE_BITS).to_bytes(8 * self.words, "little") for row in rows)
        return self._lines(np.frombuffer(octets, dtype="<u8").reshape(-1, self.words))

    @staticmethod
    def _lines(rows: NDArray[np.uint64]) -> bytes:
        text = np.full((*rows.shape, 17), ord(" "), dtype=np.uint8)
        text[..., :16] = _HEX[rows.astype(">u8", order="C").view(np.uint8)].view(np.uint8).reshape(*rows.shape, 16)
        text[:, -1, 16] = ord("\n")
        return text.tobytes()


class Files:
    """Lines for $readmemh, as many in a file as the testbench reads at once."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name, self.lines = folder, name, 0

    def write(self, text: bytes, lines: int) -> None:
        """Append `lines` lines of one length."""
        length = len(text) // lines if lines else 0
        while lines:
            number, place = divmod(self.lines, SIZES["bulk"]["Chunk"])
            now = min(lines, SIZES["bulk"]["Chunk"] - place)
            with (self.folder / f"{self.name}.{number}.hex").open("ab") as stream:
                stream.write(text[: now * length])
            text, lines, self.lines = text[now * length :], lines - now, self.lines + now


def write_files(job: Job, shell: Shell, folder: Path) -> int:
    """What the testbench reads: constants, operands, results and, where asked for, rows and their masks.

    Returns the number of cases.
    """
    (folder / "constants.hex").write_text(f"{pack(shell.constants):x}\n")
    widths = {"a": shell.operand_width("a"), "b": shell.operand_width("b"), "results": shell.result_width}
    files = {name: Files(folder, name.rstrip("s")) for name in widths}
    rows, masks = Files(folder, "rows"), Files(folder, "mask")
    with Progress("cases", job.products(shell.bound)) as progress:
        for golden in _golden(job, shell):
            for name, width in widths.items():
                values = getattr(golden, name)
                files[name].write("".join(f"{v:0{-(-width // 4)}x}\n" for v in values).encode(), len(values))
            rows.write(golden.rows, golden.rows.count(b"\n"))
            if masks.lines == 0:
                masks.write(golden.masks, golden.masks.count(b"\n"))
            progress.advance(len(golden.a) * len(shell.bound.starts))
    return files["a"].lines


def legend(job: Job, shell: Shell) -> Iterator[tuple[str, bytes]]:
    """(name, content) of the files by which the testbench names the signal that differs, and the product behind it."""
    bound, plan = shell.bound, shell.bound.plan
    if not job.every_cycle or plan is None:
        return
    watches = sorted(bound.watches, key=lambda watch: watch.kind == "register")  # in the order of the comparator
    lines = (f"{shell.offset(watch) - CYCLE_BITS} {watch.width} {watch.row.name}\n" for watch in watches)
    yield "signals.txt", "".join(lines).encode()
    if len(bound.starts) > 1:
        places = (
            " ".join(str(plan.product_at(watch.schedule_column, cycle)) for cycle in range(plan.cycles)) + "\n"
            for watch in watches
        )
        yield "products.txt", "".join(places).encode()


def _golden(job: Job, shell: Shell) -> Iterator[Golden]:
    """Golden data of every product, as they are needed."""
    bound, rows = shell.bound, Rows(Comparator(shell))
    if job.every_cycle and job.service is None:
        for batch in job.batches(bound):
            results = shell.streams("result", [bound.expected(result) for result in batch.results])
            a, b = shell.streams("a", batch.a), shell.streams("b", batch.b)
            yield Golden(a, b, results, rows.of_batch(batch), rows.masks(BatchTable(batch, 0)))
        return
    products = job.expected(bound, with_steps=False, with_table=job.every_cycle)
    while chunk := list(islice(products, CHUNK)):
        golden = Golden([p.a for p in chunk], [p.b for p in chunk], [p.result for p in chunk])
        if tables := [product.table for product in chunk if product.table is not None]:
            golden = golden._replace(rows=rows.of_tables(tables), masks=rows.masks(tables[0]))
        yield golden


def _divergence(job: Job, shell: Shell, verdict: str, fields: dict[str, str], shown: list[str]) -> Divergence:
    """The difference that the testbench found, with the golden data of its case; `shown` are its last rows."""
    products = job.expected(shell.bound, with_steps=False, with_table=job.every_cycle)
    expected = next(islice(products, int(fields["case"]), None))
    comparator = Comparator(shell)
    latency, rows = int(fields["latency"]), shown
    if expected.table is not None:
        if fields["finished"] == fields["unknown"] == "0":
            latency = len(expected.table[0])  # a row differs while the core works, and nothing is wrong about done
        # Rows that are no longer kept agreed with the golden ones; the first is that of cycle -1.
        golden = [0, *comparator.golden_rows(expected.table)]
        lost = int(fields["rows"]) - len(shown)
        rows = [f"{row:0{comparator.row_width}b}" for row in golden[:lost]] + shown
    seen = Seen(
        rows="".join(reversed(rows)),
        result=fields["result"],
        latency=latency,
        taken=fields["taken"] == "1",
        late=verdict == "HANG",
        unknown=fields["unknown"] == "1",
    )
    found = comparator.check(expected, seen) if job.every_cycle else comparator.outcome(expected, seen)
    if found is None:
        raise ToolError(f"the testbench reports a {verdict.lower()} in case {expected.case}, and there is none")
    return found
