# SPDX-License-Identifier: Apache-2.0
"""A cycle table as samples in time, for netlists with delays: when to look at a signal, and what it has to be."""

from collections.abc import Iterator
from heapq import merge

from limbtrace.vectors.cycles.request import CycleRequest

NAMES = ("time", "cycle", "signal", "width", "value")


def samples(request: CycleRequest) -> Iterator[str]:
    """Lines of NAMES, in the order of their times, which are in picoseconds.

    A combinational signal is sampled a picosecond before the edge that ends its cycle, and a register, which changes
    with that edge, a picosecond before the next one: delays up to a clock period do not matter.
    """
    width = len(request.columns)
    late = [k for k in range(width) if request.columns[k].kind == "register"]
    early = [k for k in range(width) if request.columns[k].kind != "register"]
    return (line for _, line in merge(_of(request, early, 1), _of(request, late, 2), key=lambda entry: entry[0]))


def _of(request: CycleRequest, wanted: list[int], cycles: int) -> Iterator[tuple[int, str]]:
    """(time, line) of some columns, which hold so many cycles after the edge at which theirs begins."""
    columns, clock = request.columns, request.clock
    for number, row in enumerate(request.rows()):
        time = clock.edge + (number + cycles) * clock.period - 1
        for k in wanted:
            if (value := row[k]) is not None:
                name, width = columns[k].name, columns[k].width
                yield time, f"{time},{request.first_cycle + number},{name},{width},{value:#x}"
