# SPDX-License-Identifier: Apache-2.0
"""The answer of `limbtrace domain`: the condition, how sure it is, the smallest wrong modulus, a `core.toml` line."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from limbtrace.rtl_bridge.domain.proofs import Proved
from limbtrace.rtl_bridge.domain.search import Search
from limbtrace.rtl_bridge.domain.terms import rounded
from limbtrace.rtl_bridge.domain.trials import ModulusTrial
from limbtrace.rtl_bridge.run.not_tried import circumstances, other_simulators
from limbtrace.rtl_bridge.run.replays import confirmed
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.simulation import simulate_run
from limbtrace.vectors.document import members
from limbtrace.vectors.domain import DomainBorder, DomainDifference, DomainDocument, DomainProof, DomainVerdict
from limbtrace.vectors.encoding import FORMAT
from limbtrace.vectors.errors import ToolError
from limbtrace.vectors.report.document import NO_REPLAY

PROVED_AS = {
    "proved": "proved for all operands",
    "refuted": "refuted by the prover",
    "open": "not decided by the prover",
}
SHOWN = 20
"""Most wrong moduli that are listed."""


@dataclass(frozen=True)
class Domain:
    """The outcome of a search, and of proofs.

    Raises ToolError where the smallest wrong modulus does not differ again.
    """

    search: Search
    proved: Sequence[Proved] = ()

    @property
    def verdict(self) -> DomainVerdict:
        """See DomainDocument."""
        if not self.search.trials.wrong:
            return "right"
        if self.search.condition is None:
            return "no condition"
        return "sufficient" if self.search.left_out or self.search.others else "separated"

    @cached_property
    def smallest(self) -> Divergence | None:
        """The difference at the smallest wrong modulus, with a replay that was run."""
        if not self.search.trials.wrong:
            return None
        run = self._least.run
        report = confirmed(run, simulate_run(run, quiet=True))
        if report.tally.divergence is None:
            name = run.bound.core.file.name
            raise ToolError(
                f"{name}: modulus {self._least.modulus:#x} differs in one simulation and not in the next one"
            )
        return report.tally.divergence

    @property
    def _least(self) -> ModulusTrial:
        return self.search.trials.outcomes[self.search.trials.wrong[0]]

    @property
    def margin(self) -> list[str]:
        """The condition with a power of two in place of a bound towards which wrong products become rare."""
        condition = self.search.condition
        if condition is None or not self.search.left_out:
            return []
        texts = [rounded(atom).text for atom in condition.atoms]
        return texts if texts != condition.texts else []

    @property
    def suggested(self) -> str:
        """A line for `core.toml`: its own conditions, and those that were found."""
        if self.search.condition is None:
            return ""
        own = list(self.search.trials.first.bound.core.file.modulus)
        found = self.margin or self.search.condition.texts
        return f"modulus = {json.dumps(list(dict.fromkeys((*own, *found))))}"

    @property
    def not_tried(self) -> list[str]:
        """As in the report of a simulation: each modulus has runs of its own, which nothing disturbs."""
        run = replace(self.search.trials.first, directed=True)
        return [*circumstances(run, {}), *other_simulators({run.job.simulator})]

    @property
    def document(self) -> dict[str, Any]:
        """As a DomainDocument."""
        search, trials = self.search, self.search.trials
        run, found = trials.first, self.smallest
        chosen = [outcome for outcome in trials.outcomes.values() if outcome.right and not outcome.exhausted]
        document: dict[str, Any] = members(
            DomainDocument,
            format=FORMAT,
            core=run.bound.core.file.name,
            model=run.bound.multiplier.model.id,
            params=run.bound.head["params"],
            parameters=dict(run.bound.parameters),
            simulator=run.job.simulator,
            mode=run.job.mode,
            seed=search.seed,
            widths=(min(trials.outcomes).bit_length(), max(trials.outcomes).bit_length()),
            right=len(trials.right),
            wrong=len(trials.wrong),
            products=trials.simulated,
            least_products=min((found.products for found in chosen), default=0),
            builds=1 + trials.built,
            every=search.every,
            verdict=self.verdict,
            conditions=[condition.texts for condition in (search.condition, *search.others) if condition is not None],
            left_out=len(search.left_out),
            refuting=list(search.refuting),
            borders=[
                members(DomainBorder, condition=atom.text, right=f"{border.right:#x}",
                        wrong=f"{border.wrong:#x}", adjacent=border.adjacent)
                for atom, border in search.bounds
            ],
            margin=self.margin,
            smallest=None
            if found is None
            else members(
                DomainDifference,
                modulus=f"{self._least.modulus:#x}",
                bits=self._least.modulus.bit_length(),
                a=found.a,
                b=found.b,
                signal=found.signal,
                expected=found.expected,
                seen=found.seen,
                sentence=found.sentence(),
                replay=found.replay,
            ),
            smallest_is_known=search.smallest_is_known,
            some_wrong=[f"{p:#x}" for p in trials.wrong[:SHOWN]],
            proofs=[
                members(DomainProof, modulus=f"{each.modulus:#x}", reason=each.reason, verdict=each.verdict,
                        detail=each.detail)
                for each in self.proved
            ],
            not_tried=self.not_tried,
            described=list(run.bound.core.file.modulus),
            suggested=self.suggested,
        )  # fmt: skip
        return document


def domain_text(document: dict[str, Any]) -> str:
    """The document for people."""
    return "".join(f"{line}\n" for line in [*_head(document), *_smallest(document), *_rest(document)])


def _head(document: dict[str, Any]) -> list[str]:
    right, wrong, (least, most) = document["right"], document["wrong"], document["widths"]
    how = f"{document['core']} ({document['model']}) in {document['simulator']}, {document['mode']}"
    widths = f"{most}" if least == most else f"{least} to {most}"
    some = f"{'all ' if document['every'] else ''}{right + wrong} moduli of {widths} bits"
    if not wrong:
        with_all = ", with all operands" if document["every"] else ""
        return [f"{how}: right at {some}{with_all}, {document['products']} products"]
    lines = [f"{how}: wrong at {wrong} of {some}, {document['products']} products"]
    if document["verdict"] == "no condition":
        shown = ", ".join(document["some_wrong"])
        return [*lines, "no simple condition separates the right moduli from the wrong ones", f"  wrong at {shown}"
                + (", ..." if wrong > len(document["some_wrong"]) else "")]  # fmt: skip
    said = [" and ".join(texts) for texts in document["conditions"]]
    lines += [f"right where {said[0]}", *(f"  and where {other}" for other in said[1:])]
    if document["every"]:
        exact = "exactly these moduli are right, for all operands" if document["verdict"] == "separated" else ""
        lines.append(f"  {exact or 'no wrong modulus fulfils it'}; every modulus was tried with all operands")
    elif document["verdict"] == "separated":
        lines.append(f"  this holds for all {right} moduli without a wrong product, and for none of the {wrong} others")
    else:
        lines.append(f"  this holds for none of the {wrong} wrong moduli")
    if document["left_out"]:
        count = document["left_out"]
        what = "modulus that does not fulfil it shows" if count == 1 else "moduli that do not fulfil it show"
        lines.append(f"  {count} {what} no wrong product either")
    proved = {each["modulus"] for each in document["proofs"] if each["verdict"] == "proved"}
    for border in document["borders"]:
        shows = "is proved" if border["right"] in proved else "shows no wrong product"
        between = "no modulus is in between" if border["adjacent"] else "those in between were not tried"
        lines.append(f"  border: {border['right']} {shows}, {border['wrong']} is wrong; {between}")
    if sum(document["refuting"]):
        fulfilling, others, refuted = document["refuting"]
        lines.append(
            f"  tried to refute it: {fulfilling} new moduli that fulfil it, {fulfilling} of them right; {others} "
            f"that do not, {refuted} of them wrong"
        )
    if document["margin"]:
        lines.append(
            f"  wrong products become rare towards the border; with a margin: {' and '.join(document['margin'])}"
        )
    return lines


def _smallest(document: dict[str, Any]) -> list[str]:
    found = document["smallest"]
    if found is None:
        return []
    known = "the smallest wrong modulus" if document["smallest_is_known"] else "smallest wrong modulus found"
    operands = f"a = {found['a']}" + ("" if found["b"] is None else f", b = {found['b']}")
    return [
        f"{known}: {found['modulus']}, {found['bits']} bits, with {operands}",
        f"  {found['sentence']}",
        f"  replay: {found['replay'] or NO_REPLAY}",
    ]


def _rest(document: dict[str, Any]) -> list[str]:
    lines = [
        f"{PROVED_AS[each['verdict']]}: {each['modulus']}, {each['reason']}"
        + (f" ({each['detail']})" if "detail" in each else "")
        for each in document["proofs"]
    ]
    if not document["every"]:
        each = f", of {document['least_products']} or more" if document["least_products"] else ""
        but = " elsewhere" if document["proofs"] else ""
        lines.append(
            f"searched, and not proved{but}: a modulus counts as right if no product is seen to be wrong{each}"
        )
    lines.append(f"not tried: {', '.join(document['not_tried'])}")
    if document["suggested"]:
        lines.append(f"for core.toml: {document['suggested']}")
    return lines
