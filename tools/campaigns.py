# SPDX-License-Identifier: Apache-2.0
"""`python -m tools.campaigns`: campaigns with many workers, many shards and kills.

Writes a table of docs/reference/campaigns.md.

* efficiency: one plan with one local worker on one processor, and with as many as there are processors;
* kills: a Dask cluster of processes of which one is killed every few seconds, until so many were;
* farm: the real plan, coordinator and database with workers that only wait, on a clock of their own, as long as shards
  took in the first part.
"""

import argparse
import heapq
import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from limbtrace.rtl_bridge.campaign.coordinator import Coordinator
from limbtrace.rtl_bridge.campaign.outcome import Outcome
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan
from limbtrace.rtl_bridge.campaign.run import run_campaign
from limbtrace.rtl_bridge.campaign.shards import Shards
from limbtrace.rtl_bridge.campaign.state import CampaignState
from limbtrace.rtl_bridge.campaign.workers import EndedTask, ShardExecutor, Work
from limbtrace.vectors.files import write_file

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "campaigns.md"
BEGIN, END = "<!-- measured: python -m tools.campaigns -->", "<!-- end of measured -->"
PLAN = """
[[matrix]]
core = ["iddmm_arch2", "r2mm_bitserial"]
prime = "p256.fp"
mode = "fast"
count = "10^6"
seed = "1.."
coverage = false
"""
SHORT = PLAN + "shard = 3000\n"
"""`PLAN` in shards that take little longer than the start of a simulator, so that as many as possible end."""
EVERY = 3
"""Seconds between kills."""
SEED = 1


def planned(folder: Path, plan: str = PLAN, **until: int) -> Shards:
    path = folder / "plan.toml"
    path.write_text(plan)
    return Shards.of(CampaignPlan.load(path, {name: str(value) for name, value in until.items()}))


def first(shards: Shards, count: int) -> int:
    """Products of the first shards of a plan."""
    return sum(shard.products for shard, _ in zip(shards, range(count), strict=False))


def efficiency(folder: Path, count: int) -> tuple[dict[str, Any], list[float]]:
    """Both rates, and how long each shard took."""
    processors = os.sched_getaffinity(0)
    many = len(processors)
    products = first(planned(folder, products=1 << 50), count)
    shards = planned(folder, products=products)
    warm = planned(folder, products=first(planned(folder, products=1 << 50), 2))
    run_campaign(warm, folder / "warm", workers=1)  # builds the models
    seconds = {}
    for workers in (1, many):
        # A worker has more than one thread: without this one worker would take half of the processor of another one.
        os.sched_setaffinity(0, sorted(processors)[:workers])
        began = time.monotonic()
        summary = run_campaign(shards, folder / f"state-{workers}", workers=workers)
        seconds[workers] = time.monotonic() - began
        assert summary.passed, summary.text()
    with closing(sqlite3.connect(folder / "state-1")) as database, database:
        times = [float(row[0]) for row in database.execute("SELECT seconds FROM shard ORDER BY number")]
    ratio = seconds[1] / seconds[many]
    return {
        "workers": many,
        "shards": count,
        "seconds_1": round(seconds[1], 1),
        f"seconds_{many}": round(seconds[many], 1),
        "of_linear": round(ratio / many, 3),
    }, times


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, Callable[[], int]]]:
    """(address, a function that kills a worker and starts another one; it returns how many it has killed)"""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    scheduler = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert scheduler.stderr is not None
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
    reader = threading.Thread(target=scheduler.stderr.read, daemon=True)
    reader.start()
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard", "--no-nanny",
              "--nthreads", "1", "--death-timeout", "60"]  # fmt: skip
    running = [subprocess.Popen(worker, **quiet) for _ in range(workers)]  # type: ignore[call-overload]
    chosen, killed = random.Random(SEED), 0

    def kill() -> int:
        nonlocal killed
        at = chosen.randrange(len(running))
        running[at].send_signal(signal.SIGKILL)
        running[at].wait()
        running[at] = subprocess.Popen(worker, **quiet)  # type: ignore[call-overload]
        killed += 1
        return killed

    try:
        yield address, kill
    finally:
        for process in (*running, scheduler):
            process.kill()
            process.wait()
        reader.join()
        scheduler.stderr.close()


def kills(folder: Path, count: int, workers: int) -> dict[str, Any]:
    """A campaign whose workers are killed so often, and whose coordinator is killed every tenth time."""
    shards = planned(folder, SHORT, products=1 << 50)
    state = folder / "killed"
    coordinator, program = 0, str(Path(sys.executable).parent / "limbtrace")
    with cluster(workers) as (address, kill):
        words = [program, "campaign", str(folder / "plan.toml"), "--state", str(state), "--scheduler", address]
        words += ["--until", f"products={1 << 50}"]

        def started(*more: str) -> "subprocess.Popen[bytes]":
            return subprocess.Popen([*words, *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        process = started()
        killed = 0
        while killed < count:
            time.sleep(EVERY)
            killed = kill()
            if killed % 10 == 0 or process.poll() is not None:
                process.kill()
                process.wait()
                coordinator += 1
                process = started("--resume")
            print(f"limbtrace: {killed} of {count} kills", file=sys.stderr, flush=True)
        process.kill()
        process.wait()
        with CampaignState.open(state, shards.digest, resume=True) as kept:
            done, ended, aside = kept.sums.shards, list(kept.ended()), kept.sums.aside
            verified = kept.sums.verified
        products = first(shards, max(ended) + 1)
        whole = run_campaign(planned(folder, SHORT, products=products), state, resume=True, again=True, workers=workers)
    with closing(sqlite3.connect(state)) as database, database:
        numbers = [row[0] for row in database.execute("SELECT number FROM shard ORDER BY number")]
    return {
        "workers_killed": killed,
        "coordinators_killed": coordinator,
        "shards": len(numbers),
        "shards_while_killing": done,
        "products_while_killing": verified,
        "lost": len(set(range(len(numbers))) - set(numbers)) + (products - whole.document["verified"]),
        "doubled": len(numbers) - len(set(numbers)),
        "set_aside": aside,
    }


class Waiting(ShardExecutor):
    """ShardExecutor that only take time, on a clock that jumps to the next one that is done."""

    def __init__(self, places: int, times: Sequence[float]) -> None:
        self._places, self._times, self._chosen = places, times, random.Random(SEED)
        self._out: list[tuple[float, int, int]] = []
        self.now = 0.0

    @property
    def places(self) -> int:
        return self._places

    def submit(self, number: int, work: Work, task: Mapping[str, Any]) -> None:
        products = task["job"]["count"] - task["first"]
        json.dumps(task)  # as it travels
        heapq.heappush(self._out, (self.now + self._chosen.choice(self._times), number, products))

    def ended(self, seconds: float) -> list[EndedTask]:
        self.now, number, products = heapq.heappop(self._out)
        return [EndedTask(number, Outcome(verified=products, cycles=products, digest=f"{number:064x}"))]

    def close(self) -> None:
        self._out = []


def farm(folder: Path, shards: int, workers: int, times: Sequence[float]) -> dict[str, Any]:
    """Shards that the coordinator hands out and writes down, and its memory after a tenth and at the end."""
    asked = planned(folder, products=1 << 50)
    memory: list[int] = []

    class EnoughError(Exception):
        pass

    def told(coordinator: Coordinator) -> None:
        if coordinator.ended in (shards // 10, shards):
            memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        if coordinator.ended == shards:
            raise EnoughError

    waiting = Waiting(workers, times)
    began = time.monotonic()
    with CampaignState.open(folder / "farm", asked.digest, resume=False) as state, suppress(EnoughError):
        Coordinator(asked, state, waiting, told, clock=lambda: waiting.now).run()
    seconds = time.monotonic() - began
    return {
        "workers": workers,
        "shards": shards,
        "shards_per_second": round(shards / seconds),
        "shards_per_second_of_the_farm": round(shards / waiting.now, 1),
        "megabytes_after_a_tenth": memory[0],
        "megabytes_at_the_end": memory[-1],
        "megabytes_of_the_state": (folder / "farm").stat().st_size >> 20,
    }


def table(found: Mapping[str, Mapping[str, Any]], before: str) -> str:
    """All that was measured, for the page; parts that were not measured this time as they stood before."""
    parts: dict[str, list[str]] = {}
    for line in before.splitlines():
        if line.startswith("| ") and not line.startswith("| part "):
            parts.setdefault(line.split("|")[1].strip(), []).append(line)
    for part, of in found.items():
        parts[part] = [f"| {part} | {name.replace('_', ' ')} | {value:,} |" for name, value in of.items()]
    return "\n".join(["| part | what | |", "|---|---|---:|", *(line for lines in parts.values() for line in lines), ""])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=int, default=24, help="of the efficiency")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--farm", type=int, default=1_000_000, help="shards of the farm")
    parser.add_argument("--workers", type=int, default=1000, help="workers of the farm")
    parser.add_argument("--only", choices=("efficiency", "farm", "kills"), help="one part alone")
    parser.add_argument("--keep", action="store_true", help="write what was measured into the page")
    asked = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    times: Sequence[float] = (4.0,)
    with tempfile.TemporaryDirectory(prefix="limbtrace-") as folder:
        work = Path(folder)
        if asked.only in (None, "efficiency"):
            found["efficiency"], times = efficiency(work, asked.shards)
        if asked.only in (None, "farm"):
            found["farm"] = farm(work, asked.farm, asked.workers, times)
        if asked.only in (None, "kills"):
            found["kills"] = kills(work, asked.kills, 2 * len(os.sched_getaffinity(0)))
    print(json.dumps(found, indent=2))
    if asked.keep:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        kept, _, after = rest.partition(END)
        write_file(PAGE, [f"{before}{BEGIN}\n\n{table(found, kept)}\n{END}{after}".encode()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
