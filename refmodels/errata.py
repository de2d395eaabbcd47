# SPDX-License-Identifier: Apache-2.0
"""Where the papers are wrong as printed: what they say, what is right, and operands that show it.

An erratum of kind "form" makes the printed form of a model return another integer than the corrected one; an erratum
of kind "claim" is a printed statement that the (right) computation breaks; one of kind "formula" is a printed formula
that does not give the figures of the paper itself; one of kind "operation" is about an operation
on digits that no request reaches; one of kind "figure" is about figures in tables; one of kind "text" is about words
that nothing computes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refmodels import redundant as digits
from refmodels import registry
from refmodels.algorithms import cios, effm, ffm2, fpmm, hffm, mwr2kmm, orup, redundant
from refmodels.digits import largest
from refmodels.errors import ParameterError
from refmodels.fpmm import Design
from refmodels.model import PRINTED, Claim, Index, Run, at_most
from refmodels.published import papers
from refmodels.published.figures import Finding
from refmodels.representations import Written, high, low, value_of


@dataclass(frozen=True)
class Erratum:
    """One erratum with the product that shows it."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str
    modulus: int
    """0 where the model has none."""
    settings: Mapping[str, int | str]
    a: int
    b: int
    claim: Claim | None = None
    """The printed statement; None where the printed form itself goes wrong."""
    others: tuple[tuple[int, int], ...] = ()
    """Products that follow in the same stream, for what one product alone does not show."""

    @property
    def kind(self) -> str:
        return "form" if self.claim is None else "claim"

    def run(self, model: str, form: str = "corrected") -> Run:
        """The product, or the stream of products, that shows it, in one of the forms of a model."""
        entry = registry.model(model)
        params = entry.resolve(self.modulus, {**self.settings, "form": form})
        if self.others:
            return fpmm.run_stream(params, self.products)
        return entry.run(params, self.a, self.b)

    @property
    def products(self) -> tuple[tuple[int, int], ...]:
        return ((self.a, self.b), *self.others)

    def results(self, model: str, form: str = "corrected") -> tuple[int, ...]:
        """The results of all its products."""
        run = self.run(model, form)
        return run.results if isinstance(run, fpmm.StreamRun) else (run.result,)

    def shown(self, model: str) -> bool:
        """Whether the printed text really fails for these operands."""
        if self.claim is None:
            return self.results(model, PRINTED) != self.results(model)
        run = self.run(model)
        places = [((), run.result)] if self.claim.step is None else [
            (index, value) for name, index, value in run.steps if name == self.claim.step
        ]  # fmt: skip
        return not all(self.claim.holds(run, index, value) for index, value in places)


_IDDMM = ("iddmm1", "iddmm2")
_WALTER = ("imm", *_IDDMM)
_REDUNDANT = ("orup", "redundant")


def _result(statement: str, reference: str, holds: Callable[[Run, int], bool]) -> Claim:
    return Claim("printed", statement, reference, None, lambda run, _, value: holds(run, value))


_FIGURE_3 = "IDDMM, figure 3"


def _words(run: Run) -> int:
    """ceil(N/w), the number of words in figure 3."""
    p: mwr2kmm.Mwr2kmm = run.params
    return -(-p.bits // p.w)


def _longer_recoding_holds(run: Run, index: Index, value: int) -> bool:
    """The digit from k + 2 bits, the highest of which is its sign."""
    p: mwr2kmm.Mwr2kmm = run.params
    k = p.radix_bits
    group = run.a << 1 >> (k * index[0]) & ((4 << k) - 1)
    return value == (group + 1 >> 1) - (group >> (k + 1) << (k + 1))


def _bit_position_holds(run: Run, index: Index, value: int) -> bool:
    """Line 10 for word 1 of the first digit, bit position 0: it would add word 0, as line 8 left it."""
    p: mwr2kmm.Mwr2kmm = run.params
    if index != (0, 1):
        return True
    word = run.at("qY", 0) * run.b >> p.w & (1 << p.w) - 1
    return value + (run.at("Ca", 0, 2) << p.w) == run.at("Ca", 0, 1) + run.at("Sb", 0, 0) + word


def _carry_fill_holds(run: Run, index: Index, value: int) -> bool:
    p: mwr2kmm.Mwr2kmm = run.params
    i, j = index
    if j != p.NW - 1:
        return True
    fill = run.at("Ca", i, p.NW) | run.at("Cb", i, p.NW)
    return value == run.at("Sb", i, j) >> p.radix_bits | fill * (p.radix - 1) << (p.w - p.radix_bits)


def _short_sum_holds(run: Run, index: Index, _: int) -> bool:
    p: mwr2kmm.Mwr2kmm = run.params
    total = mwr2kmm.whole(run, "Sb", index[0])
    return total == mwr2kmm.signed(total, p.w * _words(run))


def _first_digit_holds(run: Run, index: Index, value: int) -> bool:
    """The quotient digit from S and digit 0 of X, as section 2 prints it."""
    p: mwr2kmm.Mwr2kmm = run.params
    i = index[0]
    S = run.at("S", i - 1, 0) if i else 0
    return value == (S + run.at("qY", 0) * run.b) * p.digit_inverse % p.radix


def _printed_carry_holds(run: Run, index: Index, value: int) -> bool:
    """us_p once more, although the words u already contain it."""
    p: fpmm.Fpmm = run.params
    g = index[0]
    row = sum(run.at("u", g, j) << (p.radix_bits * j) for j in range(p.digits))
    return value == (row + run.at("us_p", g) + run.at("q", g) * p.modulus + run.at("c_p", g)) >> p.r_bits


def _open_parenthesis_holds(run: Run, index: Index, value: int) -> bool:
    """T_(i-1) + a_i*b_0*P', as the parentheses of equation 3 stand; a and b are 0 in an idle visit."""
    p: fpmm.Fpmm = run.params
    t = run.at("t_in", *index, 0)
    return value == (t + (run.at("v", *index, 0) - t) * p.digit_inverse) % p.radix


def _after_carry_holds(run: Run, index: Index, value: int) -> bool:
    p: fpmm.Fpmm = run.params
    return value == run.at("u", *index, 0) * p.digit_inverse % p.radix


def _narrow_inverse_holds(run: Run, value: int) -> bool:
    """T = (A*B + Q*P) / 2^m with Q = A*B*P' mod 2^m."""
    p: cios.Cios = run.params
    return value << p.r_bits == run.a * run.b + run.a * run.b * p.digit_inverse % p.domain * p.modulus


def _unscaled_sum_holds(run: Run, index: Index, value: int) -> bool:
    """S + q*M with the modulus itself."""
    p: orup.Orup = run.params
    return bool((value - run.at("q", *index) * (p.added - p.modulus)) % p.radix == 0)


def _top_digit_of_M_holds(run: Run, index: Index, value: int) -> bool:
    p: redundant.Redundant = run.params
    return index[1] <= p.mb or value > 0 or run.at("q", index[0]) == 0


def _concatenation_holds(run: Run, index: Index, value: int) -> bool:
    """The bits of T side by side, from bit r1 on."""
    p: redundant.Redundant = run.params
    i, j = index
    s = p.r1 - p.r2
    above = run.values.get(("T", (i, j + 2)), 0)
    return bool(value == run.at("T", i, j + 1) >> s | low(above, s) << (p.r2 - s))


def _whole_quotient_holds(run: Run, index: Index, value: int) -> bool:
    """q with the carry out of the sum of its upper bits."""
    p: redundant.Redundant = run.params
    S = [run.at("S", index[0], j) for j in (0, 1)]
    return bool(value == digits.quotient(S, p.r1, p.r2, keep=1))


def _slice_from_r1_holds(run: Run, index: Index, value: int) -> bool:
    """K_1 with P_0[2*r2-1 : r1]."""
    p: redundant.Redundant = run.params
    i, j = index
    return j != 1 or bool(value == (low(run.at("P", i, 0), 2 * p.r2) >> p.r1) + low(run.at("P", i, 1), p.r2))


def _range_of_T_1_holds(run: Run, index: Index, value: int) -> bool:
    """The right side of T_1 for 2 <= i <= d - 1."""
    p: redundant.Redundant = run.params
    i, j = index
    if not 2 <= j < p.d:
        return True
    slices = low(run.at("W", i, 0) >> p.r2, p.r2) + low(run.at("W", i, 1), p.r2)
    return bool(value == slices + low(run.at("S", i, 1), p.r2) + high(run.at("S", i, 0), p.r2))


def _dropped_c1_holds(run: Run, value: int) -> bool:
    """The result with c1 = p + q."""
    p: hffm.Hffm = run.params
    return ((p.modulus + run.at("q")) * p.D + run.at("r") - value) % p.modulus == 0


def _overwritten_c1_holds(run: Run, _: Index, value: int) -> bool:
    """c2 with the carry of the c1 that line 9 has just made."""
    p: hffm.Hffm = run.params
    return value == run.at("c2@8") + (run.at("c1@9") >> p.a)


def _logarithm_of_the_dividend_holds(run: Run, value: int) -> bool:
    """One subtraction after an estimate with k = floor(log2(a*b))."""
    p, dividend = run.params.modulus, run.a * run.b
    if dividend == 0:
        return True
    k = dividend.bit_length() - 1
    return bool(dividend - (dividend * ((1 << k) // p) >> k) * p < 2 * p)


_HFFM = "SIDH paper, Algorithm 1"
_HALF_BARRETT = "SIDH paper, section III.A"
_P434, _P503 = 2**216 * 3**137 - 1, 2**250 * 3**159 - 1
_P610, _P771 = 2**305 * 3**192 - 1, 2**387 * 3**242 - 1
_SIDH_PRIMES = (_P434, _P503, _P610, 2**372 * 3**239 - 1, _P771)
_M_TILDE = "redundant, Algorithm 1"
_SECP256K1 = 2**256 - 2**32 - 977
_CURVE25519 = 2**255 - 19
_FULL_DIGITS = sum((2**24 - 1) << 22 * i for i in range(12))
"""Twelve digits of radix 2^22 with every bit set, the overlap bits too."""

_CARRY = "the carry into the high half is whether T0 is 0 or not"
_EXACT_CARRY = "it is (T0_(k-1) + S0_(k-1) + 3) >> d, 0 to 3: a redundant half may be R or more"

PARAMETER_SETS = tuple((n, d) for n in (64, 128, 256, 512, 1024) for d in (16, 32, 64) if n // d >= 3)
"""Bits of R and of a digit in the LLMonPro paper's tables, where the carry can go wrong: k >= 3."""


def _carry_erratum(n: int, d: int) -> Erratum:
    """A*B = R + 2 modulo M = R - 1: the result is 3, and 2 as printed, which random operands would hardly ever show."""
    return Erratum(
        f"llmonpro.E1-{n}-{d}", ("llmonpro",), f"{_CARRY} (n = {n}, d = {d})", _EXACT_CARRY,
        (1 << n) - 1, {"d": d}, 3, ((1 << n) + 2) // 3,
    )  # fmt: skip


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        "iddmm.E1", _IDDMM,
        "R = beta^(n+1) although the loop of Algorithm 1 makes n passes",
        "passes is a parameter and R = beta^passes",
        11, {"k": 2, "passes": 2}, 7, 9,
        _result("result * beta^(n+1) = a*b mod p", "IDDMM, header of Algorithm 1",
                lambda run, value: (value * run.params.radix ** (run.params.digits + 1) - run.a * run.b)
                % run.params.modulus == 0),
    ),
    Erratum(
        "iddmm.E1b", ("imm",),
        "R = beta^n although the loop of figure 4 makes n + 1 passes",
        "passes is a parameter, n + 1 by default, and R = beta^passes",
        11, {"k": 2}, 7, 9,
        _result("result * beta^n = a*b mod p", "IDDMM, header of figure 4",
                lambda run, value: (value * run.params.radix**run.params.digits - run.a * run.b)
                % run.params.modulus == 0),
    ),
    Erratum(
        "iddmm.E2", _IDDMM,
        "the sum of the carries at digit n carries nothing out, so digit n of the accumulator stays 0",
        "digit n of the accumulator takes the carries that leave digit n",
        13, {"k": 2}, 7, 11,
    ),
    Erratum(
        "iddmm.E3", _WALTER,
        "the result is a*b/R mod p",
        "the result is congruent to it and below p + ab/R",
        7, {"k": 2, "passes": 2}, 5, 6,
        _result("result < p", "IDDMM, postcondition", lambda run, value: value < run.params.modulus),
    ),
    Erratum(
        "iddmm.E4", _WALTER,
        "no final subtraction is needed: operands below 2p give a result below 2p",
        "true only where R >= 4p",
        7, {"k": 4, "passes": 1}, 12, 13,
        _result("result < 2p", "IDDMM, section 3", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        "iddmm.E5", _IDDMM,
        "operands below 2p are held in n digits",
        "X and the accumulator need digit n, and Y as many digits as there are passes",
        9, {"k": 2, "passes": 3}, 10, 13,
    ),
    Erratum(
        "iddmm.E6", ("imm",),
        "n + 1 passes keep the result below 2p",
        "for k = 1 only where Y has no digit n",
        7, {"k": 1}, 12, 13,
        _result("result < 2p", "IDDMM, section 3", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        "iddmm.E7", ("iddmm2",),
        "the carry C has k bits",
        "it has k + 1 bits and reaches 2*beta - 2",
        11, {"k": 2}, 3, 9,
        at_most("C", "C < beta", "IDDMM, Table 1", lambda run, _: run.params.radix - 1),
    ),
    Erratum(
        "iddmm.E8", ("mwr2mm",),
        "S has e = ceil(N/w) words, and word e is cleared after every bit",
        "e = ceil((N+1)/w): bit N of S would be lost where w divides N",
        11, {"w": 4}, 7, 10,
    ),
    Erratum(
        "iddmm.E8b", ("mwr2mm",),
        "the figure ends with neither a subtraction nor a return, and line 6 adds p to S^0",
        "it returns S, below 2p, and S^0 is S^(0)",
        11, {"w": 4}, 7, 10,
        _result("result < p", "IDDMM, section 2", lambda run, value: value < run.params.modulus),
    ),
    Erratum(
        "iddmm.E9", ("mwr2kmm",),
        "Booth digits of k + 2 bits, ceil(N/k) digits, ceil(N/w) words, C_a or C_b as the sign, word ceil(N/w) written",
        "k + 1 bits, D = ceil((N+1)/k) digits, NW = ceil((N+k+2)/w) words, the sign bit, word NW - 1 written",
        5, {"k": 3, "w": 4}, 4, 1,
    ),
    Erratum(
        "iddmm.E9a", ("mwr2kmm",),
        "a digit of X is recoded from x_(j+k) to x_(j-1)",
        "from the k + 1 bits x_(j+k-1) to x_(j-1)",
        5, {"k": 3, "w": 4}, 4, 1,
        Claim("printed", "qY is recoded from k + 2 bits", _FIGURE_3, "qY", _longer_recoding_holds),
    ),
    Erratum(
        "iddmm.E9b", ("mwr2kmm",),
        "X has ceil(N/k) Booth digits",
        "D = ceil((N+1)/k): the last one must see the sign bit 0 of X",
        5, {"k": 3, "w": 4}, 4, 1,
        _result("ceil(N/k) digits qY add up to X", _FIGURE_3,
                lambda run, _: run.a == sum(run.at("qY", i) << (run.params.radix_bits * i)
                                            for i in range(-(-run.params.bits // run.params.radix_bits)))),
    ),
    Erratum(
        "iddmm.E9c", ("mwr2kmm",),
        "lines 10 and 11 add S^(j) with j the bit position, and line 8 adds q_M*M",
        "they add S^(i), the word that i counts, and qp*p",
        5, {"k": 3, "w": 4}, 1, 3,
        Claim("printed", "(Ca, Sa) of word i is Ca + S^(j) + (qY*Y)^(i)", _FIGURE_3, "Sa", _bit_position_holds),
    ),
    Erratum(
        "iddmm.E9e", ("mwr2kmm",),
        "the top word is filled with C_a or C_b",
        "with its own sign bit",
        5, {"k": 3, "w": 4}, 4, 1,
        Claim("printed", "the top word of S is filled with Ca or Cb", _FIGURE_3, "S", _carry_fill_holds),
    ),
    Erratum(
        "iddmm.E9f", ("mwr2kmm",),
        "ceil(N/w) words hold S",
        "NW = ceil((N+k+2)/w) words hold S + qY*Y + qp*p with its sign",
        3, {"k": 2, "w": 4}, 1, 2,
        Claim("printed", "S + qY*Y + qp*p fits ceil(N/w) words", _FIGURE_3, "Sb", _short_sum_holds),
    ),
    Erratum(
        "iddmm.E9g", ("mwr2kmm",),
        "R = 2^N",
        "R = 2^(k*D)",
        5, {"k": 3, "w": 4}, 4, 1,
        _result("result * 2^N = a*b mod p", "IDDMM, section 2",
                lambda run, value: ((value << run.params.bits) - run.a * run.b) % run.params.modulus == 0),
    ),
    Erratum(
        "iddmm.E10", ("mwr2kmm",),
        "every quotient digit is found with X^(0)",
        "with the digit of X of its own pass",
        5, {"k": 2, "w": 4}, 1, 1,
        Claim("printed", "qp of digit i is (S + X^(0)*Y) * (-p^-1) mod 2^k", "IDDMM, section 2", "qp",
              _first_digit_holds),
    ),
    Erratum(
        "iddmm.E11", ("r2mm",),
        "figure 1 ends without a return statement",
        "it returns S after line 11; the S of the loop may still hold p",
        11, {}, 7, 10,
        _result("S after the loop is below p", "IDDMM, figure 1",
                lambda run, _: run.at("S", run.params.bits - 1) < run.params.modulus),
    ),
    Erratum(
        "iddmm.E12", ("imm",),
        "A<i> is a*b/R mod p at the end of iteration i",
        "A<i> is the product of X with the digits of Y scanned so far; only the last one is a*b/R",
        11, {"k": 2}, 7, 9,
        Claim("printed", "A * R = a*b mod p", "IDDMM, Table 1", "A",
              lambda run, _, value: (value * run.params.domain - run.a * run.b) % run.params.modulus == 0),
    ),
    Erratum(
        "iddmm.E13", ("iddmm2",),
        "the carry C<j> is cleared before there is a j",
        "C<0> is cleared when a pass begins, and only then",
        11, {"k": 2}, 3, 9,
        at_most("C", "C<j> = 0", "IDDMM, Algorithm 2, line 4", lambda run, _: 0),
    ),
    Erratum(
        "iddmm.E27", ("r2mm",),
        "the product of a with b = R^2 mod p is a*R^2 mod p",
        "it is a*R mod p: a enters the domain",
        11, {}, 7, 3,
        _result("result = a*b mod p", "IDDMM, introduction",
                lambda run, value: (value - run.a * run.b) % run.params.modulus == 0),
    ),
    Erratum(
        "fpmm.E7", ("cios", "fpmm"),
        "every partial result T is below 2P",
        "T is below B + P during the loop; only the last one is below 2P",
        3, {"w": 2, "s": 2}, 3, 5,
        at_most("T", "T < 2P", "FPMM, eq. 5", lambda run, _: 2 * run.params.modulus - 1),
    ),
    Erratum(
        "fpmm.E8", ("cios", "fpmm"),
        "the carry word us is below 2^(w-1)",
        "it may reach 2^(w-1)",
        127, {"w": 3, "s": 3}, 62, 253,
        at_most("us", "us < W/2", "FPMM, eq. 6", lambda run, _: run.params.radix // 2 - 1),
    ),
    Erratum(
        "fpmm.E9", ("fpmm",),
        "the carry c of a row adds the us that enters to the sum of the words u",
        "these words contain it",
        59, {"w": 4, "s": 2, "sigma": 1}, 63, 117,
        Claim("printed", "c = (U + us_p + q*P + c_p) >> m with U the words u", "FPMM, section III.C", "cs",
              _printed_carry_holds),
    ),
    Erratum(
        "fpmm.E10", ("fpmm",),
        "q = (T + a_i*b_0*P') mod W",
        "q = ((T + a_i*b_0)*P') mod W, T being its low word",
        13, {"w": 3, "s": 2, "sigma": 1}, 17, 11,
        Claim("printed", "q = (T + a_i*b_0*P') mod W", "FPMM, eq. 3", "q", _open_parenthesis_holds),
    ),
    Erratum(
        "fpmm.E11", ("fpmm",),
        "d and c are cleared when a product begins",
        "once for the whole stream: what the LM before left in them is part of its top word",
        13, {"w": 3, "s": 2, "sigma": 2}, 5, 7,
        others=((9, 9), (20, 21), (25, 25)),
    ),
    Erratum(
        "fpmm.E12", ("fpmm",),
        "the top word comes from the next LM at the same iteration",
        "from the next visit, which for the last LM is the next iteration of LM 0",
        13, {"w": 3, "s": 2, "sigma": 1}, 17, 11,
    ),
    Erratum(
        "fpmm.E13", ("fpmm",),
        "a program for one product, like Algorithm 1, where q may be found from u_0",
        "a stream of visits: line 8 takes a word of a later visit, and q comes from v_0, before the carry of the visit "
        "before is added",
        127, {"w": 3, "s": 3, "sigma": 1}, 62, 253,
        Claim("printed", "q = u_0*P' mod W", "FPMM, Algorithm 1, task 2", "q", _after_carry_holds),
    ),
    Erratum(
        "fpmm.E14", ("cios", "fpmm"),
        "T = A*B*2^-m mod P with P' = -P^-1 mod W",
        "P' finds one word of Q; T = (A*B + Q*P) / 2^m needs -P^-1 mod 2^m for Q as a whole",
        13, {"w": 3, "s": 2}, 17, 11,
        _result("T * 2^m = A*B + (A*B*P' mod 2^m)*P", "FPMM, Algorithm 1", _narrow_inverse_holds),
    ),
    Erratum(
        "redundant.E1", ("orup",),
        "A, B < 2M give a result below 2M",
        "M is M~ here, in 4M <= R and in line 4; it is the modulus in M', in R^-1 mod M and in the digit counts",
        3, {"r": 3}, 1, 1,
        _result("S < 2M", _M_TILDE, lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        "redundant.E1b", ("orup",),
        "2^r divides S + q*M",
        "2^r divides S + q*M~",
        3, {"r": 3}, 1, 1,
        Claim("printed", "S + q*M is a multiple of 2^r", "redundant, section IV", "SqM", _unscaled_sum_holds),
    ),
    Erratum(
        "redundant.E2", _REDUNDANT,
        "the output is in [0, 2M]",
        "in [0, 2M~)",
        _SECP256K1, {}, _SECP256K1 - 1, _SECP256K1 - 1,
        _result("S <= 2M", "redundant, section III.B", lambda run, value: value <= 2 * run.params.modulus),
    ),
    Erratum(
        "redundant.E3", _REDUNDANT,
        "4M~ < 2^(r*m)",
        "M~ may have r bits more than M, so that an operand takes m + 2 digits; 4M~ <= R = 2^(r*(m+2)) is what is "
        "needed, and always true",
        _SECP256K1, {}, 1 << 278, 1,
        Claim("printed", "A has m digits", _M_TILDE, "a",
              lambda run, index, value: index[0] < run.params.digits or value == 0),
    ),
    Erratum(
        "redundant.E4", ("redundant",),
        "M~ has m + 2 digits",
        "m + 1 in a uniform radix; in the mixed one mb + 2 are allocated, of which 256 bits need mb + 1",
        _SECP256K1, {}, 1, 1,
        Claim("printed", "digit mb + 1 of M~ is not 0", _M_TILDE, "W", _top_digit_of_M_holds),
    ),
    Erratum(
        "redundant.E5", _REDUNDANT,
        "the algorithm returns A*B*R^-1 mod M",
        "a number congruent to it and below 2M~",
        13, {"radix": 2**4}, 143, 1,
        _result("S < M", _M_TILDE, lambda run, value: value < run.params.modulus),
    ),
    Erratum(
        "redundant.E6", ("orup",),
        "m + 3 iterations divide by 2^r",
        "the first one divides 0: R = 2^(r*(m+2)), in the mixed radix 2^(r1*(ma+2))",
        13, {"r": 4}, 5, 7,
        _result("S * 2^(r*(m+3)) = A*B mod M", _M_TILDE,
                lambda run, value: (value * run.params.domain * run.params.radix - run.a * run.b)
                % run.params.modulus == 0),
    ),
    Erratum(
        "redundant.E8", ("redundant",),
        "the r1 low bits of S + q*M~ are discarded",
        "in redundant digits they stand for 0 or 2^r1, and then a carry c goes into the digits that stay",
        _SECP256K1, {}, 1, 1,
    ),
    Erratum(
        "redundant.E9", ("redundant",),
        "the shifted number has to be converted into valid digits; how is not said",
        "the overlap bits of a digit are added to the low bits of the one above, which come to stand in the same place",
        _SECP256K1, {}, 1, 1,
        Claim("printed", "the digits of U are bits of T side by side", "redundant, section IV.C", "U",
              _concatenation_holds),
    ),
    Erratum(
        "redundant.E10", ("redundant",),
        "q is a redundant digit",
        "q = S mod 2^r1, without the carry of its sum, which would add M~ to some results",
        _SECP256K1, {}, 2**308 % (_SECP256K1 * 0x253531), 1,
        Claim("printed", "q = S_0 + 2^r2 * (S_1 mod 2^(r1-r2))", "redundant, section IV.C", "q", _whole_quotient_holds),
    ),
    Erratum(
        "redundant.E11", ("redundant",),
        "K_1 and T_1 take P_0[2*r2-1 : r]",
        "P_0[2*r2-1 : r2]",
        13, {"r1": 7, "r2": 6}, 1000, 1500,
        Claim("printed", "K_1 = P_0[2*r2-1 : r1] + P_1[r2-1 : 0]", "redundant, section IV.A", "K",
              _slice_from_r1_holds),
    ),
    Erratum(
        "redundant.E12", ("redundant",),
        "2 <= i <= d - 1 stands beside K_(d+1) and T_1",
        "it belongs to K_i and T_i",
        13, {"r1": 7, "r2": 6}, 1000, 1500,
        Claim("printed", "T_i is what T_1 is, for 2 <= i <= d - 1", "redundant, section IV.B", "T",
              _range_of_T_1_holds),
    ),
    Erratum(
        "redundant.E14", ("redundant",),
        "2*r2 < r1 + r2 + 4 < 3*r2",
        "r1 + r2 + 4 <= 3*r2 is what valid digits of T need",
        13, {"r1": 8, "r2": 6}, 1000, 1500,
        Claim("printed", "a digit of T that is not 0 needs r1 + r2 + 4 < 3*r2", "redundant, section IV.A", "T",
              lambda run, _, value: value == 0 or run.params.r1 + 4 < 2 * run.params.r2),
    ),
    Erratum(
        "redundant.E17", ("redundant",),
        "S has d + 1 digits",
        "with overlap bits in A, some moduli need one more, 2^255 - 19 among them",
        _CURVE25519, {"overlap": 1}, _FULL_DIGITS, 2 * 0x2BCA1B * _CURVE25519 - 1,
        Claim("printed", "K_(d+1) is 0", "redundant, section IV.B", "K",
              lambda run, index, value: index[1] <= run.params.d or value == 0),
    ),
    Erratum(
        "redundant.E26", _REDUNDANT,
        "m + 3 iterations",
        "as many as R needs for 4M~ <= R: at 256 and 504 bits one iteration less would do",
        _SECP256K1, {}, 1, 1,
        _result("S > 0 needs 4M~ > 2^(r*(m+1))", "redundant, section IV.C",
                lambda run, value: value == 0 or 4 * run.params.added > run.params.domain >> run.params.radix_bits),
    ),
    Erratum(
        "hffm.E1", ("hffm",),
        "a2 is in [0, l^b)",
        "in [0, f*l^b)",
        59, {}, 14, 1,
        Claim("printed", "a2 < l^b", "SIDH paper, eq. 14", "a2",
              lambda run, _, value: value < run.params.special.l ** run.params.special.b),
    ),
    Erratum(
        "hffm.E2", ("hffm",),
        "line 8: c1 = p + q",
        "c1 = c1 + q",
        11, {}, 1, 3,
        _result("c1 = p + q after line 8", _HFFM, _dropped_c1_holds),
    ),
    Erratum(
        "hffm.E3", ("hffm",),
        "the algorithm ends with line 9",
        "c2 may not be below f*l^b then: f*l^b moves from it to c1, and the value p is 0",
        17, {}, 16, 16,
    ),
    Erratum(
        "hffm.E4", ("hffm",),
        "line 9: c1 = c1 mod 2^a, then c2 = c2 + floor(c1 / 2^a)",
        "the carry floor(c1 / 2^a) is that of the c1 before line 9",
        11, {}, 3, 4,
        Claim("printed", "c2 = c2 + floor(c1 / 2^a) after c1 = c1 mod 2^a", _HFFM, "c2@9", _overwritten_c1_holds),
    ),
    Erratum(
        "hffm.E5", ("hffm",),
        "c1 may be greater than 2^a",
        "the carry is not one bit: it reaches 5, 7, 3, 114 and 3 for the primes of Table I",
        _P434, {}, _P434 - 1, _P434 - 1,
        at_most("carry@9", "the carry of line 9 is one bit", _HFFM, lambda run, _: 1),
    ),
    Erratum(
        "hffm.E5b", ("hffm",),
        "c1 has a word of N bits",
        "N + 1 bits for SIKEp610",
        _P610, {}, _P610 - 1, _P610 - 1,
        at_most("c1@7", "c1 < 2^N", _HFFM, lambda run, _: (1 << run.params.N) - 1),
    ),
    Erratum(
        "hffm.E6", ("effm",),
        "equation 4: (2^-2*a1b1 + (a1b2+a2b1) mod 2) * R/2",
        "2^-2*a1b1 + ((a1b2+a2b1) mod 2) * R/2",
        71, {}, 36, 36,
    ),
    Erratum(
        "hffm.E7", ("effm",),
        "equation 4: floor(a1b3 + a3b1 + a2b2/2)",
        "floor((a1b3+a2b2+a3b1) / 2)",
        71, {}, 37, 1,
    ),
    Erratum(
        "hffm.E8", ("ffm1",),
        "A is replaced by p - A if it is greater than R^2",
        "if a1 = 1, that is A >= R^2",
        71, {}, 36, 2,
    ),
    Erratum(
        "hffm.E9", ("ffm1",),
        "equation 8: the product is multiplied with (-1)^(a1^b1)",
        "p - C' is p where C' is 0: only other values are negated",
        71, {}, 0, 40,
    ),
    Erratum(
        "hffm.E10", ("barrett",),
        "equation 1: k = log2 of the dividend",
        "k is an integer that no dividend reaches: a*b < 2^k",
        3, {}, 3, 5,
        _result("one subtraction is enough with k = log2(a*b)", "SIDH paper, eq. 1", _logarithm_of_the_dividend_holds),
    ),
    Erratum(
        "hffm.E11", ("hffm",),
        "the half Barrett takes the first half of the dividend",
        "which bits these are is open: without the n low ones, two subtractions are not enough",
        _P503, {"window": "half"}, _P503 - 9, _P503 - 119,
        at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        "hffm.E11b", ("hffm",),
        "the half Barrett takes the first N bits of the dividend",
        "counted from bit 2n on; those of a register of 2N bits leave 87 subtractions",
        _P771, {"window": "register"}, _P771 - 1, _P771 - 56,
        at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        "hffm.E12", ("hffm",),
        "the lower b + 1 bits of c2 are enough for the remainder",
        "n + 1 bits for the primes of Table I, n + 2 in general",
        2**29 * 5**6 - 1, {"N": 15}, 2**29 * 5**6 - 27, 2**29 * 5**6 - 106,
        at_most("barrett.rhat", "rhat < 2^(n+1)", _HALF_BARRETT, lambda run, _: (2 << run.params.n) - 1),
    ),
    Erratum(
        "hffm.E13", ("hffm",),
        "a1b1 is less than 2p",
        "not where 2^a is more than 2*f*l^b; q1 <= 2^a - 2 is always true",
        _P771, {}, _P771 - 1, _P771 - 1,
        at_most("a1b1", "a1b1 < 2p", _HFFM, lambda run, _: 2 * run.params.modulus - 1),
    ),
    Erratum(
        "hffm.E14", ("hffm",),
        "N is a multiple of 6 or 8 that holds the digits",
        "it has to hold n + 1 bits, for the half Barrett",
        8747, {"N": 12}, 8747 - 471, 8747 - 29,
        at_most("barrett.corr", "f*l^b is subtracted twice at most", _HALF_BARRETT, lambda run, _: 2),
    ),
    Erratum(
        "hffm.E14b", ("hffm",),
        "N is a multiple of 6 or 8 that holds the digits",
        "it has to hold a1+a2 and b1+b2",
        191, {"N": 6}, 190, 190,
        at_most("a1+a2", "a1+a2 < 2^N", "SIDH paper, section III.B", lambda run, _: (1 << run.params.N) - 1),
    ),
    Erratum(
        "hffm.E19", ("hffm",),
        "nothing is said of the result p",
        "it stands for 0, and comes where an operand is p or the modulus is composite",
        35, {}, 5, 7,
    ),
    Erratum(
        "llmonpro.E1", ("llmonpro",), _CARRY, _EXACT_CARRY,
        2**128 - 159, {"d": 16},
        0xE6FA4FC9450F0443E2F075C3B31E1351, 0x3F4D6902EDBBFFD760E9FC1340B44D45,
    ),
    Erratum(
        "llmonpro.E1-square", ("llmonpro",), f"{_CARRY}, in a squaring", _EXACT_CARRY,
        2**128 - 159, {"d": 16},
        0xF70164451EBC2D5CC437B2F897DE9E3, 0xF70164451EBC2D5CC437B2F897DE9E3,
    ),
    *(_carry_erratum(n, d) for n, d in PARAMETER_SETS),
    Erratum(
        "llmonpro.E2", ("llmonpro",),
        "the result is A*B/R mod M",
        "it is congruent to it and, for A, B < M, below 3M: two subtractions may be needed",
        465, {"d": 3}, 441, 455,
        _result("Z < 2M", "LLMonPro, Algorithm 5", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        "llmonpro.E3", ("vdf",),
        "results may be squared again for any modulus of n bits",
        "only for 4M(1 + (2k-2)/beta) <= R; d*k >= N + 3 is always enough",
        2**128 - 159, {"d": 16, "t": 12}, 2, 0,
    ),
    Erratum(
        "llmonpro.E4", ("llmonpro",),
        "the loops of Algorithm 7 stop at digit k - 1, so that digit 2k of Q*M is lost",
        "they go to digit k, as those of Algorithm 5 do",
        2**256 - 63, {"d": 16, "variant": "alg7"},
        2**256 - 0xD4713D60C8A70639EB1167B367A9C379, 2**256 - 0xE3C04F1AC0DCF993B49313D025F459,
    ),
    Erratum(
        "llmonpro.E4b", ("llmonpro",),
        "the loops of Algorithm 7 stop at digit k - 1, so that digit 2k of A*B is lost",
        "they go to digit k, as those of Algorithm 5 do",
        2**128 - 159, {"d": 16, "variant": "alg7"}, 2 * (2**128 - 159) - 1, 2 * (2**128 - 159) - 1,
    ),
    Erratum(
        "llmonpro.E6", ("ozturk",),
        "the product has 2k + 2 digits",
        "2k + 3: the last one is 0 only for products below beta^(2k+2)",
        0, {"d": 16, "k": 8}, largest(16, 9), largest(16, 9),
    ),
    Erratum(
        "llmonpro.E7", ("ozturk",),
        "sums have 2d bits, and digits d + 1, whatever k is",
        "true for k <= 2^(d-1) - 1",
        0, {"d": 2, "k": 2}, Written((5, 6, 5), 2), Written((6, 7, 3), 2),
    ),
    Erratum(
        "llmonpro.E7b", ("ozturk",),
        "sums have 2d bits, whatever k is",
        "true for k <= 2^(d-1) - 1; with k = 2^(d-1) + 1, digits of beta - 1 times digits of beta + 1 have a sum that "
        "does not fit",
        0, {"d": 3, "k": 5}, Written((7,) * 6, 3), Written((9,) * 6, 3),
    ),
    Erratum(
        "llmonpro.E10", ("llmonpro",),
        "T0 + S0 carries 0 or 1 into the high half, so that S0 is not needed",
        "with redundant digits 0 to 3, and the top digit of S0 is needed for it",
        257, {"d": 3}, 3, 171,
        at_most("carry", "carry <= 1", "LLMonPro, Algorithm 2", lambda run, _: 1),
    ),
)  # fmt: skip
"""Every erratum of the models that are here."""


@dataclass(frozen=True)
class FormulaErratum:
    """An erratum about a formula of Algorithm 3 of the FPMM paper; what shows it are units that the paper has."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str
    paper: str
    quantity: str
    units: tuple[tuple[str, int], ...]
    """(specification code, bits of the modulus)"""
    as_printed: Callable[[Design], int]
    as_corrected: Callable[[Design], int]

    @property
    def kind(self) -> str:
        return "formula"

    @property
    def values(self) -> tuple[tuple[str, int, int, int], ...]:
        """For each unit (code, bits, what the printed formula gives, what the corrected one gives)."""
        designs = [(code, bits, Design.parse(code, bits)) for code, bits in self.units]
        return tuple((code, bits, self.as_printed(unit), self.as_corrected(unit)) for code, bits, unit in designs)


FORMULA_ERRATA: tuple[FormulaErratum, ...] = (
    FormulaErratum(
        "fpmm.E1", ("fpmm",),
        "lambda = alpha*sigma*(s-1) + alpha_min + s + epsilon",
        "lambda = alpha*(s-1) + alpha_min + s + epsilon: alpha = sigma*theta contains sigma",
        "fpmm", "lambda",
        (("F44B", 128), ("F28B", 256), ("F48B", 256)),
        lambda unit: unit.alpha * unit.sigma * (unit.s - 1) + unit.alpha_min + unit.s + unit.epsilon,
        lambda unit: unit.latency,
    ),
    FormulaErratum(
        "fpmm.E2", ("fpmm",),
        "sigma_min = ceil(alpha_min/w)",
        "sigma_min = ceil(alpha_min/theta)",
        "fpmm", "sigma_min",
        (("F44B", 128), ("F35B", 128), ("F28B", 256)),
        lambda unit: -(-unit.alpha_min // unit.w),
        lambda unit: unit.sigma_min,
    ),
    FormulaErratum(
        "fpmm.E3", ("fpmm",),
        "Lambda(k) = tau*floor((k-1)/sigma) + theta*(k - 1 mod sigma) + lambda",
        "(k-1) mod sigma, not k - (1 mod sigma)",
        "fpmm", "Lambda(8)",
        (("F44B", 128), ("F48B", 256)),
        lambda unit: unit.interval * (7 // unit.sigma) + unit.theta * (8 - 1 % unit.sigma) + unit.latency,
        lambda unit: unit.time(8),
    ),
    FormulaErratum(
        "fpmm.E6", ("fpmm",),
        "tau is less than lambda",
        "lambda - tau = alpha_min - alpha + s + epsilon, which is negative with many LMs",
        "fpmm", "1 if tau is less than lambda",
        (("F48B", 256), ("S48B", 256)),
        lambda unit: 1,
        lambda unit: int(unit.interval < unit.latency),
    ),
)  # fmt: skip
"""Every erratum about formulas."""


@dataclass(frozen=True)
class OperationErratum:
    """An erratum about an operation on digits or integers that no request reaches; what shows it is one example."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str
    operation: str
    """What is worked out, with its operands."""
    promised: int
    """The value, or the largest value, that follows from the text."""
    found: Callable[[], int]
    """What comes out."""

    @property
    def kind(self) -> str:
        return "operation"


def _beyond_the_last_digit() -> int:
    algorithm = orup.resolve(13, {"r": 4})
    *_, (_, _, S) = orup.steps(algorithm, [0, 0, 0, 15], 2 * algorithm.added - 1)
    return int(S)


def _overflow() -> int:
    X = [2**15 - 1, 2**15 - 1]
    return int(value_of(digits.add(digits.add(X, X, 15), [0, 0], 15), 15))


def _digit_of_a_sum(y: int, X: list[int], C: list[int], r: int) -> int:
    return int(digits.accumulate([x * y for x in X], C, r)[2])


def _sum_of_ffm2(a: int, b: int) -> int:
    return ffm2.MODEL.run(ffm2.resolve(71, {}), a, b).at("q+r")


def _taken_by_effm(modulus: int) -> bool:
    try:
        effm.resolve(modulus, {})
    except ParameterError:
        return False
    return True


OPERATION_ERRATA: tuple[OperationErratum, ...] = (
    OperationErratum(
        "redundant.E7", ("orup",),
        "A has m + 3 digits and gives a result below 2M~",
        "digit m + 2 of A has to be 0, which A < 2M~ ensures: nothing divides what it is multiplied with",
        "S for M = 13, r = 4, a = [0, 0, 0, 15], B = 2M~ - 1 = 285",
        285, _beyond_the_last_digit,
    ),
    OperationErratum(
        "redundant.E18", ("redundant",),
        "the sum of two numbers of d digits has d digits",
        "only if it is below 2^(d*r), which the highest digit does not show: its overlap bits are lost in the next sum",
        "(X + X) + 0 for r = 15, X = [2^15 - 1, 2^15 - 1]",
        2 * (2**30 - 1), _overflow,
    ),
    OperationErratum(
        "redundant.E19", ("redundant",),
        "digits of products and sums have r + 2 bits, for any r",
        "additions need r >= 2, products r >= 3, multiply-accumulate r >= 4",
        "digit 2 of X*y for r = 2, X = [15, 1, 1], y = 15, beside the largest digit",
        15, lambda: _digit_of_a_sum(15, [15, 1, 1], [0, 0, 0, 0], 2),
    ),
    OperationErratum(
        "redundant.E19b", ("redundant",),
        "the same for X*y + C",
        "r >= 4",
        "digit 2 of X*y + C for r = 3, X = [31, 2, 1], y = 31, C = [0, 31, 31, 0], beside the largest digit",
        31, lambda: _digit_of_a_sum(31, [31, 2, 1], [0, 31, 31, 0], 3),
    ),
    OperationErratum(
        "hffm.E15", ("hffm",),
        "the half Barrett may leave more than 2*f*l^b",
        "with the bits of c2 from 2n downwards, not for the primes of Table I; it does where N = n + 1",
        "most subtractions of f*l^b over these primes",
        2, lambda: max(hffm.resolve(prime, {}).barrett.corrections for prime in _SIDH_PRIMES),
    ),
    OperationErratum(
        "hffm.E16", ("hffm",),
        "cycle 4 of a product of two N/2 bit numbers finishes the upper 5N/6 bits",
        "the 4N/6 that are left: 2N/6 of the N bits are finished after cycle 2",
        "bits left for SIKEp610, N = 306",
        255, lambda: hffm.resolve(_P610, {}).N * 4 // 6,
    ),
    OperationErratum(
        "hffm.E18", ("ffm2",),
        "0 <= r + q < 2p",
        "r + q <= 2p - 3, and less in practice",
        "the largest r + q for p = 71",
        141, lambda: max(_sum_of_ffm2(a, b) for a in range(71) for b in range(a, 71)),
    ),
    OperationErratum(
        "hffm.E24", ("effm", "ffm1"),
        "a and b are even",
        "and at least 2: R has to be even",
        "1 if p = 17 = 2*2^0*3^2 - 1 is taken",
        1, lambda: int(_taken_by_effm(17)),
    ),
)  # fmt: skip
"""Every erratum about operations."""


@dataclass(frozen=True)
class FigureErratum:
    """An erratum about printed figures; what shows it is that they differ from ours."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str
    paper: str

    @property
    def kind(self) -> str:
        return "figure"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The figures that it is about."""
        return tuple(finding for finding in papers.paper(self.paper).findings if finding.erratum == self.id)


FIGURE_ERRATA: tuple[FigureErratum, ...] = (
    FigureErratum(
        "iddmm.E22", ("iddmm2",),
        "AND and XOR gates of architecture 2 in Table 4",
        "they leave out 4k full and 2k half adders that Table 3 charges; with them architecture 2 saves k - 1 AND and "
        "k - 2 XOR gates over architecture 1",
        "iddmm",
    ),
    FigureErratum(
        "iddmm.E23", _IDDMM,
        "full and half adders in Table 3",
        "both architectures work with 4k - 2 full and 2k + 2 half adders, architecture 2 with one XOR gate more",
        "iddmm",
    ),
    FigureErratum(
        "iddmm.E24", _IDDMM,
        "critical paths in Table 3",
        "with fewer than two pipeline levels there is also the way from X_0*Y_i through S and p'*S_0 to q",
        "iddmm",
    ),
    FigureErratum(
        "iddmm.E25", ("iddmm2",),
        "times, throughputs and efficiencies in Tables 5, 6 and 7",
        "version 4 has a pipeline level and takes n(n+3) cycles; the times fit n(n+2), or nothing, and some figures "
        "do not follow from those beside them",
        "iddmm",
    ),
    FigureErratum(
        "fpmm.E18", ("fpmm",),
        "mean rates per resource of F44D on Virtex-7 and of MA16 on Virtex-5 in Table IV",
        "they are no means of the four rates beside them; the second one has its point in the wrong place",
        "fpmm",
    ),
    FigureErratum(
        "redundant.E20", ("redundant",),
        "two products take twice as many cycles",
        "one more than twice: the second product enters a cycle after the first, and a third one another cycle later",
        "redundant",
    ),
    FigureErratum(
        "redundant.E21", ("redundant",),
        "76.6 ns a product for three products of 256 bits",
        "47 cycles at the printed clock are 75.65 ns a product",
        "redundant",
    ),
    FigureErratum(
        "redundant.E22", ("redundant",),
        "slices of 504 bits for two and three products, relative to one",
        "1.36 and 1.57: the printed ones were divided by the flip-flops of one, 1248, not by its slices, 1135",
        "redundant",
    ),
    FigureErratum(
        "redundant.E23", ("redundant",),
        "27 cycles a product, against 34 of another work",
        "27 is a third of 80 cycles for three products, rounded up; one product takes 26, and the other work's 34 is a "
        "half of 68, too",
        "redundant",
    ),
    FigureErratum(
        "redundant.E24", ("redundant",),
        "15 cycles a product for three products at 207 MHz",
        "47 cycles for three; 15 each only in a stream without gaps, and 15 in all only for one, at another clock",
        "redundant",
    ),
    FigureErratum(
        "hffm.E17", ("hffm",),
        "36 DSPs for SIKEp434 in Table I",
        "nine multipliers of N/6 = 37 bits take 81 DSPs as they take them for the other primes, tiles of 17 by 17 bits",
        "hffm",
    ),
    FigureErratum(
        "llmonpro.E25", ("llmonpro",),
        "DSP blocks of the rows of Table 1 with k = 2",
        "the other twelve rows are 3(k+1)^2 digit products of 1, 4 or 16 blocks; these are fewer, and the paper does "
        "not say why",
        "llmonpro",
    ),
)  # fmt: skip
"""Every erratum about figures."""


@dataclass(frozen=True)
class TextErratum:
    """An erratum about words: there is nothing that could be computed and come out wrong."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str

    @property
    def kind(self) -> str:
        return "text"


TEXT_ERRATA: tuple[TextErratum, ...] = (
    TextErratum(
        "llmonpro.E5", ("llmonpro",),
        "T1 and S1 have digits 0 to k + 1, Z has k + 2 digits and the next operand k + 1",
        "T1 has k + 3 digits, digit k + 1 of E enters nothing, and k + 1 digits of Z are enough for a result below "
        "beta^(k+1)",
    ),
    TextErratum(
        "llmonpro.E8", ("redmonpro",),
        "Algorithm 3 reads r and s, which nothing sets",
        "they are R and S",
    ),
    TextErratum(
        "llmonpro.E9", ("redmonpro",),
        "Algorithm 3 returns T1 at once where T0 is 0",
        "right for A, B < M only, which the model asks for: with R = 2^8 and M = 3, 128*128 would give 64",
    ),
    TextErratum(
        "llmonpro.E11", ("llmonpro",),
        "the pragmas of Algorithm 7 ask for three cycles, the text speaks of one",
        "the listing says what is computed, and nothing about time",
    ),
    TextErratum(
        "llmonpro.E13", ("ozturk",),
        "Algorithms 6 and 8 use d without declaring it, have 16 and 0xFFFF in places, and never use l",
        "d is a macro and the mask is beta - 1",
    ),
    TextErratum(
        "llmonpro.E15", ("llmonpro",),
        "the clock frequency of the tables is given in ns",
        "it is a period",
    ),
    TextErratum(
        "llmonpro.E17", ("vdf",),
        "chains of 10000 squarings were compared with Sage for random moduli of n bits",
        "with a modulus of n bits the printed method leaves its digits after about ten squarings; neither the moduli "
        "nor what was compared are printed",
    ),
    TextErratum(
        "llmonpro.E23", ("llmonpro",),
        "512 bits have a latency of 46.72 ns",
        "that is the path after routing; the clock that was used has a period of 50 ns",
    ),
)  # fmt: skip
"""Every erratum about words."""
