# SPDX-License-Identifier: Apache-2.0
"""Summary of a campaign: as JSON, as text for people, as JUnit, and the events that its products made happen."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast
from xml.sax.saxutils import escape, quoteattr

from limbtrace.refmodels.errors import printable
from limbtrace.rtl_bridge.campaign.code import counted_code
from limbtrace.rtl_bridge.campaign.shards import SettledCell, Shards
from limbtrace.rtl_bridge.campaign.state import Bucket, CampaignState, Sums
from limbtrace.rtl_bridge.code_coverage.counted import CountedCode
from limbtrace.rtl_bridge.code_coverage.results import coverage_document, coverage_text
from limbtrace.rtl_bridge.run.not_tried import few_products, other_simulators
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.vectors.campaigns import (
    CampaignBucket,
    CampaignCell,
    CampaignCoverage,
    CampaignDocument,
    End,
    ShardAside,
    ShrunkProduct,
)
from limbtrace.vectors.coverage import CoverageDocument
from limbtrace.vectors.document import members
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.report.document import NO_REPLAY
from limbtrace.vectors.request import EXHAUSTIVE
from limbtrace.vectors.validation import document_multiplier

ENDED = {
    "all": "every shard has run",
    "products": "reached the limit `until.products`",
    "time": "the time of until is over",
    "differences": "the differences of until were found",
    None: "not ended; --resume goes on",
}
"""Reason for the end of a campaign, in words."""


class NotTried(NamedTuple):
    """The circumstances that some combinations of a core did not try."""

    title: str
    """The core, and how many of its combinations."""
    phrases: tuple[str, ...]


class Summary:
    """A campaign as its state has it now."""

    def __init__(self, shards: Shards, ended: End | None, state: CampaignState) -> None:
        self.ended = ended
        self.covered = [_covered(*entry) for entry in state.coverage]
        """A CoverageDocument of every model, which `limbtrace cover` takes."""
        self.code = counted_code(shards, state)
        """Code coverage of every core, by a name for its folder."""
        self.sums = state.cells
        """Sums by the number of a cell, of those of which a shard has ended."""
        self.aside_of = {cell: reason for _, cell, reason in reversed(state.aside)}
        """Reason why the first shard of a cell was set aside, by the number of the cell."""
        self.untried = state.untried()
        """By the number of a cell in which nothing differs the circumstances that none of its shards tried."""
        self.document = _document(shards, ended, state, self.covered, self.code)
        """A CampaignDocument."""

    @property
    def not_tried(self) -> list["NotTried"]:
        """Lists of what combinations without a difference did not try; equal ones of a core are one."""
        cells = self.document["cells"]
        number: dict[tuple[str, tuple[str, ...]], int] = {}
        for cell in cells:
            if phrases := tuple(cell.get("not_tried", ())):
                number[cell["core"], phrases] = number.get((cell["core"], phrases), 0) + 1
        of = Counter(cell["core"] for cell in cells)
        return [
            NotTried(core if n == of[core] else f"{core} in {n} of {_count(of[core], 'combination')}", phrases)
            for (core, phrases), n in number.items()
        ]

    @property
    def passed(self) -> bool:
        """True if every product agrees, and every shard ran."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """0 all agree; 1 something differs; 3 a tool failed, and nothing differs."""
        return 1 if self.document["differing"] else 3 if self.document["aside"] else 0

    def text(self) -> str:
        """The campaign for people."""
        d = self.document
        cells = d["cells"]
        rate = d["verified"] / d["seconds"] if d["seconds"] else 0
        lines = [
            f"{d['campaign']}: {_count(d['verified'], 'product')} agree{'s' * (d['verified'] == 1)}, "
            f"{_count(d['cycles'], 'cycle')}, in {_count(d['shards'], 'shard')} of "
            f"{_count(len(cells), 'combination')}, {d['seconds']:.1f} s, {rate:.0f} products/s",
            f"ended: {ENDED[d['ended']]}",
        ]
        for code in d.get("code_coverage", []):
            lines += coverage_text(code).splitlines()
        lines += [f"events of {c['model']}: {c['happened']} of {c['places']} places" for c in d["coverage"]]
        for bucket in d["buckets"]:
            lines += ["", f"{bucket['shards']} shard{'' if bucket['shards'] == 1 else 's'} of {bucket['core']}: "
                      f"{bucket['sentence']}", f"replay: {(bucket['replays'] or [NO_REPLAY])[0]}"]  # fmt: skip
            lines += [bucket["shrunk"]["text"].rstrip()] if bucket["shrunk"] else []
        lines += [f"not tried by {untried.title}: {', '.join(untried.phrases)}" for untried in self.not_tried]
        if d["aside"]:
            lines += ["", f"set aside: {_count(d['aside'], 'shard')} that no worker could run"]
            lines += [f"  shard {each['number']}, {each['title']}: {each['reason']}" for each in d["set_aside"][:10]]
        lines += ["", f"digest of all outcomes: {d['digest']}"]
        return "".join(f"{line}\n" for line in lines)

    def junit(self) -> str:
        """A JUnit document with one test case for each combination, and one for each kind of difference."""
        d = self.document
        cases = ""
        for cell in d["cells"]:
            cases += f"<testcase classname={quoteattr(cell['core'])} name={quoteattr(cell['title'])} "
            cases += f'time="{cell["seconds"]:.3f}">'
            if cell["differing"]:
                cases += f"<failure message={quoteattr(_differ(cell['differing'], cell['shards']))}/>"
            elif cell["aside"]:
                cases += f'<error message="{cell["aside"]} of {cell["shards"]} shards were set aside"/>'
            cases += "</testcase>"
        for bucket in d["buckets"]:
            body = "\n".join(bucket["replays"]) + (f"\n{bucket['shrunk']['text']}" if bucket["shrunk"] else "")
            name = f"{bucket['signal']} {bucket['kind']}"
            cases += f"<testcase classname={quoteattr(bucket['core'])} name={quoteattr(name)}>"
            cases += f"<failure message={quoteattr(bucket['sentence'])}>{escape(body)}</failure></testcase>"
        failures = sum(bool(cell["differing"]) for cell in d["cells"]) + len(d["buckets"])
        errors = sum(bool(cell["aside"] and not cell["differing"]) for cell in d["cells"])
        tests = len(d["cells"]) + len(d["buckets"])
        return printable(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<testsuites><testsuite name={quoteattr(d['campaign'])} "
            f'tests="{tests}" failures="{failures}" errors="{errors}">{cases}</testsuite></testsuites>\n'
        )


def _document(
    shards: Shards,
    ended: End | None,
    state: CampaignState,
    covered: list[dict[str, Any]],
    code: Mapping[str, CountedCode],
) -> dict[str, Any]:
    sums = state.sums
    document: dict[str, Any] = members(
        CampaignDocument,
        format=FORMAT,
        campaign=shards.plan.file.name,
        plan=shards.digest,
        ended=ended,
        shards=sums.shards,
        verified=sums.verified,
        cycles=sums.cycles,
        seconds=round(state.elapsed, 1),
        work=round(sums.seconds, 1),
        differing=sums.differing,
        aside=sums.aside,
        digest=state.digest,
        cells=[*_cells(shards, state)],
        buckets=[*map(_bucket, state.buckets)],
        set_aside=[
            members(ShardAside, number=number, title=shards.cells[cell].cell.axes.title, reason=reason)
            for number, cell, reason in state.aside
        ],
        coverage=[*map(_coverage, covered)],
        code_coverage=[coverage_document(each) for each in code.values()],
    )
    return document


def _cells(shards: Shards, state: CampaignState) -> Iterator[Any]:
    """Those of which a shard has ended."""
    of, untried = state.cells, state.untried()
    used: dict[str, set[str]] = {}
    for settled in shards.cells:
        if (sums := of.get(settled.cell.number)) is not None and sums.verified:
            used.setdefault(settled.core, set()).add(settled.job.simulator)
    for settled in shards.cells:
        if (sums := of.get(settled.cell.number)) is None:
            continue
        yield members(
            CampaignCell,
            title=settled.cell.axes.title,
            core=settled.core,
            model=settled.model,
            shards=sums.shards,
            verified=sums.verified,
            cycles=sums.cycles,
            seconds=round(sums.seconds, 1),
            differing=sums.differing,
            aside=sums.aside,
            not_tried=_not_tried(settled, sums, untried, used),
        )


def _not_tried(
    settled: SettledCell, sums: Sums, untried: Mapping[int, list[str]], used: Mapping[str, set[str]]
) -> list[str]:
    """Phrases about what a cell without a difference did not try; no simulator that another cell of its core used."""
    if sums.differing or not sums.verified:
        return []
    few = [] if settled.job.kind == EXHAUSTIVE else few_products(sums.verified)
    return [*few, *untried.get(settled.cell.number, []), *other_simulators(used[settled.core])]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _differ(some: int, of: int) -> str:
    return f"{some} of {of} shards differ{'s' if some == 1 else ''}"


def _bucket(bucket: Bucket) -> Any:
    core, signal, step, kind, observation = bucket.key
    found = bucket.report["first_divergence"]
    shrunk = bucket.shrunk
    return members(
        CampaignBucket,
        core=core,
        signal=signal,
        step=step or None,
        kind=kind,
        observation=observation or None,
        shards=bucket.shards,
        sentence=_sentence(found),
        replays=[replay for replay in bucket.replays if replay],
        report=bucket.report,
        shrunk=None if shrunk is None else members(ShrunkProduct, **shrunk),
    )


def _sentence(found: dict[str, Any]) -> str:
    step = found["step"]
    return Divergence(
        case=found["case"], a=found["a"], b=found.get("b"), cycle=found.get("cycle"), signal=found["signal"],
        step=None if step is None else (step[0], tuple(step[1])), expected=found.get("expected"),
        seen=found.get("seen"), reason=found.get("reason", ""), disturbed=found.get("disturbed") or {},
    ).sentence()  # fmt: skip


def _covered(head: dict[str, Any], cases: int, events: list[tuple[str, Any, int, dict[str, Any]]]) -> dict[str, Any]:
    """A CoverageDocument, with the events in the order of the model."""
    model = document_multiplier(head).model
    at: dict[str, list[tuple[list[int], int]]] = {}
    whole: dict[str, tuple[int, Any]] = {}
    for name, index, count, first in events:
        if index is None:
            whole[name] = count, first
        else:
            at.setdefault(name, []).append((index, count))
    listed = []
    for event in model.events:
        count, first = whole.get(event.name, (0, None))
        places = sorted(at.get(event.name, []))
        listed.append(
            {
                "name": event.name,
                "statement": event.statement,
                "indices": len(places),
                "hit": sum(bool(hits) for _, hits in places),
                "cases": count,
                **({} if first is None else {"first": first}),
                "at": [{"index": index, "cases": hits} for index, hits in places if hits],
                "missed": [index for index, hits in places if not hits],
            }
        )
    document: dict[str, Any] = members(
        CoverageDocument, format=FORMAT, multiplier=cast(Any, head), sets=[], cases=cases, events=cast(Any, listed)
    )
    return document


def _coverage(document: dict[str, Any]) -> Any:
    return members(
        CampaignCoverage,
        model=document_multiplier(document["multiplier"]).title,
        cases=document["cases"],
        happened=sum(event["hit"] for event in document["events"]),
        places=sum(event["indices"] for event in document["events"]),
    )
