# SPDX-License-Identifier: Apache-2.0
"""HFFM, high performance finite field multiplication: Algorithm 1 of the SIDH paper.

p = D*2^a - 1 with D = f*l^b: an operand is two digits (a1, a2) of about half its bits, a1*D + a2. The digits of the
product are folded with D*2^a = 1, and only one division remains, that of c2 by D.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw, with_high_part
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Condition, Event, Pair, Seen
from limbtrace.refmodels.integer_models import (
    Steered,
    Whole,
    common_corners,
    constant,
    draws,
    equals,
    largest,
    once,
    product,
    products,
    result_events,
    value_claim,
    with_result,
)
from limbtrace.refmodels.model import (
    CORRECTED,
    PRINTED,
    Claim,
    Corner,
    Index,
    Limit,
    Model,
    Run,
    Step,
    Symbol,
    at_most,
    check_modulus,
    one_bit,
)
from limbtrace.refmodels.montgomery import below_modulus, subtract
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh.family import Barrett, Special, special
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.representations import MixedRadix
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

WINDOWS = ("window", "hac", "half", "register")
SPLITS = (6, 8)
PRINTED_CORRECTIONS = 2
"""Number of subtractions of D that the paper's hardware can make: it compares with D and with 2*D."""
MAX_CORRECTIONS = 256
"""Limit of the subtractions of D, for wrong readings of the half Barrett."""

PARAMETERS = (
    Parameter("split", "pieces into which a core cuts a word of N bits", "6", "6 or 8"),
    Parameter(
        "N", "bits of a word",
        "a multiple of split, at least a, n + 1 and the bits of a1+a2; as printed, at least a and n, the bits of f*l^b",
        f"n to {2 * MAX_WIDTH}",
    ),
    Parameter(
        "window",
        "which bits of c2 the half Barrett takes, s being the number of bits dropped: window s = 2n - N and "
        "k = n - 1 + N; hac s = n - 1, k = 2n; half s = n, k = 2n; register s = N, k = n - 1 + N",
        WINDOWS[0], " or ".join(WINDOWS),
    ),
    Parameter(
        "form", "printed: ends after line 9 and subtracts f*l^b twice at most", CORRECTED, "corrected or printed"
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Hffm(Whole):
    """p = f*2^a*l^b - 1 with odd f*l^b of at least 3; A, B in [0, p], p being a second zero."""

    split_into: int = 6
    N: int = 0
    window: str = WINDOWS[0]

    @property
    def named(self) -> dict[str, int | str]:
        return {"split": self.split_into, "N": self.N, "window": self.window}

    @cached_property
    def special(self) -> Special:
        return special(self.modulus, -1, "hffm")

    @cached_property
    def D(self) -> int:
        """f*l^b, the radix."""
        return self.special.D

    @property
    def a(self) -> int:
        return self.special.a

    @cached_property
    def n(self) -> int:
        """Bit length of D."""
        return self.D.bit_length()

    @cached_property
    def digits(self) -> MixedRadix:
        """a2 and a1."""
        return MixedRadix((self.D, 1 << self.a), ("f*l^b", "2^a"))

    @cached_property
    def barrett(self) -> Barrett:
        """The half Barrett of line 8."""
        n, N = self.n, self.N
        dropped, k = {
            "window": (max(0, 2 * n - N), n - 1 + N),
            "hac": (n - 1, 2 * n),
            "half": (n, 2 * n),
            "register": (N, n - 1 + N),
        }[self.window]
        return Barrett(self.D, k, self.D**2 + self.D - 3, dropped)

    @cached_property
    def corrections(self) -> int:
        """The number of times D can be subtracted."""
        return PRINTED_CORRECTIONS if self.form == PRINTED else self.barrett.corrections

    @property
    def constants(self) -> dict[str, int]:
        form, barrett = self.special, self.barrett
        return {
            "f": form.f, "a": form.a, "l": form.l, "b": form.b, "f*l^b": form.D, "n": self.n,
            "s": barrett.dropped, "k": barrett.k, "t": barrett.k - barrett.dropped, "x": barrett.x,
        }  # fmt: skip

    @property
    def limits(self) -> tuple[int, int]:
        return self.modulus, self.modulus

    @property
    def result_limit(self) -> int:
        """As printed, c2 may leave its range because of the carry and of missing subtractions of D."""
        if self.form != PRINTED:
            return self.modulus
        missing = max(self.barrett.corrections - self.corrections, 0)
        return self.modulus + missing * self.D + self.carry_limit + 1

    @cached_property
    def carry_limit(self) -> int:
        """Largest carry of line 9."""
        return (3 * (1 << self.a) - 4 + self.D) >> self.a

    @cached_property
    def widest_bits(self) -> int:
        return 2 * max(self.n, self.a, self.N) + self.n + 4


def word_bits(split: int, a: int, D: int, literal: bool) -> int:
    """N, the smallest multiple of `split` that holds the digits, their sum and the window of the half Barrett.

    As printed, it holds the digits.
    """
    n = D.bit_length()
    least = max(a, n) if literal else max(a, n + 1, ((1 << a) + D - 2).bit_length())
    return -(-least // split) * split


def resolve(modulus: int, given: Given) -> Hffm:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("hffm", PARAMETERS, given)
    form = settings.choice("form", (CORRECTED, PRINTED), CORRECTED)
    split = int(settings.choice("split", tuple(map(str, SPLITS)), str(SPLITS[0])))
    window = settings.choice("window", WINDOWS, WINDOWS[0])
    shape = special(modulus, -1, "hffm")
    n = shape.D.bit_length()
    N = settings.integer(
        "N", word_bits(split, shape.a, shape.D, form == PRINTED), n, 2 * MAX_WIDTH, "n, the bits of f*l^b, at least"
    )
    params = Hffm(modulus, form, split, N, window)
    if params.barrett.corrections > MAX_CORRECTIONS:
        raise ParameterError(
            "window",
            f"with {window} and N = {N}, the quotient may be more than {MAX_CORRECTIONS} too small, which is the limit",
        )
    return params


def steps(params: Hffm, A: list[Digit], B: list[Digit]) -> Iterator[Step]:
    """Algorithm 1 line by line, then the last steps that it lacks. `A` and `B` are (a1, a2) and (b1, b2)."""
    a, D, barrett = params.a, params.D, params.barrett
    low = (1 << a) - 1
    (a1, a2), (b1, b2) = A, B
    for name, digit in zip(("a1", "a2", "b1", "b2"), (*A, *B), strict=True):
        yield name, (), digit
    # line 3
    yield "a1b1", (), (a1b1 := a1 * b1)
    yield "a1+a2", (), (sum_a := a1 + a2)
    yield "b1+b2", (), (sum_b := b1 + b2)
    yield "(a1+a2)(b1+b2)", (), (both := sum_a * sum_b)
    yield "a2b2", (), (a2b2 := a2 * b2)
    yield "a1b2+a2b1", (), (cross := both - a1b1 - a2b2)
    yield "r1", (), (r1 := a1b1 & low)
    yield "q1", (), (q1 := a1b1 >> a)
    yield "r1*f*l^b", (), (r1D := r1 * D)
    yield "m1", (), (m1 := cross >> a)
    yield "m2", (), (m2 := cross & low)
    # lines 4 to 7
    yield "c2@4", (), (c2 := a2b2 + m1)
    yield "u", (), (u := r1D >> a)
    yield "c2@5", (), (c2 := c2 + u)
    yield "c1@6", (), (c1 := q1 + m2)
    yield "v", (), (v := r1D & low)
    yield "c1@7", (), (c1 := c1 + v)
    # line 8
    yield "barrett.hi", (), (high := c2 >> barrett.dropped)
    yield "barrett.prod", (), (estimate := barrett.estimate(high))
    yield "barrett.qhat", (), (qhat := barrett.quotient(estimate))
    yield "barrett.qhat*D", (), (multiple := qhat * D)
    yield "barrett.rhat", (), (rhat := c2 - multiple)
    yield "barrett.corr", (), (corr := barrett.correct(rhat, params.corrections))
    yield "q", (), (q := qhat + corr)
    yield "r", (), (r := rhat - corr * D)
    yield "c2@8", (), (c2 := r)
    yield "c1@8", (), (c1 := c1 + q)
    # line 9
    yield "carry@9", (), (carry := c1 >> a)
    yield "c1@9", (), (c1 := c1 & low)
    yield "c2@9", (), (c2 := c2 + carry)
    yield "C@9", (), c1 * D + c2
    if params.form == PRINTED:
        return
    # the end that Algorithm 1 lacks
    fix, c2 = subtract(c2, D, params.n + 1)
    yield "fix", (), fix
    c1 = c1 + fix
    c1, c2 = c1 & low, c2 + (c1 >> a)
    yield "is_p", (), (is_p := subtract(c1 * D + c2, params.modulus, params.bits + 1)[0])
    yield "c1", (), (c1 := c1 - is_p * c1)
    yield "c2", (), (c2 := c2 - is_p * c2)
    yield "C", (), c1 * D + c2


_SOURCE = "SIDH paper, Algorithm 1"
_LAST = "SIDH paper, Algorithm 1, completed"

_high_digit: Limit[Hffm] = largest(lambda p: (1 << p.a) - 1)
_low_digit: Limit[Hffm] = largest(lambda p: p.D - 1)
_sum: Limit[Hffm] = largest(lambda p: (1 << p.a) + p.D - 2)


def _corrections(p: Hffm) -> int:
    """The proven property of the window: two corrections for N = n + 1, one for a larger N."""
    if p.window != WINDOWS[0] or p.n >= p.N:
        return p.barrett.corrections
    return 2 if p.n + 1 == p.N else 1


VOCABULARY: tuple[Symbol[Hffm], ...] = (
    *(Symbol(f"{x}{i}", "", f"{place} digit of {x.upper()}", range, limit)
      for x in "ab" for i, place, range, limit in ((1, "high", "< 2^a", _high_digit),
                                                   (2, "low", "< D = f*l^b", _low_digit))),
    Symbol("a1b1", "", "line 3", "<= (2^a - 1)^2", largest(lambda p: ((1 << p.a) - 1) ** 2)),
    *(Symbol(f"{x}1+{x}2", "", "line 3", "<= 2^a + D - 2", _sum) for x in "ab"),
    Symbol("(a1+a2)(b1+b2)", "", "line 3", "<= (2^a + D - 2)^2", largest(lambda p: ((1 << p.a) + p.D - 2) ** 2)),
    Symbol("a2b2", "", "line 3", "<= (D - 1)^2", largest(lambda p: (p.D - 1) ** 2)),
    Symbol("a1b2+a2b1", "", "line 3: (a1+a2)(b1+b2) - a1b1 - a2b2", "<= 2(2^a - 1)(D - 1), which is below 2p",
           largest(lambda p: 2 * ((1 << p.a) - 1) * (p.D - 1))),
    Symbol("r1", "", "line 3: a1b1 mod 2^a", "< 2^a", _high_digit),
    Symbol("q1", "", "line 3: floor(a1b1 / 2^a)", "<= 2^a - 2", largest(lambda p: (1 << p.a) - 2)),
    Symbol("r1*f*l^b", "", "line 3", "<= (2^a - 1)*D", largest(lambda p: ((1 << p.a) - 1) * p.D)),
    Symbol("m1", "", "floor((a1b2+a2b1) / 2^a)", "<= 2D - 3", largest(lambda p: 2 * p.D - 3)),
    Symbol("m2", "", "(a1b2+a2b1) mod 2^a", "< 2^a", _high_digit),
    Symbol("c2@4", "", "c2 after line 4: a2b2 + m1", "< D^2", largest(lambda p: p.D**2 - 1)),
    Symbol("u", "", "floor(r1*f*l^b / 2^a)", "<= D - 1", _low_digit),
    Symbol("c2@5", "", "c2 after line 5: + u", "<= D^2 + D - 3", largest(lambda p: p.D**2 + p.D - 3)),
    Symbol("c1@6", "", "c1 after line 6: q1 + m2", "<= 2*2^a - 3", largest(lambda p: 2 * (1 << p.a) - 3)),
    Symbol("v", "", "r1*f*l^b mod 2^a", "< 2^a", _high_digit),
    Symbol("c1@7", "", "c1 after line 7: + v", "<= 3*2^a - 4", largest(lambda p: 3 * (1 << p.a) - 4)),
    Symbol("barrett.hi", "", "c2 without its s low bits", "< 2^(2n - s), and < 2^N where N >= n + 1",
           largest(lambda p: (1 << max(p.N, 2 * p.n - p.barrett.dropped)) - 1)),
    Symbol("barrett.prod", "", "barrett.hi * x", "<= x*floor((D^2 + D - 3) / 2^s)",
           largest(lambda p: p.barrett.x * ((p.D**2 + p.D - 3) >> p.barrett.dropped))),
    Symbol("barrett.qhat", "", "estimate of q: barrett.prod >> t", "<= q", lambda run, _: run.at("q")),
    Symbol("barrett.qhat*D", "", "", "<= c2@5", lambda run, _: run.at("c2@5")),
    Symbol("barrett.rhat", "", "c2@5 - barrett.qhat*D", "< D for each correction that may be due, and D more",
           largest(lambda p: (p.barrett.corrections + 1) * p.D - 1)),
    Symbol("barrett.corr", "", "how often D is subtracted from it", "0 or 1, or 2 where N = n + 1",
           largest(_corrections)),
    Symbol("q", "", "line 8: floor(c2@5 / D)", "<= D", largest(lambda p: p.D)),
    Symbol("r", "", "line 8: c2@5 mod D", "< D", _low_digit),
    Symbol("c2@8", "", "c2 after line 8: r", "< D", _low_digit),
    Symbol("c1@8", "", "c1 after line 8: c1@7 + q", "<= 3*2^a - 4 + D", largest(lambda p: 3 * (1 << p.a) - 4 + p.D)),
    Symbol("carry@9", "", "line 9: floor(c1@8 / 2^a)", "<= floor((3*2^a - 4 + D) / 2^a)",
           largest(lambda p: p.carry_limit)),
    Symbol("c1@9", "", "c1 after line 9: c1@8 mod 2^a", "< 2^a", _high_digit),
    Symbol("c2@9", "", "c2 after line 9: r + carry@9", "<= D - 1 + carry@9, which is at most 2D - 2",
           lambda run, _: min(run.params.D - 1 + run.at("carry@9"), 2 * run.params.D - 2)),
    Symbol("C@9", "", "value after line 9: c1@9*D + c2@9", "<= p + carry@9",
           lambda run, _: run.params.modulus + run.at("carry@9")),
    Symbol("fix", "", "whether D moves from c2@9 to c1@9; a c1 of 2^a then is 1 in c2", "0 or 1", one_bit, where=_LAST),
    Symbol("is_p", "", "whether that is p, which is 0", "0 or 1", one_bit, where=_LAST),
    Symbol("c1", "", "high digit of the result", "< 2^a", _high_digit, where=_LAST),
    Symbol("c2", "", "low digit of the result", "< D", _low_digit, where=_LAST),
    Symbol("C", "", "the result, c1*D + c2", "< p", below_modulus, where=_LAST),
)  # fmt: skip


def _identity(run: Run[Hffm], _: Index, value: int) -> bool:
    p = run.params
    multiple = run.at("q1") * p.D + run.at("u") + run.at("m1")
    return value * p.D + run.at("c2@8") == run.a * run.b - p.modulus * multiple


def _rare(run: Run[Hffm], _: Index, value: int) -> bool:
    """C@9 >= p is possible only if A*B mod p <= carry@9."""
    p = run.params.modulus
    return value < p or run.a * run.b % p <= run.at("carry@9")


def _second_zero(run: Run[Hffm], _: Index, value: int) -> bool:
    return value == (run.a * run.b % run.params.modulus == 0 and 0 not in (run.a, run.b))


CLAIMS: tuple[Claim[Hffm], ...] = (
    value_claim("a1b2+a2b1", "the sum of the two products", _SOURCE,
                lambda run: run.at("a1") * run.at("b2") + run.at("a2") * run.at("b1")),
    value_claim("m1", "m1*2^a + m2 = a1b2+a2b1", _SOURCE,
                lambda run: (run.at("a1b2+a2b1") - run.at("m2")) >> run.params.a),
    value_claim("u", "u*2^a + v = r1*D", _SOURCE,
                lambda run: (run.at("r1*f*l^b") - run.at("v")) >> run.params.a),
    at_most("barrett.corr", "not more than the loss of the estimate", _SOURCE,
            largest(lambda p: p.barrett.corrections)),
    value_claim("q", "q = floor(c2 / D)", _SOURCE, lambda run: run.at("c2@5") // run.params.D),
    value_claim("r", "r = c2 mod D", _SOURCE, lambda run: run.at("c2@5") % run.params.D),
    Claim("value after line 8", "c1*D + c2 = A*B - p*(q1*D + u + m1)", _SOURCE, "c1@8", _identity),
    value_claim("C@9", "C = c1@8*D + c2@8 - p*carry", _SOURCE,
                lambda run: run.at("c1@8") * run.params.D + run.at("c2@8") - run.params.modulus * run.at("carry@9")),
    Claim("rarity", "C >= p after line 9 only if A*B mod p <= carry", _SOURCE, "C@9", _rare),
    value_claim("fix", "fix = 1 exactly if c2@9 >= D", _LAST, lambda run: int(run.at("c2@9") >= run.params.D)),
    Claim("second zero", "is_p = 1 exactly if A*B is a multiple of p and neither operand is 0", _LAST, "is_p",
          _second_zero),
    sidh.RESULT,
)  # fmt: skip

_NEAR = (
    (1, 1), (1, 2), (1, 5), (1, 8), (1, 10), (1, 13), (1, 15), (1, 28), (1, 29), (1, 56), (1, 115), (1, 149), (8, 119),
    (9, 119), (26, 105), (30, 27), (471, 29),
)  # fmt: skip
"""Distances from p of operands for which some reading of the half Barrett needs most corrections."""
_CARRIES = (1, 2, 3, 9, 38)
"""b = p - t*D with one of these t gives the largest carry for the primes of the paper."""
_OVERFLOWS = (0, 3, 43)
"""b1 = 2^(a-1) + k with one of these k gives a c2 that leaves its range while C stays below p."""


@lru_cache(maxsize=64)
def _corners(params: Hffm) -> tuple[Corner, ...]:
    p, a, D, form = params.modulus, params.a, params.D, params.special
    top = 1 << a
    corners = [
        Corner(p - 1, p - 1, "both digits leave their ranges in line 9: C is p + 1"),
        Corner(p, p, "the second zero, twice"),
        Corner(p, p - 1, "the second zero: C is p in line 9"),
        Corner(1, p, "the second zero: C is p in line 9"),
        Corner(form.f * form.l ** (form.b // 2), form.l ** -(-form.b // 2), "c2 = D: the estimate 0 is corrected"),
        *(Corner(p - 1, p - t * D, "a large carry in line 9") for t in _CARRIES),
    ]
    for k in _OVERFLOWS:
        b1 = (top >> 1) + k
        corners.append(Corner(D - 1, b1 * D + ((D - 1) * b1 >> a) + 1, "c2 leaves its range and C does not"))
    corners += [Corner(p - x, p - y, "the largest dividends of the half Barrett") for x, y in _NEAR]
    corners += [
        Corner((top - 1) * D, (top - 1) * D, "a1, b1 all ones, a2 = b2 = 0"),
        Corner(D - 1, D - 1, "a1 = b1 = 0, a2 and b2 as large as can be"),
        Corner((top - 1) * D, D - 1, "a1 all ones and a2 = 0, b1 = 0 and b2 as large as can be"),
        *(Corner(x, p - 1, "a power of two and its neighbours") for x in (top - 1, top, top + 1)),
        *(Corner(D * (1 << k) + e, p - 2, "around D*2^k") for k in (0, a // 2, a - 1) for e in (-1, 0, 1)),
        *common_corners(p, p),
    ]
    for x in (3, D + 1, p - 3, p // 3):
        if 0 < x < p and gmpy2.gcd(x, p) == 1:
            inverse = int(gmpy2.invert(x, p))
            corners += [Corner(x, v * inverse % p, "a small result: C may be p or more in line 9")
                        for v in (1, params.carry_limit)]  # fmt: skip
    return tuple(corner for corner in corners if min(corner.a, corner.b) >= 0 and max(corner.a, corner.b) <= p)


def _low_digits(offset: int) -> Steered[Hffm]:
    """a1 = b1 = 0, so that c2 is a2*b2: next to a multiple of D."""

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        D = params.D
        for _ in range(64):
            a2 = draw.between(1, D - 1)
            factor = int(gmpy2.gcd(a2, D))
            if offset == 0:
                yield a2, D // factor * draw.between(1, max(factor - 1, 1))
                yield draw.between(1, D - 1), 0
                l = params.special.l  # noqa: E741 - the paper's letter
                yield D // l, l * draw.between(1, max(D // l - 1, 1)) % D
            if factor == 1:
                yield a2, offset * int(gmpy2.invert(a2, D)) % D
        yield from draws(params, index, draw)

    return construct


def _by_one(c1: Callable[[Hffm], int], c2: Callable[[Hffm], int]) -> Steered[Hffm]:
    """a*1, whose digits are those of a: c1 and c2, and products that leave the same."""

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        p = params.modulus
        a = c1(params) * params.D + c2(params)
        if 0 <= a <= p:
            yield a, 1
            yield 1, a
        yield from with_result(params, a % p, draw)

    return construct


def _ends(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
    """Small results and large operands: where digits leave their ranges and C is p or more."""
    p, D = params.modulus, params.D
    for _ in range(64):
        yield from islice(with_result(params, draw.below(params.carry_limit + 1), draw), 1)
        yield p - draw.of_any_width(D), p - draw.of_any_width(D)
        yield p - 1, p - draw.of_any_width(params.bits) * D % p
        yield D - 1 - draw.of_any_width(3), draw.below(p)
        yield p - draw.below(4), draw.below(p + 1)


_CORRECTION = "a correction that is missing, or made once too often"
_END = "the end that Algorithm 1 lacks: a digit that leaves its range, or p for 0"


def _end(params: Hffm) -> Iterator[Index]:
    """The place of a step of the end, which the printed form lacks."""
    if params.form != PRINTED:
        yield ()


def _hole_event(end: str) -> Event[Hffm]:
    """c1 is all ones but for one bit; bits are counted from either end, so that both ends come first."""

    def c1(p: Hffm, i: int) -> int:
        return (1 << p.a) - 1 - (1 << (i if end == "low" else p.a - 1 - i))

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        return _by_one(lambda p: c1(p, *index), lambda p: p.D - 1)(params, index, draw)

    return Event(
        "c1@9", f"_{end}_hole", f"c1 is all ones but for bit i from the {end} end, and c2 is D - 1",
        "a test for all ones that leaves out a bit", _LAST,
        lambda params: ((i,) for i in range((params.a + (end == "low")) // 2)),
        lambda seen, index: (seen.at("c1@9") == c1(seen.params, *index)) & (seen.at("c2@9") == seen.params.D - 1),
        construct,
    )  # fmt: skip


def _half_event(i: int, most: Callable[[Hffm], int]) -> Event[Hffm]:
    """A word of N bits is multiplied in halves, and these in pieces; `most` is the largest digit i of an operand."""

    def happens(seen: Seen[Hffm], index: Index) -> Digit:
        p = seen.params
        half, piece = p.N // 2, p.N // p.split_into
        x, y = (seen.at(f"{operand}{i}") & (1 << half) - 1 for operand in "ab")
        top = (x >> half - piece) * (y >> half - piece)
        return (x * y >> p.N - 1 == 1) & (top >> 2 * piece - 1 == 0)

    def construct(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
        half, piece, limit = params.N // 2, params.N // params.split_into, most(params)
        for _ in range(64):
            x = (1 << half - 1) + draw.below(1 << half - piece)
            y = draw.between(min(-(-(1 << params.N - 1) // x), (1 << half) - 1), (1 << half) - 1)
            if max(x, y) <= limit:
                digits = [with_high_part(draw, low, half, limit) for low in ((x, y), (y, x))[draw.below(2)]]
                yield _with_digit(params, i, digits[0], draw), _with_digit(params, i, digits[1], draw)

    def reachable(params: Hffm, index: Index) -> str | None:
        if most(params) < 1 << params.N // 2 - 1:
            return "the low half of a word has more bits than the digit, and their product does not fill it"
        return None

    return Event(
        f"a{i}b{i}", "_half", f"the product of the low halves of a{i} and b{i} has its top bit from a carry: that of "
        "the top pieces has not", "a carry chain that is cut below its top bit", _SOURCE, once, happens,
        construct, reachable,
    )  # fmt: skip


def _with_digit(params: Hffm, i: int, digit: int, draw: Draw) -> int:
    """An operand with that digit 1 or 2; the other one is drawn."""
    if i == 1:
        return digit * params.D + draw.below(params.D)
    return draw.below(1 << params.a) * params.D + digit


def _moved_to(down: int) -> Condition[Hffm]:
    """D moves to a c1 of 2^a - down."""
    return lambda seen, index: (seen.at("fix") == 1) & (seen.at("c1@9") == (1 << seen.params.a) - down)


def _at_the_end(event: Event[Hffm]) -> Event[Hffm]:
    return replace(event, where=_end)


def _carry_event(value: int) -> Event[Hffm]:
    def reachable(params: Hffm, index: Index) -> str | None:
        return f"the carry is at most {params.carry_limit}" if value > params.carry_limit else None

    return equals(
        "carry@9", f"={value}", f"the carry of line 9 is {value}", "a carry that is cut to fewer bits", _SOURCE,
        lambda params: value, _ends, reachable,
    )  # fmt: skip


def _correction_event(value: int) -> Event[Hffm]:
    def reachable(params: Hffm, index: Index) -> str | None:
        most = _corrections(params)
        return f"at most {most} are needed" if value > most else None

    return equals(
        "barrett.corr", f"={value}", f"D is subtracted {value} times", _CORRECTION, _SOURCE, lambda params: value,
        _low_digits(0) if value == 1 else _near_the_largest if value else draws, reachable,
    )  # fmt: skip


def _near_the_largest(params: Hffm, index: Index, draw: Draw) -> Iterator[Pair]:
    """The largest dividends, whose estimates lose most."""
    p = params.modulus
    for _ in range(64):
        yield p - draw.of_any_width(params.n // 2), p - draw.of_any_width(params.n // 2)
        yield p - draw.of_any_width(params.bits), p - draw.of_any_width(params.n)


EVENTS: tuple[Event[Hffm], ...] = (
    *map(_correction_event, (0, 1, 2)),
    *(
        equals("barrett.rhat", condition, f"the remainder before the correction is {condition[1:]}",
                    "a comparison with D that is off by one", _SOURCE, value, _low_digits(offset))
        for condition, value, offset in (("=D-1", lambda p: p.D - 1, -1), ("=D", lambda p: p.D, 0),
                                         ("=D+1", lambda p: p.D + 1, 1))
    ),
    equals("barrett.qhat", "=0", "the estimate is 0", _CORRECTION, _SOURCE, lambda p: 0, _low_digits(1)),
    equals("q", "=D", "the quotient is D", "a quotient that is cut", _SOURCE, lambda p: p.D, _near_the_largest),
    *map(_carry_event, (0, 1, 2, 3)),
    *(
        _at_the_end(equals("fix", f"={value}", f"D moves from c2 to c1 {value} times", _END, _LAST,
                                constant(value), _ends))
        for value in (0, 1)
    ),
    *(
        Event(
            "fix", condition, f"D moves to a c1 of {words}", _END, _LAST, _end,
            _moved_to(down),
            _ends,
        )
        for condition, words, down in (("_carries", "2^a - 1, which carries", 1), ("_fills", "2^a - 2", 2))
    ),
    equals("c1@9", "=max", "c1 is 2^a - 1", _END, _SOURCE, lambda p: (1 << p.a) - 1,
                _by_one(lambda p: (1 << p.a) - 1, lambda p: 0)),
    equals("c2@9", "=D-1", "c2 is D - 1", _END, _SOURCE, lambda p: p.D - 1,
                _by_one(lambda p: 0, lambda p: p.D - 1)),
    equals("c2@9", "=D", "c2 is D", _END, _SOURCE, lambda p: p.D, _ends),
    *(
        equals("C@9", condition, f"C is {condition[1:]} after line 9", _END, _SOURCE, value, _ends)
        for condition, value in (("=p", lambda p: p.modulus), ("=p+1", lambda p: p.modulus + 1))
    ),
    equals("C@9", "=p-1", "C is p - 1 after line 9", _END, _SOURCE, lambda p: p.modulus - 1,
                _by_one(lambda p: (1 << p.a) - 1, lambda p: p.D - 2)),
    *(
        _at_the_end(equals("is_p", f"={value}", f"the value is {'p' if value else 'not p'}", _END, _LAST,
                                constant(value), construct))
        for value, construct in ((0, draws), (1, _ends))
    ),
    *(
        equals(name, condition, f"{name} is {condition[1:]}", "a sum of products that is cut", _SOURCE, value,
                    _by_one(value, lambda p: p.D - 1))
        for name in ("a1", "b1") for condition, value in (("=0", lambda p: 0), ("=max", lambda p: (1 << p.a) - 1))
    ),
    *(
        equals(name, condition, f"{name} is {condition[1:]}", "a sum of products that is cut", _SOURCE, value,
                    _by_one(lambda p: 1, value))
        for name in ("a2", "b2") for condition, value in (("=0", lambda p: 0), ("=D-1", lambda p: p.D - 1))
    ),
    _half_event(1, lambda p: (1 << p.a) - 1),
    _half_event(2, lambda p: p.D - 1),
    *result_events(_LAST),
    *map(_hole_event, ("high", "low")),
)  # fmt: skip
"""The lines up to 9 and the end; the printed form has no end, and none of the events about it."""


def _result_parts(params: Hffm) -> list[tuple[str, tuple[int, ...], int]]:
    return [("C@9" if params.form == PRINTED else "C", (), 0)]


def _step_count(params: Hffm) -> int:
    return len(VOCABULARY) - (5 if params.form == PRINTED else 0)


def _moduli(choice: Choice, max_bits: int) -> int:
    """f*2^a*l^b - 1."""
    form = sidh.special_modulus(choice, -1, max_bits)
    return choice.one_of((form, choice.one_of((11, 59, 107, *sidh.known_moduli(max_bits)))))


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """All splits and windows; the window of the paper is drawn twice as often."""
    return {"split": choice.one_of((6, 8)), "window": choice.one_of(("window", "window", "hac", "half"))}


MODEL: Model[Hffm] = Model(
    id="hffm",
    title="HFFM, two digits of mixed radix",
    source=sidh.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands={"a": "<= p", "b": "<= p", "result": "< p"},
    reference=_SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED, PRINTED),
    mended={PRINTED: ("hffm.E1", "hffm.E2", "hffm.E4")},
    resolve=resolve,
    shape=_shape,
    moduli=_moduli,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    result_parts=_result_parts,
    step_count=_step_count,
    further_claims=CLAIMS,
    corners=lambda params: iter(_corners(params)),
    events=EVENTS,
)
