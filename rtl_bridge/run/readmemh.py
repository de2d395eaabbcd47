# SPDX-License-Identifier: Apache-2.0
"""Files of a bulk run and of an export: golden data for $readmemh, and what the testbench is told about them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.architecture import Batch
from limbtrace.rtl_bridge.protocols.fields import CYCLE_BITS, pack
from limbtrace.rtl_bridge.run.golden_rows import GoldenRows
from limbtrace.rtl_bridge.run.products import BatchTable, CycleColumns
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.vectors.progress import Progress

CHUNK = 256
"""Products of which golden data are held at once."""
_HEX = np.frombuffer("".join(f"{octet:02x}" for octet in range(256)).encode(), dtype=np.uint16)


def plusargs(run: Run) -> dict[str, int]:
    """Plusargs of the testbench besides the folder with its files."""
    job, bound, stimulus = run.job, run.bound, run.stimulus
    return {
        "cases": run.skipped + stimulus.streams,
        **({"skip": run.skipped} if run.skipped else {}),
        "rows": bound.plan.cycles if job.every_cycle and bound.plan else 0,
        "limit": bound.limit,
        "most": bound.most,
        "stalls": job.stall_seed if bound.protocol.stalls else 0,
        "products": stimulus.size,
        "width": run.shell.product_width("result"),
        "word": run.shell.result_word_width,
        "first": stimulus.origin,
        "tail": bound.tail,
    }


class Lines(NamedTuple):
    """Data of some streams for the testbench; rows and masks are lines of its files already."""

    a: Sequence[int]
    b: Sequence[int]
    results: Sequence[int]
    rows: bytes = b""
    masks: bytes = b""
    """Data that all products share."""


class GoldenRowFile:
    """Golden rows of a core of which every watched signal follows the schedule.

    A row has its words of 64 bits on one line, low word first: simulators take long to read wide words. The cycle
    number is left out.
    """

    def __init__(self, golden_rows: GoldenRows) -> None:
        self.golden_rows = golden_rows
        self.words = -(-(golden_rows.row_width - CYCLE_BITS) // 64)

    def of_batch(self, batch: Batch) -> bytes:
        """The rows of a batch, product after product."""
        words = self.golden_rows.words(batch)
        return self._lines(words.reshape(-1, words.shape[2]))

    def of_tables(self, tables: Iterable[CycleColumns]) -> bytes:
        """The rows of products, one after the other."""
        return self._of_integers(row for table in tables for row in self.golden_rows.expected_rows(table))

    def masks(self, table: CycleColumns) -> bytes:
        """Compare mask of the row of each cycle."""
        return self._of_integers(self.golden_rows.masks(table))

    def _of_integers(self, rows: Iterable[int]) -> bytes:
        octets = b"".join((row >> CYCLE_BITS).to_bytes(8 * self.words, "little") for row in rows)
        return self._lines(np.frombuffer(octets, dtype="<u8").reshape(-1, self.words))

    @staticmethod
    def _lines(rows: NDArray[np.uint64]) -> bytes:
        text = np.full((*rows.shape, 17), ord(" "), dtype=np.uint8)
        text[..., :16] = _HEX[rows.astype(">u8", order="C").view(np.uint8)].view(np.uint8).reshape(*rows.shape, 16)
        text[:, -1, 16] = ord("\n")
        return text.tobytes()


SIZES = {"Chunk": 4096}
"""Cases in one file, a parameter of the testbench."""


class Files:
    """Lines for $readmemh, as many in a file as the testbench reads at once."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name, self.lines = folder, name, 0

    def write(self, text: bytes, lines: int) -> None:
        """Append `lines` lines of one length."""
        length = len(text) // lines if lines else 0
        while lines:
            number, place = divmod(self.lines, SIZES["Chunk"])
            now = min(lines, SIZES["Chunk"] - place)
            with (self.folder / f"{self.name}.{number}.hex").open("ab") as stream:
                stream.write(text[: now * length])
            text, lines, self.lines = text[now * length :], lines - now, self.lines + now


def write_files(run: Run, folder: Path) -> int:
    """The files of the testbench: constants, operands, results and, where asked for, rows and their masks.

    Returns the number of cases.
    """
    shell = run.shell
    (folder / "constants.hex").write_text(f"{pack(shell.constants):x}\n")
    widths = {"a": shell.operand_width("a"), "b": shell.operand_width("b"), "results": shell.result_width}
    files = {name: Files(folder, name.rstrip("s")) for name in widths}
    rows, masks = Files(folder, "rows"), Files(folder, "mask")
    with Progress("cases", run.stimulus.products) as progress:
        for golden in _lines(run):
            for name, width in widths.items():
                values = getattr(golden, name)
                files[name].write("".join(f"{v:0{-(-width // 4)}x}\n" for v in values).encode(), len(values))
            rows.write(golden.rows, golden.rows.count(b"\n"))
            if masks.lines == 0:
                masks.write(golden.masks, golden.masks.count(b"\n"))
            progress.advance(len(golden.a) * run.stimulus.size)
    return files["a"].lines


def legend(run: Run) -> Iterator[tuple[str, bytes]]:
    """(name, content) of the files by which the testbench names the signal that differs, and the product behind it."""
    bound, plan = run.bound, run.bound.plan
    levels = (
        (rule.name.replace(" ", "_"), "known" if rule.level is None else f"{rule.level:x}")
        for rule in run.shell.connection.rules
    )
    yield "rules.txt", "".join(f"{k} {name} {level}\n" for k, (name, level) in enumerate(levels, 1)).encode()
    if not run.job.every_cycle or plan is None:
        return
    watches = sorted(bound.watches, key=lambda watch: watch.kind == "register")  # in the order of the comparator
    lines = (f"{run.shell.offset(watch) - CYCLE_BITS} {watch.width} {watch.row.name}\n" for watch in watches)
    yield "signals.txt", "".join(lines).encode()
    if run.stimulus.size > 1:
        places = (
            " ".join(str(plan.product_at(watch.schedule_column, cycle)) for cycle in range(plan.cycles)) + "\n"
            for watch in watches
        )
        yield "products.txt", "".join(places).encode()


def _lines(run: Run) -> Iterator[Lines]:
    """Golden data of every product, as they are needed."""
    shell, rows = run.shell, GoldenRowFile(run.comparator)
    if run.job.every_cycle and run.golden.in_columns:
        for _, batch in run.golden.batches():
            results = shell.streams("result", shell.results(batch.a, batch.b, batch.results))
            a, b = shell.streams("a", batch.a), shell.streams("b", batch.b)
            yield Lines(a, b, results, rows.of_batch(batch), rows.masks(BatchTable(batch, 0)))
        return
    products = run.golden.streams(steps=False, table=run.job.every_cycle)
    while chunk := list(islice(products, CHUNK)):
        golden = Lines([p.a for p in chunk], [p.b for p in chunk], [p.result for p in chunk])
        if tables := [product.table for product in chunk if product.table is not None]:
            golden = golden._replace(rows=rows.of_tables(tables), masks=rows.masks(tables[0]))
        yield golden
