# SPDX-License-Identifier: Apache-2.0
"""Montgomery multiplication with a scaled modulus, on integers: Algorithm 1 of the redundant paper.

M~ = M'*M is -1 modulo the radix, so the lowest digit of S is the quotient digit as it stands. Since a_i*B is added
after the division, the quotient digit does not wait for it, and one iteration more than there are divisions is needed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from refmodels.columns import Digit, split, split_columns
from refmodels.model import CORRECTED, Claim, Index, Model, Run, Step, Symbol, at_most, check_modulus
from refmodels.papers.redundant import family as redundant
from refmodels.papers.redundant.family import SHARED_CLAIMS, Scaled
from refmodels.settings import Given, Parameter, Settings

PARAMETERS = (
    Parameter("radix", "weight 2^r of a digit; r is its logarithm", "2^22", "2^1 to 2^4096", ("r",)),
    Parameter("m", "digits of M; there are m + 3 iterations", "ceil(N/r)", "4M~ <= R = 2^(r*(m+2))"),
    redundant.TAIL,
    Parameter("form", "the algorithm is right as printed, with M~ where it means M~", CORRECTED, CORRECTED),
)


@dataclass(frozen=True)
class Orup(Scaled):
    """The same preconditions; B and S are whole integers."""

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
        """a_0 .. a_(m+2), and B."""
        return split(int(a), self.radix_bits, self.passes + 1), int(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """As `split`, for a batch of products."""
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
        aB = a[i] * B
        yield "aB", (i,), aB
        SqM = S + factor * multiple
        yield "SqM", (i,), SqM
        H = SqM >> r
        yield "H", (i,), H
        S = H + aB
        yield "S", (i + 1,), S


VOCABULARY = (
    Symbol("m", "", "digits of M", "ceil(N/r) by default"),
    Symbol("M'", "", "-M^-1 mod 2^r", "< 2^r"),
    Symbol("M~", "", "M'*M, the multiple of M that is -1 mod 2^r", "< 2^(N+r)"),
    Symbol("log2R", "", "logarithm of R", "r*(m+2)"),
    Symbol("q'", "i", "q*M' mod 2^r, of the tail step", "< 2^r"),
    Symbol("a", "i", "digit i of A; a_(m+2) = 0", "< 2^r"),
    Symbol("q", "i", "quotient digit, the lowest digit of S", "< 2^r"),
    Symbol("aB", "i", "a_i*B", "< 2^r*B"),
    Symbol("SqM", "i", "S_i + q_i*M~; + q'*M in the tail step", "a multiple of 2^r"),
    Symbol("H", "i", "the same, divided by 2^r", "< M~ + B"),
    Symbol("S", "i+1", "accumulator after iteration i: H + a_i*B", "< M~ + 2^r*B, the last < 2M~"),
)

_ALGORITHM = "redundant, Algorithm 1 corrected"


def _digit(run: Run, _: Index) -> int:
    p: Orup = run.params
    return p.radix - 1


def _sum_holds(run: Run, index: Index, value: int) -> bool:
    p: Orup = run.params
    i = index[0]
    before = redundant.state(run, i)
    tail = p.tail and i == p.passes
    added = run.at("q'", i) * p.modulus if tail else run.at("q", i) * p.added
    return value % p.radix == 0 and value == before + added


CLAIMS: tuple[Claim, ...] = (
    at_most("a", "a_i < 2^r", _ALGORITHM,
            lambda run, index: max(_digit(run, index), run.a >> run.params.r_bits)),
    at_most("q", "q < 2^r", _ALGORITHM, _digit),
    Claim("value of aB", "aB = a_i*B", _ALGORITHM, "aB",
          lambda run, index, value: value == run.at("a", *index) * run.b),
    Claim("value of SqM", "S + q*M~ is a multiple of 2^r; S + q'*M in the tail step", _ALGORITHM, "SqM", _sum_holds),
    Claim("value of H", "H = SqM / 2^r", _ALGORITHM, "H",
          lambda run, index, value: value << run.params.radix_bits == run.at("SqM", *index)),
    at_most("H", "H < M~ + B", _ALGORITHM, lambda run, _: run.params.added + max(run.b, 1) - 1),
    Claim("state", "S after i iterations is (A_(i-1)*B + Q_(i-1)*M~) / 2^(r(i-1)) + a_(i-1)*B", _ALGORITHM, "S",
          lambda run, index, value: value == redundant.state(run, index[0])),
    at_most("S", "S < M~ + 2^r*B", _ALGORITHM,
            lambda run, _: run.params.added + run.params.radix * run.b - (run.b > 0)),
    *SHARED_CLAIMS,
)  # fmt: skip


def step_count(params: Orup) -> int:
    return 4 + 6 * (params.passes + 1) + params.tail


MODEL = Model(
    id="orup",
    title="Montgomery multiplication with a scaled modulus, digit by digit of A",
    source=redundant.paper("Algorithm 1"),
    parameters=PARAMETERS,
    operands=redundant.OPERANDS,
    vocabulary=VOCABULARY,
    forms=(CORRECTED,),
    resolve=resolve,
    closed_form=redundant.closed_product,
    closed_forms=redundant.closed_products,
    steps=steps,
    result_parts=lambda params: [("S", (params.passes + 1,), 0)],
    step_count=step_count,
    claims=CLAIMS,
    corners=redundant.corners,
)
