# SPDX-License-Identifier: Apache-2.0
"""Where the papers are wrong as printed: what they say, what is right, and operands that show it.

An erratum of kind "form" makes the printed form of a model return another integer than the corrected one; an erratum
of kind "claim" is a printed statement that the (right) computation breaks; one of kind "formula" is a printed formula
that does not give the figures of the paper itself; one of kind "figure" is about figures in tables.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from refmodels import registry
from refmodels.algorithms import cios, fpmm, mwr2kmm
from refmodels.fpmm import Design
from refmodels.model import PRINTED, Claim, Index, Run, at_most
from refmodels.published import papers
from refmodels.published.figures import Finding


@dataclass(frozen=True)
class Erratum:
    """One erratum with the product that shows it."""

    id: str
    models: tuple[str, ...]
    printed: str
    corrected: str
    modulus: int
    settings: Mapping[str, int]
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
)  # fmt: skip
"""Every erratum about figures."""
