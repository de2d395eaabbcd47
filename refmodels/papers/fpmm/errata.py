# SPDX-License-Identifier: Apache-2.0
"""Computations of the errata of the FPMM paper; their texts are in errata.toml."""

from collections.abc import Callable
from fractions import Fraction

from limbtrace.refmodels.errata_file import Executable, read_errata
from limbtrace.refmodels.figures import Figures
from limbtrace.refmodels.model import Index, Run
from limbtrace.refmodels.papers.fpmm import PAPER
from limbtrace.refmodels.papers.fpmm.cios import algorithm as cios
from limbtrace.refmodels.papers.fpmm.design import Design
from limbtrace.refmodels.papers.fpmm.fpmm import algorithm as fpmm


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


def _narrow_inverse_holds(run: Run, _: Index, value: int) -> bool:
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


def _formula(printed: Callable[[Design], int], corrected: Callable[[Design], int]) -> Executable:
    """A quantity of a unit, found by its specification code and the bits of its modulus."""
    return {
        "as_printed": lambda code, bits: printed(Design.parse(code, bits)),
        "as_corrected": lambda code, bits: corrected(Design.parse(code, bits)),
    }


ERRATA = read_errata(
    PAPER,
    {
        "fpmm.E7": {"limit": lambda run, _: 2 * run.params.modulus - 1},
        "fpmm.E8": {"limit": lambda run, _: run.params.radix // 2 - 1},
        "fpmm.E9": {"holds": _printed_carry_holds},
        "fpmm.E10": {"holds": _open_parenthesis_holds},
        "fpmm.E13": {"holds": _after_carry_holds},
        "fpmm.E14": {"holds": _narrow_inverse_holds},
        "fpmm.E1": _formula(
            lambda unit: unit.alpha * unit.sigma * (unit.s - 1) + unit.alpha_min + unit.s + unit.epsilon,
            lambda unit: unit.latency,
        ),
        "fpmm.E2": _formula(lambda unit: -(-unit.alpha_min // unit.w), lambda unit: unit.sigma_min),
        "fpmm.E3": _formula(
            lambda unit: unit.interval * (7 // unit.sigma) + unit.theta * (8 - 1 % unit.sigma) + unit.latency,
            lambda unit: unit.time(8),
        ),
        "fpmm.E6": _formula(lambda unit: 1, lambda unit: int(unit.interval < unit.latency)),
        "fpmm.E15": {"found": _damaged_neighbour},
        "fpmm.E17": {"found": lambda: _FIGURE_1.latency - _FIGURE_1.interval},
        "fpmm.E4": _formula(lambda unit: -(-unit.alpha // unit.s), lambda unit: unit.sigma_min),
        "fpmm.E5": _formula(lambda unit: -(-unit.alpha_min // (unit.s + 1)), lambda unit: unit.sigma_min),
        "fpmm.E16": _formula(lambda unit: 4, lambda unit: unit.s),
        "fpmm.E19": _formula(lambda unit: unit.s * unit.theta, lambda unit: unit.latency),
        "fpmm.E20": {
            "worked_out": lambda paper: {
                "thousands of F44D, full": _rate(paper, "F44D on V7", 16),
                "thousands of MA16, full": _rate(paper, "MA16 on V7", 20),
                "thousands of F44D, 8 products": _rate_of_8(paper, "F44D on V7"),
                "thousands of MA16, 8 products": _rate_of_8(paper, "MA16 on V7"),
            }
        },
        "fpmm.E21": {
            "worked_out": lambda paper: {
                f"{what} of MA16 over {unit}": _ratio(paper, unit, 128, metric)
                for unit in ("F44B on V4", "F44B on V5", "F44D on S6", "F44D on V7")
                for what, metric in (("time", _TIME), ("slices", "slices"))
            }
        },
        "fpmm.E22": {
            "worked_out": lambda paper: {
                f"ns for two products, {unit}": cycles * 1000 / paper.number(f"{unit} on V7", 128, "frequency")
                for unit, cycles in (("F44D", 79), ("F44B", 79), ("S44B", 78), ("MA16", 47))
            }
        },
        "fpmm.E23": {
            "worked_out": lambda paper: {
                f"LUTs of {unit}": paper.number(f"{unit} on V7", 128, "LUTs") for unit in ("S44B", "F44B", "F44D")
            }
        },
        "fpmm.E24": {
            "worked_out": lambda paper: {
                f"{what} of {unit}": value
                for unit in ("F48B on V4", "F28B on V4", "F48B on V5", "F28D on V7")
                for what, value in (
                    ("time, in that of MA16,", 1 / _ratio(paper, unit, 256, _TIME)),
                    ("LUTs of MA16, in those", _ratio(paper, unit, 256, "LUTs")),
                )
            }
        },
        "fpmm.E25": {
            "worked_out": lambda paper: {
                "thousands per Kb, F44B on V7": _FULL
                * paper.number("F44B on V7", 128, "frequency")
                / paper.number("F44B on V7", 128, "BRAMs")
                / paper.number("F44B on V7", 128, "BRAM size"),
                "thousands per BRAM": _FULL
                * paper.number("F44B on V7", 128, "frequency")
                / paper.number("F44B on V7", 128, "BRAMs"),
            }
        },
    },
)
