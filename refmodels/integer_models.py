# SPDX-License-Identifier: Apache-2.0
"""Models on whole integers without an R: they return a*b mod p itself, and scan no digits one by one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import gmpy2
import numpy as np

from limbtrace.refmodels.batch_digits import WORD, Digit
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.event import Event, Pair, never
from limbtrace.refmodels.expr import whole
from limbtrace.refmodels.model import CORRECTED, Claim, Corner, Formula, Index, Limit, Run
from limbtrace.refmodels.representations import CANONICAL, MixedRadix
from limbtrace.refmodels.settings import Parameter

FORM = Parameter("form", "there is no text that could differ", "corrected", "corrected")
"""The form of models that no paper prints with a mistake."""


@dataclass(frozen=True)
class Whole:
    """Parameters of an algorithm on whole integers, without radix and without R; it returns a*b mod p."""

    modulus: int
    form: str = CORRECTED

    radix_bits: ClassVar[None] = None
    domain: ClassVar[None] = None
    formula: ClassVar[Formula] = Formula(ending="reduced")
    full_multiples: ClassVar[tuple[int, ...]] = ()
    filling: ClassVar[int] = CANONICAL

    @property
    def closed(self) -> bool:
        return self.form == CORRECTED

    @property
    def named(self) -> dict[str, int | str]:
        return {}

    @property
    def limits(self) -> tuple[int, int]:
        return self.modulus - 1, self.modulus - 1

    @property
    def result_limit(self) -> int:
        return self.modulus

    @cached_property
    def bits(self) -> int:
        """Bit length of the modulus."""
        return self.modulus.bit_length()

    @cached_property
    def digits(self) -> MixedRadix | None:
        """The digits into which an operand is cut; None if it stays whole."""
        return None

    @property
    def written(self) -> tuple[MixedRadix, MixedRadix] | None:
        return None if self.digits is None else (self.digits, self.digits)

    @property
    def representations(self) -> dict[str, MixedRadix]:
        return {} if self.digits is None else {self.digits.name: self.digits}

    @cached_property
    def widest_bits(self) -> int:
        """Width of the widest value of the steps; decides the kind of column."""
        return 2 * self.bits + 6

    def _cut(self, value: Digit) -> Digit:
        """An operand in the form that the steps take: high digit first, as in the paper."""
        return value if self.digits is None else self.digits.canonical(value)[::-1]

    def split(self, a: int, b: int) -> tuple[Any, Any]:
        return self._cut(whole(a)), self._cut(whole(b))

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Columns of int64 if every value fits, otherwise of objects."""
        x, y = columns(a, b, self.widest_bits)
        return self._cut(x), self._cut(y)


def columns(a: Sequence[int], b: Sequence[int], widest: int) -> tuple[Any, Any]:
    """Both operands as columns: of int64 if the widest value of the steps, in bits, fits, otherwise of objects."""
    kind = np.int64 if widest < WORD else object
    x, y = (np.array([int(value) for value in values], dtype=kind) for values in (a, b))
    return x, y


def remainder(p: Whole, a: int, b: int) -> int:
    """The closed form of a model of one operand: a mod p."""
    return int(a % p.modulus)


def remainders(p: Whole, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The closed form for a batch of operands, as gmpy2 integers."""
    modulus = gmpy2.mpz(p.modulus)
    return [x % modulus for x in map(gmpy2.mpz, a)]


def product(p: Whole, a: int, b: int) -> int:
    """The closed form: a*b mod p."""
    return int(a * b % p.modulus)


def products(p: Whole, a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The closed form for a batch of operands, as gmpy2 integers."""
    modulus = gmpy2.mpz(p.modulus)
    return [x * y % modulus for x, y in zip(a, b, strict=True)]


K = TypeVar("K", bound=Whole)
"""The parameter object of such an algorithm."""


def value_claim(step: str, statement: str, reference: str, value: Callable[[Run[K]], int]) -> Claim[K]:
    """Claim that the one `step` is `value(run)`."""
    return Claim(f"value of {step}", statement, reference, step, lambda run, _, seen: seen == value(run))


def largest(limit: Callable[[K], int]) -> Limit[K]:
    """Limit of a step that depends only on the parameters."""
    return lambda run, _: limit(run.params)


def common_corners(p: int, most: int) -> Iterator[Corner]:
    """Operands for every such algorithm: the ends of the range, and pairs with the product 0, 1 or p - 1."""
    half = (p + 1) // 2
    yield Corner(p - 1, p - 1, "a = b = p - 1: the result is 1")
    yield Corner(p - 1, 1, "a = p - 1, b = 1")
    yield Corner(0, p - 1, "a = 0")
    yield Corner(2, half, "a*b = p + 1: the result is 1")
    yield Corner(half - 1, 2, "a*b = p - 1")
    if most >= p:
        yield Corner(p, 1, "a = p: the result is 0")
        yield Corner(p, p, "a = b = p: the result is 0")


Steered = Callable[[K, Index, Draw], Iterator[Pair]]
"""(parameters, subscripts, random numbers) -> operands that ought to make an event happen."""


def constant(value: int) -> Callable[[Any], int]:
    """A value that is the same at all parameters."""
    return lambda params: value


def once(params: object) -> Iterator[Index]:
    """The place of a step without subscripts."""
    yield ()


def draws(p: Whole, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands of any width, near the limits and out of extreme digits, as far as the model takes both."""
    a_max, b_max = p.limits
    for _ in range(64):
        yield draw.of_any_width(a_max), draw.of_any_width(b_max)
        yield a_max - draw.of_any_width(a_max), b_max - draw.of_any_width(b_max)
        yield draw.pattern(a_max, 8), draw.pattern(b_max, 8)


def with_result(p: Whole, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands below p whose product is `value` modulo p; none for factors that p has in common with a."""
    for _ in range(64):
        a = draw.between(1, p.modulus - 1)
        if gmpy2.gcd(a, p.modulus) == 1:
            yield a, value * int(gmpy2.invert(a, p.modulus)) % p.modulus


def zero_product(p: Whole, index: Index) -> str | None:
    """The reason why no product of operands other than 0 is a multiple of p."""
    reduced = max(p.limits) < p.modulus and gmpy2.is_prime(p.modulus)
    return "the modulus is prime and divides no product of smaller operands but 0" if reduced else None


def equals(
    step: str,
    condition: str,
    statement: str,
    hunts: str,
    source: str,
    value: Callable[[K], int],
    construct: Steered[K] = draws,
    reachable: Callable[[K, Index], str | None] = never,
) -> Event[K]:
    """The step has a value that the parameters give."""
    return Event(
        step,
        condition,
        statement=statement,
        hunts=hunts,
        source=source,
        where=once,
        happens=lambda seen, index: seen.at(step) == value(seen.params),
        construct=construct,
        reachable=reachable,
    )


def result_events(source: str) -> tuple[Event[Whole], ...]:
    """Operands at the ends, and results at the ends."""
    ends: dict[str, Callable[[Whole], int]] = {"=0": lambda p: 0, "=1": lambda p: 1, "=p-1": lambda p: p.modulus - 1}

    def result(condition: str, value: Callable[[Whole], int]) -> Event[Whole]:
        def construct(p: Whole, index: Index, draw: Draw) -> Iterator[Pair]:
            yield from with_result(p, value(p), draw)

        return Event(
            "result",
            condition,
            statement=f"the result is {condition[1:]}",
            hunts="a last step that is off by one",
            source=source,
            where=once,
            happens=lambda seen, index: seen.result == value(seen.params),
            construct=construct,
        )

    def operand(which: int, condition: str, value: Callable[[Whole, int], int]) -> Event[Whole]:
        def construct(p: Whole, index: Index, draw: Draw) -> Iterator[Pair]:
            for _ in range(64):
                pair = [draw.of_any_width(most) for most in p.limits]
                pair[which] = value(p, p.limits[which])
                yield pair[0], pair[1]

        def reachable(p: Whole, index: Index) -> str | None:
            most = p.limits[which]
            return f"the operand is at most {most:#x}" if value(p, most) > most else None

        return Event(
            "ab"[which],
            condition,
            statement=f"{'ab'[which]} is {condition[1:]}",
            hunts="a needless special case",
            source=source,
            where=once,
            happens=lambda seen, index: (seen.a, seen.b)[which] == value(seen.params, seen.params.limits[which]),
            construct=construct,
            reachable=reachable,
        )

    values: dict[str, Callable[[Whole, int], int]] = {
        "=0": lambda p, most: 0, "=1": lambda p, most: 1, "=p-1": lambda p, most: p.modulus - 1,
        "=p": lambda p, most: p.modulus, "=max": lambda p, most: most,
    }  # fmt: skip
    return (
        *(result(condition, value) for condition, value in ends.items()),
        *(operand(which, condition, value) for condition, value in values.items() for which in (0, 1)),
    )
