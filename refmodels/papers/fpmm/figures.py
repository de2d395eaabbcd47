# SPDX-License-Identifier: Apache-2.0
"""Tables I to V of the FPMM paper: times by Algorithm 3 and the printed clocks, and rates per resource."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from limbtrace.refmodels.figures import (
    FREQUENCY,
    LUTS,
    Derived,
    Figure,
    Figures,
    Interval,
    Synthesised,
    places,
    printed,
)
from limbtrace.refmodels.papers.fpmm import design as fpmm

E18 = "fpmm.E18"

PRODUCTS = 8
"""Numbers of independent products for which the paper prints times."""

INTERVALS = {128: 20, 256: 28}
"""Cycles between two products of MA16, the paper's own implementation of another work."""
_UNITS = {"A2": 1, "A3": 2, "A4": 2}
"""Number of FPMMs, all F44B, in each of the processors of Table V."""
_ACROSS = {"A2": 1, "A3": 4, "A4": 1}
"""Number of words that their interconnects carry at once."""
_RESOURCES = {"slice": "slices", "LUT": "LUTs", "FF": "FFs", "BRAM": "BRAMs", "DSP": "DSPs"}
_MEAN = ("slice", "LUT", "FF", "DSP")
"""Resources in the mean of Table IV, without those that are not printed."""

_Deriver = Callable[[Figures, Figure], Derived | None]


def _name(figure: Figure) -> str:
    """The design without its FPGA."""
    return figure.design.split()[0]


def _unit(figure: Figure) -> fpmm.Design | None:
    """The FPMM of a specification code; None for works by others."""
    code = re.fullmatch(r"[FS]\d\d[BD]", _name(figure))
    return fpmm.Design.parse(code[0], figure.bits or 0) if code else None


def _own(figure: Figure) -> bool:
    return figure.table == 1 or _name(figure) in _UNITS or _unit(figure) is not None


def _same(ours: int, figure: Figure, formula: str) -> Derived:
    """The expected value of a figure that is not rounded."""
    return Derived(str(ours), formula, str(ours) == figure.value, "the formula gives another one")


def _near(ours: Interval, middle: Fraction, figure: Figure, formula: str, why: str, erratum: str | None) -> Derived:
    """The expected value of a rounded figure; ours is shown with one more digit."""
    agrees = ours.meets(printed(figure.value))
    return Derived(f"{float(middle):.{places(figure.value) + 1}f}", formula, agrees, why, erratum)


def _of(paper: Figures, figure: Figure, metric: str) -> str | None:
    """The value that Table II or III prints for the design of a figure."""
    return next(
        (f.value for f in paper.rows
         if f.table in (2, 3) and (f.design, f.bits, f.metric) == (figure.design, figure.bits, metric)),
        None,
    )  # fmt: skip


def _number(paper: Figures, figure: Figure, metric: str) -> str:
    """Like `_of`, for values that are printed for every design."""
    value = _of(paper, figure, metric)
    assert value is not None
    return value


def _interval(paper: Figures, figure: Figure) -> tuple[int, str]:
    """Mean number of cycles between two products of a design, and the name of this quantity."""
    unit = _unit(figure)
    if unit is not None:
        return unit.theta * unit.s, "theta*s"
    if _name(figure) == "MA16":
        return INTERVALS[figure.bits or 0], "interval"
    return int(_number(paper, figure, "lambda")), "lambda"


def _exact(value: Callable[[fpmm.Design], int], formula: str) -> _Deriver:
    """A figure of an FPMM that is not rounded."""

    def derive(_: Figures, figure: Figure) -> Derived | None:
        unit = _unit(figure)
        return None if unit is None else _same(value(unit), figure, formula)

    return derive


def _time(paper: Figures, figure: Figure) -> Derived:
    unit, clock = _unit(figure), _number(paper, figure, "frequency")
    if unit is not None:
        cycles, formula = unit.time(PRODUCTS), "Lambda(8)"
    else:
        interval, called = _interval(paper, figure)
        cycles = (PRODUCTS - 1) * interval + int(_number(paper, figure, "lambda"))
        formula = f"7*{called} + lambda" if called == "interval" else "8*lambda"
    why = "the printed clock does not give it"
    nanoseconds = 1000 * cycles
    return _near(
        nanoseconds / printed(clock), nanoseconds / Fraction(clock), figure, f"{formula} = {cycles} cycles at {clock} "
        "MHz", why, None,
    )  # fmt: skip


def _rate(resources: tuple[str, ...], exponent: int, erratum: str | None = None) -> _Deriver:
    """10^exponent products per second and resource, as the mean over these resources."""

    def derive(paper: Figures, figure: Figure) -> Derived:
        counts = [_of(paper, figure, _RESOURCES[resource]) for resource in resources]
        known = [int(count) for count in counts if count is not None]
        cycles, called = _interval(paper, figure)
        clock = _number(paper, figure, "frequency")
        scale = sum(Fraction(1, count) for count in known) / len(known) / cycles * 10**6 / 10**exponent
        low, high = printed(clock)
        formula = f"{clock} MHz / {called} = {cycles} cycles, per resource"
        why = "the printed clock and resources do not give it"
        return _near(Interval(low * scale, high * scale), Fraction(clock) * scale, figure, formula, why, erratum)

    return derive


def _processor_blocks(_: Figures, figure: Figure) -> Derived:
    unit = fpmm.Design.parse("F44B", figure.bits or 0)
    count = _UNITS[_name(figure)]
    return _same(count * unit.dsps, figure, f"{count} FPMM of {unit.dsps}")


def _interconnect(_: Figures, figure: Figure) -> Derived:
    count = _ACROSS[_name(figure)]
    return _same(count * fpmm.CODE_WIDTH, figure, "s*w, an element" if count > 1 else "w, a word")


_DERIVERS: Mapping[tuple[int, str], _Deriver] = {
    (2, "lambda"): _exact(lambda unit: unit.latency, "alpha*(s-1) + alpha_min + s + epsilon"),
    (2, "DSPs"): _exact(lambda unit: unit.dsps, "r^2 + 1 + r^2"),
    (2, "BRAMs"): _exact(lambda unit: 2 * (unit.storage == "B"), "one for A and one for B, unless in LUTs"),
    (2, "time of 8 products"): _time,
    (3, "time of 8 products"): _time,
    **{(4, f"rate per {name}"): _rate((name,), 3) for name in ("slice", "LUT", "FF")},
    **{(4, f"rate per {name}"): _rate((name,), 6) for name in ("BRAM", "DSP")},
    (4, "mean rate per resource"): _rate(_MEAN, 6, E18),
    (5, "DSPs"): _processor_blocks,
    (5, "interconnect width"): _interconnect,
}


def derive(paper: Figures, figure: Figure) -> Derived | None:
    deriver = _DERIVERS.get((figure.table, figure.metric))
    return deriver and deriver(paper, figure)


def remark(paper: Figures, figure: Figure) -> str:
    if figure.metric == "time of 8 products" and paper.beside(figure, "time is an estimate") == "yes":
        return "the paper's estimate: one product after the other"
    if figure.table == 4 and figure.metric == "mean rate per resource" and _of(paper, figure, "slices") is None:
        return "over the resources that are printed"
    return ""


_SYNTHESISED = {"LUTs": LUTS, "FFs": "FF", "DSPs": "DSP", "frequency": FREQUENCY}


def synthesised(figure: Figure) -> Synthesised | None:
    """Our core for the same specification, on any FPGA."""
    unit = _unit(figure)
    if unit is None or figure.metric not in _SYNTHESISED:
        return None
    return Synthesised("fpmm", _SYNTHESISED[figure.metric], lambda rtl: unit.rtl.items() <= rtl.items())


FIGURES = Figures(
    paper="fpmm",
    package=__package__,
    source=fpmm.paper("Tables I to V"),
    derive=derive,
    estimate=lambda paper, figure: None,
    remark=remark,
    own=_own,
    synthesised=synthesised,
)
