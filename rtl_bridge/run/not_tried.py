# SPDX-License-Identifier: Apache-2.0
"""The list of what a run without a difference did not try, for its verdict."""

from collections.abc import Iterator, Mapping

from limbtrace.rtl_bridge.run.contract import CLAUSES, Clause, Standing
from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulators import SIMULATORS

FEW = 64
"""Fewer products are a smoke test."""
ALL = "--disturb all"
PERMITTED = Standing.PERMITTED


def not_tried(run: Run, happened: Mapping[str, int]) -> list[str]:
    """Noun phrases; `happened`: how often each kind of disturbance that was asked for happened."""
    standings = [(clause, clause.standing(run.bound)) for clause in CLAUSES]
    permitted = {clause.kind: clause.title for clause, standing in reversed(standings) if standing is PERMITTED}
    kinds = [title for kind, title in reversed(permitted.items()) if not happened.get(kind)]
    more = f"({ALL})" if kinds and len(happened) < len(KINDS) else ""
    return [
        *_products(run),
        *kinds[:-1],
        *(f"{title} {more}".rstrip() for title in kinds[-1:]),
        *(_title(*item) for item in standings if _is_left_open(*item, happened)),
        *_of_protocol(run, happened),
        *(name for name in SIMULATORS if name != run.job.simulator),
    ]


def _is_left_open(clause: Clause, standing: Standing, happened: Mapping[str, int]) -> bool:
    """True if no run behaves so, or only those that try what the description leaves open, and this one has not."""
    if standing is Standing.OPEN:
        return not (clause.tried_if_open and happened.get(clause.kind))
    return standing is Standing.UNTRIED


def _title(clause: Clause, standing: Standing) -> str:
    return f"{clause.title} ({clause.key})" if standing is Standing.OPEN else clause.title


def _products(run: Run) -> Iterator[str]:
    if run.exhausts is None and run.job.cases < FEW:
        yield f"more than {run.job.cases} products: these are a smoke test"


def _of_protocol(run: Run, happened: Mapping[str, int]) -> Iterator[str]:
    """Things of its own that a protocol leaves open, or that its master did not do."""
    bound = run.bound
    yield from bound.protocol.left_open(bound)
    if permitted := [name for name, permits in bound.protocol.permits(bound).items() if permits and not happened]:
        yield f"of a bus master: {', '.join(permitted)}"
