# SPDX-License-Identifier: Apache-2.0
"""The list of what a run without a difference did not try, for its verdict."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from limbtrace.rtl_bridge.run.contract import CLAUSES, Standing, permitted
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulators import SIMULATORS

FEW = 64
"""Fewer products are a smoke test."""
ALL = "--disturb all"
CHANGE_OF_MODULUS = "a change of the modulus between products"
"""The phrase about runs of a core at directed moduli."""


def not_tried(run: Run, happened: Mapping[str, int]) -> list[str]:
    """Noun phrases; `happened`: how often each kind of disturbance that was asked for happened."""
    kinds = _kinds(run, happened)
    more = f"({ALL})" if kinds and len(happened) < len(KINDS) else ""
    return [
        *([] if run.exhausts is not None else few_products(run.job.cases)),
        *_few_streams(run),
        *kinds[:-1],
        *(f"{title} {more}".rstrip() for title in kinds[-1:]),
        *_left_open(run, happened),
        *other_simulators({run.job.simulator}),
    ]


def circumstances(run: Run, happened: Mapping[str, int]) -> list[str]:
    """The list without products and simulators, of which a campaign has more than one run has."""
    return [*_kinds(run, happened), *_left_open(run, happened)]


def tried_by_none(lists: Sequence[Sequence[str]]) -> list[str]:
    """Circumstances that are in the lists of all of several runs of a core at the same modulus."""
    return [phrase for phrase in lists[0] if all(phrase in own for own in lists)] if lists else []


def few_products(count: int) -> list[str]:
    """The phrase about a run of so few products that it says little; none for more."""
    return [f"more than {count} products: these are a smoke test"] if count < FEW else []


def _few_streams(run: Run) -> list[str]:
    """The phrase about a disturbed run whose products are in few streams; a stream is disturbed as a whole."""
    streams = run.job.cases // run.stimulus.size
    if not run.job.disturb or streams >= FEW or run.job.cases < FEW:
        return []
    return [f"more than {streams} disturbed streams: these are a smoke test"]


def other_simulators(used: Collection[str]) -> list[str]:
    """The simulators that were not used, as one phrase; none if all were."""
    others = " or ".join(name for name in SIMULATORS if name not in used)
    return [others] if others else []


def _kinds(run: Run, happened: Mapping[str, int]) -> list[str]:
    """For each kind of disturbance that applies and did not happen the first of its behaviours."""
    applicable = {kind: permitted(run.bound, kind) for kind in KINDS if not happened.get(kind)}
    first = {kind: behaviours[0] for kind, behaviours in applicable.items() if behaviours}
    if run.directed and "modulus" in first:  # each of them has a run of its own
        first["modulus"] = CHANGE_OF_MODULUS
    return [*first.values()]


def _left_open(run: Run, happened: Mapping[str, int]) -> Iterator[str]:
    """Behaviours of which the description does not say whether they are permitted, and those that no run shows."""
    bound = run.bound
    for clause in CLAUSES:
        standing = clause.standing(bound)
        if standing is Standing.OPEN and not (clause.tried_if_open and happened.get(clause.kind)):
            yield f"{clause.title} ({clause.key})"
        elif standing is Standing.UNTRIED:
            yield clause.title
    yield from bound.protocol.left_open(bound)
    if permitted := [name for name, permits in bound.protocol.permits(bound).items() if permits and not happened]:
        yield f"of a bus master: {', '.join(permitted)}"
