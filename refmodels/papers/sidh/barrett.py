# SPDX-License-Identifier: Apache-2.0
"""Barrett reduction of a product: section II of the SIDH paper, equation 1.

The quotient of a*b by p is estimated with one multiplication by x = floor(2^k / p) and a shift; while a*b < 2^k the
estimate is at most one too small.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.integer_models import (
    Steered,
    Whole,
    common_corners,
    constant,
    draws,
    equals,
    largest,
    product,
    products,
    result_events,
)
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Index, Model, Run, Step, Symbol, check_modulus, one_bit
from limbtrace.refmodels.montgomery import below_modulus
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh import pseudocode
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

PARAMETERS = (
    Parameter("k", "bits of the largest dividend", "2*N", f"N to {4 * MAX_WIDTH}"),
    Parameter("form", "the paper leaves k open", CORRECTED, CORRECTED),
)


@dataclass(frozen=True)
class BarrettProduct(Whole):
    """p odd; a*b < 2^k."""

    k: int = 0

    @property
    def named(self) -> dict[str, int | str]:
        return {"k": self.k}

    @property
    def constants(self) -> dict[str, int]:
        return {"x": self.barrett.x}

    @property
    def limits(self) -> tuple[int, int]:
        return (1 << self.k) - 1, (1 << self.k) - 1

    @cached_property
    def barrett(self) -> sidh.Barrett:
        return sidh.Barrett(self.modulus, self.k, (1 << self.k) - 1)

    @cached_property
    def widest_bits(self) -> int:
        return 2 * self.k + 4


def resolve(modulus: int, given: Given) -> BarrettProduct:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("barrett", PARAMETERS, given)
    N = modulus.bit_length()
    k = settings.integer("k", 2 * N, N, 4 * MAX_WIDTH, "p < 2^k")
    return BarrettProduct(modulus, settings.choice("form", (CORRECTED,), CORRECTED), k)


def largest_b(params: BarrettProduct, a: int) -> int:
    """The largest b that may be combined with that a."""
    return params.limits[1] // max(a, 1)


def steps(params: BarrettProduct, a: Digit, b: Digit) -> Iterator[Step]:
    """Equation 1 and the correction."""
    barrett, p = params.barrett, params.modulus
    yield "AB", (), (AB := a * b)
    yield "qhat", (), (qhat := barrett.quotient(barrett.estimate(AB)))
    yield "rhat", (), (rhat := AB - qhat * p)
    yield "corr", (), (corr := barrett.correct(rhat, 1))
    yield "q", (), qhat + corr
    yield "r", (), rhat - corr * p


_SOURCE = "SIDH paper, section II"


def _quotient(run: Run[BarrettProduct], _: Index) -> int:
    return run.a * run.b // run.params.modulus


VOCABULARY: tuple[Symbol[BarrettProduct], ...] = (
    Symbol("AB", "", "the dividend", "< 2^k", largest(lambda p: (1 << p.k) - 1)),
    Symbol("qhat", "", "estimate of the quotient, AB*x >> k", "<= floor(AB/p)", _quotient),
    Symbol("rhat", "", "AB - qhat*p", "< 2p", largest(lambda p: 2 * p.modulus - 1)),
    Symbol("corr", "", "whether p is subtracted once", "0 or 1", one_bit),
    Symbol("q", "", "the quotient, qhat + corr", "floor(AB/p)", _quotient, least=_quotient),
    Symbol("r", "", "the remainder, rhat - corr*p", "< p", below_modulus),
)


@lru_cache(maxsize=64)
def _corners(params: BarrettProduct) -> tuple[Corner, ...]:
    p, (most, _) = params.modulus, params.limits
    corners = [
        *common_corners(p, most),
        Corner(most, 1, "the largest dividend"),
        Corner(1, most, "the largest dividend"),
        Corner(p, most // p, "the largest multiple of p: the estimate is corrected"),
        Corner(p, p, "a multiple of p: the estimate is corrected"),
        Corner(p - 1, p, "a multiple of p: the estimate is corrected"),
        Corner(p + 1, max(p - 1, 1), "one less than a multiple of p"),
    ]
    return tuple(corner for corner in corners if max(corner.a, corner.b) <= most and corner.a * corner.b <= most)


def _near_multiples(offset: int) -> Steered[BarrettProduct]:
    """Dividends next to multiples of p, small ones and the largest ones."""

    def construct(params: BarrettProduct, index: Index, draw: Draw) -> Iterator[Pair]:
        p, most = params.modulus, params.limits[1]
        for _ in range(64):
            a = draw.between(1, p - 1)
            if gmpy2.gcd(a, p) != 1:
                continue
            b = offset * int(gmpy2.invert(a, p)) % p
            room = largest_b(params, a) - b
            if room >= 0:
                yield a, b + room // p * p
                yield a, b + draw.below(room // p + 1) * p
            yield 1, min(draw.of_any_width(most // p) * p + offset % p, most)

    return construct


def _rhat_event(condition: str, value: Callable[[BarrettProduct], int], offset: int) -> Event[BarrettProduct]:
    return equals(
        "rhat", condition, f"the remainder before the correction is {condition[1:]}",
        "a comparison with p that is off by one", _SOURCE, value, _near_multiples(offset),
    )  # fmt: skip


EVENTS: tuple[Event[BarrettProduct], ...] = (
    *(
        equals("corr", f"={value}", f"p is subtracted {value} times", "a correction that is missing or too many",
                    _SOURCE, constant(value), construct)
        for value, construct in ((0, draws), (1, _near_multiples(0)))
    ),
    _rhat_event("=0", lambda params: 0, 0),
    _rhat_event("=p-1", lambda params: params.modulus - 1, -1),
    _rhat_event("=p", lambda params: params.modulus, 0),
    _rhat_event("=p+1", lambda params: params.modulus + 1, 1),
    equals("qhat", "=0", "the estimate is 0", "an estimate that is taken for exact", _SOURCE, lambda params: 0),
    equals("AB", "=max", "the dividend is 2^k - 1", "a dividend that is cut", _SOURCE,
                lambda params: params.limits[0], lambda params, index, draw: iter([(params.limits[0], 1)])),
    *result_events(_SOURCE),
)  # fmt: skip


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """k for operands of that many bits: twice as many, or a number close to that."""
    return {"k": choice.one_of((2 * bits, choice.integer(bits, 3 * bits)))}


MODEL: Model[BarrettProduct] = Model(
    id="barrett",
    title="Barrett reduction of a product",
    source=sidh.paper("section II"),
    parameters=PARAMETERS,
    operands={"a": "with a*b < 2^k", "b": "with a*b < 2^k", "result": "< p"},
    reference=_SOURCE,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    shape=_shape,
    closed_form=product,
    closed_forms=products,
    steps=steps,
    pseudocode=pseudocode.barrett,
    result_parts=lambda params: [("r", (), 0)],
    step_count=lambda params: len(VOCABULARY),
    further_claims=(
        Claim("exact multiples", "a multiple of p other than 0 is corrected, unless p divides 2^k", _SOURCE, "corr",
              lambda run, _, value: run.a * run.b % run.params.modulus != 0 or run.a * run.b == 0 or value == 1),
        sidh.RESULT,
    ),
    corners=lambda params: iter(_corners(params)),
    events=EVENTS,
    largest_b=largest_b,
)  # fmt: skip
