# SPDX-License-Identifier: Apache-2.0
"""Table I of the redundant paper and the figures in its text: cycles, times by the printed clocks, and ratios."""

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
from limbtrace.refmodels.papers.redundant import family as redundant

TEXT = 0
"""Number of the table of figures that stand in the text."""
E20, E21, E22, E23, E24 = (f"redundant.E{number}" for number in range(20, 25))

_R1, _R2 = 22, 15
_DIGIT, _SERIAL = _R2 + redundant.OVERLAP, _R1 + redundant.OVERLAP

_Deriver = Callable[[Figures, Figure], Derived | None]


def _ways(figure: Figure) -> int:
    """Products at once; 1 where the design does not say."""
    found = re.search(r"(\d)-way", figure.design)
    return int(found[1]) if found else 1


def _own(figure: Figure) -> bool:
    return figure.design.startswith("proposed")


def _digits(figure: Figure) -> tuple[int, int]:
    """ma and mb."""
    bits = figure.bits or 0
    return -(-bits // _R1), -(-bits // _R2)


def cycles(ways: int, ma: int) -> int:
    """Clock cycles until the last of `ways` interleaved products is finished."""
    return ways * (ma + 3) + ways - 1


def _of(paper: Figures, figure: Figure, ways: int, metric: str) -> str:
    """The figure that Table I prints for a design of that size."""
    return next(
        f.value for f in paper.rows
        if (f.table, f.bits, f.metric) == (1, figure.bits, metric) and _ways(f) == ways
    )  # fmt: skip


def _time(paper: Figures, figure: Figure, ways: int) -> tuple[Interval, Fraction]:
    """Nanoseconds per product: the interval that the rounding of the printed clock allows, and the value without it."""
    clock = _of(paper, figure, ways, "frequency")
    work = Fraction(1000 * cycles(ways, _digits(figure)[0]), ways)
    low, high = printed(clock)
    return Interval(work / high, work / low), work / Fraction(clock)


def _exact(value: Callable[[Figure], int], formula: str, why: str = "", erratum: str | None = None) -> _Deriver:
    def derive(_: Figures, figure: Figure) -> Derived:
        ours = str(value(figure))
        return Derived(ours, formula, ours == figure.value, why, erratum)

    return derive


def _near(figure: Figure, ours: Interval, middle: Fraction, formula: str, why: str, erratum: str) -> Derived:
    """The expected value of a rounded or truncated figure; one that begins with > is a lower limit."""
    if figure.value.startswith(">"):
        return Derived(f"{float(middle):.2f}", formula, middle > Fraction(figure.value[1:]), why, erratum)
    agrees = ours.meets(printed(figure.value))
    return Derived(f"{float(middle):.{places(figure.value) + 1}f}", formula, agrees, why, erratum)


def _latency(paper: Figures, figure: Figure) -> Derived:
    ways = _ways(figure)
    why = "the printed clock does not give it"
    return _near(figure, *_time(paper, figure, ways), "(k*(ma+3) + k - 1) / (k * clock)", why, E21)


def _speed_up(paper: Figures, figure: Figure) -> Derived:
    (low, high), one = _time(paper, figure, 1)
    (least, most), many = _time(paper, figure, _ways(figure))
    return _near(figure, Interval(low / most, high / least), one / many, "time of 1-way / time", "", E21)


def _slices(paper: Figures, figure: Figure) -> Derived:
    ratio = Fraction(int(_of(paper, figure, _ways(figure), "slices")), int(_of(paper, figure, 1, "slices")))
    exact = Interval(ratio * Fraction(999_999, 10**6), ratio * Fraction(1_000_001, 10**6))
    return _near(figure, exact, ratio, "slices / slices of 1-way", "the flip-flops of 1-way were the divisor", E22)


def _critical_path(paper: Figures, figure: Figure) -> Derived:
    clock = _of(paper, figure, 1, "frequency")
    low, high = printed(clock)
    return _near(figure, Interval(1000 / high, 1000 / low), 1000 / Fraction(clock), "1 / clock", "", E21)


def _twice(_: Figures, figure: Figure) -> Derived:
    ma, _mb = _digits(figure)
    ours = Fraction(cycles(2, ma), cycles(1, ma))
    why = "the cycle more is the second product's entry"
    return Derived(f"{float(ours):.2f}", "(2*(ma+3) + 1) / (ma+3)", ours == Fraction(figure.value), why, E20)


def _per_product(paper: Figures, figure: Figure) -> Derived:
    """The cost of a product, from the cycles of one design and the clock of another."""
    if figure.bits is None:
        ours = cycles(1, _digits(next(f for f in paper.rows if f.table == 1 and f.bits == 504))[0])
        why = "27 is 80/3, rounded up; it is no latency, and 26 in Table I"
        return Derived(str(ours), "ma + 3 at 504 bits", False, why, E23)
    ways, (ma, _) = _ways(figure), _digits(figure)
    each = Fraction(cycles(ways, ma), ways)
    why = "only in steady state; three products take 47 cycles"
    return Derived(f"{float(each):.2f}", "(k*(ma+3) + k - 1) / k", each == int(figure.value), why, E24)


def _formula(text: str) -> _Deriver:
    return lambda _, figure: Derived(text, text, text == figure.value)


_CYCLES = _exact(lambda figure: cycles(_ways(figure), _digits(figure)[0]), "k*(ma+3) + k - 1")
_WAYS = _exact(_ways, "k")

_DERIVERS: Mapping[tuple[int, str], _Deriver] = {
    (1, "parallel multiplications"): _WAYS,
    (1, "DSP blocks"): _exact(lambda figure: 2 * _digits(figure)[1] + 4, "2*mb + 4"),
    (1, "clock cycles"): _CYCLES,
    (1, "latency per multiplication"): _latency,
    (1, "slices relative to 1-way"): _slices,
    (1, "speed-up over 1-way"): _speed_up,
    (TEXT, "parallel multiplications"): _WAYS,
    (TEXT, "clock cycles relative to 1-way"): _twice,
    (TEXT, "clock cycles per multiplication"): _per_product,
    (TEXT, "speed-up over 1-way"): _speed_up,
    (TEXT, "critical path"): _critical_path,
    (TEXT, "redundant bits per digit"): _exact(lambda _: redundant.OVERLAP, "a sum of two numbers needs them"),
    (TEXT, "radix exponent r1 (maximum)"): _exact(lambda _: 24 - redundant.OVERLAP, "24 - 2"),
    (TEXT, "radix exponent r2 (maximum)"): _exact(lambda _: 17 - redundant.OVERLAP, "17 - 2"),
    (TEXT, "DSP blocks"): _formula("2*mb+4"),
    (TEXT, "DSP blocks for a_i*B"): _formula("mb+2"),
    (TEXT, "DSP blocks for q_i*M~"): _formula("mb+2"),
}


def derive(paper: Figures, figure: Figure) -> Derived | None:
    if not _own(figure):
        return None
    if (figure.table, figure.metric) == (TEXT, "clock cycles"):
        return _formula("ma+3")(paper, figure) if figure.unit == "formula" else _CYCLES(paper, figure)
    deriver = _DERIVERS.get((figure.table, figure.metric))
    return deriver and deriver(paper, figure)


def estimate(_: Figures, figure: Figure) -> tuple[str, str] | None:
    """Flip-flops for data, according to the registers in the text; P and W are in the DSP blocks."""
    if figure.metric != "flip-flops":
        return None
    (ma, mb), ways = _digits(figure), _ways(figure)
    S, B, A, K = (mb + 3) * _DIGIT, (mb + 2) * _DIGIT, (ma + 2) * _SERIAL, (mb + 4) * _DIGIT
    value, formula = {
        1: (S + B, "S + B"),
        2: (2 * S + 2 * B + 2 * A, "S + SD + 2B + 2A"),
        3: (2 * S + 2 * K + 3 * B + 3 * A, "S + SD + K + T + 3B + 3A"),
    }[ways]
    return str(value), formula


def remark(paper: Figures, figure: Figure) -> str:
    if figure.design.startswith("[17]") and figure.metric == "clock cycles":
        return "at its clock 120.3 ns, less than the 160.9 ns of 1-way: the text compares cycles only"
    if figure.design.startswith("[8]") and figure.metric == "clock cycles":
        return "the size over 16: a design of radix 2^16"
    if (figure.table, figure.metric) == (1, "latency per multiplication") and _own(figure):
        ma, _ = _digits(figure)
        each = 1000 * (ma + 3) / Fraction(_of(paper, figure, _ways(figure), "frequency"))
        return f"{float(each):.2f} ns in the steady state, where a group of k starts every k*(ma+3) cycles"
    return ""


_SYNTHESISED = {"LUT": LUTS, "flip-flops": "FF", "DSP blocks": "DSP", "frequency": FREQUENCY}


def synthesised(figure: Figure) -> Synthesised | None:
    """Our core of the same size for the same number of products."""
    if not (_own(figure) and figure.bits and figure.metric in _SYNTHESISED):
        return None
    meant = dict(zip(("MA", "MB"), _digits(figure), strict=True), R1=_R1, R2=_R2, Ways=_ways(figure), Steady=0)
    return Synthesised("redundant", _SYNTHESISED[figure.metric], lambda rtl: meant.items() <= rtl.items())


FIGURES = Figures(
    paper="redundant",
    package=__package__,
    source=redundant.paper("Table I and text"),
    derive=derive,
    estimate=estimate,
    remark=remark,
    own=_own,
    synthesised=synthesised,
)
