# SPDX-License-Identifier: Apache-2.0
"""Tables 1 to 3 of the LLMonPro paper: DSP blocks by counting digit products, delays and cycles by their parts."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil

from limbtrace.refmodels.figures import FREQUENCY, LUTS, Derived, Figure, Figures, Interval, Synthesised, printed
from limbtrace.refmodels.papers.llmonpro import family as llmonpro
from limbtrace.refmodels.papers.llmonpro.datapath import PHASES, rows

E25 = "llmonpro.E25"

SQUARINGS = 10_000
"""Number of squarings of the chains that the paper timed."""

_BLOCKS = {16: 1, 32: 4, 64: 16}
"""DSP blocks of a product of two digits of d + 1 bits, in pieces of 17 bits."""

SHARES = (Fraction(2, 3), Fraction(1, 2), Fraction(4, 9), Fraction(1, 4), Fraction(1, 8))
"""Digit multipliers of Table 2 per digit product; the paper gives no reason for these ratios."""

_Deriver = Callable[[Figures, Figure], Derived | None]


def digit_bits(figure: Figure) -> int:
    """d of a row; k of them are n bits."""
    return (figure.bits or 0) // _k(figure)


def _k(figure: Figure) -> int:
    return figure.k or 1


def products(k: int) -> int:
    """Digit products of three multiplications of k + 1 digits each."""
    return 3 * (k + 1) ** 2


def shared_multipliers(k: int, share: Fraction) -> int:
    """Digit multipliers if each of the three multiplications has this share, and A*B has one digit product less."""
    square = (k + 1) ** 2
    return ceil((square - 1) * share) + 2 * ceil(square * share)


def live_products(k: int) -> int:
    """The digit products that can influence the result of Algorithm 7.

    All but one of T; of Q those with i + j <= k - 1; of S those with i + j >= k - 3.
    """
    return (k + 1) ** 2 - 1 + k * (k + 1) // 2 + k * (k + 1) - (k - 2) * (k - 3) // 2


def schedule(k: int, cycles: int) -> int | None:
    """The largest `shared` of our schedule with which a product of k digits takes at most that many cycles."""
    fitting = (shared for shared in range(min(cycles // PHASES, k), 0, -1) if -(-k // rows(k, shared)) == shared)
    return next(fitting, None)


def _part(paper: Figures, figure: Figure, metric: str) -> str:
    """Another figure of the same row."""
    value = paper.beside(figure, metric)
    assert value is not None
    return value


def _blocks(_: Figures, figure: Figure) -> Derived | None:
    ours = products(_k(figure)) * _BLOCKS[digit_bits(figure)]
    why = "the paper does not say why the rows with k = 2 have fewer"
    return Derived(str(ours), "3(k+1)^2 digit products", str(ours) == figure.value, why, E25)


def _one_cycle(_: Figures, figure: Figure) -> Derived:
    return Derived("1", "registers, three products, registers", figure.value == "1", "it is no product a cycle")


def _shared(paper: Figures, figure: Figure) -> int | None:
    """Our schedule for a row of Table 2; None for a row of fewer cycles than three."""
    return schedule(_k(figure), int(_part(paper, figure, "cycles per product")))


def _shared_cycles(paper: Figures, figure: Figure) -> Derived | None:
    shared = _shared(paper, figure)
    if shared is None:
        return None
    ours = PHASES * shared
    why = f"the paper gives no schedule, and in ours T, Q and S take {shared} each"
    return Derived(str(ours), f"3*shared, shared = {shared}", str(ours) == figure.value, why)


def _shared_blocks(paper: Figures, figure: Figure) -> Derived | None:
    shared = _shared(paper, figure)
    if shared is None:
        return None
    k = _k(figure)
    ours = k * rows(k, shared) * _BLOCKS[digit_bits(figure)]
    why = "in our schedule T, Q and S have the same multipliers in turn, and digit k of an operand takes none"
    formula = f"k*ceil(k/shared) digit multipliers, shared = {shared}"
    return Derived(str(ours), formula, str(ours) == figure.value, why)


def _total(paper: Figures, figure: Figure) -> Derived:
    logic, route = (_part(paper, figure, f"{part} delay") for part in ("logic", "route"))
    ours = Fraction(logic) + Fraction(route)
    return Derived(f"{float(ours):.2f}", "logic + route", ours == Fraction(figure.value), "the parts give another sum")


def _share(paper: Figures, figure: Figure) -> Derived:
    logic, total = (_part(paper, figure, f"{part} delay") for part in ("logic", "total"))
    parts, whole = printed(logic), printed(total)
    share = Interval(100 * parts.low / whole.high, 100 * parts.high / whole.low)
    ours = 100 * Fraction(logic) / Fraction(total)
    return Derived(
        f"{float(ours):.3f}", "logic / total", share.meets(printed(figure.value)), "the delays give another share"
    )


_DERIVERS: Mapping[tuple[int, str], _Deriver] = {
    (1, "DSP"): _blocks,
    (1, "cycles per product"): _one_cycle,
    (2, "cycles per product"): _shared_cycles,
    (2, "DSP"): _shared_blocks,
    (3, "total delay"): _total,
    (3, "logic share"): _share,
}


def derive(paper: Figures, figure: Figure) -> Derived | None:
    deriver = _DERIVERS.get((figure.table, figure.metric))
    return deriver and deriver(paper, figure)


def estimate(paper: Figures, figure: Figure) -> tuple[str, str] | None:
    """Lower bounds, for blocks that are never idle and cycles that are spent only on squarings."""
    if figure.metric not in ("DSP", "cycles of 10000 squarings"):
        return None
    cycles = int(_part(paper, figure, "cycles per product"))
    if figure.metric == "DSP":
        blocks = live_products(_k(figure)) * _BLOCKS[digit_bits(figure)]
        return str(-(-blocks // cycles)), f"at least: 2k^2+6k-3 live digit products in {cycles} cycles"
    return str(SQUARINGS * cycles), f"at least: {cycles} cycles a squaring"


def _sharing(figure: Figure) -> str:
    """Note on the digit multipliers of Table 2 that the three multiplications appear to have."""
    k, multipliers = _k(figure), Fraction(int(figure.value), _BLOCKS[digit_bits(figure)])
    if multipliers == products(k):
        return "3(k+1)^2 digit multipliers, so that none is shared"
    fits = (str(share) for share in SHARES if multipliers == shared_multipliers(k, share))
    rule = "of the digit multipliers, rounded up for each product, A*B counted with one digit product less"
    return "".join(f"{share} {rule}" for share in fits)


def remark(paper: Figures, figure: Figure) -> str:
    if figure.metric == "cycles of 10000 squarings":
        cycles = int(_part(paper, figure, "cycles per product"))
        return f"{int(figure.value) - SQUARINGS * cycles} cycles more, for reading and writing as the paper says"
    if (figure.table, figure.metric) == (2, "clock period"):
        time = int(_part(paper, figure, "cycles per product")) * Fraction(figure.value)
        return f"{float(time):.2f} ns a product"
    if (figure.table, figure.metric) == (2, "DSP"):
        return _sharing(figure)
    if (figure.table, figure.metric) == (3, "DSP") and _part(paper, figure, "cycles per product") == "1":
        return "as many as 2k^2+7k-3" if int(figure.value) == live_products(_k(figure)) + _k(figure) else ""
    return ""


_SYNTHESISED = {"LUT": LUTS, "FF": "FF", "DSP": "DSP", "clock period": FREQUENCY}


def synthesised(figure: Figure) -> Synthesised | None:
    """Our core with the same digits, in one cycle or with shared multipliers."""
    if figure.metric not in _SYNTHESISED:
        return None
    meant = {"D": digit_bits(figure), "K": _k(figure), "Cycles": 1, "Shared": 0}
    if figure.table == 2:
        shared = _shared(FIGURES, figure)
        if shared is None:
            return None
        meant |= {"Cycles": PHASES * shared, "Shared": shared}
    elif not figure.design.endswith(" 1 cycle"):
        return None
    return Synthesised("llmonpro", _SYNTHESISED[figure.metric], lambda rtl: meant.items() <= rtl.items())


FIGURES = Figures(
    paper="llmonpro",
    package=__package__,
    source=llmonpro.paper("Tables 1 to 3"),
    derive=derive,
    estimate=estimate,
    remark=remark,
    own=lambda figure: True,
    synthesised=synthesised,
)
