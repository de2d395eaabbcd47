# SPDX-License-Identifier: Apache-2.0
"""Montgomery's product for any R = 2^r: a*b*R^-1 mod p of operands below any bound, reduced at the end or not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import gmpy2

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.expr import Term, whole
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Formula, Index, Model, Run, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import Montgomery, corners, exact_product, exact_products, subtract
from limbtrace.refmodels.papers.textbook import family as textbook
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.serial_events import quotient_digit
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

REDUCED, UNREDUCED = "reduced", "unreduced"
R = Parameter("r", "bits of R = 2^r", "N", f"1 to {MAX_WIDTH}")
FINAL = Parameter(
    "final", "whether p is subtracted at the end until the result is below p", REDUCED, f"{REDUCED} or {UNREDUCED}"
)
PARAMETERS = (R, textbook.below("p", "p, N, its bits, r and R"), FINAL, textbook.FORM)
MOST_SUBTRACTIONS = 16
"""Subtractions up to which quotients of ones alone are told apart in the result."""


@dataclass(frozen=True)
class Reduction(Montgomery):
    """p odd, R = 2^r; operands are in [0, bound), and t is the sum before any subtraction."""

    modulus: int
    r: int
    below: str
    bound: Any
    final: str
    form: str = CORRECTED

    radix_bits: ClassVar[None] = None

    @property
    def named(self) -> dict[str, int | str]:
        return {"r": self.r, "below": self.below, "final": self.final}

    @cached_property
    def constants(self) -> dict[str, int]:
        return {**self.domain_constants("p"), "p'": self.negative_inverse}

    @property
    def r_bits(self) -> int:
        return self.r

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, self.bound - 1

    @property
    def largest_product(self) -> Any:
        """Limit of the dividend, a*b."""
        return self.limits[0] * self.limits[1]

    @cached_property
    def largest_sum(self) -> Any:
        """Limit of t."""
        return (self.largest_product + (self.domain - 1) * self.modulus) >> self.r

    @property
    def reduces(self) -> bool:
        """True if the result is below p."""
        return self.final == REDUCED

    @cached_property
    def most_subtractions(self) -> int:
        """Limit of the times that p is subtracted."""
        least = self.modulus.least if isinstance(self.modulus, Term) else self.modulus
        if isinstance(self.modulus, Term) and self.below == "p" and (1 << self.r) > self.modulus.most:
            return 1
        return textbook.most(self.largest_sum) // least

    @property
    def result_limit(self) -> int:
        return self.modulus if self.reduces else int(self.largest_sum) + 1

    @property
    def formula(self) -> Formula | None:
        return Formula(((self.modulus, self.r),), "reduced" if self.reduces else "as it is")

    @property
    def full_multiples(self) -> tuple[int, ...]:
        times = self.most_subtractions if self.reduces else 0
        full = (self.domain - 1) * self.modulus
        return tuple(full - k * self.modulus * self.domain for k in range(min(times, MOST_SUBTRACTIONS) + 1))

    @cached_property
    def widest_bits(self) -> int:
        """Width of the widest value of the steps; decides the kind of column."""
        wide = max(2 * textbook.most(self.bound).bit_length(), 2 * self.r, self.r + self.modulus.bit_length())
        return wide + 2

    def split(self, a: int, b: int) -> tuple[Any, Any]:
        """Both operands as they are."""
        return whole(a), whole(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Both operands as one column each."""
        return textbook.columns(a, b, self.widest_bits)


def resolved(
    owner: str, parameters: tuple[Parameter, ...], default: str, modulus: int, given: Given
) -> tuple[int, str, Any, str, str]:
    """r, text of the bound and bound, end and form, for a modulus; `owner` is the id of the model.

    Raises ParameterError.
    """
    N = check_modulus(modulus).bit_length()
    settings = Settings(owner, parameters, given)
    r = settings.integer("r", N, 1, MAX_WIDTH)
    text, value = textbook.bound(given.get("below", default), modulus, {"N": N, "r": r, "R": 1 << r})
    final = settings.choice("final", (REDUCED, UNREDUCED), REDUCED)
    return r, text, value, final, settings.choice("form", (CORRECTED,), CORRECTED)


def resolve(modulus: int, given: Given) -> Reduction:
    """Parameters for a modulus. Raises ParameterError."""
    return Reduction(modulus, *resolved("montgomery", PARAMETERS, "p", modulus, given))


def steps_of_reduction(params: Reduction, T: Digit) -> Iterator[Step]:
    """REDC of T: T + m*p is a multiple of R; p is subtracted from their quotient as often as it goes into it."""
    p, low = params.modulus, params.domain - 1
    yield "m", (), (m := (T & low) * params.negative_inverse & low)
    yield "t", (), (t := (T + m * p) >> params.r)
    if not params.reduces:
        return
    if params.most_subtractions > 1:
        yield "sub", (), (sub := t // p)
        yield "Z", (), t - sub * p
    else:
        sub, Z = subtract(t, p, textbook.most(params.largest_sum).bit_length() + 1)
        yield "sub", (), sub
        yield "Z", (), Z


def steps(params: Reduction, a: Digit, b: Digit) -> Iterator[Step]:
    """The product, reduced."""
    yield "T", (), (T := a * b)
    yield from steps_of_reduction(params, T)


def closed_form(params: Reduction, a: int, b: int) -> int:
    """t, or t mod p."""
    t = exact_product(params, a, b)
    return t % params.modulus if params.reduces else t


def closed_forms(params: Reduction, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The closed form for a batch of operands, as gmpy2 integers."""
    found = exact_products(params, [gmpy2.mpz(value) for value in a], b)
    modulus = gmpy2.mpz(params.modulus)
    return [t % modulus for t in found] if params.reduces else found


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """R of as many bits as the modulus, of some more or fewer, and operands of a range that hardware has."""
    r = choice.one_of((bits, bits + 1, bits + 2, bits + 7, max(bits - 1, 1), 2 * bits))
    return {"r": r, "below": textbook.some_bound(choice), "final": choice.one_of((REDUCED, REDUCED, UNREDUCED))}


_SOURCE = "Montgomery 1985, REDC"


def _below_domain(run: Run[Any], _: Index) -> int:
    return int(run.params.domain) - 1


def reduction_symbols() -> tuple[Symbol[Any], ...]:
    """The symbols after the dividend."""
    return (
        Symbol("m", "", "T*p' mod R", "< R", _below_domain),
        Symbol("t", "", "(T + m*p)/R", "<= largest T/R + p", lambda run, _: run.params.largest_sum),
        Symbol("sub", "", "how often p is subtracted", "<= t/p", lambda run, _: run.params.most_subtractions),
        Symbol("Z", "", "t - sub*p", "< p", lambda run, _: run.params.modulus - 1),
    )


def reduction_claims(dividend: Callable[[Run[Any]], int]) -> tuple[Claim[Any], ...]:
    """Claims about the reduction of a dividend."""

    def congruent(run: Run[Any], value: int) -> bool:
        return bool((value * run.params.domain - dividend(run)) % run.params.modulus == 0)

    return (
        Claim("value of m", "T + m*p is a multiple of R", _SOURCE, "m",
              lambda run, _, value: (dividend(run) + value * run.params.modulus) % run.params.domain == 0),
        Claim("value of t", "t*R = T + m*p", _SOURCE, "t",
              lambda run, _, value: value * run.params.domain == dividend(run) + run.at("m") * run.params.modulus),
        Claim("value of sub", "sub = floor(t/p)", _SOURCE, "sub",
              lambda run, _, value: value == run.at("t") // run.params.modulus),
        Claim("value of Z", "Z*R = T modulo p", _SOURCE, "Z", lambda run, _, value: congruent(run, value)),
        Claim("result", "result*R = T modulo p", _SOURCE, None, lambda run, _, value: congruent(run, value)),
    )  # fmt: skip


_SUBTRACTION = "a comparison with p that is off by one, or a subtraction that is missing"


def _where_reduced(p: Any) -> Iterator[Index]:
    """The place of a step that only reduced products have."""
    return iter(((),) if p.reduces else ())


Dividends = Callable[[Any, int, Draw], Iterator[Pair]]
"""(parameters, value, random numbers) -> operands that ought to make t that value."""


def reduction_events(
    by_sum: Dividends,
    by_quotient: Callable[[Any, int, Draw], Iterator[Pair]],
    no_multiple: Callable[[Any, Index], str | None],
) -> tuple[Event[Any], ...]:
    """Extreme m; t at and around p, and so with a subtraction or without one; extreme results."""
    sums: dict[str, Callable[[Any], int]] = {
        "=0": lambda p: 0, "=1": lambda p: 1, "=p-1": lambda p: int(p.modulus) - 1, "=p": lambda p: int(p.modulus),
        "=p+1": lambda p: int(p.modulus) + 1, "=2p-1": lambda p: 2 * int(p.modulus) - 1,
        "=2p": lambda p: 2 * int(p.modulus),
    }  # fmt: skip
    quotients: dict[str, Callable[[Any], int]] = {
        "=0": lambda p: 0, "=1": lambda p: 1, "=max": lambda p: p.domain - 1, "=2^(r-1)": lambda p: p.domain >> 1,
    }  # fmt: skip
    results: dict[str, Callable[[Any], int]] = textbook.result_values()

    def sum_event(name: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            yield from by_sum(p, value(p), draw)

        def reachable(p: Any, index: Index) -> str | None:
            if value(p) > p.largest_sum:
                return f"t is at most {p.largest_sum:#x}"
            return no_multiple(p, index) if name in ("=p", "=2p") else None

        return textbook.value_event("t", name, f"t is {name[1:]}", _SUBTRACTION, _SOURCE, value, construct, reachable)

    def quotient_event(name: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            yield from by_quotient(p, value(p), draw)

        return textbook.value_event("m", name, f"m is {name[1:].replace('max', 'all ones')}",
                                    "a carry of the low halves that is lost", _SOURCE, value, construct)  # fmt: skip

    def subtraction_event(name: str, words: str, times: int) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            for _ in range(textbook.ATTEMPTS):
                yield (
                    tuple(limit - draw.of_any_width(limit) for limit in p.limits)
                    if times
                    else tuple(draw.of_any_width(limit) for limit in p.limits)
                )  # type: ignore[misc]
                wanted = times * int(p.modulus) + draw.below(int(p.modulus))
                yield from by_sum(p, wanted, draw)

        def happens(seen: Any, index: Index) -> Any:
            return seen.at("sub") == times if times < 2 else seen.at("sub") >= times

        def reachable(p: Any, index: Index) -> str | None:
            return f"t is at most {p.largest_sum:#x}" if times * p.modulus > p.largest_sum else None

        return Event("sub", name, words, _SUBTRACTION, _SOURCE, _where_reduced, happens, construct, reachable)

    def result_event(name: str, value: Callable[[Any], int]) -> Event[Any]:
        def construct(p: Any, index: Index, draw: Draw) -> Iterator[Pair]:
            for times in range(3):
                yield from by_sum(p, value(p) + times * int(p.modulus), draw)

        return Event("Z", name, f"the result is {name[1:]}", "a last step that is off by one", _SOURCE,
                     _where_reduced, lambda seen, index: seen.at("Z") == value(seen.params),
                     construct)  # fmt: skip

    return (
        *(quotient_event(name, value) for name, value in quotients.items()),
        *(sum_event(name, value) for name, value in sums.items()),
        subtraction_event("=0", "p is not subtracted", 0),
        subtraction_event("=1", "p is subtracted once", 1),
        subtraction_event(">=2", "p is subtracted twice or more often", 2),
        *(result_event(name, value) for name, value in results.items()),
    )


def _with_sum(p: Reduction, value: int, draw: Draw) -> Iterator[Pair]:
    """Products of the residue that t shall have; products of few bits for a small t."""
    wanted, modulus = value * p.domain, int(p.modulus)
    for _ in range(4):
        small = wanted - draw.below(min(p.domain, wanted // modulus + 1)) * modulus
        if 0 <= small <= p.largest_product:
            for a in (1, 2, 3, 4, 5, 7, max(p.limits[0], 1)):
                if small % a == 0:
                    yield small // a, a
    yield wanted % modulus, 1
    yield from textbook.with_residue(p, wanted, draw)
    for _ in range(textbook.ATTEMPTS // 2 if value % modulus else 0):
        a = p.limits[0] - draw.below(min(p.limits[0], 1 << 20) or 1)  # products that are nearly as large as can be
        if gmpy2.gcd(a, modulus) == 1:
            b = wanted * int(gmpy2.invert(a, modulus)) % modulus
            if b <= p.limits[1]:
                yield a, b + (p.limits[1] - b) // modulus * modulus
    if value % modulus == 0 and modulus <= p.limits[0]:
        for _ in range(textbook.ATTEMPTS):
            yield modulus, draw.of_any_width(p.limits[1])
            yield modulus * draw.between(1, p.limits[0] // modulus), p.limits[1] - draw.of_any_width(p.limits[1])


def _with_quotient(p: Reduction, value: int, draw: Draw) -> Iterator[Pair]:
    yield 1, -value * int(p.modulus) % p.domain
    for k in range(min(p.r, 64)):
        yield 1 << k, (-value * int(p.modulus) % p.domain) >> k
    for _ in range(textbook.ATTEMPTS):
        yield from quotient_digit(p, 0, value, draw)


def _corners(params: Reduction) -> Iterator[Corner]:
    yield from corners(params)
    yield Corner(0, params.limits[1], "a = 0")


MODEL: Model[Reduction] = Model(
    id="montgomery",
    title="a*b/R mod p for any R = 2^r",
    source=textbook.MONTGOMERY,
    parameters=PARAMETERS,
    operands={"a": "< below", "b": "< below", "result": "< p, or t if it is not reduced"},
    reference=_SOURCE,
    vocabulary=(
        Symbol("T", "", "the product, a*b", "<= (below - 1)^2", lambda run, _: run.params.largest_product),
        *reduction_symbols(),
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=shape,
    closed_form=closed_form,
    closed_forms=closed_forms,
    steps=steps,
    result_parts=lambda params: [("Z" if params.reduces else "t", (), 0)],
    step_count=lambda params: 5 if params.reduces else 3,
    further_claims=(
        Claim("value of T", "T = a*b", _SOURCE, "T", lambda run, _, value: value == run.a * run.b),
        *reduction_claims(lambda run: run.a * run.b),
    ),
    corners=_corners,
    events=(
        *reduction_events(_with_sum, _with_quotient, textbook.no_multiple),
        *textbook.operand_events(_SOURCE, "ab"),
    ),
)
