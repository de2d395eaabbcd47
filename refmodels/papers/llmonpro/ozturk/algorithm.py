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
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split_columns
from limbtrace.refmodels.digits import largest_digits, redundant_digits
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Formula, Index, Step
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.param_strategy import Choice, radix_bits
from limbtrace.refmodels.representations import CANONICAL, Digits
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
    """Operands of k + 1 digits of d + 1 bits; digit j has weight 2^(d*j). `radix_bits` is d; without a modulus."""

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


SOURCE = "LLMonPro, Algorithm 4"


def pairs(k: int, s: int) -> int:
    """Pairs of digits with i + j = s."""
    return min(s, 2 * k - s) + 1 if 0 <= s <= 2 * k else 0


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """Digits for operands of that total width in bits."""
    d = radix_bits(choice, bits, 2, max_digits)
    return {"d": d, "k": -(-bits // d)}
