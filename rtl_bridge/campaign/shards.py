# SPDX-License-Identifier: Apache-2.0
"""The shards of a plan: pieces of a few seconds, in an order and with names that are the same on every machine."""

import hashlib
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.expressions import parse_integer
from limbtrace.rtl_bridge.campaign.plan import CampaignPlan, ChainPieces, PlanCell
from limbtrace.rtl_bridge.code_coverage.counted import OPTION, check_countable
from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.run.fingerprint import contents
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.vectors.coverage import is_watched
from limbtrace.vectors.encoding import FORMAT, digest, dump
from limbtrace.vectors.request import CHAINED, EXHAUSTIVE, Multiplier

COUNT = 1000
"""Products of a seed where a plan does not say it."""
SECONDS = 4
"""About how long a shard takes where a plan does not say how many products it has."""
RATES = {
    ("lockstep", "verilator"): 200_000, ("lockstep", "icarus"): 20_000,
    ("bulk", "verilator"): 800_000, ("bulk", "icarus"): 50_000,
    ("fast", "verilator"): 5_000_000,
}  # fmt: skip
"""Clock cycles that a mode simulates in a second, roughly, for the size of shards; never measured, so that the same
plan has the same shards everywhere."""
LEAST, MOST = 16, 1 << 20
"""Products of a shard where a plan does not say it."""


@dataclass(frozen=True)
class Shard:
    """Products of a cell, from case `first` of a seed on."""

    number: int
    """Its place in the order of the plan."""
    cell: int
    seed: int
    first: int
    products: int
    operand: str
    """First operand of a piece of a chain; empty if operands are drawn."""
    id: str
    """SHA-256 of all that determines its outcome, the first 32 digits."""


class ShardRange(NamedTuple):
    """A shard without its place and its name."""

    seed: int
    first: int
    products: int
    operand: str = ""


@dataclass(frozen=True)
class SettledCell:
    """A cell whose core was bound: what is the same in all its shards."""

    cell: PlanCell
    job: Job
    """The job of a shard, without seed, products and operand."""
    multiplier: Multiplier
    core: str
    model: str
    products: int
    """Those of a seed."""
    size: int
    """Products of a shard."""
    content: str
    """All inputs of the outcome of its shards except seed and products, as one line of JSON."""
    contents: str
    """SHA-256 of the core, its description and the bench."""
    counted: bool
    """True if events are counted."""
    hardware: str
    """SHA-256 of the core and its RTL parameters."""
    uncountable: str
    """Reason why its code coverage cannot be counted; empty if it can."""

    @classmethod
    def settle(cls, cell: PlanCell) -> "SettledCell":
        """Bind the core of a cell. Raises ParameterError, ToolError."""
        matrix, job = cell.matrix, _piece_of(cell)
        count = COUNT if job.count is None and job.kind != EXHAUSTIVE and not job.operands else job.count
        run = settle(job.model_copy(update={"count": count, "seed": next(matrix.seeds)}))
        bound, asked = run.bound, run.job
        products = asked.cases if matrix.chain is None else matrix.chain.pieces
        content = {
            "format": FORMAT,
            "core": bound.core.file.name,
            "contents": _digest(run),
            "multiplier": bound.multiplier.identity,
            "settings": {name: str(value) for name, value in sorted(bound.settings.items())},
            "build": dict(sorted(bound.parameters.items())),
            "stream": len(bound.starts),
            **{name: getattr(asked, name) for name in ("kind", "disturb", "mode", "simulator", "every_cycle")},
        }
        return cls(
            cell=cell,
            job=job,
            multiplier=bound.multiplier,
            core=bound.core.file.name,
            model=bound.multiplier.model.id,
            products=products,
            size=_size(run, matrix.shard, products),
            content=dump(content),
            contents=content["contents"],
            counted=matrix.coverage and is_watched(bound.multiplier),
            hardware=digest(dump([content["contents"], content["build"]])),
            uncountable=_uncountable(run),
        )

    def pieces(self) -> Iterator[ShardRange]:
        """Each shard in turn."""
        if self.cell.matrix.chain is not None:
            yield from self._links(self.cell.matrix.chain)
            return
        for seed in self.cell.matrix.seeds:
            for first in range(0, self.products, self.size):
                yield ShardRange(seed, first, min(self.size, self.products - first))

    def _links(self, chain: ChainPieces) -> Iterator[ShardRange]:
        """Some pieces of a chain in turn."""
        value = chain.start
        for first in range(0, self.products, self.size):
            count = min(self.size, self.products - first)
            yield ShardRange(1, first, count, f"{value:#x}")
            *_, value = self._values(value, count + 1)

    def _values(self, start: int, count: int) -> Iterator[int]:
        """First operands of `count` pieces, by the closed form, beginning with `start`."""
        m = self.multiplier
        assert m.model.chain is not None
        length = m.model.chain.length(m.params)
        yield start
        for end in m.model.chain.powers(m.params, start, range(length, length * count, length)):
            yield m.residue(int(end))

    def shard(self, number: int, piece: ShardRange) -> Shard:
        """The shard with its name."""
        name = digest("|".join([self.content, *map(str, piece)]))[:32]
        return Shard(number, self.cell.number, *piece, name)

    @property
    def total(self) -> int | None:
        """Products of all seeds; None if the seeds are endless."""
        if self.cell.matrix.is_endless:
            return None
        return self.products * sum(1 + (entry.last or 0) - entry.first for entry in self.cell.matrix.seed)

    def task(self, shard: Shard, *, code: bool = False) -> dict[str, Any]:
        """The message that describes a shard to a worker; `code`: code coverage is counted, if possible."""
        first, asked = shard.first, dict[str, Any](seed=shard.seed, count=shard.first + shard.products)
        if shard.operand:
            values = self._values(int(shard.operand, 16), shard.products)
            first, asked = 0, {"operands": tuple(f"{value:#x}" for value in values)}
        return {
            "job": self.job.model_copy(update=asked).model_dump(mode="json"),
            "first": first,
            "id": shard.id,
            "contents": self.contents,
            "counted": self.counted,
            "code": code and not self.uncountable,
        }


def _piece_of(cell: PlanCell) -> Job:
    """The job of a cell; for a chain that of its first piece. Raises ParameterError."""
    job, chain = cell.job, cell.matrix.chain
    if chain is None:
        return job
    model = registry.model(find(job.core).file.model)
    if model.chain is None:
        raise ParameterError("chain", f"{model.id} is one product and no chain")
    name = model.chain.parameter
    if name not in job.settings:
        raise ParameterError("chain", f"settings say no {name}, which is the length of the chain")
    length = parse_integer(job.settings[name], name)
    if length < chain.pieces or length % chain.pieces:
        raise ParameterError("chain", f"{name} is {shown(length)}, which is no multiple of {chain.pieces} pieces")
    settings = {**job.settings, name: length // chain.pieces}
    return job.model_copy(update={"settings": settings, "operands": (f"{chain.start:#x}",), "count": None})


def _uncountable(run: Run) -> str:
    try:
        check_countable(run.bound, run.job.simulator)
    except ParameterError as error:
        return error.reason
    return ""


def _digest(run: Run) -> str:
    """SHA-256 of what a run is of."""
    key = hashlib.sha256()
    for name, content in contents(run.shell):
        key.update(f"{name}\0{len(content)}\0".encode() + content)
    return key.hexdigest()


def check_contents(run: Run, wanted: str) -> None:
    """Raises ParameterError where the core is not what it was when the campaign began."""
    if _digest(run) != wanted:
        name = run.bound.core.file.name
        raise ParameterError("core", f"{name} has changed since the campaign began, or is another one on this machine")


def _size(run: Run, asked: int | None, products: int) -> int:
    """Products of a shard, whole streams of them."""
    if run.job.kind == CHAINED:  # each product follows from those before
        return products
    stream = run.stimulus.size
    if asked is None:
        plan = run.bound.plan
        cycles = (run.bound.limit if plan is None else plan.cycles) / stream
        rate = RATES.get((run.job.mode, run.job.simulator), min(RATES.values()))
        asked = min(max(int(SECONDS * rate / cycles), LEAST), MOST)
    return min(-(-asked // stream) * stream, products)


class Shards:
    """The shards of a plan, in order; nothing is kept of those that are past."""

    def __init__(self, plan: CampaignPlan, cells: Sequence[SettledCell], *, code: bool = False) -> None:
        self.plan, self.cells = plan, cells
        self.code = code
        """True if code coverage is counted in all shards in which it can be."""

    @classmethod
    def of(cls, plan: CampaignPlan, *, code: bool = False) -> "Shards":
        """Settle every cell; `code` as above.

        Raises ParameterError("plan") that names the combination, ParameterError where no code is counted, ToolError.
        """
        settled = []
        for cell in plan.cells:
            try:
                settled.append(SettledCell.settle(cell))
            except ParameterError as error:
                sentence = f"{cell.place}: {cell.axes.title}: {error}"
                raise plan.error(f"{sentence}; exclude leaves a combination out") from None
        if code and all(cell.uncountable for cell in settled):
            raise ParameterError(OPTION, settled[0].uncountable)
        return cls(plan, settled, code=code)

    def __iter__(self) -> Iterator[Shard]:
        """Every shard, up to the one that completes the products of `until`.

        Cells take turns by weight: the next shard is of the cell that is least far for its weight.
        """
        limit, planned = self.plan.file.until.products, 0
        feeds = [cell.pieces() for cell in self.cells]
        turns = [(Fraction(0), at) for at in range(len(feeds))]
        done = [0] * len(feeds)
        number = 0
        while turns and (limit is None or planned < limit):
            _, at = turns[0]
            piece = next(feeds[at], None)
            if piece is None:
                heapq.heappop(turns)
                continue
            done[at] += 1
            heapq.heapreplace(turns, (Fraction(done[at], self.cells[at].cell.matrix.weight), at))
            yield self.cells[at].shard(number, piece)
            number += 1
            planned += piece.products

    @property
    def total(self) -> int | None:
        """About how many products they have together; None where `until` says no number and seeds go on for ever."""
        totals = [cell.total for cell in self.cells]
        limits = [self.plan.file.until.products, None if None in totals else sum(total or 0 for total in totals)]
        return min((limit for limit in limits if limit is not None), default=None)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that determines the shards: the plan, and what each cell is of."""
        return digest("\n".join([self.plan.digest, *(f"{cell.content}|{cell.size}" for cell in self.cells)]))

    @cached_property
    def parts(self) -> dict[str, str]:
        """SHA-256 of the plan, and of each core with its description and its bench, by what they are called."""
        contents: dict[str, list[str]] = {}
        for cell in self.cells:
            contents.setdefault(f"core {cell.core}", []).append(cell.contents)
        return {"the plan": self.plan.digest, **{name: digest("\n".join(own)) for name, own in contents.items()}}
