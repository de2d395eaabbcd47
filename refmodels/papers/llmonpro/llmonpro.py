# SPDX-License-Identifier: Apache-2.0
"""Low-latency Montgomery multiplication, LLMonPro: Algorithm 5 of the LLMonPro paper, and its listing, Algorithm 7.

Three products of redundant digits follow each other: T = A*B, Q = T0*M', S = Q0*M, where X0 are the digits of X below
k and <X0> is their value. The result is the sum of the high halves of T and S and one carry. No carry runs through all
digits, and there is no final subtraction.

The low halves are redundant, so each may be R or more, and the carry is up to 3. The printed carry is 1 unless T0 is 0;
it is too small by one for each of <T0> and <S0> that is R or more.

The closed form is the exact division (A*B + q0*M)/R with q0 = -A*B/M mod R. The result is this value, plus M if <Q0> is
R or more.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, islice

import gmpy2

from limbtrace.refmodels.batch_digits import Digit, split
from limbtrace.refmodels.constrained_random import Draw, into_range
from limbtrace.refmodels.digits import redundant_digits
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.event import Event, Pair, Seen, never
from limbtrace.refmodels.model import CORRECTED, PRINTED, Claim, Corner, Index, Model, Run, Step, Symbol, check_modulus
from limbtrace.refmodels.montgomery import DigitSerial, corners, exact_product
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro import ozturk
from limbtrace.refmodels.param_strategy import Choice, radix_bits
from limbtrace.refmodels.representations import Digits, Written
from limbtrace.refmodels.serial_events import ATTEMPTS, drawn, operand_events, step_event
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


_SOURCE = "LLMonPro, Algorithm 5"
_MENDED = "LLMonPro, Algorithm 5 corrected"


def low_half(run: Run[Llmonpro], name: str) -> int:
    """<X0>: the value of the digits of X below k."""
    return _worth(run, name, run.params.k)


def whole(run: Run[Llmonpro], name: str) -> int:
    """The value of all digits of T, Q or S."""
    return _worth(run, name, run.params.shown)


def _worth(run: Run[Llmonpro], name: str, count: int) -> int:
    return sum(run.at(name, i) << (run.params.radix_bits * i) for i in range(count))


def _digit_limit(run: Run[Llmonpro], index: Index) -> int:
    p = run.params
    return p.radix - 1 if index[0] < 2 else p.radix - 1 + min(p.radix - 1, 2 * p.k + 1)


def _carry_limit(run: Run[Llmonpro], _: Index) -> int:
    return 2 if run.params.radix >= 4 * run.params.k - 4 else 3


def _once(holds: Callable[[Run[Llmonpro]], bool]) -> Callable[[Run[Llmonpro], Index, int], bool]:
    """A predicate about a whole digit vector, evaluated only at its digit 0."""
    return lambda run, index, value: index[0] != 0 or holds(run)


def _low_half_claim(name: str) -> Claim[Llmonpro]:
    def holds(run: Run[Llmonpro]) -> bool:
        p = run.params
        above, beta = p.excess
        value = low_half(run, name)
        return value * beta < p.domain * above and (p.k > 2 or value < p.domain)

    statement = f"<{name}0> < R*(1 + (2k-2)/beta), and < R for k <= 2"
    return Claim(f"low half of {name}", statement, _MENDED, name, _once(holds))


def _carry_holds(run: Run[Llmonpro], _: Index, value: int) -> bool:
    return value * run.params.domain == low_half(run, "T") + low_half(run, "S")


def _parts_hold(run: Run[Llmonpro], _: Index, value: int) -> bool:
    R, T0, S0 = run.params.domain, low_half(run, "T"), low_half(run, "S")
    return value == (T0 % R != 0) + T0 // R + S0 // R


def _result_holds(run: Run[Llmonpro], _: Index, value: int) -> bool:
    return value * run.params.domain == run.a * run.b + low_half(run, "Q") * run.params.modulus


def _bound_holds(run: Run[Llmonpro], _: Index, value: int) -> bool:
    p = run.params
    above, beta = p.excess
    return value * p.domain * beta < run.a * run.b * beta + above * p.modulus * p.domain or value == 0


def _reduced_operands_hold(run: Run[Llmonpro], _: Index, value: int) -> bool:
    M = run.params.modulus
    return max(run.a, run.b) >= M or value < 3 * M


def directed(p: Llmonpro) -> Iterator[Corner]:
    """Operands for which <T0>, <S0> or <Q0> is R or more.

    With random operands, <T0> or <S0> is R or more in about one case of 2^d/(1.5(k-2)), and never for k <= 2.
    """
    R, M, limit = p.domain, p.modulus, p.limits[0]
    for t0, what in (
        (1, "t0 = 1: <T0> is R + 1, and the printed carry one too small"),
        (R - 1, "t0 = R - 1: <S0> is R + 1, and the printed carry one too small"),
        (R - M, "q0 = 1: <Q0> is R + 1, which adds M once more"),
    ):
        found = 0
        for a in (3, *range(M - 2, max(M - 400, 3), -2)):
            b = t0 * pow(a, -1, R) % R
            if b < M and found < 2:
                found += 1
                yield Corner(a, b, what)
    if (R + 2) % 3 == 0 and limit >= (R + 2) // 3:
        yield Corner(3, (R + 2) // 3, "A*B = R + 2: <T0> is R + 2")


def directed_corners(p: Llmonpro) -> Iterator[Corner]:
    """The directed operands, the corners of every Montgomery multiplication, and redundant digits."""
    d, k, R = p.radix_bits, p.k, p.domain
    yield from directed(p)
    yield from corners(p)
    if p.r_bits % 2 == 0 and p.domain <= p.limits[0] ** 2:
        yield Corner(1 << p.r_bits // 2, 1 << p.r_bits // 2, "A*B = R: T0 = 0 and no carry")
    ones = Written([p.radix, *[p.radix - 1] * (k - 1), 0], d)
    if ones <= p.limits[0]:
        yield Corner(ones, 1, "redundant digits: R, as beta and k - 1 digits of beta - 1")
    yield Corner(R - 1, R - 1, "digits of all ones")


def roomy_digit_bits(choice: Choice, bits: int, max_digits: int) -> int:
    """Width d of a digit: wide enough for the column sums of an operand of `bits` bits."""
    least = next(d for d in count(2) if -(-bits // d) < 1 << (d - 1))
    return radix_bits(choice, bits, least, max_digits)


def _shape(choice: Choice, bits: int, max_digits: int) -> dict[str, str | int]:
    """As many digits as the modulus needs, or one more if the sums still fit, in both variants."""
    d = roomy_digit_bits(choice, bits, max_digits)
    k = -(-bits // d)
    k += choice.integer(0, int(k + 1 < 1 << (d - 1)))
    return {"d": d, "k": k, "variant": choice.one_of(VARIANTS)}


def low_halves(params: Llmonpro, value: int, draw: Draw) -> Iterator[Pair]:
    """Operands whose product is `value` modulo R, so that its digits may be worth R more."""
    a_max, b_max = params.limits
    for _ in range(ATTEMPTS):
        a = draw.below(a_max + 1) | 1
        b = into_range(draw, a, params.domain, value, value, 0, b_max)
        if b is not None:
            yield a, b


def _near_the_ends(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """<T0>, <S0> or <Q0> is R or more only where t0, R - t0 or q0 is small: the digits below it carry then."""
    R, M = params.domain, params.modulus
    for small in (1, 1, 2, 3, *(1 + draw.of_any_width(params.radix) for _ in range(ATTEMPTS))):
        for t0 in (small, R - small, -small * M % R):
            yield from islice(low_halves(params, t0 % R, draw), 2)


def _digit_places(params: Llmonpro) -> Iterator[Index]:
    return ((j,) for j in range(2, params.shown))


def _drawn_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Digits near the radix beside each other: their products are large in all columns."""
    beta, (a_max, b_max) = params.radix, params.limits
    unit = (params.domain - 1) // (beta - 1)
    for _ in range(ATTEMPTS):
        pair = []
        for limit in (a_max, b_max):
            digits = beta - 1 - draw.of_any_width(beta - 2)
            number = digits * unit - (draw.bits(params.r_bits) & unit)
            pair.append(min(number + (draw.below(2) << params.r_bits), limit))
        yield pair[0], pair[1]
    yield from drawn(params, index, draw)


def _column_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Operands of one digit each, and 1 above: beta - u and beta - v with u*v = -1 modulo beta."""
    beta, unit = params.radix, (params.domain - 1) // (params.radix - 1)
    for attempt in range(ATTEMPTS):
        # With an even d both are as small as can be together: (2^(d/2) + 1)*(2^(d/2) - 1) = beta - 1.
        u = (1 << params.radix_bits // 2) + 1 if attempt == 0 else draw.below(beta // 2) | 1
        v = -int(gmpy2.invert(u, beta)) % beta
        yield params.domain + (beta - u) * unit, params.domain + (beta - v) * unit


def _steered(params: Llmonpro, choose: Callable[[int, int], int]) -> list[int] | None:
    """k canonical digits of T0, low one first, that make digit j of Q what `choose` says.

    `choose` is given j and what the column below carries, and returns the digit without it: digit j of T0 is free to
    bring about any below beta, since M'_0 is odd and digits below are not changed by it. None where it is no digit.
    """
    beta, (M_, _) = params.radix, params.factors
    inverse, T, below = int(gmpy2.invert(M_[0], beta)), list[int](), 0
    for j in range(params.k):
        low = sum(T[i] * M_[j - i] % beta for i in range(j))
        column = low + sum(T[i] * M_[j - 1 - i] // beta for i in range(j))
        if not 0 <= (wanted := choose(j, below // beta)) < beta:
            return None
        T.append((wanted - column) * inverse % beta)
        below = column + T[j] * M_[0] % beta
    return T


def _value(params: Llmonpro, digits: Sequence[int]) -> int:
    return sum(digit << params.radix_bits * j for j, digit in enumerate(digits))


def _largest_quotient_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """B = 1, so that A is T0: column j of T0*M', and for every other pair the next one, are all ones below a carry."""
    beta = params.radix
    full = {min(index[0], params.k - 1)}
    for attempt in range(ATTEMPTS):
        wide = full | {max(full) - 1} if attempt % 2 else full
        if (T := _steered(params, lambda j, _: beta - 1 if j in wide else draw.below(beta))) is not None:  # noqa: B023
            yield _value(params, T), 1


def _large_digits(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    """Digit k + j of S is steered by one digit of Q, that of T by digit k - 1 of B, and Q by digits of A.

    B is 1 + y*beta^(k-1) + z*R, so that the digits of T below k - 1 are those of A.
    """
    beta, k, (j,), (_, M) = params.radix, params.k, index, params.factors
    for attempt in range(ATTEMPTS if j < k - 2 and beta > 4 * k else 0):
        Q = [draw.between(2 * k, beta - 1) for _ in range(k)]
        s = j + (attempt // 2 % (k - j) if attempt % 2 else 0)
        Q[s] = 0
        column = _column(Q, M, k + j, beta)
        spare = draw.below(2)
        q = _of_column(draw, M[k + j - s] * beta + M[k + j - s - 1], beta, -1 - column, spare, beta + 2 * k)
        if q is None:
            continue
        Q[s] = q
        if (A := _steered(params, lambda i, below: Q[i] - below)) is None:  # noqa: B023
            continue
        z = draw.below(2) if params.limits[1] >= params.domain else 0
        y = _of_column(draw, A[j + 1] * beta + A[j], beta, -1 - z * A[j], spare, beta)
        if y is not None:
            A[k - 1] = (A[k - 1] - A[0] * y) % beta
            yield _value(params, A), 1 + (y << params.radix_bits * (k - 1)) + z * params.domain


def _column(X: Sequence[int], Y: Sequence[int], at: int, beta: int) -> int:
    """Column `at` of X*Y without third pieces, modulo beta."""
    low = sum(x * Y[at - i] for i, x in enumerate(X) if 0 <= at - i < len(Y))
    high = sum(x * Y[at - 1 - i] // beta for i, x in enumerate(X) if 0 <= at - 1 - i < len(Y))
    return (low + high) % beta


def _of_column(draw: Draw, two: int, beta: int, top: int, spare: int, limit: int) -> int | None:
    """A digit x below `limit` with floor(x*two/beta) = top modulo beta, or up to `spare` less.

    `two` is worth two digits: x adds to a column the low half of its product with the upper one and the high half of
    that with the lower one.
    """
    low = (top - spare) % beta
    return into_range(draw, two, beta * beta, low * beta, (low + spare + 1) * beta - 1, 0, limit - 1)


def _drawn_sums(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    yield from islice(_large_digits(params, index, draw), ATTEMPTS // 4)
    yield from _drawn_digits(params, index, draw)


def _wide_s(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
    if index[0] >= params.k:
        yield from islice(_large_digits(params, (index[0] - params.k,), draw), ATTEMPTS // 4)
    yield from _drawn_digits(params, index, draw)


def _third_piece(seen: Digit, params: Llmonpro, index: Index) -> Digit:
    return seen >= -(-(params.radix**2) // max(params.factors[1]))


def _no_third_piece(params: Llmonpro, index: Index) -> str | None:
    """2j - 1 pieces below beta and j - 2 third ones, which are 1, carry into digit j."""
    j, beta = index[0], params.radix
    most = beta - 1 + ((2 * j - 1) * (beta - 1) + max(j - 2, 0)) // beta
    excluded = params.corrected and not _third_piece(most, params, index)
    return f"a digit of Q is at most {most:#x} there" if excluded else None


def _columns_happen(params: Llmonpro, a: Digit, b: Digit) -> Digit:
    d, low, unit = params.radix_bits, params.radix - 1, (params.domain - 1) // (params.radix - 1)
    x, y = a & low, b & low
    found = (a == params.domain + x * unit) & (b == params.domain + y * unit)
    return found & (x >> d - 1 == 1) & (y >> d - 1 == 1) & (x * y & low == low)


def _carry_event(value: int) -> Event[Llmonpro]:
    def construct(params: Llmonpro, index: Index, draw: Draw) -> Iterator[Pair]:
        if value:
            yield from _near_the_ends(params, index, draw)
        else:
            for _ in range(ATTEMPTS):
                shift = draw.below(params.r_bits + 1)
                yield 1 << shift, 1 << params.r_bits - shift

    def reachable(params: Llmonpro, index: Index) -> str | None:
        most = _carry_limit(Run(params, 0, 0, (), 0), index) if params.k > 2 else 1
        return f"the carry is at most {most} there" if params.corrected and value > most else None

    return step_event(
        "carry", f"={value}", f"the carry of the low halves is {value}",
        "the printed carry, which only says whether T0 is not 0", _MENDED, lambda params: ((),),
        lambda seen, params, index: seen == value, construct, reachable,
    )  # fmt: skip


def _low_half_event(name: str) -> Event[Llmonpro]:
    return Event(
        f"{name}0", ">=R", f"the digits of {name} below k are worth R or more", "a carry that is one too small",
        _MENDED, lambda params: ((),),
        lambda seen, index: sum_of_digits(seen, name) >= seen.params.domain, _near_the_ends,
        lambda params, index: "k is at most 2, so they are worth less than R" if params.k < 3 else None,
    )  # fmt: skip


def sum_of_digits(seen: Seen[Llmonpro], name: str) -> Digit:
    """<X0>, of one product or of a batch."""
    total: Digit = seen.a * 0  # of the kind that holds any width
    for j in range(seen.params.k):
        total = total + (seen.at(name, j) * (seen.a * 0 + 1) << seen.params.radix_bits * j)
    return total


def _wide_event(name: str) -> Event[Llmonpro]:
    """A digit of T, Q or S that needs its overlap bit."""

    def reachable(params: Llmonpro, index: Index) -> str | None:
        return "the top digit is at most 4" if params.corrected and index[0] == params.shown - 1 else None

    return step_event(
        name, ">=beta", f"a digit of {name} needs its overlap bit", "an overlap bit that is dropped", _MENDED,
        _digit_places, lambda seen, params, index: seen >> params.radix_bits > 0,
        _wide_s if name == "S" else _drawn_digits, reachable if name == "T" else never,
    )  # fmt: skip


EVENTS = (
    step_event(
        "E", ">=2beta", "a sum of T1 and S1 needs two bits more than a digit", "a bit of a sum that is lost", _MENDED,
        lambda params: ((j,) for j in range(params.kept)), lambda seen, params, index: seen >> params.radix_bits > 1,
        _drawn_sums,
    ),
    step_event(
        "Q", "_thirds", "a digit of Q0 has a product of three pieces with the largest digit of M",
        "a piece of a product that is dropped", _MENDED, lambda params: ((j,) for j in range(1, params.k)),
        _third_piece, _largest_quotient_digits, _no_third_piece,
    ),
    step_event(
        "S", "_top>0", "digit 2k of S is not 0", "a top digit that is dropped", _MENDED,
        lambda params: ((2 * params.k,),), lambda seen, params, index: seen > 0, _largest_quotient_digits,
    ),
    *map(_carry_event, range(4)),
    *map(_low_half_event, "TQS"),
    *map(_wide_event, "TQS"),
    step_event(
        "Z", ">=beta", "a digit of the result needs its overlap bit", "an overlap bit that is dropped", _MENDED,
        lambda params: ((j,) for j in range(params.kept)), lambda seen, params, index: seen >> params.radix_bits > 0,
        _drawn_digits,
    ),
    Event(
        "Z", "_top>0", "digit k of the result is not 0", "a top digit that is dropped", _MENDED,
        lambda params: ((params.k,),), lambda seen, index: seen.at("Z", *index) > 0, _drawn_digits,
    ),
    Event(
        "T", "_columns=max", "all digits of an operand are one large digit below a 1, in canonical digits, and the low "
        "halves of their products are all ones", "a column of partial products that is one bit too short", _MENDED,
        lambda params: ((),), lambda seen, index: _columns_happen(seen.params, seen.a, seen.b), _column_digits,
        lambda params, index: "digit k of an operand is 0" if params.limits[0] < params.domain else None,
        lambda params, index, a, b: bool(_columns_happen(params, a, b)),
    ),
    *operand_events(_MENDED, "M"),
)  # fmt: skip

MODEL: Model[Llmonpro] = Model(
    id="llmonpro",
    title="LLMonPro, three redundant products in a row",
    source=llmonpro.paper("Algorithms 5 and 7"),
    parameters=PARAMETERS,
    operands={
        "a": "< 2R (< R for d = 2), k + 1 digits below 2*beta",
        "b": "< 2R (< R for d = 2), k + 1 digits below 2*beta",
        "result": "< A*B/R + (1 + (2k-2)/beta)*M",
    },
    reference=_MENDED,
    vocabulary=(
        *(Symbol(name, "j", meaning,
                 f"<= beta - 1 + min(beta - 1, 2k + 1); {name}_0, {name}_1 < beta", _digit_limit,
                 where="LLMonPro, Algorithm 4 corrected")
          for name, meaning in (("T", "digit j of A*B, j up to 2k + 2"), ("Q", "digit j of T0*M'"),
                                ("S", "digit j of Q0*M"))),
        Symbol("carry", "", "(<T0> + <S0>)/R; printed: whether T0 is not 0", "<= 3, and <= 2 where beta >= 4k - 4",
               _carry_limit),
        Symbol("E", "j", "T1_j + S1_j, the carry in E_0", "< 4*beta", lambda run, _: 4 * run.params.radix - 1),
        Symbol("Z", "j", "digit j of the result", "<= beta + 2", lambda run, _: run.params.radix + 2),
    ),
    forms=FORMS,
    resolve=resolve,
    shape=_shape,
    closed_form=exact_product,
    by_digits=True,
    steps=steps,
    result_parts=result_parts,
    step_count=lambda params: 3 * params.shown + 1 + 2 * params.kept,
    further_claims=(
        Claim("value of T", "T = A*B", _SOURCE, "T", _once(lambda run: whole(run, "T") == run.a * run.b)),
        Claim("value of Q", "Q = <T0>*M'", _SOURCE, "Q",
              _once(lambda run: whole(run, "Q") == low_half(run, "T") * run.params.negative_inverse)),
        Claim("value of S", "S = <Q0>*M", _SOURCE, "S",
              _once(lambda run: whole(run, "S") == low_half(run, "Q") * run.params.modulus)),
        *map(_low_half_claim, "TQS"),
        Claim("value of carry", "carry * R = <T0> + <S0>", _MENDED, "carry", _carry_holds),
        Claim("carry by parts", "carry = 1, or 0 where R divides <T0>, plus floor(<T0>/R) plus "
              "floor(<S0>/R)", _MENDED, "carry", _parts_hold),
        Claim("value of Z", "Z * R = A*B + <Q0>*M", _MENDED, None, _result_holds),
        Claim("exact division", "Z is (A*B + q0*M)/R with q0 = -A*B/M mod R, or M more", _MENDED, None,
              lambda run, _, value: value - exact_product(run.params, run.a, run.b) in (0, run.params.modulus)),
        Claim("bound", "Z < A*B/R + (1 + (2k-2)/beta)*M", _MENDED, None, _bound_holds),
        Claim("reduced operands", "A, B < M give Z < 3M", _MENDED, None, _reduced_operands_hold),
    ),
    corners=directed_corners,
    events=EVENTS,
    chained_params=chain_of_results,
    fed_back=fed_back,
)  # fmt: skip
