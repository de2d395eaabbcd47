# SPDX-License-Identifier: Apache-2.0
"""The number system of the redundant paper, and what its Algorithm 1 on integers and its multiplier on digits share.

A redundant digit has two overlap bits. The operations below take digits (ints or columns, low digit first) without
checking them, and preserve the value unless overlap bits of a highest digit are dropped. A carry reaches the next digit
and no further. `r` is log2 of the radix. In the asymmetric product one factor has digits of r2 bits and the other one
is a single digit of r1 bits.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import mul
from typing import Any

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.event import Event
from limbtrace.refmodels.expr import ends
from limbtrace.refmodels.model import Claim, Corner, Formula, Index, Run, Source, Symbol
from limbtrace.refmodels.montgomery import (
    DigitSerial,
    below_radix,
    below_sum,
    exact_products,
    negative_inverse,
    partial_product,
)
from limbtrace.refmodels.representations import high, low
from limbtrace.refmodels.serial_events import A, Accumulator, Places, operand_events, quotient_events
from limbtrace.refmodels.settings import MAX_WIDTH, Parameter, Settings

OVERLAP = 2
"""Overlap bits of a digit. With one of them, a digit of a sum could be 2^(r+1), one more than r + 1 bits hold."""


def paper(where: str) -> Source:
    """A place in the paper."""
    return Source(
        "authors unknown",
        "a Montgomery multiplier in the redundant number system on 24 x 17 bit DSP blocks (its title is not known)",
        where,
    )


def add(X: Sequence[Digit], Y: Sequence[Digit], r: int) -> list[Digit]:
    """X + Y with the same number of digits; the overlap bits of both highest digits are dropped (section III.A.2).

    Digit 0 <= 2^(r+1) - 2, the others <= 2^(r+1) + 4: valid digits from r = 2 on.
    """
    above = [0, *(high(x, r) + high(y, r) for x, y in zip(X[:-1], Y[:-1], strict=True))]
    return [low(x, r) + low(y, r) + carried for x, y, carried in zip(X, Y, above, strict=True)]


def _slice(P: Sequence[Digit], i: int, r: int) -> Digit:
    """P_(i-2)[top] + P_(i-1)[middle] + P_i[low], each of the last two r bits wide; P_j = 0 outside."""
    total: Digit = 0
    for j, part in ((i - 2, 2), (i - 1, 1), (i, 0)):
        if 0 <= j < len(P):
            total = total + (P[j] >> (2 * r) if part == 2 else low(P[j] >> (part * r), r))
    return total


def product(P: Sequence[Digit], r: int) -> list[Digit]:
    """The d + 2 digits of sum P_i * 2^(r*i) for d partial products P_i of two digits (sections III.A.3 and IV.A).

    Digits <= `product_limit`; valid for a factor of r1 + 2 bits where r1 + 4 - r <= r + 1.
    """
    return [_slice(P, i, r) for i in range(len(P) + 2)]


def accumulate(W: Sequence[Digit], C: Sequence[Digit], r: int) -> list[Digit]:
    """sum W_i * 2^(r*i) + C in one digit more than C has, which are at least d + 1 (section IV.B).

    Digits <= `accumulate_limit`; valid for a factor of r1 + 2 bits where r1 + 4 - r <= r.
    """
    rows = zip([*C, 0], [0, *C], strict=True)
    return [_slice(W, i, r) + low(here, r) + high(below, r) for i, (here, below) in enumerate(rows)]


def quotient(S: Sequence[Digit], r1: int, r2: int, keep: int = 0) -> Digit:
    """S mod 2^r1 from the two lowest digits; with `keep` the carry out of the sum of their bits stays in it."""
    s = r1 - r2
    if s == 0:
        return S[0] if keep else low(S[0], r2)
    upper = low(S[1], s) + high(S[0], r2)
    return low(S[0], r2) + ((upper if keep else low(upper, s)) << r2)


def dropped(T: Sequence[Digit], r2: int) -> Digit:
    """The carry c: 1 if the digits dropped by the shift have the value 2^r1 and not 0. T_0 is then 2^r2, else 0."""
    return low(high(T[0], r2), 1)


def shift(T: Sequence[Digit], c: Digit, r1: int, r2: int) -> list[Digit]:
    """T / 2^r1 with one digit less, for a T divisible by 2^r1 and r2 <= r1 < 2*r2.

    The overlap bits of a digit have the weights of the s = r1 - r2 low bits of the digit above, so both are added.
    """
    s = r1 - r2
    U = [(here >> s) + (low(above, s) << (r2 - s)) for here, above in zip(T[1:], [*T[2:], 0], strict=True)]
    return [U[0] + c, *U[1:]]


def shift_add(T: Sequence[Digit], c: Digit, K: Sequence[Digit], r1: int, r2: int) -> list[Digit]:
    """T / 2^r1 + K in one layer of adders, with one digit less than T: the value of `add` after `shift`.

    Valid digits for r1 > r2: at most 2^(r2+1) + 3*2^(r2-s) + 2 with s = r1 - r2.
    """
    s, count = r1 - r2, len(T) - 1
    K = [*K, *[0] * (count - len(K))]
    T = [*T, 0]
    Z: list[Digit] = []
    for j in range(count):
        together = low(T[j + 2], s) << (r2 - s) | low(T[j + 1], r2) >> s
        carried = high(K[j - 1], r2) if j else c
        Z.append(together + (high(T[j + 1], r2) << (r2 - s)) + low(K[j], r2) + carried)
    return Z


def product_limit(r1: int, r2: int) -> int:
    """Largest digit of `product` for factors of r1 + 2 and r2 + 2 bits; at least three digits reach it."""
    return 2 * ((1 << r2) - 1) + (1 << (r1 + 4 - r2)) - 1


def accumulate_limit(r1: int, r2: int) -> int:
    """Largest digit of `accumulate`, for C with digits of r2 + 2 bits."""
    return product_limit(r1, r2) + (1 << r2) - 1 + 3


def subtractions(value: int, modulus: int, count: int) -> list[int]:
    """Reduction to [0, M): for k = count - 1 .. 0, 2^k * M is subtracted from the remainder if that is large enough.

    Returns the remainder after each k. The last one is value mod M if value < 2^count * M.
    """
    left = []
    for k in reversed(range(count)):
        value -= modulus << k if value >= modulus << k else 0
        left.append(value)
    return left


TAIL = Parameter(
    "tail", "1: the last iteration adds q'*M instead of q*M~, with q' = q*M' mod the radix, and leaves less than "
    "ab/R + 2M", "0", "0 to 1",
)  # fmt: skip
OPERANDS = {"a": "< 2M~", "b": "< 2M~", "result": "< 2M~; with a tail step < ab/R + 2M"}


@dataclass(frozen=True)
class Scaled(DigitSerial):
    """M odd, M >= 3; 4M~ <= R = 2^(r*(m+2)) with M~ = M'*M and M' = -M^-1 mod 2^r; a, b < 2M~.

    `digits` is m, `passes` is m + 2. `tail` is 1 if the last iteration adds q'*M in place of q*M~.
    """

    tail: int = field(kw_only=True)

    @cached_property
    def digit_inverse(self) -> int:
        """M'."""
        return negative_inverse(self.modulus, self.radix_bits)

    @cached_property
    def added(self) -> int:
        """M~, which is -1 modulo the radix, so that the lowest digit of S is the quotient digit."""
        return self.digit_inverse * self.modulus

    @cached_property
    def constants(self) -> dict[str, int]:
        return {**self.symmetric_constants("M", "M'"), "M~": self.added}

    @property
    def limits(self) -> tuple[int, int]:
        return 2 * self.added - 1, 2 * self.added - 1

    @property
    def largest_quotient(self) -> int:
        """The largest quotient digit."""
        return self.radix - 1

    @cached_property
    def result_limit(self) -> int:
        a, b = self.limits
        ones = self.domain - 1 >> self.radix_bits
        added = ones // (self.radix - 1) * self.largest_quotient * self.added  # in the divisions but the last
        last = self.modulus * (self.radix - 1) if self.tail else self.added * self.largest_quotient
        return (a * b + added + last * (ones + 1)) // self.domain + 1

    @property
    def formula(self) -> Formula:
        exponent = self.r_bits - self.radix_bits * self.tail
        last = ((self.modulus, self.radix_bits),) * self.tail
        return Formula(((self.added, exponent), *last))

    @property
    def full_multiples(self) -> tuple[int, ...]:
        ones = self.domain - 1 >> self.radix_bits
        if not self.tail:
            return (self.added * (self.domain - 1),)
        return (self.added * ones + self.modulus * (self.radix - self.digit_inverse) * (ones + 1),)

    @property
    def conditional_subtractions(self) -> int:
        """The number of `subtractions` that bring every result into [0, M)."""
        return ((self.result_limit - 1) // self.modulus).bit_length()


def largest_scaled(modulus: int, r: int) -> int:
    """M~ of a modulus; the largest one where the modulus is a term."""
    return ends(negative_inverse(modulus, r) * modulus)[1]


def serial_digits(settings: Settings, name: str, modulus: int, r: int) -> int:
    """m for a modulus. Raises ParameterError if R would be below 4M~."""
    least = -(-(4 * largest_scaled(modulus, r) - 1).bit_length() // r) - 2
    return settings.integer(
        name, -(-modulus.bit_length() // r), least, 2 * MAX_WIDTH // r + 1, f"4M~ <= R = 2^(r*({name}+2))"
    )


def flag(settings: Settings, name: str, default: int = 0) -> int:
    """A setting that is 0 or 1. Raises ParameterError for anything else."""
    return settings.integer(name, default, 0, 1)


def closed_products(p: Scaled, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """(a*b + Q*M~) / R with Q = -a*b*M~^-1 mod R; with a tail step, q'*M is added before the last division by 2^r."""
    if not p.tail:
        return exact_products(p, a, b)
    exponent = p.r_bits - p.radix_bits
    below, digit = (gmpy2.mpz(1) << exponent) - 1, gmpy2.mpz(p.radix - 1)
    inverse, results = p.negative_inverse & below, []
    for ab in map(mul, a, b):
        S = (ab + ((ab & below) * inverse & below) * p.added) >> exponent
        results.append((S + ((S & digit) * p.digit_inverse & digit) * p.modulus) >> p.radix_bits)
    return results


def closed_product(p: Scaled, a: int, b: int) -> int:
    """`closed_products` for a single product."""
    return int(closed_products(p, [gmpy2.mpz(a)], [b])[0])


def corners(p: Scaled) -> Iterator[Corner]:
    """Cases that random operands do not reach: extreme quotients, results next to a limit, digits of all ones."""
    top = p.limits[0]
    return (corner for corner in _corners(p, top) if max(corner.a, corner.b) <= top)


def _corners(p: Scaled, top: int) -> Iterator[Corner]:
    scaled, r, modulus = p.added, p.radix_bits, p.modulus
    half = p.r_bits // 2
    yield Corner(1 << half, 1 << (p.r_bits - half), "a*b = R: every quotient digit is 0")
    yield Corner(scaled, 1, "a = M~: every quotient digit is maximal, and the result is M~, not 0")
    yield Corner(1, scaled, "b = M~: the same")
    yield Corner(scaled, scaled, "a = b = M~")
    yield Corner(modulus, 1, "a = M: the result is a multiple of M")
    yield Corner(scaled - 1, scaled + 1, "a = M~ - 1, b = M~ + 1")
    yield Corner(top, top, "both operands as large as they may be")
    yield Corner(1, 1, "a = b = 1: leaving the domain twice")
    yield Corner(modulus - 1, modulus - 1, "a = b = M - 1")
    yield Corner(modulus - 1, 1, "leaving the domain with the largest residue")
    yield Corner(p.domain % scaled, 1, "a = R mod M~: the result is 1")
    yield Corner(p.domain % modulus, modulus - 1, "a = R mod M: the result is congruent to b")
    yield Corner(p.domain**2 % modulus, modulus - 1, "a = R^2 mod M: b enters the domain")
    yield Corner(1, 1 << (2 * r), "b = 2^(2r): the first quotient digits are 0")
    for limit, which in ((modulus - 1, "M"), (top, "2M~")):
        for width, digits in ((r, "ones"), (r + OVERLAP, "ones, overlap bits among them")):
            count = (limit.bit_length() - 1 - width) // r + 1
            full = sum(((1 << width) - 1) << (r * i) for i in range(count))
            yield Corner(full, full, f"a and b from digits of {digits}, as many as stay below {which}")


def scanned(run: Run[Scaled], count: int) -> int:
    """The value of the first `count` digits a_i."""
    return sum(run.at("a", i) << (run.params.radix_bits * i) for i in range(count))


def state(run: Run[Scaled], i: int) -> int:
    """S after i iterations by the closed form: the divided product of the digits scanned before, plus a_(i-1)*B."""
    p = run.params
    if i == 0:
        return 0
    if p.tail and i == p.passes + 1:
        return closed_product(p, run.a, run.b)
    exponent = p.radix_bits * (i - 1)
    return partial_product(scanned(run, i - 1), run.b, p.added, exponent) + run.at("a", i - 1) * run.b


def added_multiple(run: Run[Scaled], i: int) -> int:
    """The summand that iteration i adds to S before the division: q*M~, or q'*M in the tail step."""
    p = run.params
    return run.at("q'", i) * p.modulus if p.tail and i == p.passes else run.at("q", i) * p.added


def _quotient_holds(run: Run[Scaled], index: Index, value: int) -> bool:
    p = run.params
    Q = run.a * run.b * p.negative_inverse << p.radix_bits
    return not p.closed or value == (Q >> p.radix_bits * index[0]) % p.radix


def _congruence_holds(run: Run[Scaled], _: Index, value: int) -> bool:
    p = run.params
    return (value * p.domain - run.a * run.b) % (p.modulus if p.tail else p.added) == 0


def _tail_holds(run: Run[Scaled], _: Index, value: int) -> bool:
    p = run.params
    return not p.tail or value == 0 or (value - 2 * p.modulus) * p.domain < run.a * run.b


def _leaving_holds(run: Run[Scaled], _: Index, value: int) -> bool:
    p = run.params
    return run.b != 1 or not p.closed or (value < 2 * p.modulus if p.tail else value <= p.added)


_ALGORITHM = "redundant, Algorithm 1 corrected"
_TAIL = "redundant, Algorithm 1 with a tail step, which the paper does not have"


def quotient_and_operand_events(source: str) -> tuple[Event[Any], ...]:
    """Events of both: quotient digits, one iteration late, and operands around M and M~."""
    return (
        *quotient_events(
            "q", source, places=lambda p: ((i,) for i in range(p.passes + 1)), digit=lambda p, index: index[0] - 1
        ),
        *operand_events(source, modulus="M", added="M~"),
    )


def result_accumulator(source: str) -> Accumulator:
    """A is scanned, B is whole; the first subscript is the iteration, in which as many digits have been divided out."""
    return Accumulator(A, source, lambda p, index: p.radix_bits * (index[0] if index else p.passes))


def without_tail(places: Places) -> Places:
    """The places where no tail step is: with it, the last iteration adds a multiple of M."""
    return lambda p: () if p.tail else places(p)


def tail_symbol(radix: str) -> Symbol[Scaled]:
    """The quotient digit of the tail step; `radix` is the algorithm's name of its radix."""
    return Symbol("q'", "i", f"q*M' mod {radix}, of the tail step", f"< {radix}", below_radix, where=_TAIL)


SHARED_CLAIMS: tuple[Claim[Scaled], ...] = (
    Claim("value of q", "q_0 = 0, and q_i is digit i - 1 of -A*B*M~^-1 mod R", _ALGORITHM, "q", _quotient_holds),
    Claim("value of q'", "q' = q*M' mod the radix", _TAIL, "q'",
          lambda run, index, value: value == run.at("q", *index) * run.params.digit_inverse % run.params.radix),
    Claim("value of A", "the digits a_i add up to A, whichever they are", _ALGORITHM, None,
          lambda run, _, value: scanned(run, run.params.passes + 1) == run.a),
    Claim("congruence", "S*R = A*B mod M~; mod M with a tail step", _ALGORITHM, None, _congruence_holds),
    Claim("range", "S < M~ + A*B/R", _ALGORITHM, None,
          lambda run, _, value: not run.params.closed or below_sum(run, value)),
    Claim("range with a tail", "S < 2M + A*B/R with a tail step", _TAIL, None, _tail_holds),
    Claim("closure", "A, B < 2M~ give S < 2M~", _ALGORITHM, None,
          lambda run, _, value: value < run.params.result_limit),
    Claim("zero", "S = 0 only if A*B = 0; zero modulo M~ is M~", _ALGORITHM, None,
          lambda run, _, value: (value == 0) == (run.a * run.b == 0)),
    Claim("leaving the domain", "B = 1 gives at most M~, with a tail step less than 2M", _ALGORITHM, None,
          _leaving_holds),
)  # fmt: skip
