# SPDX-License-Identifier: Apache-2.0
"""Errata of the IDDMM paper."""

from limbtrace.refmodels.erratum import (
    ERRATUM,
    REMARK,
    UNCERTAIN,
    AnyErratum,
    CircuitErratum,
    Erratum,
    FigureErratum,
    OnCore,
    TextErratum,
    about_result,
)
from limbtrace.refmodels.model import Claim, Index, Model, Run, at_most
from limbtrace.refmodels.papers.iddmm import iddmm1, iddmm2, iddmm_arch1, iddmm_arch2, imm, mwr2kmm, mwr2mm, r2mm
from limbtrace.refmodels.papers.iddmm.circuits import Mistake, circuit
from limbtrace.refmodels.papers.iddmm.figures import FIGURES

_IDDMM = (iddmm1.MODEL, iddmm2.MODEL)
_WALTER = (imm.MODEL, *_IDDMM)
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
    """Line 10 for word 1 of the first digit, bit position 0: it would add word 0 with its value from line 8."""
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


def _circuit(
    mistake: Mistake,
    product: OnCore,
    id: str,
    models: tuple[Model, ...],
    place: str,
    quote: str,
    printed: str,
    corrected: str,
    standing: str = ERRATUM,
) -> CircuitErratum:
    """A mistake in the circuit of a product."""

    def result(on: OnCore) -> int:
        return circuit(on.architecture.id, on.shape, on.a, on.b, mistake).run()

    return CircuitErratum(
        id=id, models=models, place=place, quote=quote, standing=standing, printed=printed, corrected=corrected,
        product=product, flaw=mistake.value, as_printed=result,
    )  # fmt: skip


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        id="iddmm.E1",
        models=_IDDMM,
        place="Algorithm 1, line 3 and header",
        quote="for i ← 0 to n − 1 do [...] R = β^{n+1}",
        printed="R = beta^(n+1) although the loop of Algorithm 1 makes n passes",
        corrected="passes is a parameter and R = beta^passes",
        modulus=11,
        settings={"k": 2, "passes": 2},
        a=7,
        b=9,
        claim=about_result(
            "result * beta^(n+1) = a*b mod p",
            "IDDMM, header of Algorithm 1",
            lambda run, value: (
                (value * run.params.radix ** (run.params.digits + 1) - run.a * run.b) % run.params.modulus == 0
            ),
        ),
    ),
    Erratum(
        id="iddmm.E1b",
        models=(imm.MODEL,),
        place="figure 4, line 3 and header",
        quote="for i ← 0 to n do [...] R = β^n",
        printed="R = beta^n although the loop of figure 4 makes n + 1 passes",
        corrected="passes is a parameter, n + 1 by default, and R = beta^passes",
        modulus=11,
        settings={"k": 2},
        a=7,
        b=9,
        claim=about_result(
            "result * beta^n = a*b mod p",
            "IDDMM, header of figure 4",
            lambda run, value: (value * run.params.radix**run.params.digits - run.a * run.b) % run.params.modulus == 0,
        ),
    ),
    Erratum(
        id="iddmm.E2",
        models=_IDDMM,
        place="section 3, before Algorithm 1",
        quote="without producing a carry (C_U^{<n>} = 0)",
        printed="the sum of the carries at digit n carries nothing out, so digit n of the accumulator stays 0",
        corrected="digit n of the accumulator takes the carries that leave digit n",
        modulus=13,
        settings={"k": 2},
        a=7,
        b=11,
    ),
    Erratum(
        id="iddmm.E3",
        models=_WALTER,
        place="figure 4, Ensure",
        quote="= X × Y × R^{-1} mod p",
        printed="the result is a*b/R mod p",
        corrected="the result is congruent to it and below p + ab/R",
        modulus=7,
        settings={"k": 2, "passes": 2},
        a=5,
        b=6,
        claim=about_result("result < p", "IDDMM, postcondition", lambda run, value: value < run.params.modulus),
    ),
    Erratum(
        id="iddmm.E4",
        models=_WALTER,
        place="section 3",
        quote="performs one extra iteration, making the conditional final subtraction unnecessary",
        standing=REMARK,
        printed="with one extra iteration no final subtraction is needed",
        corrected="what counts is R >= 4p; the loop of Algorithm 1 as printed makes no extra iteration, and then "
        "a result may be 2p or more",
        modulus=7,
        settings={"k": 4, "passes": 1},
        a=12,
        b=13,
        claim=about_result("result < 2p", "IDDMM, section 3", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        id="iddmm.E5",
        models=_IDDMM,
        place="section 3, before eq. 1",
        quote="with the restriction 0 ≤ X, Y < 2p are expressed as n symbols using β = 2^k as radix",
        printed="operands below 2p are held in n digits",
        corrected="X and the accumulator need digit n, and Y as many digits as there are passes",
        modulus=9,
        settings={"k": 2, "passes": 3},
        a=10,
        b=13,
    ),
    Erratum(
        id="iddmm.E6",
        models=(imm.MODEL,),
        place="section 3, before eq. 1",
        quote="the most significant digit Y_n = 0",
        standing=REMARK,
        printed="Y_n = 0, and n + 1 passes keep the result below 2p",
        corrected="true; for k = 1 the assumption is needed, although an operand below 2p may have a digit n there",
        modulus=7,
        settings={"k": 1},
        a=12,
        b=13,
        claim=about_result("result < 2p", "IDDMM, section 3", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        id="iddmm.E7",
        models=(iddmm2.MODEL,),
        place="Table 1",
        quote="k-bit carry at iteration j",
        standing=REMARK,
        printed="Table 1: the carry C<j> has k bits",
        corrected="true of the multiplier of figure 5; that of Algorithm 2 has k + 1 bits, as section 4 says, "
        "and reaches 2*beta - 2",
        modulus=11,
        settings={"k": 2},
        a=3,
        b=9,
        claim=at_most("C", "C < beta", "IDDMM, Table 1", lambda run, _: run.params.radix - 1),
    ),
    Erratum(
        id="iddmm.E8",
        models=(mwr2mm.MODEL,),
        place="section 2, on figure 2",
        quote="split in e = ⌈n/w⌉ words each of size w",
        printed="S has e = ceil(N/w) words, and word e is cleared after every bit",
        corrected="e = ceil((N+1)/w): bit N of S would be lost where w divides N",
        modulus=11,
        settings={"w": 4},
        a=7,
        b=10,
    ),
    Erratum(
        id="iddmm.E8b",
        models=(mwr2mm.MODEL,),
        place="figure 2, line 6",
        quote="(C_b, S^0) ← S^{(0)} + p^{(0)}",
        printed="the figure ends with neither a subtraction nor a return, and line 6 adds p to S^0",
        corrected="it returns S, below 2p, and S^0 is S^(0)",
        modulus=11,
        settings={"w": 4},
        a=7,
        b=10,
        claim=about_result("result < p", "IDDMM, section 2", lambda run, value: value < run.params.modulus),
    ),
    Erratum(
        id="iddmm.E9",
        models=(mwr2kmm.MODEL,),
        place="figure 3, lines 5 and 14",
        quote="q_Y ← Booth(x_{j+k…j-1}) [...] C_a ← C_a or C_b",
        printed="Booth digits of k + 2 bits, ceil(N/k) digits, ceil(N/w) words, C_a or C_b as the "
        "sign, word ceil(N/w) written",
        corrected="k + 1 bits, D = ceil((N+1)/k) digits, NW = ceil((N+k+2)/w) words, the sign bit, word NW - 1 written",
        modulus=5,
        settings={"k": 3, "w": 4},
        a=4,
        b=1,
    ),
    Erratum(
        id="iddmm.E9a",
        models=(mwr2kmm.MODEL,),
        place="figure 3, line 5",
        quote="q_Y ← Booth(x_{j+k…j-1})",
        printed="a digit of X is recoded from x_(j+k) to x_(j-1)",
        corrected="from the k + 1 bits x_(j+k-1) to x_(j-1)",
        modulus=5,
        settings={"k": 3, "w": 4},
        a=4,
        b=1,
        claim=Claim("printed", "qY is recoded from k + 2 bits", _FIGURE_3, "qY", _longer_recoding_holds),
    ),
    Erratum(
        id="iddmm.E9b",
        models=(mwr2kmm.MODEL,),
        place="figure 3, line 4",
        quote="for j ← 0 to n - 1 step k do",
        printed="X has ceil(N/k) Booth digits",
        corrected="D = ceil((N+1)/k): the last one must see the sign bit 0 of X",
        modulus=5,
        settings={"k": 3, "w": 4},
        a=4,
        b=1,
        claim=about_result(
            "ceil(N/k) digits qY add up to X",
            _FIGURE_3,
            lambda run, _: (
                run.a
                == sum(
                    run.at("qY", i) << (run.params.radix_bits * i)
                    for i in range(-(-run.params.bits // run.params.radix_bits))
                )
            ),
        ),
    ),
    Erratum(
        id="iddmm.E9c",
        models=(mwr2kmm.MODEL,),
        place="figure 3, lines 8 and 10",
        quote="(q_M M)^{(0)} [...] C_a + S^{(j)} + (q_Y * Y)^{(i)}",
        printed="lines 10 and 11 add S^(j) with j the bit position, and line 8 adds q_M*M",
        corrected="they add S^(i), the word that i counts, and qp*p",
        modulus=5,
        settings={"k": 3, "w": 4},
        a=1,
        b=3,
        claim=Claim("printed", "(Ca, Sa) of word i is Ca + S^(j) + (qY*Y)^(i)", _FIGURE_3, "Sa", _bit_position_holds),
    ),
    Erratum(
        id="iddmm.E9e",
        models=(mwr2kmm.MODEL,),
        place="figure 3, lines 14 and 15",
        quote="C_a ← C_a or C_b [...] signExt(C_a",
        printed="the top word is filled with C_a or C_b",
        corrected="with its own sign bit",
        modulus=5,
        settings={"k": 3, "w": 4},
        a=4,
        b=1,
        claim=Claim("printed", "the top word of S is filled with Ca or Cb", _FIGURE_3, "S", _carry_fill_holds),
    ),
    Erratum(
        id="iddmm.E9f",
        models=(mwr2kmm.MODEL,),
        place="figure 3, line 9",
        quote="for i ← 1 to ⌈n/w⌉ - 1 do",
        printed="ceil(N/w) words hold S",
        corrected="NW = ceil((N+k+2)/w) words hold S + qY*Y + qp*p with its sign",
        modulus=3,
        settings={"k": 2, "w": 4},
        a=1,
        b=2,
        claim=Claim("printed", "S + qY*Y + qp*p fits ceil(N/w) words", _FIGURE_3, "Sb", _short_sum_holds),
    ),
    Erratum(
        id="iddmm.E9g",
        models=(mwr2kmm.MODEL,),
        place="section 2",
        quote="n-bit number with 2^{n-1} ≤ p < 2^n and R = 2^n",
        standing=REMARK,
        printed="section 2 has R = 2^n, and no other R for figure 3",
        corrected="figure 3 shifts by k bits for each of its D digits: its R is 2^(k*D)",
        modulus=5,
        settings={"k": 3, "w": 4},
        a=4,
        b=1,
        claim=about_result(
            "result * 2^N = a*b mod p",
            "IDDMM, section 2",
            lambda run, value: ((value << run.params.bits) - run.a * run.b) % run.params.modulus == 0,
        ),
    ),
    Erratum(
        id="iddmm.E10",
        models=(mwr2kmm.MODEL,),
        place="section 2, end",
        quote="q^i is computed as [(S^{(0)} + X^{(0)}Y^{(0)})",
        printed="every quotient digit is found with X^(0)",
        corrected="with the digit of X of its own pass",
        modulus=5,
        settings={"k": 2, "w": 4},
        a=1,
        b=1,
        claim=Claim(
            "printed", "qp of digit i is (S + X^(0)*Y) * (-p^-1) mod 2^k", "IDDMM, section 2", "qp", _first_digit_holds
        ),
    ),
    Erratum(
        id="iddmm.E11",
        models=(r2mm.MODEL,),
        place="figure 1, lines 11 to 13",
        quote="S ← S - p [...] end procedure",
        standing=REMARK,
        printed="figure 1 has no return statement",
        corrected="it returns S after line 11; the S of the loop may still hold p",
        modulus=11,
        settings={},
        a=7,
        b=10,
        claim=about_result(
            "S after the loop is below p",
            "IDDMM, figure 1",
            lambda run, _: run.at("S", run.params.bits - 1) < run.params.modulus,
        ),
    ),
    Erratum(
        id="iddmm.E12",
        models=(imm.MODEL,),
        place="Table 1",
        quote="Result of X × Y × R^{-1} mod p at the end of iteration i",
        printed="A<i> is a*b/R mod p at the end of iteration i",
        corrected="A<i> is the product of X with the digits of Y scanned so far; only the last one is a*b/R",
        modulus=11,
        settings={"k": 2},
        a=7,
        b=9,
        claim=Claim(
            "printed",
            "A * R = a*b mod p",
            "IDDMM, Table 1",
            "A",
            lambda run, _, value: (value * run.params.domain - run.a * run.b) % run.params.modulus == 0,
        ),
    ),
    Erratum(
        id="iddmm.E13",
        models=(iddmm2.MODEL,),
        place="Algorithm 2, line 4",
        quote="C^{<j>} ← 0",
        printed="the carry C<j> is cleared before there is a j",
        corrected="C<0> is cleared when a pass begins, and only then",
        modulus=11,
        settings={"k": 2},
        a=3,
        b=9,
        claim=at_most("C", "C<j> = 0", "IDDMM, Algorithm 2, line 4", lambda run, _: 0),
    ),
    Erratum(
        id="iddmm.E27",
        models=(r2mm.MODEL,),
        place="introduction",
        quote="computed as the Montgomery multiplication A' = A × 2^{2n} mod p",
        standing=REMARK,
        printed="A' = A x 2^(2n) mod p, computed as the Montgomery multiplication",
        corrected="x is the Montgomery operator there, and A' is A*2^n mod p, A in the domain; as a product of "
        "integers it would be another number",
        modulus=11,
        settings={},
        a=7,
        b=3,
        claim=about_result(
            "result = a*b mod p",
            "IDDMM, introduction",
            lambda run, value: (value - run.a * run.b) % run.params.modulus == 0,
        ),
    ),
    FigureErratum(
        id="iddmm.E22",
        models=(iddmm2.MODEL,),
        place="Table 4, row k = 4",
        quote="182 167 9 139 109 5",
        printed="AND and XOR gates of architecture 2 in Table 4",
        corrected="they leave out 4k full and 2k half adders that Table 3 charges; with them "
        "architecture 2 saves k - 1 AND and "
        "k - 2 XOR gates over architecture 1",
        figures=FIGURES,
    ),
    FigureErratum(
        id="iddmm.E23",
        models=_IDDMM,
        place="Table 3",
        quote="(4k-1)FA + (3k+5)HA",
        standing=REMARK,
        printed="full and half adders in Table 3",
        corrected="those of the authors' circuits; both architectures work with 4k - 2 full and 2k + 2 half "
        "adders, architecture 2 with one XOR gate more",
        figures=FIGURES,
    ),
    FigureErratum(
        id="iddmm.E24",
        models=_IDDMM,
        place="Table 3",
        quote="D_MUL + 2D_ADD_3",
        printed="critical paths in Table 3",
        corrected="with fewer than two pipeline levels there is also the way from X_0*Y_i through S and p'*S_0 to q",
        figures=FIGURES,
    ),
    FigureErratum(
        id="iddmm.E25",
        models=(iddmm2.MODEL,),
        place="Table 6, last row",
        quote="68.24 0.35 1.17 4.21",
        printed="times, throughputs and efficiencies in Tables 5, 6 and 7",
        corrected="version 4 has a pipeline level and takes n(n+3) cycles; the times fit n(n+2), or "
        "nothing, and some figures "
        "do not follow from those beside them",
        figures=FIGURES,
    ),
    _circuit(
        Mistake.KEPT,
        OnCore(iddmm_arch1.ARCHITECTURE, 59, {"k": 2}, 57, 15),
        id="iddmm.E14",
        models=_IDDMM,
        place="section 4",
        quote="the instructions 2, 4, 5 and 6 in algorithm 1 can be executed by asserting a reset signal",
        standing=REMARK,
        printed="lines 2, 4, 5 and 6 can be executed by asserting a reset signal",
        corrected="by two: the accumulator is cleared once, the carries at every i",
    ),
    _circuit(
        Mistake.ENABLED,
        OnCore(iddmm_arch2.ARCHITECTURE, 11, {"k": 2}, 3, 9),
        id="iddmm.E14b",
        models=_IDDMM,
        place="section 4",
        quote="In the first one, the value S_0 × p' is loaded into the k-bit register q^{<i>}",
        standing=REMARK,
        printed="of the cycle that loads q it is not said what the carries do",
        corrected="they stay as they are in it, in both architectures",
    ),
    TextErratum(
        id="iddmm.E15",
        models=_IDDMM,
        place="section 4 and Table 3",
        quote="three k-bit registers and one 1-bit register [...] 2k + 1",
        printed="architecture 1 has three registers of k bits and one of 1 bit",
        corrected="that is with q, which Tables 3 and 4 leave out: they have 2k + 1 bits, and k too few "
        "for architecture 2, "
        "too",
    ),
    _circuit(
        Mistake.DELAYED,
        OnCore(iddmm_arch2.ARCHITECTURE, 17, {"k": 2, "pipeline": 2}, 1, 1),
        id="iddmm.E16",
        models=(iddmm2.MODEL,),
        place="section 4.2",
        quote="one (k+1)-bit register for delaying R_j and C^{<j>} respectively",
        printed="two pipeline levels of architecture 2 add 2k + 2k + (k + 1) flip-flops",
        corrected="4k, as in Table 3: C stays where it is, in the loop of its adder",
    ),
    _circuit(
        Mistake.BEHIND,
        OnCore(iddmm_arch1.ARCHITECTURE, 17, {"k": 2, "pipeline": 2}, 1, 13),
        id="iddmm.E17",
        models=(iddmm1.MODEL,),
        place="section 4.2",
        quote="the pipeline level 2 comprises the insertion of another register at the output of the 2k-bit adders",
        standing=REMARK,
        printed="the second pipeline level of architecture 1 is a register at the output of its adders",
        corrected="C_S and C_R are loaded beside it; taken from behind it they come a cycle late",
    ),
    _circuit(
        Mistake.NO_BYPASS,
        OnCore(iddmm_arch2.ARCHITECTURE, 5, {"k": 2, "pipeline": 2}, 1, 2),
        id="iddmm.E18",
        models=_IDDMM,
        place="section 5",
        quote="Each architecture indicated in table 3 was implemented considering two criteria",
        standing=REMARK,
        printed="all architectures were implemented for all sizes, 128 bits with k = 64 among them; a bypass is "
        "not mentioned",
        corrected="with n = 2 and two pipeline levels the accumulator's digit 0 is read in the cycle that writes "
        "it, and needs one",
    ),
    TextErratum(
        id="iddmm.E19",
        models=_IDDMM,
        place="section 4.2",
        quote="leading to a latency for a Montgomery multiplication of n × (n + 3)",
        standing=REMARK,
        printed="latencies of n(n+3) and n(n+4) clock cycles with one and two pipeline levels",
        corrected="n times the interval between two passes; the last digit is written one and two edges later",
        product=OnCore(iddmm_arch2.ARCHITECTURE, 59, {"k": 2, "pipeline": 1}, 57, 15),
    ),
    TextErratum(
        id="iddmm.E20",
        models=_IDDMM,
        place="section 4",
        quote="at the end of the last iteration i = n [...] has a latency of n × (n + 2)",
        printed="the last iteration is i = n, and the latency n(n+2)",
        corrected="n(n+2) cycles are n iterations, i = 0 to n - 1; writing a shift register back takes n cycles more",
    ),
    TextErratum(
        id="iddmm.E21",
        models=_IDDMM,
        place="sections 4 and 5",
        quote="synchronous writing and asynchronous reading [...] were mapped to the available Block Rams",
        standing=REMARK,
        printed="the accumulator is read asynchronously, and mapped to block RAM",
        corrected="block RAM reads a cycle later: it takes a memory in LUTs, or addresses a cycle ahead with a bypass",
    ),
    TextErratum(
        id="iddmm.E26",
        models=_IDDMM,
        place="appendix A, 256 bits",
        quote="de6501bd55b07ce9c83bbcbbba280e5700e53c152304f6a1ab183a7b2e16e308",
        standing=UNCERTAIN,
        printed="Appendix A, as in our copy: p of 256 bits is ffc2f, and the product does not belong to Y",
        corrected="p is that of secp256k1, as the heading says, and with one b of the run bbb fewer the product "
        "is exact, for R = 2^N: our copy may have lost and doubled letters of runs. The 1024-bit product is "
        "below 2p and not reduced",
    ),
    TextErratum(
        id="iddmm.E28",
        models=_IDDMM,
        place="section 4.1.1",
        quote="multiplying each bit of u with w and adding the partial product",
        printed="each bit of u is multiplied with w",
        corrected="with v; w does not occur in that section. The four products a level are the schoolbook's, of "
        "Karatsuba's three",
    ),
    TextErratum(
        id="iddmm.E29",
        models=(mwr2kmm.MODEL,),
        place="Table 2",
        quote="⌈N/k⌉ × (⌈N/w⌉ + 1)",
        printed="Table 2: MWR2^kMM takes ceil(N/k)*(ceil(N/w) + 1) iterations",
        corrected="figure 3 has ceil(N/w) words a digit; the column counts iterations as it says, and in clock "
        "cycles IDDMM takes n(n+2)",
    ),
    TextErratum(
        id="iddmm.E30",
        models=_IDDMM,
        place="section 5",
        quote="four common operand sizes [...] As it was stated in section 4.1.4",
        printed="four operand sizes; section 4.1.4; IDDM",
        corrected="five sizes are listed, there is no section 4.1.4, and the name is IDDMM",
    ),
)
