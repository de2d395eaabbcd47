# SPDX-License-Identifier: Apache-2.0
"""Common parts of the algorithms of the SIDH paper: moduli f*2^a*l^b +- 1, Barrett division, whole integers.

None of them scans digits one by one and none has an R: they return a*b mod p itself. Where an operand is cut, it is cut
once, into the digits of a mixed radix such as (f*l^b, 2^a).
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import islice
from math import ceil, isqrt

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.errors import ParameterError, shown
from limbtrace.refmodels.event import Event, Pair, never
from limbtrace.refmodels.integer_models import (
    Steered,
    Whole,
    common_corners,
    equals,
    largest,
    result_events,
    value_claim,
    with_result,
    zero_product,
)
from limbtrace.refmodels.model import Claim, Corner, Index, Limit, Run, Source, Step, Symbol, one_bit
from limbtrace.refmodels.montgomery import subtract
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.primes import by_name
from limbtrace.refmodels.representations import MixedRadix

SMALL_PRIMES = 1 << 16
"""Limit of the l that is searched for in f*l^b."""
SMALL_FACTOR = 1 << 64
"""Limit of the corresponding f; the cofactor of an arbitrary modulus is far larger."""


def paper(where: str) -> Source:
    """A place in the SIDH paper."""
    return Source(
        "W. Liu, Z. Ni, J. Ni, C. Rafferty, M. O'Neill",
        "High Performance Modular Multiplication for SIDH",
        where,
    )


@dataclass(frozen=True)
class Special:
    """A modulus p = f*2^a*l^b + sign in normal form: f odd, sign 1 or -1."""

    f: int
    a: int
    l: int  # noqa: E741 - the paper's letter
    b: int
    sign: int

    @property
    def D(self) -> int:
        """f*l^b, the odd part of p - sign."""
        return int(self.f * self.l**self.b)


@lru_cache(maxsize=256)
def special(modulus: int, sign: int, owner: str) -> Special:
    """The form of a modulus, l being the small prime with the largest power. Raises ParameterError("prime")."""
    power = modulus - sign
    a = gmpy2.bit_scan1(power) or 0
    D = power >> a
    form = f"{owner} needs a modulus f*2^a*l^b {'-' if sign < 0 else '+'} 1 with odd f*l^b of at least 3"
    beside = f"p {'+' if sign < 0 else '-'} 1"
    if D < 3:
        raise ParameterError("prime", f"{form}, and {beside} is 2^{a} here")
    l, b = max(_powers(D), key=lambda power: power[0] ** power[1], default=(3, 0))  # noqa: E741
    f = D // l**b
    if f >= SMALL_FACTOR:
        raise ParameterError(
            "prime", f"{form}, l below 2^16 and f below 2^64; with l = {l}, f would be {shown(f)} here"
        )
    return Special(f, a, l, b, sign)


def special_modulus(choice: Choice, sign: int, max_bits: int) -> int:
    """f*2^a*l^b + sign with f*l^b of at least 3, and at most `max_bits` bits (at least 4)."""
    prime = choice.one_of((3, 3, 5, 7, 11, 257))
    factor = choice.one_of((1, 1, 1, 3, 5, 139, 2**61 - 1))
    room = max_bits - factor.bit_length() - prime.bit_length()
    a = choice.integer(1, max(1, room - 1))
    b = choice.integer(1, max(1, (room - a) // prime.bit_length() + 1))
    value = int(factor * prime**b * 2**a) + sign
    return value if value.bit_length() <= max_bits else 11 if sign < 0 else 13


def square_moduli(choice: Choice, max_bits: int) -> int:
    """2*R^2 - 1 with an even R that has an odd factor, and at most `max_bits` bits (at least 8)."""
    half = (max_bits - 1) // 2
    prime = choice.one_of((3, 3, 5, 7, 15))
    h = choice.integer(1, max(1, half - prime.bit_length()))
    b = choice.integer(1, max(1, (half - h) // prime.bit_length()))
    value = int(2 * (prime**b * 2**h) ** 2 - 1)
    form = value if value.bit_length() <= max_bits else 71
    known = [p for p in known_moduli(max_bits) if 2 * isqrt((p + 1) // 2) ** 2 == p + 1]
    return choice.one_of((form, choice.one_of((71, 199, *known))))


def known_moduli(max_bits: int) -> tuple[int, ...]:
    """Moduli f*2^a*l^b - 1 of the catalogue that have at most `max_bits` bits."""
    names = ("sike-p434", "sike-p503", "sike-p610", "sike-p751", "p771")
    return tuple(entry.modulus for entry in map(by_name, names) if entry.bits <= max_bits)


def _powers(D: int) -> Iterator[tuple[int, int]]:
    """(prime, exponent) of the small primes in an odd D."""
    prime, rest = 3, gmpy2.mpz(D)
    while prime < SMALL_PRIMES and rest > 1:
        rest, exponent = gmpy2.remove(rest, prime)
        if exponent:
            yield prime, exponent
        prime = int(gmpy2.next_prime(prime))


@dataclass(frozen=True)
class Barrett:
    """Division by a constant, section II: the quotient is estimated with x = floor(2^k / divisor).

    Dividends are at most `largest`; their `dropped` low bits are left out of the estimate.
    """

    divisor: int
    k: int
    largest: int
    dropped: int = 0

    @cached_property
    def x(self) -> int:
        return (1 << self.k) // self.divisor

    @cached_property
    def corrections(self) -> int:
        """The number of subtractions of the divisor that suffices: the loss of the estimate, rounded up."""
        return ceil(self.loss)

    @cached_property
    def loss(self) -> Fraction:
        """The most by which c*x/2^k may be below c/divisor.

        The dropped bits contribute less than 2^dropped / divisor; the rest is the fraction cut off from x, times its
        factor.
        """
        fraction = Fraction(1 << self.k, self.divisor) - self.x
        loss = Fraction(min((1 << self.dropped) - 1, self.largest), self.divisor)
        return loss + (self.largest >> self.dropped) * fraction / (1 << (self.k - self.dropped))

    def estimate(self, high: Digit) -> Digit:
        """The product from which the quotient is taken; `high` is the dividend without the dropped bits."""
        return high * self.x

    def quotient(self, product: Digit) -> Digit:
        """qhat, never larger than the quotient."""
        return product >> (self.k - self.dropped)

    def correct(self, rhat: Digit, most: int) -> Digit:
        """corr, by comparing rhat with `most` multiples of the divisor."""
        bits = 2 * self.largest.bit_length() + 1
        corr: Digit = 0
        for multiple in range(1, most + 1):
            corr = corr + subtract(rhat, multiple * self.divisor, bits)[0]
        return corr


def division(name: str, c: Digit, low_bits: int, barrett: Barrett) -> Generator[Step, None, tuple[Digit, Digit]]:
    """c by 2^low_bits * divisor: a shift, and a Barrett division of the upper part. Returns quotient and remainder."""
    high, low = c >> low_bits, c & ((1 << low_bits) - 1)
    yield f"{name}.hi", (), high
    yield f"{name}.lo", (), low
    qhat = barrett.quotient(barrett.estimate(high))
    yield f"{name}.qhat", (), qhat
    rhat = high - qhat * barrett.divisor
    corr = barrett.correct(rhat, 1)
    yield f"{name}.corr", (), corr
    return qhat + corr, ((rhat - corr * barrett.divisor) << low_bits) + low


RESULT: Claim[Whole] = Claim(
    "result",
    "the result is a*b mod p, in [0, p)",
    "SIDH paper",
    None,
    lambda run, _, value: value == run.a * run.b % run.params.modulus,
)


# EFFM and FFM1


@dataclass(frozen=True)
class Square(Whole):
    """p = 2*R^2 - 1 with R = 2^h * d, h >= 1, d odd and at least 3 (a/2 and 3^(b/2) of the paper)."""

    @cached_property
    def R(self) -> int:
        return int(gmpy2.isqrt((self.modulus + 1) // 2))

    @cached_property
    def h(self) -> int:
        """a/2."""
        return gmpy2.bit_scan1(self.R) or 0

    @cached_property
    def barrett(self) -> Barrett:
        """The division of both: all dividends are at most p."""
        return Barrett(self.R >> self.h, self.bits - self.h, self.modulus >> self.h)

    @property
    def constants(self) -> dict[str, int]:
        return {"R": self.R, "a/2": self.h, "l^(b/2)": self.barrett.divisor, "k": self.barrett.k, "x": self.barrett.x}

    @cached_property
    def digits(self) -> MixedRadix:
        return MixedRadix((self.R, self.R, 2), ("R", "R", "2"))


def check_square(modulus: int, owner: str) -> None:
    """Raises ParameterError("prime") for a modulus that is not 2*2^a*l^b - 1 with even a and b of at least 2."""
    half = (modulus + 1) // 2
    root = gmpy2.isqrt(half)
    if root * root != half or root % 2 or root.bit_count() == 1:
        raise ParameterError(
            "prime", f"{owner} needs a modulus 2*2^a*l^b - 1 with even a and b of at least 2, and (p + 1)/2 is not the "
            "square of an even number with an odd factor here"
        )  # fmt: skip


def fold(p: Square, c1: Digit, c2: Digit, c3: Digit) -> Generator[Step, None, Digit]:
    """c1*R^2 + c2*R + c3 modulo p, by two divisions by R and 2*R^2 = 1. Returns the value below p."""
    q3, r3 = yield from division("c3", c3, p.h, p.barrett)
    yield "c3.q", (), q3
    yield "c3.r", (), r3
    yield "c2+q3", (), (c2 := c2 + q3)
    q2, r2 = yield from division("c2", c2, p.h, p.barrett)
    yield "c2.q", (), q2
    yield "c2.r", (), r2
    yield "c1+q2", (), (c1 := c1 + q2)
    yield "h", (), (h := c1 >> 1)
    yield "e", (), (e := c1 & 1)
    yield "S", (), (S := e * p.R**2 + r2 * p.R + r3 + h)
    sub, S = subtract(S, p.modulus, 2 * p.bits)
    yield "sub", (), sub
    return S


_digit: Limit[Square] = largest(lambda p: p.R - 1)
_quotient: Limit[Square] = largest(lambda p: p.modulus // p.R)

FOLD: tuple[Symbol[Square], ...] = (
    Symbol("c3.hi", "", "c3 without its a/2 low bits", "< 2^k", largest(lambda p: (1 << p.barrett.k) - 1)),
    Symbol("c3.lo", "", "these bits", "< 2^(a/2)", largest(lambda p: (1 << p.h) - 1)),
    Symbol("c3.qhat", "", "Barrett estimate of c3.hi / l^(b/2)", "<= c3.q", lambda run, _: run.at("c3.q")),
    Symbol("c3.corr", "", "whether it is one too small", "0 or 1", one_bit),
    Symbol("c3.q", "", "floor(c3 / R)", "<= p/R", _quotient),
    Symbol("c3.r", "", "c3 mod R", "< R", _digit),
    Symbol("c2+q3", "", "c2 + c3.q", "<= p", largest(lambda p: p.modulus)),
    Symbol("c2.hi", "", "c2+q3 without its a/2 low bits", "< 2^k", largest(lambda p: (1 << p.barrett.k) - 1)),
    Symbol("c2.lo", "", "these bits", "< 2^(a/2)", largest(lambda p: (1 << p.h) - 1)),
    Symbol("c2.qhat", "", "Barrett estimate of c2.hi / l^(b/2)", "<= c2.q", lambda run, _: run.at("c2.q")),
    Symbol("c2.corr", "", "whether it is one too small", "0 or 1", one_bit),
    Symbol("c2.q", "", "floor((c2+q3) / R)", "<= p/R", _quotient),
    Symbol("c2.r", "", "(c2+q3) mod R", "< R", _digit),
    Symbol("c1+q2", "", "c1 + c2.q", "<= 2R - 1", largest(lambda p: 2 * p.R - 1)),
    Symbol("h", "", "its half: 2*R^2 is 1", "<= R - 1", _digit),
    Symbol("e", "", "its low bit", "0 or 1", one_bit),
    Symbol("S", "", "e*R^2 + c2.r*R + c3.r + h", "<= p + h", lambda run, _: run.params.modulus + run.at("h")),
    Symbol("sub", "", "whether p is subtracted from S", "0 or 1", one_bit),
)
"""The fold."""

DIGITS: tuple[Symbol[Square], ...] = tuple(
    Symbol(f"{x}{i}", "", f"digit of R^{3 - i} of {x.upper()}", *(("< R", _digit) if i > 1 else ("0 or 1", one_bit)))
    for x in "ab"
    for i in (1, 2, 3)
)
"""Symbols of the operands' digits."""


def fold_claims(reference: str, last_coefficient: str = "c3") -> tuple[Claim[Square], ...]:
    """Identities of the fold; the model calls its last argument `last_coefficient`."""

    def congruent(run: Run[Square], _: Index, value: int) -> bool:
        p = run.params
        return (run.at("c1+q2") * p.R**2 + run.at("c2.r") * p.R + run.at("c3.r") - value) % p.modulus == 0

    def last(run: Run[Square], _: Index, value: int) -> bool:
        return value == 0 or (run.at("e") == 1 and run.at("c2.r") == run.params.R - 1)

    return (
        Claim("value of S", "S = (c1+q2)*R^2 + c2.r*R + c3.r modulo p", reference, "S", congruent),
        Claim("last subtraction", "it happens only with e = 1 and c2.r = R - 1", reference, "sub", last),
        value_claim("c3.q", "c3.q = floor(c3 / R)", reference, lambda run: run.at(last_coefficient) // run.params.R),
        value_claim("c2.q", "c2.q = floor((c2+q3) / R)", reference, lambda run: run.at("c2+q3") // run.params.R),
    )


def fold_events(reference: str) -> tuple[Event[Square], ...]:
    """Both divisions corrected or not, a quotient of 0, the last subtraction, S next to p, extreme digits."""

    def from_digits(p: Square, index: Index, draw: Draw) -> Iterator[Pair]:
        R = p.R
        for _ in range(64):
            pair = []
            for _ in "ab":
                low, high = (
                    (0, 1, R - 1, R - 2, R // 2, draw.below(R), draw.below(R), draw.below(R))[draw.below(8)]
                    for _ in "23"
                )
                pair.append(min(draw.below(2) * R * R + high * R + low, p.modulus - 1))
            yield pair[0], pair[1]
            yield from islice(with_result(p, draw.of_any_width(p.R), draw), 1)

    def multiple(p: Square, index: Index, draw: Draw) -> Iterator[Pair]:
        """Digits of weight 1 whose product is a multiple of R or next to one, so that an estimate is too small."""
        for _ in range(64):
            a = draw.between(1, p.R - 1)
            factor = int(gmpy2.gcd(a, p.R))
            step = p.R // factor
            yield a, min(step * draw.below(max(factor, 1) + 1), p.modulus - 1)
            yield a * p.R % p.modulus, step * draw.between(1, max(factor - 1, 1))
            yield draw.between(1, p.R - 1) * 2, p.R // 2

    def step(name: str, condition: str, statement: str, value: int, construct: Steered[Square]) -> Event[Square]:
        return equals(name, condition, statement, "a correction that is missing, or made once too often", reference,
                      lambda p: value, construct)  # fmt: skip

    return (
        *(
            step(f"{c}.corr", f"={value}", f"the division of {c} is corrected {value} times", value, construct)
            for c in ("c3", "c2") for value, construct in ((0, from_digits), (1, multiple))
        ),
        *(step(f"{c}.qhat", "=0", f"the estimate of {c} is 0", 0, from_digits) for c in ("c3", "c2")),
        *(step(f"{c}.r", "=0", f"R divides {c}", 0, multiple) for c in ("c3", "c2")),
        *(
            equals(f"{c}.r", "=R-1", f"{c} leaves R - 1", "a remainder that is cut", reference, lambda p: p.R - 1,
                   from_digits)
            for c in ("c3", "c2")
        ),
        step("e", "=1", "c1+q2 is odd", 1, from_digits),
        step("sub", "=1", "p is subtracted from S", 1, from_digits),
        *(
            equals("S", condition, f"S is {condition[1:]}", "a comparison with p that is off by one", reference, value,
                   from_digits, zero_product if condition == "=p" else never)
            for condition, value in (
                ("=p-1", lambda p: p.modulus - 1), ("=p", lambda p: p.modulus), ("=p+1", lambda p: p.modulus + 1),
            )
        ),
        *(
            equals(f"{x}{i}", condition, f"a digit of {x} is {condition[1:]}", "a product of digits that is cut",
                   reference, value, from_digits)
            for x in "ab" for i in (2, 3)
            for condition, value in (("=0", lambda p: 0), ("=R-1", lambda p: p.R - 1))
        ),
        *(
            equals(f"{x}1", "=1", f"{x} is R^2 or more", "a sign or a top digit that is lost", reference, lambda p: 1,
                   from_digits)
            for x in "ab"
        ),
        *result_events(reference),
    )  # fmt: skip


def square_corners(p: Square) -> Iterator[Corner]:
    """Operands that need corrections in both divisions or the last subtraction, or lie at the border of a1."""
    m, R2 = p.modulus, p.R**2
    yield from common_corners(m, m - 1)
    yield Corner((R2 + p.R) // 2, 2, "both divisions are corrected")
    for a in (R2, R2 - 1, R2 + 1):
        for b in (R2, R2 - 1, R2 + 1, 2):
            yield Corner(a, b, "at the border of a1")
    yield Corner(0, R2, "0 with another sign")
    for a in (R2 + 1, R2 + 78, m - 3, p.R + 1):
        if a < m and gmpy2.gcd(a, m) == 1:
            for v in (1, p.R // 2):
                yield Corner(a, int(v * gmpy2.invert(a, m) % m), "a small result: a subtraction at the end is near")
