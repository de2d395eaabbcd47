# SPDX-License-Identifier: Apache-2.0
"""The JSON document of a campaign: what ran, what differed, and what was set aside."""

from typing import Any, Literal

from limbtrace.vectors.code_coverage import CodeCoverage
from limbtrace.vectors.document import Document, Shape, member

End = Literal["all", "products", "time", "differences"]


class CampaignCell(Shape):
    """A combination of core, modulus, settings and so on."""

    title: str = member("its values, in words")
    core: str = member("name of the core")
    model: str = member("id of the model")
    shards: int = member("how many have ended", ge=0)
    verified: int = member("products that agree", ge=0)
    cycles: int = member("clock cycles that were simulated", ge=0)
    seconds: float = member("time of its workers", ge=0)
    differing: int = member("shards with a difference", ge=0)
    aside: int = member("shards that were set aside", ge=0)
    not_tried: list[str] = member(
        "what none of its shards tried, as noun phrases; empty where something differs", default=()
    )


class ShrunkProduct(Shape):
    """The smallest products found that still fail."""

    products: list[list[str]] = member("operands of each, the last one shows the fault")
    likely_cause: list[str] = member("events that every failing product makes happen and no other one")
    cause: Any = member("the same, or a set of events, as in the report of a simulation", default=None)
    events: list[str] = member("events of the last product")
    simulations: int = member(ge=0)
    replay: str = member("the command that simulates them")
    text: str = member("the same for people")


class CampaignBucket(Shape):
    """Differences that have core, signal, step, kind and observation in common."""

    core: str
    signal: str = member("the signal, without a bit or word of it")
    step: str | None = member("step of the model that stands behind it")
    kind: str = member("what it is about, as in the report of a simulation")
    observation: str | None = member("the most specific observation about the numbers")
    shards: int = member("how many shards have it as their first difference", ge=1)
    sentence: str = member("the first of them")
    replays: list[str] = member("commands that simulate the products, the first one first")
    report: dict[str, Any] = member("the report of the first, as limbtrace-report-1")
    shrunk: ShrunkProduct | None = member("null where no smaller product fails, or nobody tried")


class ShardAside(Shape):
    """A shard that no worker could run."""

    number: int = member(ge=0)
    title: str = member("its combination")
    reason: str


class CampaignCoverage(Shape):
    """Events of a model that the products made happen."""

    model: str = member("the model with its modulus and parameters")
    cases: int = member("products in which events were looked for", ge=0)
    happened: int = member("events at their places that happened", ge=0)
    places: int = member("all of them", ge=0)


class CampaignDocument(Document):
    """A campaign so far."""

    campaign: str = member("its name")
    plan: str = member("SHA-256 of the plan, the cores and the bench")
    ended: End | None = member("why it ended; null where it goes on with --resume")
    shards: int = member("how many have ended", ge=0)
    verified: int = member("products that agree", ge=0)
    cycles: int = member("clock cycles that were simulated", ge=0)
    seconds: float = member("on the clock of the wall", ge=0)
    work: float = member("time of all workers, in seconds", ge=0)
    differing: int = member("shards with a difference", ge=0)
    aside: int = member("shards that were set aside", ge=0)
    digest: str = member("SHA-256 over the outcomes of all shards: equal wherever the same shards ran")
    cells: list[CampaignCell]
    buckets: list[CampaignBucket]
    set_aside: list[ShardAside] = member("the first thousand of them")
    coverage: list[CampaignCoverage]
    code_coverage: list[CodeCoverage] = member("of every core; by --code-coverage", default=())
