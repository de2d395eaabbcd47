# SPDX-License-Identifier: Apache-2.0
"""Hands out the shards of a plan, and writes down how they end, until it is enough."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from limbtrace.rtl_bridge.campaign.outcome import run_shard, shrink_shard
from limbtrace.rtl_bridge.campaign.plan import Until
from limbtrace.rtl_bridge.campaign.shards import Shard, Shards
from limbtrace.rtl_bridge.campaign.state import CampaignState
from limbtrace.rtl_bridge.campaign.workers import ALLOWED, EndedTask, ShardExecutor
from limbtrace.vectors.campaigns import End

SHRUNK = 20
"""Buckets whose first product is made small."""
PATIENCE = 1.0
"""Seconds after which time and workers are looked at again where nothing ends."""
OnChange = Callable[["Coordinator"], None]
"""Is told from time to time how far a campaign is."""


@dataclass
class Coordinator:
    """A campaign that goes on from what its state says. `clock` gives seconds that only grow."""

    shards: Shards
    state: CampaignState
    workers: ShardExecutor
    told: OnChange = lambda _: None
    clock: Callable[[], float] = time.monotonic
    verified: int = field(init=False)
    """Products that agree."""
    ended: int = field(init=False)
    """Shards that have ended."""
    differing: int = field(init=False)
    aside: int = field(init=False)

    def __post_init__(self) -> None:
        sums = self.state.sums
        self.verified, self.ended, self.differing, self.aside = sums.verified, sums.shards, sums.differing, sums.aside
        self._verified_before, self._before = sums.verified, self.state.elapsed
        self._began = self.clock()
        self._failures = self.state.failures()
        self._out: dict[int, tuple[Shard, float]] = {}
        self._again: list[Shard] = []

    @property
    def until(self) -> Until:
        """When it is enough."""
        return self.shards.plan.file.until

    @property
    def elapsed(self) -> float:
        """Seconds that the campaign has taken, with those before it was resumed."""
        return self._before + self.clock() - self._began

    @property
    def since(self) -> float:
        """Seconds since it was started or resumed."""
        return self.clock() - self._began

    @property
    def fresh(self) -> int:
        """Products that agree, of those that ran since then."""
        return self.verified - self._verified_before

    def run(self) -> End:
        """Run what is left; returns why it ended. Raises ToolError without workers, or when nothing can be stored."""
        left = self._left()
        following = next(left, None)
        while True:
            enough = self._enough()
            while enough is None and (self._again or following is not None) and len(self._out) < self.workers.places:
                shard = self._again.pop() if self._again else following
                assert shard is not None
                if shard is following:
                    following = next(left, None)
                self._hand_out(shard)
            if not self._out and (enough is not None or (following is None and not self._again)):
                break
            self._take(self.workers.ended(PATIENCE))
            self.told(self)
        if enough is None and self._is_cut:
            enough = "products"
        self._shrink()
        return enough or "all"

    @property
    def _is_cut(self) -> bool:
        """True if the products of `until` are fewer than those of the plan."""
        limit, totals = self.until.products, [cell.total for cell in self.shards.cells]
        return limit is not None and (None in totals or sum(total or 0 for total in totals) > limit)

    def _left(self) -> Iterator[Shard]:
        """The shards that have not ended, in order."""
        ended = self.state.ended()
        number = next(ended, None)
        for shard in self.shards:
            if shard.number == number:
                number = next(ended, None)
            else:
                yield shard

    def _enough(self) -> End | None:
        until = self.until
        if until.differences is not None and self.differing >= until.differences:
            return "differences"
        if until.time is not None and self.elapsed >= until.time:
            return "time"
        return None

    def _hand_out(self, shard: Shard) -> None:
        self._out[shard.number] = shard, self.clock()
        self.workers.submit(shard.number, run_shard, self.shards.cells[shard.cell].task(shard, code=self.shards.code))

    def _take(self, ended: list[EndedTask]) -> None:
        """Write down what has ended, all of it at once."""
        now, done = self.clock(), []
        for number, outcome, failures in ended:
            shard, began = self._out.pop(number)
            if outcome.failed:
                self._failures[number] = failures = self._failures.get(number, 0) + failures
                if failures < ALLOWED:
                    self.state.failed(number, failures)
                    self._again.append(shard)
                    continue
            self._failures.pop(number, None)
            done.append((shard, outcome, now - began))
        self.state.record(done, self.elapsed)
        for _, outcome, _ in done:
            self.verified += outcome.verified
            self.ended += 1
            self.differing += bool(outcome.bucket)
            self.aside += bool(outcome.failed or outcome.wrong)

    def _shrink(self) -> None:
        """Make the first product of each of the first buckets small."""
        waiting = [bucket for bucket in self.state.buckets[:SHRUNK] if not bucket.tried]
        by_number = {bucket.number: bucket for bucket in waiting}
        wanted = self._found(set(by_number))
        out = 0
        while wanted or out:
            while wanted and out < self.workers.places:
                shard = wanted.pop()
                self.workers.submit(shard.number, shrink_shard, self.shards.cells[shard.cell].task(shard))
                out += 1
            for number, outcome, _ in self.workers.ended(PATIENCE):
                out -= 1
                self.state.shrunk(by_number[number], outcome.shrunk)

    def _found(self, numbers: set[int]) -> list[Shard]:
        """The shards with these numbers."""
        found: list[Shard] = []
        for shard in self.shards if numbers else ():
            if shard.number in numbers:
                found.append(shard)
            if len(found) == len(numbers):
                break
        return found
