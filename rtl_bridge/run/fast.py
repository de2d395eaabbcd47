# SPDX-License-Identifier: Apache-2.0
"""A fast run: the verilated core as a shared library, which compares a batch of products with golden data in C.

Only products that look wrong go through the comparator of a lock-step run, and so they are reported in the same way.
Where there are no golden data in C, or too few products to compile them for, all products do.
"""

import ctypes
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from limbtrace.refmodels.architecture import TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.programs.process import beat
from limbtrace.rtl_bridge.protocols.fields import pack
from limbtrace.rtl_bridge.run import compiled
from limbtrace.rtl_bridge.run.child import answering
from limbtrace.rtl_bridge.run.driver import Driver, More, enough
from limbtrace.rtl_bridge.run.latencies import Latencies, joined
from limbtrace.rtl_bridge.run.products import CoreOutputs, ExpectedStream
from limbtrace.rtl_bridge.run.report import Divergence, Tally
from limbtrace.rtl_bridge.run.rows import KnownRows
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.session import call
from limbtrace.rtl_bridge.run.testbench import Testbench
from limbtrace.rtl_bridge.shell.outcome import Broken, early_warnings
from limbtrace.vectors.compiled.c import words
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.progress import Progress

if TYPE_CHECKING:
    from limbtrace.rtl_bridge.run.builds import Build

GOLDEN = "LIMBTRACE_GOLDEN"
"""Environment variable with the path of the library of golden data; empty without one."""
CHUNK, CHUNK_CYCLES = 256, 1 << 20
"""Most products of a batch where each of them goes through the comparator, and most cycles that they may take."""
BATCH, BATCH_CYCLES = 4096, 1 << 18
"""Most streams of a batch that is compared in C, and about how many cycles they take at most."""
OUTCOME = np.dtype(
    [
        ("rows_end", "u8"),
        ("level", "u8"),
        ("latency", "u4"),
        ("rule_cycle", "u4"),
        ("early", "u4"),
        ("taken", "?"),
        ("late", "?"),
        ("rule", "u1"),
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
            "first",
            "size",
            "seed",
            "a_stride",
            "b_stride",
            "row_stride",
            "result_stride",
        )
    )


class _Golden(ctypes.Structure):
    """struct Golden of cpp/fast.cpp."""

    _fields_ = (
        ("image", ctypes.c_void_p),
        ("masks", ctypes.c_void_p),
        ("events", ctypes.c_void_p),
        *(
            (name, ctypes.c_uint32)
            for name in (
                "frame_words",
                "image_words",
                "a_words",
                "b_words",
                "cycles",
                "least",
                "most",
                "event_count",
                "end_rows",
                "end_at",
            )
        ),
    )


class _Integers(ctypes.Structure):
    """struct Integers of cpp/fast.cpp."""

    _fields_ = (
        ("a", ctypes.c_void_p),
        ("b", ctypes.c_void_p),
        ("a_stride", ctypes.c_uint32),
        ("b_stride", ctypes.c_uint32),
    )


def _packed(values: Sequence[int], stride: int) -> NDArray[np.uint64]:
    """Integers as rows of 64-bit words, low word first; shape (len(values), stride)."""
    size = 8 * stride
    joined = b"".join([value.to_bytes(size, "little") for value in values])
    return np.frombuffer(joined, dtype="<u8").reshape(len(values), stride)


Arrays = Sequence[NDArray[np.uint64]]
"""Operands a and b as `_packed` packs them."""
_Drawn = tuple[int, Sequence[TimedPair], Arrays | None, Arrays]
"""A batch: its first case, its operands, these in the form of a testbench, and as integers; None if they have digits
of their own."""
T = TypeVar("T")


@dataclass(frozen=True)
class BatchOutputs:
    """Outputs of the core for products, one after the other; the last one is the last one that was run."""

    outcomes: NDArray[Any]
    """(products,) of OUTCOME."""
    results: NDArray[np.uint64]
    """(products, words)"""
    rows: NDArray[np.uint64]
    """(rows of all products, words)"""

    def observed(self, at: int, run: Run) -> CoreOutputs:
        """Product `at` as the comparator takes it."""
        outcome = self.outcomes[at]
        rows = self.rows[int(self.outcomes[at - 1]["rows_end"]) if at else 0 : int(outcome["rows_end"])]
        width = run.shell.result_width
        result = f"{int.from_bytes(self.results[at].tobytes(), 'little'):0{width}b}"
        latency, taken, late = int(outcome["latency"]), bool(outcome["taken"]), bool(outcome["late"])
        known_rows = KnownRows(rows, run.comparator.row_width)
        return CoreOutputs(known_rows, result, latency, taken, late, broken=broken(outcome))

    @property
    def failed(self) -> bool:
        """True if an assertion of the core failed, which ends a batch."""
        return bool(self.outcomes[-1]["failed"])


def broken(outcome: Any) -> Broken | None:
    """The rule of the handshake that a product broke."""
    rule, since, cycle = (int(outcome[name]) for name in ("rule", "since", "rule_cycle"))
    return Broken.read(rule, f"{int(outcome['level']):064b}", since, cycle)


class Bench:
    """The core in a shared library, ready for products; `with` ends it.

    Operands of streams are given in the form of a testbench (`Layout.streams`).
    """

    def __init__(self, library: Path, run: Run) -> None:
        shell, bound = run.shell, run.bound
        self._strides = words(shell.operand_width("a")), words(shell.operand_width("b"))
        self._row_words, self._result_words = words(run.comparator.row_width), words(shell.result_width)
        settings = _Settings(
            run.job.stall_seed if bound.protocol.stalls else 0,
            bound.limit,
            run.stimulus.first,
            run.stimulus.size,
            run.job.power_up,
            *self._strides,
            self._row_words,
            self._result_words,
        )
        constants = _packed([pack(shell.constants)], words(shell.parameters["ConstW"]))
        self._library = ctypes.CDLL(str(library))
        self._library.limbtrace_open.restype = ctypes.c_void_p
        self._library.limbtrace_rows.restype = ctypes.c_void_p
        self._library.limbtrace_run.restype = ctypes.c_uint32
        self._library.limbtrace_compare.restype = ctypes.c_uint32
        self._bench = ctypes.c_void_p(self._library.limbtrace_open(ctypes.byref(settings), _pointer(constants)))

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self._library.limbtrace_close(self._bench)

    def packed(self, a: Sequence[int], b: Sequence[int]) -> list[NDArray[np.uint64]]:
        """Operands as `run`, `compare` and `drive` take them."""
        return [_packed(values, stride) for values, stride in zip((a, b), self._strides, strict=True)]

    def run(self, operands: Arrays) -> BatchOutputs:
        """Products one after the other, until one of them is late."""
        count = len(operands[0])
        results = np.empty((count, self._result_words), dtype=np.uint64)
        outcomes = np.empty(count, dtype=OUTCOME)
        arrays = map(_pointer, (*operands, results, outcomes))
        ran = self._library.limbtrace_run(self._bench, ctypes.c_uint32(count), *arrays)
        return self._shown(outcomes[:ran], results[:ran])

    def compare(
        self, operands: Arrays, golden: _Golden, integers: Arrays
    ) -> tuple[int, list[int], BatchOutputs | None]:
        """Products one after the other, until one of them is not as golden data in C say, for operands as `integers`.

        Returns the number of products before it, their clock cycles from start to done as fast.cpp has them, and its
        outputs; None for these if all agree.
        """
        count = len(operands[0])
        results = np.empty((1, self._result_words), dtype=np.uint64)
        outcomes = np.empty(1, dtype=OUTCOME)
        strides = (array.size // count for array in integers)
        given = _Integers(*map(_pointer, integers), *strides)
        cycles = (ctypes.c_uint64 * 5)()
        arrays = [ctypes.byref(golden), ctypes.byref(given), *map(_pointer, (results, outcomes)), ctypes.byref(cycles)]
        agree = self._library.limbtrace_compare(self._bench, ctypes.c_uint32(count), *map(_pointer, operands), *arrays)
        if agree > count:
            raise ToolError("operands are not packed as the golden data in C take them, which is a fault of limbtrace")
        return agree, list(cycles), None if agree == count else self._shown(outcomes, results)

    def drive(self, operands: Arrays) -> None:
        """Products one after the other; nothing is compared and nothing kept: what a benchmark compares with."""
        count = ctypes.c_uint32(len(operands[0]))
        self._library.limbtrace_drive(self._bench, count, *map(_pointer, operands))

    def _shown(self, outcomes: NDArray[Any], results: NDArray[np.uint64]) -> BatchOutputs:
        """Outputs that the last call of the library kept."""
        count = int(outcomes[-1]["rows_end"])
        rows = ctypes.string_at(self._library.limbtrace_rows(self._bench), 8 * self._row_words * count)
        return BatchOutputs(outcomes, results, np.frombuffer(rows, dtype="<u8").reshape(count, self._row_words))

    def rest(self, cycles: int) -> tuple[Broken | None, int]:
        """Idle cycles after the last product.

        The rule of the handshake that one of them broke; and one more than the cycle in which the core was done before
        anything was started, or 0.
        """
        outcome = np.zeros(1, dtype=OUTCOME)
        self._library.limbtrace_rest(self._bench, ctypes.c_uint32(cycles), _pointer(outcome))
        return broken(outcome[0]), int(outcome[0]["early"])


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Every item; the next one is made in a thread of its own while one is looked at."""
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(next, items, None)
        while (item := waiting.result()) is not None:
            waiting = pool.submit(next, items, None)
            yield item


@dataclass(frozen=True)
class _Compared:
    """A batch that was run and compared."""

    agree: int
    """Streams before the one that differs."""
    cycles: int
    """Clock cycles of these, from start to done."""
    divergence: Divergence | None
    failed: bool
    """True if an assertion of the core failed in the last of them."""
    last: Callable[[], ExpectedStream]
    """Golden data of the last stream."""
    latencies: Latencies | None
    """Least and most of the cycles, of the stream that differs, too, where these are compared one by one."""


@dataclass(frozen=True)
class _Work:
    """A run at work."""

    run: Run
    bench: Bench
    pulse: int
    """For `process.beat`."""

    def batches(self, golden: Path | None) -> Iterator[_Compared]:
        """All products, up to the first one that differs. Raises ParameterError, ServiceError, ToolError."""
        if golden is not None:
            yield from self._in_c(_Golden.in_dll(ctypes.CDLL(str(golden)), "lt_golden"))
            return
        products = self.run.golden.checked()
        size = max(min(CHUNK, CHUNK_CYCLES // self.run.bound.limit), 1)
        while chunk := list(islice(products, size)):
            yield self._one_by_one(chunk)

    def _one_by_one(self, chunk: Sequence[ExpectedStream]) -> _Compared:
        """Streams that all go through the comparator."""
        beat(self.pulse, chunk[0].case)
        operands = self.bench.packed([expected.a for expected in chunk], [expected.b for expected in chunk])
        shown = self.bench.run(operands)
        latencies = shown.outcomes["latency"]
        for at in range(len(latencies)):
            found = self.run.comparator.check(chunk[at], shown.observed(at, self.run))
            if found is not None:
                ran = int(latencies[:at].sum(dtype=np.uint64))
                last, took = partial(chunk.__getitem__, at), self._latencies(chunk, shown.outcomes[: at + 1])
                return _Compared(at, ran, found, failed=False, last=last, latencies=took)
        last, took = partial(chunk.__getitem__, len(latencies) - 1), self._latencies(chunk, shown.outcomes)
        return _Compared(len(latencies), int(latencies.sum(dtype=np.uint64)), None, shown.failed, last, took)

    @staticmethod
    def _latencies(chunk: Sequence[ExpectedStream], outcomes: NDArray[np.void]) -> Latencies | None:
        """Least and most cycles of streams; those that are not done, which is the last one at most, have none."""
        cycles = outcomes["latency"][outcomes["late"] == 0]
        if not len(cycles):
            return None
        least, most = int(cycles.argmin()), int(cycles.argmax())
        return Latencies(int(cycles[least]), int(cycles[most]), chunk[least].case, chunk[most].case)

    def _in_c(self, golden: _Golden) -> Iterator[_Compared]:
        """Batches that are compared in C; those with operands that have digits of their own are not."""
        for case, batch, operands, integers in ahead(self._operands(golden)):
            if operands is not None:
                yield self._compared(golden, case, batch, operands, integers)
                continue
            streams = range(len(batch) // self.run.stimulus.size)
            yield self._one_by_one([self._expected(case, batch, at) for at in streams])

    def _operands(self, golden: _Golden) -> Iterator[_Drawn]:
        """All operands in batches of whole streams."""
        run, size = self.run, self.run.stimulus.size
        pairs, case = run.stimulus.pairs(), run.stimulus.first
        most = max(min(BATCH, BATCH_CYCLES // max(run.bound.longest, 1)), 1)
        now = max(most // 16, 1)  # nothing else is at work while the first batch is drawn
        while batch := list(islice(pairs, now * size)):
            a, b, _ = zip(*batch, strict=True)
            if {*map(type, a), *map(type, b)} == {int}:
                operands = self.bench.packed(run.shell.streams("a", a), run.shell.streams("b", b))
                yield case, batch, operands, self._integers(golden, a, b, operands)
            else:
                yield case, batch, None, []
            case += len(batch)
            now = min(2 * now, most)

    def _integers(self, golden: _Golden, a: Sequence[int], b: Sequence[int], operands: Arrays) -> Arrays:
        """Operands as integers, packed as golden data take them: a port may have more or fewer words than its model."""
        words, size = (golden.a_words, golden.b_words), self.run.stimulus.size
        return [
            array if self.run.shell.is_plain(name) and array.shape[1] == count else _packed(values, count // size)
            for name, values, count, array in zip("ab", (a, b), words, operands, strict=True)
        ]

    def _compared(
        self, golden: _Golden, case: int, batch: Sequence[TimedPair], operands: Arrays, integers: Arrays
    ) -> _Compared:
        """A batch that is compared in C."""
        beat(self.pulse, case)
        run = self.run
        agree, (cycles, least, most, *at), shown = self.bench.compare(operands, golden, integers)
        size = run.stimulus.size
        took = Latencies(least, most, case + at[0] * size, case + at[1] * size) if agree else None
        if shown is None:
            last = partial(self._expected, case, batch, agree - 1)
            return _Compared(agree, cycles, None, failed=False, last=last, latencies=took)
        expected = self._expected(case, batch, agree)
        took = joined(took, self._latencies([expected], shown.outcomes))
        found = run.comparator.check(expected, shown.observed(0, run))
        if found is None and not shown.failed:
            what = f"golden data in C are not those in Python in case {expected.case}"
            raise ToolError(f"{run.job.core}: {what}; with an empty CC in the environment there are none in C")
        if found is None:
            agree, cycles = agree + 1, cycles + int(shown.outcomes[0]["latency"])
        return _Compared(agree, cycles, found, shown.failed, lambda: expected, took)

    def _expected(self, case: int, batch: Sequence[TimedPair], at: int) -> ExpectedStream:
        """Golden data of stream `at` of a batch that begins with that case."""
        size = self.run.stimulus.size
        return self.run.golden.stream(self.run.bound, case + at * size, batch[at * size : (at + 1) * size])


def compare(run: Run, library: Path, pulse: int, golden: Path | None = None) -> Tally:
    """Simulate with the model in `library`, and golden data from the library `golden`; `pulse` is for `process.beat`.

    Raises ParameterError, ServiceError, ToolError.
    """
    verified = cycles = 0
    latencies: Latencies | None = None
    asked, size = run.stimulus.products, run.stimulus.size
    start = time.monotonic()
    with Bench(library, run) as bench, Progress("products", asked) as progress:
        for batch in _Work(run, bench, pulse).batches(golden):
            done = min(batch.agree * size, asked - verified)  # without what fills the last stream
            verified += done
            cycles += batch.cycles
            latencies = joined(latencies, batch.latencies) if run.counts_latencies else None
            if batch.divergence is not None or batch.failed:
                return Tally(verified, cycles, time.monotonic() - start, batch.divergence, latencies=latencies)
            progress.advance(done)
        found = None
        last, early = bench.rest(run.bound.tail)
        if last is not None:
            found = run.comparator.broken(batch.last(), last)
    seconds = time.monotonic() - start
    warnings = early_warnings(run.bound.protocol.finished, early)
    return Tally(verified, cycles, seconds, found, warnings=warnings, latencies=latencies)


class Fast(Driver):
    """Batches of products through a verilated model in a process of its own, which is this module."""

    writes_waves = False
    # Libraries of several cores in one process keep to themselves, which is faster too.
    testbench = Testbench(
        top="lt_fast_tb",
        parameters={},
        verilator=("--no-timing", "-CFLAGS", "-fPIC -fno-gnu-unique -fno-semantic-interposition",
                   "-LDFLAGS", "-shared -Wl,-Bsymbolic"),
        make=("OPT_FAST=-O3",),
        sources=(Path(__file__).resolve().parents[1] / "cpp" / "fast.cpp",),
        loader="limbtrace.rtl_bridge.run.fast",
    )  # fmt: skip

    takes_vhdl = False

    def check(self, run: Run) -> None:
        super().check(run)
        if run.job.simulator != "verilator":
            raise ParameterError("simulator", f"mode fast needs verilator; {run.job.simulator} is asked for")

    def drive(self, run: Run, build: "Build", work: Path, waves: Path | None, more: More = enough) -> Tally:
        golden = compiled.worthwhile(run)
        return call(run, build, work, waves, {GOLDEN: str(golden or "")}, more)


MODE = Fast()


def main() -> None:
    """`python -m limbtrace.rtl_bridge.run.fast LIBRARY`: a core may crash, hang or print in a process of its own."""
    with answering() as request:
        gc.freeze()  # what is there by now stays, and need not be looked at again with every batch
        golden = os.environ[GOLDEN]
        request.tally = compare(request.run, Path(sys.argv[1]), request.beat, Path(golden) if golden else None)


if __name__ == "__main__":
    main()
