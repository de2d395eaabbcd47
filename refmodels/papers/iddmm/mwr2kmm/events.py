# SPDX-License-Identifier: Apache-2.0
"""Corner operands and events of MWR2^kMM: Booth digits, and words and sign of the accumulator."""

from collections.abc import Callable, Iterator

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import Corner, Index
from limbtrace.refmodels.montgomery import serial_corners
from limbtrace.refmodels.papers.iddmm.mwr2kmm.algorithm import FIGURE, MENDED, Mwr2kmm, recoded
from limbtrace.refmodels.serial_events import (
    ATTEMPTS,
    A,
    Accumulator,
    around_modulus,
    operand_events,
    quotient_events,
    step_event,
    word_events,
)


def corner_operands(params: Mwr2kmm) -> Iterator[Corner]:
    """The corners of every algorithm, and the extremes of the recoding."""
    yield from serial_corners(params)
    k, (a_max, b_max) = params.radix_bits, params.limits
    half = 1 << (k - 1)
    for high, low, which in (
        (half - 1, half, "-2^(k-1) and 2^(k-1) in turn"),
        (half, half, "-2^(k-1), then -2^(k-1) + 1"),
        (half - 1, 0, "0 and 2^(k-1) - 1 in turn"),
    ):
        a = sum((high << k | low) << (2 * k * i) for i in range(params.digits // 2 + 1))
        yield Corner(a & a_max, b_max, f"Booth digits {which}")


ACCUMULATOR = Accumulator(
    A, FIGURE, lambda params, index: params.radix_bits * (index[0] + 1 if index else params.digits), signed=True
)


def _booth_event(condition: str, value: Callable[[int], int]) -> Event[Mwr2kmm]:
    """A digit of X that is `value`, given 2^(k-1)."""

    def digit(params: Mwr2kmm) -> int:
        return value(params.radix // 2)

    def groups(params: Mwr2kmm, index: Index) -> list[int]:
        """The k bits and the one below them, at their place in 2X: most digits are written in two ways."""
        found = []
        for below in (0, 1) if index[0] else (0,):
            bits = (digit(params) - below) % params.radix
            negative = bits >= params.radix // 2
            if bits + below - negative * params.radix == digit(params):
                found.append((bits << 1 | below) << params.radix_bits * index[0])
        return [group for group in found if group >> 1 <= params.limits[0]]

    def construct(params: Mwr2kmm, index: Index, draw: Draw) -> Iterator[Pair]:
        a_max, b_max = params.limits
        bits = (2 * params.radix - 1) << params.radix_bits * index[0]
        for _ in range(ATTEMPTS):
            for group in groups(params, index):
                yield ((draw.below(a_max + 1) << 1) & ~bits | group) >> 1, draw.below(b_max + 1)

    def reachable(params: Mwr2kmm, index: Index) -> str | None:
        return None if groups(params, index) else "no X that is small enough has such bits there"

    def places(params: Mwr2kmm) -> Iterator[Index]:
        half = params.radix // 2
        known = [digit for name, digit in _BOOTH.items() if name < condition and digit(half) == value(half)]
        return iter(()) if known else ((i,) for i in range(params.digits))

    return step_event(
        "qY",
        condition,
        statement=f"a Booth digit of X is {condition.removeprefix('=')}",
        hunts="a multiple of Y that is wrong, or a sign that is not repeated",
        source=MENDED,
        places=places,
        happens=lambda seen, params, index: seen == digit(params),
        construct=construct,
        reachable=reachable,
        closed=_booth_digit,
    )


def _booth_digit(params: Mwr2kmm, index: Index, a: int, b: int) -> int:
    group = 2 * a >> params.radix_bits * index[0] & (2 << params.booth_bits) - 1
    return int(recoded(group, params.booth_bits))


_BOOTH: dict[str, Callable[[int], int]] = {
    "=-2^(k-1)": lambda half: -half,
    "=-2^(k-1)+1": lambda half: 1 - half,
    "=-1": lambda half: -1,
    "=0": lambda half: 0,
    "=1": lambda half: 1,
    "=2^(k-1)-1": lambda half: half - 1,
    "=2^(k-1)": lambda half: half,
}

EVENTS = (
    *quotient_events("qp", FIGURE, places=lambda params: ((i,) for i in range(params.digits))),
    *(_booth_event(condition, value) for condition, value in _BOOTH.items()),
    *word_events(
        "S",
        ACCUMULATOR,
        places=lambda params: ((i, j) for i in range(params.digits) for j in (*range(params.NW - 1), params.top_word)),
        width=lambda params: int(params.w),
    ),
    step_event(
        "S",
        "<0",
        statement="the accumulator is negative",
        hunts="a sign that is not repeated by the shift",
        source=MENDED,
        places=lambda params: ((i, params.top_word) for i in range(params.digits)),
        happens=lambda value, params, index: value >> params.w - 1 == 1,
        closed=lambda params, index, a, b: (
            ACCUMULATOR.value(params, index, a, b) >> params.w * params.top_word & (1 << params.w) - 1
        ),
    ),
    *around_modulus("Sfinal", ACCUMULATOR, places=lambda params: ((),), value=lambda seen, index: seen.at("Sfinal")),
    *operand_events(FIGURE, digits=False),
)
