# SPDX-License-Identifier: Apache-2.0
"""The chain of squarings of a delay function, x^(2^t) mod M, with LLMonPro: section 4 of the LLMonPro paper.

x enters as x*R mod M, is squared t times with its redundant digits fed back unchanged, and is multiplied by 1 in the
end. The paper does not say how x becomes x*R mod M: before the chain, or by a product with R^2 mod M. With
4M(1 + delta) <= R, delta = (2k - 2)/beta, no value of a chain of any length exceeds 2(1 + delta)M; d*k >= N + 3 is
always enough. The paper requires only M < R, with which values outgrow their digits; the printed form shows this, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import gmpy2

from limbtrace.refmodels.batch_digits import Digit, join, split, weighted_sum
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.expr import whole
from limbtrace.refmodels.model import CORRECTED, PRINTED, Run, Step, check_modulus
from limbtrace.refmodels.montgomery import subtract
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro.llmonpro import MODEL as PRODUCT
from limbtrace.refmodels.papers.llmonpro.llmonpro import algorithm as multiplication
from limbtrace.refmodels.papers.llmonpro.llmonpro.algorithm import FORMS, VARIANT, VARIANTS, Llmonpro
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.representations import Written
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
    """M odd, 4M(1 + delta) <= R = 2^(d*k), unless printed; x = a < M, without a b.

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
    result = PRODUCT.result_of(params, steps)
    return Run(params, a, a, steps, result)


def closed_form(params: Vdf, x: int, _: int) -> int:
    """x^(2^t) mod M."""
    (y,) = powers(params, x, [params.t])
    return y


SECTION = "LLMonPro, section 4 corrected"


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many digits as a chain modulo that many bits needs to stay in range, and 1 to 5 squarings."""
    d = multiplication.roomy_digit_bits(choice, bits + 3, max_digits)
    return {"d": d, "t": choice.integer(1, 5), "variant": choice.one_of(VARIANTS)}
