# SPDX-License-Identifier: Apache-2.0
"""The list of what a run without a difference did not try, for its verdict."""

from collections.abc import Iterator, Mapping

from limbtrace.rtl_bridge.run.disturb import KINDS
from limbtrace.rtl_bridge.run.run import Run
from limbtrace.rtl_bridge.run.simulators import SIMULATORS

FEW = 64
"""Fewer products are a smoke test."""
ALL = "--disturb all"


def not_tried(run: Run, happened: Mapping[str, int]) -> list[str]:
    """Noun phrases; `happened`: how often each kind of disturbance that was asked for happened."""
    kinds = [kind.title for name, kind in KINDS.items() if not happened.get(name) and kind.applies(run.bound)]
    more = f"({ALL})" if kinds and len(happened) < len(KINDS) else ""
    return [
        *_products(run),
        *kinds[:-1],
        *(f"{title} {more}".rstrip() for title in kinds[-1:]),
        *_contract(run, happened),
    ]


def _products(run: Run) -> Iterator[str]:
    if run.exhausts is None and run.job.cases < FEW:
        yield f"more than {run.job.cases} products: these are a smoke test"


def _contract(run: Run, happened: Mapping[str, int]) -> Iterator[str]:
    """Things that the description leaves open, or rules out for this run."""
    bound = run.bound
    if bound.protocol.tries_at_once and not happened.get("again"):
        yield "a start in the cycle of done"
    yield from bound.protocol.left_open(bound)
    if permitted := [name for name, permits in bound.protocol.permits(bound).items() if permits and not happened]:
        yield f"of a bus master: {', '.join(permitted)}"
    fixed = [constant for constant in bound.core.file.input if constant.with_ is None and constant.address is None]
    if fixed and bound.streams and bound.products > 1 and bound.plan is None and not bound.core.file.row:
        yield 'other moduli inside a stream (with = "product")'
    if bound.core.file.row and bound.protocol.in_order_formula(bound.core.file.model_copy(update={"row": ()})):
        yield "several products at once, since rows are watched"
    yield " or ".join(name for name in SIMULATORS if name != run.job.simulator)
