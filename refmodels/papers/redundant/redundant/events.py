# SPDX-License-Identifier: Apache-2.0
"""Corner operands and events of the redundant multiplier: overlap bits, the dropped carry, and the top digits."""

from collections.abc import Callable, Iterator

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import Corner, Index, Run
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant.family import OVERLAP
from limbtrace.refmodels.papers.redundant.redundant.algorithm import CIRCUIT, MENDED, Redundant
from limbtrace.refmodels.papers.redundant.redundant.claims import k_limit, s_limit, t_limit
from limbtrace.refmodels.representations import low, value_of
from limbtrace.refmodels.serial_events import ATTEMPTS, around_modulus, drawn, quotient_digit, step_event, total_value


def corner_operands(params: Redundant) -> Iterator[Corner]:
    """The corners of Algorithm 1, and operands b with extreme digits of r2 bits."""
    yield from redundant.corners(params)
    r2, top = params.r2, params.limits[1]
    if 1 << r2 <= top:
        yield Corner(1, 1 << r2, "b = 2^r2: a quotient digit that is not 0, and no carry of the dropped bits")
    full = [params.parallel.largest] * ((top.bit_length() - 1 - r2 - OVERLAP) // r2 + 1)
    yield Corner(top, int(value_of(full, r2)), "b from digits of ones, overlap bits among them")


_ACCUMULATOR = redundant.result_accumulator(MENDED)


def _digits_of(first: int, count: Callable[[Redundant], int]) -> Callable[[Redundant], Iterator[Index]]:
    """The digits of a vector, in every iteration from `first` on."""
    return lambda params: ((i, j) for i in range(first, params.passes + 1) for j in range(count(params)))


def _overlap_event(step: str, value: int, places: Callable[[Redundant], Iterator[Index]]) -> Event[Redundant]:
    def reachable(params: Redundant, index: Index) -> str | None:
        most = min(_LIMITS[step](Run(params, 0, 0, (), 0), index), _largest(params, step) >> params.r2 * index[1])
        return f"the digit is at most {most:#x}" if most < value << params.r2 else None

    return step_event(
        step,
        f".overlap={value}",
        statement=f"the overlap bits of a digit of {step} are {value}",
        hunts="an overlap bit that is dropped, or added at the wrong weight",
        source=CIRCUIT,
        places=places,
        happens=lambda seen, params, index: seen >> params.r2 == value,
        construct=drawn,
        reachable=reachable,
    )


_LIMITS = {"S": s_limit, "K": k_limit, "T": t_limit}


def _largest(params: Redundant, step: str) -> int:
    """A bound of what all digits of a vector are worth."""
    a_i = params.serial.largest if params.filling else params.radix - 1
    product = a_i * params.limits[1]
    S = params.added + params.largest_quotient * params.added // params.radix + params.limits[1] + product
    return {"K": product, "S": S, "T": S + params.largest_quotient * params.added}[step]


def _top_event(condition: str, statement: str, down: int) -> Event[Redundant]:
    """A digit of S, so many below ds, is not 0."""

    def reachable(params: Redundant, index: Index) -> str | None:
        most = _largest(params, "S")
        return f"S is at most {most:#x}" if most >> params.r2 * index[1] == 0 else None

    return step_event(
        "S",
        condition,
        statement=statement,
        hunts="a top digit that is cut",
        source=MENDED,
        places=lambda params: ((i, params.ds - down) for i in range(1, params.passes + 2)),
        happens=lambda seen, params, index: seen > 0,
        construct=drawn,
        reachable=reachable,
    )


def _carry_event(value: int) -> Event[Redundant]:
    """c, which is 1 unless the low bits of q are 0."""

    def construct(params: Redundant, index: Index, draw: Draw) -> Iterator[Pair]:
        i = index[0] - 1
        for _ in range(ATTEMPTS if i >= 0 else 0):
            high = draw.below(1 << params.r1 - params.r2) << params.r2
            yield from quotient_digit(params, i, high if value == 0 else high + 1, draw)

    def reachable(params: Redundant, index: Index) -> str | None:
        return "q is 0 in the first iteration" if value and index[0] == 0 else None

    return step_event(
        "c",
        f"={value}",
        statement=f"the carry of the dropped bits is {value}",
        hunts="the carry c, which the printed form drops",
        source=MENDED,
        places=lambda params: ((i,) for i in range(params.passes + 1)),
        happens=lambda seen, params, index: seen == value,
        construct=construct,
        reachable=reachable,
        closed=lambda params, index, a, b: int(
            low(a * b * params.negative_inverse << params.r1 >> params.r1 * index[0], params.r2) != 0
        ),
    )


EVENTS = (
    *redundant.quotient_and_operand_events(CIRCUIT),
    *(_overlap_event("S", value, _digits_of(1, lambda params: params.ds)) for value in (0, 1, 2)),
    *(_overlap_event("K", value, _digits_of(0, lambda params: params.d + 2)) for value in (0, 1)),
    *(_overlap_event("T", value, _digits_of(1, lambda params: params.ds + 1)) for value in (0, 1, 2, 3)),
    _carry_event(0),
    _carry_event(1),
    _top_event("_top>0", "the highest digit of S is not 0", 1),
    _top_event("_second>0", "the digit of S below the highest is not 0", 2),
    *around_modulus(
        "result",
        _ACCUMULATOR,
        places=redundant.without_tail(lambda params: ((),) if params.closed else ()),
        value=total_value,
        modulus="M~",
    ),
)
