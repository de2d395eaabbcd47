# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication on whole integers, MonPro: Algorithm 1 of the LLMonPro paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from refmodels.columns import Digit, split_columns
from refmodels.model import CORRECTED, Claim, Model, Run, Step, Symbol, at_most, check_modulus
from refmodels.montgomery import Montgomery, corners, exact_product, reduced_product, reduced_products, subtract
from refmodels.papers.llmonpro import family as llmonpro
from refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

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

    subtracts: ClassVar[bool] = True

    @property
    def radix_bits(self) -> None:
        """Nothing is scanned."""
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
        """The operands as they are: ints, even where they are integers of gmpy2."""
        return int(a), int(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """As `split`, for a batch of products."""
        (A,), (B,) = (split_columns(operand, self.n, 1, 2 * self.n + 1) for operand in (a, b))
        return A, B


def resolve(owner: str, modulus: int, given: Given) -> Monpro:
    """Parameters for a modulus. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings(owner, PARAMETERS, given)
    n = settings.integer("n", bits, bits, MAX_WIDTH, "R is not below the modulus")
    return Monpro(modulus, n, settings.choice("form", (CORRECTED,), CORRECTED))


def steps(params: Monpro, A: Digit, B: Digit) -> Iterator[Step]:
    """Algorithm 1."""
    n, M, M_ = params.n, params.modulus, params.negative_inverse
    low = params.domain - 1
    T = A * B
    yield "T", (), T
    Q = ((T & low) * M_) & low
    yield "Q", (), Q
    Z = (T + Q * M) >> n
    yield "Z_raw", (), Z
    _, Z = subtract(Z, M, n + 1)
    yield "Z", (), Z


_SOURCE = "LLMonPro, Algorithm 1"


def quotient_holds(run: Run, value: int) -> bool:
    """Q = -A*B*M^-1 mod R."""
    p: Monpro = run.params
    return (value * p.modulus + run.a * run.b) % p.domain == 0 and 0 <= value < p.domain


def result_claims(reference: str) -> tuple[Claim, ...]:
    """What is known of Z, before and after the subtraction."""
    return (
        at_most("Z_raw", "Z < 2M - 1 before the subtraction", reference, lambda run, _: 2 * run.params.modulus - 2),
        Claim("value of Z_raw", "Z * R = A*B + Q*M before the subtraction", reference, "Z_raw",
              lambda run, _, value: value << run.params.n == run.a * run.b + run.at("Q") * run.params.modulus),
        at_most("Z", "Z < M", reference, lambda run, _: run.params.modulus - 1),
        Claim("value of Z", "Z = A*B/R mod M", reference, "Z",
              lambda run, _, value: (value << run.params.n) % run.params.modulus == run.a * run.b % run.params.modulus),
        Claim("one subtraction", "Z is Z before the subtraction, or M less", reference, "Z",
              lambda run, _, value: value == exact_product(run.params, run.a, run.b) % run.params.modulus),
    )  # fmt: skip


CLAIMS: tuple[Claim, ...] = (
    at_most("T", "T <= (M-1)^2", _SOURCE, lambda run, _: (run.params.modulus - 1) ** 2),
    Claim("value of Q", "Q = -A*B*M^-1 mod R", _SOURCE, "Q", lambda run, _, value: quotient_holds(run, value)),
    *result_claims(_SOURCE),
)

MODEL = Model(
    id="monpro",
    title="MonPro, on whole integers",
    source=llmonpro.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands={"a": "< M", "b": "< M", "result": "< M"},
    vocabulary=(
        Symbol("T", "", "A*B", "<= (M-1)^2"),
        Symbol("Q", "", "T*M' mod R", "< R"),
        Symbol("Z_raw", "", "(T + Q*M)/R, before the subtraction", "< 2M - 1"),
        Symbol("Z", "", "result", "< M"),
    ),
    forms=(CORRECTED,),
    resolve=lambda modulus, given: resolve("monpro", modulus, given),
    closed_form=reduced_product,
    closed_forms=reduced_products,
    steps=steps,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: 4,
    claims=CLAIMS,
    corners=corners,
)
