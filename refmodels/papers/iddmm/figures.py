# SPDX-License-Identifier: Apache-2.0
"""Tables 3 to 7 of the IDDMM paper: area and cycles by formula, times from the printed clocks, throughput."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeVar

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
from limbtrace.refmodels.papers.iddmm import area, blocks
from limbtrace.refmodels.papers.iddmm import family as iddmm

E22, E23, E24, E25 = "iddmm.E22", "iddmm.E23", "iddmm.E24", "iddmm.E25"

VERSION_LEVELS = 1
"""Pipeline levels of versions 3 and 4; version 4 has its multipliers in DSP blocks."""

_DEVICES = {"spartan3": "xc3s500e", "virtex5": "xc5vlx50"}
"""The paper's own designs were implemented for two parts only, and some tables name the family."""
_BLOCKS = {"xc3s500e": (17, 17), "xc5vlx50": (24, 17)}
"""Bits of a factor without sign in a multiplier block: 18 x 18 and 25 x 18 with sign."""
_CLOSE = Fraction(5, 1000)
"""Largest relative distance of the printed times from n(n+2) cycles; clocks and times are rounded differently."""

_Value = TypeVar("_Value")
_Deriver = Callable[[Figures, Figure], Derived | None]


def _shape(figure: Figure) -> tuple[int, int]:
    """(architecture, pipeline levels) of a design of Tables 3 and 4; architecture 1 for both."""
    architecture, levels = re.match(r"Arch(\d)(?: (\d) pipeline)?", figure.design).groups()  # type: ignore[union-attr]
    return int(architecture), int(levels or 0)


def _version(figure: Figure) -> int | None:
    """Version of one of the paper's own implementations, all of architecture 2; None for other designs."""
    found = re.match(r"This work Arch2-Ver(\d)", figure.design)
    return int(found[1]) if found else None


def _in_blocks(figure: Figure) -> bool:
    """True if a version of the paper has its multipliers in DSP blocks; other versions have them in logic."""
    return _version(figure) in (2, 4)


def _own(figure: Figure) -> bool:
    return not figure.design.startswith("[")


def _given(value: _Value | None) -> _Value:
    """A value that the file gives for every figure of this kind."""
    assert value is not None
    return value


def _same(ours: object, figure: Figure, formula: str, why: str = "", erratum: str | None = None) -> Derived:
    """The expected value of a figure that is not rounded."""
    return Derived(str(ours), formula, str(ours) == figure.value, why, erratum)


def _near(value: Fraction, ours: Interval, figure: Figure, formula: str, why: str) -> Derived:
    """The expected value of a rounded figure; ours is shown with one more digit."""
    agrees = ours.meets(printed(figure.value))
    return Derived(_decimal(value, places(figure.value) + 1), formula, agrees, why, E25)


def _decimal(value: Fraction, digits: int) -> str:
    return f"{float(value):.{digits}f}"


def _formula_of_adders(cell: str) -> _Deriver:
    def derive(_: Figures, figure: Figure) -> Derived:
        architecture, _levels = _shape(figure)
        small, large = ((k, getattr(blocks.adders(architecture, k), cell)) for k in (4, 64))
        why = "adders that work take fewer cells, and the text does not say how these were counted"
        return _same(area.line(small, large), figure, "ripple-carry adders, cells counted", why, E23)

    return derive


def _multiplier_count(_: Figures, figure: Figure) -> Derived:
    return _same(len(area.MULTIPLIERS), figure, ", ".join(area.MULTIPLIERS))


def _registers(_: Figures, figure: Figure) -> Derived:
    architecture, levels = _shape(figure)
    named = ", ".join(f"{name} {width}" for name, width in area.registers(architecture, levels).items())
    return _same(area.register_bits(architecture, levels), figure, named)


def _path(_: Figures, figure: Figure) -> Derived:
    why = "the way through S and p'*S_0 (D_MULLOW, a low half) to q is missing"
    return _same(area.critical_path(*_shape(figure)), figure, "ways between registers", why, E24)


def _cycle_formula(_: Figures, figure: Figure) -> Derived:
    _architecture, levels = _shape(figure)
    return _same(f"n(n+{area.cycles(1, 1, levels) - 1})", figure, "passes times interval")


def _gates(kind: str) -> _Deriver:
    def derive(_: Figures, figure: Figure) -> Derived:
        architecture, levels = _shape(figure)
        ours = getattr(area.cells(architecture, levels, _given(figure.k)), kind)
        why = "printed is 3 MUL_k + 4 HA, so 4k FA and 2k HA of Table 3 are left out"
        return _same(ours, figure, "3 MUL_k and the adders of Table 3", why, E22)

    return derive


def _flip_flops(_: Figures, figure: Figure) -> Derived:
    width = area.register_bits(*_shape(figure))
    return _same(width.at(_given(figure.k)), figure, str(width))


def _digits(figure: Figure) -> int:
    return -(-_given(figure.bits) // _given(figure.k))


def _digit_count(_: Figures, figure: Figure) -> Derived:
    return _same(_digits(figure), figure, "ceil(N/k)")


def _cycle_count(_: Figures, figure: Figure) -> Derived:
    _architecture, levels = _shape(figure)
    n = _digits(figure)
    return _same(area.cycles(n, n, levels), figure, f"n(n+{2 + levels})")


def _device(paper: Figures, figure: Figure) -> str:
    """The part that one of the paper's own designs was implemented for."""
    name = figure.design.split()[-1] if figure.table == 6 else paper.beside(figure, "platform") or ""
    return _DEVICES.get(name.lower(), name.lower())


def _clock(paper: Figures, figure: Figure) -> str | None:
    """The clock in MHz that Table 6 prints for the part and k; only version 4 has clocks."""
    if _version(figure) != 4:
        return None
    return next(
        f.value for f in paper.rows
        if f.table == 6 and f.metric == "frequency" and f.k == figure.k and _device(paper, f) == _device(paper, figure)
    )  # fmt: skip


def _count_of_version(figure: Figure, levels: int = VERSION_LEVELS) -> int:
    n = _digits(figure)
    return area.cycles(n, n, levels)


def _time(paper: Figures, figure: Figure) -> Derived | None:
    clock = _clock(paper, figure)
    if clock is None:
        return None
    count, short = _count_of_version(figure), _count_of_version(figure, levels=0)
    plain = short / Fraction(clock)
    fits = (short / printed(clock)).meets(printed(figure.value)) or abs(plain / Fraction(figure.value) - 1) <= _CLOSE
    which = "fits" if fits else "does not fit either"
    why = f"version 4 has a pipeline level; the time of n(n+2) = {short} cycles, without one, {which}"
    why += f": {_decimal(plain, places(figure.value) + 1)}"
    return _near(
        count / Fraction(clock), count / printed(clock), figure, f"n(n+3) = {count} cycles at {clock} MHz", why
    )


def _throughput(paper: Figures, figure: Figure) -> Derived:
    bits, time = _given(figure.bits), _given(paper.beside(figure, "time"))
    why = f"the printed time of {time} us does not give it"
    return _near(bits / Fraction(time), bits / printed(time), figure, f"{bits} bits / {time} us", why)


def _efficiency(paper: Figures, figure: Figure) -> Derived:
    throughput, slices = _given(paper.beside(figure, "throughput")), _given(paper.beside(figure, "slices"))
    low, high = printed(throughput)
    ours = Interval(low / int(slices), high / int(slices))
    why = "the printed throughput and slices do not give it"
    return _near(Fraction(throughput) / int(slices), ours, figure, f"{throughput} Mbps / {slices} slices", why)


_DERIVERS: Mapping[tuple[int, str], _Deriver] = {
    (3, "MUL_k blocks"): _multiplier_count,
    (3, "FA"): _formula_of_adders("FA"),
    (3, "HA"): _formula_of_adders("HA"),
    (3, "1-bit registers"): _registers,
    (3, "critical path"): _path,
    (3, "clock cycles"): _cycle_formula,
    (4, "AND"): _gates("and_gates"),
    (4, "XOR"): _gates("xor_gates"),
    (4, "FF"): _flip_flops,
    (4, "n"): _digit_count,
    (4, "clock cycles"): _cycle_count,
    **{(table, "time"): _time for table in (5, 6, 7)},
    **{(table, "throughput"): _throughput for table in (5, 7)},
    (5, "efficiency"): _efficiency,
}


def derive(paper: Figures, figure: Figure) -> Derived | None:
    deriver = _DERIVERS.get((figure.table, figure.metric))
    return deriver and deriver(paper, figure)


_RESOURCES = {
    "multipliers": "DSP",
    "area: 18x18Mults": "DSP",
    "area: DSP48E": "DSP",
    "area: LUTs": LUTS,
    "area: FFs": "FF",
    "frequency": FREQUENCY,
}
"""Names of the metrics in synthesis results."""


def _resource(figure: Figure) -> str | None:
    """The synthesis metric for a figure of the paper's own implementations; otherwise None."""
    return _RESOURCES.get(figure.metric) if _version(figure) else None


def estimate(paper: Figures, figure: Figure) -> tuple[str, str] | None:
    """Number of DSP blocks of the three multipliers, if these are in DSP blocks."""
    if _resource(figure) != "DSP" or not _in_blocks(figure):
        return None
    wide, narrow = _BLOCKS[_device(paper, figure)]
    count = area.multiplier_blocks(_given(figure.k), wide, narrow)
    return str(count), f"blocks of {wide} x {narrow} bits without sign"


def remark(paper: Figures, figure: Figure) -> str:
    if figure.table == 3 and figure.metric == "1-bit registers":
        return "without q, k bits"
    if figure.metric == "throughput" and (clock := _clock(paper, figure)) is not None:
        count = _count_of_version(figure)
        mbps = _given(figure.bits) * Fraction(clock) / count
        return f"n(n+3) cycles at {clock} MHz give {_decimal(mbps, places(figure.value))} Mbps"
    if figure.metric == "time" and figure.table == 5:
        return _contradiction(paper, figure)
    if _resource(figure) == "DSP" and _in_blocks(figure):
        return _blocks_remark(paper, figure)
    if _resource(figure) == "FF":
        width = area.register_bits(2, VERSION_LEVELS)
        return (
            f"Table 3 counts {width} = {width.at(_given(figure.k))} without q and control: multiplier blocks have "
            "registers of their own, which may hold products"
        )
    return ""


def _contradiction(paper: Figures, figure: Figure) -> str:
    """A remark if Table 6 gives a different time for the design."""
    for other in paper.rows:
        same = (other.table, other.metric, other.bits, other.k) == (6, "time", figure.bits, figure.k)
        if same and _version(figure) is not None and _device(paper, other) == _device(paper, figure):
            if _version(figure) == 4 and other.value != figure.value:
                return f"Table 6 prints {other.value} for the same design"
            if _version(figure) != 4 and other.value == figure.value:
                return "Table 6 prints this time for version 4"
    return ""


def _blocks_remark(paper: Figures, figure: Figure) -> str:
    k = _given(figure.k)
    count, square = area.multiplier_blocks(k, *_BLOCKS[_device(paper, figure)]), area.multiplier_blocks(k, 17, 17)
    parts = []
    if int(figure.value) != count:
        parts.append(f"{int(figure.value) - count} more than the multipliers need; a DSP48E can also serve as an adder")
    if square != (narrow := area.multiplier_blocks(k, 24, 17)):
        parts.append(
            f"Yosys cuts into 24 x 17 bits for Virtex-5, {narrow} blocks, and into 17 x 17 bits for 7 series, where "
            f"cascades shift by 17, {square} blocks"
        )
    return "; ".join(parts)


def synthesised(figure: Figure) -> Synthesised | None:
    """Our core of architecture 2 for digits of k bits, large enough for the modulus, built like that version."""
    resource = _resource(figure)
    if resource is None or figure.k is None:
        return None
    bits = figure.bits or 0  # a clock is that of every width
    alike = {"K": figure.k, "Pipeline": VERSION_LEVELS, "UseDsp": int(_in_blocks(figure))}
    return Synthesised(
        "iddmm_arch2", resource, lambda rtl: alike.items() <= rtl.items() and rtl["K"] * rtl["NMax"] >= bits
    )


FIGURES = Figures(
    paper="iddmm",
    package=__package__,
    source=iddmm.paper("Tables 3 to 7"),
    derive=derive,
    estimate=estimate,
    remark=remark,
    own=_own,
    synthesised=synthesised,
)
