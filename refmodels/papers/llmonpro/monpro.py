# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication on whole integers, MonPro: Algorithm 1 of the LLMonPro paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split_columns
from limbtrace.refmodels.constrained_random import Draw, into_range
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import CORRECTED, Claim, Index, Model, Run, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import (
    Montgomery,
    below_modulus,
    corners,
    exact_product,
    reduced_product,
    reduced_products,
    subtract,
)
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro import pseudocode
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.serial_events import (
    ATTEMPTS,
    Accumulator,
    B,
    around_modulus,
    operand_events,
    quotient_digit,
    step_event,
)
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

PARAMETERS = (
    Parameter("n", "bits of R = 2^n", "N", f"N to {MAX_WIDTH}"),
    Parameter("form", "the algorithm is right as printed", CORRECTED, CORRECTED),
)


@dataclass(frozen=True)
class Monpro(Montgomery):
    """M odd, M < R = 2^n; A, B in [0, M)."""

    modulus: int
    n: int
    form: str = CORRECTED

    @property
    def subtracts(self) -> bool:
        return True

    @property
    def radix_bits(self) -> None:
        """None, since no digits are scanned."""
        return

    @property
    def named(self) -> dict[str, int]:
        return {"n": self.n}

    @cached_property
    def constants(self) -> dict[str, int]:
        return {**self.domain_constants("M"), "M'": self.negative_inverse}

    @property
    def limits(self) -> tuple[int, int]:
        return self.modulus - 1, self.modulus - 1

    @property
    def result_limit(self) -> int:
        return self.modulus

    @property
    def r_bits(self) -> int:
        return self.n

    def split(self, a: int, b: int) -> tuple[int, int]:
        """A and B as ints, converted from integers of gmpy2 if necessary."""
        return int(a), int(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """A and B as one column each, for a batch of products."""
        (A,), (B,) = (split_columns(operand, self.n, 1, 2 * self.n + 1) for operand in (a, b))
        return A, B


def resolve(owner: str, modulus: int, given: Given) -> Monpro:
    """Parameters for a modulus; `owner` is the id of the model. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings(owner, PARAMETERS, given)
    n = settings.integer("n", bits, bits, MAX_WIDTH, "R is not below the modulus")
    return Monpro(modulus, n, settings.choice("form", (CORRECTED,), CORRECTED))


def steps(params: Monpro, A: Digit, B: Digit) -> Iterator[Step]:
    """Algorithm 1."""
    n, M, M_ = params.n, params.modulus, params.negative_inverse
    low = params.domain - 1
    yield "T", (), (T := A * B)
    yield "Q", (), (Q := ((T & low) * M_) & low)
    yield "Z_raw", (), (Z := (T + Q * M) >> n)
    _, Z = subtract(Z, M, n + 1)
    yield "Z", (), Z


_SOURCE = "LLMonPro, Algorithm 1"


def product_limit(run: Run[Monpro], _: Index) -> int:
    """Limit of A*B."""
    return (run.params.modulus - 1) ** 2


def below_domain(run: Run[Monpro], _: Index) -> int:
    """Limit of a value below R."""
    return run.params.domain - 1


def result_symbols(raw: str) -> tuple[Symbol[Monpro], ...]:
    """The result before and after the subtraction; `raw` describes Z_raw."""
    return (
        Symbol("Z_raw", "", f"{raw}, before the subtraction", "< 2M - 1",
               lambda run, _: 2 * run.params.modulus - 2),
        Symbol("Z", "", "result", "< M", below_modulus),
    )  # fmt: skip


def quotient_claim(reference: str) -> Claim[Monpro]:
    """Q is the quotient that makes T + Q*M a multiple of R."""

    def holds(run: Run[Monpro], _: Index, value: int) -> bool:
        return (value * run.params.modulus + run.a * run.b) % run.params.domain == 0

    return Claim("value of Q", "Q = -A*B*M^-1 mod R", reference, "Q", holds)


def result_claims(reference: str) -> tuple[Claim[Monpro], ...]:
    """Claims about Z before and after the subtraction."""
    return (
        Claim("value of Z_raw", "Z * R = A*B + Q*M before the subtraction", reference, "Z_raw",
              lambda run, _, value: value << run.params.n == run.a * run.b + run.at("Q") * run.params.modulus),
        Claim("value of Z", "Z = A*B/R mod M", reference, "Z",
              lambda run, _, value: (value << run.params.n) % run.params.modulus == run.a * run.b % run.params.modulus),
        Claim("one subtraction", "Z is Z before the subtraction, or M less", reference, "Z",
              lambda run, _, value: value == exact_product(run.params, run.a, run.b) % run.params.modulus),
    )  # fmt: skip


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """R with as many bits as the modulus, or a few more."""
    return {"n": bits + choice.one_of((0, 0, 1, 7))}


ACCUMULATOR = Accumulator(B, _SOURCE, lambda params, index: params.n)


def events(reference: str) -> tuple[Event[Any], ...]:
    """Events on whole integers: extreme Q, T whose low half is 0, Z around M before the subtraction."""
    accumulator = replace(ACCUMULATOR, source=reference)
    return (
        *(_quotient_event(condition, reference) for condition in ("=0", "=1", "=max")),
        *around_modulus(
            "Z_raw", accumulator, places=lambda params: ((),), value=lambda seen, index: seen.at("Z_raw"), modulus="M"
        ),
        *operand_events(reference, modulus="M", digits=False),
    )


def low_half_zero(params: Monpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands whose product ends in n zeros."""
    yield from low_half(params, 0, draw)
    yield 0, draw.below(params.modulus)


def low_half_ones(params: Monpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands whose product ends in n ones."""
    yield from low_half(params, params.domain - 1, draw)


def low_half(params: Monpro, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands whose product is `value` modulo R."""
    for _ in range(ATTEMPTS):
        a = draw.of_any_width(params.limits[0] - 1) + 1
        if not value:
            a = 1 << draw.below(params.bits)
        b = into_range(draw, a, params.domain, value, value, 1, params.limits[1])
        if b is not None:
            yield a, b


def _quotient_event(condition: str, reference: str) -> Event[Monpro]:
    def value(params: Monpro) -> int:
        return {"=0": 0, "=1": 1, "=max": params.domain - 1}[condition]

    def construct(params: Monpro, index: Index, draw: Draw) -> Iterator[Pair]:
        for _ in range(ATTEMPTS):
            yield from quotient_digit(params, 0, value(params), draw)
        if value(params) == 0:
            yield 0, draw.below(params.modulus)

    return step_event(
        "Q",
        condition,
        statement=f"Q is {condition.removeprefix('=').replace('max', 'all ones')}",
        hunts="the carry of the low halves",
        source=reference,
        places=lambda params: ((),),
        happens=lambda seen, params, index: seen == value(params),
        construct=construct,
    )


MODEL: Model[Monpro] = Model(
    id="monpro",
    title="MonPro, on whole integers",
    source=llmonpro.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands={"a": "< M", "b": "< M", "result": "< M"},
    reference=_SOURCE,
    vocabulary=(
        Symbol("T", "", "A*B", "<= (M-1)^2", product_limit),
        Symbol("Q", "", "T*M' mod R", "< R", below_domain),
        *result_symbols("(T + Q*M)/R"),
    ),
    forms=(CORRECTED,),
    resolve=lambda modulus, given: resolve("monpro", modulus, given),
    shape=shape,
    closed_form=reduced_product,
    closed_forms=reduced_products,
    steps=steps,
    pseudocode=pseudocode.monpro,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 4,
    further_claims=(quotient_claim(_SOURCE), *result_claims(_SOURCE)),
    corners=corners,
    events=events(_SOURCE),
)
