# SPDX-License-Identifier: Apache-2.0
"""Errata of the FPMM paper."""

from collections.abc import Callable
from fractions import Fraction

from limbtrace.refmodels.erratum import (
    REMARK,
    UNCERTAIN,
    AnyErratum,
    Erratum,
    FigureErratum,
    FormulaErratum,
    OperationErratum,
    StatementErratum,
    TextErratum,
    about_result,
)
from limbtrace.refmodels.figures import Figures
from limbtrace.refmodels.model import Claim, Index, Run, at_most
from limbtrace.refmodels.papers.fpmm import cios, fpmm
from limbtrace.refmodels.papers.fpmm.design import Design
from limbtrace.refmodels.papers.fpmm.figures import FIGURES


def _printed_carry_holds(run: Run, index: Index, value: int) -> bool:
    """us_p added again, although the words u already contain it."""
    p: fpmm.Fpmm = run.params
    g = index[0]
    row = sum(run.at("u", g, j) << (p.radix_bits * j) for j in range(p.digits))
    return value == (row + run.at("us_p", g) + run.at("q", g) * p.modulus + run.at("c_p", g)) >> p.r_bits


def _open_parenthesis_holds(run: Run, index: Index, value: int) -> bool:
    """T_(i-1) + a_i*b_0*P', with the parentheses as printed in equation 3; a and b are 0 in an idle visit."""
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


_FIGURE_1 = Design(s=2, sigma=3, theta=2, w=17)


def _damaged_neighbour() -> int:
    params = fpmm.resolve(13, {"w": 3, "s": 2, "sigma": 2})
    return fpmm.run_stream(params, [(31, 62), (1, 1)]).results[1]


_TIME = "time of 8 products"
_FULL = Fraction(1000, 16)
"""Thousands of products in 10^6 cycles of a full F44."""


def _rate(paper: Figures, design: str, interval: int) -> Fraction:
    """Thousands of products per second and slice, with one every `interval` cycles."""
    return 1000 * paper.number(design, 128, "frequency") / interval / paper.number(design, 128, "slices")


def _rate_of_8(paper: Figures, design: str) -> Fraction:
    return 8 * 10**6 / paper.number(design, 128, _TIME) / paper.number(design, 128, "slices")


def _ratio(paper: Figures, design: str, bits: int, metric: str) -> Fraction:
    """The ratio of MA16 to the design on the same FPGA."""
    other = f"MA16 {design.partition(' ')[2]}"
    return paper.number(other, bits, metric) / paper.number(design, bits, metric)


def _of(quantity: Callable[[Design], int]) -> Callable[[str, int], int]:
    """The quantity of a unit by its specification code and the bits of its modulus."""
    return lambda code, bits: quantity(Design.parse(code, bits))


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        id="fpmm.E7",
        models=(cios.MODEL, fpmm.MODEL),
        place="section III.F, eq. 5",
        quote="0 ≤ B, T_{i−1} < 2P < 2^{m−1}",
        printed="every partial result T is below 2P",
        corrected="T is below B + P during the loop; only the last one is below 2P",
        modulus=3,
        settings={"w": 2, "s": 2},
        a=3,
        b=5,
        claim=at_most("T", "T < 2P", "FPMM, eq. 5", lambda run, _: 2 * run.params.modulus - 1),
    ),
    Erratum(
        id="fpmm.E8",
        models=(cios.MODEL, fpmm.MODEL),
        place="section III.F, eq. 6",
        quote="0 ≤ u^{(c)}_s < 2^{w−1}",
        printed="the carry word us is below 2^(w-1)",
        corrected="it may reach 2^(w-1)",
        modulus=127,
        settings={"w": 3, "s": 3},
        a=62,
        b=253,
        claim=at_most("us", "us < W/2", "FPMM, eq. 6", lambda run, _: run.params.radix // 2 - 1),
    ),
    Erratum(
        id="fpmm.E9",
        models=(fpmm.MODEL,),
        place="section III.F, the value of c before eq. 7",
        quote="+ u^{(p)}_s + q^{(c)}_i × P + c^{(p)}",
        printed="the carry c of a row adds the us that enters to the sum of the words u",
        corrected="these words contain it",
        modulus=59,
        settings={"w": 4, "s": 2, "sigma": 1},
        a=63,
        b=117,
        claim=Claim(
            "printed",
            "c = (U + us_p + q*P + c_p) >> m with U the words u",
            "FPMM, section III.C",
            "cs",
            _printed_carry_holds,
        ),
    ),
    Erratum(
        id="fpmm.E10",
        models=(fpmm.MODEL,),
        place="section III.F, eq. 3",
        quote="T^{(n)}_{i−1} + a^{(n)}_i × b^{(n)}_0 × P′",
        standing=UNCERTAIN,
        printed="eq. 3 opens two parentheses and closes one: as it stands, P' multiplies a_i*b_0 alone",
        corrected="q = ((T + a_i*b_0)*P') mod W, T being its low word, as at the beginning of the section: a "
        "parenthesis is lost, in the paper or in our copy",
        modulus=13,
        settings={"w": 3, "s": 2, "sigma": 1},
        a=17,
        b=11,
        claim=Claim("printed", "q = (T + a_i*b_0*P') mod W", "FPMM, eq. 3", "q", _open_parenthesis_holds),
    ),
    Erratum(
        id="fpmm.E11",
        models=(fpmm.MODEL,),
        place="Algorithm 2, first line",
        quote="t_{0...s−1} ← 0; d ← 0; c ← 0",
        printed="d and c are cleared when a product begins",
        corrected="once for the whole stream: what the LM before left in them is part of its top word",
        modulus=13,
        settings={"w": 3, "s": 2, "sigma": 2},
        a=5,
        b=7,
        others=((9, 9), (20, 21), (25, 25)),
    ),
    Erratum(
        id="fpmm.E12",
        models=(fpmm.MODEL,),
        place="caption of Algorithm 2",
        quote="computed at iteration i in the next LM",
        printed="the top word comes from the next LM at the same iteration",
        corrected="from the next visit, which for the last LM is the next iteration of LM 0",
        modulus=13,
        settings={"w": 3, "s": 2, "sigma": 1},
        a=17,
        b=11,
    ),
    Erratum(
        id="fpmm.E13",
        models=(fpmm.MODEL,),
        place="Algorithm 2, line 5",
        quote="q_i ← (v_0 × P′) mod 2^w",
        standing=REMARK,
        printed="Algorithm 2 takes q from v_0, where Algorithm 1 takes it from u_0",
        corrected="it has to: its u_0 contains the carry of the visit before, so that u_0*P' is another number; "
        "and it is a stream of visits, in which line 8 takes a word of a later one",
        modulus=127,
        settings={"w": 3, "s": 3, "sigma": 1},
        a=62,
        b=253,
        claim=Claim("printed", "q = u_0*P' mod W", "FPMM, Algorithm 1, task 2", "q", _after_carry_holds),
    ),
    Erratum(
        id="fpmm.E14",
        models=(cios.MODEL, fpmm.MODEL),
        place="Algorithm 1, output",
        quote="T ≡ (AB 2^{−m}) mod P",
        standing=REMARK,
        printed="T = A*B*2^-m mod P, a congruence, with P' = -P^-1 mod 2^w",
        corrected="both are right: P' finds Q word by word; only Q found as a whole, (A*B + Q*P) / 2^m, takes "
        "-P^-1 mod 2^m",
        modulus=13,
        settings={"w": 3, "s": 2},
        a=17,
        b=11,
        claim=about_result("T * 2^m = A*B + (A*B*P' mod 2^m)*P", "FPMM, Algorithm 1", _narrow_inverse_holds),
    ),
    FormulaErratum(
        id="fpmm.E1",
        models=(fpmm.MODEL,),
        place="Algorithm 3, line 17",
        quote="λ ← α × σ × (s − 1) + α_min + s + ε",
        printed="lambda = alpha*sigma*(s-1) + alpha_min + s + epsilon",
        corrected="lambda = alpha*(s-1) + alpha_min + s + epsilon: alpha = sigma*theta contains sigma",
        figures=FIGURES,
        quantity="lambda",
        units=(("F44B", 128), ("F28B", 256), ("F48B", 256)),
        as_printed=_of(lambda unit: unit.alpha * unit.sigma * (unit.s - 1) + unit.alpha_min + unit.s + unit.epsilon),
        as_corrected=_of(lambda unit: unit.latency),
    ),
    FormulaErratum(
        id="fpmm.E2",
        models=(fpmm.MODEL,),
        place="Algorithm 3, line 13",
        quote="σ_min ← ⌈α_min/w⌉",
        printed="sigma_min = ceil(alpha_min/w)",
        corrected="sigma_min = ceil(alpha_min/theta)",
        figures=FIGURES,
        quantity="sigma_min",
        units=(("F44B", 128), ("F35B", 128), ("F28B", 256)),
        as_printed=_of(lambda unit: -(-unit.alpha_min // unit.w)),
        as_corrected=_of(lambda unit: unit.sigma_min),
    ),
    FormulaErratum(
        id="fpmm.E3",
        models=(fpmm.MODEL,),
        place="Algorithm 3, line 19",
        quote="+ θ (k − 1 mod σ) + λ",
        standing=REMARK,
        printed="Lambda(k) = tau*floor((k-1)/sigma) + theta*(k - 1 mod sigma) + lambda",
        corrected="mod is to be applied last, (k-1) mod sigma, as the printed times show; k - (1 mod sigma) is "
        "what a program would make of it",
        figures=FIGURES,
        quantity="Lambda(8)",
        units=(("F44B", 128), ("F48B", 256)),
        as_printed=_of(
            lambda unit: unit.interval * (7 // unit.sigma) + unit.theta * (8 - 1 % unit.sigma) + unit.latency
        ),
        as_corrected=_of(lambda unit: unit.time(8)),
    ),
    FormulaErratum(
        id="fpmm.E6",
        models=(fpmm.MODEL,),
        place="section III.A",
        quote="denoted τ, is less than λ",
        printed="tau is less than lambda",
        corrected="lambda - tau = alpha_min - alpha + s + epsilon, which is negative with many LMs",
        figures=FIGURES,
        quantity="1 if tau is less than lambda",
        units=(("F48B", 256), ("S48B", 256)),
        as_printed=_of(lambda unit: 1),
        as_corrected=_of(lambda unit: int(unit.interval < unit.latency)),
    ),
    FigureErratum(
        id="fpmm.E18",
        models=(fpmm.MODEL,),
        place="Table IV, 256 bits, Virtex-5",
        quote="MA16 14.9 / 5.6 / 4.8 1.0 0.3 0.77",
        printed="mean rates per resource of F44D on Virtex-7 and of MA16 on Virtex-5 in Table IV",
        corrected="they are no means of the four rates beside them; the second one has its point in the wrong place",
        figures=FIGURES,
    ),
    OperationErratum(
        id="fpmm.E15",
        models=(fpmm.MODEL,),
        place="Algorithm 2, input",
        quote="such that 0 ≤ A,B < 2P",
        standing=REMARK,
        printed="operands of a product are below 2P",
        corrected="the products in the other LMs depend on it, too: a carry that does not fit the shared word "
        "damages the next product, even where the result of this one is not used",
        operation="the product of 1 and 1 for P = 13, W = 2^3, s = 2, in the LM behind that of 31 and 62",
        promised=12,
        found=_damaged_neighbour,
    ),
    OperationErratum(
        id="fpmm.E17",
        models=(fpmm.MODEL,),
        place="section III.A, on figure 1",
        quote="C2: load (a1, b1) and start A×B in LM1",
        standing=REMARK,
        printed="figure 1, an illustration: lambda - tau = 2, and A*B starts in cycle C2",
        corrected="with the delays of Algorithm 3, s = 2 and sigma = 3 have lambda = 21 and tau = 12; memories "
        "take the cycles before C5, in which the first words enter a DSP block",
        operation="lambda - tau of the unit of figure 1, for W = 2^17",
        promised=2,
        found=lambda: _FIGURE_1.latency - _FIGURE_1.interval,
    ),
    FormulaErratum(
        id="fpmm.E4",
        models=(fpmm.MODEL,),
        place="section III.F, end",
        quote="The latency reduction impacts the FPMM pipeline configuration",
        standing=REMARK,
        printed="sigma = ceil(alpha/s) cycles",
        corrected="sigma counts LMs, and ceil(alpha_min/theta) is the fewest; with the alpha = sigma*theta of "
        "Algorithm 3 the formula gives the sigma that was chosen",
        figures=FIGURES,
        quantity="sigma",
        units=(("F48B", 256), ("S48B", 256)),
        as_printed=_of(lambda unit: -(-unit.alpha // unit.s)),
        as_corrected=_of(lambda unit: unit.sigma_min),
    ),
    FormulaErratum(
        id="fpmm.E5",
        models=(fpmm.MODEL,),
        place="section III.C",
        quote="without the improvement from Section III-F",
        standing=REMARK,
        printed="without the improvement of section III.F, 3 LMs for 128 bits are the fewest",
        corrected="with it, theta is s instead of s + 1, and it takes 4",
        figures=FIGURES,
        quantity="sigma_min",
        units=(("F44B", 128), ("S44B", 128)),
        as_printed=_of(lambda unit: -(-unit.alpha_min // (unit.s + 1))),
        as_corrected=_of(lambda unit: unit.sigma_min),
    ),
    FormulaErratum(
        id="fpmm.E16",
        models=(fpmm.MODEL,),
        place="section III.F, after Algorithm 2",
        quote="require 4 clock cycles, plus 1 extra clock for carry propagation (words of index j = s = 4)",
        standing=REMARK,
        printed="4 clock cycles, and iteration j = 4, for the example s = 4",
        corrected="in general s cycles, and j = s",
        figures=FIGURES,
        quantity="s",
        units=(("F44B", 128), ("F28B", 256)),
        as_printed=_of(lambda unit: 4),
        as_corrected=_of(lambda unit: unit.s),
    ),
    FormulaErratum(
        id="fpmm.E19",
        models=(fpmm.MODEL,),
        place="section III.D",
        quote="Reduced latency λ of s × s cycles instead of s × (s + 1)",
        printed="the latency lambda is s*s cycles with the reduction and s*(s+1) without",
        corrected="these are mean cycles between two products; lambda is 75 instead of 72 for 128 bits",
        figures=FIGURES,
        quantity="lambda",
        units=(("F44B", 128), ("F35B", 128), ("F28B", 256), ("F29B", 256)),
        as_printed=_of(lambda unit: unit.s * unit.theta),
        as_corrected=_of(lambda unit: unit.latency),
    ),
    StatementErratum(
        id="fpmm.E20",
        models=(fpmm.MODEL,),
        place="section V.C, on Table IV",
        quote="respectively 129k and 37k MMMs can be computed per second per logic slice",
        printed="129 and 37 thousand products a second and slice",
        corrected="the first is the rate of a full pipeline, the second that of 8 products; like with "
        "like they are 129 and "
        "38.5, or 109 and 36.8",
        figures=FIGURES,
        worked_out=lambda paper: {
            "thousands of F44D, full": _rate(paper, "F44D on V7", 16),
            "thousands of MA16, full": _rate(paper, "MA16 on V7", 20),
            "thousands of F44D, 8 products": _rate_of_8(paper, "F44D on V7"),
            "thousands of MA16, 8 products": _rate_of_8(paper, "MA16 on V7"),
        },
    ),
    StatementErratum(
        id="fpmm.E21",
        models=(fpmm.MODEL,),
        place="introduction",
        quote="our most efficient solutions are 2 times faster as well as 2 times smaller than state of the art one",
        standing=REMARK,
        printed="for 128 bits at least twice as fast as MA16 and half as large",
        corrected="true on Virtex-7 in DSP blocks, 9 instead of 21, and nearly in LUTs; in slices no FPGA has both",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"{what} of MA16 over {unit}": _ratio(paper, unit, 128, metric)
            for unit in ("F44B on V4", "F44B on V5", "F44D on S6", "F44D on V7")
            for what, metric in (("time", _TIME), ("slices", "slices"))
        },
    ),
    StatementErratum(
        id="fpmm.E22",
        models=(fpmm.MODEL,),
        place="section V.C, on figure 7",
        quote="For only one or two MMMs, MA16 is more efficient than FPMM",
        printed="MA16 is the better one for one or two products",
        corrected="F44D is faster for two, 79 cycles against 47; the statement is true of F44B and S44B",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"ns for two products, {unit}": cycles * 1000 / paper.number(f"{unit} on V7", 128, "frequency")
            for unit, cycles in (("F44D", 79), ("F44B", 79), ("S44B", 78), ("MA16", 47))
        },
    ),
    StatementErratum(
        id="fpmm.E23",
        models=(fpmm.MODEL,),
        place="section V.C, on figure 8",
        quote="The area variations among S44B, F44B and F44D are smaller than ±10 %",
        standing=REMARK,
        printed="S44B, F44B and F44D differ by less than +-10 % on Virtex-7",
        corrected="true around the middle of the three; relative to F44D, as in figure 8, S44B has 12.8 % fewer LUTs",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"LUTs of {unit}": paper.number(f"{unit} on V7", 128, "LUTs") for unit in ("S44B", "F44B", "F44D")
        },
    ),
    StatementErratum(
        id="fpmm.E24",
        models=(fpmm.MODEL,),
        place="section V.C, end",
        quote="MA16 multiplier is at most 1.5 times faster but it requires 4.1 times more DSP slices and 3.9 "
        "times more LUTs",
        standing=REMARK,
        printed="for 256 bits MA16 is at most 1.5 times as fast, with 4.1 times the DSP blocks and 3.9 times the LUTs",
        corrected="these are the ratios to F48B on Virtex-4, the fastest unit there; those to other units and "
        "FPGAs lie on both sides",
        figures=FIGURES,
        worked_out=lambda paper: {
            f"{what} of {unit}": value
            for unit in ("F48B on V4", "F28B on V4", "F48B on V5", "F28D on V7")
            for what, value in (
                ("time, in that of MA16,", 1 / _ratio(paper, unit, 256, _TIME)),
                ("LUTs of MA16, in those", _ratio(paper, unit, 256, "LUTs")),
            )
        },
    ),
    StatementErratum(
        id="fpmm.E25",
        models=(fpmm.MODEL,),
        place="figure 9, axis BRAM",
        quote="458k 917k",
        printed="917 thousand products a second and BRAM, in products a second and resource unit",
        corrected="and Kb of BRAM; Table IV has the rate per BRAM",
        figures=FIGURES,
        worked_out=lambda paper: {
            "thousands per Kb, F44B on V7": _FULL
            * paper.number("F44B on V7", 128, "frequency")
            / paper.number("F44B on V7", 128, "BRAMs")
            / paper.number("F44B on V7", 128, "BRAM size"),
            "thousands per BRAM": _FULL
            * paper.number("F44B on V7", 128, "frequency")
            / paper.number("F44B on V7", 128, "BRAMs"),
        },
    ),
    TextErratum(
        id="fpmm.E26",
        models=(fpmm.MODEL,),
        place="Algorithm 3, line 12",
        quote="α_min ← 2×⌈w/17⌉^2 + 4×⌈w/17⌉ − 1",
        standing=REMARK,
        printed="for words of 17 bits the formula gives alpha_min = 5",
        corrected="the paper has no figure for them; tasks 2 and 3 and the shift make 7 slots with DSP blocks of "
        "three stages, and 13 with the registers of this model",
    ),
    TextErratum(
        id="fpmm.E27",
        models=(fpmm.MODEL,),
        place="section III.E",
        quote="spread the three 17×17 multiplications at different cycles in only one DSP slice",
        standing=REMARK,
        printed="for w = 34 one DSP block finds the quotient digits",
        corrected="for other widths it needs r(r+1)/2 cycles a digit, r = w/17, and there is one every theta: "
        "with w = 51 and 128 bits, or w = 68, it takes more blocks",
    ),
    TextErratum(
        id="fpmm.E28",
        models=(fpmm.MODEL,),
        place="section III.H",
        quote="reads 3 w-bit words from P at every clock cycle in task 3",
        standing=REMARK,
        printed="task 3 of the authors' circuit reads three words of P in a cycle",
        corrected="a fact about that circuit; our core reads four half words, at four delays",
    ),
)
