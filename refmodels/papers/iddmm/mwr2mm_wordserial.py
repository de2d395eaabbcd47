# SPDX-License-Identifier: Apache-2.0
"""MWR2MM with one word of Y, p and S per cycle: the word-serial design that preceded those of the IDDMM paper."""

from limbtrace.refmodels.architecture import Architecture, Column, Control, Cost, Part, Shape, Signal, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import Index
from limbtrace.refmodels.papers.iddmm import family as iddmm
from limbtrace.refmodels.papers.iddmm.mwr2mm import MODEL, Mwr2mm
from limbtrace.refmodels.settings import Settings


def own(params: Mwr2mm, settings: Settings) -> dict[str, int]:
    """No hardware parameters. Raises ParameterError for words of one bit, since a bit has to remain after the shift."""
    if params.w < 2:
        raise ParameterError("w", f"{settings.owner} needs words of 2 bits or more, and here w is {params.w}")
    return {}


def columns(shape: Shape) -> tuple[Column, ...]:
    """The watched signals: registers, the bit of X, both adders, the accumulator's write port."""
    params: Mwr2mm = shape.params
    w, e = params.w, params.e

    def word(cycle: int) -> Index:
        return divmod(cycle, e + 1)

    def next_word(cycle: int) -> Index:
        i, j = word(cycle)
        return i, j + 1

    def bit(cycle: int) -> Index:
        return word(cycle)[:1]

    def written(cycle: int) -> Index | None:
        i, j = word(cycle)
        return (i, j - 1) if j else None

    def address(cycle: int) -> int | None:
        index = written(cycle)
        return None if index is None else index[1]

    def adder(carry: str, total: str) -> Signal:
        return Signal(total, w + 1, "combinational", ((Part(carry, next_word), 1), (Part(total, word), w)))

    return (
        signal("Ca", 1, "register", "Ca", next_word),
        signal("Cb", 1, "register", "Cb", next_word),
        signal("par", 1, "register", "par", bit),
        Signal("kept", w - 1, "register", ((Part("Sb", word, (w - 1, 1)), w - 1),)),
        signal("x", 1, "combinational", "x", bit),
        adder("Ca", "Sa"),
        adder("Cb", "Sb"),
        Control("S_we", 1, "combinational", lambda cycle: int(written(cycle) is not None)),
        Control("S_addr", max((e - 1).bit_length(), 1), "combinational", address),
        signal("S", w, "combinational", "S", written),
    )


def cycles(shape: Shape) -> int:
    """e + 1 words for every bit of X."""
    return int(shape.params.bits * (shape.params.e + 1))


ARCHITECTURE = Architecture(
    id="mwr2mm_wordserial",
    title="MWR2MM, a word of Y a cycle",
    source=iddmm.paper("figure 2"),
    model=MODEL,
    own_parameters=(),
    own=own,
    first_cycle=0,
    steps=lambda shape, x, Y: MODEL.steps(shape.params, x, Y),
    columns=columns,
    cycles=cycles,
    interval=lambda shape: cycles(shape) + 1,  # a start is taken in the cycle of done
    costs=(
        Cost("cycles", "clock cycles", "N(e + 1)", cycles),
        Cost("adders", "bits", "S + x*Y, that + par*p: w each", lambda shape: 2 * shape.params.w),
        Cost("registers", "bits", "kept: w - 1, Ca, Cb, par: 1", lambda shape: shape.params.w + 2),
    ),
    published={
        "cycles": {"a word short where w divides N": "N(ceil(N/w) + 1)"},
        "area": {
            "1024 bits, w = 16, other work [13], Virtex-2": {"LUT": 9319, "DSP": 64},
            "1024 bits, w = 16, systolic, other work [11], Virtex-2": {"slices": 4178, "processing elements": 65},
        },
    },
)
