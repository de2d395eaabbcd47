# SPDX-License-Identifier: Apache-2.0
"""Errata of the IDDMM paper."""

from refmodels.erratum import (
    AnyErratum,
    CircuitErratum,
    Erratum,
    FigureErratum,
    OnCore,
    TextErratum,
    about_result,
)
from refmodels.model import Claim, Index, Model, Run, at_most
from refmodels.papers.iddmm import iddmm1, iddmm2, iddmm_arch1, iddmm_arch2, imm, mwr2kmm, mwr2mm, r2mm
from refmodels.papers.iddmm.circuits import Mistake, circuit
from refmodels.papers.iddmm.figures import FIGURES

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
    mistake: Mistake, product: OnCore, id: str, models: tuple[Model, ...], printed: str, corrected: str
) -> CircuitErratum:
    """A mistake in the circuit of a product."""

    def result(on: OnCore) -> int:
        return circuit(on.architecture.id, on.shape, on.a, on.b, mistake).run()

    return CircuitErratum(
        id=id, models=models, printed=printed, corrected=corrected, product=product, flaw=mistake.value,
        as_printed=result,
    )  # fmt: skip


ERRATA: tuple[AnyErratum, ...] = (
    Erratum(
        id="iddmm.E1",
        models=_IDDMM,
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
        printed="no final subtraction is needed: operands below 2p give a result below 2p",
        corrected="true only where R >= 4p",
        modulus=7,
        settings={"k": 4, "passes": 1},
        a=12,
        b=13,
        claim=about_result("result < 2p", "IDDMM, section 3", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        id="iddmm.E5",
        models=_IDDMM,
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
        printed="n + 1 passes keep the result below 2p",
        corrected="for k = 1 only where Y has no digit n",
        modulus=7,
        settings={"k": 1},
        a=12,
        b=13,
        claim=about_result("result < 2p", "IDDMM, section 3", lambda run, value: value < 2 * run.params.modulus),
    ),
    Erratum(
        id="iddmm.E7",
        models=(iddmm2.MODEL,),
        printed="the carry C has k bits",
        corrected="it has k + 1 bits and reaches 2*beta - 2",
        modulus=11,
        settings={"k": 2},
        a=3,
        b=9,
        claim=at_most("C", "C < beta", "IDDMM, Table 1", lambda run, _: run.params.radix - 1),
    ),
    Erratum(
        id="iddmm.E8",
        models=(mwr2mm.MODEL,),
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
        printed="R = 2^N",
        corrected="R = 2^(k*D)",
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
        printed="figure 1 ends without a return statement",
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
        printed="the product of a with b = R^2 mod p is a*R^2 mod p",
        corrected="it is a*R mod p: a enters the domain",
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
        printed="AND and XOR gates of architecture 2 in Table 4",
        corrected="they leave out 4k full and 2k half adders that Table 3 charges; with them "
        "architecture 2 saves k - 1 AND and "
        "k - 2 XOR gates over architecture 1",
        figures=FIGURES,
    ),
    FigureErratum(
        id="iddmm.E23",
        models=_IDDMM,
        printed="full and half adders in Table 3",
        corrected="both architectures work with 4k - 2 full and 2k + 2 half adders, architecture 2 with "
        "one XOR gate more",
        figures=FIGURES,
    ),
    FigureErratum(
        id="iddmm.E24",
        models=_IDDMM,
        printed="critical paths in Table 3",
        corrected="with fewer than two pipeline levels there is also the way from X_0*Y_i through S and p'*S_0 to q",
        figures=FIGURES,
    ),
    FigureErratum(
        id="iddmm.E25",
        models=(iddmm2.MODEL,),
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
        printed="lines 2, 4, 5 and 6 are executed by one reset",
        corrected="the accumulator is cleared once, the carries at every i",
    ),
    _circuit(
        Mistake.ENABLED,
        OnCore(iddmm_arch2.ARCHITECTURE, 11, {"k": 2}, 3, 9),
        id="iddmm.E14b",
        models=_IDDMM,
        printed="nothing is said of carries in the cycle that loads q",
        corrected="they stay as they are in it, in both architectures",
    ),
    TextErratum(
        id="iddmm.E15",
        models=_IDDMM,
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
        printed="two pipeline levels of architecture 2 add 2k + 2k + (k + 1) flip-flops",
        corrected="4k, as in Table 3: C stays where it is, in the loop of its adder",
    ),
    _circuit(
        Mistake.BEHIND,
        OnCore(iddmm_arch1.ARCHITECTURE, 17, {"k": 2, "pipeline": 2}, 1, 13),
        id="iddmm.E17",
        models=(iddmm1.MODEL,),
        printed="the second pipeline level of architecture 1 stands behind its adders of S and R",
        corrected="C_S and C_R are loaded beside the new registers; taken from behind these they come a cycle late",
    ),
    _circuit(
        Mistake.NO_BYPASS,
        OnCore(iddmm_arch2.ARCHITECTURE, 5, {"k": 2, "pipeline": 2}, 1, 2),
        id="iddmm.E18",
        models=_IDDMM,
        printed="two pipeline levels serve all sizes, 128 bits with k = 64 among them",
        corrected="with n = 2 the accumulator's digit 0 is read in the cycle that writes it, and needs a bypass",
    ),
    TextErratum(
        id="iddmm.E19",
        models=_IDDMM,
        printed="n(n+3) and n(n+4) clock cycles with one and two pipeline levels",
        corrected="these are n times the interval between two passes; the last digit is written one and "
        "two edges later",
        product=OnCore(iddmm_arch2.ARCHITECTURE, 59, {"k": 2, "pipeline": 1}, 57, 15),
    ),
    TextErratum(
        id="iddmm.E20",
        models=_IDDMM,
        printed="the last iteration is i = n, and the latency n(n+2)",
        corrected="n(n+2) cycles are n iterations, i = 0 to n - 1; writing a shift register back takes n cycles more",
    ),
    TextErratum(
        id="iddmm.E21",
        models=_IDDMM,
        printed="digits of the accumulator are in block RAM and read in the cycle of their address",
        corrected="block RAM reads a cycle later: it takes a memory in LUTs, or addresses a cycle ahead with a bypass",
    ),
    TextErratum(
        id="iddmm.E26",
        models=_IDDMM,
        printed="Appendix A prints p, X, Y and the product for three sizes",
        corrected="p of 256 bits is cut off and its Y has a digit too many; the 1024-bit product is not "
        "reduced; the "
        "512-bit modulus is no RSA modulus but a prime; R = 2^N is not said",
    ),
    TextErratum(
        id="iddmm.E28",
        models=_IDDMM,
        printed="the multiplier is a recursion like Karatsuba's that ends at inputs of 1 bit",
        corrected="it has four products a level, not three, and its base block multiplies 2 bits by 2; "
        "u is multiplied with "
        "bits of v, not w",
    ),
    TextErratum(
        id="iddmm.E29",
        models=(mwr2kmm.MODEL,),
        printed="Table 2 compares clock cycles, and MWR2^kMM takes ceil(N/w) + 1 a digit",
        corrected="its entries are passes of loops; figure 3 has ceil(N/w) words a digit, and IDDMM "
        "takes n(n+2) cycles",
    ),
    TextErratum(
        id="iddmm.E30",
        models=_IDDMM,
        printed="four operand sizes; section 4.1.4; IDDM; the multiplier by p' is simple since p' is fixed",
        corrected="five sizes are listed, the section does not exist, the name is IDDMM, and p' is "
        "fixed for one modulus "
        "only: here it is an input of cores",
    ),
)
