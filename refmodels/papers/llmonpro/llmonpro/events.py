# SPDX-License-Identifier: Apache-2.0
"""Corner operands and events of LLMonPro: low halves that are R or more, the carry, overlap bits, and full columns."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, into_range
from limbtrace.refmodels.event import Event, Pair, Seen, never
from limbtrace.refmodels.model import Corner, Index, Run
from limbtrace.refmodels.montgomery import corners
from limbtrace.refmodels.papers.llmonpro.llmonpro.algorithm import MENDED, Llmonpro
from limbtrace.refmodels.papers.llmonpro.llmonpro.claims import carry_limit
from limbtrace.refmodels.representations import Written
from limbtrace.refmodels.serial_events import ATTEMPTS, drawn, operand_events, step_event


def directed(p: Llmonpro) -> Iterator[Corner]:
    """Operands for which <T0>, <S0> or <Q0> is R or more.

    With random operands, <T0> or <S0> is R or more in about one case of 2^d/(1.5(k-2)), and never for k <= 2.
    """
    R, M, limit = p.domain, p.modulus, p.limits[0]
    for t0, what in (
        (1, "t0 = 1: <T0> is R + 1, and the printed carry one too small"),
        (R - 1, "t0 = R - 1: <S0> is R + 1, and the printed carry one too small"),
        (R - M, "q0 = 1: <Q0> is R + 1, which adds M once more"),
    ):
        found = 0
        for a in (3, *range(M - 2, max(M - 400, 3), -2)):
            b = t0 * pow(a, -1, R) % R
            if b < M and found < 2:
                found += 1
                yield Corner(a, b, what)
    if (R + 2) % 3 == 0 and limit >= (R + 2) // 3:
        yield Corner(3, (R + 2) // 3, "A*B = R + 2: <T0> is R + 2")


def corner_operands(p: Llmonpro) -> Iterator[Corner]:
    """The directed operands, the corners of every Montgomery multiplication, and redundant digits."""
    d, k, R = p.radix_bits, p.k, p.domain
    yield from directed(p)
    yield from corners(p)
    if p.r_bits % 2 == 0 and p.domain <= p.limits[0] ** 2:
        yield Corner(1 << p.r_bits // 2, 1 << p.r_bits // 2, "A*B = R: T0 = 0 and no carry")
    ones = Written([p.radix, *[p.radix - 1] * (k - 1), 0], d)
    if ones <= p.limits[0]:
        yield Corner(ones, 1, "redundant digits: R, as beta and k - 1 digits of beta - 1")
    yield Corner(R - 1, R - 1, "digits of all ones")


def low_halves(params: Llmonpro, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands whose product is `value` modulo R, so that its digits may be worth R more."""
    a_max, b_max = params.limits
    for _ in range(ATTEMPTS):
        a = draw.below(a_max + 1) | 1
        b = into_range(draw, a, params.domain, value, value, 0, b_max)
        if b is not None:
            yield a, b


def _near_the_ends(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """<T0>, <S0> or <Q0> is R or more only where t0, R - t0 or q0 is small: the digits below it carry then."""
    R, M = params.domain, params.modulus
    for small in (1, 1, 2, 3, *(1 + draw.of_any_width(params.radix) for _ in range(ATTEMPTS))):
        for t0 in (small, R - small, -small * M % R):
            yield from islice(low_halves(params, t0 % R, draw), 2)


def _digit_places(params: Llmonpro) -> Iterator[Index]:
    return ((j,) for j in range(2, params.shown))


def _drawn_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Digits near the radix beside each other: their products are large in all columns."""
    beta, (a_max, b_max) = params.radix, params.limits
    unit = (params.domain - 1) // (beta - 1)
    for _ in range(ATTEMPTS):
        pair = []
        for limit in (a_max, b_max):
            digits = beta - 1 - draw.of_any_width(beta - 2)
            number = digits * unit - (draw.bits(params.r_bits) & unit)
            pair.append(min(number + (draw.below(2) << params.r_bits), limit))
        yield pair[0], pair[1]
    yield from drawn(params, index, draw)


def _column_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands of one digit each, and 1 above: beta - u and beta - v with u*v = -1 modulo beta."""
    beta, unit = params.radix, (params.domain - 1) // (params.radix - 1)
    for attempt in range(ATTEMPTS):
        # With an even d both are as small as can be together: (2^(d/2) + 1)*(2^(d/2) - 1) = beta - 1.
        u = (1 << params.radix_bits // 2) + 1 if attempt == 0 else draw.below(beta // 2) | 1
        v = -int(gmpy2.invert(u, beta)) % beta
        yield params.domain + (beta - u) * unit, params.domain + (beta - v) * unit


def _steered(params: Llmonpro, choose: Callable[[int, int], int]) -> list[int] | None:
    """k canonical digits of T0, low one first, that make digit j of Q the value that `choose` returns.

    `choose` is given j and what the column below carries, and returns the digit without it: digit j of T0 is free to
    bring about any below beta, since M'_0 is odd and digits below are not changed by it. None if it is not a digit.
    """
    beta, (M_, _) = params.radix, params.factors
    inverse, T, below = int(gmpy2.invert(M_[0], beta)), list[int](), 0
    for j in range(params.k):
        low = sum(T[i] * M_[j - i] % beta for i in range(j))
        column = low + sum(T[i] * M_[j - 1 - i] // beta for i in range(j))
        if not 0 <= (wanted := choose(j, below // beta)) < beta:
            return None
        T.append((wanted - column) * inverse % beta)
        below = column + T[j] * M_[0] % beta
    return T


def _value(params: Llmonpro, digits: Sequence[int]) -> int:
    return sum(digit << params.radix_bits * j for j, digit in enumerate(digits))


def _largest_quotient_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """B = 1, so that A is T0: column j of T0*M', and for every other pair the next one, are all ones below a carry."""
    beta = params.radix
    full = {min(index[0], params.k - 1)}
    for attempt in range(ATTEMPTS):
        wide = full | {max(full) - 1} if attempt % 2 else full
        if (T := _steered(params, lambda j, _: beta - 1 if j in wide else draw.below(beta))) is not None:  # noqa: B023
            yield _value(params, T), 1


def _large_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Digit k + j of S is steered by one digit of Q, that of T by digit k - 1 of B, and Q by digits of A.

    B is 1 + y*beta^(k-1) + z*R, so that the digits of T below k - 1 are those of A.
    """
    beta, k, (j,), (_, M) = params.radix, params.k, index, params.factors
    for attempt in range(ATTEMPTS if j < k - 2 and beta > 4 * k else 0):
        Q = [draw.between(2 * k, beta - 1) for _ in range(k)]
        s = j + (attempt // 2 % (k - j) if attempt % 2 else 0)
        Q[s] = 0
        column = _column(Q, M, k + j, beta)
        spare = draw.below(2)
        q = _of_column(draw, M[k + j - s] * beta + M[k + j - s - 1], beta, -1 - column, spare, beta + 2 * k)
        if q is None:
            continue
        Q[s] = q
        if (A := _steered(params, lambda i, below: Q[i] - below)) is None:  # noqa: B023
            continue
        z = draw.below(2) if params.limits[1] >= params.domain else 0
        y = _of_column(draw, A[j + 1] * beta + A[j], beta, -1 - z * A[j], spare, beta)
        if y is not None:
            A[k - 1] = (A[k - 1] - A[0] * y) % beta
            yield _value(params, A), 1 + (y << params.radix_bits * (k - 1)) + z * params.domain


def _column(X: Sequence[int], Y: Sequence[int], at: int, beta: int) -> int:
    """Column `at` of X*Y without third pieces, modulo beta."""
    low = sum(x * Y[at - i] for i, x in enumerate(X) if 0 <= at - i < len(Y))
    high = sum(x * Y[at - 1 - i] // beta for i, x in enumerate(X) if 0 <= at - 1 - i < len(Y))
    return (low + high) % beta


def _of_column(draw: Draw, two: int, beta: int, top: int, spare: int, limit: int) -> int | None:
    """A digit x below `limit` with floor(x*two/beta) = top modulo beta, or up to `spare` less.

    `two` is worth two digits: x adds to a column the low half of its product with the upper one and the high half of
    that with the lower one.
    """
    low = (top - spare) % beta
    return into_range(draw, two, beta * beta, low * beta, (low + spare + 1) * beta - 1, 0, limit - 1)


def _drawn_sums(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    yield from islice(_large_digits(params, index, draw), ATTEMPTS // 4)
    yield from _drawn_digits(params, index, draw)


def _wide_s(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    if index[0] >= params.k:
        yield from islice(_large_digits(params, (index[0] - params.k,), draw), ATTEMPTS // 4)
    yield from _drawn_digits(params, index, draw)


def _third_piece(seen: Digit, params: Llmonpro, index: Index) -> Digit:
    return seen >= -(-(params.radix**2) // max(params.factors[1]))


def _no_third_piece(params: Llmonpro, index: Index) -> str | None:
    """2j - 1 pieces below beta and j - 2 third ones, which are 1, carry into digit j."""
    j, beta = index[0], params.radix
    most = beta - 1 + ((2 * j - 1) * (beta - 1) + max(j - 2, 0)) // beta
    excluded = params.corrected and not _third_piece(most, params, index)
    return f"a digit of Q is at most {most:#x} there" if excluded else None


def _columns_happen(params: Llmonpro, a: Digit, b: Digit) -> Digit:
    d, low, unit = params.radix_bits, params.radix - 1, (params.domain - 1) // (params.radix - 1)
    x, y = a & low, b & low
    found = (a == params.domain + x * unit) & (b == params.domain + y * unit)
    return found & (x >> d - 1 == 1) & (y >> d - 1 == 1) & (x * y & low == low)


def _carry_event(value: int) -> Event[Llmonpro]:
    def construct(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
        if value:
            yield from _near_the_ends(params, index, draw)
        else:
            for _ in range(ATTEMPTS):
                shift = draw.below(params.r_bits + 1)
                yield 1 << shift, 1 << params.r_bits - shift

    def reachable(params: Llmonpro, index: Index) -> str | None:
        most = carry_limit(Run(params, 0, 0, (), 0), index) if params.k > 2 else 1
        return f"the carry is at most {most} there" if params.corrected and value > most else None

    return step_event(
        "carry",
        f"={value}",
        statement=f"the carry of the low halves is {value}",
        hunts="the printed carry, which only says whether T0 is not 0",
        source=MENDED,
        places=lambda params: ((),),
        happens=lambda seen, params, index: seen == value,
        construct=construct,
        reachable=reachable,
    )


def _low_half_event(name: str) -> Event[Llmonpro]:
    return Event(
        f"{name}0",
        ">=R",
        statement=f"the digits of {name} below k are worth R or more",
        hunts="a carry that is one too small",
        source=MENDED,
        where=lambda params: ((),),
        happens=lambda seen, index: sum_of_digits(seen, name) >= seen.params.domain,
        construct=_near_the_ends,
        reachable=lambda params, index: "k is at most 2, so they are worth less than R" if params.k < 3 else None,
    )


def sum_of_digits(seen: Seen[Llmonpro], name: str) -> Digit:
    """<X0>, of one product or of a batch."""
    total: Digit = seen.a * 0  # of the kind that holds any width
    for j in range(seen.params.k):
        total = total + (seen.at(name, j) * (seen.a * 0 + 1) << seen.params.radix_bits * j)
    return total


def _wide_event(name: str) -> Event[Llmonpro]:
    """A digit of T, Q or S that needs its overlap bit."""

    def reachable(params: Llmonpro, index: Index) -> str | None:
        return "the top digit is at most 4" if params.corrected and index[0] == params.shown - 1 else None

    return step_event(
        name,
        ">=beta",
        statement=f"a digit of {name} needs its overlap bit",
        hunts="an overlap bit that is dropped",
        source=MENDED,
        places=_digit_places,
        happens=lambda seen, params, index: seen >> params.radix_bits > 0,
        construct=_wide_s if name == "S" else _drawn_digits,
        reachable=reachable if name == "T" else never,
    )


EVENTS = (
    step_event(
        "E",
        ">=2beta",
        statement="a sum of T1 and S1 needs two bits more than a digit",
        hunts="a bit of a sum that is lost",
        source=MENDED,
        places=lambda params: ((j,) for j in range(params.kept)),
        happens=lambda seen, params, index: seen >> params.radix_bits > 1,
        construct=_drawn_sums,
    ),
    step_event(
        "Q",
        "_thirds",
        statement="a digit of Q0 has a product of three pieces with the largest digit of M",
        hunts="a piece of a product that is dropped",
        source=MENDED,
        places=lambda params: ((j,) for j in range(1, params.k)),
        happens=_third_piece,
        construct=_largest_quotient_digits,
        reachable=_no_third_piece,
    ),
    step_event(
        "S",
        "_top>0",
        statement="digit 2k of S is not 0",
        hunts="a top digit that is dropped",
        source=MENDED,
        places=lambda params: ((2 * params.k,),),
        happens=lambda seen, params, index: seen > 0,
        construct=_largest_quotient_digits,
    ),
    *map(_carry_event, range(4)),
    *map(_low_half_event, "TQS"),
    *map(_wide_event, "TQS"),
    step_event(
        "Z",
        ">=beta",
        statement="a digit of the result needs its overlap bit",
        hunts="an overlap bit that is dropped",
        source=MENDED,
        places=lambda params: ((j,) for j in range(params.kept)),
        happens=lambda seen, params, index: seen >> params.radix_bits > 0,
        construct=_drawn_digits,
    ),
    Event(
        "Z",
        "_top>0",
        statement="digit k of the result is not 0",
        hunts="a top digit that is dropped",
        source=MENDED,
        where=lambda params: ((params.k,),),
        happens=lambda seen, index: seen.at("Z", *index) > 0,
        construct=_drawn_digits,
    ),
    Event(
        "T",
        "_columns=max",
        statement="all digits of an operand are one large digit below a 1, in canonical digits, and the low "
        "halves of their products are all ones",
        hunts="a column of partial products that is one bit too short",
        source=MENDED,
        where=lambda params: ((),),
        happens=lambda seen, index: _columns_happen(seen.params, seen.a, seen.b),
        construct=_column_digits,
        reachable=lambda params, index: "digit k of an operand is 0" if params.limits[0] < params.domain else None,
        closed=lambda params, index, a, b: bool(_columns_happen(params, a, b)),
    ),
    *operand_events(MENDED, modulus="M"),
)
