# SPDX-License-Identifier: Apache-2.0
"""`./run soak`: the service under load, attack and kills; writes docs/reference/reliability.md."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.files import write_file
from tools.demo import say
from tools.soak import hostile
from tools.soak.ordinary import Ordinary, Seen, connected, fixed, new_set, seen_again
from tools.soak.page import page
from tools.soak.pulse import TIMEOUT_SECONDS
from tools.soak.server import Server
from tools.soak.tally import FAULTS, Tally, quantiles

TOP = Path(__file__).resolve().parents[2]
OUTPUT = TOP / "docs" / "reference" / "reliability.md"
SERVE = ("limbtrace", "serve")
_NICE = 10
"""Clients share the processors with the server; the monitor and the server come first."""
_SETTLE_SECONDS = 3.0
_CHECKERS = 8


@dataclass(frozen=True)
class Plan:
    """The plan of a soak."""

    minutes: float
    seed: int = 1
    clients: int = 100
    worker_pause: float = 10.0
    """Seconds between kills of workers."""
    attacks: bool = True
    """True if there are hostile clients."""

    @property
    def kills(self) -> int:
        """Number of times that the server is killed."""
        return max(1, round(self.minutes / 2))


class Sizes:
    """Memory and descriptors of the running server: first, highest, last."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.taken: list[dict[str, int]] = []

    def run(self, done: threading.Event) -> None:
        """Look every second."""
        while not done.wait(1):
            self.take()

    def take(self) -> None:
        if sizes := self._server.sizes():
            self.taken.append(sizes)

    def of(self, name: str) -> dict[str, int]:
        """Figures since the last start."""
        values = [sizes[name] for sizes in self.taken] or [0]
        return {"begin": values[0], "highest": max(values), "end": values[-1]}


class Monitor:
    """Asks /healthz from a process of its own."""

    def __init__(self, port: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tools.soak.pulse", str(port)],
            cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self._lines += self._process.stdout

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(TIMEOUT_SECONDS + 5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def figures(self, tally: Tally) -> dict[str, Any]:
        """Quantiles; those without an answer become faults unless the server was away."""
        times = []
        for begin, seconds, status in (map(float, line.split()) for line in self._lines):
            if tally.disturbed(begin, begin + seconds):
                continue
            if status != 200:
                tally.blame("unanswered", f"/healthz after {seconds:.1f} s: status {status:g}")
            else:
                times.append(seconds)
        return {"asked": len(times), **quantiles(times)}


def soak(plan: Plan, command: Sequence[str] = SERVE) -> dict[str, Any]:
    """Run it; returns the figures. `command` starts the server. Raises ToolError if that does not start."""
    asks = fixed()
    tally, seen = Tally(), Seen()
    with tempfile.TemporaryDirectory(prefix="limbtrace-soak-") as folder:
        server = Server(command, Path(folder))
        sizes = Sizes(server)
        try:
            server.start()
            _warm_up(server.url, plan.seed)
            sizes.take()
            monitor = Monitor(server.port)
            try:
                attackers = [*hostile.clients(server.port, plan.seed, tally)] if plan.attacks else []
                regulars = [Ordinary(server.url, k, plan.seed, asks, seen, tally) for k in range(plan.clients)]
                with _threads([*regulars, *attackers], sizes):
                    _disturb(plan, server, tally, sizes)
            finally:
                monitor.close()
            time.sleep(_SETTLE_SECONDS)
            sizes.take()
            say(f"asking again for {len(seen.order):,} sets")
            checked = _check(server.url, seen, tally)
            log = server.log()
        finally:
            server.stop()
    healthz = monitor.figures(tally)
    document: dict[str, Any] = {
        "minutes": plan.minutes,
        "seed": plan.seed,
        "clients": plan.clients,
        "threads": os.cpu_count(),
        "kills": plan.kills,
        "worker_pause": plan.worker_pause,
        "requests": {name: dict(sorted(outcomes.items())) for name, outcomes in sorted(tally.outcomes.items())},
        "refused": dict(sorted(tally.refusals.items())),
        "faults": {name: tally.faults[name] for name in FAULTS},
        "examples": tally.shown,
        "sets": {"seen": len(seen.order), "checked": checked},
        "healthz": healthz,
        "ordinary": {"asked": len(tally.seconds), **quantiles(tally.seconds)},
        "memory": {name: sizes.of(name) for name in ("server", "all")},
        "descriptors": sizes.of("descriptors"),
        "processes_left": server.left,
        "end_seconds": round(server.end_seconds, 2),
        "log": log,
    }
    return {**document, "passed": not (server.left or any(document["faults"].values()))}


def _warm_up(url: str, seed: int) -> None:
    """The first requests, which load what all need."""
    rng = random.Random(f"{seed} first")
    with connected(url, "127.0.0.1") as client:
        for _ in range(20):
            client.get(new_set(rng).path)


@contextmanager
def _threads(clients: Sequence[Any], sizes: Sizes) -> Iterator[None]:
    """All clients at work."""
    done, measured = threading.Event(), threading.Event()
    failures: list[Exception] = []

    def work(client: Any) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        try:
            client.run(done)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=[client], daemon=True) for client in clients]
    threads.append(threading.Thread(target=sizes.run, args=[measured], daemon=True))
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads[:-1]:
            thread.join()
        measured.set()
        threads[-1].join()
    if failures:  # of the client, not of the server
        raise failures[0]


def _disturb(plan: Plan, server: Server, tally: Tally, sizes: Sizes) -> None:
    """Kill workers and the server until the time is over. Raises ToolError."""
    rng = random.Random(f"{plan.seed} kills")
    begin, seconds = time.monotonic(), 60 * plan.minutes
    plans = [(seconds / 2 * (k + 1) / (plan.kills + 1), True) for k in range(plan.kills)]
    plans += [(plan.worker_pause * (k + 1), False) for k in range(int(seconds / plan.worker_pause))]
    for when, whole in sorted(plans):
        time.sleep(max(0.0, begin + when - time.monotonic()))
        if whole:
            with tally.down():
                server.kill()
                server.start()
            sizes.taken.clear()
            sizes.take()
        else:
            server.kill_worker(rng.randrange(1 << 20))
        answered = sum(outcomes.total() for outcomes in [*tally.outcomes.values()])
        what = "server" if whole else "worker"
        say(f"{when:.0f} of {seconds:.0f} s: {what} killed; {answered:,} requests, faults {dict(+tally.faults)}")
    time.sleep(max(0.0, begin + seconds - time.monotonic()))


def _check(url: str, seen: Seen, tally: Tally) -> int:
    """Ask for all sets that were seen; returns how many were answered."""

    def ask(part: int) -> int:
        answered = 0
        with connected(url, f"127.0.0.{2 + part}") as client:
            for name in seen.order[part::_CHECKERS]:
                for _ in range(10):
                    outcome = seen_again(client, name, seen, tally)
                    if not outcome.startswith("503"):
                        answered += 1
                        break
                    time.sleep(0.5)
                else:
                    tally.blame("unanswered", f"/v1/sets/{name} is refused for 5 seconds although nobody else asks")
        return answered

    with ThreadPoolExecutor(_CHECKERS) as pool:
        return sum(pool.map(ask, range(_CHECKERS)))


def arguments() -> argparse.Namespace:
    """The arguments, checked."""
    parser = argparse.ArgumentParser(prog="./run soak", description="The service under load, attack and kills.")
    parser.add_argument("--minutes", type=float, default=15, metavar="N", help="how long (default: 15)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="chooses the requests (default: 1)")
    parser.add_argument("--clients", type=int, default=100, metavar="N", help="ordinary clients (default: 100)")
    parser.add_argument(
        "--output", type=Path, default=OUTPUT, metavar="FILE", help="default: docs/reference/reliability.md"
    )
    asked = parser.parse_args()
    if not 0 < asked.minutes <= 1440:
        parser.error(f"argument --minutes: {asked.minutes:g} is outside 0 to 1440")
    if not 1 <= asked.clients <= 1000:
        parser.error(f"argument --clients: {asked.clients} is outside 1 to 1000")
    if not os.access(asked.output.absolute().parent, os.W_OK):
        parser.error(f"argument --output: {asked.output} cannot be written")
    return asked


def main() -> int:
    """Run the soak and write the page; returns the exit code."""
    asked = arguments()
    try:
        found = soak(Plan(asked.minutes, asked.seed, asked.clients))
        document = {"command": " ".join(["./run soak", *sys.argv[1:]]), **found}
        write_file(asked.output, [page(document).encode()])
    except (ToolError, OSError) as error:
        say(f"soak: {error}")
        return 3
    except KeyboardInterrupt:
        say("soak: interrupted; nothing was written")
        return 130
    for example in (*found["examples"], *found["log"]["tracebacks"]):
        say(example)
    print(json.dumps(document))
    return 0 if found["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
