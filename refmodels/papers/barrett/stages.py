# SPDX-License-Identifier: Apache-2.0
"""Common parts of the schedules of Barrett's pipelines, in which a product starts in any cycle.

Each step has a register, and the low bits of x have two: the difference needs them two cycles later. The schedule is
our own.
"""

from collections.abc import Callable

from limbtrace.refmodels.architecture import At, Column, Control, Cost, Part, Shape, Signal, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.barrett.family import Estimate
from limbtrace.refmodels.pipeline import latest
from limbtrace.refmodels.settings import Given, Settings

MOST_CORRECTIONS = 3
"""Corrections that a core can be built with, each of which takes a cycle; one at least."""
STAGES = 3
"""Cycles from x in its register to the difference in its own."""


def own(params: Estimate, settings: Settings) -> dict[str, int]:
    """No parameters. Raises ParameterError for a member of the family that the pipeline is not built for."""
    if not 1 <= params.corrections <= MOST_CORRECTIONS:
        raise ParameterError(
            "corrections", f"{params.corrections}: the pipeline is built with 1 to {MOST_CORRECTIONS} corrections"
        )
    if params.width > 2 * params.bits:
        raise ParameterError(
            "width", f"{params.width}: the pipeline takes x of {2 * params.bits} bits and no wider difference"
        )
    if params.beta >= params.bits:
        raise ParameterError("beta", f"{params.beta}: none of the {2 * params.bits} bits of x is in the estimate")
    return {}


def defaults(params: Estimate) -> Given:
    """One correction at least, for which there is a register."""
    return {"corrections": max(params.corrections, 1)}


def columns(shape: Shape, loaded: int) -> tuple[Column, ...]:
    """x, which is in its register `loaded` cycles after the operands are on their ports, all that follows, and valid.

    Registers hold their values while no product arrives.
    """
    params: Estimate = shape.params
    N, width, wide = params.bits, params.width, 2 * params.bits

    def after(stage: int, *index: int) -> At:
        def at(row: int) -> Index | None:
            product = latest(shape, row + 1 - loaded - stage)
            return None if product is None else (*product, *index)

        return at

    last = params.corrections
    quotient = min(wide - N + 1, width)
    return (
        signal("x", wide, "register", "x", after(0)),
        Signal("qhat", quotient, "register", ((Part("qhat", after(1), (quotient - 1, 0)), quotient),)),
        signal("xlow", width, "register", "xlow", after(1)),
        signal("qplow", width, "register", "qplow", after(2)),
        signal("xlow2", width, "register", "xlow", after(2)),
        signal("rhat", width, "register", "rhat", after(STAGES)),
        *(
            signal(f"R{i}", N if i == last else width, "register", "R", after(STAGES + i, i))
            for i in range(1, last + 1)
        ),
        Control("valid", 1, "combinational", lambda row: int(row - loaded - STAGES - last in shape.starts)),
    )


def timing(loaded: int) -> tuple[Callable[[Shape], int], tuple[Cost, ...]]:
    """Cycles of a stream, and costs, of a core whose x is loaded so many cycles after the operands."""

    def latency(shape: Shape) -> int:
        return int(loaded + STAGES + shape.params.corrections)

    def cycles(shape: Shape) -> int:
        return max(shape.starts) + latency(shape) + 1

    costs = (
        Cost("cycles", "clock cycles", f"{loaded + STAGES} + corrections, from the operands to the result", latency),
        Cost("interval", "clock cycles", "a product in every cycle", interval),
    )
    return cycles, costs


def interval(shape: Shape) -> int:
    """A product may start in every cycle."""
    return 1
