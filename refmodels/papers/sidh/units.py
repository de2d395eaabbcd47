# SPDX-License-Identifier: Apache-2.0
"""The interleaved multiplier of the SIDH paper: pairs of products share one N x N multiplier and one adder of N bits.

A multiplication occupies the multiplier for four cycles and ends after eight: four quarters LL, LH, HL, HH go through
two stages of four cycles. The paper gives the layers and the totals, 66 cycles for a pair and a new pair every 54. The
schedule of the additions is ours: products are used as soon as they leave the multiplier if possible, and the adder
processes the last steps of a pair in the first twelve cycles of the next one.

Row 0 is the cycle in which the operands of the first product are on the ports; its cycle 0 is the row after it. The
first subscript of every step is the number of the product.

One file, although it is long: the occupation of the units, the steps and the columns are one table read three ways.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from limbtrace.refmodels.architecture import Architecture, At, Column, Control, Cost, Overlap, Part, Shape, Signal
from limbtrace.refmodels.batch_digits import Digit
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.model import CORRECTED, PRINTED, Index, Step
from limbtrace.refmodels.papers.sidh import additions
from limbtrace.refmodels.papers.sidh import family as sidh
from limbtrace.refmodels.papers.sidh.hffm import MODEL
from limbtrace.refmodels.papers.sidh.hffm.algorithm import Hffm
from limbtrace.refmodels.settings import Given, Parameter, Settings

PAIR = 54
"""Cycles from one pair to the next."""
TOTAL = 66
"""Cycles of a pair: from the edge that takes the first product to the edge that loads the second result."""
SECOND = 20
"""Cycles from the first product of a pair to the second."""
DSP_BITS = 17
"""Unsigned width of the narrower input of a DSP block, in bits."""
TILED_BITS = 37
"""Width of the widest small multiplier that four DSP blocks make, with at most 3 x 3 bits in LUTs."""

LAYERS = tuple(layer for layer in range(15) for _ in range(1 if layer in (10, 13) else 4))
"""Cycle of a pair -> layer; the last additions of a pair take place in layers 0 to 2 of the next pair."""

Both = tuple[int, int]
"""Cycles of a product, for the first and the second of a pair."""

RESULT: Both = (59, 46)
"""Cycles from a product to its result, for the first and the second of a pair."""

OWN_PARAMETERS = (
    Parameter("normalise", "the last steps, which the paper does not have: results in [0, p)",
              "1; 0 for form=printed, whose result is C@9", "that", ("Normalise",)),
)  # fmt: skip


def least_bits(params: Hffm) -> int:
    """Least width of the multiplier's words, in bits."""
    return max(params.a, params.n + 1, ((1 << params.a) + params.D - 2).bit_length())


def defaults(params: Hffm) -> Given:
    """Longer words if those of the model are too short for this multiplier, as for primes of a few bits."""
    if least_bits(params) <= params.N and params.barrett.corrections <= 1:
        return {}
    split = params.split_into
    return {"N": -(-max(least_bits(params), params.n + 2) // split) * split}


def own(params: Hffm, settings: Settings) -> Mapping[str, int]:
    """True if results are normalised. Raises ParameterError for settings that this multiplier does not support."""
    if params.N % params.split_into:
        raise ParameterError("N", f"{params.N} is no multiple of split = {params.split_into}")
    if params.window != "window":
        raise ParameterError("window", f"the multiplier has window, and {params.window} is asked for")
    least = least_bits(params)
    if least > params.N:
        raise ParameterError("N", f"{params.N}: the words of the multiplier need at least {least} bits here")
    if params.barrett.corrections > 1:
        raise ParameterError(
            "N", f"{params.N}: the multiplier subtracts f*l^b once, for which n + 2 = {params.n + 2} bits are enough"
        )
    normalise = int(params.form == CORRECTED)
    if settings.integer("normalise", normalise, 0, 1) != normalise:
        raise ParameterError("normalise", f"{1 - normalise} does not go with form={params.form}, which has {normalise}")
    return {"normalise": normalise}


def next_start(shape: Shape, wanted: int) -> int:
    """The second product of a pair may start 20 rows after the first, the next pair 54 rows after this one."""
    if not shape.starts:
        return wanted
    pair, last = pairs(shape)[-1][0], shape.starts[-1]
    if last == pair and wanted <= pair + SECOND:
        return pair + SECOND
    return pair + PAIR if wanted <= pair + PAIR else max(wanted, pair + TOTAL)


def pairs(shape: Shape) -> list[list[int]]:
    """The rows in which the products of each pair start, one or two."""
    found: list[list[int]] = []
    for start in shape.starts:
        if found and start == found[-1][0] + SECOND:
            found[-1].append(start)
        else:
            found.append([start])
    return found


def cycles(shape: Shape) -> int:
    """Number of rows up to the last result."""
    last = pairs(shape)[-1]
    return last[-1] + 2 + RESULT[len(last) - 1]


class Multiplication(NamedTuple):
    """One of the six multiplications of a product: its operands, and the cycles of the product in which it begins."""

    x: str
    y: str
    begins: Both


MULTIPLICATIONS = (
    Multiplication("a1", "b1", (0, 0)),
    Multiplication("a2", "b2", (4, 4)),
    Multiplication("a1+a2", "b1+b2", (8, 8)),
    Multiplication("r1", "f*l^b", (12, 12)),
    Multiplication("barrett.hi", "x", (36, 21)),
    Multiplication("barrett.qhat", "f*l^b", (45, 30)),
)
RESULT_DIGITS = (("c1@9", "c2@9"), ("c1", "c2"))
"""Without and with normalisation."""

NOTHING = 7
"""Stands for no multiplication."""

QUARTERS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""The halves of x and y that are multiplied, in that order."""

CYCLES_OF_MULTIPLIER = {
    second * SECOND + begins + q: (j, second)
    for j, multiplication in enumerate(MULTIPLICATIONS)
    for second, begins in enumerate(multiplication.begins)
    for q in range(len(QUARTERS))
}
"""Cycle of a pair -> the multiplication whose quarter enters, and its product."""

ADDITIONS: tuple[tuple[str, Both], ...] = (
    # (name, cycles of the first and the second product of a pair)
    ("a1+a2", (5, 5)), ("b1+b2", (6, 6)), ("a1b1+a2b2 low", (13, 13)), ("a1b1+a2b2 high", (14, 14)),
    ("a1b2+a2b1 low", (15, 15)), ("a1b2+a2b1 high", (16, 16)), ("c2@4 low", (17, 17)), ("c2@4 high + 1", (18, 18)),
    ("c2@4 high", (19, 19)), ("c2@5", (20, 20)), ("c1@6", (21, 21)), ("c1@7", (22, 22)), ("c1@7+qhat", (45, 30)),
    ("rhat", (52, 37)), ("corr", (53, 41)), ("c1@8", (54, 42)), ("c2@9", (55, 43)), ("fix", (56, 44)), ("c1", (58, 45)),
)  # fmt: skip
"""The operations of the adder, numbered from 1."""
ADD = dict(ADDITIONS)
CYCLES_OF_ADDER = {
    (second * SECOND + at[second]) % PAIR: (operation, second)
    for operation, (_, at) in enumerate(ADDITIONS, 1)
    for second in range(2)
}
"""Cycle of a pair -> operation and product; except for sums, the first twelve cycles serve the pair before."""


def micro_steps(shape: Shape, number: int, steps: Sequence[Step]) -> Iterator[Step]:
    """Register contents other than steps of the model, for one product.

    REGISTER (number, v) is the value of a register of several steps after it has been loaded v + 1 times.
    """
    params: Hffm = shape.params
    at = {name: value for name, _, value in steps} | {"f*l^b": params.D, "x": params.barrett.x}
    N, word = params.N, (1 << params.N) - 1
    for j, multiplication in enumerate(MULTIPLICATIONS):
        for name, index, value in _multiply(params, at[multiplication.x], at[multiplication.y]):
            yield name, (number, j, *index), value
    both = at["a1b1"] + at["a2b2"]
    ones = (at["c1@9"] + 1) >> params.a
    last = RESULT_DIGITS[shape.own["normalise"]]
    registers: dict[str, list[Digit]] = {
        "mid": [both, at["a1b2+a2b1"]],
        "c2 register": [at["c2@4"], at["c2@5"]],
        "c1 register": [at["c1@6"], at["c1@7"], at["c1@7"] + at["barrett.qhat"], at["c1@8"]],
        "r register": [at["barrett.rhat"], at["r"], at["c2@9"], at[last[1]]],
        "carry": [
            ((at["a1b1"] & word) + (at["a2b2"] & word)) >> N,
            ((at["(a1+a2)(b1+b2)"] & word) + word + 1 - (both & word)) >> N,
            ((at["a2b2"] & word) + at["m1"]) >> N,
        ],
        "flag": [at["barrett.corr"], (at["c2@9"] + word + 1 - params.D + ones) >> N],
        "ones": [ones],
        "c2 high + 1": [(at["c2@4"] >> N) + 1],
    }  # fmt: skip
    for name, values in registers.items():
        for v, value in enumerate(values):
            yield name, (number, v), value


def pieces(params: Hffm) -> tuple[int, int, int]:
    """Both sides of a tile in bits, at most 20 and 17, and the number of pieces of a half, each as wide as both."""
    w = params.N // params.split_into
    short = min(DSP_BITS, max(w // 2, 1))
    long = short if w > TILED_BITS else max(w - short, short)
    return long, short, -(-(params.N // 2) // (long + short))


def _sum_bits(params: Hffm) -> int:
    """Width of a sum of tiles."""
    long, _, count = pieces(params)
    return 2 * long + 1 + (count - 1).bit_length()


def _multiply(params: Hffm, x: Digit, y: Digit) -> Iterator[Step]:
    """x*y by its four quarters, through both stages; halves are cut into pieces, and products of those into tiles."""
    h, wide = params.N // 2, _sum_bits(params)
    low = (1 << h) - 1
    acc: Digit = 0
    bottom_half: Digit = 0
    for q, (i, j) in enumerate(QUARTERS):
        X, Y = (x >> (h * i)) & low, (y >> (h * j)) & low
        yield "x half", (q,), X
        yield "y half", (q,), Y
        early, late = _tile_sums(params, X, Y)
        yield "early sums", (q,), _packed(early, wide)
        yield "sums", (q,), _packed([first + rest for first, rest in zip(early, late, strict=True)], wide)
        xy = X * Y
        yield "xy", (q,), xy
        if q == 0:
            bottom_half = xy & low
            yield "xy low", (), bottom_half
            acc = xy
        elif q < 3:
            acc = (acc >> h) + xy if q == 1 else acc + xy
        else:
            yield "low word", (), ((acc & low) << h) + bottom_half
            acc = (acc >> h) + xy
        yield "sum", (q,), acc


def _tile_sums(params: Hffm, x: Digit, y: Digit) -> tuple[list[Digit], list[Digit]]:
    """Tiles at the same bit, added up, from low to high: those of cycle 1 with the squares, and those of cycle 2."""
    long, short, count = pieces(params)
    bits, square = long + short, (1 << (long - short)) - 1
    early: list[Digit] = [0] * (4 * count - 1)
    late: list[Digit] = [0] * (4 * count - 1)
    for i in range(count):
        for j in range(count):
            piece_x, piece_y = ((value >> (bits * k)) & ((1 << bits) - 1) for value, k in ((x, i), (y, j)))
            at = 2 * (i + j)
            early[at] += (piece_x & ((1 << long) - 1)) * (piece_y & ((1 << short) - 1))
            early[at + 1] += (piece_x >> long) * (piece_y & ((1 << long) - 1)) * (1 << (long - short))
            early[at + 1] += ((piece_x >> short) & square) * ((piece_y >> short) & square) * (1 << short)
            late[at + 1] += (piece_x & ((1 << short) - 1)) * (piece_y >> short)
            late[at + 2] += (piece_x >> short) * (piece_y >> long)
    return early, late


def _packed(digits: Sequence[Digit], bits: int) -> Digit:
    """Digits placed that many bits apart; they do not overlap if they are not wider than that."""
    return sum(digit * (1 << (bits * place)) for place, digit in enumerate(digits))


def steps(shape: Shape, A: Sequence[list[Digit]], B: Sequence[list[Digit]]) -> Iterator[Step]:
    """The steps of the model for every product, with its number before the subscripts, and the micro-steps."""
    for number, (a, b) in enumerate(zip(A, B, strict=True)):
        of_model = list(MODEL.steps(shape.params, _plain(a), _plain(b)))
        for name, index, value in of_model:
            yield name, (number, *index), value
        yield from micro_steps(shape, number, of_model)


def _plain(digits: list[Digit]) -> list[Digit]:
    """Columns of Python's integers, since packed pieces are wider than any step of the model."""
    return [digit.astype(object) if isinstance(digit, np.ndarray) else digit for digit in digits]


class UnitProduct(NamedTuple):
    """A product of a stream: its number, the row of its cycle 0, and whether it is the second of its pair."""

    number: int
    start: int
    second: int


def places(shape: Shape) -> list[UnitProduct]:
    """Every product of the stream."""
    of_pairs = [(start + 1, second) for pair in pairs(shape) for second, start in enumerate(pair)]
    return [UnitProduct(number, row, second) for number, (row, second) in enumerate(of_pairs)]


class UnitRows:
    """The product and its part that each unit holds, row by row."""

    def __init__(self, shape: Shape) -> None:
        self.places = places(shape)
        self.frames = [pair[0] + 1 for pair in pairs(shape)]
        self.issues: dict[int, tuple[int, int, int]] = {}
        """Row -> product, multiplication and quarter that enter the multiplier."""
        for place in self.places:
            for j, multiplication in enumerate(MULTIPLICATIONS):
                for q in range(len(QUARTERS)):
                    self.issues[place.start + multiplication.begins[place.second] + q] = place.number, j, q

    def issued(self, late: int) -> At:
        """The quarter that entered that many rows before."""
        return lambda row: self.issues.get(row - late)

    def last(self, quarter: int, late: int) -> At:
        """The multiplication whose quarter entered that many rows before, or up to three rows earlier."""

        def index(row: int) -> Index | None:
            for entered in range(row - late, row - late - len(QUARTERS), -1):
                if (found := self.issues.get(entered)) and found[2] == quarter:
                    return found[:2]
            return None

        return index

    def kept(self, loads: Sequence[Both], end: Both, second: int | None = None, versions: bool = True) -> At:
        """The product that a register belongs to, and the number of its earlier loads, up to the cycle `end`.

        `second` selects the first or the second products of the pairs; None selects both.
        """

        def index(row: int) -> Index | None:
            for number, start, which in self.places:
                cycle = row - start
                if second in (None, which) and loads[0][which] <= cycle <= end[which]:
                    version = sum(load[which] <= cycle for load in loads) - 1
                    return (number, version) if versions else (number,)
            return None

        return index

    def cycle(self, row: int) -> int | None:
        """The cycle of the pair in the multiplier, or of the end of the last pair; None without a pair."""
        frame = max((frame for frame in self.frames if frame <= row), default=None)
        if frame is None or row - frame >= TOTAL:
            return None
        return (row - frame) % PAIR

    def multiplication(self, row: int) -> int | None:
        """The multiplication in this row; NOTHING in a cycle that never has one."""
        cycle = self.cycle(row)
        if cycle is None:
            return None
        return CYCLES_OF_MULTIPLIER.get(cycle, (NOTHING, 0))[0]

    def addition(self, row: int) -> int | None:
        """The adder's operation in this row; 0 in a cycle in which it never has one."""
        cycle = self.cycle(row)
        return None if cycle is None else CYCLES_OF_ADDER.get(cycle, (0, 0))[0]

    def quarter(self, row: int) -> int | None:
        """The quarter of the multiplication in this row."""
        found = self.issues.get(row)
        return None if found is None else found[2]

    def ready(self, row: int) -> int:
        """True if a product may start."""
        frame = max((frame for frame in self.frames if frame <= row), default=None)
        return int(frame is None or row - frame in (SECOND - 1, PAIR - 1) or row - frame >= TOTAL - 1)


def columns(shape: Shape) -> tuple[Column, ...]:
    """The control, the multiplier stage by stage, and every other register as long as its value is needed."""
    params: Hffm = shape.params
    rows, N, h = UnitRows(shape), params.N, params.N // 2
    sums = _sum_bits(params) * (4 * pieces(params)[2] - 1)

    def quarter(name: str, width: int, step: str, late: int) -> Column:
        return Signal(name, width, "register", ((Part(step, rows.issued(late)), width),))

    def whole(name: str, width: int, step: str, load: Both, end: Both) -> Column:
        return Signal(name, width, "register", ((Part(step, rows.kept([load], end, versions=False)), width),))

    def register(
        name: str,
        width: int,
        step: str,
        loads: Sequence[Both],
        end: Both,
        second: int | None = None,
        bits: tuple[int, int] | None = None,
    ) -> Column:
        return Signal(name, width, "register", ((Part(step, rows.kept(loads, end, second), bits), width),))

    def halves(name: str, step: str) -> Column:
        return Signal(name, h, "combinational", ((Part(step, rows.issued(0)), h),))

    def result(step: str) -> At:
        return lambda row: next(((p.number,) for p in rows.places if row == p.start + RESULT[p.second]), None)

    low, high, window = (N - 1, 0), (2 * N - 1, N), (N - 1, params.barrett.dropped)
    digits = RESULT_DIGITS[shape.own["normalise"]]
    c1 = [ADD[name] for name in ("c1@6", "c1@7", "c1@7+qhat", "c1@8")]
    r = [ADD[name] for name in ("rhat", "corr", "c2@9", "fix")]
    c2 = [ADD["c2@4 low"], ADD["c2@5"]]
    return (
        Control("phase", 6, "combinational", rows.cycle),
        Control("ready", 1, "combinational", rows.ready),
        Control("mul", 3, "combinational", rows.multiplication),
        Control("quarter", 2, "combinational", rows.quarter),
        Control("op", 5, "combinational", rows.addition),
        halves("x", "x half"),
        halves("y", "y half"),
        quarter("early", sums, "early sums", 1),
        quarter("sums", sums, "sums", 2),
        quarter("xy", N, "xy", 3),
        quarter("acc", N + 1, "sum", 4),
        Signal("lo0", h, "register", ((Part("xy low", rows.last(0, 4)), h),)),
        Signal("lo", N, "register", ((Part("low word", rows.last(3, 4)), N),)),
        *(whole(name, N, name, (-1, -1), (18, 18)) for name in ("a1", "a2", "b1", "b2")),
        whole("suma", N, "a1+a2", ADD["a1+a2"], (11, 11)),
        whole("sumb", N, "b1+b2", ADD["b1+b2"], (11, 11)),
        whole("p1", 2 * N, "a1b1", (8, 8), (20, 20)),
        whole("p2", 2 * N, "a2b2", (12, 12), (18, 18)),
        register("midl", N, "mid", [ADD["a1b1+a2b2 low"], ADD["a1b2+a2b1 low"]], (20, 20), bits=low),
        register("midh", N, "mid", [ADD["a1b1+a2b2 high"], ADD["a1b2+a2b1 high"]], (16, 16), bits=high),
        register("highi", N, "c2 high + 1", [ADD["c2@4 high + 1"]], (19, 19)),
        register("c2h", N, "c2 register", [ADD["c2@4 high"], ADD["c2@5"]], (38, 23), bits=high),
        register("c2l0", N + 2, "c2 register", c2, (51, 36), 0, low),
        register("c2l1", N + 2, "c2 register", c2, (51, 36), 1, low),
        register("c10", N + 2, "c1 register", c1, (57, 44), 0),
        register("c11", N + 2, "c1 register", c1, (57, 44), 1),
        register("r0", N + 2, "r register", r, (58, 45), 0),
        register("r1", N + 2, "r register", r, (58, 45), 1),
        register("window0", N - params.barrett.dropped, "c2 register", c2, (38, 23), 0, window),
        register("window1", N - params.barrett.dropped, "c2 register", c2, (38, 23), 1, window),
        whole("qhat", N, "barrett.qhat", (44, 29), (47, 32)),
        register("carry", 1, "carry", [ADD[name] for name in ("a1b1+a2b2 low", "a1b2+a2b1 low", "c2@4 low")], (18, 18)),
        register("flag", 1, "flag", [ADD["corr"], ADD["fix"]], (57, 44)),
        whole("top", N + 2 - params.a, "carry@9", ADD["c1@8"], (54, 42)),
        register("ones", 1, "ones", [ADD["c1@8"]], (55, 43)),
        whole("c1", params.a, digits[0], ADD["c1"], (58, 45)),
        Control("valid", 1, "combinational", lambda row: int(result("")(row) is not None)),
        Signal("r", 2 * N, "combinational", tuple((Part(step, result(step)), N) for step in digits)),
    )  # fmt: skip


def _factor(name: str) -> str:
    """A step of the model within a product."""
    return f"({name})" if "+" in name else name.removeprefix("barrett.")


def occupation(shape: Shape) -> dict[str, list[str | None]]:
    """The layer and the occupation of every unit in each row: number of the product, and the operation."""
    rows, every = UnitRows(shape), range(cycles(shape))
    layers: dict[int, str] = {}
    for number, start, second in rows.places:
        if not second:
            layers |= {start + cycle: f"{number} {layer}" for cycle, layer in enumerate(LAYERS)}
    adder: dict[int, str] = {}
    for number, start, second in rows.places:
        adder |= {start + at[second]: f"{number} {name}" for name, at in ADDITIONS}

    names = [" * ".join(_factor(name) for name in (m.x, m.y)) for m in MULTIPLICATIONS]

    def late(count: int) -> list[str | None]:
        entered = (rows.issues.get(row - count) for row in every)
        return [found and f"{found[0]} {names[found[1]]}" for found in entered]

    return {
        "layer": [layers.get(row) for row in every],
        "small multipliers": late(0),
        "stage 1 cycle 2": late(1),
        "stage 1 cycle 3": late(2),
        "stage 1 cycle 4": late(3),
        "stage 2 adder": late(4),
        "second adder": [adder.get(row) for row in every],
    }


def results(shape: Shape, steps: Sequence[Step]) -> list[Digit]:
    """The result of every product."""
    step = "C" if shape.own["normalise"] else "C@9"
    return [value for name, _, value in steps if name == step]


def multipliers(shape: Shape) -> int:
    """Number of small multipliers of N/split bits."""
    return int(shape.params.split_into // 2) ** 2


def blocks(shape: Shape) -> int:
    """Number of DSP blocks: one a tile, of those in which there are bits of both halves."""
    long, short, count = pieces(shape.params)
    empty = (count - 1) * (long + short) + short >= shape.params.N // 2
    return int(2 * count - empty) ** 2


def _register_bits(shape: Shape) -> int:
    """Total width of all columns that are registers, in bits."""
    return sum(column.width for column in columns(shape) if column.kind == "register")


ARCHITECTURE = Architecture(
    id="hffm",
    title="the interleaved multiplier, two products at once",
    source=sidh.paper("section III.B"),
    model=MODEL,
    own_parameters=OWN_PARAMETERS,
    own=own,
    defaults=defaults,
    first_cycle=0,
    steps=steps,
    columns=columns,
    cycles=cycles,
    interval=lambda shape: SECOND,
    costs=(
        Cost("cycles", "clock cycles", "66 for a pair of products", lambda shape: TOTAL),
        Cost("interval", "clock cycles", "54 from one pair to the next", lambda shape: PAIR),
        Cost("multipliers", "of N/split bits", "(split/2)^2", multipliers),
        Cost("DSP", "DSP48", "tiles of at most 20 x 17 bits, 4 * multipliers up to N/split = 37", blocks),
        Cost("registers", "bits", "all of the datapath", _register_bits),
        *additions.COSTS,
    ),
    published={
        "cycles": {"all": 66},
        "interval": {"all": 54},
        "DSP": {"SIKEp434, split 6": 36, "p503, 8": 64, "p610, 6": 81, "p751, 6": 144, "P771, 6": 144},
    },
    overlap=Overlap(next_start, results, lambda shape, name, index: index[0]),
    forms=(CORRECTED, PRINTED),
    example="sike-p434",
    occupation=occupation,
)
