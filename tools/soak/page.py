# SPDX-License-Identifier: Apache-2.0
"""docs/reference/reliability.md."""

from collections.abc import Iterator
from typing import Any

from tools.soak import hostile, ordinary
from tools.soak.tally import RIGHT

HEAD = """# Reliability

Written by `{command}`.

One server, `limbtrace serve` with its defaults and SQLite, runs for {minutes:g} minutes on a machine with {threads}
threads. {clients} ordinary clients, the attackers below and a monitor ask it at the same time on the same machine, each
client from an address of its own. A worker process is killed every {worker_pause:g} seconds; the server is killed
in the first half of the time ({kills} in all) and started again on the same database.
"""

_KINDS = """## Requests

| client | what it does | requests | what became of them |
|---|---|---:|---|"""

_FOOT = """* *answered*: with status 200, and for ordinary clients with exactly the bytes of the command line.
* *cut*: the server closed the connection, as it does with slow heads, or a killed worker did.
* *client left*: before the answer, as it meant to.
* *server away*: the server was killed during the request, or was not back yet.
* *lost*: a set whose id a client has seen that is no longer served, or with other bytes. All are asked for at the end.
* *wrong*: an answer to an ordinary client with another status or other bytes.
* *forbidden*: a 5xx other than 503 with `Retry-After`.
* *unanswered*: no answer, and no kill of the server explains it."""

_ABOUT = """Memory is proportional set size: pages that processes share are counted once. The figures of memory and
descriptors are those since the last start of the server: first after the start, highest, and after the clients had
left."""


def page(document: dict[str, Any]) -> str:
    """The page of a run."""
    return "\n".join(_lines(document)) + "\n"


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield HEAD.format_map(found)
    yield _KINDS
    about = {ordinary.CLIENT: "sets, traces, cycle tables, verdicts, the catalogue; sets again that were seen before"}
    about |= {kind.name: kind.about for kind, _ in hostile.KINDS}
    for name, text in about.items():
        outcomes = found["requests"].get(name, {})
        shown = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(outcomes.items(), key=_order))
        yield f"| {name} | {text} | {sum(outcomes.values()):,} | {shown} |"
    yield f"\n{_FOOT}\n"
    yield "## Faults\n"
    yield "| fault | number |\n|---|---:|"
    for name, number in found["faults"].items():
        yield f"| {name} | {number:,} |"
    yield f"| processes left after the end of their server | {found['processes_left']} |"
    sets = found["sets"]
    yield f"\nSets seen: {sets['seen']:,}; asked for again at the end: {sets['checked']:,}.\n"
    yield "## Times\n"
    yield "| | requests | p50, ms | p99, ms | longest, ms |\n|---|---:|---:|---:|---:|"
    for name, title in (("healthz", "`/healthz`"), ("ordinary", "ordinary requests")):
        times = found[name]
        yield f"| {title} | {times['asked']:,} | {times['p50_ms']:,} | {times['p99_ms']:,} | {times['max_ms']:,} |"
    yield f"\nAfter SIGTERM, all processes had ended within {found['end_seconds']:.1f} s.\n"
    yield "## Memory, descriptors and log\n"
    yield "| | begin | highest | end |\n|---|---:|---:|---:|"
    for name, title in (("server", "memory of the server, MB"), ("all", "memory of all its processes, MB")):
        sizes = found["memory"][name]
        yield f"| {title} | {' | '.join(f'{size / 1e6:,.0f}' for size in sizes.values())} |"
    yield f"| descriptors of the server | {' | '.join(map(str, found['descriptors'].values()))} |"
    yield f"\n{_ABOUT}\n"
    log = found["log"]
    yield f"Standard error: {log['bytes']:,} bytes, {log['levels'].get('error', 0):,} errors, "
    yield f"{sum(log['tracebacks'].values()):,} of them with a traceback."


def _order(outcome: tuple[str, int]) -> tuple[bool, str]:
    return outcome[0] != RIGHT, outcome[0]
