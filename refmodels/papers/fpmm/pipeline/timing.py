# SPDX-License-Identifier: Apache-2.0
"""A pipeline for the FPMM paper that meets its cycle counts: sigma logical multipliers, nine DSP blocks, no bubble.

The paper gives blocks and cycle counts; the registers are ours. A word of an even number of bits has two digits of w/2
bits. A word of an odd number of bits is a single digit: three DSP blocks, and a loop of two cycles less. The paper has
no figure for single digits, and its formula gives a loop that is too short for DSP blocks with three registers.

Slot x = theta*g + j of the stream is slot j of visit g. The word of this slot is, or would be, on the ports in cycle
1 + x, and every register holds the slot a fixed number of cycles later.
"""

from itertools import takewhile

from limbtrace.refmodels.architecture import Shape
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.papers.fpmm.fpmm.algorithm import Fpmm, Visit, plan
from limbtrace.refmodels.settings import Given, Parameter, Settings

MOST_DIGITS = 2
"""Most digits of a word. Three and four, for the 51 and 68 bits of Algorithm 3, would take 6 and 10 slots of each visit
in the DSP block of task 2, and a visit has s or s + 1 slots."""
LEAST_WORDS = 2

CONSTANTS = ("p", "p0", "p1", "P'")
"""Steps that belong to no visit."""

OWN_PARAMETERS = (
    Parameter("version", "fast: a register behind the adder of the first DSP block; small: none, and one cycle less",
              "fast", "fast or small", names=("small", "fast")),
)  # fmt: skip


def digits(w: int) -> int:
    """r, the number of digits of a word of w bits in this pipeline."""
    return 1 if w % 2 else MOST_DIGITS


def blocks(r: int) -> tuple[tuple[int, int], ...]:
    """The digits (of x, of y) that each DSP block of a row multiplies, by weight, those of x ascending."""
    return tuple((i, weight - i) for weight in range(2 * r - 1) for i in range(r) if 0 <= weight - i < r)


def defaults(params: Fpmm) -> Given:
    """The fewest slots and logical multipliers of this pipeline, for any w."""
    r = digits(params.radix_bits)
    theta = params.theta + (params.theta < fpmm.quotient_steps(r) and params.theta == params.digits)
    return {"theta": theta, "sigma": -(-fpmm.loop(r) // theta)}


def own(params: Fpmm, settings: Settings) -> dict[str, int]:
    """The version. Raises ParameterError for settings that this pipeline does not support."""
    w, theta, sigma = params.radix_bits, params.theta, params.sigma
    r = digits(w)
    if w > r * fpmm.DSP_BITS:
        raise ParameterError(
            "radix", f"2^{w}: the pipeline takes words of an even number of up to {MOST_DIGITS * fpmm.DSP_BITS} bits, "
            f"or of an odd number of up to {fpmm.DSP_BITS}"
        )  # fmt: skip
    if params.digits < LEAST_WORDS:
        raise ParameterError("s", f"the pipeline takes at least {LEAST_WORDS} words, not {params.digits}")
    if theta < fpmm.quotient_steps(r):
        raise ParameterError(
            "theta", f"{theta}: the DSP block of task 2 takes {fpmm.quotient_steps(r)} slots, which theta = s + 1 "
            "gives it"
        )  # fmt: skip
    if sigma * theta < fpmm.loop(r):
        raise ParameterError(
            "sigma", f"{sigma} times theta = {theta} is less than the loop of {fpmm.loop(r)} cycles; sigma is at least "
            f"{-(-fpmm.loop(r) // theta)}"
        )  # fmt: skip
    return {"version": settings.named("version", "fast")}


def epsilon(shape: Shape) -> int:
    """Cycle in which P0 of task 1 has slot 0."""
    return fpmm.EPSILON["F" if shape.own["version"] else "S"]


def alpha(shape: Shape) -> int:
    """Cycles from one visit of a logical multiplier to the next."""
    return int(shape.params.sigma * shape.params.theta)


def latency(shape: Shape) -> int:
    """lambda: from word 0 of the operands to the last word of the result, both cycles counted."""
    s: int = shape.params.digits
    return alpha(shape) * (s - 1) + fpmm.loop(digits(shape.params.radix_bits)) + s + epsilon(shape)


def turn(shape: Shape) -> int:
    """tau: cycles between two starts of the same logical multiplier."""
    return alpha(shape) * int(shape.params.digits)


def cycles(shape: Shape) -> int:
    return max(shape.starts) + latency(shape)


def next_start(shape: Shape, wanted: int) -> int:
    """The next row with slot 0 of a logical multiplier that has finished its last product or is about to."""
    theta: int = shape.params.theta
    sigma: int = shape.params.sigma
    row = max(wanted, shape.starts[-1] + 1 if shape.starts else 0)
    row += -row % theta
    recent = list(takewhile(lambda start: row - start < turn(shape), reversed(shape.starts)))
    while any(row - start < turn(shape) and (row - start) // theta % sigma == 0 for start in recent):
        row += theta
    return row


def visits(shape: Shape) -> list[Visit]:
    """The plan of visits, up to the last slot that is on the ports while a result is still in the pipeline."""
    theta = shape.params.theta
    planned = plan(shape.params, [start // theta for start in shape.starts])
    return planned + [Visit()] * ((cycles(shape) + 1) // theta + 1 - len(planned))


def owner(shape: Shape, name: str, index: Index) -> int | None:
    """The product that the visit belongs to."""
    params: Fpmm = shape.params
    for job, start in enumerate(shape.starts):
        i, others = divmod(index[0] - start // params.theta, params.sigma)
        if name not in CONSTANTS and not others and 0 <= i < params.digits:
            return job
    return None
