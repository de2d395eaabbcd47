# SPDX-License-Identifier: Apache-2.0
"""HFFM, high performance finite field multiplication: Algorithm 1 of the SIDH paper.

p = D*2^a - 1 with D = f*l^b: an operand is two digits (a1, a2) of about half its bits, a1*D + a2. The digits of the
product are folded with D*2^a = 1, and only one division remains, that of c2 by D.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.integer_models import Whole
from limbtrace.refmodels.model import CORRECTED, PRINTED, Step, check_modulus
from limbtrace.refmodels.montgomery import subtract
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh.family import Barrett, Special, special
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.representations import MixedRadix
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

WINDOWS = ("window", "hac", "half", "register")
SPLITS = (6, 8)
PRINTED_CORRECTIONS = 2
"""Number of subtractions of D that the paper's hardware can make: it compares with D and with 2*D."""
MAX_CORRECTIONS = 256
"""Limit of the subtractions of D, for wrong readings of the half Barrett."""

PARAMETERS = (
    Parameter("split", "pieces into which a core cuts a word of N bits", "6", "6 or 8"),
    Parameter(
        "N", "bits of a word",
        "a multiple of split, at least a, n + 1 and the bits of a1+a2; as printed, at least a and n, the bits of f*l^b",
        f"n to {2 * MAX_WIDTH}",
    ),
    Parameter(
        "window",
        "which bits of c2 the half Barrett takes, s being the number of bits dropped: window s = 2n - N and "
        "k = n - 1 + N; hac s = n - 1, k = 2n; half s = n, k = 2n; register s = N, k = n - 1 + N",
        WINDOWS[0], " or ".join(WINDOWS),
    ),
    Parameter(
        "form", "printed: ends after line 9 and subtracts f*l^b twice at most", CORRECTED, "corrected or printed"
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Hffm(Whole):
    """p = f*2^a*l^b - 1 with odd f*l^b of at least 3; A, B in [0, p], p being a second zero."""

    split_into: int = 6
    N: int = 0
    window: str = WINDOWS[0]

    @property
    def named(self) -> dict[str, int | str]:
        return {"split": self.split_into, "N": self.N, "window": self.window}

    @cached_property
    def special(self) -> Special:
        return special(self.modulus, -1, "hffm")

    @cached_property
    def D(self) -> int:
        """f*l^b, the radix."""
        return self.special.D

    @property
    def a(self) -> int:
        return self.special.a

    @cached_property
    def n(self) -> int:
        """Bit length of D."""
        return self.D.bit_length()

    @cached_property
    def digits(self) -> MixedRadix:
        """a2 and a1."""
        return MixedRadix((self.D, 1 << self.a), ("f*l^b", "2^a"))

    @cached_property
    def barrett(self) -> Barrett:
        """The half Barrett of line 8."""
        n, N = self.n, self.N
        dropped, k = {
            "window": (max(0, 2 * n - N), n - 1 + N),
            "hac": (n - 1, 2 * n),
            "half": (n, 2 * n),
            "register": (N, n - 1 + N),
        }[self.window]
        return Barrett(self.D, k, self.D**2 + self.D - 3, dropped)

    @cached_property
    def corrections(self) -> int:
        """The number of times D can be subtracted."""
        return PRINTED_CORRECTIONS if self.form == PRINTED else self.barrett.corrections

    @property
    def constants(self) -> dict[str, int]:
        form, barrett = self.special, self.barrett
        return {
            "f": form.f, "a": form.a, "l": form.l, "b": form.b, "f*l^b": form.D, "n": self.n,
            "s": barrett.dropped, "k": barrett.k, "t": barrett.k - barrett.dropped, "x": barrett.x,
        }  # fmt: skip

    @property
    def limits(self) -> tuple[int, int]:
        return self.modulus, self.modulus

    @property
    def result_limit(self) -> int:
        """As printed, c2 may leave its range because of the carry and of missing subtractions of D."""
        if self.form != PRINTED:
            return self.modulus
        missing = max(self.barrett.corrections - self.corrections, 0)
        return self.modulus + missing * self.D + self.carry_limit + 1

    @cached_property
    def carry_limit(self) -> int:
        """Largest carry of line 9."""
        return (3 * (1 << self.a) - 4 + self.D) >> self.a

    @cached_property
    def widest_bits(self) -> int:
        return 2 * max(self.n, self.a, self.N) + self.n + 4


def word_bits(split: int, a: int, D: int, literal: bool) -> int:
    """N, the smallest multiple of `split` that holds the digits, their sum and the window of the half Barrett.

    As printed, it holds the digits.
    """
    n = D.bit_length()
    least = max(a, n) if literal else max(a, n + 1, ((1 << a) + D - 2).bit_length())
    return -(-least // split) * split


def resolve(modulus: int, given: Given) -> Hffm:
    """Parameters for a modulus. Raises ParameterError."""
    check_modulus(modulus)
    settings = Settings("hffm", PARAMETERS, given)
    form = settings.choice("form", (CORRECTED, PRINTED), CORRECTED)
    split = int(settings.choice("split", tuple(map(str, SPLITS)), str(SPLITS[0])))
    window = settings.choice("window", WINDOWS, WINDOWS[0])
    shape = special(modulus, -1, "hffm")
    n = shape.D.bit_length()
    N = settings.integer(
        "N", word_bits(split, shape.a, shape.D, form == PRINTED), n, 2 * MAX_WIDTH, "n, the bits of f*l^b, at least"
    )
    params = Hffm(modulus, form, split, N, window)
    if params.barrett.corrections > MAX_CORRECTIONS:
        raise ParameterError(
            "window",
            f"with {window} and N = {N}, the quotient may be more than {MAX_CORRECTIONS} too small, which is the limit",
        )
    return params


def steps(params: Hffm, A: list[Digit], B: list[Digit]) -> Iterator[Step]:
    """Algorithm 1 line by line, then the last steps that it lacks. `A` and `B` are (a1, a2) and (b1, b2)."""
    a, D, barrett = params.a, params.D, params.barrett
    low = (1 << a) - 1
    (a1, a2), (b1, b2) = A, B
    for name, digit in zip(("a1", "a2", "b1", "b2"), (*A, *B), strict=True):
        yield name, (), digit
    # line 3
    yield "a1b1", (), (a1b1 := a1 * b1)
    yield "a1+a2", (), (sum_a := a1 + a2)
    yield "b1+b2", (), (sum_b := b1 + b2)
    yield "(a1+a2)(b1+b2)", (), (both := sum_a * sum_b)
    yield "a2b2", (), (a2b2 := a2 * b2)
    yield "a1b2+a2b1", (), (cross := both - a1b1 - a2b2)
    yield "r1", (), (r1 := a1b1 & low)
    yield "q1", (), (q1 := a1b1 >> a)
    yield "r1*f*l^b", (), (r1D := r1 * D)
    yield "m1", (), (m1 := cross >> a)
    yield "m2", (), (m2 := cross & low)
    # lines 4 to 7
    yield "c2@4", (), (c2 := a2b2 + m1)
    yield "u", (), (u := r1D >> a)
    yield "c2@5", (), (c2 := c2 + u)
    yield "c1@6", (), (c1 := q1 + m2)
    yield "v", (), (v := r1D & low)
    yield "c1@7", (), (c1 := c1 + v)
    # line 8
    yield "barrett.hi", (), (high := c2 >> barrett.dropped)
    yield "barrett.prod", (), (estimate := barrett.estimate(high))
    yield "barrett.qhat", (), (qhat := barrett.quotient(estimate))
    yield "barrett.qhat*D", (), (multiple := qhat * D)
    yield "barrett.rhat", (), (rhat := c2 - multiple)
    yield "barrett.corr", (), (corr := barrett.correct(rhat, params.corrections))
    yield "q", (), (q := qhat + corr)
    yield "r", (), (r := rhat - corr * D)
    yield "c2@8", (), (c2 := r)
    yield "c1@8", (), (c1 := c1 + q)
    # line 9
    yield "carry@9", (), (carry := c1 >> a)
    yield "c1@9", (), (c1 := c1 & low)
    yield "c2@9", (), (c2 := c2 + carry)
    yield "C@9", (), c1 * D + c2
    if params.form == PRINTED:
        return
    # the end that Algorithm 1 lacks
    fix, c2 = subtract(c2, D, params.n + 1)
    yield "fix", (), fix
    c1 = c1 + fix
    c1, c2 = c1 & low, c2 + (c1 >> a)
    yield "is_p", (), (is_p := subtract(c1 * D + c2, params.modulus, params.bits + 1)[0])
    yield "c1", (), (c1 := c1 - is_p * c1)
    yield "c2", (), (c2 := c2 - is_p * c2)
    yield "C", (), c1 * D + c2


SOURCE = "SIDH paper, Algorithm 1"
LAST = "SIDH paper, Algorithm 1, completed"


def result_parts(params: Hffm) -> list[tuple[str, tuple[int, ...], int]]:
    """C; in the printed form, which ends there, C after line 9."""
    return [("C@9" if params.form == PRINTED else "C", (), 0)]


def moduli(choice: Choice, max_bits: int) -> int:
    """f*2^a*l^b - 1."""
    form = sidh.special_modulus(choice, -1, max_bits)
    return choice.one_of((form, choice.one_of((11, 59, 107, *sidh.known_moduli(max_bits)))))


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """All splits and windows; the window of the paper is drawn twice as often."""
    return {"split": choice.one_of((6, 8)), "window": choice.one_of(("window", "window", "hac", "half"))}
