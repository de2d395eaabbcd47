# SPDX-License-Identifier: Apache-2.0
"""Corner operands and events of the chain of squarings: its ends, and what its last product resolves and subtracts."""

from collections.abc import Callable, Iterator

import gmpy2

from limbtrace.refmodels.batch_digits import Digit, objects
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair, Seen
from limbtrace.refmodels.model import Corner, Index
from limbtrace.refmodels.papers.llmonpro.vdf.algorithm import SECTION, Vdf, after, leave
from limbtrace.refmodels.serial_events import operand_events, step_event


def corner_operands(p: Vdf) -> Iterator[Corner]:
    """Starting values that stay unchanged, become 1, or make x*R mod M a given value."""
    M = p.modulus
    inverse = pow(p.domain, -1, M)
    yield Corner(0, 0, "x = 0 stays 0")
    yield Corner(1, 0, "x = 1 stays 1")
    yield Corner(M - 1, 0, "x = -1 becomes 1")
    yield Corner(2, 0, "x = 2")
    yield Corner(inverse, 0, "x*R mod M = 1")
    yield Corner((M - inverse) % M, 0, "x*R mod M = M - 1")
    for root in (3, 5, 7):
        yield Corner(root * inverse % M, 0, f"x*R mod M = {root % M}")


def _entered_event(condition: str, value: Callable[[int], int]) -> Event[Vdf]:
    """x*R mod M is a given value, of which M is told."""
    return step_event(
        "x_mont",
        condition,
        statement=f"x*R mod M is {condition[1:]}",
        hunts="a chain that stays at 0, 1 or -1",
        source=SECTION,
        places=lambda params: () if params.entry else ((0,),),
        happens=lambda seen, params, index: seen == value(params.modulus),
        construct=lambda params, index, draw: iter(
            [(value(params.modulus) * int(gmpy2.invert(params.domain, params.modulus)) % params.modulus, 0)]
        ),
    )


def _drawn(params: Vdf, index: Index, draw: Draw) -> Iterator[Pair]:
    for _ in range(64):
        yield draw.of_any_width(params.modulus - 1), 0


def root(params: Vdf, y: int) -> int | None:
    """An x with x^(2^t) = y modulo a prime M, if y has a root of odd order; otherwise None."""
    M = params.modulus
    odd = M - 1 >> int(gmpy2.bit_scan1(M - 1))
    found = gmpy2.powmod(y, gmpy2.powmod(2, -params.t, odd), M)
    return int(found) if gmpy2.powmod(y, odd, M) == 1 else None


def _with_results(draw_y: Callable[[Vdf, Index, Draw], int]) -> Callable[[Vdf, Index, Draw], Iterator[Pair]]:
    """Chains that end with such results, then drawn ones, which is all there is for a composite M."""

    def construct(params: Vdf, index: Index, draw: Draw) -> Iterator[Pair]:
        if gmpy2.is_prime(params.modulus):
            roots = (root(params, draw_y(params, index, draw)) for _ in range(64))
            yield from ((x, 0) for x in roots if x is not None)
        yield from _drawn(params, index, draw)

    return construct


def _top_places(params: Vdf) -> Iterator[Index]:
    """Digits of M but for the lowest."""
    return ((j,) for j in range(1, -(-params.modulus.bit_length() // params.radix_bits)))


def _zeros_below(params: Vdf, index: Index, draw: Draw) -> int:
    shift = params.radix_bits * index[0]
    return draw.between(1, max(params.modulus - 1 >> shift, 1)) << shift


def _next_to_modulus(params: Vdf, index: Index, draw: Draw) -> int:
    return params.modulus - draw.between(1, max(params.modulus % (1 << params.radix_bits * index[0]), 1))


def _small_result(params: Vdf, index: Index, draw: Draw) -> int:
    """<Q0> is R or more only where q0 is small, and so is the result."""
    above, beta = params.excess
    return draw.between(1, max(params.modulus * (above - beta) // beta, 1))


def _subtracted(seen: Seen[Vdf], index: Index) -> Digit:
    p, a = seen.params, seen.a
    x, _ = p.split(a, 0) if isinstance(a, int) else p.split_batch(a, ())
    sub, _ = leave(p, after(p, x, p.t))
    return (sub if isinstance(sub, int) else objects(sub, len(a))) == 1


def _never_subtracted(params: Vdf, index: Index) -> str | None:
    """Columns of T0*M' that carry nothing into digits below k make a <Q0> below R, and then the value is at most M.

    T are the digits of Z*1: those below digit 3 are below beta, and no other is above it. Modulo a prime, only x = 0
    ends with a multiple of M, and it ends with 0.
    """
    beta, (M_, _) = params.radix, params.factors
    if not params.corrected or not gmpy2.is_prime(params.modulus):
        return None
    for j in range(params.k - 1):
        low = sum((beta - 1) * (M_[j - i] > 0) for i in range(j + 1))
        high = sum(max(M_[j - 1 - i] - (i < 3), 0) for i in range(j))
        if low + high >= beta:
            return None
    return "the digits of Q0 are canonical in the last product, whose value is then below M"


EVENTS = (
    Event(
        "y",
        "_low=0",
        statement="the low i digits of the result are 0, where the carry of redundant digits ripples",
        hunts="a carry chain that is cut in the last resolution",
        source=SECTION,
        where=_top_places,
        happens=lambda seen, index: (seen.at("y") > 0) & (seen.at("y") % (1 << seen.params.radix_bits * index[0]) == 0),
        construct=_with_results(_zeros_below),
    ),
    Event(
        "y",
        "_top=M",
        statement="the result has the digits of M from digit i on, where the borrow of the comparison ripples",
        hunts="a borrow that is not carried through equal digits",
        source=SECTION,
        where=_top_places,
        happens=lambda seen, index: (seen.at("y") ^ seen.params.modulus) >> seen.params.radix_bits * index[0] == 0,
        construct=_with_results(_next_to_modulus),
    ),
    Event(
        "y",
        "_subtracted",
        statement="the last value is M or more",
        hunts="a last subtraction that is missing or goes wrong",
        source=SECTION,
        where=lambda params: ((),),
        happens=_subtracted,
        construct=_with_results(_small_result),
        reachable=_never_subtracted,
    ),
    _entered_event("=0", lambda M: 0),
    _entered_event("=1", lambda M: 1),
    _entered_event("=M-1", lambda M: M - 1),
    step_event(
        "z",
        ">=M",
        statement="the value after a squaring is not below M",
        hunts="a value that is taken for reduced",
        source=SECTION,
        places=lambda params: ((i,) for i in range(1, params.t + 1)),
        happens=lambda seen, params, index: seen >= params.modulus,
        construct=_drawn,
    ),
    step_event(
        "y",
        "=0",
        statement="the result is 0",
        hunts="a comparison with M that is off by one",
        source=SECTION,
        places=lambda params: ((),),
        happens=lambda seen, params, index: seen == 0,
        construct=lambda params, index, draw: iter([(0, 0)]),
    ),
    step_event(
        "y",
        "=1",
        statement="the result is 1",
        hunts="a comparison with M that is off by one",
        source=SECTION,
        places=lambda params: ((),),
        happens=lambda seen, params, index: seen == 1,
        construct=lambda params, index, draw: iter([(1, 0), (params.modulus - 1, 0)]),
    ),
    *operand_events(SECTION, modulus="M", digits=False, unary=True),
)
