# SPDX-License-Identifier: Apache-2.0
"""a*b mod p with the reduction in the loop: for each digit of a, the highest first, S = (2^r*S + a_i*b) mod p.

G. R. Blakley multiplies bit by bit. With digits of r bits, and S and b below p, T = 2^r*S + a_i*b is at most
(2^r + 2^r - 1)*(p - 1), so that p is subtracted 2^(r+1) - 2 times at most: twice with r = 1.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gmpy2
import numpy as np

from limbtrace.refmodels.batch_digits import WORD, Digit, split
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.expr import whole
from limbtrace.refmodels.integer_models import (
    FORM,
    Steered,
    Whole,
    common_corners,
    draws,
    largest,
    product,
    products,
    result_events,
    with_result,
)
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Index, Model, Run, Source, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.blakley import pseudocode
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

SOURCE = Source(
    "G. R. Blakley",
    "A computer algorithm for calculating the product AB modulo M, IEEE Trans. Computers C-32(5), 1983",
    "the algorithm, with digits of r bits",
)
MOST_BITS = 8
"""Bits of a digit at most."""

PARAMETERS = (
    Parameter("r", "bits of a digit of a", "1", f"1 to {MOST_BITS}"),
    Parameter("n", "digits of a, which is below 2^(r*n)", "ceil(N/r)", f"the default to {MAX_WIDTH}"),
    FORM,
)


@dataclass(frozen=True)
class Blakley(Whole):
    """p >= 2; a is below 2^(r*n), b is below p."""

    r: int = 1
    n: int = 0

    @property
    def named(self) -> dict[str, int | str]:
        return {"r": self.r, "n": self.n}

    @property
    def constants(self) -> dict[str, int]:
        return {}

    @property
    def limits(self) -> tuple[int, int]:
        return (1 << self.r * self.n) - 1, self.modulus - 1

    @property
    def largest_sum(self) -> int:
        """Limit of T."""
        return ((2 << self.r) - 1) * (self.modulus - 1)

    @property
    def most_subtractions(self) -> int:
        """Limit of the times that p goes into T."""
        return self.largest_sum // self.modulus

    def split(self, a: int, b: int) -> tuple[Any, Any]:
        return split(whole(a), self.r, self.n), whole(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Digits of a as columns, and b as one column; of int64 if every value fits."""
        narrow = max(self.largest_sum.bit_length(), self.r * self.n) < WORD
        x, y = (np.array([int(value) for value in values], dtype=np.int64 if narrow else object) for values in (a, b))
        return split(x, self.r, self.n), y


def resolve(modulus: int, given: Given) -> Blakley:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus, 2, even=True)
    settings = Settings("blakley", PARAMETERS, given)
    r = settings.integer("r", 1, 1, MOST_BITS)
    least = -(-modulus.bit_length() // r)
    n = settings.integer("n", least, least, MAX_WIDTH)
    return Blakley(modulus, settings.choice("form", (CORRECTED,), CORRECTED), r, n)


def steps(params: Blakley, a: list[Digit], b: Digit) -> Iterator[Step]:
    """Iteration i takes digit n - 1 - i of a."""
    p = params.modulus
    S: Digit = 0
    for i, digit in enumerate(reversed(a)):
        yield "d", (i,), digit
        yield "T", (i,), (T := (S << params.r) + digit * b)
        yield "q", (i,), T // p
        yield "S", (i,), (S := T % p)


_REFERENCE = "Blakley 1983"


def _taken(run: Run[Blakley], i: int) -> int:
    """The digits of a up to iteration i."""
    return run.a >> run.params.r * (run.params.n - 1 - i)


VOCABULARY: tuple[Symbol[Blakley], ...] = (
    Symbol("d", "i", "digit n - 1 - i of a", "< 2^r", largest(lambda p: (1 << p.r) - 1)),
    Symbol("T", "i", "2^r*S + d*b", "<= (2^(r+1) - 1)(p - 1)", largest(lambda p: p.largest_sum)),
    Symbol("q", "i", "how often p is subtracted", "<= floor((2^(r+1) - 1)(p - 1)/p)",
           largest(lambda p: p.most_subtractions)),
    Symbol("S", "i", "T - q*p", "< p", below_modulus),
)  # fmt: skip

CLAIMS: tuple[Claim[Blakley], ...] = (
    Claim("value of T", "T[i] = S[i-1]*2^r + d[i]*b", _REFERENCE, "T",
          lambda run, index, seen: seen == (run.at("S", index[0] - 1) if index[0] else 0) * (1 << run.params.r)
          + run.at("d", *index) * run.b),
    Claim("value of S", "S[i] is b times the digits of a so far, mod p", _REFERENCE, "S",
          lambda run, index, seen: seen == _taken(run, index[0]) * run.b % run.params.modulus),
    Claim("value of q", "q = floor(T/p)", _REFERENCE, "q",
          lambda run, index, seen: seen == run.at("T", *index) // run.params.modulus),
    Claim("result", "the result is a*b mod p, in [0, p)", _REFERENCE, None,
          lambda run, _, seen: seen == run.a * run.b % run.params.modulus),
)  # fmt: skip

_COMPARISON = "a subtraction that is missing, or a comparison with a multiple of p that is off by one"


def _every(p: Blakley) -> Iterator[Index]:
    return ((i,) for i in range(p.n))


def _with_sum(value: Callable[[Blakley], int]) -> Steered[Blakley]:
    """Operands with T[i] = value: the digits so far are a multiple of b^-1, or T is a small multiple of b."""

    def construct(p: Blakley, index: Index, draw: Draw) -> Iterator[Pair]:
        modulus, wanted = p.modulus, value(p)
        rest = p.r * (p.n - 1 - index[0])
        bits = p.r * (index[0] + 1)

        def padded(digits: int) -> int:
            return digits << rest | draw.below(1 << rest)

        for _ in range(8):
            b = draw.between(1, modulus - 1)
            if gmpy2.gcd(b, modulus) == 1:
                digits = wanted * int(gmpy2.invert(b, modulus)) % modulus
                if digits >> bits == 0:
                    yield padded(digits), b
                    yield padded(digits + ((1 << bits) - 1 - digits) // modulus * modulus), b
        for _ in range(24):  # few digits so far: b is what makes their product the residue
            digits = draw.between(1, min((1 << bits) - 1, (1 << 2 * p.r + 4) - 1))
            if gmpy2.gcd(digits, modulus) == 1:
                yield padded(digits), wanted * int(gmpy2.invert(digits, modulus)) % modulus
            yield padded(digits), modulus - draw.between(1, modulus - 1)
        yield from with_result(p, wanted % modulus, draw)

    return construct


def _event(
    step: str,
    condition: str,
    statement: str,
    hunts: str,
    value: Callable[[Blakley], int],
    construct: Steered[Blakley],
    most: Callable[[Blakley], int],
) -> Event[Blakley]:
    """The step has a value that the parameters give, in each iteration; `most` is the limit of the step."""
    return Event(
        step,
        condition,
        statement=statement,
        hunts=hunts,
        source=_REFERENCE,
        where=_every,
        happens=lambda seen, index: seen.at(step, *index) == value(seen.params),
        construct=construct,
        reachable=lambda p, index: f"{step} is at most {most(p):#x}" if value(p) > most(p) else None,
    )


def _large(p: Blakley, index: Index, draw: Draw) -> Iterator[Pair]:
    """Digits of ones and large b, so that p goes into T often."""
    a_most, b_most = p.limits
    for _ in range(32):
        yield a_most - draw.of_any_width(a_most >> p.r), b_most - draw.of_any_width(b_most // 2)
        yield a_most, draw.below(b_most + 1)
    yield from draws(p, index, draw)


def _most_sum(p: Blakley) -> int:
    return p.largest_sum


_SUMS: dict[str, Callable[[Blakley], int]] = {
    "=0": lambda p: 0, "=p-1": lambda p: p.modulus - 1, "=p": lambda p: p.modulus, "=p+1": lambda p: p.modulus + 1,
    "=2p-1": lambda p: 2 * p.modulus - 1, "=2p": lambda p: 2 * p.modulus, "=2p+1": lambda p: 2 * p.modulus + 1,
}  # fmt: skip
EVENTS: tuple[Event[Any], ...] = (
    *(_event("T", name, f"T is {name[1:]}", _COMPARISON, value, _with_sum(value), _most_sum)
      for name, value in _SUMS.items()),
    *(_event("q", f"={times}", f"p is subtracted {times} times", _COMPARISON, lambda p, times=times: times,  # type: ignore[misc]
             _large, lambda p: p.most_subtractions) for times in (0, 1, 2, 3)),
    _event("q", "=max", "p is subtracted as often as it can be", "the last one of several subtractions",
           lambda p: p.most_subtractions, _large, lambda p: p.most_subtractions),
    _event("S", "=0", "nothing is left before the last digit", "a sum that is taken for unused", lambda p: 0,
           _with_sum(lambda p: p.modulus), lambda p: p.modulus - 1),
    _event("S", "=p-1", "the most is left", "a doubled sum without its top bit", lambda p: p.modulus - 1,
           _with_sum(lambda p: 2 * p.modulus - 1), lambda p: p.modulus - 1),
    _event("d", "=0", "a digit of a is 0", "a digit that is skipped with its doubling", lambda p: 0, draws,
           lambda p: (1 << p.r) - 1),
    _event("d", "=max", "a digit of a is all ones", "a multiple of b that is missing", lambda p: (1 << p.r) - 1, draws,
           lambda p: (1 << p.r) - 1),
    *result_events(_REFERENCE),
)  # fmt: skip


def _corners(params: Blakley) -> Iterator[Corner]:
    p, (a_most, b_most) = params.modulus, params.limits
    found = (
        *common_corners(p, min(a_most, p - 1)),
        Corner(a_most, b_most, "both operands as large as they may be"),
        Corner(1 << params.r * params.n - 1, b_most, "the top bit of a alone"),
        Corner(a_most, 1, "all bits of a, b = 1"),
    )
    return (corner for corner in found if corner.a <= a_most and corner.b <= b_most)


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Digits of one or a few bits, and one digit more at times."""
    least = min(-(-bits // max_digits), MOST_BITS)
    r = max(choice.one_of((1, 1, 2, 3)), least)
    return {"r": r, "n": -(-bits // r) + choice.integer(0, 1)}


MODEL: Model[Blakley] = Model(
    id="blakley",
    title="a*b mod p with the reduction in the loop, digit by digit of a from the top",
    source=SOURCE,
    parameters=PARAMETERS,
    operands={"a": "< 2^(r*n)", "b": "< p", "result": "< p"},
    reference=_REFERENCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    shape=_shape,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.blakley,
    result_parts=lambda params: [("S", (params.n - 1,), 0)],
    step_count=lambda params: 4 * params.n,
    further_claims=CLAIMS,
    corners=_corners,
    events=EVENTS,
    even_moduli=True,
)
