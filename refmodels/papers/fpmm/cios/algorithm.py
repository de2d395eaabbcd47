# SPDX-License-Identifier: Apache-2.0
"""CIOS without final subtraction: Algorithm 1 of the FPMM paper.

Three rows per word of A: task 1 adds a_i*B to the partial result T, task 2 finds the quotient digit q, task 3 adds
q*P and drops one word. With 4P < 2^m every T in [0, 2P) may be fed back as an operand.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from limbtrace.refmodels.batch_digits import Digit, join
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, Step, check_modulus
from limbtrace.refmodels.montgomery import DigitSerial, partial_product
from limbtrace.refmodels.papers.fpmm import design as fpmm
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

WORD_PARAMETERS = (
    Parameter("radix", "weight W = 2^w of a word; w is its logarithm", "2^34", "2^2 to 2^4096", ("w",)),
    Parameter("s", "words of an element, m = s*w bits", "ceil((N+2)/w)", "4P < 2^(s*w)"),
)
PARAMETERS = (*WORD_PARAMETERS, Parameter("form", "the algorithm is right as printed", CORRECTED, CORRECTED))


@dataclass(frozen=True)
class Cios(DigitSerial):
    """P odd, P >= 3, 4P < 2^(s*w); A, B in [0, 2P)."""

    @property
    def named(self) -> dict[str, int]:
        return {"s": self.digits}

    @cached_property
    def constants(self) -> dict[str, int]:
        return {**self.symmetric_constants("P", "P'"), "P''": self.negative_inverse}

    @property
    def limits(self) -> tuple[int, int]:
        return 2 * self.modulus - 1, 2 * self.modulus - 1

    @property
    def result_limit(self) -> int:
        return 2 * self.modulus

    @cached_property
    def widest_bits(self) -> int:
        return 2 * self.radix_bits


def words(settings: Settings, modulus: int) -> tuple[int, int]:
    """w and s for a modulus. Raises ParameterError if s words do not hold 4P."""
    w = settings.radix_bits(34, 2, 4096)
    bits = modulus.bit_length()
    s_min = fpmm.words(bits, w)
    s = settings.integer("s", s_min, 1, 2 * MAX_WIDTH // w + 1)
    if s < s_min:
        other = (
            f"; iddmm2 with radix 2^{w} and n = {s} computes with R = 2^{w * s} and returns less than p + ab/R"
            if w * s >= bits
            else ""
        )
        raise ParameterError(
            "s",
            f"{s} words of {w} bits do not hold 4P, which {settings.owner} needs to go without a final subtraction; "
            f"this modulus of {bits} bits needs s >= {s_min}{other}",
        )
    return w, s


def resolve(modulus: int, given: Given) -> Cios:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("cios", PARAMETERS, given)
    w, s = words(settings, modulus)
    return Cios(modulus, w, s, s, settings.choice("form", (CORRECTED,), CORRECTED))


def steps(params: Cios, a: list[Digit], b: list[Digit]) -> Iterator[Step]:
    """Algorithm 1. `a` and `b` are s words each, least significant first."""
    w, s, P_ = params.radix_bits, params.digits, params.digit_inverse
    p = params.modulus_digits
    low = params.radix - 1
    t: list[Digit] = [0] * s
    u: list[Digit] = [0] * s
    for i in range(s):
        d: Digit = 0
        for j in range(s):  # task 1
            yield "v", (i, j), (v := t[j] + a[i] * b[j])
            v = v + d
            u[j] = v & low
            yield "u", (i, j), u[j]
            yield "d", (i, j), (d := v >> w)
        yield "us", (i,), (us := d)
        yield "q", (i,), (q := (u[0] * P_) & low)  # task 2
        c: Digit = 0
        for j in range(s):  # task 3
            y = u[j] + q * p[j] + c
            t[j - 1] = y & low
            yield "t", (i, j - 1), t[j - 1]
            yield "c", (i, j), (c := y >> w)
        y = us + c
        t[s - 1] = y & low
        yield "ts", (i,), t[s - 1]
        yield "ovf", (i,), y >> w
        yield "T", (i,), join(t, w)


SOURCE = "FPMM, Algorithm 1"


def partial(p: Cios, a: int, b: int, i: int) -> int:
    """T after pass i, by the closed form for the digits scanned so far; 0 before the first pass."""
    exponent = p.radix_bits * (i + 1)
    return partial_product(a % (1 << exponent), b, p.modulus, exponent) if i >= 0 else 0


def row_one(p: Cios, a: int, b: int, i: int) -> int:
    """T + a_i*B of pass i."""
    return partial(p, a, b, i - 1) + (a >> (p.radix_bits * i)) % p.radix * b


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many words as 4P needs for a modulus of that many bits, or one more."""
    w = radix_bits(choice, bits + 2, 2, max_digits)
    return {"w": w, "s": digits_for(choice, bits + 2, w)}
