# SPDX-License-Identifier: Apache-2.0
"""a*b mod p by sums of words, for generalised Mersenne numbers such as those of P-256 and P-384.

p = 2^(w*n) - (f[0] + f[1]*2^w + ... + f[n-1]*2^(w*(n-1))) with small f, so that each of the n high words of a product
counts in the words below 2^(w*n) as often as a small matrix says, with a sign. FIPS 186-4, appendix D.2, prints the
matrix of each prime of NIST as rows s_1 to s_9 to be added and subtracted, which is the same sum in another order.
A multiple of p is added so that no sum is negative, and multiples 2^k*p are subtracted, the largest first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from limbtrace.refmodels import bounds
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.integer_models import FORM, Whole
from limbtrace.refmodels.model import CORRECTED, Source, Step, check_modulus
from limbtrace.refmodels.montgomery import subtract
from limbtrace.refmodels.param_strategy import Choice
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

SOURCE = Source(
    "J. A. Solinas; NIST",
    "Generalized Mersenne numbers (University of Waterloo, CORR 99-39, 1999); Digital signature standard (FIPS 186-4)",
    "appendix D.2 of the standard",
)
REFERENCE = "FIPS 186-4, D.2"

LEAST_WORD = 2
MOST_FACTOR = 7
"""Times that a high word may count in a word of the sum."""
FACTOR_BITS = 4
"""Bits of such a number in two's complement, in the constant M."""
MOST_WORDS = 64
MOST_MULTIPLE, MOST_BITS = 1 << 10, 12
"""Largest m and K."""

KNOWN = (
    *(2**64 - 2**32 + 1, 2**192 - 2**64 - 1, 2**224 - 2**96 + 1, 2**256 - 2**224 + 2**192 + 2**96 - 1),
    *(2**256 - 2**224 - 2**96 + 2**64 - 1, 2**384 - 2**128 - 2**96 + 2**32 - 1, 2**448 - 2**224 - 1),
)
"""Moduli that hardware reduces in this way."""

PARAMETERS = (
    Parameter("w", "bits of a word", "the widest that does", f"{LEAST_WORD} to N/2, a divisor of N"),
    Parameter(
        "m",
        "multiples of p that are added to the sums",
        "as many as it takes that no total is negative",
        f"the default to {MOST_MULTIPLE}",
    ),
    Parameter("K", "subtractions, of 2^(K-1)*p and so on to p", "as many as it takes", f"the default to {MOST_BITS}"),
    bounds.below("p", "p and N, its bits"),
    FORM,
)

WordMatrix = tuple[tuple[int, ...], ...]
"""[word of the sum][high word]: how often it counts."""


def small_words(modulus: int, w: int) -> list[int] | None:
    """f, if p has whole words of w bits and 2^(w*n) - p has words that are small, with signs; else None."""
    n, rest = divmod(modulus.bit_length(), w)
    if rest or not 2 <= n <= MOST_WORDS:
        return None
    below, f = (1 << w * n) - modulus, list[int]()
    for _ in range(n):
        f.append(((below + (1 << w - 1) - 1) & ((1 << w) - 1)) - (1 << w - 1) + 1)
        below = (below - f[-1]) >> w
    return None if below or max(map(abs, f)) > MOST_FACTOR else f


@lru_cache(maxsize=256)
def matrix(modulus: int, w: int) -> WordMatrix | None:
    """How high words count; None without such an f, or if one counts more than MOST_FACTOR times."""
    if (f := small_words(modulus, w)) is None:
        return None
    row, rows = f, list[list[int]]()
    for _ in f:
        if max(map(abs, row)) > MOST_FACTOR:
            return None
        rows.append(row)
        row = [low + row[-1] * own for low, own in zip([0, *row[:-1]], f, strict=True)]
    return tuple(zip(*rows, strict=True))


def ends_of_sums(matrix: WordMatrix, w: int) -> list[tuple[int, int]]:
    """Least and largest sum of each row, with any high words and a low one."""
    ones = (1 << w) - 1
    return [
        (ones * sum(min(number, 0) for number in row), ones * (1 + sum(max(number, 0) for number in row)))
        for row in matrix
    ]


@dataclass(frozen=True)
class Solinas(Whole):
    """p of n words of w bits with a matrix of small numbers; operands are in [0, bound), and bound is at most 2^N."""

    w: int = 0
    m: int = 0
    K: int = 0
    below: str = "p"
    bound: int = 0

    @property
    def named(self) -> dict[str, int | str]:
        return {"w": self.w, "m": self.m, "K": self.K, "below": self.below}

    @property
    def n(self) -> int:
        """Words of p."""
        return self.bits // self.w

    @property
    def f(self) -> list[int]:
        """The words of 2^(w*n) - p, with signs."""
        found = small_words(self.modulus, self.w)
        assert found is not None
        return found

    @cached_property
    def matrix(self) -> WordMatrix:
        found = matrix(self.modulus, self.w)
        assert found is not None
        return found

    @property
    def constants(self) -> dict[str, int]:
        return {"M": self.packed}

    @cached_property
    def packed(self) -> int:
        """The matrix as a constant of hardware: FACTOR_BITS for each number, row by row, the first one lowest."""
        numbers = [number for row in self.matrix for number in row]
        return sum((number & (1 << FACTOR_BITS) - 1) << FACTOR_BITS * at for at, number in enumerate(numbers))

    @property
    def limits(self) -> tuple[int, int]:
        return self.bound - 1, self.bound - 1

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """Least and largest s[j]."""
        return ends_of_sums(self.matrix, self.w)

    @cached_property
    def largest_sum(self) -> int:
        """Limit of U."""
        return self.m * self.modulus + sum(most << self.w * j for j, (_, most) in enumerate(self.ends))

    @cached_property
    def widest_bits(self) -> int:
        return max(2 * self.bits, self.largest_sum.bit_length(), self.bits + self.K) + 2


def resolve(modulus: int, given: Given) -> Solinas:
    """Parameters for a modulus. Raises ParameterError, also for one that has no such words of w bits."""
    N = check_modulus(modulus, 3, even=True).bit_length()
    settings = Settings("solinas", PARAMETERS, given)
    fitting = [w for w in range(N // 2, LEAST_WORD - 1, -1) if N % w == 0 and matrix(modulus, w)]
    w = settings.integer("w", fitting[0] if fitting else 32, LEAST_WORD, MAX_WIDTH)
    if w not in fitting:
        raise ParameterError(
            "w" if "w" in given else "prime",
            f"p is not 2^{N} without a few words of {w} bits, each of them up to {MOST_FACTOR} times; "
            + (f"w = {', '.join(map(str, fitting))} will do" if fitting else "fold and barrett_mul take other moduli"),
        )
    text, bound = bounds.bound(settings.given.get("below", "p"), modulus, {"N": N})
    if bound > 1 << N:
        raise ParameterError("below", f"{text} is above 2^{N}, and the product has {2 * N // w} words of {w} bits")
    found = matrix(modulus, w)
    assert found is not None
    lowest, highest = (
        sum(end << w * j for j, end in enumerate(ends)) for ends in zip(*ends_of_sums(found, w), strict=True)
    )
    least = -(lowest // modulus)
    m = settings.integer("m", least, least, MOST_MULTIPLE, f"the sums are {least} times p below 0 at most")
    times = m + highest // modulus
    K = settings.integer("K", times.bit_length(), times.bit_length(), MOST_BITS, f"p goes {times} times into U at most")
    return Solinas(modulus, settings.choice("form", (CORRECTED,), CORRECTED), w, m, K, text, bound)


def steps(params: Solinas, a: Digit, b: Digit) -> Iterator[Step]:
    """The product in words, the sums of words, their total, and what is left of it after each subtraction."""
    w, n, p = params.w, params.n, params.modulus
    yield "T", (), (T := a * b)
    c = [T >> w * i & (1 << w) - 1 for i in range(2 * n)]
    yield from (("c", (i,), word) for i, word in enumerate(c))
    U: Digit = params.m * p
    for j, row in enumerate(params.matrix):
        s = c[j]
        for number, word in zip(row, c[n:], strict=True):
            s = s + number * word
        yield "s", (j,), s
        U = U + (s << w * j)
    yield "U", (), U
    R = U
    for k in reversed(range(params.K)):
        d, R = subtract(R, p << k, params.bits + k + 1)
        yield "d", (k,), d
        yield "R", (k,), R


def moduli(choice: Choice, max_bits: int) -> int:
    """Small ones of two and three words, or one that hardware has."""
    w = choice.integer(LEAST_WORD, max(max_bits // 3, LEAST_WORD))
    small = [f for f in ((1, 1), (-1, 1), (1, 1, 0), (-1, 1, 0), (1, 0, 1), (-1, 2))
             if w * len(f) <= max(max_bits, 2 * LEAST_WORD)]  # fmt: skip
    f = choice.one_of(tuple(small))
    made = (1 << w * len(f)) - sum(number << w * i for i, number in enumerate(f))
    known = [p for p in KNOWN if p.bit_length() <= max_bits]
    return choice.one_of((made, made, choice.one_of(tuple(known) or (made,))))


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """The modulus decides; operands of the ranges that hardware has."""
    return {"below": choice.one_of(("p", "p", "2^N"))}
