# SPDX-License-Identifier: Apache-2.0
"""Multiplication of redundant digits without a carry chain, OzturkPolMul: Algorithm 4 of the LLMonPro paper.

Every product of two digits is cut into three pieces, which are summed by weight. Then the upper part of each sum is
added to the next one, once, and no carry goes further. The digits of the product, like those of the operands, have one
bit more than the radix needs.

The printed form has the fixed widths of the paper's listings (Algorithms 6 and 8): sums of 2d bits, digits of d + 1
bits, and no digit 2k + 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split_columns
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.digits import largest_digits, redundant_digits
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Claim, Corner, Formula, Index, Model, Run, Step, Symbol
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.param_strategy import Choice, radix_bits
from limbtrace.refmodels.representations import CANONICAL, Digits, Written
from limbtrace.refmodels.serial_events import operand_digit_events, step_event
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)

PARAMETERS = (
    llmonpro.RADIX,
    Parameter("k", "an operand has k + 1 digits", "8", "1 to 32768/d"),
    Parameter("form", "printed has the widths of the listings: sums of 2d bits, digits of d + 1 bits, no digit 2k + 2",
              CORRECTED, f"{CORRECTED} or {PRINTED}"),
)  # fmt: skip


@dataclass(frozen=True)
class Ozturk:
    """Operands of k + 1 digits of d + 1 bits; digit j has weight 2^(d*j). `radix_bits` is d; there is no modulus."""

    radix_bits: int
    k: int
    form: str = CORRECTED

    modulus: int = 0
    """The ring of integers modulo 0 is that of all integers."""

    def __post_init__(self) -> None:
        if self.k * self.radix_bits > 2 * MAX_WIDTH:
            raise ParameterError(
                "k", f"{self.k} digits of {self.radix_bits} bits are wider than the limit of {2 * MAX_WIDTH} bits"
            )

    @property
    def named(self) -> dict[str, int]:
        return {"k": self.k}

    @property
    def constants(self) -> dict[str, int]:
        return {}

    @property
    def limits(self) -> tuple[int, int]:
        most = largest_digits(self.radix_bits, self.k + 1)
        return most, most

    @property
    def result_limit(self) -> int:
        return self.limits[0] ** 2 + 1

    @property
    def domain(self) -> None:
        """None, since nothing is divided."""
        return

    @cached_property
    def radix(self) -> int:
        """beta."""
        return 1 << self.radix_bits

    @property
    def closed(self) -> bool:
        return self.form == CORRECTED

    @property
    def formula(self) -> Formula:
        """The whole product."""
        return Formula()

    @property
    def full_multiples(self) -> tuple[int, ...]:
        """There are no quotient digits."""
        return ()

    @property
    def written(self) -> tuple[Digits, Digits]:
        """k + 1 digits of d + 1 bits each."""
        return written_digits(self.radix_bits, self.k)

    @property
    def representations(self) -> dict[str, Digits]:
        return {}

    @property
    def filling(self) -> int:
        return CANONICAL

    @property
    def fits(self) -> bool:
        """True if every sum D fits 2d bits, for all operands."""
        return self.k <= llmonpro.widest_k(self.radix_bits)

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """k + 1 digits of each operand: those of a Written, or canonical ones as far as they hold the value."""
        d, count = self.radix_bits, self.k + 1
        return redundant_digits(a, d, count), redundant_digits(b, d, count)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """The columns of these digits for a batch of products."""
        return digit_columns(a, self.radix_bits, self.k), digit_columns(b, self.radix_bits, self.k)


def written_digits(d: int, k: int) -> tuple[Digits, Digits]:
    """The digits in which a user may give operands."""
    form = Digits(d, k + 1, overlap=1)
    return form, form


def digit_columns(values: Sequence[int], d: int, k: int) -> list[Digit]:
    """The k + 1 columns of redundant digits of a batch of operands; see `redundant_digits`."""
    widest = max(2 * d + 2, column_limit(d, k).bit_length() + 1)
    vectors = zip(*(redundant_digits(value, d, k + 1) for value in values), strict=True)
    return [split_columns(digits, d + 1, 1, widest)[0] for digits in vectors]


def column_limit(d: int, k: int) -> int:
    """The largest sum D over all operands."""
    return (2 * k + 1) * ((1 << d) - 1) + 3 * k


def resolve(modulus: int, given: Given) -> Ozturk:
    """Parameters; `modulus` is 0, since there is none. Raises ParameterError."""
    settings = Settings("ozturk", PARAMETERS, given)
    d = llmonpro.radix_bits(settings)
    k = settings.integer("k", 8, 1, 2 * MAX_WIDTH // d)
    return Ozturk(d, k, settings.choice("form", FORMS, CORRECTED), modulus)


def sums(A: Sequence[Digit], B: Sequence[Digit], d: int) -> list[Digit]:
    """D: the three pieces of every A_i*B_j, summed by weight; for k + 1 digits of A and of B, 2k + 3 sums."""
    low = (1 << d) - 1
    D: list[Digit] = [0] * (len(A) + len(B) + 1)
    for i, a in enumerate(A):
        for j, b in enumerate(B):
            P = a * b
            D[i + j] = D[i + j] + (P & low)
            D[i + j + 1] = D[i + j + 1] + ((P >> d) & low)
            D[i + j + 2] = D[i + j + 2] + (P >> 2 * d)
    return D


def neighbours(D: Sequence[Digit], d: int) -> list[Digit]:
    """C: the low d bits of each sum plus the upper part of the sum below it; the last sum keeps its upper part."""
    low = (1 << d) - 1
    return [D[0] & low, *((D[i] & low) + (D[i - 1] >> d) for i in range(1, len(D) - 1)), D[-1] + (D[-2] >> d)]


def product(A: Sequence[Digit], B: Sequence[Digit], d: int, widths: bool) -> tuple[list[Digit], list[Digit]]:
    """D and C; with `widths`, cut to the registers of the listings: D to 2d bits, C to d + 1 bits."""
    D = sums(A, B, d)
    if widths:
        D = [column & ((1 << 2 * d) - 1) for column in D]
    C = neighbours(D, d)
    if widths:
        C = [digit & ((2 << d) - 1) for digit in C]
    return D, C


def steps(params: Ozturk, A: list[Digit], B: list[Digit]) -> Iterator[Step]:
    """Algorithm 4."""
    D, C = product(A, B, params.radix_bits, params.form == PRINTED)
    yield from (("D", (i,), column) for i, column in enumerate(D))
    yield from (("C", (i,), digit) for i, digit in enumerate(C))


def result_parts(params: Ozturk) -> list[tuple[str, Index, int]]:
    """The digits C, in the printed form without the last one."""
    kept = 2 * params.k + (2 if params.form == PRINTED else 3)
    return [("C", (i,), params.radix_bits * i) for i in range(kept)]


_SOURCE = "LLMonPro, Algorithm 4"


def pairs(k: int, s: int) -> int:
    """Pairs of digits with i + j = s."""
    return min(s, 2 * k - s) + 1 if 0 <= s <= 2 * k else 0


def _sum_limit(run: Run[Ozturk], index: Index) -> int:
    p, (s,) = run.params, index
    return (p.radix - 1) * (pairs(p.k, s) + pairs(p.k, s - 1)) + 3 * pairs(p.k, s - 2)


def _digit_limit(run: Run[Ozturk], index: Index) -> int:
    p, (i,) = run.params, index
    if i == 2 * p.k + 2:
        return 4 if p.fits else 3 + (column_limit(p.radix_bits, p.k) >> p.radix_bits)
    if i < 2:
        return p.radix - 1
    return p.radix - 1 + (min(p.radix - 1, 2 * p.k + 1) if p.fits else column_limit(p.radix_bits, p.k) >> p.radix_bits)


def _neighbours_hold(run: Run[Ozturk], index: Index, value: int) -> bool:
    p, (i,) = run.params, index
    below = run.at("D", i - 1) // p.radix if i else 0
    return value == below + (run.at("D", i) if i == 2 * p.k + 2 else run.at("D", i) % p.radix)


def corners(p: Ozturk) -> Iterator[Corner]:
    """Operands whose digits are all maximal, all ones, all equal to the radix, or 0 except for the top one."""
    d, k, beta = p.radix_bits, p.k, p.radix

    def vector(*digits: int) -> Written:
        return Written(list(islice((digits[i % len(digits)] for i in count()), k + 1)), d)

    most = 2 * beta - 1
    yield Corner(vector(most), vector(most), "every digit is as large as it may be")
    yield Corner(vector(beta - 1), vector(beta - 1), "every digit is beta - 1")
    yield Corner(vector(beta - 1), vector(beta + 1), "digits of beta - 1 with digits of beta + 1")
    yield Corner(vector(most, 0), vector(0, most), "large digits beside zeros")
    yield Corner(vector(beta), vector(beta), "every digit is the radix")
    yield Corner(vector(most), 1, "times 1: the digits are partly resolved")
    yield Corner(1 << d * k, 1 << d * k, "the top digits alone")
    yield Corner(0, vector(most), "0")


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Digits for operands of that total width in bits."""
    d = radix_bits(choice, bits, 2, max_digits)
    return {"d": d, "k": -(-bits // d)}


def _drawn_digits(params: Ozturk, index: Index, draw: Draw) -> Iterator[tuple[int, int]]:
    """Digits near the radix beside each other, and operands of any kind."""
    for _ in range(64):
        pair = []
        for _ in "ab":
            less = draw.of_any_width(params.radix - 1)
            digits = (max(params.radix - 1 - less - draw.below(2), 0) for _ in range(params.k + 1))
            pair.append(sum(digit << params.radix_bits * j for j, digit in enumerate(digits)))
        yield pair[0], pair[1]
        yield draw.pattern(params.limits[0], params.radix_bits), draw.pattern(params.limits[1], params.radix_bits)


EVENTS = (
    step_event(
        "C", ">=beta", "a digit of the product needs its overlap bit", "an overlap bit that is dropped", _SOURCE,
        lambda params: ((j,) for j in range(2, 2 * params.k + 2)),
        lambda value, params, index: value >> params.radix_bits > 0, _drawn_digits,
    ),
    step_event(
        "C", "=0", "a digit of the product is 0", "a carry out of a digit of zeros", _SOURCE,
        lambda params: ((j,) for j in range(2 * params.k + 2)), lambda value, params, index: value == 0, _drawn_digits,
    ),
    step_event(
        "D", "_large", "a column is at least half of what canonical digits make of it", "a column that is too short",
        _SOURCE, lambda params: ((j,) for j in range(2 * params.k + 2)),
        lambda value, params, index: value >= (params.radix - 1) * (pairs(params.k, index[0])
                                                                   + pairs(params.k, index[0] - 1)) // 2,
        _drawn_digits,
    ),
    *operand_digit_events(_SOURCE),
)  # fmt: skip

MODEL: Model[Ozturk] = Model(
    id="ozturk",
    title="OzturkPolMul, redundant digits multiplied without a carry chain",
    source=llmonpro.paper("Algorithm 4"),
    parameters=PARAMETERS,
    operands={"a": "k + 1 digits below 2*beta", "b": "k + 1 digits below 2*beta", "result": "A*B"},
    reference=_SOURCE,
    vocabulary=(
        Symbol("D", "j", "sum of the pieces of weight beta^j, j up to 2k + 2",
               "<= (beta-1)*(c(j)+c(j-1)) + 3*c(j-2), c(s) being the pairs of digits whose places add up to s",
               _sum_limit),
        Symbol("C", "j", "digit j of the product",
               "<= beta - 1 + min(beta - 1, 2k + 1); C_0, C_1 < beta; C_(2k+2) <= 4; more where k >= 2^(d-1)",
               _digit_limit, where="LLMonPro, Algorithm 4 corrected"),
    ),
    forms=FORMS,
    resolve=resolve,
    shape=_shape,
    closed_form=lambda params, a, b: int(a) * int(b),
    steps=steps,
    result_parts=result_parts,
    step_count=lambda params: 2 * (2 * params.k + 3),
    further_claims=(
        Claim("width of D", "every sum fits 2d bits where k <= 2^(d-1) - 1", "LLMonPro, Algorithm 6 corrected", "D",
              lambda run, _, value: not run.params.fits or value < run.params.radix**2),
        Claim("neighbours", "C_i = D_i mod beta + floor(D_(i-1)/beta)", _SOURCE, "C", _neighbours_hold),
        Claim("nothing above the product", "C_i = 0 where A*B < beta^i", _SOURCE, "C",
              lambda run, index, value: value == 0 or run.a * run.b >> (run.params.radix_bits * index[0]) > 0),
        Claim("value", "the digits C are A*B", _SOURCE, None, lambda run, _, value: value == run.a * run.b),
    ),
    corners=corners,
    events=EVENTS,
    has_modulus=False,
)  # fmt: skip
