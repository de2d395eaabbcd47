# SPDX-License-Identifier: Apache-2.0
"""Low-latency Montgomery multiplication, LLMonPro: Algorithm 5 of the LLMonPro paper, and its listing, Algorithm 7.

Three products of redundant digits follow each other: T = A*B, Q = T0*M', S = Q0*M, where X0 are the digits of X below
k and <X0> is their value. The result is the sum of the high halves of T and S and one carry. No carry runs through all
digits, and the algorithm has no final subtraction.

The low halves are redundant, so each may be R or more, and the carry is up to 3. The printed carry is 1 unless T0 is 0;
it is too small by one for each of <T0> and <S0> that is R or more.

The closed form is the exact division (A*B + q0*M)/R with q0 = -A*B/M mod R. The result is this value, plus M if <Q0> is
R or more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from limbtrace.refmodels.batch_digits import Digit, split
from limbtrace.refmodels.digits import redundant_digits
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Index, Step, check_modulus
from limbtrace.refmodels.montgomery import DigitSerial
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro.ozturk import algorithm as ozturk
from limbtrace.refmodels.param_strategy import Choice, radix_bits
from limbtrace.refmodels.representations import Digits, Written
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)
VARIANTS = ("alg5", "alg7")

VARIANT = Parameter(
    "variant", "Algorithm 5, or its listing, which has fixed widths and drops digit k of T1 and S1; corrected, both "
    "are the same digit by digit", "alg5", "alg5 or alg7",
)  # fmt: skip

CHAINED = Parameter(
    "chained", "1: every result is an operand, and documents have the digits of both; kind chained sets it", "0",
    "0 to 1; 1 takes the corrected form and 4M(1 + (2k-2)/beta) <= R",
)  # fmt: skip

PARAMETERS = (
    llmonpro.RADIX,
    Parameter("k", "digits of R = 2^(d*k); an operand has k + 1", "ceil(N/d)", "d*k >= N, corrected k <= 2^(d-1) - 1"),
    VARIANT,
    CHAINED,
    Parameter("form", "printed has the carry that only says whether T0 is not 0", CORRECTED,
              f"{CORRECTED} or {PRINTED}"),
)  # fmt: skip


@dataclass(frozen=True)
class Llmonpro(DigitSerial):
    """M odd, M < R = 2^(d*k); A, B of k + 1 digits of d + 1 bits, below 2R (below R for d = 2). `radix_bits` is d.

    With `chained`, A and B are below R/2 and 4M(1 + delta) <= R. Then A*B/R + (1 + delta)*M is R/2 at most, so that
    every result is below R/2, too.
    """

    variant: str = field(default="alg5", kw_only=True)
    chained: int = field(default=0, kw_only=True)

    @property
    def k(self) -> int:
        """Number of digits of R."""
        return self.digits

    @property
    def named(self) -> dict[str, int | str]:
        return {"k": self.k, "variant": self.variant, **({"chained": 1} if self.chained else {})}

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"k": (self.k, self.radix_bits)}

    @cached_property
    def constants(self) -> dict[str, int]:
        return {**self.domain_constants("M"), "M'": self.negative_inverse}

    @property
    def limits(self) -> tuple[int, int]:
        """2R - 1, or R - 1 for d = 2: the result is then below beta^(k+1) and fits k + 1 digits. R/2 - 1 if chained."""
        if self.chained:
            return (self.domain // 2 - 1,) * 2
        most = (2 * self.domain if self.radix_bits > 2 else self.domain) - 1
        return most, most

    @property
    def result_limit(self) -> int:
        """<Q0> is at most 2R - 2, from the widths of its digits alone."""
        if self.chained:
            return self.domain // 2
        a, b = self.limits
        return (a * b + (2 * self.domain - 2) * self.modulus) // self.domain + 1

    @property
    def closed(self) -> bool:
        """False: the result depends on the digits of the operands."""
        return False

    @property
    def formula(self) -> None:
        """None, as for `closed`."""
        return

    @property
    def written(self) -> tuple[Digits, Digits] | None:
        """k + 1 digits of d + 1 bits each."""
        return ozturk.written_digits(self.radix_bits, self.k)

    @property
    def representations(self) -> dict[str, Digits]:
        """The digits of an operand, if results are operands: then they do not follow from its value."""
        form = ozturk.written_digits(self.radix_bits, self.k)[0]
        return {form.name: form} if self.chained else {}

    @cached_property
    def stays_in_range(self) -> bool:
        """True if 4M(1 + delta) <= R, so that products of values that are not larger return no larger ones."""
        above, beta = self.excess
        return 4 * self.modulus * above <= self.domain * beta

    @cached_property
    def corrected(self) -> bool:
        """True if this is the corrected form."""
        return self.form == CORRECTED

    @cached_property
    def listing(self) -> bool:
        """True if this is Algorithm 7 as printed, which drops digits."""
        return self.variant == "alg7" and not self.corrected

    @cached_property
    def shown(self) -> int:
        """Number of digits of T, of Q and of S: the listing has no digit 2k + 2."""
        return 2 * self.k + (2 if self.listing else 3)

    @cached_property
    def summed(self) -> int:
        """Number of digits of T1 and S1 that are added: k + 1, in the listing k."""
        return self.k if self.listing else self.k + 1

    @cached_property
    def kept(self) -> int:
        """Number of digits of E and of Z: the printed texts have one more for the last carry."""
        return self.k + 1 if self.corrected else self.summed + 1

    @cached_property
    def excess(self) -> tuple[int, int]:
        """1 + delta as a fraction: <T0>, <Q0> and <S0> are below R*(1 + delta), delta = (2k - 2)/beta."""
        return self.radix + 2 * self.k - 2, self.radix

    @cached_property
    def factors(self) -> tuple[list[int], list[int]]:
        """k + 1 canonical digits of M' and of M."""
        M_, M = (split(value, self.radix_bits, self.k + 1) for value in (self.negative_inverse, self.modulus))
        return M_, M

    def split(self, a: int, b: int) -> tuple[list[int], list[int] | None]:
        """k + 1 digits of each operand: those of a Written, otherwise canonical ones as far as they can hold the value.

        None for b in a model without one.
        """
        return self.operand_digits(a), self.operand_digits(b)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[list[Digit], list[Digit] | None]:
        """The columns of these digits for a batch of products."""
        return self.operand_columns(a), self.operand_columns(b)

    def operand_digits(self, value: int) -> list[int]:
        """k + 1 digits of one operand; see `split`."""
        return redundant_digits(value, self.radix_bits, self.k + 1)

    def operand_columns(self, values: Sequence[int]) -> list[Digit]:
        """The columns of these digits for a batch of operands."""
        return ozturk.digit_columns(values, self.radix_bits, self.k)


def resolve(modulus: int, given: Given) -> Llmonpro:
    """Parameters for a modulus. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings("llmonpro", PARAMETERS, given)
    d = llmonpro.radix_bits(settings)
    k_min = llmonpro.digits(bits, d)
    k = settings.integer("k", k_min, k_min, 2 * MAX_WIDTH // d + 1, f"d*k >= {bits}, the bits of the modulus")
    form = settings.choice("form", FORMS, CORRECTED)
    check_digits(d, k, form)
    params = Llmonpro(modulus, d, k, k, form, variant=settings.choice("variant", VARIANTS, "alg5"))
    if not settings.integer("chained", 0, 0, 1):
        return params
    if not (params.corrected and params.stays_in_range):
        raise ParameterError("chained", "1: it takes the corrected form and 4M(1 + (2k-2)/beta) <= R = 2^(d*k)")
    return chain_of_results(params)


def chain_of_results(params: Llmonpro) -> Llmonpro:
    """The parameters for products whose operands are results; the same ones if results may leave the range."""
    return replace(params, chained=1) if params.corrected and params.stays_in_range else params


def check_digits(d: int, k: int, form: str) -> None:
    """Raises ParameterError if digits of d + 1 bits may overflow: the corrected carry needs them not to."""
    if form == CORRECTED and k > llmonpro.widest_k(d):
        raise ParameterError(
            "k", f"{k} digits of {d} bits are more than the {llmonpro.widest_k(d)} whose sums fit 2d bits for certain"
        )


def steps(params: Llmonpro, A: Sequence[Digit], B: Sequence[Digit]) -> Iterator[Step]:
    """Algorithm 5, or Algorithm 7. `A` and `B` are k + 1 redundant digits each, least significant first."""
    d, k, summed = params.radix_bits, params.k, params.summed
    M_, M = params.factors
    low = params.radix - 1
    _, T = ozturk.product(A, B, d, params.listing)
    yield from (("T", (i,), T[i]) for i in range(params.shown))
    _, Q = ozturk.product([*T[:k], 0], M_, d, params.listing)
    yield from (("Q", (i,), Q[i]) for i in range(params.shown))
    _, S = ozturk.product([*Q[:k], 0], M, d, params.listing)
    yield from (("S", (i,), S[i]) for i in range(params.shown))
    # The value of the digits below k - 1 is less than 4 units of digit k - 1.
    yield "carry", (), (carry := (T[k - 1] + S[k - 1] + 3) >> d if params.corrected else _not_zero(T[:k], d))
    E = [T[k] + carry, *T[k + 1 : k + 1 + summed]]
    for i in range(summed):
        E[i] = E[i] + S[k + i]
    yield from (("E", (i,), E[i]) for i in range(params.kept))
    Z = [E[0] & low, *((E[i] & low) + (E[i - 1] >> d) for i in range(1, summed)), E[summed - 1] >> d]
    yield from (("Z", (i,), Z[i]) for i in range(params.kept))


def _not_zero(digits: Sequence[Digit], d: int) -> Digit:
    """1 if one of the digits, of d + 1 bits each, is not 0."""
    any_bit: Digit = 0
    for digit in digits:
        any_bit = any_bit | digit
    return (any_bit + ((2 << d) - 1)) >> (d + 1)


def result_parts(params: Llmonpro) -> list[tuple[str, Index, int]]:
    """The digits Z."""
    return [("Z", (i,), params.radix_bits * i) for i in range(params.kept)]


def fed_back(params: Llmonpro, steps: Sequence[Step]) -> tuple[Written, Written]:
    """The result as an operand: its digits, unchanged."""
    Z = Written([int(value) for name, _, value in steps if name == "Z"], params.radix_bits)
    return Z, Z


SOURCE = "LLMonPro, Algorithm 5"
MENDED = "LLMonPro, Algorithm 5 corrected"


def roomy_digit_bits(choice: Choice, bits: int, max_digits: int) -> int:
    """Width d of a digit: wide enough for the column sums of an operand of `bits` bits."""
    least = next(d for d in count(2) if -(-bits // d) < 1 << (d - 1))
    return radix_bits(choice, bits, least, max_digits)


def shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many digits as the modulus needs, or one more if the sums still fit, in both variants."""
    d = roomy_digit_bits(choice, bits, max_digits)
    k = -(-bits // d)
    k += choice.integer(0, int(k + 1 < 1 << (d - 1)))
    return {"d": d, "k": k, "variant": choice.one_of(VARIANTS)}
