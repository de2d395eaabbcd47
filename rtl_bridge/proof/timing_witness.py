# SPDX-License-Identifier: Apache-2.0
"""Two simulations whose products take different numbers of cycles: a core's time depends on data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Pair
from limbtrace.rtl_bridge.binding.bound import Bound
from limbtrace.rtl_bridge.proof.signed_terms import number_of
from limbtrace.rtl_bridge.proof.timing import Dependence, operand_name
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.rtl_bridge.run.spacing import gap
from limbtrace.rtl_bridge.shell.text import Shell

DRAWN = 256
"""Products that are drawn where the valuations show nothing."""
MOST_BEFORE = 12
"""Drawn products that are tried in front of another one."""
MOST_DIFFERENCES = 99
"""Wrong results that do not end a simulation, in which only the numbers of cycles matter."""


@dataclass(frozen=True)
class SimulatedTime:
    """The products of a simulation, and the least and the most cycles that one of them took."""

    pairs: tuple[Pair, ...]
    cycles: tuple[int, int]
    replay: str

    def shorter(self, other: "SimulatedTime") -> int:
        """The cycles of the quicker one of the two products that differ in them."""
        return min(next(pair for pair in zip(self.cycles, other.cycles, strict=True) if pair[0] != pair[1]))


def pairs_of(shell: Shell, found: Dependence) -> list[list[Pair]]:
    """The operands of both valuations: of each product, the earlier one first; empty if they are none of the core's."""
    if found.why is None:
        return []
    return [_pairs(shell, values) for values in found.why.values]


def _pairs(shell: Shell, values: Mapping[str, int]) -> list[Pair]:
    befores = (1, 0) if any("_" in name and name[:1] in "ab" for name in values if name[1:2].isdigit()) else (0,)
    pairs = []
    for before in befores:
        for number in range(len(shell.bound.starts)):
            a, b = (_operand(shell, letter, values.get(operand_name(letter, number, before), 0)) for letter in "ab")
            pairs.append((a, b))
    return pairs


def _operand(shell: Shell, letter: str, value: int) -> int:
    """The operand of a value of its variable."""
    if (signed := shell.bound.signed.get(letter)) is not None:
        return signed.integer(number_of(signed, value))
    return min(shell.part(letter, value, 0), shell.bound.limits["ab".index(letter)])


def shown_times(asked: BindRequest, shell: Shell, found: Dependence, simulator: str) -> list[SimulatedTime]:
    """Two simulations that differ in their numbers of cycles; empty if none were found. Raises ToolError."""
    bound = shell.bound
    if found.why is not None and found.why.source in ("operands", "earlier"):
        series = [_apart(bound, pairs) for pairs in pairs_of(shell, found)]
        times = [each for each in (_timed(asked, bound, pairs, simulator) for pairs in series) if each]
        if len(times) == 2 and times[0].cycles != times[1].cycles:
            return times
    return drawn_times(asked, bound, simulator)


def _apart(bound: Bound, pairs: list[Pair]) -> list[Pair]:
    """The products with the first stream so often that the bench puts none of its own in front of the last one."""
    size = len(bound.starts)
    first, last = pairs[:-size], pairs[-size:]
    times = 1
    while first and gap(times * size, bound.core.file).behind:
        times += 1
    return first * times + last


def _timed(asked: BindRequest, bound: Bound, pairs: Sequence[Pair], simulator: str) -> SimulatedTime | None:
    """A simulation of these products alone; None if the core does not take them or is not done."""
    operands = tuple(bound.operand_text(a, b) for a, b in pairs)
    try:
        run = settle(_job(asked, bound, simulator, operands=operands), like=bound)
    except ParameterError:
        return None
    took = simulate_run(run, quiet=True).tally.latencies
    replay = run.replay(len(pairs) - 1, alone=False)
    return None if took is None else SimulatedTime(tuple(pairs), (took.least, took.most), replay)


def _job(
    asked: BindRequest, bound: Bound, simulator: str, *, operands: tuple[str, ...] = (), count: int | None = None
) -> Job:
    return Job(
        **asked.model_dump(), operands=operands, count=count, simulator=simulator, keep_going=MOST_DIFFERENCES,
        stream=1 if bound.single else None,
    )  # fmt: skip


def drawn_times(asked: BindRequest, bound: Bound, simulator: str) -> list[SimulatedTime]:
    """Two simulations of drawn products that differ in their cycles: one product each, or the same behind another one.

    Empty if the products of a drawn run take one number of cycles, or none of these shows why they do not.
    """
    run = settle(_job(asked, bound, simulator, count=DRAWN), like=bound)
    took = simulate_run(run, quiet=True).tally.latencies
    if took is None or not took.differ:
        return []
    given = [(pair.a, pair.b) for pair in run.stimulus.pairs()]
    alone = [[given[took.least_case]], [given[took.most_case]]]
    behind = [_apart(bound, [before, given[0]]) for before in dict.fromkeys(given[:MOST_BEFORE])]
    for series in (alone, behind):
        first: SimulatedTime | None = None
        for pairs in series:
            now = _timed(asked, bound, pairs, simulator)
            if now is not None and first is not None and now.cycles != first.cycles:
                return [first, now]
            first = first or now
    return []


def shown_moduli(moduli: Sequence[tuple[BindRequest, Bound]], simulator: str) -> list[SimulatedTime]:
    """One product of the same operands with two moduli that differ in its cycles; empty if none differ."""
    a, b = (min(bound.limits[place] for _, bound in moduli) for place in (0, 1))
    first: SimulatedTime | None = None
    for asked, bound in moduli:
        now = _timed(asked, bound, [(a, b)] * len(bound.starts), simulator)
        if now is not None and first is not None and now.cycles != first.cycles:
            return [first, now]
        first = first or now
    return []
