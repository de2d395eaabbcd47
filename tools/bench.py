# SPDX-License-Identifier: Apache-2.0
"""`./run bench`: speed, as ratios to code in tools/against that runs alternately with ours.

Our rates include everything from the request to the verdict, golden data included, except the start of the interpreter.
Lock-step is timed like the naive test, from the first product to the last, but still with our golden data.
The code compared with is timed without preparation: its golden data are generated beforehand.
Simulation models are built before the clock starts, on both sides.
One file, although it is long: a function for each row of one table.
"""

import argparse
import ctypes
import io
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from http.client import HTTPConnection
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlencode, urlsplit

import gmpy2
import httpx
import numpy as np
from cocotb_tools.runner import Runner, get_runner

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.pair_columns import PairColumns
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
from limbtrace.rtl_bridge.campaign.run import run_campaign
from limbtrace.rtl_bridge.campaign.shards import Shards
from limbtrace.rtl_bridge.programs import process
from limbtrace.rtl_bridge.run import compiled, fast
from limbtrace.rtl_bridge.run.builds import build
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.run.simulators import icarus, verilator
from limbtrace.vectors.compiled.c import source
from limbtrace.vectors.cycles import native as native_cycles
from limbtrace.vectors.cycles import render as render_cycles
from limbtrace.vectors.cycles import set_cycles
from limbtrace.vectors.digests import DigestRequest
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.files import write_directory, write_file
from limbtrace.vectors.grades import Graded, grade
from limbtrace.vectors.library import MARK, LibraryRequest
from limbtrace.vectors.library import files as library_files
from limbtrace.vectors.request import CoreRequest, Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet, memory_files, native, render
from tools.demo import DemoError, say, serving

HERE = Path(__file__).parent
BASELINES = HERE / "against"
BUILDS = HERE.parent / "build" / "bench"
PRIME = "secp256k1"
CORE = "iddmm_arch2"
RADIX = "2^32"
MILLION = 1_000_000
PACKAGES = ("numpy", "gmpy2", "cocotb", "verilator")

sys.path.append(str(BASELINES))  # cocotb's runner gives its tests the path of this process


@dataclass(frozen=True)
class Rates:
    """Items per second in one repeat, ours and those of the code compared with."""

    ours: float
    theirs: float


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    ours: str
    theirs: str
    unit: str
    measure: Callable[["Bench"], Rates]
    target: float | None = None
    """Target of the ratio, if there is one."""
    goal: float | None = None
    """Target of our rate, if there is one."""


@dataclass(frozen=True)
class Outcome:
    """A row with its measurements."""

    row: Row
    repeats: list[Rates]

    @property
    def ours(self) -> float:
        return statistics.median(rates.ours for rates in self.repeats)

    @property
    def theirs(self) -> float:
        return statistics.median(rates.theirs for rates in self.repeats)

    @cached_property
    def ratios(self) -> list[float]:
        """The ratios of all repeats, smallest first."""
        return sorted(rates.ours / rates.theirs for rates in self.repeats)

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def reached(self) -> bool | None:
        """True if ratio and rate reach their targets; None without a target."""
        verdicts = []
        if self.row.target is not None:
            verdicts.append(self.ratio >= self.row.target)
        if self.row.goal is not None:
            verdicts.append(self.ours >= self.row.goal)
        return all(verdicts) if verdicts else None

    @property
    def document(self) -> dict[str, Any]:
        row = self.row
        return {
            "name": row.name,
            "ours": row.ours,
            "theirs": row.theirs,
            "unit": row.unit,
            "ours_per_second": round(self.ours, 1),
            "theirs_per_second": round(self.theirs, 1),
            "ratio": round(self.ratio, 2),
            "least_ratio": round(self.ratios[0], 2),
            "largest_ratio": round(self.ratios[-1], 2),
            "target_ratio": row.target,
            "target_per_second": row.goal,
            "reached": self.reached,
        }


class Bench:
    """The environment in which rows are measured; `with` ends everything that they started."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self._stack = ExitStack()
        self._runners: dict[str, Runner] = {}

    def __enter__(self) -> "Bench":
        self.folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="limbtrace-bench-")))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def count(self, full: int) -> int:
        """The number of items, at the requested scale."""
        return max(int(full * self.scale), 2)

    @cached_property
    def url(self) -> str:
        """Address of a service in a process of its own, started once."""
        url: str = self._stack.enter_context(serving())
        return url

    @cached_property
    def threaded_url(self) -> str:
        """Address of a service that computes in threads, started once."""
        command = [sys.executable, "-m", "tools.against.threaded_service", f"sqlite:///{self.folder}/threaded.sqlite3"]
        process = self._stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        self._stack.callback(process.terminate)
        assert process.stdout is not None
        if not (url := process.stdout.readline().strip()):
            raise ToolError("the service to compare with did not start")
        return url

    @cached_property
    def bound(self) -> Bound:
        return settle(self.job("lockstep", "verilator", 1)).bound

    def naive_core(self, simulator: str) -> Runner:
        """The core as cocotb's own runner builds it, with the runner's defaults."""
        if simulator not in self._runners:
            core, folder = self.bound.core, BUILDS / f"naive-{simulator}"
            folder.mkdir(parents=True, exist_ok=True)
            os.environ["PATH"] = process.environment()["PATH"]
            if simulator == "verilator":
                os.environ["PATH"] = f"{Path(verilator().path).parent}{os.pathsep}{os.environ['PATH']}"
            runner = get_runner(simulator)
            with redirect_stdout(sys.stderr):
                runner.build(
                    sources=[str(source.absolute()) for source in core.sources],
                    hdl_toplevel=core.file.simulated_top,
                    parameters=self.bound.parameters,
                    build_dir=folder,
                    timescale=("1ns", "1ps"),
                    log_file=folder / "log",
                )
            self._runners[simulator] = runner
        return self._runners[simulator]

    @cached_property
    def bare_core(self) -> Path:
        """The core with a main program in C++, by Verilator with -O3."""
        core, folder = self.bound.core, self.folder / "bare"
        folder.mkdir()
        parameters = [f"-G{name}={value}" for name, value in self.bound.parameters.items()]
        command = [
            verilator().path,
            "--cc",
            "--exe",
            "--build",
            "-Wno-fatal",
            "-O3",
            "-CFLAGS",
            "-O3",
            "--prefix",
            "Vcore",
        ]
        command += ["-Mdir", "model", "-o", "bare", "--top-module", core.file.simulated_top, *parameters]
        command += [str(path.absolute()) for path in (*core.sources, BASELINES / "bare_core.cpp")]
        process.run(command, folder, folder.with_suffix(".log"), "Verilator")
        return folder / "model" / "bare"

    def job(self, mode: str, simulator: str, count: int, every_cycle: bool = False) -> Job:
        return Job(
            core=CORE,
            prime=PRIME,
            settings={"radix": RADIX},
            count=count,
            kind="random",
            mode=mode,
            simulator=simulator,
            every_cycle=every_cycle,
        )


def clock(count: int, work: Callable[[], object]) -> float:
    """Items per second of `work`, which processes `count` items."""
    begin = time.perf_counter()
    work()
    return count / (time.perf_counter() - begin)


def baseline(script: str, *arguments: object) -> float:
    """Seconds printed by a script of tools/against."""
    command = [sys.executable, str(BASELINES / script), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ToolError(f"{script} ended with exit code {done.returncode}")
    return float(done.stdout)


def multiplier(model: str, radix: str) -> Multiplier:
    return Multiplier.resolve(model, PRIME, {"radix": radix})


# Vectors -------------------------------------------------------------------------------------------------------------


def vectors(form: str, inverse: str) -> Callable[[Bench], Rates]:
    """Vectors written to files, against a script that computes R^-1 for every case (`loop`) or once (`hoisted`)."""

    def measure(bench: Bench) -> Rates:
        m = multiplier("cios", "2^34")
        assert m.params.domain is not None
        r_bits = m.params.domain.bit_length() - 1
        native.library()  # compiled before the clock starts, as simulation models are
        count = bench.count(200_000)
        request = VectorRequest.resolve(m, count, 1, "random")
        seconds = baseline("obvious_vectors.py", form, inverse, count, m.modulus.modulus, r_bits, bench.folder)
        return Rates(clock(count, lambda: write(request, form, bench.folder)), count / seconds)

    return measure


def results_alone(bench: Bench) -> Rates:
    """Vectors written to a CSV file, against the closed form of operands that are there already, in gmpy2."""
    m, count = multiplier("cios", "2^34"), bench.count(200_000)
    request = VectorRequest.resolve(m, count, 1, "random")
    native.library()
    a, b = (list(map(gmpy2.mpz, column)) for column in operands(m, count))
    theirs = clock(count, lambda: m.model.results(m.params, a, b))
    return Rates(clock(count, lambda: write(request, "csv", bench.folder)), theirs)


def digest(form: str) -> Callable[[Bench], Rates]:
    """Cases whose records are hashed, against the same cases written in a format that is discarded."""

    def measure(bench: Bench) -> Rates:
        m, count = multiplier("cios", "2^34"), bench.count(200_000)
        native.library()
        vectors = VectorRequest.resolve(m, count, 1, "random")
        asked = DigestRequest.resolve(m, count=count, kind="random")
        theirs = clock(count, lambda: sum(map(len, render(VectorSet(vectors), form))))
        return Rates(clock(count, asked.document), theirs)

    return measure


def cycle_rows(bench: Bench) -> Rates:
    """Rows of cycle tables as CSV, against Python that writes them."""
    count = bench.count(20_000)
    request = set_cycles(CoreRequest.resolve(CORE, PRIME, {"radix": RADIX}), count, 1, "random")
    native_cycles.rows(request, native_cycles.CSV)  # compiles

    def once() -> float:
        return clock(request.count, lambda: deque(render_cycles(request, "csv"), maxlen=0))

    ours = once()
    with patch.object(native_cycles, "WORTH", request.count * len(request.columns) + 1):
        return Rates(ours, once())


def write(request: VectorRequest, form: str, folder: Path) -> None:
    """Writes vectors like `limbtrace vectors -o`."""
    if form == "readmemh":
        write_directory(folder / "vectors", memory_files(VectorSet(request)), "manifest.json")
    else:
        write_file(folder / f"ours.{form}", render(VectorSet(request), form))


def http(bench: Bench) -> Rates:
    """A client that reads vectors from the service, against the generator of the service in this process."""
    count = bench.count(200_000)
    query: dict[str, str | int] = {"model": "cios", "prime": PRIME, "radix": "2^34", "count": count}
    query |= {"kind": "random", "format": "ndjson"}

    address = urlsplit(bench.url)
    buffer = bytearray(1 << 20)

    def read() -> None:
        """By the client of the standard library, which leaves most of the time to the service; httpx takes as much."""
        with closing(HTTPConnection(address.hostname or "", address.port, timeout=600)) as connection:
            connection.request("GET", f"/v1/vectors?{urlencode(query)}")
            answer = connection.getresponse()
            lines = 0
            while size := answer.readinto(buffer):
                lines += buffer.count(b"\n", 0, size)
        if (answer.status, lines) != (200, count + 2):
            raise ToolError(f"the service sent {lines} lines with status {answer.status} instead of {count + 2}")

    read()  # the service is started before the clock, and so are its processes
    return Rates(clock(count, read), in_process(VectorRequest.resolve(multiplier("cios", "2^34"), count, 1, "random")))


def http_small(bench: Bench) -> Rates:
    """A client that asks for small sets one after the other, against routes in threads of one process."""
    count = bench.count(500)
    query: dict[str, str | int] = {"model": "cios", "prime": PRIME, "radix": "2^34", "count": 16}

    def rate(url: str) -> float:
        with httpx.Client(base_url=url, timeout=600) as client:

            def ask(number: int) -> None:
                for seed in range(number):
                    client.get("/v1/vectors", params={**query, "seed": seed % 100}).raise_for_status()

            ask(min(count, 20))  # what is computed once
            return clock(count, lambda: ask(count))

    return Rates(rate(bench.url), rate(bench.threaded_url))


def in_process(request: VectorRequest) -> float:
    """Cases a second as NDJSON, which is discarded."""
    return clock(request.count, lambda: sum(map(len, render(VectorSet(request), "ndjson"))))


def kinds(model: str, kind: str, other: str) -> Callable[[Bench], Rates]:
    """10,000 cases of a kind, against as many of another kind; the model has its default parameters."""

    def measure(bench: Bench) -> Rates:
        count = bench.count(10_000)
        m = Multiplier.resolve(model, PRIME, {})
        ours, theirs = (in_process(VectorRequest.resolve(m, count, 1, name)) for name in (kind, other))
        return Rates(ours, theirs)

    return measure


def grades(bench: Bench) -> Rates:
    """Cases that are graded, against every case judged at every mechanism and fault by itself."""
    m, count = Multiplier.resolve("modmul", "p256", {}), bench.count(20_000)
    numbers = list(zip(*(map(int, column) for column in operands(m, count)), strict=True))
    few = count // 10
    ours = clock(count, lambda: grade(Graded(m, numbers, False)))
    with (
        patch.object(PairColumns, "agrees", lambda pairs, *_: pairs.every),
        patch.object(PairColumns, "at_most", lambda pairs, *_: pairs.every),
    ):
        return Rates(ours, clock(few, lambda: grade(Graded(m, numbers[:few], False))))


# Steps ---------------------------------------------------------------------------------------------------------------


def operands(m: Multiplier, count: int) -> tuple[list[int], list[int]]:
    cases = VectorSet(VectorRequest.resolve(m, count, 1, "random")).cases()
    a, b = zip(*((case.a, case.b) for case in cases), strict=True)
    return list(a), list(b)


def columns(m: Multiplier, count: int) -> float:
    """Products a second with all steps, in batches of 4096."""
    a, b = operands(m, count)
    size = 4096

    def work() -> None:
        for at in range(0, count, size):
            m.model.run_batch(m.params, a[at : at + size], b[at : at + size])

    return clock(count, work)


def steps(bench: Bench) -> Rates:
    m = multiplier("cios", "2^16")
    few = bench.count(1000)
    a, b = operands(m, few)

    def loop() -> None:
        for x, y in zip(a, b, strict=True):
            list(m.model.steps(m.params, *m.params.split(x, y)))

    return Rates(columns(m, bench.count(20_000)), clock(few, loop))


def steps_bare(bench: Bench) -> Rates:
    m = multiplier("cios", "2^16")
    few = bench.count(4000)
    seconds = baseline("plain_loop.py", m.params.radix_bits, few, m.modulus.modulus)
    return Rates(columns(m, bench.count(20_000)), few / seconds)


_LOOP = """#include "{name}.h"
void many(const uint64_t *a, const uint64_t *b, uint64_t *frames, long count);
void many(const uint64_t *a, const uint64_t *b, uint64_t *frames, long count) {{
  for (long k = 0; k < count; ++k) {{
    {name}_run(a + k * {upper}_A_WORDS, b + k * {upper}_B_WORDS, frames + k * {upper}_FRAME_WORDS);
  }}
}}
"""
"""A loop around a library: every frame is kept."""


def library(model: str, radix: str) -> Callable[[Bench], Rates]:
    """All steps by the C of `limbtrace library`, beside columns."""

    def measure(bench: Bench) -> Rates:
        m, count = multiplier(model, radix), bench.count(8192)
        request = LibraryRequest(f"lt_{model}", m)
        folder = bench.folder / f"library-{model}"
        write_directory(folder, library_files(request), MARK)
        (folder / "loop.c").write_text(_LOOP.format(name=request.name, upper=request.name.upper()))
        command = ["cc", "-std=c11", "-O2", "-shared", "-fPIC", "-o", "loop.so", "loop.c", f"{request.name}.c"]
        process.run(command, folder, folder.with_suffix(".log"), "the C compiler")
        many = ctypes.CDLL(str(folder / "loop.so")).many
        text = source(request.program, "lt_run")
        sizes = text.operands
        packed = [b"".join(value.to_bytes(8 * sizes[name], "little") for value in column)
                  for name, column in zip(("a0", "b0"), operands(m, count), strict=True)]  # fmt: skip
        frames = np.ones((count, text.words), dtype=np.uint64)  # every page is there before the clock starts

        def work() -> None:
            many(*packed, ctypes.c_void_p(frames.ctypes.data), ctypes.c_long(count))

        work()
        return Rates(clock(count, work), columns(m, count))

    return measure


# Simulations ---------------------------------------------------------------------------------------------------------


def core(
    mode: str, simulator: str, count: int, check: str, few: int, every_cycle: bool = False
) -> Callable[[Bench], Rates]:
    """`count` products through `limbtrace sim`, against `few` through a naive cocotb test in the same simulator."""

    def measure(bench: Bench) -> Rates:
        products = bench.count(count)
        quietly(bench.job(mode, simulator, 1, every_cycle))  # builds the model
        job = bench.job(mode, simulator, products, every_cycle)
        theirs = naive(bench, simulator, check, bench.count(few))
        return Rates(clock(products, lambda: quietly(job)), theirs)

    return measure


def lockstep(simulator: str, count: int, few: int, mode: str = "lockstep") -> Callable[[Bench], Rates]:
    """`count` products in every cycle, against `few` through a naive cocotb test, without the simulators' starts."""

    def measure(bench: Bench) -> Rates:
        quietly(bench.job(mode, simulator, 1))  # builds the model
        if mode == "fast":
            compiled.library(settle(bench.job(mode, simulator, 1)))
        theirs = naive(bench, simulator, "every-cycle", bench.count(few))
        tally = quietly(bench.job(mode, simulator, bench.count(count))).tally
        return Rates(tally.verified / tally.seconds, theirs)

    return measure


def beside_nothing(bench: Bench) -> Rates:
    """Products in every cycle in process, against the same harness that compares nothing, with operands at hand."""
    count = bench.count(60_000)
    quietly(bench.job("fast", "verilator", 1))  # builds the model
    run = settle(bench.job("fast", "verilator", count))
    compiled.library(run)
    model = build(run.shell, "verilator", "fast", waves=False)
    pairs = list(run.stimulus.pairs())
    with fast.Bench(model.folder / "sim", run) as harness:
        operands = harness.packed([pair.a for pair in pairs], [pair.b for pair in pairs])
        theirs = clock(count, lambda: harness.drive(operands))
    tally = quietly(run.job).tally
    return Rates(tally.verified / tally.seconds, theirs)


def beside_bare(bench: Bench) -> Rates:
    """Products in every cycle in process, against a harness in C++ for this core alone, which compares results."""
    count = bench.count(60_000)
    job = bench.job("fast", "verilator", count)
    quietly(bench.job("fast", "verilator", 1))  # builds the model
    compiled.library(settle(job))
    theirs = bare(bench, count)
    tally = quietly(job).tally
    return Rates(tally.verified / tally.seconds, theirs)


def campaign(bench: Bench) -> Rates:
    """Products of a campaign on all processors, from its plan to its summary, against the same in one run."""
    count = bench.count(1_000_000)
    job = bench.job("fast", "verilator", count)
    quietly(bench.job("fast", "verilator", 1))  # builds the model
    compiled.library(settle(job))
    with tempfile.TemporaryDirectory(dir=bench.folder) as name:
        plan, state = Path(name, "plan.toml"), Path(name, "state")
        matrix = f"[[matrix]]\ncore = {CORE!r}\nprime = {PRIME!r}\nsettings = {{ radix = {RADIX!r} }}\n"
        plan.write_text(f"{matrix}kind = 'random'\nmode = 'fast'\ncoverage = false\ncount = {count}\n")
        with redirect_stderr(io.StringIO()):
            ours = clock(count, lambda: run_campaign(Shards.of(CampaignPlan.load(plan)), state))
    return Rates(ours, clock(count, lambda: quietly(job)))


def bare(bench: Bench, count: int) -> float:
    """Products a second of tools/against/bare_core.cpp."""
    bound, request = bench.bound, bench.folder / "bare.txt"
    params = bound.multiplier.params
    k, n, passes = (bound.names[name] for name in ("k", "n", "passes"))
    cases = list(VectorSet(VectorRequest.resolve(bound.multiplier, count, 1, "random")).cases())

    def digits(value: int) -> str:
        return " ".join(str(value >> k * place & ((1 << k) - 1)) for place in range(n + 1))

    p_prime = params.constants["p'"]
    head = f"{count} {n} {passes} {p_prime} {digits(params.modulus)}\n"
    lines = (f"{digits(case.a)} {digits(case.b)} {digits(case.result)}\n" for case in cases)
    write_file(request, [head.encode(), *(line.encode() for line in lines)])
    done = subprocess.run([bench.bare_core, request], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ToolError(f"bare_core ended with exit code {done.returncode}")
    return count / float(done.stdout)


def quietly(job: Job) -> Report:
    """Run a job that has to pass."""
    said = io.StringIO()
    with redirect_stderr(said):
        report = simulate(job)
    if not report.passed:
        raise ToolError(f"the core fails, and so there is nothing to measure: {report.text()}")
    return report


def naive(bench: Bench, simulator: str, check: str, count: int) -> float:
    """Products a second of the naive cocotb test."""
    request, outcome, log = (bench.folder / name for name in ("naive.json", "seconds.json", "naive.log"))
    request.write_text(json.dumps(naive_request(bench, check, count, outcome)))
    outcome.unlink(missing_ok=True)
    runner = bench.naive_core(simulator)
    with redirect_stdout(sys.stderr):
        runner.test(
            test_module="naive_core",
            hdl_toplevel=bench.bound.core.file.simulated_top,
            test_dir=bench.folder,
            extra_env={"NAIVE_REQUEST": str(request)},
            log_file=log,
        )
    if not outcome.exists():
        raise ToolError(f"the naive test failed: {process.tail(log)}")
    return float(count / json.loads(outcome.read_text())["seconds"])


def naive_request(bench: Bench, check: str, count: int, outcome: Path) -> dict[str, Any]:
    """The request for tools/against/naive_core.py."""
    bound = bench.bound
    assert bound.plan is not None
    params = bound.multiplier.params
    products = settle(bench.job("lockstep", "verilator", count)).golden.streams(steps=False, table=True)
    return {
        "check": check,
        "k": params.radix_bits,
        "n": bound.names["n"],
        "passes": bound.names["passes"],
        "p": params.modulus,
        "p_prime": params.constants["p'"],
        "cycles": bound.plan.cycles,
        "registers": [(w.row.source, w.schedule_column) for w in bound.watches if w.kind == "register"],
        "sums": [(w.row.source, w.schedule_column) for w in bound.watches if w.kind == "combinational"],
        "products": [{"a": p.a, "b": p.b, "result": p.result, "table": p.table} for p in products],
        "outcome": str(outcome),
    }


# The table -----------------------------------------------------------------------------------------------------------

LOOP, ONCE = "obvious script, R^-1 for every case", "obvious script, R^-1 once"
EVENTFUL = ("iddmm2", "cios", "mwr2kmm", "redundant")
"""Models whose events are measured: all of them in closed form, but for those of the last one."""
NAIVE, NAIVE_RESULTS = "naive cocotb test, every cycle", "naive cocotb test, results only"
ROWS = (
    Row("vectors-readmemh", "vectors, $readmemh files", LOOP, "vectors", vectors("readmemh", "loop"), 3, MILLION),
    Row("vectors-readmemh-once", "vectors, $readmemh files", ONCE, "vectors", vectors("readmemh", "hoisted"), 3),
    Row("vectors-ndjson", "vectors, NDJSON", LOOP, "vectors", vectors("ndjson", "loop"), 1.5, MILLION),
    Row("vectors-ndjson-once", "vectors, NDJSON", ONCE, "vectors", vectors("ndjson", "hoisted"), 1.5),
    Row("vectors-csv", "vectors, CSV", "results alone, in gmpy2", "vectors", results_alone, None, MILLION),
    Row("digest-ndjson", "cases hashed into a digest", "the same vectors, NDJSON", "vectors", digest("ndjson"), 1),
    Row("digest-raw", "cases hashed into a digest", "the same vectors, raw records", "vectors", digest("raw"), 0.8),
    Row("grades", "cases graded, modulus p256", "each of them judged by itself", "cases", grades, 10, MILLION / 60),
    Row("cycles-csv", "rows of cycle tables, CSV", "written by Python", "rows", cycle_rows, 5),
    *(Row(f"events-{model}", f"kind `events` of {model}, NDJSON", "kind `random`", "cases",
          kinds(model, "events", "random"), None, 10_000) for model in EVENTFUL),
    *(Row(f"directed-{model}", f"kind `directed` of {model}, NDJSON", "kind `mixed`", "cases",
          kinds(model, "directed", "mixed"), 0.5) for model in EVENTFUL),
    Row("steps", "all steps of cios, w = 16, as columns", "the same steps with integers", "products", steps, 10),
    Row("steps-bare", "all steps of cios, w = 16, as columns", "bare loop, result only", "products", steps_bare, 10),
    Row("library-cios", "all steps of cios, w = 16, in C of `limbtrace library`", "as columns", "products",
        library("cios", "2^16")),
    Row("library-iddmm2", "all steps of iddmm2, k = 32, in C of `limbtrace library`", "as columns", "products",
        library("iddmm2", "2^32")),
    Row("lockstep-verilator", "lock-step, cocotb in Verilator", NAIVE, "products",
        lockstep("verilator", 6000, 200), 8),
    Row("lockstep-icarus", "lock-step, cocotb in Icarus", NAIVE, "products",
        lockstep("icarus", 1000, 100), 4),
    Row("files-every-cycle", "file harness in Verilator, every cycle", NAIVE, "products",
        core("bulk", "verilator", 6000, "every-cycle", 200, every_cycle=True), 4),
    Row("files-results", "file harness in Verilator, results only", NAIVE_RESULTS, "products",
        core("bulk", "verilator", 30_000, "results", 400), 15),
    Row("files-results-asleep", "file harness in Verilator, results only",
        f"{NAIVE_RESULTS}, asleep until done", "products", core("bulk", "verilator", 30_000, "results-asleep", 400)),
    Row("fast", "in-process lock-step in Verilator, every cycle", NAIVE, "products",
        lockstep("verilator", 60_000, 200, "fast"), None, 60_000),
    Row("fast-empty", "in-process lock-step in Verilator, every cycle", "the same harness, nothing compared",
        "products", beside_nothing, 0.65),
    Row("fast-bare", "in-process lock-step in Verilator, every cycle", "harness in C++ for this core, results only",
        "products", beside_bare),
    Row("campaign", "a campaign in mode `fast` on all processors", "one run in mode `fast`", "products",
        campaign, 0.85),
    Row("http-small", "16 cases over HTTP", "routes in threads of one process", "requests", http_small),
    Row("http", "vectors over HTTP, NDJSON", "the same generator in process", "vectors", http, 0.7),
)  # fmt: skip


def run(rows: Iterable[Row], repeats: int, scale: float) -> list[Outcome]:
    """Measure the rows, all of them once before any of them twice. Raises ToolError, ParameterError, DemoError."""
    measured: dict[str, list[Rates]] = {row.name: [] for row in rows}
    with Bench(scale) as bench:
        for repeat in range(repeats):
            for row in rows:
                begin = time.monotonic()
                rates = row.measure(bench)
                measured[row.name].append(rates)
                say(
                    f"{repeat + 1}/{repeats} {row.name}: {rates.ours:.0f} against {rates.theirs:.0f} {row.unit}/s "
                    f"({time.monotonic() - begin:.0f} s)"
                )
    return [Outcome(row, measured[row.name]) for row in rows]


def machine() -> dict[str, str]:
    """Processor, system and versions."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        cpu = names[0] if names else cpu
    installed = {name: version(name) for name in PACKAGES if find_spec(name)}
    packages = ", ".join(f"{name} {number}" for name, number in installed.items())
    return {
        "processor": f"{cpu}, {os.cpu_count()} threads",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": packages,
        "verilator": verilator().version,
        "icarus": icarus().version,
    }


def page(outcomes: Iterable[Outcome], about: dict[str, str], command: str, repeats: int) -> str:
    """docs/reference/benchmarks.md."""
    lines = [
        "| row | ours | /s | compared with | /s | ratio | aimed at | verdict |",
        "|---|---|---:|---|---:|---:|---|---|",
    ]
    for outcome in outcomes:
        row = outcome.row
        aims = ([f"{row.target:g} times"] if row.target else []) + ([f"{row.goal:,.0f}/s"] if row.goal else [])
        verdict = {None: "", True: "reached", False: "not reached"}[outcome.reached]
        spread = f"{outcome.ratio:.3g} ({outcome.ratios[0]:.3g} to {outcome.ratios[-1]:.3g})"
        lines.append(
            f"| `{row.name}` | {row.ours} | {outcome.ours:,.0f} | {row.theirs} | {outcome.theirs:,.0f} | {spread} | "
            f"{', '.join(aims)} | {verdict} |"
        )
    rates = {outcome.row.name: outcome.ours for outcome in outcomes}
    shares = [
        f"`{name}` makes {100 * rates[name] / MILLION:.0f} % of {MILLION:,} vectors a second on one core."
        for name in ("vectors-readmemh", "vectors-ndjson", "vectors-csv")
        if name in rates
    ]
    return PAGE.format(
        command=command,
        repeats=repeats,
        table="\n".join(lines),
        shares="\n".join(shares),
        about="\n".join(f"* {name}: {value}" for name, value in about.items()),
        prime=PRIME,
        core=CORE,
        radix=RADIX,
    )


PAGE = """# Benchmarks

Written by `{command}`.

Rates depend on the machine, so look at the ratios: both sides run alternately on the same machine. Repeats:
{repeats}. The table shows medians, and in brackets the smallest and the largest ratio.

{table}

{shares}

## What is measured

* All moduli have 256 bits (`{prime}`). The core is `{core}` with radix {radix}, which watches 9 signals.
* The code compared with is in `tools/against`: `obvious_vectors.py`, `plain_loop.py` and `naive_core.py`, a cocotb test
  that drives and reads each signal separately, with a clock in Python, cocotb's own runner and the runner's defaults;
  `bare_core.cpp`, a main program for the core alone.
* Our time runs from the request to the verdict. It includes golden data, files and the start of the simulator, but not
  the start of the Python interpreter. The naive tests are timed without their golden data, which are generated
  beforehand.
* The lock-step rows, in cocotb and in process, are timed in the same way on both sides, from the first product to the
  last, without the start of the simulator. Our side still generates its golden data in that time.
* Simulation models, and the C that writes vectors, are built beforehand on both sides.
* Vectors are of kind `random` unless a row says otherwise. Ours carry ids, residues, flags and a digest or manifest;
  those of the script do not.

## Machine

{about}
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench", description="Speed against code in the same run.")
    parser.add_argument("--only", action="append", metavar="NAME", help="measure this row; repeatable")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="repeats of every row (default: 5)")
    parser.add_argument("--quick", action="store_true", help="two repeats with a quarter of the work, about a minute")
    parser.add_argument("--scale", type=float, default=1.0, metavar="X", help="X times the work (default: 1)")
    parser.add_argument(
        "--output", type=Path, metavar="FILE", help="default: docs/reference/benchmarks.md, unless --only"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args()
    known = [row.name for row in ROWS]
    for name in asked.only or []:
        if name not in known:
            parser.error(f"argument --only: {name!r} is none of {', '.join(known)}")
    if asked.repeats < 1:
        parser.error(f"argument --repeats: {asked.repeats} is below 1")
    if asked.scale <= 0:
        parser.error(f"argument --scale: {asked.scale} is not above 0")
    if asked.quick:
        asked.repeats, asked.scale = 2, 0.25
    if asked.output is None and not asked.only:
        asked.output = HERE.parent / "docs" / "reference" / "benchmarks.md"
    if asked.output is not None and not os.access(asked.output.absolute().parent, os.W_OK):
        parser.error(f"argument --output: {asked.output} cannot be written")
    return asked


def main() -> int:
    """Run the benchmark; returns the exit code."""
    asked = arguments()
    rows = [row for row in ROWS if not asked.only or row.name in asked.only]
    try:
        outcomes = run(rows, asked.repeats, asked.scale)
        about = machine()
        command = " ".join(["./run bench", *sys.argv[1:]])
        text = page(outcomes, about, command, asked.repeats)
        if asked.output is not None:
            write_file(asked.output, [text.encode()])
    except ParameterError as error:
        say(f"bench: {error}")
        return 2
    except (ToolError, DemoError, OSError, httpx.HTTPError) as error:
        say(f"bench: {error}")
        return 3
    except KeyboardInterrupt:
        say("bench: interrupted; nothing was written")
        return 130
    if asked.json:
        document = {"command": command, "repeats": asked.repeats, "machine": about}
        print(json.dumps({**document, "rows": [outcome.document for outcome in outcomes]}))
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
