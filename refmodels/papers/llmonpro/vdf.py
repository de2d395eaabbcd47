# SPDX-License-Identifier: Apache-2.0
"""The chain of squarings of a delay function, x^(2^t) mod M, with LLMonPro: section 4 of the LLMonPro paper.

x enters as x*R mod M, is squared t times with its redundant digits fed back unchanged, and is multiplied by 1 in the
end. The paper does not say how x becomes x*R mod M: before the chain, or by a product with R^2 mod M. With
4M(1 + delta) <= R, delta = (2k - 2)/beta, no value of a chain of any length exceeds 2(1 + delta)M; d*k >= N + 3 is
always enough. The paper requires only M < R, with which values outgrow their digits; the printed form shows this, too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import gmpy2

from limbtrace.refmodels.batch_digits import Digit, join, objects, split, weighted_sum
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event, Pair, Seen
from limbtrace.refmodels.expr import whole
from limbtrace.refmodels.model import (
    CORRECTED,
    PRINTED,
    Chain,
    Claim,
    Corner,
    Index,
    Model,
    Run,
    Step,
    Symbol,
    at_most,
    check_modulus,
)
from limbtrace.refmodels.montgomery import below_modulus, subtract
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro import llmonpro as multiplication
from limbtrace.refmodels.papers.llmonpro.llmonpro import FORMS, VARIANT, VARIANTS, Llmonpro
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.representations import Written
from limbtrace.refmodels.serial_events import operand_events, step_event
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

MAX_T = 100_000_000
CHUNK = 4096
"""Number of squarings in one call of gmpy2, which cannot be interrupted."""

PARAMETERS = (
    llmonpro.RADIX,
    Parameter("k", "digits of R = 2^(d*k)", "ceil((N+3)/d), printed ceil(N/d)",
              "4M(1 + (2k-2)/beta) <= R, k <= 2^(d-1) - 1; printed M < R"),
    Parameter("t", "squarings", "16", f"1 to {MAX_T}"),
    Parameter("entry", "1: x enters by a product with R^2 mod M, which is not reduced", "0", "0 to 1"),
    VARIANT,
    Parameter("form", "printed has the carry of the printed LLMonPro, and its digits", CORRECTED,
              f"{CORRECTED} or {PRINTED}"),
)  # fmt: skip


@dataclass(frozen=True)
class Vdf(Llmonpro):
    """M odd, 4M(1 + delta) <= R = 2^(d*k), unless printed; x = a < M, and there is no b.

    `t` is the number of squarings; `entry` is 1 where x enters by a product with R^2 mod M, which is not reduced.
    """

    t: int = field(kw_only=True)
    entry: int = field(default=0, kw_only=True)

    @property
    def named(self) -> dict[str, int | str]:
        return {"k": self.k, "t": self.t, "entry": self.entry, "variant": self.variant}

    @property
    def limits(self) -> tuple[int, int]:
        return self.modulus - 1, 0

    @property
    def result_limit(self) -> int:
        """M; in the printed form, in which a chain outgrows its digits, the limit of k + 2 digits."""
        return self.modulus if self.corrected else 4 * self.domain * self.radix

    @property
    def closed(self) -> bool:
        return self.corrected

    @property
    def written(self) -> None:
        """None: x is a number, and the digits are those of x*R mod M."""

    @cached_property
    def value_limit(self) -> int:
        """2(1 + delta)M, rounded down: the largest value that a squaring returns."""
        above, beta = self.excess
        return 2 * self.modulus * above // beta

    @cached_property
    def to_domain(self) -> list[int]:
        """k + 1 digits of R^2 mod M."""
        return split(self.domain**2 % self.modulus, self.radix_bits, self.k + 1)

    def enter(self, x: Digit) -> Digit:
        """x*R mod M, computed outside of the chain."""
        return whole(x) * self.domain % self.modulus

    def given(self, x: Digit) -> Digit:
        """The operand of the first product: x with `entry`, else x*R mod M."""
        return whole(x) if self.entry else self.enter(x)

    def split(self, a: int, b: int) -> tuple[list[int], None]:
        """The k + 1 digits of x, or of x*R mod M; None for b."""
        return self.operand_digits(self.given(a)), None

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[list[Digit], None]:
        """The columns of these digits for a batch of chains; None for b."""
        return self.operand_columns([self.given(x) for x in a]), None


def resolve(modulus: int, given: Given) -> Vdf:
    """Parameters for a modulus. Raises ParameterError, also for an R for which a chain would outgrow its digits."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings("vdf", PARAMETERS, given)
    d = llmonpro.radix_bits(settings)
    form = settings.choice("form", FORMS, CORRECTED)
    k_min = llmonpro.digits(bits, d)
    k_safe = llmonpro.digits(bits + 3, d)
    k = settings.integer(
        "k", k_min if form == PRINTED else k_safe, k_min, 2 * MAX_WIDTH // d + 1, f"d*k >= {bits}, the modulus's bits"
    )
    multiplication.check_digits(d, k, form)
    t, entry = settings.integer("t", 16, 1, MAX_T), settings.integer("entry", 0, 0, 1)
    params = Vdf(modulus, d, k, k, form, variant=settings.choice("variant", VARIANTS, "alg5"), t=t, entry=entry)
    if form == CORRECTED and not params.stays_in_range:
        raise ParameterError(
            "k", f"a chain does not stay in range with R = 2^{d * k}, which must be at least 4M(1 + (2k-2)/beta); "
            f"k = {k_safe} is enough for every modulus of {bits} bits",
        )  # fmt: skip
    return params


def multiply(params: Vdf, A: Sequence[Digit], B: Sequence[Digit]) -> list[Digit]:
    """The digits Z of one LLMonPro product."""
    return [value for name, _, value in multiplication.steps(params, A, B) if name == "Z"]


def entered(params: Vdf, x: Sequence[Digit]) -> list[Digit]:
    """The digits that are squared first; `x` holds the digits of `Vdf.given`."""
    return multiply(params, x, params.to_domain)[: params.k + 1] if params.entry else list(x)


def after(params: Vdf, x: Sequence[Digit], i: int) -> list[Digit]:
    """The k + 1 digits after squaring i; `x` holds the digits of `Vdf.given`."""
    Z = entered(params, x)
    for _ in range(i):
        Z = multiply(params, Z, Z)[: params.k + 1]
    return Z


def leave(params: Vdf, Z: Sequence[Digit]) -> tuple[Digit, Digit]:
    """The product with 1: whether it is M or more, and what it is modulo M."""
    one: list[Digit] = [1, *[0] * params.k]
    y = weighted_sum((digit, params.radix_bits * j) for j, digit in enumerate(multiply(params, Z, one)))
    return subtract(y, params.modulus, params.r_bits)


def squarings(params: Vdf, x: Sequence[Digit]) -> Iterator[Step]:
    """Every step of every squaring, the number of the squaring (1 to t) as first subscript."""
    Z = entered(params, x)
    for i in range(1, params.t + 1):
        fed_back = []
        for name, index, value in multiplication.steps(params, Z, Z):
            if name == "Z":
                fed_back.append(value)
            yield name, (i, *index), value
        Z = fed_back[: params.k + 1]


def steps(params: Vdf, x: Sequence[Digit], _: None) -> Iterator[Step]:
    """The chain. `x` holds the k + 1 digits of x*R mod M, or those of x with `entry`."""
    Z = entered(params, x)
    yield "x_mont", (0,), join(Z, params.radix_bits)
    for i in range(1, params.t + 1):
        Z = multiply(params, Z, Z)
        yield "z", (i,), join(Z, params.radix_bits)
        Z = Z[: params.k + 1]
    _, y = leave(params, Z)
    yield "y", (), y


def powers(params: Vdf, x: int, indices: Sequence[int]) -> Iterator[int]:
    """x^(2^i) mod M for each i of the increasing `indices`, at value level."""
    modulus, y, done = gmpy2.mpz(params.modulus), gmpy2.mpz(x), 0
    for i in indices:
        while done < i:
            count = min(CHUNK, i - done)
            y, done = gmpy2.powmod(y, gmpy2.mpz(1) << count, modulus), done + count
        yield int(y % modulus)


def squaring(params: Vdf, x: int, i: int) -> Run[Vdf]:
    """Squaring i of the chain (from 1 on) with its steps; the steps of earlier squarings are not kept."""
    Z = after(params, params.split(x, 0)[0], i - 1)
    a = Written(Z, params.radix_bits)
    steps = tuple(multiplication.steps(params, Z, Z))
    result = multiplication.MODEL.result_of(params, steps)
    return Run(params, a, a, steps, result)


def closed_form(params: Vdf, x: int, _: int) -> int:
    """x^(2^t) mod M."""
    (y,) = powers(params, x, [params.t])
    return y


_SECTION = "LLMonPro, section 4 corrected"


def _power_holds(run: Run[Vdf], index: Index, value: int) -> bool:
    p = run.params
    (power,) = powers(p, run.a, index)
    return (value - power * p.domain) % p.modulus == 0


def corners(p: Vdf) -> Iterator[Corner]:
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
        "x_mont", condition, f"x*R mod M is {condition[1:]}", "a chain that stays at 0, 1 or -1", _SECTION,
        lambda params: () if params.entry else ((0,),), lambda seen, params, index: seen == value(params.modulus),
        lambda params, index, draw: iter([(value(params.modulus) * int(gmpy2.invert(params.domain, params.modulus))
                                           % params.modulus, 0)]),
    )  # fmt: skip


def _drawn(params: Vdf, index: Index, draw: Draw) -> Iterator[Pair]:
    for _ in range(64):
        yield draw.of_any_width(params.modulus - 1), 0


def root(params: Vdf, y: int) -> int | None:
    """An x with x^(2^t) = y modulo a prime M, where y has a root of odd order; None where not."""
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
        "y", "_low=0", "the low i digits of the result are 0, where the carry of redundant digits ripples",
        "a carry chain that is cut in the last resolution", _SECTION, _top_places,
        lambda seen, index: (seen.at("y") > 0) & (seen.at("y") % (1 << seen.params.radix_bits * index[0]) == 0),
        _with_results(_zeros_below),
    ),
    Event(
        "y", "_top=M", "the result has the digits of M from digit i on, where the borrow of the comparison ripples",
        "a borrow that is not carried through equal digits", _SECTION, _top_places,
        lambda seen, index: (seen.at("y") ^ seen.params.modulus) >> seen.params.radix_bits * index[0] == 0,
        _with_results(_next_to_modulus),
    ),
    Event(
        "y", "_subtracted", "the last value is M or more", "a last subtraction that is missing or goes wrong", _SECTION,
        lambda params: ((),), _subtracted, _with_results(_small_result), _never_subtracted,
    ),
    _entered_event("=0", lambda M: 0),
    _entered_event("=1", lambda M: 1),
    _entered_event("=M-1", lambda M: M - 1),
    step_event(
        "z", ">=M", "the value after a squaring is not below M", "a value that is taken for reduced", _SECTION,
        lambda params: ((i,) for i in range(1, params.t + 1)),
        lambda seen, params, index: seen >= params.modulus, _drawn,
    ),
    step_event(
        "y", "=0", "the result is 0", "a comparison with M that is off by one", _SECTION, lambda params: ((),),
        lambda seen, params, index: seen == 0, lambda params, index, draw: iter([(0, 0)]),
    ),
    step_event(
        "y", "=1", "the result is 1", "a comparison with M that is off by one", _SECTION, lambda params: ((),),
        lambda seen, params, index: seen == 1, lambda params, index, draw: iter([(1, 0), (params.modulus - 1, 0)]),
    ),
    *operand_events(_SECTION, "M", digits=False, unary=True),
)  # fmt: skip


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many digits as a chain modulo that many bits needs to stay in range, and 1 to 5 squarings."""
    d = multiplication.roomy_digit_bits(choice, bits + 3, max_digits)
    return {"d": d, "t": choice.integer(1, 5), "variant": choice.one_of(VARIANTS)}


MODEL: Model[Vdf] = Model(
    id="vdf",
    title="x^(2^t), a chain of squarings",
    source=llmonpro.paper("section 4"),
    parameters=PARAMETERS,
    operands={"a": "< M, the starting value x", "result": "< M, x^(2^t) mod M"},
    reference=_SECTION,
    vocabulary=(
        Symbol("x_mont", "0", "x*R modulo M", "< M; at most 2(1 + (2k-2)/beta)M where x enters by a product",
               lambda run, _: run.params.value_limit if run.params.entry else run.params.modulus - 1),
        Symbol("z", "i", "value of the digits after squaring i, 1 to t", "<= 2(1 + (2k-2)/beta)M",
               lambda run, _: run.params.value_limit),
        Symbol("y", "", "the last value times 1/R, below M: x^(2^t) mod M", "< M", below_modulus),
    ),
    forms=FORMS,
    resolve=resolve,
    shape=_shape,
    closed_form=closed_form,
    steps=steps,
    loop=squarings,
    result_parts=lambda params: [("y", (), 0)],
    step_count=lambda params: params.t + 2,
    further_claims=(
        Claim("value of x_mont", "x_mont = x*R modulo M", _SECTION, "x_mont",
              lambda run, _, value: (value - run.params.enter(run.a)) % run.params.modulus == 0),
        at_most("z", "every value is below R, so that digit k is 0", _SECTION, lambda run, _: run.params.domain - 1),
        Claim("value of z", "the value after squaring i is x^(2^i)*R modulo M", _SECTION, "z", _power_holds),
        Claim("value of y", "y = x^(2^t) mod M", _SECTION, "y",
              lambda run, _, value: value == closed_form(run.params, run.a, 0)),
    ),
    corners=corners,
    events=EVENTS,
    chain=Chain(
        parameter="t",
        length=lambda params: params.t,
        powers=powers,
        link=squaring,
        link_model=multiplication.MODEL,
        link_work=lambda params: 3 * (params.k + 1) ** 2,
    ),
)  # fmt: skip
