# SPDX-License-Identifier: Apache-2.0
"""Computations of the errata of the IDDMM paper; their texts are in errata.toml."""

from limbtrace.refmodels.errata_file import Executable, read_errata
from limbtrace.refmodels.erratum import OnCore
from limbtrace.refmodels.model import Index, Run
from limbtrace.refmodels.papers.iddmm import PAPER
from limbtrace.refmodels.papers.iddmm.circuits import Mistake, circuit
from limbtrace.refmodels.papers.iddmm.mwr2kmm.algorithm import Mwr2kmm
from limbtrace.refmodels.papers.iddmm.mwr2kmm.claims import signed, whole


def _words(run: Run) -> int:
    """ceil(N/w), the number of words in figure 3."""
    p: Mwr2kmm = run.params
    return -(-p.bits // p.w)


def _longer_recoding_holds(run: Run, index: Index, value: int) -> bool:
    """The digit from k + 2 bits, the highest of which is its sign."""
    p: Mwr2kmm = run.params
    k = p.radix_bits
    group = run.a << 1 >> (k * index[0]) & ((4 << k) - 1)
    return value == (group + 1 >> 1) - (group >> (k + 1) << (k + 1))


def _bit_position_holds(run: Run, index: Index, value: int) -> bool:
    """Line 10 for word 1 of the first digit, bit position 0: it would add word 0 with its value from line 8."""
    p: Mwr2kmm = run.params
    if index != (0, 1):
        return True
    word = run.at("qY", 0) * run.b >> p.w & (1 << p.w) - 1
    return value + (run.at("Ca", 0, 2) << p.w) == run.at("Ca", 0, 1) + run.at("Sb", 0, 0) + word


def _carry_fill_holds(run: Run, index: Index, value: int) -> bool:
    p: Mwr2kmm = run.params
    i, j = index
    if j != p.NW - 1:
        return True
    fill = run.at("Ca", i, p.NW) | run.at("Cb", i, p.NW)
    return value == run.at("Sb", i, j) >> p.radix_bits | fill * (p.radix - 1) << (p.w - p.radix_bits)


def _short_sum_holds(run: Run, index: Index, _: int) -> bool:
    p: Mwr2kmm = run.params
    total = whole(run, "Sb", index[0])
    return total == signed(total, p.w * _words(run))


def _first_digit_holds(run: Run, index: Index, value: int) -> bool:
    """The quotient digit from S and digit 0 of X, as section 2 prints it."""
    p: Mwr2kmm = run.params
    i = index[0]
    S = run.at("S", i - 1, 0) if i else 0
    return value == (S + run.at("qY", 0) * run.b) * p.digit_inverse % p.radix


def _in_circuit(mistake: Mistake) -> Executable:
    """A mistake in the circuit of a product."""

    def result(on: OnCore) -> int:
        return circuit(on.architecture.id, on.shape, on.a, on.b, mistake).run()

    return {"flaw": mistake.value, "as_printed": result}


ERRATA = read_errata(
    PAPER,
    {
        "iddmm.E1": {
            "holds": lambda run, _, value: (
                (value * run.params.radix ** (run.params.digits + 1) - run.a * run.b) % run.params.modulus == 0
            )
        },
        "iddmm.E1b": {
            "holds": lambda run, _, value: (
                (value * run.params.radix**run.params.digits - run.a * run.b) % run.params.modulus == 0
            )
        },
        "iddmm.E3": {"holds": lambda run, _, value: value < run.params.modulus},
        "iddmm.E4": {"holds": lambda run, _, value: value < 2 * run.params.modulus},
        "iddmm.E6": {"holds": lambda run, _, value: value < 2 * run.params.modulus},
        "iddmm.E7": {"limit": lambda run, _: run.params.radix - 1},
        "iddmm.E8b": {"holds": lambda run, _, value: value < run.params.modulus},
        "iddmm.E9a": {"holds": _longer_recoding_holds},
        "iddmm.E9b": {
            "holds": lambda run, *_: (
                run.a
                == sum(
                    run.at("qY", i) << (run.params.radix_bits * i)
                    for i in range(-(-run.params.bits // run.params.radix_bits))
                )
            )
        },
        "iddmm.E9c": {"holds": _bit_position_holds},
        "iddmm.E9e": {"holds": _carry_fill_holds},
        "iddmm.E9f": {"holds": _short_sum_holds},
        "iddmm.E9g": {
            "holds": lambda run, _, value: ((value << run.params.bits) - run.a * run.b) % run.params.modulus == 0
        },
        "iddmm.E10": {"holds": _first_digit_holds},
        "iddmm.E11": {"holds": lambda run, *_: run.at("S", run.params.bits - 1) < run.params.modulus},
        "iddmm.E12": {
            "holds": lambda run, _, value: (value * run.params.domain - run.a * run.b) % run.params.modulus == 0
        },
        "iddmm.E13": {"limit": lambda run, _: 0},
        "iddmm.E27": {"holds": lambda run, _, value: (value - run.a * run.b) % run.params.modulus == 0},
        "iddmm.E14": _in_circuit(Mistake.KEPT),
        "iddmm.E14b": _in_circuit(Mistake.ENABLED),
        "iddmm.E16": _in_circuit(Mistake.DELAYED),
        "iddmm.E17": _in_circuit(Mistake.BEHIND),
        "iddmm.E18": _in_circuit(Mistake.NO_BYPASS),
    },
)
