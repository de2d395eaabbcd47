# SPDX-License-Identifier: Apache-2.0
"""Table I of the SIDH paper, and figures in its text.

Cycles follow from the layers of the schedule, times from the printed clocks, DSPs from tiles, ratios from times.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from limbtrace.refmodels.figures import FREQUENCY, LUTS, Derived, Figure, Figures, Synthesised, places, printed
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh.hffm import algorithm as hffm
from limbtrace.refmodels.primes import by_name

E17, E22 = "hffm.E17", "hffm.E22"

TEXT = 0
"""Number of the table of figures that stand in the text."""

LAYER, SHORT_LAYERS = 4, 2
"""Cycles of a layer, in which one product of N by N bits begins; two layers of a pair have one cycle."""
PAIR_LAYERS, INTERVAL_LAYERS = 16, 13
"""Whole layers until a pair of products is finished, and until the next pair begins."""
TILE = 17
"""Widths of the multipliers, without sign bits, that match the paper's DSP counts."""
MULTIPLIERS = {6: 9, 8: 16}
"""Small multipliers of the N/2 by N/2 unit: (split / 2)^2."""

_Deriver = Callable[[Figures, Figure], Derived | None]

_PRIMES = {434: "sike-p434", 503: "sike-p503", 610: "sike-p610", 751: "sike-p751", 771: "p771"}
_SPLITS = {"HFFM Algorithm(N/6)": 6, "HFFM Algorithm(N/8)": 8}
_OPTIMISED, _CONVENTIONAL = "Design in [12]", "Montgomery Multiplier [12]"


def _own(figure: Figure) -> bool:
    return figure.design.startswith("HFFM Algorithm")


def _cycles(layers: int) -> _Deriver:
    """Cycles of the paper's own design."""

    def derive(_: Figures, figure: Figure) -> Derived | None:
        if not _own(figure):
            return None
        cycles = str(layers * LAYER + SHORT_LAYERS)
        formula = f"{layers} layers of {LAYER} cycles and {SHORT_LAYERS} of one"
        return Derived(cycles, formula, cycles == figure.value, "the schedule gives another one")

    return derive


def _multiplier(figure: Figure) -> tuple[int, int]:
    """Pieces of a word of the paper's own design, and the bits of one."""
    split = _SPLITS[figure.design]
    return split, hffm.resolve(by_name(_PRIMES[figure.bits or 0]).modulus, {"split": split}).N // split


def _dsps(_: Figures, figure: Figure) -> Derived | None:
    if not _own(figure):
        return None
    split, width = _multiplier(figure)
    count = str(MULTIPLIERS[split] * (-(-width // TILE)) ** 2)
    formula = f"{MULTIPLIERS[split]} multipliers of {width} bits, in tiles of {TILE} by {TILE}"
    return Derived(count, formula, count == figure.value, f"4 DSPs do not hold {width} by {width} bits", E17)


_TIMES = {"time of two products": "cycles of two products", "time between pairs": "cycles between pairs"}
"""Times, each with the cycle count from which it follows."""


def _nanoseconds(paper: Figures, figure: Figure) -> Fraction:
    """A time computed from the cycles and the clock printed beside it."""
    count, clock = (paper.beside(figure, metric) or "" for metric in (_TIMES[figure.metric], "frequency"))
    return 1000 * int(count) / Fraction(clock)


def _time(paper: Figures, figure: Figure) -> Derived:
    """A time with the interval that the rounding of the clock allows."""
    count, clock = (paper.beside(figure, metric) or "" for metric in (_TIMES[figure.metric], "frequency"))
    ours = f"{float(_nanoseconds(paper, figure)):.{places(figure.value) + 1}f}"
    agrees = (1000 * int(count) / printed(clock)).meets(printed(figure.value))
    return Derived(ours, f"{count} cycles at {clock} MHz", agrees, "the printed cycles and clock do not give it")


def _improvement(time: str) -> _Deriver:
    """The time that the paper's design saves relative to the other design for the same modulus."""

    def derive(paper: Figures, figure: Figure) -> Derived:
        other = next(f for f in paper.rows if f.bits == figure.bits and f.metric == time and not _own(f))
        new, old = Fraction(paper.beside(figure, time) or ""), Fraction(other.value)
        percent = 100 * (old - new) / old
        low, high = printed(figure.value)
        ours = f"{float(percent):.{places(figure.value) + 1}f}"
        return Derived(ours, f"({old} - {new}) / {old}", low < percent < high, "the printed times do not give it")

    return derive


def _speed_up(time: str) -> _Deriver:
    """How many times as long the other design for the same modulus takes; the text has an upper limit for it."""

    def derive(paper: Figures, figure: Figure) -> Derived:
        new, old = (
            next(Fraction(f.value) for f in paper.rows if (f.bits, f.metric, _own(f)) == (figure.bits, time, own))
            for own in (True, False)
        )
        why = f"the printed times give more than two; {float(old / new - 1):.2f} is by how much it is faster"
        return Derived(
            f"{float(old / new):.2f}", f"{old} / {new}", old / new < Fraction(figure.value.removeprefix("<")), why
        )

    return derive


def _extreme(pick: Callable[[Iterable[Fraction]], Fraction], other: str) -> _Deriver:
    """The least or the greatest improvement of Table I over one of the other designs."""

    def derive(paper: Figures, figure: Figure) -> Derived:
        moduli = [f.bits for f in paper.rows if (f.design, f.metric) == (other, "frequency")]
        improvements = (f for f in paper.rows if f.metric == "improvement in time between pairs" and f.bits in moduli)
        percent = pick(Fraction(f.value) for f in improvements)
        low, high = printed(figure.value)
        sizes = " and ".join(map(str, moduli))
        return Derived(
            f"{float(percent):.2f}", f"{pick.__name__} at {sizes} bits", low < percent < high, "Table I has another one"
        )

    return derive


def _small_multipliers(_: Figures, figure: Figure) -> Derived:
    count = str((_SPLITS[figure.design] // 2) ** 2)
    return Derived(count, "(split/2)^2", count == figure.value, "half a word has another number of pieces")


def _saved(_: Figures, figure: Figure) -> Derived:
    """Four multiplications of two layers each, one after the other, or a layer apart."""
    saved = str(4 * 2 * LAYER - (2 + 3) * LAYER)
    formula = f"4 * {2 * LAYER} cycles one after the other, {2 * LAYER} + 3 * {LAYER} in the pipeline"
    return Derived(saved, formula, saved == figure.value, "a layer has another length")


_DERIVERS: Mapping[str, _Deriver] = {
    "DSPs": _dsps,
    "DSPs of nine multipliers": _dsps,
    "cycles of two products": _cycles(PAIR_LAYERS),
    "cycles between pairs": _cycles(INTERVAL_LAYERS),
    **dict.fromkeys(_TIMES, _time),
    "improvement in time of two products": _improvement("time of two products"),
    "improvement in time between pairs": _improvement("time between pairs"),
    "speed-up over FFM1 [14], two products": _speed_up("time of two products"),
    "speed-up over FFM1 [14], between pairs": _speed_up("time between pairs"),
    **{
        f"{which} improvement over the {name} multiplier of [12], between pairs": _extreme(pick, design)
        for which, pick in (("least", min), ("greatest", max))
        for name, design in (("optimised", _OPTIMISED), ("conventional", _CONVENTIONAL))
    },
    "small multipliers": _small_multipliers,
    "cycles saved by four multiplications in a row": _saved,
}


def derive(paper: Figures, figure: Figure) -> Derived | None:
    deriver = _DERIVERS.get(figure.metric)
    return deriver and deriver(paper, figure)


def remark(paper: Figures, figure: Figure) -> str:
    if figure.metric == "frequency" and figure.design.startswith("Montgomery"):
        return "the paper's estimate"
    if figure.metric == "DSPs" and _own(figure):
        split, width = _multiplier(figure)
        theirs, left = int(figure.value) // MULTIPLIERS[split], width - 2 * TILE
        if theirs != (-(-width // TILE)) ** 2:
            return (
                f"{theirs} a multiplier are tiles of {TILE + left} by {TILE} bits, as a block has 24 bits one way, "
                f"around {left} by {left} bits in LUTs"
            )
    if figure.metric in _TIMES:
        exact = _nanoseconds(paper, figure)
        if round(exact) != int(figure.value):
            return f"{E22}: {float(exact):.1f} at the printed clock, if that is not rounded"
    return ""


_SYNTHESISED = {"DSPs": "DSP", "LUTs": LUTS, "FFs": "FF", "frequency": FREQUENCY}


def synthesised(figure: Figure) -> Synthesised | None:
    """Our core for the same prime, cut into the same number of pieces."""
    resource = _SYNTHESISED.get(figure.metric)
    if resource is None or not _own(figure):
        return None
    split, width = _multiplier(figure)
    meant = {"N": split * width, "Split": split, "Normalise": 1}
    return Synthesised("hffm", resource, lambda rtl: meant.items() <= rtl.items())


FIGURES = Figures(
    paper="hffm",
    package=__package__,
    source=sidh.paper("Table I and text"),
    derive=derive,
    estimate=lambda paper, figure: None,
    remark=remark,
    own=_own,
    synthesised=synthesised,
)
