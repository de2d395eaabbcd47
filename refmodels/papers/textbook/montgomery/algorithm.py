# SPDX-License-Identifier: Apache-2.0
"""Montgomery's product for any R = 2^r: a*b*R^-1 mod p of operands below any bound, reduced at the end or not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import gmpy2

from limbtrace.refmodels import bounds
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.expr import Term, whole
from limbtrace.refmodels.integer_models import FORM, columns
from limbtrace.refmodels.model import CORRECTED, Formula, Step, check_modulus
from limbtrace.refmodels.montgomery import REDUCED, UNREDUCED, Montgomery, exact_product, exact_products, subtract
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

R = Parameter("r", "bits of R = 2^r", "N", f"1 to {MAX_WIDTH}")
FINAL = Parameter(
    "final", "whether p is subtracted at the end until the result is below p", REDUCED, f"{REDUCED} or {UNREDUCED}"
)
PARAMETERS = (R, bounds.below("p", "p, N, its bits, r and R"), FINAL, FORM)
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
        return bounds.most(self.largest_sum) // least

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
        wide = max(2 * bounds.most(self.bound).bit_length(), 2 * self.r, self.r + self.modulus.bit_length())
        return wide + 2

    def split(self, a: int, b: int) -> tuple[Any, Any]:
        """Both operands as they are."""
        return whole(a), whole(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Both operands as one column each."""
        return columns(a, b, self.widest_bits)


def resolved(
    owner: str, parameters: tuple[Parameter, ...], default: str, modulus: int, given: Given, least: int = 1
) -> tuple[int, str, Any, str, str]:
    """r, at least `least`, text of the bound and bound, end and form, for a modulus; `owner` is the id of the model.

    Raises ParameterError.
    """
    N = check_modulus(modulus).bit_length()
    settings = Settings(owner, parameters, given)
    r = settings.integer("r", N, least, MAX_WIDTH)
    text, value = bounds.bound(given.get("below", default), modulus, {"N": N, "r": r, "R": 1 << r})
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
        largest = max(bounds.most(params.largest_sum), bounds.most(p))  # t may be far below p
        sub, Z = subtract(t, p, largest.bit_length() + 1)
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
    return {"r": r, "below": bounds.some_bound(choice), "final": choice.one_of((REDUCED, REDUCED, UNREDUCED))}


SOURCE = "Montgomery 1985, REDC"
