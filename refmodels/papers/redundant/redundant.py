# SPDX-License-Identifier: Apache-2.0
"""The multiplier of the redundant paper: Algorithm 1 on redundant digits of two radices.

A and the quotient digits have radix 2^r1, B, M~ and the accumulator S radix 2^r2: one digit of the first kind times one
of the second is one DSP block. Two overlap bits a digit take the place of carries, so an iteration has no chain in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from refmodels.columns import Digit, split_columns
from refmodels.errors import ParameterError
from refmodels.model import CORRECTED, PRINTED, Claim, Corner, Index, Model, Run, Step, Symbol, at_most, check_modulus
from refmodels.papers.redundant import family as redundant
from refmodels.papers.redundant.family import OVERLAP, SHARED_CLAIMS, Scaled
from refmodels.representations import CANONICAL, Digits, Written, high, low, reslice, value_of
from refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)
MAX_SEED = (1 << 64) - 1

PARAMETERS = (
    Parameter("radix", "weight 2^r1 of a digit of A and of q; r1 is its logarithm", "2^22", "2^4 to 2^4096", ("r1",)),
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
    """As Algorithm 1; r2 <= r1 <= 2*r2 - 4, 2M~ <= 2^(r2*(mb+2)), and `ds` digits hold S. `digits` is ma."""

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
        """Whether this is the text as printed."""
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
        """What the carry of the dropped bits counts: nothing in the printed form."""
        return int(not self.literal)

    @property
    def largest_quotient(self) -> int:
        """The largest quotient digit: of r1 bits, or with the carry of its sum."""
        if not self.qcarry:
            return self.radix - 1
        return 2 * self.radix - 2 if self.r1 == self.r2 else self.radix - 1 + (3 << self.r2)

    @property
    def result_limit(self) -> int:
        if self.literal:
            return value_of([(1 << (self.r2 + OVERLAP)) - 1] * self.ds, self.r2) + 1  # type: ignore[no-any-return]
        return super().result_limit

    @property
    def serial(self) -> Digits:
        """The form of A, but for its last digit, which is 0."""
        return Digits(self.r1, self.passes, OVERLAP)

    @property
    def parallel(self) -> Digits:
        """The form of B."""
        return Digits(self.r2, self.d, OVERLAP)

    @property
    def accumulator(self) -> Digits:
        """The form of S and of the result."""
        return Digits(self.r2, self.ds, OVERLAP)

    @property
    def written(self) -> tuple[Digits, Digits]:
        return self.serial, self.parallel

    @property
    def representations(self) -> Mapping[str, Digits]:
        """That of the serial operand, and that of the other one and of the result."""
        return {form.name: form for form in (self.serial, self.parallel)}

    @property
    def filling(self) -> int:
        return self.overlap

    @cached_property
    def modulus_digits(self) -> list[int]:
        return self.parallel.canonical(self.modulus)

    @cached_property
    def scaled_digits(self) -> list[int]:
        """M~."""
        return self.parallel.canonical(self.added)

    @cached_property
    def widest_bits(self) -> int:
        return self.r1 + self.r2 + 2 * OVERLAP

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """a_0 .. a_(ma+2) and B_0 .. B_(mb+1): as they were written, or with the overlap bits that are asked for."""
        return [*self._digits(self.serial, a), 0], self._digits(self.parallel, b)

    def _digits(self, form: Digits, value: int) -> list[int]:
        return list(value.digits) if isinstance(value, Written) else form.write(int(value), self.overlap)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """As `split`, for a batch of products."""
        return [*self._columns(self.serial, a), 0], self._columns(self.parallel, b)

    def _columns(self, form: Digits, values: Sequence[int]) -> list[Digit]:
        if self.overlap == CANONICAL and not any(isinstance(value, Written) for value in values):
            return split_columns(values, form.bits, form.count, self.widest_bits)
        columns = zip(*(self._digits(form, value) for value in values), strict=True)
        return [split_columns(column, form.bits + OVERLAP, 1, self.widest_bits)[0] for column in columns]


def sum_digits(modulus: int, scaled: int, r1: int, r2: int, largest_quotient: int) -> int:
    """Digits that hold every S_i, whatever the overlap bits of the operands: a digit of A has up to r1 + 2 bits."""
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
    scaled = -pow(modulus, -1, 1 << r1) % (1 << r1) * modulus
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
    least = max(mb + 3, sum_digits(modulus, scaled, r1, r2, params.largest_quotient))
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
        P = [a[i] * digit for digit in B]
        yield from vector("P", i, P)
        K = redundant.product(P, r2)
        yield from vector("K", i, K)
        W = [factor * digit for digit in M]
        yield from vector("W", i, W)
        T = redundant.accumulate(W, S, r2)
        yield from vector("T", i, T)
        c = redundant.dropped(T, r2) * params.unit
        yield "c", (i,), c
        if params.fused:
            S = redundant.shift_add(T, c, K, r1, r2)
        else:
            U = redundant.shift(T, c, r1, r2)
            yield from vector("U", i, U)
            S = redundant.add(U, [*K, *[0] * len(U)][: len(U)], r2)
        yield from vector("S", i + 1, S)


def vector(name: str, i: int, values: list[Digit]) -> Iterator[Step]:
    """A digit vector: one step a digit, low digit first."""
    return ((name, (i, j), value) for j, value in enumerate(values))


def fed_back(params: Redundant, steps: Sequence[Step]) -> tuple[Written, Written]:
    """The result as A and as B: its digits sliced again without a carry, and the digits as they stand."""
    S = [int(value) for name, index, value in steps if name == "S" and index[0] == params.passes + 1]
    A = reslice(S, params.r2, OVERLAP, params.r1, params.passes)
    return params.serial.read("result", A), params.parallel.read("result", S[: params.d])


VOCABULARY = (
    Symbol("S", "i, j", "digit j of the accumulator after i iterations", "<= 2^(r2+1) + 4"),
    Symbol("q'", "i", "q*M' mod 2^r1, of the tail step", "< 2^r1"),
    Symbol("a", "i", "digit i of A, overlap bits included; a_(ma+2) = 0", "< 2^(r1+2)"),
    Symbol("q", "i", "quotient digit: S mod 2^r1", "< 2^r1"),
    Symbol("P", "i, j", "a_i*B_j", "< 2^(r1+r2+4)"),
    Symbol("K", "i, j", "digit j of a_i*B", "< 2^(r2+2)"),
    Symbol("W", "i, j", "q_i times digit j of M~; q' times digit j of M in the tail step", "< 2^(r1+r2)"),
    Symbol("T", "i, j", "digit j of S + q_i*M~", "< 2^(r2+2), T_0 is 0 or 2^r2"),
    Symbol("c", "i", "carry of the r1 bits that the shift drops", "one bit"),
    Symbol("U", "i, j", "digit j of T / 2^r1; not in the fused form", "< 2^(r2+2)"),
)

_NUMBERS, _CIRCUIT, _MENDED = "redundant, section III.A", "redundant, section IV", "redundant, section IV corrected"


def _tail_step(run: Run, i: int) -> bool:
    p: Redundant = run.params
    return bool(p.tail and i == p.passes)


def _value(run: Run, name: str, i: int, count: int) -> int:
    """What the first `count` digits of a vector stand for."""
    return int(value_of([run.at(name, i, j) for j in range(count)], run.params.r2))


def _limit_of_T(run: Run, index: Index) -> int:
    """Three slices of W and the two parts of S."""
    p: Redundant = run.params
    if index[1] == 0:
        return 1 << p.r2
    ones = (1 << p.r2) - 1
    return 3 * ones + (p.largest_quotient * ones >> 2 * p.r2) + (_limit_of_S(run, (1,)) >> p.r2)


def _limit_of_U(run: Run, index: Index) -> int:
    p: Redundant = run.params
    s = p.r1 - p.r2
    return (_limit_of_T(run, (0, 1)) >> s) + (((1 << s) - 1) << (p.r2 - s)) + int(index[1] == 0)


def _limit_of_S(run: Run, index: Index) -> int:
    p: Redundant = run.params
    if p.fused:
        return (2 << p.r2) + (3 << (2 * p.r2 - p.r1)) + 2
    return (2 << p.r2) - 2 if index[-1] == 0 else (2 << p.r2) + 4


def _K_holds(run: Run, index: Index, value: int) -> bool:
    """And what S has no place for is 0."""
    p: Redundant = run.params
    i, j = index
    fits = j < p.ds or value == 0
    return fits and (j <= p.d or _value(run, "K", i, p.d + 2) == run.at("a", i) * run.b)


def _T_holds(run: Run, index: Index, _: int) -> bool:
    p: Redundant = run.params
    i, j = index
    if j < p.ds:
        return True
    added = run.at("q'", i) * p.modulus if _tail_step(run, i) else run.at("q", i) * p.added
    total = _value(run, "T", i, p.ds + 1)
    return total == _value(run, "S", i, p.ds) + added and total % p.radix == 0


def _c_holds(run: Run, index: Index, value: int) -> bool:
    p: Redundant = run.params
    i = index[0]
    s = p.r1 - p.r2
    ends = run.at("T", i, 0) == value << p.r2 and low(run.at("T", i, 1), s) == ((1 << s) - 1) * value
    return ends and value == int(low(run.at("q", i), p.r2) != 0)


def _U_holds(run: Run, index: Index, _: int) -> bool:
    p: Redundant = run.params
    i, j = index
    return j < p.ds - 1 or _value(run, "U", i, p.ds) << p.r1 == _value(run, "T", i, p.ds + 1)


def _S_holds(run: Run, index: Index, value: int) -> bool:
    p: Redundant = run.params
    i, j = index
    if j < p.ds - 1:
        return True
    S = _value(run, "S", i, p.ds)
    shifted = i == 0 or S << p.r1 == _value(run, "T", i - 1, p.ds + 1) + (run.at("a", i - 1) * run.b << p.r1)
    return high(value, p.r2) == 0 and shifted and (not p.closed or redundant.state(run, i) == S)


CLAIMS: tuple[Claim, ...] = (
    at_most("a", "a_i < 2^(r1+2)", _CIRCUIT, lambda run, _: run.params.serial.largest),
    at_most("q", "q < 2^r1, and at most 2^r1 - 1 + 3*2^r2 where it keeps its carry", _MENDED,
            lambda run, _: run.params.largest_quotient),
    Claim("q is a digit of S", "q = S mod 2^r1", _MENDED, "q",
          lambda run, index, value: (value - _value(run, "S", index[0], run.params.ds)) % run.params.radix == 0),
    at_most("P", "P_j <= (2^(r1+2) - 1)*(2^(r2+2) - 1)", _CIRCUIT,
            lambda run, _: run.params.serial.largest * run.params.parallel.largest),
    Claim("value of P", "P_j = a_i*B_j, and the digits B_j add up to B", _CIRCUIT, "P",
          lambda run, index, _: index[1] < run.params.mb + 1
          or _value(run, "P", index[0], run.params.d) == run.at("a", index[0]) * run.b),
    at_most("K", "K_j <= 2*(2^r2 - 1) + 2^(r1+4-r2) - 1, and K_0 < 2^r2", _CIRCUIT,
            lambda run, index: redundant.product_limit(run.params.r1, run.params.r2)
            if index[1] else (1 << run.params.r2) - 1),
    Claim("value of K", "K = a_i*B, and the digits that S has no place for are 0", _MENDED, "K", _K_holds),
    at_most("W", "W_j <= (2^r1 - 1)*(2^r2 - 1)", _CIRCUIT,
            lambda run, _: run.params.largest_quotient * ((1 << run.params.r2) - 1)),
    at_most("T", "T_j <= 3*(2^r2 - 1) + 2^(r1-r2) - 1 + 2", _CIRCUIT, _limit_of_T),
    at_most("T", "T_j < 2^(r2+2)", _CIRCUIT, lambda run, _: run.params.accumulator.largest),
    Claim("value of T", "T = S + q*M~ is a multiple of 2^r1; S + q'*M in the tail step", _MENDED, "T", _T_holds),
    Claim("the carry of the dropped bits", "c = 1 exactly if q mod 2^r2 is not 0: T_0 is 0 or 2^r2, and T_1 ends in "
          "zeros or ones", _MENDED, "c", _c_holds),
    at_most("U", "U_j < 2^(r2+2)", _MENDED, lambda run, _: run.params.accumulator.largest),
    at_most("U", "U_j <= (T_max >> s) + (2^s - 1)*2^(r2-s), and one more in U_0", _MENDED, _limit_of_U),
    Claim("value of U", "U = T / 2^r1", _MENDED, "U", _U_holds),
    at_most("S", "S_0 <= 2^(r2+1) - 2 and S_j <= 2^(r2+1) + 4; 2^(r2+1) + 3*2^(2*r2-r1) + 2 in the fused form",
            _NUMBERS, _limit_of_S),
    Claim("value of S", "S = T / 2^r1 + a_i*B, the highest digit has no overlap bits, and S after i iterations is "
          "(A_(i-1)*B + Q_(i-1)*M~) / 2^(r1(i-1)) + a_(i-1)*B", _MENDED, "S", _S_holds),
    Claim("the result is an operand", "S fits the digits of B", _MENDED, None,
          lambda run, _, value: value > run.params.limits[1]
          or not any(run.at("S", run.params.passes + 1, j) for j in range(run.params.d, run.params.ds))),
    *SHARED_CLAIMS,
)  # fmt: skip


def step_count(params: Redundant) -> int:
    """Steps of a product; the tail step has one more, the fused form `ds` less in each iteration."""
    iteration = 3 + params.d + (params.d + 2) + params.d + (params.ds + 1) + (2 - params.fused) * params.ds
    return params.ds + (params.passes + 1) * iteration + params.tail


def corners(params: Redundant) -> Iterator[Corner]:
    """Those of Algorithm 1, and those of the digits of B."""
    yield from redundant.corners(params)
    r2, top = params.r2, params.limits[1]
    if 1 << r2 <= top:
        yield Corner(1, 1 << r2, "b = 2^r2: a quotient digit that is not 0, and no carry of the dropped bits")
    full = [params.parallel.largest] * ((top.bit_length() - 1 - r2 - OVERLAP) // r2 + 1)
    yield Corner(top, int(value_of(full, r2)), "b from digits of ones, overlap bits among them")


MODEL = Model(
    id="redundant",
    title="Montgomery multiplication on redundant digits of two radices",
    source=redundant.paper("section IV"),
    parameters=PARAMETERS,
    operands=redundant.OPERANDS,
    vocabulary=VOCABULARY,
    forms=FORMS,
    resolve=resolve,
    closed_form=redundant.closed_product,
    closed_forms=redundant.closed_products,
    steps=steps,
    result_parts=lambda params: [("S", (params.passes + 1, j), params.r2 * j) for j in range(params.ds)],
    step_count=step_count,
    claims=CLAIMS,
    corners=corners,
    mended={PRINTED: ("redundant.E9", "redundant.E11")},
    fed_back=fed_back,
)
