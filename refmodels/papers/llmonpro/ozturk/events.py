# SPDX-License-Identifier: Apache-2.0
"""Corner operands and events of OzturkPolMul: overlap bits, zeros and large columns."""

from collections.abc import Iterator
from itertools import count, islice

from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.model import Corner, Index
from limbtrace.refmodels.papers.llmonpro.ozturk.algorithm import SOURCE, Ozturk, pairs
from limbtrace.refmodels.representations import Written
from limbtrace.refmodels.serial_events import operand_digit_events, step_event


def corner_operands(p: Ozturk) -> Iterator[Corner]:
    """Operands whose digits are all maximal, all ones, all equal to the radix, or 0 except for the top one."""
    d, k, beta = p.radix_bits, p.k, p.radix

    def vector(*digits: int) -> Written:
        return Written(list(islice((digits[i % len(digits)] for i in count()), k + 1)), d)

    most = 2 * beta - 1
    yield Corner(vector(most), vector(most), "every digit is as large as it may be")
    yield Corner(vector(beta - 1), vector(beta - 1), "every digit is beta - 1")
    yield Corner(vector(beta - 1), vector(beta + 1), "digits of beta - 1 with digits of beta + 1")
    yield Corner(vector(most, 0), vector(0, most), "large digits beside zeros")
    yield Corner(vector(beta), vector(beta), "every digit is the radix")
    yield Corner(vector(most), 1, "times 1: the digits are partly resolved")
    yield Corner(1 << d * k, 1 << d * k, "the top digits alone")
    yield Corner(0, vector(most), "0")


def _drawn_digits(params: Ozturk, index: Index, draw: Draw) -> Iterator[tuple[int, int]]:
    """Digits near the radix beside each other, and operands of any kind."""
    for _ in range(64):
        pair = []
        for _ in "ab":
            less = draw.of_any_width(params.radix - 1)
            digits = (max(params.radix - 1 - less - draw.below(2), 0) for _ in range(params.k + 1))
            pair.append(sum(digit << params.radix_bits * j for j, digit in enumerate(digits)))
        yield pair[0], pair[1]
        yield draw.pattern(params.limits[0], params.radix_bits), draw.pattern(params.limits[1], params.radix_bits)


EVENTS = (
    step_event(
        "C",
        ">=beta",
        statement="a digit of the product needs its overlap bit",
        hunts="an overlap bit that is dropped",
        source=SOURCE,
        places=lambda params: ((j,) for j in range(2, 2 * params.k + 2)),
        happens=lambda value, params, index: value >> params.radix_bits > 0,
        construct=_drawn_digits,
    ),
    step_event(
        "C",
        "=0",
        statement="a digit of the product is 0",
        hunts="a carry out of a digit of zeros",
        source=SOURCE,
        places=lambda params: ((j,) for j in range(2 * params.k + 2)),
        happens=lambda value, params, index: value == 0,
        construct=_drawn_digits,
    ),
    step_event(
        "D",
        "_large",
        statement="a column is at least half of what canonical digits make of it",
        hunts="a column that is too short",
        source=SOURCE,
        places=lambda params: ((j,) for j in range(2 * params.k + 2)),
        happens=lambda value, params, index: (
            value >= (params.radix - 1) * (pairs(params.k, index[0]) + pairs(params.k, index[0] - 1)) // 2
        ),
        construct=_drawn_digits,
    ),
    *operand_digit_events(SOURCE),
)
