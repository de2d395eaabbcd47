# SPDX-License-Identifier: Apache-2.0
"""Common parts of the schedules of Barrett's pipelines, in which a product starts in any cycle.

Each step has a register, and the low bits of x have two: the difference needs them two cycles later. The schedule is
our own.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from limbtrace.refmodels.architecture import At, Column, Control, Cost, Overlap, Part, Shape, Signal, signal
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Model, Step
from limbtrace.refmodels.papers.barrett.family import Estimate
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


def latest(shape: Shape, row: int) -> Index | None:
    """The last product that started in this row or an earlier one."""
    started = bisect_right(shape.starts, row)
    return (started - 1,) if started else None


def of_stream(model: Model[Any], operands: str) -> Callable[[Shape, Any, Any], Iterator[Step]]:
    """The operands by their names, and the steps of the model, for one product after the other, its number first."""

    def steps(shape: Shape, A: Sequence[Digit], B: Sequence[Digit]) -> Iterator[Step]:
        for job, pair in enumerate(zip(A, B, strict=True)):
            yield from ((name, (job,), value) for name, value in zip(operands, pair, strict=False))
            for name, index, value in model.steps(shape.params, *pair):
                yield name, (job, *index), value

    return steps


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


def overlap(loaded: int) -> tuple[Callable[[Shape], int], Overlap, tuple[Cost, ...]]:
    """Cycles of a stream, what its products share, and costs of a core whose x is loaded after so many cycles."""

    def latency(shape: Shape) -> int:
        return int(loaded + STAGES + shape.params.corrections)

    def cycles(shape: Shape) -> int:
        return max(shape.starts) + latency(shape) + 1

    def next_start(shape: Shape, wanted: int) -> int:
        return max(wanted, shape.starts[-1] + 1 if shape.starts else 0)

    def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
        return [value for name, _, value in steps if name == "r"]

    costs = (
        Cost("cycles", "clock cycles", f"{loaded + STAGES} + corrections, from the operands to the result", latency),
        Cost("interval", "clock cycles", "a product in every cycle", interval),
    )
    return cycles, Overlap(next_start, results, lambda shape, name, index: index[0]), costs


def interval(shape: Shape) -> int:
    """A product may start in every cycle."""
    return 1
