# SPDX-License-Identifier: Apache-2.0
"""Computations of the errata of the SIDH paper; their texts are in errata.toml."""

from math import isqrt

from limbtrace.refmodels.errata_file import read_errata
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index, Run
from limbtrace.refmodels.papers.sidh import PAPER, effm, ffm2
from limbtrace.refmodels.papers.sidh import units as unit
from limbtrace.refmodels.papers.sidh.hffm import algorithm as hffm

_P434, _P503 = 2**216 * 3**137 - 1, 2**250 * 3**159 - 1
_P610, _P771 = 2**305 * 3**192 - 1, 2**387 * 3**242 - 1
_SIDH_PRIMES = (_P434, _P503, _P610, 2**372 * 3**239 - 1, _P771)


def _dropped_c1_holds(run: Run, _: Index, value: int) -> bool:
    """The result with c1 = p + q."""
    p: hffm.Hffm = run.params
    return ((p.modulus + run.at("q")) * p.D + run.at("r") - value) % p.modulus == 0


def _overwritten_c1_holds(run: Run, _: Index, value: int) -> bool:
    """c2 with the carry of the c1 that line 9 has just computed."""
    p: hffm.Hffm = run.params
    return value == run.at("c2@8") + (run.at("c1@9") >> p.a)


def _logarithm_of_the_dividend_holds(run: Run, _: Index, value: int) -> bool:
    """One subtraction after an estimate with k = floor(log2(a*b))."""
    p, dividend = run.params.modulus, run.a * run.b
    if dividend == 0:
        return True
    k = dividend.bit_length() - 1
    return bool(dividend - (dividend * ((1 << k) // p) >> k) * p < 2 * p)


def _sum_of_ffm2(a: int, b: int) -> int:
    return ffm2.MODEL.run(ffm2.resolve(71, {}), a, b).at("q+r")


def _taken_by_effm(modulus: int) -> bool:
    try:
        effm.resolve(modulus, {})
    except ParameterError:
        return False
    return True


ERRATA = read_errata(
    PAPER,
    {
        "hffm.E1": {"holds": lambda run, _, value: value < run.params.special.l**run.params.special.b},
        "hffm.E2": {"holds": _dropped_c1_holds},
        "hffm.E4": {"holds": _overwritten_c1_holds},
        "hffm.E5": {"limit": lambda run, _: 1},
        "hffm.E5b": {"limit": lambda run, _: (1 << run.params.N) - 1},
        "hffm.E10": {"holds": _logarithm_of_the_dividend_holds},
        "hffm.E11": {"limit": lambda run, _: 2},
        "hffm.E11b": {"limit": lambda run, _: 2},
        "hffm.E12": {"limit": lambda run, _: (2 << run.params.n) - 1},
        "hffm.E13": {"limit": lambda run, _: 2 * run.params.modulus - 1},
        "hffm.E14": {"limit": lambda run, _: 2},
        "hffm.E14b": {"limit": lambda run, _: (1 << run.params.N) - 1},
        "hffm.E15": {"found": lambda: max(hffm.resolve(prime, {}).barrett.corrections for prime in _SIDH_PRIMES)},
        "hffm.E16": {"found": lambda: hffm.resolve(_P610, {}).N * 4 // 6},
        "hffm.E18": {"found": lambda: max(_sum_of_ffm2(a, b) for a in range(71) for b in range(a, 71))},
        "hffm.E24": {"found": lambda: int(_taken_by_effm(17))},
        "hffm.E21": {"found": lambda: int(pow(2, -1, 71) != effm.resolve(71, {}).R ** 2)},
        "hffm.E22": {"found": lambda: round(100 * 1000 / 167)},
        "hffm.E23": {"found": lambda: isqrt(10**6)},
        "hffm.E25": {"found": lambda: unit.multipliers(unit.ARCHITECTURE.resolve(_P503, {"split": 8}))},
    },
)
