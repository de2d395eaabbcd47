# SPDX-License-Identifier: Apache-2.0
"""Common parts: sums and differences modulo p by one correction, products with a factor w/R, two numbers in an operand.

An operand that holds two numbers is low + p*high, and so is a result: both numbers are below p.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import gmpy2

from limbtrace.refmodels import value_events
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair, never
from limbtrace.refmodels.expr import whole
from limbtrace.refmodels.integer_models import Whole, columns, largest
from limbtrace.refmodels.model import CORRECTED, Claim, Index, Run, Source, Step, Symbol, check_modulus, one_bit
from limbtrace.refmodels.montgomery import below_modulus, subtract
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

KNUTH = Source("D. E. Knuth", "The Art of Computer Programming, volume 2, third edition", "section 4.3.2")
"""Modular arithmetic: u + v and u - v are corrected by p at most once."""
DIVISION = Source("D. E. Knuth", "The Art of Computer Programming, volume 2, third edition", "section 4.3.1")
"""Quotient and remainder."""
COOLEY_TUKEY = Source(
    "J. W. Cooley, J. W. Tukey",
    "An algorithm for the machine calculation of complex Fourier series, Mathematics of Computation 19 (1965)",
    "decimation in time",
)
GENTLEMAN_SANDE = Source(
    "W. M. Gentleman, G. Sande",
    "Fast Fourier transforms for fun and profit, AFIPS 29 (1966)",
    "decimation in frequency",
)
FACTOR = Parameter("r", "bits of R = 2^r, by which the product is divided; R = 1 is a plain product", "0",
                   f"0 to {MAX_WIDTH}")  # fmt: skip
SOURCE = "Knuth, 4.3.2"
OFF_BY_ONE = "a comparison with p that is off by one"
BORROW = "a borrow that is lost, or p added without one"


@dataclass(frozen=True)
class Reduced(Whole):
    """p >= 2; a and b are below p."""

    formula: ClassVar[None] = None  # type: ignore[assignment]

    @property
    def constants(self) -> dict[str, int]:
        return {}

    @cached_property
    def widest_bits(self) -> int:
        return 2 * self.bits + 4

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        return columns(a, b, self.widest_bits)


@dataclass(frozen=True)
class Single(Reduced):
    """p >= 2; a is below p, and b is left out."""

    @property
    def limits(self) -> tuple[int, int]:
        return self.modulus - 1, 0


@dataclass(frozen=True)
class Packed(Reduced):
    """p >= 2; a holds two numbers below p and is below p^2, b is below p."""

    @property
    def limits(self) -> tuple[int, int]:
        return self.modulus * self.modulus - 1, self.modulus - 1

    def split(self, a: int, b: int) -> tuple[Any, Any]:
        """The numbers of a, the high one first, as on a port, and b."""
        held = whole(a)
        return [held // self.modulus, held % self.modulus], whole(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        x, y = super().split_batch(a, b)
        return [x // self.modulus, x % self.modulus], y


@dataclass(frozen=True)
class Butterfly(Packed):
    """p odd; u, v and w are below p, and a product is divided by R = 2^r."""

    r: int = 0

    @property
    def named(self) -> dict[str, int | str]:
        return {"r": self.r}

    @cached_property
    def inverse(self) -> int:
        """R^-1 mod p."""
        return int(gmpy2.invert(1 << self.r, self.modulus)) if self.r else 1

    @property
    def constants(self) -> dict[str, int]:
        return {"R": 1 << self.r, "R^-1 mod p": self.inverse}

    @property
    def result_limit(self) -> int:
        return self.modulus * self.modulus


def settings_of(owner: str, parameters: tuple[Parameter, ...], modulus: int, given: Given, even: bool) -> Settings:
    """The settings of a model, for a modulus that it takes. Raises ParameterError."""
    check_modulus(modulus, 2 if even else 3, even=even)
    return Settings(owner, parameters, given)


def form_of(settings: Settings) -> str:
    """The form, of which there is one. Raises ParameterError."""
    return settings.choice("form", (CORRECTED,), CORRECTED)


def factor_of(settings: Settings) -> int:
    """r. Raises ParameterError."""
    return settings.integer("r", 0, 0, MAX_WIDTH)


def steps_of_sum(params: Whole, x: Digit, y: Digit, result: str) -> Generator[Step, None, Digit]:
    """x + y, and `result`, the same with p subtracted if that is not below p, which is returned."""
    yield "s", (), (s := x + y)
    sub, reduced = subtract(s, params.modulus, params.bits + 1)
    yield "sub", (), sub
    yield result, (), reduced
    return reduced


def steps_of_difference(params: Whole, x: Digit, y: Digit, result: str) -> Generator[Step, None, Digit]:
    """x - y above 2^N, so that its bit N is 0 after a borrow; `result`, with p added then, is returned."""
    top = 1 << params.bits
    yield "d", (), (d := x + top - y)
    yield "borrow", (), (borrow := 1 - (d >> params.bits))
    yield result, (), (corrected := (d + borrow * params.modulus) & (top - 1))
    return corrected


def steps_of_product(params: Butterfly, x: Digit, w: Digit) -> Generator[Step, None, Digit]:
    """x*w/R mod p, which is returned: w is divided by R at first, which leaves it as it is if R is 1."""
    p = params.modulus
    yield "f", (), (f := w * params.inverse % p if params.inverse != 1 else w)
    yield "t", (), (t := x * f)
    yield "q", (), t // p
    yield "r", (), (r := t % p)
    return r


def sum_symbols(terms: str, result: str) -> tuple[Symbol[Any], ...]:
    """s, sub, and the sum modulo p."""
    return (
        Symbol("s", "", f"the sum {terms}", "<= 2p - 2", largest(lambda p: 2 * p.modulus - 2)),
        Symbol("sub", "", "whether p is subtracted from the sum", "0 or 1", one_bit),
        Symbol(result, "", f"{terms} mod p", "< p", below_modulus),
    )


def difference_symbols(terms: str, result: str) -> tuple[Symbol[Any], ...]:
    """d, borrow, and the difference modulo p."""
    return (
        Symbol("d", "", f"2^N + {terms}: bit N is 0 after a borrow", "from 2^N - p + 1 to 2^N + p - 1",
               largest(lambda p: (1 << p.bits) + p.modulus - 1),
               least=lambda run, _: (1 << run.params.bits) - run.params.modulus + 1),
        Symbol("borrow", "", "whether p is added to the difference", "0 or 1", one_bit),
        Symbol(result, "", f"{terms} mod p", "< p", below_modulus),
    )  # fmt: skip


def product_symbols(product: str) -> tuple[Symbol[Any], ...]:
    """f, t, q and r."""
    return (
        Symbol("f", "", "w/R mod p, which is w if R is 1", "< p", below_modulus),
        Symbol("t", "", f"the product {product}", "<= (p - 1)^2", largest(lambda p: (p.modulus - 1) ** 2)),
        Symbol("q", "", "the quotient, floor(t/p)", "<= p - 2", largest(lambda p: max(p.modulus - 2, 0))),
        Symbol("r", "", "the remainder, t - q*p", "< p", below_modulus),
    )


def number_symbols(low: str, high: str) -> tuple[Symbol[Any], ...]:
    """Both numbers of operand a."""
    return (
        Symbol(low, "", "the low number of a, a mod p", "< p", below_modulus),
        Symbol(high, "", "the high number of a, floor(a/p)", "< p", below_modulus),
    )


RESULT = Symbol[Any]("Z", "", "the result, even + p*odd", "< p^2", largest(lambda p: p.modulus * p.modulus - 1))


def corrected(step: str, total: str, added: str, sign: int) -> Claim[Any]:
    """Claim that p times the bit `added` is what `step` and `total`, without 2^N of a difference, differ by."""

    def holds(run: Run[Any], _: Index, seen: int) -> bool:
        offset = 1 << run.params.bits if sign > 0 else 0
        return bool(seen == run.at(total) - offset + sign * run.at(added) * run.params.modulus)

    text = f"{step} = d - 2^N + {added}*p" if sign > 0 else f"{step} = {total} - {added}*p"
    return Claim(f"correction of {total}", text, SOURCE, step, holds)


def congruent(step: str, statement: str, value: Callable[[Run[Any]], int]) -> Claim[Any]:
    """Claim that the step is a value modulo p."""
    return Claim(f"value of {step}", statement, SOURCE, step,
                 lambda run, _, seen: (seen - value(run)) % run.params.modulus == 0)  # fmt: skip


def result_claim(statement: str, value: Callable[[Any, int, int], int]) -> Claim[Any]:
    """Claim about the result, by the closed form."""
    return Claim("result", statement, SOURCE, None, lambda run, _, seen: seen == value(run.params, run.a, run.b))


Targets = Callable[[Any, int, int, Draw], Iterator[Pair]]
"""(parameters, x, y, random numbers) -> operands with which the step adds or subtracts x and y."""
OfParameters = Callable[[Any], int]

SUMS: dict[str, OfParameters] = {
    "=0": lambda p: 0, "=p-1": lambda p: p.modulus - 1, "=p": lambda p: p.modulus, "=p+1": lambda p: p.modulus + 1,
    "=2p-2": lambda p: 2 * p.modulus - 2,
}  # fmt: skip
DIFFERENCES: dict[str, int] = {"=-1": -1, "=0": 0, "=1": 1}
ENDS: dict[str, OfParameters] = {"=0": lambda p: 0, "=1": lambda p: 1, "=p-1": lambda p: p.modulus - 1}


def _event(
    step: str, condition: str, statement: str, hunts: str, value: OfParameters,
    construct: Callable[[Any, Draw], Iterator[Pair]], reachable: Callable[[Any, Index], str | None] = never,
) -> Event[Any]:  # fmt: skip
    return value_events.at_value(
        step, condition, statement, hunts, SOURCE, value, lambda p, index, draw: construct(p, draw), reachable
    )


def _drawn(p: Any, least: int, most: int, draw: Draw) -> Iterator[int]:
    """Both ends, and numbers between them."""
    if least <= most:
        yield from (least, most)
        yield from (draw.between(least, most) for _ in range(value_events.ATTEMPTS))


def sum_events(targets: Targets) -> Iterator[Event[Any]]:
    """Sums at 0, at p, and at their end."""

    def event(name: str, value: OfParameters) -> Event[Any]:
        def construct(p: Any, draw: Draw) -> Iterator[Pair]:
            top, total = p.modulus - 1, value(p)
            for x in _drawn(p, max(total - top, 0), min(total, top), draw):
                yield from targets(p, x, total - x, draw)

        def reachable(p: Any, index: Index) -> str | None:
            return "the sum is at most 2p - 2" if value(p) > 2 * p.modulus - 2 else None

        return _event("s", name, f"the sum is {name[1:]}", OFF_BY_ONE, value, construct, reachable)

    return (event(name, value) for name, value in SUMS.items())


def difference_events(targets: Targets) -> Iterator[Event[Any]]:
    """Differences at 0 and at their ends."""

    def event(name: str, offset: OfParameters, words: str) -> Event[Any]:
        def construct(p: Any, draw: Draw) -> Iterator[Pair]:
            top, off = p.modulus - 1, offset(p)
            for y in _drawn(p, max(-off, 0), min(top - off, top), draw):
                yield from targets(p, y + off, y, draw)

        return _event("d", name, f"the difference is {words}", BORROW, lambda p: (1 << p.bits) + offset(p), construct)

    for name, number in DIFFERENCES.items():
        yield event(name, lambda p, number=number: number, name[1:])  # type: ignore[misc]
    yield event("=min", lambda p: 1 - p.modulus, "1 - p, as small as it can be")
    yield event("=max", lambda p: p.modulus - 1, "p - 1, as large as it can be")


def end_events(step: str, words: str, hunts: str, operands: Callable[[Any, int, Draw], Iterator[Pair]],
               values: Mapping[str, OfParameters] = ENDS) -> Iterator[Event[Any]]:  # fmt: skip
    """A number is 0, 1 or p - 1, or one of other values; `operands` are those with which it has a value."""

    def event(name: str, value: OfParameters) -> Event[Any]:
        def construct(p: Any, draw: Draw) -> Iterator[Pair]:
            for _ in range(value_events.ATTEMPTS):
                yield from operands(p, value(p), draw)

        return _event(step, name, f"{words} is {name[1:]}", hunts, value, construct)

    return (event(name, value) for name, value in values.items())


def number_events(low: str, high: str, other: str) -> Iterator[Event[Any]]:
    """The numbers of a, and b, which is called `other`, are 0, 1 or p - 1."""

    def held(low: bool) -> Callable[[Any, int, Draw], Iterator[Pair]]:
        def operands(p: Any, value: int, draw: Draw) -> Iterator[Pair]:
            numbers = (value, any_number(p, draw)) if low else (any_number(p, draw), value)
            yield numbers[0] + p.modulus * numbers[1], any_number(p, draw)

        return operands

    def own(p: Any, value: int, draw: Draw) -> Iterator[Pair]:
        yield draw.below(p.limits[0] + 1), value

    hunts = "a needless special case"
    yield from end_events(low, low, hunts, held(low=True))
    yield from end_events(high, high, hunts, held(low=False))
    yield from end_events("b", other, hunts, own)


def any_number(p: Any, draw: Draw) -> int:
    """A number below p, of any width."""
    return draw.of_any_width(p.modulus - 1)


def as_they_are(p: Any, x: int, y: int, draw: Draw) -> Iterator[Pair]:
    """The operands of a sum or a difference that is all of the model."""
    yield x, y


def no_settings(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Nothing to choose."""
    return {}


def units(p: Any, draw: Draw) -> Iterator[tuple[int, int]]:
    """Factors f below p, each with its inverse."""
    yield 1, 1
    yield p.modulus - 1, p.modulus - 1
    for _ in range(4):
        f = draw.between(1, p.modulus - 1)
        if gmpy2.gcd(f, p.modulus) == 1:
            yield f, int(gmpy2.invert(f, p.modulus))
