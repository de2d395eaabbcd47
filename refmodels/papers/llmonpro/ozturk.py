# SPDX-License-Identifier: Apache-2.0
"""Multiplication of redundant digits without a carry chain, OzturkPolMul: Algorithm 4 of the LLMonPro paper.

Every product of two digits is cut into three pieces, which are summed by weight; then the upper part of each sum goes
into its neighbour, once. Nothing ripples, and the digits that come out have one bit to spare, like those that went in.

The printed form has the fixed widths of the paper's listings (Algorithms 6 and 8): sums of 2d bits, digits of d + 1
bits, and no digit 2k + 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from typing import Any

from refmodels.columns import Digit, split_columns
from refmodels.digits import largest, redundant_digits
from refmodels.errors import ParameterError
from refmodels.model import CORRECTED, PRINTED, Claim, Corner, Index, Model, Run, Step, Symbol, at_most
from refmodels.papers.llmonpro import family as llmonpro
from refmodels.representations import CANONICAL, Digits, Written
from refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)

PARAMETERS = (
    llmonpro.RADIX,
    Parameter("k", "an operand has k + 1 digits", "8", "1 to 32768/d"),
    Parameter("form", "printed has the widths of the listings: sums of 2d bits, digits of d + 1 bits, no digit 2k + 2",
              CORRECTED, f"{CORRECTED} or {PRINTED}"),
)  # fmt: skip


@dataclass(frozen=True)
class Ozturk:
    """Operands of k + 1 digits of d + 1 bits, weight 2^d; there is no modulus."""

    radix_bits: int
    k: int
    form: str = CORRECTED

    modulus: int = 0
    """The ring of integers modulo 0 is that of all integers."""

    def __post_init__(self) -> None:
        check_width(self.radix_bits, self.k)

    @property
    def named(self) -> dict[str, int]:
        return {"k": self.k}

    @property
    def constants(self) -> dict[str, int]:
        return {}

    @property
    def limits(self) -> tuple[int, int]:
        most = largest(self.radix_bits, self.k + 1)
        return most, most

    @property
    def result_limit(self) -> int:
        return self.limits[0] ** 2 + 1

    @property
    def domain(self) -> None:
        """Nothing is divided."""
        return

    @cached_property
    def radix(self) -> int:
        """beta."""
        return 1 << self.radix_bits

    @property
    def closed(self) -> bool:
        return self.form == CORRECTED

    @property
    def full_multiples(self) -> tuple[int, ...]:
        """There are no quotient digits."""
        return ()

    @property
    def written(self) -> tuple[Digits, Digits]:
        """k + 1 digits with a bit to spare."""
        return written_digits(self.radix_bits, self.k)

    @property
    def representations(self) -> dict[str, Digits]:
        return {}

    @property
    def filling(self) -> int:
        return CANONICAL

    @property
    def fits(self) -> bool:
        """Whether every sum fits 2d bits, for all operands."""
        return self.k <= llmonpro.widest_k(self.radix_bits)

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """k + 1 digits of each; those of a Written, or canonical ones as far as they hold the value."""
        return split_operand(self, a), split_operand(self, b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """As `split`, for a batch of products."""
        return split_columns_of(self, a), split_columns_of(self, b)


def written_digits(d: int, k: int) -> tuple[Digits, Digits]:
    """The digits in which people may write operands."""
    form = Digits(d, k + 1, overlap=1)
    return form, form


def check_width(d: int, k: int) -> None:
    """Raises ParameterError for more digits than anybody needs."""
    if k * d > 2 * MAX_WIDTH:
        raise ParameterError("k", f"{k} digits of {d} bits are wider than the limit of {2 * MAX_WIDTH} bits")


def split_operand(params: Any, value: int) -> list[int]:
    """k + 1 digits, least significant first."""
    return redundant_digits(value, params.radix_bits, params.k + 1)


def split_columns_of(params: Any, values: Sequence[int]) -> list[Digit]:
    """The same for a batch, as columns."""
    d, k = params.radix_bits, params.k
    widest = max(2 * d + 2, column_limit(d, k).bit_length() + 1)
    vectors = zip(*(split_operand(params, value) for value in values), strict=True)
    return [split_columns(digits, d + 1, 1, widest)[0] for digits in vectors]


def column_limit(d: int, k: int) -> int:
    """The largest sum D of any operands."""
    return (2 * k + 1) * ((1 << d) - 1) + 3 * k


def resolve(modulus: int, given: Given) -> Ozturk:
    """Parameters; there is no modulus. Raises ParameterError."""
    settings = Settings("ozturk", PARAMETERS, given)
    d = llmonpro.radix_bits(settings)
    k = settings.integer("k", 8, 1, 2 * MAX_WIDTH // d)
    return Ozturk(d, k, settings.choice("form", FORMS, CORRECTED), modulus)


def sums(A: Sequence[Digit], B: Sequence[Digit], d: int) -> list[Digit]:
    """D: the three pieces of every A_i*B_j, summed by weight; two columns more than there are places."""
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
    """C: the low d bits of each sum, and what is above them in the sum below; the last sum stays whole."""
    low = (1 << d) - 1
    return [D[0] & low, *((D[i] & low) + (D[i - 1] >> d) for i in range(1, len(D) - 1)), D[-1] + (D[-2] >> d)]


def product(A: Sequence[Digit], B: Sequence[Digit], d: int, widths: bool) -> tuple[list[Digit], list[Digit]]:
    """D and C; with `widths`, as the listings' registers hold them."""
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
    for i, column in enumerate(D):
        yield "D", (i,), column
    for i, digit in enumerate(C):
        yield "C", (i,), digit


def result_parts(params: Ozturk) -> list[tuple[str, Index, int]]:
    """C; the listing keeps all digits but the last."""
    kept = 2 * params.k + (2 if params.form == PRINTED else 3)
    return [("C", (i,), params.radix_bits * i) for i in range(kept)]


_SOURCE = "LLMonPro, Algorithm 4"


def pairs(k: int, s: int) -> int:
    """Pairs of digits with i + j = s."""
    return min(s, 2 * k - s) + 1 if 0 <= s <= 2 * k else 0


def _sum_limit(run: Run, index: Index) -> int:
    p: Ozturk = run.params
    s = index[0]
    return (p.radix - 1) * (pairs(p.k, s) + pairs(p.k, s - 1)) + 3 * pairs(p.k, s - 2)


def _digit_limit(run: Run, index: Index) -> int:
    p: Ozturk = run.params
    i = index[0]
    if i == 2 * p.k + 2:
        return 4 if p.fits else 3 + (column_limit(p.radix_bits, p.k) >> p.radix_bits)
    if i < 2:
        return p.radix - 1
    return p.radix - 1 + (min(p.radix - 1, 2 * p.k + 1) if p.fits else column_limit(p.radix_bits, p.k) >> p.radix_bits)


CLAIMS: tuple[Claim, ...] = (
    at_most("D", "D_s <= (beta-1)*(c(s)+c(s-1)) + 3*c(s-2), c(s) being the pairs with i + j = s", _SOURCE, _sum_limit),
    Claim("width of D", "every sum fits 2d bits where k <= 2^(d-1) - 1", "LLMonPro, Algorithm 6 corrected", "D",
          lambda run, _, value: not run.params.fits or value < run.params.radix**2),
    at_most("C", "C_i <= beta - 1 + min(beta - 1, 2k + 1); C_0, C_1 < beta; C_(2k+2) <= 4 where k <= 2^(d-1) - 1",
            "LLMonPro, Algorithm 4 corrected", _digit_limit),
    Claim("neighbours", "C_i = D_i mod beta + floor(D_(i-1)/beta)", _SOURCE, "C",
          lambda run, index, value: value == _neighbour(run, index[0])),
    Claim("nothing above the product", "C_i = 0 where A*B < beta^i", _SOURCE, "C",
          lambda run, index, value: value == 0 or run.a * run.b >> (run.params.radix_bits * index[0]) > 0),
    Claim("value", "the digits C are A*B", _SOURCE, None, lambda run, _, value: value == run.a * run.b),
)  # fmt: skip


def _neighbour(run: Run, i: int) -> int:
    p: Ozturk = run.params
    below = run.at("D", i - 1) // p.radix if i else 0
    return below + (run.at("D", i) if i == 2 * p.k + 2 else run.at("D", i) % p.radix)


def corners(p: Ozturk) -> Iterator[Corner]:
    """Digits that are all as large as they may be, all ones, one alone, and redundant ones of every place."""
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


MODEL = Model(
    id="ozturk",
    title="OzturkPolMul, redundant digits multiplied without a carry chain",
    source=llmonpro.paper("Algorithm 4"),
    parameters=PARAMETERS,
    operands={"a": "k + 1 digits below 2*beta", "b": "k + 1 digits below 2*beta", "result": "A*B"},
    vocabulary=(
        Symbol("D", "j", "sum of the pieces of weight beta^j, j up to 2k + 2", "<= (2k+1)(beta-1) + 3k"),
        Symbol("C", "j", "digit j of the product", "< 2*beta where k < 2^(d-1)"),
    ),
    forms=FORMS,
    resolve=resolve,
    closed_form=lambda params, a, b: int(a) * int(b),
    steps=steps,
    result_parts=result_parts,
    step_count=lambda params: 2 * (2 * params.k + 3),
    claims=CLAIMS,
    corners=corners,
    has_modulus=False,
)
