# SPDX-License-Identifier: Apache-2.0
"""Sums of words at their ends, multiples of p, and operands and results at theirs."""

from collections.abc import Callable, Iterator
from typing import Any

from limbtrace.refmodels import value_events
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair, Seen
from limbtrace.refmodels.integer_models import Steered, common_corners, draws, once, result_events
from limbtrace.refmodels.model import Corner, Index
from limbtrace.refmodels.papers.fold.solinas.algorithm import REFERENCE, Solinas

_COMPARISON = "a subtraction that is missing, or a comparison with a multiple of p that is off by one"


HighWords = Callable[[Solinas, Index, Draw], list[int]]


def _with_high_words(wanted: HighWords) -> Steered[Solinas]:
    """Products with these high words: a factor near its limit, and what makes the words with it, as far as it does."""

    def construct(p: Solinas, index: Index, draw: Draw) -> Iterator[Pair]:
        for _ in range(64):
            high = sum(word << p.w * i for i, word in enumerate(wanted(p, index, draw)))
            a = p.limits[0] - draw.of_any_width(p.limits[0] >> 1)
            target = (high << p.bits) + draw.below(1 << p.bits)
            if a:
                yield a, min(-(-target // a), p.limits[1])

    return construct


def _extreme(p: Solinas, j: int, sign: int) -> list[int]:
    """High words of ones where they count with that sign in sum j, else 0."""
    return [((1 << p.w) - 1) * (sign * number > 0) for number in p.matrix[j]]


def _near(sign: int) -> HighWords:
    """High words that make the total large, or small, since they count so in high sums."""

    def wanted(p: Solinas, index: Index, draw: Draw) -> list[int]:
        totals = [sum(row[i] << p.w * j for j, row in enumerate(p.matrix)) for i in range(p.n)]
        return [((1 << p.w) - 1) * (sign * total > 0) if draw.below(8) else draw.below(1 << p.w) for total in totals]

    return wanted


def _high_part(seen: Seen[Solinas], index: Index) -> Any:
    """The part of a sum that the high words make."""
    j = index[0]
    return seen.at("s", j) - seen.at("c", j)


def _sum_event(sign: int, name: str, statement: str, value: Callable[[Solinas, int], int]) -> Event[Solinas]:
    def reachable(p: Solinas, index: Index) -> str | None:
        high = sum(word << p.w * i for i, word in enumerate(_extreme(p, index[0], sign)))
        most = p.limits[0] * p.limits[1] >> p.bits
        return f"the high words are {high:#x} then, and at most {most:#x}" if high > most else None

    return Event(
        "s", name, statement=statement, hunts="a carry or a borrow out of a sum of words that is cut",
        source=REFERENCE,
        where=lambda p: ((j,) for j, row in enumerate(p.matrix) if any(sign * number > 0 for number in row)),
        happens=lambda seen, index: _high_part(seen, index) == value(seen.params, index[0]),
        construct=_with_high_words(lambda p, index, draw: _extreme(p, index[0], sign)), reachable=reachable,
    )  # fmt: skip


def _quotient_event(k: int) -> Event[Solinas]:
    """How often p goes into U, for k multiples more or fewer than m."""

    def construct(p: Solinas, index: Index, draw: Draw) -> Iterator[Pair]:
        yield from draws(p, index, draw)
        for sign in (-1, 1):
            yield from _with_high_words(_near(sign))(p, index, draw)

    def reachable(p: Solinas, index: Index) -> str | None:
        quotient, most = p.m + k, p.largest_sum // p.modulus
        if quotient < 0:
            return f"the sums are not below {-p.m}*p"
        return f"p goes {most} times into U at most" if quotient > most else None

    times = f"m {'+-'[k < 0]} {abs(k)}" if k else "m"
    return Event(
        "U", f"=m{k:+}" if k else "=m", statement=f"p goes {times} times into U", hunts=_COMPARISON,
        source=REFERENCE, where=once,
        happens=lambda seen, index: seen.at("U") // seen.params.modulus == seen.params.m + k,
        construct=construct, reachable=reachable,
    )  # fmt: skip


EVENTS: tuple[Event[Solinas], ...] = (
    _sum_event(1, "=high", "the high words count as much as they can in a sum",
               lambda p, j: p.ends[j][1] - (1 << p.w) + 1),
    _sum_event(-1, "=low", "the high words count as little as they can in a sum", lambda p, j: p.ends[j][0]),
    *(_quotient_event(k) for k in range(-2, 4)),
    Event(
        "R", "=0", statement="what is left is a multiple of p, and the product is not 0", hunts=_COMPARISON,
        source=REFERENCE, where=once,
        happens=lambda seen, index: (seen.result == 0) & (seen.at("T") > 0),
        construct=lambda p, index, draw: value_events.with_residue(p, 0, draw), reachable=value_events.no_multiple,
    ),
    *result_events(REFERENCE),
)  # fmt: skip


def corners(params: Solinas) -> Iterator[Corner]:
    p, most, N, w = params.modulus, params.limits[0], params.bits, params.w
    found = (
        *common_corners(p, most),
        Corner(most, most, "both operands as large as they may be"),
        Corner(1 << N - 1, 2, "the product is 2^N"),
        Corner(1 << N - 1, 1 << N - 1, "the top bits alone"),
        Corner((1 << N - w) - 1, (1 << N - w) - 1, "the top words are 0, and all others are ones"),
    )
    return (corner for corner in found if max(corner.a, corner.b) <= most)
