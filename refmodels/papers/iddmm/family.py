# SPDX-License-Identifier: Apache-2.0
"""Common parts of the algorithms of the IDDMM paper.

`Unsubtracted` is common to Walter's algorithm and the two digit-digit algorithms: operands may exceed p, and there is
no final subtraction. `Iddmm` and the claims about U and the digits of A belong to the two digit-digit algorithms.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from limbtrace.refmodels.batch_digits import Digit, split
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event
from limbtrace.refmodels.model import CORRECTED, PRINTED, Claim, Index, Model, Run, Source, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import (
    DigitSerial,
    below_radix,
    below_sum,
    corners,
    exact_product,
    exact_products,
    partial_product,
    quotient_claim,
)
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits
from limbtrace.refmodels.serial_events import (
    Accumulator,
    B,
    ByPass,
    Pass,
    around_modulus,
    operand_events,
    quotient_events,
    range_event,
    run_events,
    total_value,
    word_events,
)
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

AUTHORS = "M. Morales-Sandoval, A. Diaz Perez"
TITLE = "Novel algorithms and hardware architectures for Montgomery Multiplication over GF(p)"


def paper(where: str) -> Source:
    return Source(AUTHORS, TITLE, where)


def parameters(passes: str, form: Parameter) -> tuple[Parameter, ...]:
    """The parameters of an algorithm without a final subtraction; `passes` is the default number of passes."""
    return (
        Parameter("radix", "digit weight beta = 2^k; k is its logarithm", "2^32", "2^1 to 2^4096", ("k", "w")),
        Parameter("n", "digits of the modulus", "ceil(N/k)", "beta^n > p"),
        Parameter("passes", "passes of the outer loop, R = beta^passes", passes, "at least 1", ("T",)),
        form,
    )


PARAMETERS = parameters(
    "n",
    Parameter(
        "form",
        "printed is the literal text: n digits only, so digit n of X and of the accumulator are lost",
        CORRECTED,
        f"{CORRECTED} or {PRINTED}",
    ),
)
OPERANDS = {"a": "< 2p", "b": "< beta^passes", "result": "< p + ab/R"}


@dataclass(frozen=True)
class Unsubtracted(DigitSerial):
    """p odd, p < beta^n; X = a < 2p, Y = b < beta^passes."""

    forms: ClassVar[tuple[str, ...]] = (CORRECTED,)
    more_passes: ClassVar[int] = 0
    """Default number of passes beyond n."""

    @property
    def named(self) -> dict[str, int]:
        return {"n": self.digits, "passes": self.passes}

    @cached_property
    def constants(self) -> dict[str, int]:
        return self.symmetric_constants("p", "p'")

    @property
    def limits(self) -> tuple[int, int]:
        return 2 * self.modulus - 1, self.domain - 1

    @property
    def result_limit(self) -> int:
        a, b = self.limits
        return self.modulus + a * b // self.domain + 1


@dataclass(frozen=True)
class Iddmm(Unsubtracted):
    """p odd, p < beta^n; X = a < 2p, Y = b < beta^passes.

    X and the accumulator have a digit n, unless the form is the literal text.
    """

    forms: ClassVar[tuple[str, ...]] = (CORRECTED, PRINTED)

    @cached_property
    def widest_bits(self) -> int:
        return 2 * self.radix_bits + 1

    @property
    def carries_out(self) -> int:
        """1 if digit n of X and the carry out of digit n are kept, 0 in the literal text, which drops them."""
        return int(self.form == CORRECTED)

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """X_0 .. X_n and Y_0 .. Y_(passes-1); X_n is 0 in the literal text."""
        x, y = split(int(a), self.radix_bits, self.digits + 1), split(int(b), self.radix_bits, self.passes)
        return [*x[:-1], x[-1] * self.carries_out], y

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Like `split`, for a batch of products."""
        x, y = super().split_batch(a, b)
        return [*x[:-1], x[-1] * self.carries_out], y


_Kind = TypeVar("_Kind", bound=Unsubtracted)


def resolve(kind: type[_Kind], owner: str, known: tuple[Parameter, ...], modulus: int, given: Given) -> _Kind:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings(owner, known, given)
    k = settings.radix_bits(32, 1, 4096)
    bits = modulus.bit_length()
    n_min = -(-bits // k)
    n = settings.integer("n", n_min, 1, 2 * MAX_WIDTH // k + 1)
    if n < n_min:
        raise ParameterError(
            "n", f"{n} digits of {k} bits do not hold a modulus of {bits} bits, which needs n >= {n_min}"
        )
    passes = settings.integer("passes", n + kind.more_passes, 1, 2 * MAX_WIDTH // k + 1)
    return kind(modulus, k, n, passes, settings.choice("form", kind.forms, CORRECTED))


def result_parts(params: Iddmm) -> list[tuple[str, Index, int]]:
    """The accumulator after the last pass, digits 0 to n."""
    return [("A", (params.passes, j), params.radix_bits * j) for j in range(params.digits + 1)]


def wide_operand(run: Run[Iddmm]) -> bool:
    """True if X uses digit n, which widens the range of the carries there."""
    p = run.params
    return run.a >> (p.radix_bits * p.digits) > 0


def _accumulator(run: Run[Iddmm], i: int) -> int:
    p = run.params
    return sum(run.at("A", i, j) << (p.radix_bits * j) for j in range(p.digits + 1))


def _state_holds(run: Run[Iddmm], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j != p.digits:
        return True
    exponent = p.radix_bits * i
    value = _accumulator(run, i)
    return value == partial_product(run.a, run.b % (1 << exponent), p.modulus, exponent) and value < run.a + p.modulus


_SECTION = "IDDMM, section 3"

RESULT_CLAIMS: tuple[Claim[DigitSerial], ...] = (
    Claim("result", "the result is below p + ab/R", _SECTION, None, lambda run, _, value: below_sum(run, value)),
    Claim("closure", "a, b < 2p and R >= 4p give a result below 2p", _SECTION, None,
          lambda run, _, value: run.params.domain < 4 * run.params.modulus or run.b >= 2 * run.params.modulus
          or value < 2 * run.params.modulus),
    Claim("leaving the domain", "b = 1 gives at most p, and p only for a = p", _SECTION, None,
          lambda run, _, value: run.b != 1 or run.params.domain < run.params.modulus or value < run.params.modulus
          or (value == run.params.modulus == run.a)),
)  # fmt: skip

QUOTIENT_CLAIM = quotient_claim("quotient", "q", "q of pass i is digit i of -X*Y*p^-1 mod R", _SECTION)

_SHARED_CLAIMS: tuple[Claim[Iddmm], ...] = (
    Claim("state", "A after pass i is (X*Y_i + Q_i*p) / beta^i, below X + p", _SECTION, "A", _state_holds),
    QUOTIENT_CLAIM,
    *RESULT_CLAIMS,
)

_SHARED_VOCABULARY: tuple[Symbol[Iddmm], ...] = (
    Symbol("q", "i, 0", "quotient digit of pass i", "< beta", below_radix, where=_SECTION),
    Symbol("U", "i, j", "digit j of the sum before the shift", "< beta, and U_0 = 0",
           lambda run, index: run.params.radix - 1 if index[1] else 0, where=_SECTION),
    Symbol("A", "i+1, j", "digit j of the accumulator after pass i; j = n is the carry out of digit n",
           "< beta; A_n <= 1, or 2 when X has a digit n",
           lambda run, index: 1 + wide_operand(run) if index[1] == run.params.digits else run.params.radix - 1,
           where="IDDMM, section 3 corrected"),
)  # fmt: skip


def _passes(params: DigitSerial) -> Iterable[Index]:
    return ((i, 0) for i in range(params.passes))


def _digits_of_A(params: Iddmm) -> Iterable[Index]:
    return ((i + 1, j) for i in range(params.passes) for j in range(params.digits))


def later_digits(params: Iddmm) -> Iterable[Index]:
    """The digits of each pass into which another one carries, but for digit n."""
    return ((i, j) for i in range(params.passes) for j in range(1, params.digits))


def _ends(params: Iddmm) -> Iterable[Index]:
    """Lengths of runs in the first pass and in the last one."""
    passes = sorted({0, params.passes - 1})
    return ((i, L) for L in range(1, params.digits + 1) for i in passes)


ACCUMULATOR = Accumulator(B, _SECTION, lambda params, index: params.radix_bits * (index[0] if index else params.passes))
"""X is whole, Y is scanned; the first subscript counts the digits of Y that have gone in."""


def result_events() -> tuple[Event[Any], ...]:
    """Operands and results of every algorithm without a subtraction."""
    return (
        *operand_events(_SECTION),
        *around_modulus("result", ACCUMULATOR, places=lambda params: ((),), value=total_value),
    )


def _carry_out_event(value: int) -> Event[Any]:
    """Digit n of the accumulator."""

    def bounds(params: Iddmm) -> tuple[int, int]:
        top = params.radix_bits * params.digits
        return value << top, (value + 1 << top) - 1

    event = range_event(
        "A",
        f"={value}",
        statement=f"digit n of the accumulator is {value}",
        hunts="a carry out of digit n that is lost or too short",
        accumulator=ACCUMULATOR,
        places=lambda params: ((i + 1, params.digits) for i in range(params.passes)),
        bounds=bounds,
        value=total_value,
    )
    return replace(event, happens=lambda seen, index: seen.at("A", *index) == value)


def carry(params: Iddmm, at: Pass, j: int) -> int:
    """The carry into digit j of the row, in an algorithm with one carry."""
    return at.carry(params.radix_bits * j, params.modulus)


def events(carry: str, closed: ByPass) -> tuple[Event[Any], ...]:
    """Events of an algorithm on digits; `carry` is the step that carries into a digit of U.

    `closed` is its closed form.
    """
    return (
        *quotient_events("q", _SECTION, places=_passes),
        *word_events("A", ACCUMULATOR, places=_digits_of_A),
        _carry_out_event(1),
        _carry_out_event(2),
        *run_events(
            "run",
            ACCUMULATOR,
            places=_ends,
            digit=lambda seen, i, j: seen.at("A", i + 1, j),
            carry=lambda seen, i, L: seen.at(carry, i, L + 1) if seen.params.digits > L else seen.at("A", i + 1, L),
            closed=lambda p, at, L: (
                closed(p, at, L + 1) if p.digits > L else at.row + at.q * p.modulus >> p.radix_bits * (L + 1)
            ),
        ),
        *result_events(),
    )


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many digits as the modulus needs or one more, and as many passes as digits, one more, or any number."""
    k = radix_bits(choice, bits, 1, max_digits)
    n = digits_for(choice, bits, k)
    return {"k": k, "n": n, "passes": choice.one_of((n, n + 1, choice.integer(1, n + 2)))}


def model(
    id: str,
    title: str,
    where: str,
    vocabulary: tuple[Symbol[Iddmm], ...],
    steps: Callable[[Iddmm, list[Digit], list[Digit]], Iterator[Step]],
    pseudocode: Callable[..., int],
    step_count: Callable[[Iddmm], int],
    further_claims: tuple[Claim[Iddmm], ...],
    events: tuple[Event[Any], ...],
    mended: tuple[str, ...],
) -> Model[Iddmm]:
    """A model of the family: its own steps, symbols and claims, the shared parts, and the corrected errata."""
    return Model(
        id=id,
        title=title,
        source=paper(where),
        parameters=PARAMETERS,
        operands=OPERANDS,
        reference=f"IDDMM, {where}",
        vocabulary=(*vocabulary, *_SHARED_VOCABULARY),
        forms=Iddmm.forms,
        resolve=lambda modulus, given: resolve(Iddmm, id, PARAMETERS, modulus, given),
        shape=shape,
        closed_form=exact_product,
        closed_forms=exact_products,
        steps=steps,
        pseudocode=pseudocode,
        result_parts=result_parts,
        step_count=step_count,
        further_claims=(*further_claims, *_SHARED_CLAIMS),
        corners=corners,
        events=events,
        mended={PRINTED: mended},
    )
