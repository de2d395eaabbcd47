# SPDX-License-Identifier: Apache-2.0
"""The schedule of the interleaved multiplier: published totals, data dependencies, one job per unit at a time."""

from bisect import bisect_right
from collections import Counter
from itertools import pairwise
from itertools import product as pairs_of
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Shape, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.sidh import units as hffm
from limbtrace.refmodels.papers.sidh.units import (
    ADDITIONS,
    CYCLES_OF_ADDER,
    CYCLES_OF_MULTIPLIER,
    MULTIPLICATIONS,
    PAIR,
    TOTAL,
)
from limbtrace.refmodels.primes import CATALOGUE
from limbtrace.refmodels.registry import ARCHITECTURES

ARCH = ARCHITECTURES["hffm"]
P434 = CATALOGUE["sike-p434"].modulus

# (bits of a word, small multipliers, DSP blocks) by prime and split.
UNITS = {
    ("sike-p434", 6): (222, 9, 36), ("sike-p503", 8): (256, 16, 64), ("sike-p610", 6): (306, 9, 81),
    ("sike-p751", 6): (384, 9, 144), ("p771", 6): (390, 9, 144),
}  # fmt: skip

# Layer -> first cycle, product, multiplication: four cycles a layer, but for 10 and 13.
LAYERS = {
    0: (0, 0, 0), 1: (4, 0, 1), 2: (8, 0, 2), 3: (12, 0, 3), 5: (20, 1, 0), 6: (24, 1, 1), 7: (28, 1, 2), 8: (32, 1, 3),
    9: (36, 0, 4), 11: (41, 1, 4), 12: (45, 0, 5), 14: (50, 1, 5),
}  # fmt: skip


def stream(shape: Shape, count: int) -> Shape:
    """That many products, each started as early as possible."""
    return ARCH.loaded(shape, [start for _, start in ARCH.placed(shape, [TimedPair(1, 1)] * count)])


@pytest.mark.parametrize(("prime", "split"), UNITS)
def test_published_cycles_and_units(prime: str, split: int) -> None:
    shape = ARCH.resolve(CATALOGUE[prime].modulus, {"split": split})
    costs = {cost.name: cost.value(shape) for cost in ARCH.costs}
    assert (costs["cycles"], costs["interval"]) == (66, 54)
    assert (shape.params.N, costs["multipliers"], costs["DSP"]) == UNITS[prime, split]


def test_pairs_take_66_cycles_and_then_54() -> None:
    """Cycles from the edge that takes the first product to the edge after which the last result is available."""
    shape = ARCH.resolve(P434, {})
    for count in range(1, 5):
        loaded = stream(shape, 2 * count)
        assert loaded.starts == tuple(54 * (k // 2) + 20 * (k % 2) for k in range(2 * count))
        assert ARCH.plan(loaded).cycles - 2 == TOTAL + PAIR * (count - 1)


def test_layers() -> None:
    """Those of Fig. 3, counted from 0; 9 cycles from a multiplication to one that needs its product."""
    begins = {(second, j): 20 * second + m.begins[second] for second in (0, 1) for j, m in enumerate(MULTIPLICATIONS)}
    assert {(second, j): cycle for cycle, second, j in LAYERS.values()} == begins
    assert [cycle for cycle, *_ in LAYERS.values()] == [
        4 * layer - 3 * (layer > 10) - 3 * (layer > 13) for layer in LAYERS
    ]
    for second in (0, 1):
        for needed, by in ((0, 3), (1, 4), (2, 4), (3, 4), (4, 5)):
            assert begins[second, by] >= begins[second, needed] + 9
    assert begins[1, 4] == begins[1, 3] + 9  # layer 10 waits for it
    assert begins[1, 5] == begins[1, 4] + 9  # and layer 13
    assert len(CYCLES_OF_MULTIPLIER) == 2 * 6 * 4
    assert begins[0, 3] + 8 == 4 * 8 - 12 == 20  # four products in a row, of eight cycles each, save twelve
    assert begins[1, 0] == 20  # the second product begins when they are there


def test_the_adder_has_one_job_at_a_time() -> None:
    assert len(CYCLES_OF_ADDER) == 2 * len(ADDITIONS) == 38
    assert set(CYCLES_OF_ADDER) >= set(range(12))


def test_occupation() -> None:
    """48 of 54 cycles in the multiplier, 38 in the second adder; every stage a cycle after the one before."""
    shape = stream(ARCH.resolve(P434, {}), 6)
    units = hffm.occupation(shape)
    middle = {name: cells[1 + PAIR : 1 + 2 * PAIR] for name, cells in units.items()}
    assert {name: sum(map(bool, cells)) for name, cells in middle.items()} == {
        "layer": 54, **dict.fromkeys(list(units)[1:6], 48), "second adder": 38,
    }  # fmt: skip
    stages = list(units.values())[1:6]
    for before, after in pairwise(stages):
        assert after[1:] == before[:-1]
    assert middle["small multipliers"][:5] == ["2 a1 * b1"] * 4 + ["2 a2 * b2"]
    assert [middle["layer"][cycle] for cycle, *_ in LAYERS.values()] == [f"2 {layer}" for layer in LAYERS]
    assert middle["layer"].count("2 10") == middle["layer"].count("2 13") == 1
    assert middle["second adder"][:12:11] == ["0 c1@8", "1 c1"]


def test_an_addition_comes_when_its_operands_are_there() -> None:
    """A product has its low word in cycle 7 of the multiplication and its high word in cycle 8."""
    add = hffm.ADD
    for second in (0, 1):
        at = {m.x: m.begins[second] for m in MULTIPLICATIONS}
        assert max(at["a1"], at["a2"]) + 8 < add["a1b1+a2b2 low"][second] < add["a1b1+a2b2 high"][second]
        assert at["a1+a2"] > max(add["a1+a2"][second], add["b1+b2"][second])
        assert add["a1b2+a2b1 low"][second] == at["a1+a2"] + 7 > add["a1b1+a2b2 low"][second]
        assert add["a1b2+a2b1 high"][second] == at["a1+a2"] + 8 > add["a1b1+a2b2 high"][second]
        assert add["c2@5"][second] == at["r1"] + 8 < at["barrett.hi"]
        assert add["c1@7"][second] > add["c1@6"][second] > add["a1b2+a2b1 low"][second]
        assert add["c1@7+qhat"][second] > at["barrett.hi"] + 8
        assert add["rhat"][second] == at["barrett.qhat"] + 7
        names = [name for name, _ in ADDITIONS]
        order = [add[name][second] for name in names]
        assert order == sorted(order)


@pytest.mark.parametrize(("prime", "split"), UNITS)
def test_what_a_multiplication_does_in_eight_cycles(prime: str, split: int) -> None:
    """Its registers add up to the product; the bits that they have are enough."""
    shape = ARCH.resolve(CATALOGUE[prime].modulus, {"split": split})
    N, random = shape.params.N, Random(split)
    bits, places = Tiles(N, split).bits, Tiles(N, split).places
    full = (1 << N) - 1
    for x, y in [(full, full), (full, 1 << (N // 2)), *((random.getrandbits(N), random.getrandbits(N)) for _ in "12")]:
        steps = {(name, index): value for name, index, value in hffm._multiply(shape.params, x, y)}
        assert steps["low word", ()] == x * y & full
        assert steps["sum", (3,)] == x * y >> N
        for q in range(4):
            sums = steps["sums", (q,)]
            assert sums >> bits * len(places) == 0
            parts = [sums >> bits * k & 2**bits - 1 for k in range(len(places))]
            assert sum(part << at for part, at in zip(parts, places, strict=True)) == steps["xy", (q,)]
            assert steps["sum", (q,)] >> (N + (q == 2)) == 0
    assert {name for name, _ in steps} <= {name for name, _, _ in hffm.steps(shape, [[0, 0]], [[0, 0]])}


OPERATIONS: dict[int, tuple[int, int]] = {
    **{second * 20 + cycle: (number, second) for second in (0, 1)
       for number, cycle in enumerate((5, 6, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22), 1)},
    45: (13, 0), 52: (14, 0), 53: (15, 0), 0: (16, 0), 1: (17, 0), 2: (18, 0), 4: (19, 0),
    50: (13, 1), 3: (14, 1), 7: (15, 1), 8: (16, 1), 9: (17, 1), 10: (18, 1), 11: (19, 1),
}  # fmt: skip
"""Cycle -> operation of the machine's adder, and the product of the pair."""

STAGES = ("early", "sums", "xy", "acc", "lo0", "lo")
REGISTERS = (
    *("a1", "a2", "b1", "b2", "suma", "sumb", "p1", "p2", "midl", "midh", "highi", "c2h"),
    *("c2l0", "c2l1", "c10", "c11", "r0", "r1", "window0", "window1", "qhat", "carry", "flag", "top", "ones", "c1"),
)


class Tiles:
    """Where the tiles of a product of two halves are: bits of each factor, and the sums of tiles by their lowest bit.

    Four DSP blocks are enough for 37 by 37 bits, with 17 bits one way; with more, all tiles have 17 by 17.
    """

    def __init__(self, N: int, split: int) -> None:
        w = N // split
        short = 17 if w > 34 else max(w // 2, 1)
        long = short if w > 37 else max(w - short, short)
        starts = range(0, N // 2, long + short)
        self.early = [
            (x + left, width, y + low, height)
            for x, y in pairs_of(starts, repeat=2)
            for left, width, low, height in (
                (0, long, 0, short), (long, short, 0, long), (short, long - short, short, long - short)
            )
        ]  # fmt: skip
        self.late = [
            (x + left, width, y + low, height)
            for x, y in pairs_of(starts, repeat=2)
            for left, width, low, height in ((0, short, short, long), (short, long, long, short))
        ]
        both = {x + y for x, y in pairs_of(starts, repeat=2)}
        self.places = sorted(both | {at + short for at in both} | {max(both) + starts.step})
        self.bits = 2 * long + 1 + (len(starts) - 1).bit_length()

    def added(self, tiles: list[tuple[int, int, int, int]], x: int, y: int) -> list[int]:
        """Sums of tiles; each tile is in the last sum that begins at its lowest bit or below."""
        sums = [0] * len(self.places)
        for left, width, low, height in tiles:
            at = bisect_right(self.places, left + low) - 1
            product = (x >> left & 2**width - 1) * (y >> low & 2**height - 1)
            sums[at] += product << left + low - self.places[at]
        return sums


class Machine:
    """The clocked N x N multiplier with its nine or sixteen small ones, the adder and their registers.

    It follows the layers of LAYERS and the additions of OPERATIONS, and uses neither steps nor schedule.
    """

    def __init__(self, modulus: int, N: int, split: int, normalise: int) -> None:
        self.N, self.tiles, self.normalise = N, Tiles(N, split), normalise
        self.a = ((modulus + 1) & -(modulus + 1)).bit_length() - 1
        self.D = (modulus + 1) >> self.a
        n = self.D.bit_length()
        self.dropped = max(0, 2 * n - N)
        self.x, self.shift = 2 ** (n - 1 + N) // self.D, n - 1 - self.dropped
        self.r = dict.fromkeys((*STAGES, *REGISTERS), 0)
        self.halves = [(0, 0), (0, 0)]
        """Those that came in the last two cycles."""
        self.sums = [0] * len(self.tiles.places)
        self.early = list(self.sums)
        self.quarters: list[int | None] = [None] * 4
        """The quarter in each cycle of stage 1 and after it."""
        self.cycle: int | None = None
        self.pair, self.before = [False, False], [False, False]
        """The existing products of the pair, and of the pair before."""
        self.shown: int | None = None
        """The product of the pair before whose result is on the port."""

    @property
    def ready(self) -> bool:
        """Whether a product may start at the end of this cycle."""
        ends = (53,) if self.pair[0] else (11,)
        return self.cycle is None or self.cycle in ends or (self.cycle == 19 and self.pair[0])

    def clock(self, operands: tuple[int, int] | None) -> dict[str, int | None]:
        """One cycle: the values of the wires, and the registers after the edge."""
        multiplication, second = 7, 0
        quarter = None
        for begins, which, number in LAYERS.values():
            if self.cycle is not None and begins <= self.cycle < begins + 4:
                multiplication, second, quarter = number, which, self.cycle - begins
        x, y = self.factors(multiplication, second)
        half = self.N // 2
        x, y = (value >> half * bit & 2**half - 1 for value, bit in zip((x, y), divmod(quarter or 0, 2), strict=True))
        operation, which = OPERATIONS.get(-1 if self.cycle is None else self.cycle, (0, 0))
        row: dict[str, int | None] = {
            "phase": self.cycle, "ready": int(self.ready), "mul": multiplication, "quarter": quarter,
            "op": operation, "x": x, "y": y, "valid": int(self.shown is not None),
            "r": (self.r["c1"] << self.N) + self.r[f"r{self.shown or 0}"],
        }  # fmt: skip
        new = self.multiplier(quarter, x, y) | self.kept() | self.adder(operation, which)
        if operands is not None:
            assert self.ready
            new |= {f"{name}{i}": value for name, digits in zip("ab", map(self.digits, operands), strict=True)
                    for i, value in zip((1, 2), digits, strict=True)}  # fmt: skip
        self.control(operands is not None)
        self.r |= new
        return row | self.r

    def digits(self, value: int) -> tuple[int, int]:
        """High and low digit; p, which is a second 0, has the largest ones."""
        return divmod(value, self.D)

    def control(self, take: bool) -> None:
        """The clock edge for the cycle counter and its flags."""
        cycle = self.cycle
        self.shown = {4: 0, 11: 1}.get(-1 if cycle is None else cycle)
        if self.shown is not None and not self.before[self.shown]:
            self.shown = None
        if cycle is None or cycle == 53 or (cycle == 11 and not self.pair[0]):
            self.before, self.pair = self.pair, [take, False]
            self.cycle = 0 if take or self.before[0] else None
        else:
            self.pair[1] |= take
            self.cycle = cycle + 1

    def factors(self, multiplication: int, second: int) -> tuple[int, int]:
        r, D = self.r, self.D
        c2 = (r["c2h"] << self.N) + r[f"c2l{second}"]
        return (
            (r["a1"], r["b1"]), (r["a2"], r["b2"]), (r["suma"], r["sumb"]), (r["p1"] % 2**self.a, D),
            (c2 >> self.dropped, self.x), (r["qhat"], D), (0, 0), (0, 0),
        )[multiplication]  # fmt: skip

    def multiplier(self, quarter: int | None, x: int, y: int) -> dict[str, int]:
        """Stage 1 by tiles, from the last register back to the first, and the accumulation of stage 2."""
        tiles, r, half = self.tiles, self.r, self.N // 2
        entering = self.quarters.pop()
        self.quarters.insert(0, quarter)
        new: dict[str, int] = {"acc": r["xy"] if entering == 0 else r["acc"] + r["xy"]}
        if entering in (1, 3):
            new["acc"] = (r["acc"] >> half) + r["xy"]
        if entering == 0:
            new["lo0"] = r["xy"] % 2**half
        if entering == 3:
            new["lo"] = self.low
        new["xy"] = sum(value << at for value, at in zip(self.sums, tiles.places, strict=True))
        last, before = self.halves
        late = tiles.added(tiles.late, *before)
        self.sums = [value + more for value, more in zip(self.early, late, strict=True)]
        self.early = tiles.added(tiles.early, *last)
        self.halves = [(x, y), last]
        for name, sums in (("early", self.early), ("sums", self.sums)):
            new[name] = sum(value << k * tiles.bits for k, value in enumerate(sums))
        return new

    @property
    def low(self) -> int:
        """The low word of a product, in the cycle in which it is finished."""
        half = self.N // 2
        low: int = (self.r["acc"] % 2**half << half) + self.r["lo0"]
        return low

    def kept(self) -> dict[str, int]:
        """Products that are kept, when their last bits are there."""
        product = (self.r["acc"] % 2**self.N << self.N) + self.r["lo"]
        if self.cycle in (8, 28):
            return {"p1": product}
        if self.cycle in (12, 32):
            return {"p2": product}
        return {"qhat": self.r["acc"] % 2**self.N >> self.shift} if self.cycle in (44, 49) else {}

    def adder(self, operation: int, second: int) -> dict[str, int]:
        """The registers changed by the N-bit adder; a borrow appears as a negative number here."""
        r, N, a, D = self.r, self.N, self.a, self.D
        word = 2**N
        c1, c2l, rest = f"c1{second}", f"c2l{second}", f"r{second}"
        low, high = self.low, r["acc"] % word
        product = (high << N) + r["lo"]

        def summed(name: str, value: int) -> dict[str, int]:
            """A low word and its carry; for a subtraction the carry is 1 if there is no borrow."""
            return {name: value % word, "carry": int(value >= (0 if operation == 5 else word))}

        if operation in (1, 2):
            name = " ab"[operation]
            return {f"sum{name}": r[f"{name}1"] + r[f"{name}2"]}
        if operation == 3:
            return summed("midl", r["p1"] % word + r["p2"] % word)
        if operation == 4:
            return {"midh": (r["p1"] >> N) + (r["p2"] >> N) + r["carry"]}
        if operation == 5:
            return summed("midl", low - r["midl"])
        if operation == 6:
            return {"midh": high - r["midh"] - (1 - r["carry"])}
        if operation == 7:
            new = summed(c2l, r["p2"] % word + ((r["midh"] << N) + r["midl"] >> a))
            return {**new, f"window{second}": new[c2l] >> self.dropped}
        if operation in (8, 9):
            return {("highi", "c2h")[operation - 8]: (r["p2"] >> N) + r["carry"] + 9 - operation}
        if operation == 10:
            c2 = r[c2l] + (product >> a)
            window = c2 % word >> self.dropped
            return {c2l: c2 % word, f"window{second}": window, "c2h": r["highi"] if c2 >= word else r["c2h"]}
        if operation == 11:
            return {c1: (r["p1"] >> a) + r["midl"] % 2**a}
        if operation in (12, 13):
            return {c1: r[c1] + {12: r["lo"] % 2**a, 13: r["qhat"]}[operation]}
        if operation == 16:
            c1_8 = r[c1] + r["flag"]
            return {c1: c1_8, "top": c1_8 >> a, "ones": int(c1_8 % 2**a == 2**a - 1)}
        if operation == 14:
            return {rest: (r[c2l] - low) % word}
        if operation == 15:
            return {"flag": int(r[rest] >= D), rest: r[rest] - D if r[rest] >= D else r[rest]}
        if operation == 17:
            return {rest: r[rest] + r["top"]}
        if operation == 18:
            left = r[rest] + r["ones"] - D
            return {"flag": int(left >= 0), **({rest: left} if left >= 0 and self.normalise else {})}
        return {"c1": (r[c1] + r["flag"] * self.normalise) % 2**a} if operation == 19 else {}


def machine(shape: Shape) -> Machine:
    params = shape.params
    return Machine(params.modulus, params.N, params.split_into, shape.own["normalise"])


def agree(shape: Shape, jobs: list[TimedPair]) -> int:
    """Checks that every cell that is not don't care equals the machine's value; returns the number of such cells.

    `shape` is that of the stream of these jobs.
    """
    plan = ARCH.plan(shape)
    products = list(ARCH.products(shape, jobs, plan))
    golden = machine(shape)
    known = 0
    results: list[int] = []
    for number in range(plan.cycles):
        job = jobs[shape.starts.index(number)] if number in shape.starts else None
        row = golden.clock(job and (job.a, job.b))
        if row["valid"]:
            digits = divmod(row["r"] or 0, 2**shape.params.N)
            results.append(digits[0] * shape.params.D + digits[1])
        for column, cells in zip(plan.columns, products[0].table, strict=True):
            cell = cells[number]
            known += cell is not None
            if cell is None:
                assert column.name not in ALWAYS
            else:
                assert cell >> column.width == 0
                assert (column.name, number, cell) == (column.name, number, row[column.name])
    assert results == [product.result for product in products]
    return known


ALWAYS = {"ready", "valid"}
"""Columns that are defined in every cycle."""


@pytest.mark.parametrize("form", ["corrected", "printed"])
@pytest.mark.parametrize("split", [6, 8])
@pytest.mark.parametrize("prime", dict.fromkeys(prime for prime, _ in UNITS))
def test_schedule_is_what_the_machine_does(prime: str, split: int, form: str) -> None:
    """Corners with every carry, c1 of 307 bits for SIKEp610: three pairs at a time, one after the other."""
    shape = stream(ARCH.resolve(CATALOGUE[prime].modulus, {"split": split, "form": form}), 6)
    corners = [TimedPair(corner.a, corner.b) for corner in ARCH.model.corners(shape.params)]
    cells = {agree(shape, corners[k : k + 6]) for k in range(0, len(corners) - 5, 6)}
    assert len(cells) == 1


def test_the_machine_takes_66_cycles_and_then_54() -> None:
    """The machine takes every product as early as possible: two in 66 cycles, two more every 54 cycles."""
    for split in (6, 8):
        shape = ARCH.resolve(P434, {"split": split})
        golden = machine(shape)
        taken: list[int] = []
        shown: list[int] = []
        for row in range(66 + 3 * 54 + 2):
            if golden.ready and len(taken) < 8:
                taken.append(row)
                golden.clock((P434 - 1, P434 - row))
            else:
                shown += [row] * bool(golden.clock(None)["valid"])
        assert taken == [54 * (k // 2) + 20 * (k % 2) for k in range(8)]
        assert [row - 1 for row in shown[1::2]] == [66 + 54 * k for k in range(4)]


@settings(max_examples=40)
@given(st.data())
def test_schedule_of_any_stream(data: st.DataObject) -> None:
    """Pairs without a second product, gaps, moduli of all widths, both organisations."""
    modulus = data.draw(st.builds(lambda a, b, f: f * 2**a * 3**b - 1, st.integers(1, 30), st.integers(1, 20),
                                  st.sampled_from([1, 5, 35])))  # fmt: skip
    given_: dict[str, str | int] = {
        "split": data.draw(st.sampled_from([6, 8])),
        "form": data.draw(st.sampled_from(ARCH.forms)),
    }
    try:
        shape = ARCH.resolve(modulus, given_)
    except ParameterError:
        assume(False)
    start = 0
    starts: list[int] = []
    for gap in data.draw(st.lists(st.sampled_from([0, 1, 40, 100]), min_size=1, max_size=5)):
        start = hffm.next_start(ARCH.loaded(shape, starts), start + gap)
        starts.append(start)
    operand = st.integers(0, modulus) | st.sampled_from([0, 1, modulus - 1, modulus])
    jobs = [TimedPair(data.draw(operand), data.draw(operand)) for _ in starts]
    agree(ARCH.loaded(shape, starts), jobs)


@pytest.mark.parametrize("form", ["corrected", "printed"])
@pytest.mark.parametrize("modulus", [11, 17, 35])
def test_every_product_of_a_small_modulus(modulus: int, form: str) -> None:
    """Registers equal those of a machine that ends with the digits of the result."""
    shape = stream(ARCH.resolve(modulus, {"form": form}), 2)
    plan, D = ARCH.plan(shape), shape.params.D
    names = [column.name for column in plan.columns]
    operands = [TimedPair(a, b) for a, b in pairs_of(range(modulus + 1), repeat=2)]
    seen: Counter[bool] = Counter()
    for a, b in zip(operands, reversed(operands), strict=True):
        for number, product in enumerate(ARCH.products(shape, [a, b], plan)):
            exact = product.a * product.b % modulus
            assert product.result % modulus == exact
            seen[product.result == exact] += 1
            row = hffm.places(shape)[number].start + hffm.RESULT[number]
            digits = product.table[names.index("r")][row]
            c1, c2 = (
                product.table[names.index("c1")][row - 1],
                product.table[names.index(f"r{number}")][row - 1],
            )
            assert None not in (digits, c1, c2)
            assert digits == c1 << shape.params.N | c2
            assert c1 * D + c2 == product.result
    assert seen[True]
    assert bool(seen[False]) == (form == "printed")


def test_starts_that_are_possible() -> None:
    shape = ARCH.resolve(11, {})
    pair = TimedPair(1, 1)

    def starts(*asked: int | None) -> list[int]:
        return [start for _, start in ARCH.placed(shape, [TimedPair(1, 1, start) for start in asked])]

    assert starts(None, 54, None, 108) == [0, 54, 74, 108]
    assert starts(7, 27, 61) == [7, 27, 61]
    assert starts(0, 66, 86, 132) == [0, 66, 86, 132]
    for refused, possible in (((0, 19), 20), ((0, 21), 54), ((0, 20, 53), 54), ((0, 20, 60), 66), ((0, 55), 66)):
        with pytest.raises(ParameterError, match=f"takes one is {possible}$"):
            starts(*refused)
    assert [start for _, start in ARCH.placed(shape, [pair, TimedPair(1, 1, 70), pair])] == [0, 70, 90]


def test_a_stream_with_gaps() -> None:
    """The registers of a product do not depend on the presence of its neighbours."""
    shape = ARCH.resolve(P434, {})
    jobs = [TimedPair(P434 - 1, P434 - 1), TimedPair(3, 5), TimedPair(P434, P434 - 2)]
    alone = next(iter(ARCH.products(shape, jobs[:1], ARCH.plan(shape))))
    together = ARCH.loaded(shape, (0, 66, 86))
    plan = ARCH.plan(together)
    first, *others = ARCH.products(together, jobs, plan)
    assert [product.result for product in (first, *others)] == [1, 15, 0]
    for column, cells in zip(plan.columns, alone.table, strict=True):
        if column.name == "ready":
            continue  # says whether the second product of the pair has come
        known = [(row, cell) for row, cell in enumerate(cells) if cell is not None]
        assert bool(known) == (column.name not in ("c2l1", "c11", "r1", "window1"))
        assert [(row, first.table[plan.columns.index(column)][row]) for row, _ in known] == known


def test_batches_are_the_same() -> None:
    for modulus in (11, P434):
        shape = stream(ARCH.resolve(modulus, {}), 4)
        plan, random = ARCH.plan(shape), Random(modulus)
        jobs = [TimedPair(random.randrange(modulus), random.randrange(modulus)) for _ in range(8)]
        products = list(ARCH.products(shape, jobs, plan))
        (batch,) = ARCH.batches(shape, jobs, plan)
        assert batch.results == [product.result for product in products]
        for at in range(2):
            assert [batch.column(k, at) for k in range(len(plan.columns))] == products[4 * at].table


@pytest.mark.parametrize(("modulus", "settings", "N"), [
    (11, {}, 6), (107, {}, 12), (431, {}, 12), (431, {"split": 8}, 8), (107, {"N": 18}, 18), (P434, {}, 222),
])  # fmt: skip
def test_words_are_longer_where_those_of_the_model_are_too_short(
    modulus: int, settings: dict[str, str | int], N: int
) -> None:
    shape = ARCH.resolve(modulus, settings)
    assert shape.params.N == N
    (product,) = ARCH.products(shape, [TimedPair(modulus - 1, modulus - 2)], ARCH.plan(shape))
    assert product.result == 2


@pytest.mark.parametrize(
    ("modulus", "settings", "sentence"),
    [(107, {"N": 6}, "n \\+ 2 = 7 bits are enough"), (11, {"N": 8}, "no multiple of split = 6"),
     (191, {"N": 6}, "need at least 7 bits here"), (11, {"window": "half"}, "has window, and half"),
     (11, {"normalise": 0}, "0 does not go with form=corrected, which has 1"),
     (11, {"normalise": 1, "form": "printed"}, "1 does not go with form=printed, which has 0"),
     (11, {"normalise": 2}, "normalise")],
)  # fmt: skip
def test_what_the_multiplier_cannot_be(modulus: int, settings: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        ARCH.resolve(modulus, settings)
