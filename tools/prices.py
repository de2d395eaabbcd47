# SPDX-License-Identifier: Apache-2.0
"""Fits the prices of requests: measures a grid of them in this process, and writes service/http/prices.json.

`python -m tools.prices` takes some minutes and says on standard error how far each measured request is from its price.
"""

import io
import json
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from limbtrace.service.http import cost_model
from limbtrace.service.http.cost_model import Amounts
from limbtrace.service.routes import command_runner
from limbtrace.vectors import catalogue, coverage, cycles, fp2, sets, traces
from limbtrace.vectors.catalogue.moduli import ModuliQuery
from limbtrace.vectors.cycles import CycleQuery, CycleRequest
from limbtrace.vectors.designs import FORMATS as DESIGN_FORMATS
from limbtrace.vectors.designs import DesignQuery, designs_document, render
from limbtrace.vectors.encoding import FORMAT, dump
from limbtrace.vectors.fp2 import Fp2Query, Fp2Request
from limbtrace.vectors.grades import grade
from limbtrace.vectors.grades.request import drawn
from limbtrace.vectors.options import EventsQuery
from limbtrace.vectors.request import Multiplier, VectorRequest
from limbtrace.vectors.sets import VectorSet
from limbtrace.vectors.sets.in_json import read_document
from limbtrace.vectors.traces import TraceQuery, TraceRequest
from limbtrace.vectors.validation import load_json
from limbtrace.vectors.verify import verify

ROOT = Path(__file__).parent.parent
FILE = ROOT / "service" / "http" / cost_model.FILE
WIDE = "2^4096-2^1000-1"
GRADED = (
    ("modmul", "p256", 20_000), ("modmul", "2^1024-105", 1000), ("montgomery", WIDE, 100), ("cios", "p256", 1000),
    ("iddmm2", "2^1024-105", 100), ("redundant", "p256", 100),
)  # fmt: skip
"""Model, modulus and cases of the grades that are measured."""
ROUNDS_OF_FIT = 300
ROUNDS = 3
"""Repetitions of a measurement that is short; the least time counts."""


class Sample(NamedTuple):
    """A request: its amounts, and the work that an answer takes."""

    name: str
    amounts: Amounts
    work: Callable[[], object]


def set_sample(model: str, prime: str, count: int, kind: str, format: str = "ndjson", **settings: str) -> Sample:
    """A vector set."""

    def work() -> None:
        for _ in sets.render(VectorSet(resolved()), format):
            pass

    def resolved() -> VectorRequest:
        return VectorRequest.resolve(Multiplier.resolve(model, prime, settings), count, 1, kind)

    return Sample(f"{count} {kind} {model} {prime} {format} {settings}", cost_model.of_set(resolved()), work)


def trace_sample(model: str, prime: str, **settings: str) -> Sample:
    """A trace."""
    pairs = [f"{name}={value}" for name, value in settings.items()]
    query = TraceQuery(model=model, prime=prime, a="3", b="5", pairs=pairs)
    multiplier = query.multiplier

    def work() -> None:
        for _ in traces.FORMATS["json"].write(TraceRequest.of(query, multiplier, 10**7)):
            pass

    return Sample(f"trace {model} {prime} {settings}", cost_model.of_trace(multiplier), work)


def table_sample(core: str, prime: str, count: int) -> Sample:
    """A cycle table."""
    query = CycleQuery(core=core, prime=prime, count=str(count), pairs=[])
    resolved = query.core_request

    def work() -> None:
        for _ in cycles.FORMATS["csv"].write(CycleRequest.of(query, resolved, 10**7)):
            pass

    return Sample(f"{count} products in cycles {core} {prime}", cost_model.of_table(resolved, count), work)


def fp2_sample(prime: str, count: int, steps: bool) -> Sample:
    """Cases in GF(p^2)."""
    query = Fp2Query(model="hffm", prime=prime, op="mul", count=str(count), steps=steps, pairs=[])
    resolved = Fp2Request.asked(query, query.multiplier)

    def work() -> None:
        for _ in fp2.FORMATS["json"].write(Fp2Request.asked(query, query.multiplier)):
            pass

    return Sample(f"{count} cases of fp2 {prime} {steps}", cost_model.of_fp2(resolved), work)


def document_sample(model: str, prime: str, count: int, covered: bool) -> Sample:
    """A vector set to be verified, or whose events are to be found."""
    vectors = VectorRequest.resolve(Multiplier.resolve(model, prime, {}), count, 1, "random")
    text = b"".join(sets.render(VectorSet(vectors), "json"))
    amounts = cost_model.of_body(len(text)) + cost_model.of_cases(vectors.multiplier, count)

    def work() -> object:
        document = load_json(io.BytesIO(text))
        return coverage.cover(read_document(document)) if covered else verify(document)

    if covered:
        amounts += cost_model.of_steps(vectors.multiplier, count)
    return Sample(f"{'coverage' if covered else 'verification'} {count} {model} {prime}", amounts, work)


def draft_sample() -> Sample:
    """A first core.toml for a core that is checked in."""
    (source,) = (ROOT / "rtl_bridge" / "rtl" / "r2mm_bitserial").glob("*.sv")
    arguments = ["init", "--json", "--no-includes", "--model=r2mm", "--prime=p256", "core"]

    def work() -> object:
        return command_runner.run("core", {source.name: source.read_bytes()}, arguments, 60, 1 << 30)

    return Sample("a description of r2mm_bitserial", cost_model.of_draft(), work)


def event_sample(model: str, prime: str, **settings: str) -> Sample:
    """The list of all events of a multiplier."""
    query = EventsQuery(model=model, prime=prime, pairs=[f"{name}={value}" for name, value in settings.items()])
    amounts = cost_model.of_event_list(query.multiplier)
    return Sample(f"events of {model} {prime} {settings}", amounts, lambda: catalogue.events_document(query))


def design_sample(bits: int, format: str, count: int) -> Sample:
    """A design space, asked several times, since one takes little."""
    query = DesignQuery(core="fpmm", bits=str(bits))
    one = cost_model.of_designs(DESIGN_FORMATS[format].media_type)
    amounts = Counter({name: amount * count for name, amount in one.items()})

    def work() -> None:
        for _ in range(count):
            render(designs_document(query.exploration), format)

    return Sample(f"{count} times designs of fpmm {bits} {format}", amounts, work)


def moduli_sample(bits: int, composite: str) -> Sample:
    """Directed moduli."""
    asked = ModuliQuery(bits=bits, radix="2^32", count=30, composite=composite).request

    def work() -> object:
        return catalogue.moduli_document(asked, asked.moduli())

    return Sample(f"moduli of {bits} bits {composite}", cost_model.of_moduli(asked), work)


def grade_sample(model: str, prime: str, count: int) -> Sample:
    """The grade of a set."""
    request = VectorRequest.resolve(Multiplier.resolve(model, prime, {}), count, 1, "random")
    amounts = cost_model.of_set(request) + cost_model.of_grade(request.multiplier, count)
    return Sample(f"grade of {count} {model} {prime}", amounts, lambda: grade(drawn(request)))


def waves_sample(cycles: int) -> Sample:
    """A report with a waveform, as the cycles of an idle core: nothing is found in it."""
    signal = {"name": "u_core.c_q", "width": 32, "kind": "register"}
    report = {
        "format": FORMAT, "core": "none", "model": "cios", "simulator": "none", "mode": "none", "verified": 0,
        "mismatches": 1, "cycles": 0, "signals": 1, "seed": 1, "products_per_second": 0.0, "disturbances": {},
        "first_divergence": {
            "case": 0, "a": "0x1", "b": "0x1", "cycle": 0, "signal": "C", "step": None, "expected": "0x0",
            "seen": "0x1", "replay": "limbtrace sim none",
        },
        "prime": None, "radix": None, "params": {}, "build": {}, "count": 1,
        "rows": {"columns": ["C"], "rows": [{"cycle": 0, "seen": ["0x1"], "golden": ["0x0"]}]},
        "wave_names": {"clock": "u_core.clk_i", "handshake": [], "signals": [signal]},
    }  # fmt: skip
    head = "$scope module u_core $end\n$var wire 1 ! clk_i $end\n$var reg 32 # c_q $end\n$upscope $end\n"
    body = "".join(f"#{10 * k}\n1!\nb{k * 7919:b} #\n#{10 * k + 5}\n0!\n" for k in range(2, cycles))
    waves = f"{head}$enddefinitions $end\n#0\n0!\n{body}".encode()
    files = {"report.json": dump(report).encode(), "waves": waves}

    def work() -> object:
        return command_runner.run("sent", files, ["waves", "--json", "sent/report.json", "sent/waves"], 60, 1 << 30)

    return Sample(f"a waveform of {cycles} cycles", cost_model.of_waves(len(waves)), work)


def samples() -> Iterator[Sample]:
    """Requests of all routes that compute, from a hundredth of a second to some seconds."""
    for model in ("cios", "iddmm2", "mwr2kmm"):
        for prime in ("p256", "2^1024-105", WIDE):
            for count in (1000, 8000):
                yield set_sample(model, prime, count, "random")
                yield set_sample(model, prime, count // 4, "directed")
    yield set_sample("fpmm", "p256", 5000, "directed")
    yield set_sample("cios", "p256", 20000, "random", "json")
    yield set_sample("cios", "p256", 20000, "mixed", "csv")
    yield set_sample("cios", "p256", 40000, "random", "readmemh")
    for model, prime in (("mwr2kmm", "p256"), ("iddmm2", "2^1024-105"), ("cios", WIDE), ("fpmm", "p256")):
        yield set_sample(model, prime, 2000, "mixed")
        yield set_sample(model, prime, 2000, "lazy")
    for count in (16, 200):
        yield set_sample("redundant", "2^1024-105", count, "directed")
    yield set_sample("redundant", "2^1024-105", 2000, "random")
    yield set_sample("redundant", "2^1024-105", 20, "chained")
    yield set_sample("redundant", "p256", 100, "chained")
    yield set_sample("llmonpro", "2^2048-1942289", 16, "directed")
    yield set_sample("llmonpro", "2^2048-1942289", 300, "random")
    yield set_sample("llmonpro", "p256", 500, "directed")
    yield set_sample("llmonpro", "2^1024-105", 16, "directed")
    yield set_sample("redundant", "p256", 300, "directed")
    for prime, t in (("p256", "300000"), ("2^1024-105", "100000"), (WIDE, "30000")):
        yield set_sample("vdf", prime, 1, "random", t=t)
    for prime, count, radix in (("p256", 100, "2^8"), ("p256", 500, "2^32"), ("2^1024-105", 10, "2^8")):
        yield set_sample("iddmm2", prime, count, "random", form="printed", radix=radix)
    for model, prime in (("cios", "2^1024-105"), ("iddmm2", WIDE), ("r2mm", WIDE), ("redundant", "2^1024-105")):
        yield trace_sample(model, prime)
    for core, prime, count in (
        ("iddmm_arch2", "p256", 200), ("iddmm_arch2", "2^1024-105", 20), ("fpmm", "p256", 30),
        ("fpmm", "generic128", 100),
        ("redundant", "p256", 20), ("redundant", "2^1024-105", 2),
    ):  # fmt: skip
        yield table_sample(core, prime, count)
    yield draft_sample()
    for cycles_of_waves in (1000, 200_000):
        yield waves_sample(cycles_of_waves)
    for model, prime, radix in (
        ("cios", "p256", "2^8"), ("cios", "2^1024-105", "2^32"), ("iddmm2", "2^1024-105", "2^16"),
        ("iddmm2", WIDE, "2^64"), ("mwr2kmm", "p256", "2^8"), ("llmonpro", "p256", ""), ("llmonpro", "2^1024-105", ""),
        ("redundant", "p256", ""), ("redundant", "2^1024-105", ""), ("fpmm", "p256", ""),
    ):  # fmt: skip
        yield event_sample(model, prime, **({"radix": radix} if radix else {}))
    for bits, format, count in ((256, "json", 20), (2048, "json", 20), (256, "svg", 3), (2048, "svg", 3)):
        yield design_sample(bits, format, count)
    widths = {"no": (256, 521, 1024), "yes": (1024, 4096)}
    yield from (moduli_sample(bits, composite) for composite, some in widths.items() for bits in some)
    yield from (grade_sample(*asked) for asked in GRADED)
    for steps in (False, True):
        yield fp2_sample("sike-p434", 200, steps)
    for covered in (False, True):
        yield document_sample("cios", "p256", 300 if covered else 5000, covered)
        yield document_sample("iddmm2", "2^1024-105", 50 if covered else 5000, covered)


def measured(sample: Sample) -> float:
    """The least CPU time of some rounds, that of other processes included, in seconds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = _cpu_seconds()
        sample.work()
        best = min(best, _cpu_seconds() - begin)
        if best > 1:
            break
    return best


def _cpu_seconds() -> float:
    """CPU time of this process and of those that it waited for, in seconds; `os.times` counts ticks of 10 ms."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def fitted(found: list[tuple[Sample, float]]) -> dict[str, float]:
    """Coefficients, none negative, with about the least sum of squares of the logarithms of price / time."""
    names = sorted({name for sample, _ in found for name in sample.amounts})
    amounts = np.array([[float(sample.amounts[name]) for name in names] for sample, _ in found])
    taken = np.array([seconds for _, seconds in found])
    scale = amounts.max(axis=0)
    amounts /= scale
    x = np.full(len(names), taken.mean() / len(names))
    for _ in range(ROUNDS_OF_FIT):
        prices_now = amounts @ x
        weight = 1 / np.sqrt(taken * prices_now)  # between the errors relative to the one and to the other
        columns, target = amounts * weight[:, None], taken * weight
        gram, goal = columns.T @ columns, columns.T @ target
        for k in [*range(len(names))] * 20:  # coordinate descent
            x[k] = max(0.0, x[k] + (goal[k] - gram[k] @ x) / gram[k, k])
    return {name: float(f"{value:.3g}") for name, value in zip(names, x / scale, strict=True)}


def main() -> None:
    """Measure, fit, write."""
    found: list[tuple[Sample, float]] = []
    for sample in samples():
        found.append((sample, measured(sample)))
        print(f"{found[-1][1]:8.3f} s  {sample.name}", file=sys.stderr, flush=True)
    fit = fitted(found)
    for sample, taken in found:
        price: Any = sum(fit[name] * amount for name, amount in sample.amounts.items())
        print(f"{price / taken:6.2f} of {taken:.3f} s  {sample.name}", file=sys.stderr)
    FILE.write_text(json.dumps(fit, indent=1) + "\n")


if __name__ == "__main__":
    main()
