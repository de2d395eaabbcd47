# SPDX-License-Identifier: Apache-2.0
"""CIOS on one multiplier of a word by a word, with one multiply-accumulate a cycle."""

from limbtrace.refmodels.architecture import Architecture, At, Column, Control, Cost, Shape, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.montgomery import UNREDUCED
from limbtrace.refmodels.papers.koc.family import Koc, paper
from limbtrace.refmodels.papers.koc.koc_cios import METHOD, MODEL
from limbtrace.refmodels.settings import Settings


def own(params: Koc, settings: Settings) -> dict[str, int]:
    """No hardware parameters. Raises ParameterError for a product without the subtraction."""
    if not params.subtracts:
        raise ParameterError("final", f"{settings.owner} subtracts p at the end, and {UNREDUCED} is asked for")
    return {}


def columns(shape: Shape) -> tuple[Column, ...]:
    """The watched signals: the sum of the multiply-accumulate, C, t[s], t[s+1], m, the write port of t, t - p."""
    w, s = shape.params.radix_bits, shape.params.digits
    period, end = 2 * s + 3, s * (2 * s + 3)

    def place(cycle: int) -> tuple[int, int]:
        """Iteration and cycle of it; after the last iteration (s, word of the subtraction)."""
        return divmod(cycle, period) if cycle < end else (s, cycle - end)

    def first_loop(last: int, ahead: int) -> At:
        """Word j + `ahead` in cycle j of the first inner loop, up to j = `last`."""

        def at(cycle: int) -> Index | None:
            i, j = place(cycle)
            return (i, j + ahead) if i < s and j <= last else None

        return at

    def second_loop(first: int, last: int, ahead: int) -> At:
        """Word j + `ahead` in cycle j of the second inner loop, for j = `first` to `last`."""

        def at(cycle: int) -> Index | None:
            i, j = place(cycle)
            return (i, j - s - 2 + ahead) if i < s and first <= j - s - 2 <= last else None

        return at

    def held(since: int, *word: int) -> At:
        """Subscripts of a register that is loaded in that cycle of an iteration and kept until the next one."""

        def at(cycle: int) -> Index | None:
            i, j = place(cycle)
            done = i if i < s and j >= since else i - 1
            return (done, *word) if done >= 0 else None

        return at

    def row_top(cycle: int) -> Index | None:
        i, j = place(cycle)
        return (i, s) if i < s and s <= j < period - 1 else None

    def sum_top(cycle: int) -> Index | None:
        """t[s] is 0 until the first iteration has it: (-1, s) stands for the reset value."""
        i, j = place(cycle)
        if i == s or j < s:
            return i - 1, s
        return (i, s) if j == period - 1 else None

    def writes(cycle: int) -> int:
        i, j = place(cycle)
        return int(i < s and (j < s or j > s + 2))

    def address(cycle: int) -> int | None:
        j = place(cycle)[1]
        return (j if j < s else j - s - 3) if writes(cycle) else None

    def word(ahead: int) -> At:
        """Word j + `ahead` in cycle j of the subtraction."""
        return lambda cycle: (cycle - end + ahead,) if cycle >= end else None

    return (
        signal("t1", w, "combinational", "t1", first_loop(s, 0)),
        signal("C1", w, "register", "C1", first_loop(s - 1, 1)),
        signal("t1s", w, "register", "t1", row_top),
        signal("t1x", 1, "register", "t1", held(s, s + 1)),
        signal("m", w, "register", "m", held(s + 1)),
        signal("t", w, "combinational", "t", second_loop(1, s, -1)),
        signal("C2", w, "register", "C2", second_loop(0, s - 1, 1)),
        signal("ts", w, "register", "t", sum_top),
        Control("t_we", 1, "combinational", writes),
        Control("t_addr", max((s - 1).bit_length(), 1), "combinational", address),
        signal("B", 1, "register", "B", word(1)),
        signal("D", w, "combinational", "D", word(0)),
        signal("sub", 1, "register", "sub", lambda cycle: () if cycle == end + s - 1 else None),
    )


def cycles(shape: Shape) -> int:
    """2s + 3 for each word of b, and s for the subtraction."""
    s: int = shape.params.digits
    return s * (2 * s + 3) + s


ARCHITECTURE = Architecture(
    id="koc_cios",
    title="CIOS, one multiply-accumulate a cycle",
    source=paper(METHOD),
    model=MODEL,
    own_parameters=(),
    own=own,
    first_cycle=0,
    steps=lambda shape, a, b: MODEL.steps(shape.params, a, b),
    columns=columns,
    cycles=cycles,
    interval=lambda shape: cycles(shape) + 1,  # a start is taken in the cycle of done
    costs=(
        Cost("cycles", "clock cycles", "s(2s + 3) + s", cycles),
        Cost("multipliers", "bits of a factor", "w", lambda shape: shape.params.radix_bits),
        Cost(
            "registers", "bits", "C, m, t[s]: w each, t[s+1], B, sub: 1", lambda shape: 3 * shape.params.radix_bits + 3
        ),
    ),
    published={},
)
