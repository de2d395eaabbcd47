# SPDX-License-Identifier: Apache-2.0
"""Multiple-word radix-2^k Montgomery multiplication, MWR2^kMM: figure 3 of the IDDMM paper.

X is recoded into Booth digits of k bits, from -2^(k-1) to 2^(k-1). Y, p and the accumulator S are processed in words of
w bits, S in two's complement. D digits are enough that the last one includes the sign bit 0 of X, so they add up to X.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from limbtrace.refmodels.batch_digits import Digit, split, split_signed_columns, weighted_sum
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
    check_modulus,
    one_bit,
)
from limbtrace.refmodels.montgomery import (
    DigitSerial,
    below_radix,
    largest_sum,
    partial_product,
    quotient_claim,
    reduced_product,
    reduced_products,
    serial_corners,
    subtract,
    subtraction_claim,
    subtraction_symbols,
)
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.param_strategy import Choice, digits_for, radix_bits, word_bits
from limbtrace.refmodels.serial_events import (
    ATTEMPTS,
    A,
    Accumulator,
    around_modulus,
    operand_events,
    quotient_events,
    step_event,
    word_events,
)
from limbtrace.refmodels.settings import MAX_WIDTH, Given, Parameter, Settings

FORMS = (CORRECTED, PRINTED)

PARAMETERS = (
    Parameter("radix", "weight 2^k of a Booth digit; k is its logarithm", "2^3", "2^1 to 2^4096", ("k",)),
    Parameter("w", "bits of a word", "16, or k where that is more", "k to 4096"),
    Parameter("D", "digits of X, R = 2^(k*D)", "ceil((N+1)/k)", "at least 1; a < 2^(k*D-1)"),
    Parameter("NW", "words of S", "ceil((N+k+2)/w)", "w*NW >= N+k+2"),
    Parameter(
        "form",
        "printed recodes from one bit too many, has ceil(N/k) digits and ceil(N/w) words, fills with C_a or C_b and "
        "writes the top word one place too high",
        CORRECTED,
        " or ".join(FORMS),
    ),
)


@dataclass(frozen=True)
class Mwr2kmm(DigitSerial):
    """p odd, k <= w, N+k+2 <= w*NW; X = a < 2^N and < 2^(k*D-1), Y = b < p."""

    subtracts: ClassVar[bool] = True

    w: int = field(kw_only=True)
    NW: int = field(kw_only=True)

    @property
    def named(self) -> dict[str, int]:
        return {"w": self.w, "D": self.digits, "NW": self.NW}

    @property
    def sizes(self) -> dict[str, tuple[int, int]]:
        return {"D": (self.digits, self.radix_bits), "NW": (self.NW, self.w)}

    @cached_property
    def constants(self) -> dict[str, int]:
        return self.symmetric_constants("p", "p'")

    @property
    def literal(self) -> bool:
        """True if this is the printed form."""
        return self.form == PRINTED

    @property
    def limits(self) -> tuple[int, int]:
        sign_bits = 0 if self.literal else 1
        return (1 << min(self.bits, self.r_bits - sign_bits)) - 1, self.modulus - 1

    @property
    def result_limit(self) -> int:
        return 1 << (self.w * (self.top_word + 1)) if self.literal else self.modulus

    @property
    def booth_bits(self) -> int:
        """Bits of a Booth digit without the bit below it."""
        return self.radix_bits + int(self.literal)

    @property
    def top_word(self) -> int:
        """The word that takes the shifted top of the sum."""
        return self.NW if self.literal else self.NW - 1

    @property
    def fills_with_sign(self) -> bool:
        """True if the shift of the top word repeats its sign bit instead of taking C_a or C_b."""
        return not self.literal

    @cached_property
    def widest_bits(self) -> int:
        return self.w + self.radix_bits + 1

    @cached_property
    def modulus_words(self) -> list[int]:
        return split(self.modulus, self.w, self.NW)

    def split(self, a: int, b: int) -> tuple[list[int], list[int]]:
        """D groups of bits of X, each with the bit below it, and the words of Y."""
        k, group = self.radix_bits, (1 << (self.booth_bits + 1)) - 1
        return [2 * int(a) >> (k * i) & group for i in range(self.digits)], split(int(b), self.w, self.NW)

    def split_batch(self, a: Sequence[int], b: Sequence[int]) -> tuple[Any, Any]:
        """Like `split`, for a batch of products."""
        doubled = [2 * value for value in a]
        return (
            split_signed_columns(doubled, self.booth_bits + 1, self.radix_bits, self.digits, self.widest_bits),
            split_signed_columns(b, self.w, self.w, self.NW, self.widest_bits),
        )


def resolve(modulus: int, given: Given) -> Mwr2kmm:
    """Parameters for a modulus. Raises ParameterError."""
    bits = check_modulus(modulus).bit_length()
    settings = Settings("mwr2kmm", PARAMETERS, given)
    form = settings.choice("form", FORMS, CORRECTED)
    k = settings.radix_bits(3, 1, 4096)
    w = settings.integer("w", max(16, k), 1, 4096)
    if w < k:
        raise ParameterError("w", f"a word of {w} bits does not hold a digit of {k} bits, which needs w >= {k}")
    recoded, held, why = (bits + 1, bits + k + 2, "w*NW >= N+k+2") if form == CORRECTED else (bits, bits, "w*NW >= N")
    D = settings.integer("D", -(-recoded // k), 1, 2 * MAX_WIDTH // k + 1)
    NW_min = -(-held // w)
    NW = settings.integer("NW", NW_min, NW_min, 2 * MAX_WIDTH // w + 1, why)
    return Mwr2kmm(modulus, k, D, D, form, w=w, NW=NW)


def recoded(group: Digit, booth: int) -> Digit:
    """The Booth digit of `booth` bits of X and the bit below them."""
    return ((group + 1) >> 1) - ((group >> booth) << booth)


def steps(params: Mwr2kmm, x: list[Digit], Y: list[Digit]) -> Iterator[Step]:
    """Figure 3. x holds D groups of bits of X, Y its NW words, least significant first.

    Word j of qY*Y is the low word of qYY, whose high part (negative with qY) is carried on; qp*p is treated likewise.
    """
    k, w, NW, p, p_ = params.radix_bits, params.w, params.NW, params.modulus_words, params.digit_inverse
    booth, top = params.booth_bits, params.top_word
    low, digit = (1 << w) - 1, params.radix - 1
    S: list[Digit] = [0] * (top + 1)
    for i in range(params.digits):
        yield "qY", (i,), (qY := recoded(x[i], booth))
        Ca = Cb = qYY = qpp = 0
        for j in range(NW):
            qYY = (qYY >> w) + qY * Y[j]
            s = Ca + S[j] + (qYY & low)
            yield "Ca", (i, j + 1), (Ca := s >> w)
            yield "Sa", (i, j), (Sa := s & low)
            if j == 0:
                yield "qp", (i,), (qp := ((Sa & digit) * p_) & digit)
            qpp = (qpp >> w) + qp * p[j]
            s = Cb + Sa + (qpp & low)
            yield "Cb", (i, j + 1), (Cb := s >> w)
            S[j] = s & low
            yield "Sb", (i, j), S[j]
            if j > 0:
                S[j - 1] = ((S[j] & digit) << (w - k)) | (S[j - 1] >> k)
                yield "S", (i, j - 1), S[j - 1]
        fill = S[NW - 1] >> (w - 1) if params.fills_with_sign else Ca | Cb
        S[top] = ((fill * digit) << (w - k)) | (S[NW - 1] >> k)
        yield "S", (i, top), S[top]
    yield "Sfinal", (), (Sfinal := weighted_sum((word, w * j) for j, word in enumerate(S)))
    sub, Z = subtract(Sfinal, params.modulus, w * (top + 1))
    yield "sub", (), sub
    yield "Z", (), Z


_FIGURE, _MENDED = "IDDMM, figure 3", "IDDMM, figure 3 corrected"


def signed(value: int, bits: int) -> int:
    """The `bits` low bits of a value as two's complement."""
    return ((value + (1 << (bits - 1))) & ((1 << bits) - 1)) - (1 << (bits - 1))


def whole(run: Run[Mwr2kmm], step: str, i: int) -> int:
    """The words of a step of digit i, as two's complement.

    As printed, word NW - 1 of S is not shifted and keeps its value from Sb.
    """
    p = run.params
    unshifted = range(p.NW - 1, p.top_word)
    count = p.top_word + 1 if step == "S" else p.NW
    words = (run.at("Sb" if j in unshifted else step, i, j) for j in range(count))
    return signed(sum(word << (p.w * j) for j, word in enumerate(words)), p.w * count)


def _booth_holds(run: Run[Mwr2kmm], index: Index, value: int) -> bool:
    """The digits so far add up to the low bits of X as two's complement."""
    p = run.params
    k, (i,) = p.radix_bits, index
    total = sum(run.at("qY", d) << (k * d) for d in range(i + 1))
    return total == signed(run.a, k * (i + 1))


def _recoding_holds(run: Run[Mwr2kmm], _: Index, value: int) -> bool:
    p = run.params
    return run.a == sum(run.at("qY", i) << (p.radix_bits * i) for i in range(p.digits))


def _sum_holds(run: Run[Mwr2kmm], index: Index, _: int) -> bool:
    """S + qY*Y + qp*p of a digit is a multiple of 2^k that fits NW words."""
    p = run.params
    i, j = index
    if j != p.NW - 1:
        return True
    value, scale = whole(run, "Sb", i), p.bits + p.radix_bits
    return -(1 << scale) < 2 * value < 3 << scale and value == whole(run, "S", i) << p.radix_bits


def _state_holds(run: Run[Mwr2kmm], index: Index, _: int) -> bool:
    p = run.params
    i, j = index
    if j != p.top_word:
        return True
    exponent = p.radix_bits * (i + 1)
    value = whole(run, "S", i)
    golden = partial_product(signed(run.a, exponent), run.b, p.modulus, exponent)
    return value == golden and -run.b <= 2 * value < 2 * p.modulus + run.b


def _word(run: Run[Mwr2kmm], _: Index) -> int:
    return (1 << run.params.w) - 1


def _half(run: Run[Mwr2kmm], _: Index) -> int:
    return 1 << (run.params.radix_bits - 1)


def _corners(params: Mwr2kmm) -> Iterator[Corner]:
    """The corners of every algorithm, and the extremes of the recoding."""
    yield from serial_corners(params)
    k, (a_max, b_max) = params.radix_bits, params.limits
    half = 1 << (k - 1)
    for high, low, which in (
        (half - 1, half, "-2^(k-1) and 2^(k-1) in turn"),
        (half, half, "-2^(k-1), then -2^(k-1) + 1"),
        (half - 1, 0, "0 and 2^(k-1) - 1 in turn"),
    ):
        a = sum((high << k | low) << (2 * k * i) for i in range(params.digits // 2 + 1))
        yield Corner(a & a_max, b_max, f"Booth digits {which}")


ACCUMULATOR = Accumulator(
    A, _FIGURE, lambda params, index: params.radix_bits * (index[0] + 1 if index else params.digits), signed=True
)


def _booth_event(condition: str, value: Callable[[int], int]) -> Event[Mwr2kmm]:
    """A digit of X that is `value`, given 2^(k-1)."""

    def digit(params: Mwr2kmm) -> int:
        return value(params.radix // 2)

    def groups(params: Mwr2kmm, index: Index) -> list[int]:
        """The k bits and the one below them, at their place in 2X: most digits are written in two ways."""
        found = []
        for below in (0, 1) if index[0] else (0,):
            bits = (digit(params) - below) % params.radix
            negative = bits >= params.radix // 2
            if bits + below - negative * params.radix == digit(params):
                found.append((bits << 1 | below) << params.radix_bits * index[0])
        return [group for group in found if group >> 1 <= params.limits[0]]

    def construct(params: Mwr2kmm, index: Index, draw: Draw) -> Iterator[Pair]:
        a_max, b_max = params.limits
        bits = (2 * params.radix - 1) << params.radix_bits * index[0]
        for _ in range(ATTEMPTS):
            for group in groups(params, index):
                yield ((draw.below(a_max + 1) << 1) & ~bits | group) >> 1, draw.below(b_max + 1)

    def reachable(params: Mwr2kmm, index: Index) -> str | None:
        return None if groups(params, index) else "no X that is small enough has such bits there"

    def places(params: Mwr2kmm) -> Iterator[Index]:
        half = params.radix // 2
        known = [digit for name, digit in _BOOTH.items() if name < condition and digit(half) == value(half)]
        return iter(()) if known else ((i,) for i in range(params.digits))

    return step_event(
        "qY", condition, f"a Booth digit of X is {condition.removeprefix('=')}",
        "a multiple of Y that is wrong, or a sign that is not repeated", _MENDED, places,
        lambda seen, params, index: seen == digit(params), construct, reachable, _booth_digit,
    )  # fmt: skip


def _booth_digit(params: Mwr2kmm, index: Index, a: int, b: int) -> int:
    group = 2 * a >> params.radix_bits * index[0] & (2 << params.booth_bits) - 1
    return int(recoded(group, params.booth_bits))


_BOOTH: dict[str, Callable[[int], int]] = {
    "=-2^(k-1)": lambda half: -half,
    "=-2^(k-1)+1": lambda half: 1 - half,
    "=-1": lambda half: -1,
    "=0": lambda half: 0,
    "=1": lambda half: 1,
    "=2^(k-1)-1": lambda half: half - 1,
    "=2^(k-1)": lambda half: half,
}

EVENTS = (
    *quotient_events("qp", _FIGURE, lambda params: ((i,) for i in range(params.digits))),
    *(_booth_event(condition, value) for condition, value in _BOOTH.items()),
    *word_events(
        "S", ACCUMULATOR,
        lambda params: ((i, j) for i in range(params.digits) for j in (*range(params.NW - 1), params.top_word)),
        width=lambda params: int(params.w),
    ),
    step_event(
        "S", "<0", "the accumulator is negative", "a sign that is not repeated by the shift", _MENDED,
        lambda params: ((i, params.top_word) for i in range(params.digits)),
        lambda value, params, index: value >> params.w - 1 == 1,
        closed=lambda params, index, a, b: (
            ACCUMULATOR.value(params, index, a, b) >> params.w * params.top_word & (1 << params.w) - 1
        ),
    ),
    *around_modulus("Sfinal", ACCUMULATOR, lambda params: ((),), lambda seen, index: seen.at("Sfinal")),
    *operand_events(_FIGURE, digits=False),
)  # fmt: skip


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """All digits of an operand below 2p or fewer, and words that are at least a digit wide and hold the accumulator."""
    k = radix_bits(choice, bits, 1, max_digits)
    w = word_bits(choice, bits, k, max_digits)
    D = digits_for(choice, bits + 1, k)
    return {"k": k, "w": w, "D": choice.one_of((D, choice.integer(1, D))), "NW": digits_for(choice, bits + k + 2, w)}


MODEL: Model[Mwr2kmm] = Model(
    id="mwr2kmm",
    title="MWR2^kMM, by Booth digits of X and word by word of Y",
    source=iddmm.paper("figure 3"),
    parameters=PARAMETERS,
    operands={"a": "< 2^N and < 2^(k*D-1)", "b": "< p", "result": "< p"},
    reference=_FIGURE,
    vocabulary=(
        Symbol("qY", "i", "Booth digit i of X", "-2^(k-1) to 2^(k-1)", _half, least=lambda run, i: -_half(run, i),
               where=_MENDED),
        Symbol("Ca", "i, j", "carry of S + qY*Y into word j", "one bit", one_bit),
        Symbol("Sa", "i, j", "word j of S + qY*Y", "< 2^w", _word),
        Symbol("qp", "i", "quotient digit", "< 2^k", below_radix),
        Symbol("Cb", "i, j", "carry of the addition of qp*p into word j", "one bit", one_bit),
        Symbol("Sb", "i, j", "word j after the addition of qp*p", "< 2^w", _word),
        Symbol("S", "i, j", "word j of the accumulator after digit i, in two's complement", "< 2^w", _word),
        Symbol("Sfinal", "", "S before the subtraction", "< p + ab/R", largest_sum, where=_MENDED),
        *subtraction_symbols(),
    ),
    forms=FORMS,
    resolve=resolve,
    shape=_shape,
    closed_form=reduced_product,
    closed_forms=reduced_products,
    steps=steps,
    result_parts=lambda params: [("Z", (), 0)],
    step_count=lambda params: params.digits * (5 * params.NW + 2) + 3,
    further_claims=(
        Claim("digits of X", "digits 0 to i add up to the low k*(i+1) bits of X, signed", _MENDED, "qY", _booth_holds),
        Claim("recoding", "the digits add up to X", _MENDED, None, _recoding_holds),
        Claim("sum", "-2^(N+k-1) < S + qY*Y + qp*p < 1.5*2^(N+k), and it is 2^k times the next S", _MENDED, "Sb",
              _sum_holds),
        Claim("state", "S after digit i is (X_i*Y + Q_i*p) / 2^(k(i+1)), in [-Y/2, p + Y/2)", _MENDED, "S",
              _state_holds),
        quotient_claim("quotient", "qp", "qp of digit i is digit i of -X*Y*p^-1 mod R", _FIGURE),
        subtraction_claim("Sfinal", _FIGURE),
    ),
    corners=_corners,
    events=EVENTS,
    mended={PRINTED: ("iddmm.E9c",)},
)  # fmt: skip
