# SPDX-License-Identifier: Apache-2.0
"""A fast run: the verilated core as a shared library, batches of products compared as NumPy columns.

Only products that look wrong go through the comparator of a lock-step run, and so they are reported in the same way.
"""

import ctypes
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refmodels.architecture import Batch
from refmodels.errors import ParameterError
from rtl_bridge.core.bound import Watch
from rtl_bridge.run.child import answering, call
from rtl_bridge.run.compare import BatchTable, Expected, Seen
from rtl_bridge.run.mode import Mode
from rtl_bridge.run.process import beat
from rtl_bridge.run.report import Tally
from rtl_bridge.run.run import Run
from rtl_bridge.run.testbench import Testbench
from rtl_bridge.shell.layout import pack
from rtl_bridge.shell.outcome import Broken
from rtl_bridge.shell.text import Shell
from vectors.progress import Progress

if TYPE_CHECKING:
    from rtl_bridge.run.builds import Build

CHUNK, CHUNK_CYCLES = 256, 1 << 20
"""Most products of a batch where each of them goes through the comparator, and most cycles that they may take."""
OUTCOME = np.dtype(
    [
        ("rows_end", "u8"),
        ("latency", "u4"),
        ("rule_cycle", "u4"),
        ("taken", "?"),
        ("late", "?"),
        ("rule", "u1"),
        ("level", "u1"),
        ("since", "u1"),
        ("failed", "?"),
    ],
    align=True,
)
"""struct Outcome of cpp/fast.cpp."""


class _Settings(ctypes.Structure):
    """struct Settings of cpp/fast.cpp."""

    _fields_ = tuple(
        (name, ctypes.c_uint32)
        for name in (
            "stall_seed",
            "limit",
            "a_words",
            "b_words",
            "result_words",
            "row_bytes",
            "cycles",
            "lanes",
            "seed",
        )
    )


def _words(width: int) -> int:
    """32-bit words that hold `width` bits."""
    return -(-width // 32)


def _packed(values: Sequence[int], words: int) -> NDArray[np.uint32]:
    """Integers as rows of 32-bit words, low word first; shape (len(values), words)."""
    joined = b"".join(value.to_bytes(4 * words, "little") for value in values)
    return np.frombuffer(joined, dtype="<u4").reshape(len(values), words)


def _text(data: bytes, width: int) -> str:
    """Little-endian bytes as `width` digits 0 and 1."""
    return f"{int.from_bytes(data, 'little'):0{width}b}" if width else ""


@dataclass(frozen=True)
class Shown:
    """What the core showed for a batch; the last product is the last one that was run."""

    outcomes: NDArray[Any]
    """(products,) of OUTCOME."""
    results: NDArray[np.uint32]
    """(products, words)"""
    cells: NDArray[np.uint64]
    """(cycles, lanes, products)"""
    rows: bytes

    def seen(self, at: int, shell: Shell) -> Seen:
        """Product `at` as the comparator takes it."""
        outcome = self.outcomes[at]
        rows = self.rows[int(self.outcomes[at - 1]["rows_end"]) if at else 0 : int(outcome["rows_end"])]
        result = _text(self.results[at].tobytes(), shell.result_width)
        latency, taken, late = int(outcome["latency"]), bool(outcome["taken"]), bool(outcome["late"])
        return Seen(_text(rows, 8 * len(rows)), result, latency, taken, late, broken=broken(outcome))


def broken(outcome: Any) -> Broken | None:
    """The rule of the handshake that a product broke."""
    rule, since, cycle = (int(outcome[name]) for name in ("rule", "since", "rule_cycle"))
    return Broken.read(rule, str(outcome["level"]), since, cycle)


class Bench:
    """The core in a shared library, ready for products; `with` ends it."""

    def __init__(self, library: Path, run: Run) -> None:
        shell, bound, comparator = run.shell, run.bound, run.comparator
        self.lanes: list[tuple[Watch, slice]] = []
        """Signals that follow the schedule, and where their 64-bit words stand among the lanes."""
        lanes: list[tuple[int, int]] = []
        for watch, offset in comparator.cycle_watches:
            starts = range(0, watch.width, 64)
            self.lanes.append((watch, slice(len(lanes), len(lanes) + len(starts))))
            lanes += [(offset + start, min(64, watch.width - start)) for start in starts]
        self._shape = (bound.plan.cycles if bound.plan else 0, len(lanes))
        self._a_words, self._b_words = (_words(shell.operand_width(name)) for name in "ab")
        self._result_words = _words(shell.result_width)
        settings = _Settings(
            run.job.stall_seed if bound.protocol.stalls else 0,
            bound.limit,
            self._a_words,
            self._b_words,
            self._result_words,
            comparator.row_width // 8,
            *self._shape,
            run.job.power_up,
        )
        constants = _packed([pack(shell.constants)], _words(shell.parameters["ConstW"]))
        table = np.array(lanes, dtype=np.uint32)
        self._library = ctypes.CDLL(str(library))
        self._library.limbtrace_open.restype = ctypes.c_void_p
        self._library.limbtrace_rows.restype = ctypes.c_void_p
        self._library.limbtrace_run.restype = ctypes.c_uint32
        self._bench = ctypes.c_void_p(
            self._library.limbtrace_open(ctypes.byref(settings), _pointer(constants), _pointer(table))
        )

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self._library.limbtrace_close(self._bench)

    def run(self, a: Sequence[int], b: Sequence[int]) -> Shown:
        """Products one after the other, until one of them is late."""
        count = len(a)
        results = np.empty((count, self._result_words), dtype=np.uint32)
        outcomes = np.empty(count, dtype=OUTCOME)
        cells = np.empty((*self._shape, count), dtype=np.uint64)
        arrays = [_packed(a, self._a_words), _packed(b, self._b_words), results, outcomes, cells]
        ran = self._library.limbtrace_run(self._bench, ctypes.c_uint32(count), *map(_pointer, arrays))
        rows = ctypes.string_at(self._library.limbtrace_rows(self._bench), int(outcomes[ran - 1]["rows_end"]))
        return Shown(outcomes[:ran], results[:ran], cells[:, :, :ran], rows)

    def rest(self, cycles: int) -> Broken | None:
        """Idle cycles after the last product; the rule of the handshake that one of them broke."""
        outcome = np.zeros(1, dtype=OUTCOME)
        self._library.limbtrace_rest(self._bench, ctypes.c_uint32(cycles), _pointer(outcome))
        return broken(outcome[0])


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@dataclass(frozen=True)
class Singles:
    """Golden data of a batch, product by product: all of them go through the comparator."""

    products: list[Expected]

    @property
    def first(self) -> int:
        """Case of product 0."""
        return self.products[0].case

    @property
    def operands(self) -> tuple[list[int], list[int]]:
        return [product.a for product in self.products], [product.b for product in self.products]

    def suspects(self, shown: Shown) -> Iterable[int]:
        """Products that may differ, in order."""
        return range(len(shown.outcomes))

    def expected(self, at: int) -> Expected:
        return self.products[at]


@dataclass(frozen=True)
class Columns:
    """Golden data of a batch as columns, which whole batches are compared with."""

    shell: Shell
    bench: Bench
    first: int
    """Case of product 0."""
    batch: Batch

    @cached_property
    def operands(self) -> tuple[list[int], list[int]]:
        return self.shell.streams("a", self.batch.a), self.shell.streams("b", self.batch.b)

    @cached_property
    def results(self) -> list[int]:
        return self.shell.streams("result", self.shell.results(self.batch.a, self.batch.b, self.batch.results))

    def suspects(self, shown: Shown) -> Iterable[int]:
        """Streams that differ, in order."""
        count = len(shown.outcomes)
        bound = self.shell.bound
        assert bound.plan is not None
        wrong = (
            shown.outcomes["late"] | (shown.outcomes["rule"] != 0) | (shown.outcomes["latency"] != bound.plan.cycles)
        )
        wrong |= (shown.results != _packed(self.results[:count], shown.results.shape[1])).any(axis=1)
        for watch, lanes in self.bench.lanes:
            golden = self.batch.columns[watch.schedule_column]
            words = golden.cells.shape[1]
            seen = shown.cells[:, lanes]
            differs = (seen[:, :words] != golden.cells[:, :, :count]).any(axis=1) | seen[:, words:].any(axis=1)
            wrong |= differs[golden.cares].any(axis=0)
        return map(int, np.flatnonzero(wrong))

    def expected(self, at: int) -> Expected:
        """One stream as the comparator takes it."""
        bound, (a, b) = self.shell.bound, self.operands
        case, table = self.first + at * len(bound.starts), BatchTable(self.batch, at)
        return Expected(case, a[at], b[at], self.results[at], table, (), plan=bound.plan)


def compare(run: Run, library: Path, pulse: int) -> Tally:
    """Simulate with the model in `library`; `pulse` is for `process.beat`. Raises ParameterError, ServiceError."""
    comparator = run.comparator
    verified = cycles = 0
    asked, size = run.stimulus.products, run.stimulus.size
    start = time.monotonic()
    with Bench(library, run) as bench, Progress("products", asked) as progress:
        for golden in _golden(run, bench):
            beat(pulse, golden.first)
            shown = bench.run(*golden.operands)
            for at in golden.suspects(shown):
                found = comparator.check(golden.expected(at), shown.seen(at, run.shell))
                if found is not None:
                    cycles += int(shown.outcomes["latency"][:at].sum(dtype=np.uint64))
                    return Tally(verified + at * size, cycles, time.monotonic() - start, found)
            done = min(len(shown.outcomes) * size, asked - verified)  # without what fills the last stream
            verified += done
            cycles += int(shown.outcomes["latency"].sum(dtype=np.uint64))
            progress.advance(done)
            if shown.outcomes["failed"][-1]:
                return Tally(verified, cycles, time.monotonic() - start, None)
        found = None
        if (last := bench.rest(run.bound.tail)) is not None:
            found = comparator.broken(golden.expected(len(shown.outcomes) - 1), last)
    return Tally(verified, cycles, time.monotonic() - start, found)


def _golden(run: Run, bench: Bench) -> Iterator[Singles | Columns]:
    """Golden data in batches: as columns where every cycle follows a schedule that is computed here."""
    if run.golden.in_columns:
        for first, batch in run.golden.batches():
            yield Columns(run.shell, bench, first, batch)
        return
    products = run.golden.checked()
    size = max(min(CHUNK, CHUNK_CYCLES // run.bound.limit), 1)
    while chunk := list(islice(products, size)):
        yield Singles(chunk)


class Fast(Mode):
    """Batches of products through a verilated model in a process of its own, which is this module."""

    # Libraries of several cores in one process keep to themselves, which is faster too.
    testbench = Testbench(
        top="lt_fast_tb",
        parameters={},
        verilator=("--no-timing", "-CFLAGS", "-fPIC -fno-gnu-unique -fno-semantic-interposition",
                   "-LDFLAGS", "-shared -Wl,-Bsymbolic"),
        make=("OPT_FAST=-O3",),
        sources=(Path(__file__).parents[1] / "cpp" / "fast.cpp",),
        loader="rtl_bridge.run.fast",
    )  # fmt: skip

    def check(self, run: Run) -> None:
        super().check(run)
        if run.job.simulator != "verilator":
            raise ParameterError("simulator", f"mode fast needs verilator; {run.job.simulator} is asked for")
        if run.job.waves is not None:
            raise ParameterError("waves", "mode fast writes no waveforms; mode lockstep does")

    def drive(self, run: Run, build: "Build", work: Path, waves: Path | None) -> Tally:
        return call(run, build, work, waves, {})


MODE = Fast()


def main() -> None:
    """`python -m rtl_bridge.run.fast LIBRARY`: a core that crashes, hangs or prints does it in a process of its own."""
    with answering() as request:
        request.tally = compare(request.run, Path(sys.argv[1]), request.beat)


if __name__ == "__main__":
    main()
