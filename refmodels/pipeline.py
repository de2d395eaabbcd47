# SPDX-License-Identifier: Apache-2.0
"""Common parts of the schedules of pipelines, whose registers keep what came last while no product arrives."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from limbtrace.refmodels.architecture import Cost, Overlap, Shape
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.model import Index, Model, Step
from limbtrace.refmodels.settings import Parameter, Settings

MOST_STAGES = 16
STAGES = Parameter(
    "stages", "registers behind the product, which tools move into the multiplier", "1", f"1 to {MOST_STAGES}"
)


def stages(settings: Settings) -> dict[str, int]:
    """The registers behind the product. Raises ParameterError."""
    return {"stages": settings.integer("stages", 1, 1, MOST_STAGES)}


def cycles(latency: Callable[[Shape], int]) -> Callable[[Shape], int]:
    """Clock cycles from the first one to the one with the last result on its port, both included.

    `latency` is from the operand registers to the result register.
    """
    return lambda shape: max(shape.starts) + latency(shape) + 2


def costs(latency: Callable[[Shape], int], sum_of: str) -> tuple[Cost, ...]:
    """`latency`, of which `sum_of` is the formula, and a product in every cycle."""
    return (
        Cost("cycles", "clock cycles", f"from operand registers to result register, {sum_of}", latency),
        Cost("interval", "clock cycles", "a product in every cycle", lambda shape: 1),
    )


def latest(shape: Shape, row: int) -> Index | None:
    """The number of the last product that started in this row or an earlier one; None before the first."""
    started = bisect_right(shape.starts, row)
    return (started - 1,) if started else None


def of_stream(model: Model[Any], operands: str) -> Callable[[Shape, Any, Any], Iterator[Step]]:
    """Steps of a stream of products, the number of the product as first subscript.

    Of each product these are the operands by their names, a letter each, and the steps of the model.
    """

    def steps(shape: Shape, A: Sequence[Digit], B: Sequence[Digit]) -> Iterator[Step]:
        for job, pair in enumerate(zip(A, B, strict=True)):
            yield from ((name, (job,), value) for name, value in zip(operands, pair, strict=False))
            for name, index, value in model.steps(shape.params, *pair):
                yield name, (job, *index), value

    return steps


def one_per_cycle(result: str, *subscripts: int) -> Overlap:
    """A product may start in every cycle; `result` is the step that each of them ends with, with its subscripts."""
    return Overlap(
        lambda shape, wanted: max(wanted, shape.starts[-1] + 1 if shape.starts else 0),
        lambda shape, steps: [value for name, index, value in steps if name == result and index[1:] == subscripts],
        lambda shape, name, index: index[0],
    )
