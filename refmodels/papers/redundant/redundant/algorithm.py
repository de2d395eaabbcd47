# SPDX-License-Identifier: Apache-2.0
"""The multiplier of the redundant paper: Algorithm 1 on redundant digits of two radices.

A and the quotient digits have radix 2^r1, B, M~ and the accumulator S radix 2^r2: a digit of the first kind times one
of the second takes one DSP block. Each digit has two overlap bits, so no carry runs through all digits in an iteration.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split_columns
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Step, check_modulus
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant.family import OVERLAP, Scaled
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits
from limbtrace.refmodels.representations import CANONICAL, Digits, Written, low, reslice, value_of
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)
MAX_SEED = (1 << 64) - 1

PARAMETERS = (
    Parameter("radix", "weight 2^r1 of a digit of A and of q; r1 is its logarithm", "2^22", "2^4 to 2^4096",
              ("r1", "w")),
    Parameter("r2", "logarithm of the radix of B, M~ and S", "15, r1 where that is less, (r1+4)/2 where that is more",
              "(r1+4)/2 to r1"),
    Parameter("ma", "digits of M in radix 2^r1; there are ma + 3 iterations", "ceil(N/r1)", "4M~ <= R = 2^(r1*(ma+2))"),
    Parameter("mb", "digits of M in radix 2^r2; B and M~ have mb + 2", "ceil(N/r2)", "2M~ <= 2^(r2*(mb+2))"),
    Parameter("ds", "digits of S", "mb + 3, more where S of this M, with digits of A of r1 + 2 bits, needs more",
              "at least the default; mb + 3 in the printed form"),
    redundant.TAIL,
    Parameter("fused", "1: shift and addition in one layer, which gives other digits", "0", "0 to 1; 0 for r1 = r2"),
    Parameter("qcarry", "1: q keeps the carry out of its sum, which adds M~ to some results",
              "0, 1 in the printed form", "0 to 1"),
    Parameter("overlap", "overlap bits in the digits of operands: 0 none (canonical), 1 as many as can be, else "
              "the seed of a random filling", "0", "0 to 2^64-1"),
    Parameter("form", "printed drops the carry of the r1 bits that are shifted out, keeps that of q and has mb + 3 "
              "digits of S for every M", CORRECTED, " or ".join(FORMS)),
)  # fmt: skip


@dataclass(frozen=True)
class Redundant(Scaled):
    """Parameters of Algorithm 1 on digits: r2 <= r1 <= 2*r2 - 4, 2M~ <= 2^(r2*(mb+2)), and `ds` digits hold S.

    `digits` is ma, `radix_bits` is r1. `fused`, `qcarry` and `overlap` are settings of that name (see PARAMETERS).
    """

    r2: int = field(kw_only=True)
    mb: int = field(kw_only=True)
    ds: int = field(kw_only=True)
    fused: int = field(kw_only=True)
    qcarry: int = field(kw_only=True)
    overlap: int = field(kw_only=True)

    @property
    def named(self) -> dict[str, int]:
        return {
            "r2": self.r2,
            "ma": self.digits,
            "mb": self.mb,
            "ds": self.ds,
            "tail": self.tail,
            "fused": self.fused,
            "qcarry": self.qcarry,
            "overlap": self.overlap,
        }

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"ma": (self.digits, self.radix_bits), "mb": (self.mb, self.r2), "ds": (self.ds, self.r2)}

    @property
    def r1(self) -> int:
        return self.radix_bits

    @property
    def literal(self) -> bool:
        """True if this is the printed form."""
        return self.form == PRINTED

    @property
    def closed(self) -> bool:
        return not self.literal and not self.qcarry

    @property
    def d(self) -> int:
        """Digits of B and of M~."""
        return self.mb + 2

    @property
    def unit(self) -> int:
        """Factor of the carry c: 1, or 0 in the printed form, which drops the carry."""
        return int(not self.literal)

    @property
    def largest_quotient(self) -> int:
        """The largest quotient digit: 2^r1 - 1, or more where q keeps the carry of its sum."""
        if not self.qcarry:
            return self.radix - 1
        return 2 * self.radix - 2 if self.r1 == self.r2 else self.radix - 1 + (3 << self.r2)

    @property
    def result_limit(self) -> int:
        if self.literal:
            return int(value_of([self.accumulator.largest] * self.ds, self.r2)) + 1
        return super().result_limit

    @property
    def serial(self) -> Digits:
        """Number of digits of A without the last one, which is 0."""
        return Digits(self.r1, self.passes, OVERLAP)

    @property
    def parallel(self) -> Digits:
        """Number of digits of B."""
        return Digits(self.r2, self.d, OVERLAP)

    @property
    def accumulator(self) -> Digits:
        """Number of digits of S and of the result."""
        return Digits(self.r2, self.ds, OVERLAP)

    @property
    def written(self) -> tuple[Digits, Digits]:
        return self.serial, self.parallel

    @property
    def representations(self) -> Mapping[str, Digits]:
        """The representations of A, and of B and the result, by name."""
        return {form.name: form for form in (self.serial, self.parallel)}

    @property
    def filling(self) -> int:
        return self.overlap

    @cached_property
    def modulus_digits(self) -> list[int]:
        """The mb + 2 canonical digits of M."""
        return self.parallel.canonical(self.modulus)

    @cached_property
    def scaled_digits(self) -> list[int]:
        """The mb + 2 canonical digits of M~."""
        return self.parallel.canonical(self.added)

    @cached_property
    def widest_bits(self) -> int:
        return self.r1 + self.r2 + 2 * OVERLAP

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """a_0 .. a_(ma+2) and B_0 .. B_(mb+1): the digits of a Written, else with overlap bits as `overlap` says."""
        return [*self._digits(self.serial, a), 0], self._digits(self.parallel, b)

    def _digits(self, form: Digits, value: int) -> list[int]:
        return list(value.digits) if isinstance(value, Written) else form.write(int(value), self.overlap)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """The columns of these digits for a batch of products."""
        return [*self._columns(self.serial, a), 0], self._columns(self.parallel, b)

    def _columns(self, form: Digits, values: Sequence[int]) -> list[Digit]:
        if self.overlap == CANONICAL and not any(isinstance(value, Written) for value in values):
            return split_columns(values, form.bits, form.count, self.widest_bits)
        columns = zip(*(self._digits(form, value) for value in values), strict=True)
        return [split_columns(column, form.bits + OVERLAP, 1, self.widest_bits)[0] for column in columns]


def sum_digits(scaled: int, r1: int, r2: int, largest_quotient: int) -> int:
    """Number of digits that hold every S_i for any overlap bits of the operands; a digit of A has <= r1 + 2 bits."""
    step = ((1 << (r1 + OVERLAP)) - 1) * (2 * scaled - 1)
    S, bound = 0, step
    while bound > S:
        S, bound = bound, ((bound + largest_quotient * scaled) >> r1) + step
    return -(-S.bit_length() // r2)


def resolve(modulus: int, given: Given) -> Redundant:
    """Parameters for a modulus. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings("redundant", PARAMETERS, given)
    form = settings.choice("form", FORMS, CORRECTED)
    r1 = settings.radix_bits(22, 4, 4096)
    narrowest = (r1 + 5) // 2
    why = "radix 2^r1 and r1 + 4 <= 2*r2 keep the digits of sums in r2 + 2 bits"
    r2 = settings.integer("r2", max(min(15, r1), narrowest), narrowest, r1, why)
    ma = redundant.serial_digits(settings, "ma", modulus, r1)
    scaled = redundant.largest_scaled(modulus, r1)
    narrow = max(-(-(2 * scaled - 1).bit_length() // r2) - 2, 0)
    most = 2 * MAX_WIDTH // r2 + 1
    mb = settings.integer("mb", -(-bits // r2), narrow, most, "2M~ <= 2^(r2*(mb+2))")
    tail, fused = redundant.flag(settings, "tail"), redundant.flag(settings, "fused")
    qcarry = redundant.flag(settings, "qcarry", int(form == PRINTED))
    if fused and r1 == r2:
        raise ParameterError("fused", "one layer for shift and addition needs r1 > r2: digits would be too wide")
    params = Redundant(modulus, r1, ma, ma + 2, form, tail=tail, r2=r2, mb=mb, ds=mb + 3, fused=fused, qcarry=qcarry,
                       overlap=settings.integer("overlap", CANONICAL, 0, MAX_SEED))  # fmt: skip
    if params.literal:
        settings.integer("ds", mb + 3, mb + 3, mb + 3, "the text has one digit more than B for every modulus")
        return params
    least = max(mb + 3, sum_digits(scaled, r1, r2, params.largest_quotient))
    return replace(params, ds=settings.integer("ds", least, least, most + 4, "S of this modulus needs them"))


def steps(params: Redundant, a: list[Digit], B: list[Digit]) -> Iterator[Step]:
    """Section IV. a holds the ma + 3 digits of A, B its mb + 2 digits, least significant first."""
    r1, r2, last = params.r1, params.r2, params.passes
    S: list[Digit] = [0] * params.ds
    yield from vector("S", 0, S)
    for i in range(last + 1):
        q = redundant.quotient(S, r1, r2, params.qcarry)
        factor, M = q, params.scaled_digits
        if params.tail and i == last:
            factor, M = low(q, r1) * params.digit_inverse & params.radix - 1, params.modulus_digits
            yield "q'", (i,), factor
        yield "a", (i,), a[i]
        yield "q", (i,), q
        yield from vector("P", i, (P := [a[i] * digit for digit in B]))
        yield from vector("K", i, (K := redundant.product(P, r2)))
        yield from vector("W", i, (W := [factor * digit for digit in M]))
        yield from vector("T", i, (T := redundant.accumulate(W, S, r2)))
        yield "c", (i,), (c := redundant.dropped(T, r2) * params.unit)
        if params.fused:
            S = redundant.shift_add(T, c, K, r1, r2)
        else:
            yield from vector("U", i, (U := redundant.shift(T, c, r1, r2)))
            S = redundant.add(U, [*K, *[0] * len(U)][: len(U)], r2)
        yield from vector("S", i + 1, S)


def vector(name: str, i: int, values: list[Digit]) -> Iterator[Step]:
    """A digit vector: one step per digit, low digit first."""
    return ((name, (i, j), value) for j, value in enumerate(values))


def fed_back(params: Redundant, steps: Sequence[Step]) -> tuple[Written, Written]:
    """The result as operands A and B: as A its digits are regrouped without a carry, as B they are unchanged."""
    S = [int(value) for name, index, value in steps if name == "S" and index[0] == params.passes + 1]
    A = reslice(S, params.r2, OVERLAP, params.r1, params.passes)
    return params.serial.read("result", A), params.parallel.read("result", S[: params.d])


NUMBERS, CIRCUIT, MENDED = "redundant, section III.A", "redundant, section IV", "redundant, section IV corrected"


def step_count(params: Redundant) -> int:
    """Number of steps of a product: the tail step adds one, the fused form saves `ds` in every iteration."""
    iteration = 3 + params.d + (params.d + 2) + params.d + (params.ds + 1) + (2 - params.fused) * params.ds
    return params.ds + (params.passes + 1) * iteration + params.tail


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """One or two radices, as many digits as the modulus needs or one more, and every form of a step."""
    r1 = radix_bits(choice, bits, 4, max_digits)
    r2 = choice.integer((r1 + 5) // 2, r1)
    return {
        "r1": r1,
        "r2": r2,
        "ma": digits_for(choice, bits, r1),
        "mb": digits_for(choice, bits, r2),
        "tail": choice.integer(0, 1),
        "fused": choice.integer(0, 1) if r1 > r2 else 0,
        "overlap": choice.integer(0, 3),
    }
