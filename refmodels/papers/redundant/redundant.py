# SPDX-License-Identifier: Apache-2.0
"""The multiplier of the redundant paper: Algorithm 1 on redundant digits of two radices.

A and the quotient digits have radix 2^r1, B, M~ and the accumulator S radix 2^r2: a digit of the first kind times one
of the second takes one DSP block. Each digit has two overlap bits, so no carry runs through all digits in an iteration.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split_columns
from limbtrace.refmodels.constrained_random import Draw
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event, Pair
from limbtrace.refmodels.model import (
    CORRECTED,
    PRINTED,
    Claim,
    Corner,
    Index,
    Model,
    Run,
    Step,
    Symbol,
    at_most,
    check_modulus,
    one_bit,
)
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant.family import OVERLAP, Scaled
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits
from limbtrace.refmodels.representations import CANONICAL, Digits, Written, low, reslice, value_of
from limbtrace.refmodels.serial_events import ATTEMPTS, around_modulus, drawn, quotient_digit, step_event, total_value
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


_NUMBERS, _CIRCUIT, _MENDED = "redundant, section III.A", "redundant, section IV", "redundant, section IV corrected"


def _value(run: Run[Redundant], name: str, i: int, count: int) -> int:
    """The value of the first `count` digits of a vector."""
    return int(value_of([run.at(name, i, j) for j in range(count)], run.params.r2))


def _p_limit(run: Run[Redundant], _: Index) -> int:
    return run.params.serial.largest * run.params.parallel.largest


def _k_limit(run: Run[Redundant], index: Index) -> int:
    p = run.params
    return redundant.product_limit(p.r1, p.r2) if index[1] else (1 << p.r2) - 1


def _w_limit(run: Run[Redundant], _: Index) -> int:
    p = run.params
    return p.largest_quotient * ((1 << p.r2) - 1)


def _t_limit(run: Run[Redundant], index: Index) -> int:
    """Three slices of W and the two parts of digits of S; in T_0, the low parts of W_0 and S_0: 0 or 2^r2."""
    p = run.params
    if index[1] == 0:
        return 1 << p.r2
    ones = (1 << p.r2) - 1
    return 3 * ones + (p.largest_quotient * ones >> 2 * p.r2) + (_inner_digit(p) >> p.r2)


def _u_limit(run: Run[Redundant], index: Index) -> int:
    s = run.params.r1 - run.params.r2
    return (_t_limit(run, (0, 1)) >> s) + (((1 << s) - 1) << (run.params.r2 - s)) + int(index[1] == 0)


def _s_limit(run: Run[Redundant], index: Index) -> int:
    p = run.params
    if index[1] == p.ds - 1:
        return (1 << p.r2) - 1
    return (2 << p.r2) - 2 if index[1] == 0 and not p.fused else _inner_digit(p)


def _inner_digit(p: Redundant) -> int:
    """Limit of a digit of S that is neither the lowest nor the highest."""
    return (2 << p.r2) + ((3 << (2 * p.r2 - p.r1)) + 2 if p.fused else 4)


def _valid_digit(run: Run[Redundant], _: Index) -> int:
    """Limit of a digit with its overlap bits."""
    return run.params.accumulator.largest


def _p_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    i, j = index
    return j < run.params.d - 1 or _value(run, "P", i, run.params.d) == run.at("a", i) * run.b


def _k_holds(run: Run[Redundant], index: Index, value: int) -> bool:
    p = run.params
    i, j = index
    fits = j < p.ds or value == 0
    return fits and (j <= p.d or _value(run, "K", i, p.d + 2) == run.at("a", i) * run.b)


def _t_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j < p.ds:
        return True
    total = _value(run, "T", i, p.ds + 1)
    return total % p.radix == 0 and total == _value(run, "S", i, p.ds) + redundant.added_multiple(run, i)


def _c_holds(run: Run[Redundant], index: Index, value: int) -> bool:
    p = run.params
    (i,) = index
    s = p.r1 - p.r2
    ends = run.at("T", i, 0) == value << p.r2 and low(run.at("T", i, 1), s) == ((1 << s) - 1) * value
    return ends and value == (low(run.at("q", i), p.r2) != 0)


def _u_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    return j < p.ds - 1 or _value(run, "U", i, p.ds) << p.r1 == _value(run, "T", i, p.ds + 1)


def _s_holds(run: Run[Redundant], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j < p.ds - 1:
        return True
    S = _value(run, "S", i, p.ds)
    shifted = i == 0 or S << p.r1 == _value(run, "T", i - 1, p.ds + 1) + (run.at("a", i - 1) * run.b << p.r1)
    return shifted and (not p.closed or redundant.state(run, i) == S)


def _operand_holds(run: Run[Redundant], _: Index, value: int) -> bool:
    p = run.params
    return value > p.limits[1] or not any(run.at("S", p.passes + 1, j) for j in range(p.d, p.ds))


def step_count(params: Redundant) -> int:
    """Number of steps of a product: the tail step adds one, the fused form saves `ds` in every iteration."""
    iteration = 3 + params.d + (params.d + 2) + params.d + (params.ds + 1) + (2 - params.fused) * params.ds
    return params.ds + (params.passes + 1) * iteration + params.tail


def corners(params: Redundant) -> Iterator[Corner]:
    """The corners of Algorithm 1, and operands b with extreme digits of r2 bits."""
    yield from redundant.corners(params)
    r2, top = params.r2, params.limits[1]
    if 1 << r2 <= top:
        yield Corner(1, 1 << r2, "b = 2^r2: a quotient digit that is not 0, and no carry of the dropped bits")
    full = [params.parallel.largest] * ((top.bit_length() - 1 - r2 - OVERLAP) // r2 + 1)
    yield Corner(top, int(value_of(full, r2)), "b from digits of ones, overlap bits among them")


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
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


_ACCUMULATOR = redundant.result_accumulator(_MENDED)


def _digits_of(first: int, count: Callable[[Redundant], int]) -> Callable[[Redundant], Iterator[Index]]:
    """The digits of a vector, in every iteration from `first` on."""
    return lambda params: ((i, j) for i in range(first, params.passes + 1) for j in range(count(params)))


def _overlap_event(step: str, value: int, places: Callable[[Redundant], Iterator[Index]]) -> Event[Redundant]:
    def reachable(params: Redundant, index: Index) -> str | None:
        most = min(_LIMITS[step](Run(params, 0, 0, (), 0), index), _largest(params, step) >> params.r2 * index[1])
        return f"the digit is at most {most:#x}" if most < value << params.r2 else None

    return step_event(
        step, f".overlap={value}", f"the overlap bits of a digit of {step} are {value}",
        "an overlap bit that is dropped, or added at the wrong weight", _CIRCUIT, places,
        lambda seen, params, index: seen >> params.r2 == value, drawn, reachable,
    )  # fmt: skip


_LIMITS = {"S": _s_limit, "K": _k_limit, "T": _t_limit}


def _largest(params: Redundant, step: str) -> int:
    """A bound of what all digits of a vector are worth."""
    a_i = params.serial.largest if params.filling else params.radix - 1
    product = a_i * params.limits[1]
    S = params.added + params.largest_quotient * params.added // params.radix + params.limits[1] + product
    return {"K": product, "S": S, "T": S + params.largest_quotient * params.added}[step]


def _top_event(condition: str, statement: str, down: int) -> Event[Redundant]:
    """A digit of S, so many below ds, is not 0."""

    def reachable(params: Redundant, index: Index) -> str | None:
        most = _largest(params, "S")
        return f"S is at most {most:#x}" if most >> params.r2 * index[1] == 0 else None

    return step_event(
        "S", condition, statement, "a top digit that is cut", _MENDED,
        lambda params: ((i, params.ds - down) for i in range(1, params.passes + 2)),
        lambda seen, params, index: seen > 0, drawn, reachable,
    )  # fmt: skip


def _carry_event(value: int) -> Event[Redundant]:
    """c, which is 1 unless the low bits of q are 0."""

    def construct(params: Redundant, index: Index, draw: Draw) -> Iterator[Pair]:
        i = index[0] - 1
        for _ in range(ATTEMPTS if i >= 0 else 0):
            high = draw.below(1 << params.r1 - params.r2) << params.r2
            yield from quotient_digit(params, i, high if value == 0 else high + 1, draw)

    def reachable(params: Redundant, index: Index) -> str | None:
        return "q is 0 in the first iteration" if value and index[0] == 0 else None

    return step_event(
        "c", f"={value}", f"the carry of the dropped bits is {value}", "the carry c, which the printed form drops",
        _MENDED, lambda params: ((i,) for i in range(params.passes + 1)), lambda seen, params, index: seen == value,
        construct, reachable, lambda params, index, a, b: int(
            low(a * b * params.negative_inverse << params.r1 >> params.r1 * index[0], params.r2) != 0),
    )  # fmt: skip


EVENTS = (
    *redundant.quotient_and_operand_events(_CIRCUIT),
    *(_overlap_event("S", value, _digits_of(1, lambda params: params.ds)) for value in (0, 1, 2)),
    *(_overlap_event("K", value, _digits_of(0, lambda params: params.d + 2)) for value in (0, 1)),
    *(_overlap_event("T", value, _digits_of(1, lambda params: params.ds + 1)) for value in (0, 1, 2, 3)),
    _carry_event(0),
    _carry_event(1),
    _top_event("_top>0", "the highest digit of S is not 0", 1),
    _top_event("_second>0", "the digit of S below the highest is not 0", 2),
    *around_modulus(
        "result", _ACCUMULATOR, redundant.without_tail(lambda params: ((),) if params.closed else ()), total_value, "M~"
    ),
)  # fmt: skip

MODEL: Model[Redundant] = Model(
    id="redundant",
    title="Montgomery multiplication on redundant digits of two radices",
    source=redundant.paper("section IV"),
    parameters=PARAMETERS,
    operands=redundant.OPERANDS,
    reference=_CIRCUIT,
    vocabulary=(
        Symbol("S", "i, j", "digit j of the accumulator after i iterations",
               "<= 2^(r2+1) + 4, in the fused form 2^(r2+1) + 3*2^(2*r2-r1) + 2; S_0 <= 2^(r2+1) - 2 if not fused, and "
               "the highest digit < 2^r2", _s_limit, where=_NUMBERS),
        redundant.tail_symbol("2^r1"),
        Symbol("a", "i", "digit i of A, overlap bits included", "< 2^(r1+2), and a_(ma+2) = 0",
               lambda run, index: run.params.serial.largest if index[0] < run.params.passes else 0),
        Symbol("q", "i", "quotient digit: S mod 2^r1",
               "< 2^r1; where it keeps its carry, at most 2^r1 - 1 + 3*2^r2, or 2^(r1+1) - 2 for r1 = r2",
               lambda run, _: run.params.largest_quotient, where=_MENDED),
        Symbol("P", "i, j", "a_i*B_j", "<= (2^(r1+2) - 1)*(2^(r2+2) - 1)", _p_limit),
        Symbol("K", "i, j", "digit j of a_i*B", "<= 2*(2^r2 - 1) + 2^(r1+4-r2) - 1, and K_0 < 2^r2", _k_limit),
        Symbol("W", "i, j", "q_i times digit j of M~; q' times digit j of M in the tail step",
               "<= (2^r1 - 1)*(2^r2 - 1); where q keeps its carry, the largest q times 2^r2 - 1", _w_limit),
        Symbol("T", "i, j", "digit j of S + q_i*M~",
               "<= 3*(2^r2 - 1) + (q_max*(2^r2 - 1) >> 2*r2) + (S_max >> r2), and T_0 <= 2^r2", _t_limit),
        Symbol("c", "i", "carry of the r1 bits that the shift drops", "one bit", one_bit),
        Symbol("U", "i, j", "digit j of T / 2^r1; not in the fused form",
               "<= (T_max >> s) + (2^s - 1)*2^(r2-s) with s = r1 - r2, and one more in U_0", _u_limit, where=_MENDED),
    ),
    forms=FORMS,
    resolve=resolve,
    shape=_shape,
    closed_form=redundant.closed_product,
    closed_forms=redundant.closed_products,
    steps=steps,
    result_parts=lambda params: [("S", (params.passes + 1, j), params.r2 * j) for j in range(params.ds)],
    step_count=step_count,
    further_claims=(
        Claim("q is a digit of S", "q = S mod 2^r1", _MENDED, "q",
              lambda run, index, value: (value - _value(run, "S", index[0], run.params.ds)) % run.params.radix == 0),
        Claim("value of P", "P_j = a_i*B_j, and the digits B_j add up to B", _CIRCUIT, "P", _p_holds),
        Claim("value of K", "K = a_i*B, and the digits that S has no place for are 0", _MENDED, "K", _k_holds),
        at_most("T", "T_j < 2^(r2+2)", _CIRCUIT, _valid_digit),
        Claim("value of T", "T = S + q*M~ is a multiple of 2^r1; S + q'*M in the tail step", _MENDED, "T", _t_holds),
        Claim("the carry of the dropped bits", "c = 1 exactly if q mod 2^r2 is not 0: T_0 is 0 or 2^r2, and T_1 ends "
              "in zeros or ones", _MENDED, "c", _c_holds),
        at_most("U", "U_j < 2^(r2+2)", _MENDED, _valid_digit),
        Claim("value of U", "U = T / 2^r1", _MENDED, "U", _u_holds),
        Claim("value of S", "S = T / 2^r1 + a_i*B, and S after i iterations is "
              "(A_(i-1)*B + Q_(i-1)*M~) / 2^(r1(i-1)) + a_(i-1)*B", _MENDED, "S", _s_holds),
        Claim("the result is an operand", "S fits the digits of B", _MENDED, None, _operand_holds),
        *redundant.SHARED_CLAIMS,
    ),
    corners=corners,
    events=EVENTS,
    mended={PRINTED: ("redundant.E9", "redundant.E11")},
    fed_back=fed_back,
)  # fmt: skip
