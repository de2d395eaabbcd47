# SPDX-License-Identifier: Apache-2.0
"""Proofs at the moduli where a condition is most likely to be untrue."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.domain.search import Search
from limbtrace.rtl_bridge.proof.cli import decide
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.job import Job
from limbtrace.rtl_bridge.run.options import parsed

MOST = 4
"""Most moduli that are proved at in a round."""
ROUNDS = 3
"""Most searches, each with what the proofs before it refuted."""
OTHERWISE = "it differs, but disturbed or in a state that no command shows, which is not about the modulus"

NOT_AGAIN = "it differs in the simulations of the prover, and not in these"


@dataclass(frozen=True)
class Proved:
    """A proof at a modulus."""

    modulus: int
    reason: str
    verdict: Literal["proved", "refuted", "open"]
    detail: str = ""


def prove(search: Search, limit: int) -> list[Proved]:
    """Prove a core at moduli that count as right; where one is refuted, search again. `limit`: seconds for each.

    Raises ParameterError, ToolError.
    """
    found: dict[int, Proved] = {}
    for _ in range(ROUNDS):
        refuted = False
        for p, reason in _chosen(search):
            if p not in found:
                found[p] = _proved(search, p, reason, limit)
                refuted = refuted or (found[p].verdict == "refuted" and not search.trials.outcomes[p].right)
        if not refuted:
            break
        search.settle()
    return list(found.values())


def _chosen(search: Search) -> Iterator[tuple[int, str]]:
    """Moduli that count as right: beside a border, the largest and the smallest one, and some in between."""
    condition = search.condition
    right = [p for p in search.trials.right if condition is None or condition.holds(p)]
    if not right:
        return
    middle = right[len(right) // 2]
    some = [(border.right, f"beside the border of {atom.text}") for atom, border in search.bounds]
    some += [
        (right[-1], "the largest one that was tried"),
        (middle, "one in the middle"),
        (right[0], "the smallest one"),
    ]
    chosen = {p: reason for p, reason in reversed(some) if p in right}
    yield from [(p, reason) for p, reason in reversed(chosen.items())][:MOST]


def _proved(search: Search, p: int, reason: str, limit: int) -> Proved:
    job = search.trials.first.job
    asked = BindRequest(core=job.core, prime=hex(p), settings=job.settings, build=job.build,
                        allow_outside=job.allow_outside)  # fmt: skip
    try:
        document, _ = decide(asked, limit=limit, limit_all=limit, simulators=(job.simulator,))
    except ParameterError as error:  # what the prover does not take of a core
        return Proved(p, reason, "open", str(error))
    verdict = document["verdict"]
    if verdict == "refuted":
        replayed = parsed(Job, shlex.split(document["replay"])[2:]) if document["replay"] else None
        if replayed is None or replayed.disturb:
            return Proved(p, reason, "open", f"{OTHERWISE}: {document['difference']}")
        if not search.trials.add(replayed):
            return Proved(p, reason, "open", f"{NOT_AGAIN}: {document['difference']}")
        return Proved(p, reason, verdict, document["difference"])
    if verdict == "proved":
        return Proved(p, reason, verdict)
    return Proved(p, reason, "open", "the solver did not decide in time, or only in states that may be unreachable")
