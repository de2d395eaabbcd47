# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication with a scaled modulus, on integers: Algorithm 1 of the redundant paper.

M~ = M'*M is -1 modulo the radix, so the lowest digit of S is the quotient digit itself. Since a_i*B is added after the
division, the quotient digit does not wait for it. One more iteration than divisions is needed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from limbtrace.refmodels.batch_digits import Digit, split, split_columns
from limbtrace.refmodels.model import CORRECTED, Claim, Index, Model, Run, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import below_radix
from limbtrace.refmodels.papers.redundant import family as redundant
from limbtrace.refmodels.papers.redundant import pseudocode
from limbtrace.refmodels.papers.redundant.family import Scaled
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits
from limbtrace.refmodels.serial_events import around_modulus, range_event, total_value, word_events
from limbtrace.refmodels.settings import Given, Parameter, Settings

PARAMETERS = (
    Parameter("radix", "weight 2^r of a digit; r is its logarithm", "2^22", "2^1 to 2^4096", ("r", "w")),
    Parameter("m", "digits of M; there are m + 3 iterations", "ceil(N/r)", "4M~ <= R = 2^(r*(m+2))"),
    redundant.TAIL,
    Parameter("form", "the algorithm is right as printed, with M~ where it means M~", CORRECTED, CORRECTED),
)


@dataclass(frozen=True)
class Orup(Scaled):
    """Parameters of Algorithm 1 on integers: A is scanned digit by digit, B and S are whole."""

    @property
    def named(self) -> dict[str, int]:
        return {"m": self.digits, "tail": self.tail}

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"m": (self.digits, self.radix_bits)}

    @cached_property
    def widest_bits(self) -> int:
        return self.added.bit_length() + self.radix_bits + 3

    def split(self, a: int, b: int) -> tuple[list[int], int]:
        """a_0 .. a_(m+2), of r bits each, and B."""
        return split(int(a), self.radix_bits, self.passes + 1), int(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """The m + 3 columns of digits of A, and the column B, for a batch of products."""
        (B,) = split_columns(b, self.added.bit_length() + 1, 1, self.widest_bits)
        return split_columns(a, self.radix_bits, self.passes + 1, self.widest_bits), B


def resolve(modulus: int, given: Given) -> Orup:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("orup", PARAMETERS, given)
    r = settings.radix_bits(22, 1, 4096)
    m = redundant.serial_digits(settings, "m", modulus, r)
    form = settings.choice("form", (CORRECTED,), CORRECTED)
    return Orup(modulus, r, m, m + 2, form, tail=redundant.flag(settings, "tail"))


def steps(params: Orup, a: list[Digit], B: Digit) -> Iterator[Step]:
    """Algorithm 1. a holds the m + 3 digits of A, least significant first, B is an integer."""
    r, M_, scaled, last = params.radix_bits, params.digit_inverse, params.added, params.passes
    low = params.radix - 1
    yield "m", (), params.digits
    yield "M'", (), M_
    yield "M~", (), scaled
    yield "log2R", (), params.r_bits
    S: Digit = 0
    for i in range(last + 1):
        q = S & low
        factor, multiple = q, scaled
        if params.tail and i == last:
            factor, multiple = q * M_ & low, params.modulus
            yield "q'", (i,), factor
        yield "a", (i,), a[i]
        yield "q", (i,), q
        yield "aB", (i,), (aB := a[i] * B)
        yield "SqM", (i,), (SqM := S + factor * multiple)
        yield "H", (i,), (H := SqM >> r)
        yield "S", (i + 1,), (S := H + aB)


_ALGORITHM = "redundant, Algorithm 1 corrected"


def _h_limit(run: Run[Orup], _: Index) -> int:
    return run.params.added + run.b - 1


def _s_limit(run: Run[Orup], index: Index) -> int:
    p = run.params
    return p.added + p.radix * run.b - 1 if index[0] <= p.passes else p.limits[0]


def _sum_holds(run: Run[Orup], index: Index, value: int) -> bool:
    i = index[0]
    return value % run.params.radix == 0 and value == redundant.state(run, i) + redundant.added_multiple(run, i)


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many digits as a modulus of that width needs, or one more, with and without the tail step."""
    r = radix_bits(choice, bits, 1, max_digits)
    return {"r": r, "m": digits_for(choice, bits, r), "tail": choice.integer(0, 1)}


_ACCUMULATOR = redundant.result_accumulator(_ALGORITHM)


def _iterations(params: Orup) -> Iterator[Index]:
    """Those that divide, but for a tail step."""
    return ((i,) for i in range(1, params.passes + 1 - params.tail))


def _digits(params: Orup) -> Iterator[Index]:
    count = -(-params.added.bit_length() // params.radix_bits)
    return ((i, j) for (i,) in _iterations(params) for j in range(count))


EVENTS = (
    *redundant.quotient_and_operand_events(_ALGORITHM),
    *word_events(
        "H.digit",
        _ACCUMULATOR,
        places=_digits,
        read=lambda seen, index: (seen.at("H", index[0]) >> seen.params.radix_bits * index[1]) & seen.params.radix - 1,
    ),
    range_event(
        "H",
        ">M~",
        statement="H is above M~",
        hunts="a top of the accumulator that is cut",
        accumulator=_ACCUMULATOR,
        places=_iterations,
        bounds=lambda params: (params.added + 1, 4 * params.added),
        value=lambda seen, index: seen.at("H", *index),
    ),
    *around_modulus(
        "result", _ACCUMULATOR, places=redundant.without_tail(lambda params: ((),)), value=total_value, modulus="M~"
    ),
)

MODEL: Model[Orup] = Model(
    id="orup",
    title="Montgomery multiplication with a scaled modulus, digit by digit of A",
    source=redundant.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands=redundant.OPERANDS,
    reference=_ALGORITHM,
    vocabulary=(
        Symbol("m", "", "digits of M", "ceil(N/r), unless another number is asked for",
               lambda run, _: run.params.digits, least=lambda run, _: run.params.digits),
        Symbol("M'", "", "-M^-1 mod 2^r", "< 2^r", below_radix),
        Symbol("M~", "", "M'*M, the multiple of M that is -1 mod 2^r", "<= (2^r - 1)*M",
               lambda run, _: (run.params.radix - 1) * run.params.modulus),
        Symbol("log2R", "", "logarithm of R", "r*(m+2)",
               lambda run, _: run.params.r_bits, least=lambda run, _: run.params.r_bits),
        redundant.tail_symbol("2^r"),
        Symbol("a", "i", "digit i of A", "< 2^r, and a_(m+2) = 0",
               lambda run, index: run.params.radix - 1 if index[0] < run.params.passes else 0),
        Symbol("q", "i", "quotient digit, the lowest digit of S", "< 2^r", below_radix),
        Symbol("aB", "i", "a_i*B", "<= (2^r - 1)*B", lambda run, _: (run.params.radix - 1) * run.b),
        Symbol("SqM", "i", "S_i + q_i*M~, a multiple of 2^r; S_i + q'*M in the tail step", "< 2^r*(M~ + B)",
               lambda run, index: run.params.radix * _h_limit(run, index)),
        Symbol("H", "i", "SqM / 2^r", "< M~ + B", _h_limit),
        Symbol("S", "i+1", "accumulator after iteration i: H + a_i*B", "< M~ + 2^r*B, the last < 2M~", _s_limit),
    ),
    forms=(CORRECTED,),
    resolve=resolve,
    shape=_shape,
    closed_form=redundant.closed_product,
    closed_forms=redundant.closed_products,
    steps=steps,
    pseudocode=pseudocode.orup,
    result_parts=lambda params: [("S", (params.passes + 1,), 0)],
    step_count=lambda params: 4 + 6 * (params.passes + 1) + params.tail,
    further_claims=(
        Claim("value of aB", "aB = a_i*B", _ALGORITHM, "aB",
              lambda run, index, value: value == run.at("a", *index) * run.b),
        Claim("value of SqM", "S + q*M~ is a multiple of 2^r; S + q'*M in the tail step", _ALGORITHM, "SqM",
              _sum_holds),
        Claim("value of H", "H = SqM / 2^r", _ALGORITHM, "H",
              lambda run, index, value: value << run.params.radix_bits == run.at("SqM", *index)),
        Claim("state", "S after i iterations is (A_(i-1)*B + Q_(i-1)*M~) / 2^(r(i-1)) + a_(i-1)*B", _ALGORITHM, "S",
              lambda run, index, value: value == redundant.state(run, index[0])),
        *redundant.SHARED_CLAIMS,
    ),
    corners=redundant.corners,
    events=EVENTS,
)  # fmt: skip
