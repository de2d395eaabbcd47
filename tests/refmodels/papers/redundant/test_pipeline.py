# SPDX-License-Identifier: Apache-2.0
"""The schedule of the redundant multiplier against a register-level simulator, integers and the published counts."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Shape, TableProduct, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.refmodels.representations import Written, reslice

ARCH = ARCHITECTURES["redundant"]
WAYS = (1, 2, 3)
SECP256K1 = 2**256 - 2**32 - 977
P255, P224 = 2**255 - 19, 2**224 - 2**96 + 1

PUBLISHED = {
    # bits, ways: cycles
    (256, 1): 15, (256, 2): 31, (256, 3): 47,
    (504, 1): 26, (504, 2): 53, (504, 3): 80,
}  # fmt: skip


Pair = tuple[list[int], list[int]]
"""P and W, or K and T."""


class Machine:
    """The clocked registers of the multiplier with loaded operands; it uses no schedule, only the order of stages."""

    def __init__(self, shape: Shape) -> None:
        p = shape.params
        self.ways, self.ma, self.d, self.ds = shape.own["ways"], p.digits, p.d, p.ds
        self.r1, self.r2 = p.r1, p.r2
        self.m = [(p.added >> (p.r2 * j)) & ((1 << p.r2) - 1) for j in range(p.d)]
        self.s = [[0] * p.ds for _ in WAYS]  # S, and S of the cycles before
        self.pw: Pair | None = None  # behind the multipliers
        self.kt: Pair | None = None  # behind the digit sums
        self.stage = [False, False]
        self.run, self.iter, self.way = False, 0, 0
        self.steady = bool(shape.own["steady"])
        self.made = self.s[0]  # by the last stage
        self.to_done: list[int] = []  # cycles up to done of the groups at work

    @property
    def busy(self) -> bool:
        return self.run or any(self.stage)

    @property
    def takes(self) -> bool:
        """Whether the next edge takes a start, with the state after the one before it."""
        return not self.run if self.steady else not self.busy

    def start(self, operands: Sequence[Pair]) -> None:
        """The edge at which the products are taken."""
        self.operands = operands
        self.run, self.iter, self.way = True, 0, 0
        self.s[0] = [0] * self.ds
        self.to_done.append(self.ways * (self.ma + 4) - 1)

    def multiply(self) -> tuple[int, int, list[int], list[int]]:
        a, b = self.operands[self.way]
        digit = a[self.iter] if self.iter < self.ma + 2 else 0
        value = self.s[0][0] + (self.s[0][1] << self.r2)
        q = value % (1 << self.r1)
        return digit, q, [digit * y for y in b], [q * y for y in self.m]

    def slices(self, products: list[int], count: int) -> list[int]:
        """Each partial product adds its three slices to three digits."""
        sums = [0] * (count + 2)
        for j, product in enumerate(products):
            for place in range(2):
                sums[j + place] += product % (1 << self.r2)
                product >>= self.r2
            sums[j + 2] += product
        assert not any(sums[count:])
        return sums[:count]

    def add(self, digits: list[int], parts: Sequence[int]) -> None:
        """Each part adds its principal bits to its digit and the rest to the next one."""
        for j, part in enumerate(parts):
            digits[j] += part % (1 << self.r2)
            if part >> self.r2:
                digits[j + 1] += part >> self.r2

    def sums(self, products: Pair, S: list[int]) -> Pair:
        P, W = products
        T = self.slices(W, self.ds + 1)
        self.add(T, S)
        return self.slices(P, self.ds), T

    def shifted(self, T: list[int]) -> list[int]:
        cut = self.r1 - self.r2
        U = [T[0] >> self.r2, *[0] * (self.ds - 1)]
        for j in range(self.ds):
            U[j] += T[j + 1] >> cut
            if j:
                U[j - 1] += T[j + 1] % (1 << cut) << (self.r2 - cut)
        return U

    def clock(self) -> dict[str, Any]:
        """One cycle: the combinational values, and the registers after the edge."""
        seen: dict[str, Any] = {"run": int(self.run), "done": int(0 in self.to_done)}
        self.to_done = [cycles - 1 for cycles in self.to_done]
        stage = [self.run, *self.stage]
        last = stage[self.ways - 1]
        pw: Pair | None = None
        kt: Pair | None = None
        if self.run:
            a, q, P, W = self.multiply()
            pw = P, W
            seen |= {"iter": self.iter, "way": self.way, "a": a, "q": q, "P": P, "W": W}
        behind = pw if self.ways == 1 else self.pw
        if behind:
            kt = self.sums(behind, self.s[min(self.ways - 1, 1)])
            seen |= {"K": kt[0], "T": kt[1]}
        total = kt if self.ways < 3 else self.kt
        s = self.s[0]
        if last:
            assert total is not None
            seen["U"] = self.shifted(total[1])
            s = [0] * self.ds
            self.add(s, seen["U"])
            self.add(s, total[0])
            self.made = s
        if self.busy:
            self.s = [s, *self.s[:-1]]
        self.pw, self.kt = pw, kt
        if self.run:
            self.way = (self.way + 1) % self.ways
            self.iter += self.way == 0
            self.run = self.iter < self.ma + 3
            if self.run and not self.iter:
                self.s[0] = [0] * self.ds
        seen["busy"] = int(self.run)
        self.stage = [*stage[: self.ways - 1], False, False][:2]
        return seen | {"S": self.s[0], "S1": self.s[1], "S2": self.s[2]}


def packed(value: Any, width: int) -> int:
    """A digit vector in the form of a column."""
    if isinstance(value, int):
        return value
    bits = width // len(value)
    assert max(value) < 1 << bits
    return sum(digit << (bits * j) for j, digit in enumerate(value))


def check(shape: Shape, jobs: Sequence[TimedPair]) -> None:
    """Every column of the table in every cycle, and the results; full groups leave no column unknown."""
    starts = [start for _, start in ARCH.placed(shape, jobs)]
    shape = ARCH.loaded(shape, starts)
    plan = ARCH.plan(shape)
    products = list(ARCH.products(shape, jobs, plan))
    table, p = products[0].table, shape.params
    machine, ways = Machine(shape), shape.own["ways"]
    operands = {start: p.split(job.a, job.b) for start, job in zip(starts, jobs, strict=True)}
    nothing = [0] * (p.digits + 3), [0] * p.d
    known: set[str] = set()
    results: dict[int, int] = {}
    for row in range(-1, plan.cycles):
        seen = machine.clock() if row >= 0 else {}
        if (start := row + 1 - ways * (p.digits + 3)) in operands:
            results[start] = sum(x << (p.r2 * j) for j, x in enumerate(machine.made))
        if machine.takes and row + 1 in operands:
            machine.start([operands.get(row + 1 + way, nothing) for way in range(ways)])
            seen["S"] = machine.s[0]
        for column, cells in zip(plan.columns, table, strict=True):
            if row >= 0 and (cell := cells[row]) is not None:
                known.add(column.name)
                assert packed(seen[column.name], column.width) == cell, (column.name, row)
    for product in products:
        assert product.result == results[product.start] == closed(shape, product)
    assert known == {column.name for column in plan.columns} or len(products) % ways


def closed(shape: Shape, product: TableProduct) -> int:
    """(A*B + Q*M~) / R."""
    p = shape.params
    R, M = 1 << (p.r1 * (p.digits + 2)), p.added
    Q = -product.a * product.b * pow(M, -1, R) % R
    return int((product.a * product.b + Q * M) // R)


def digits(random: Random, bits: int, count: int, limit: int) -> Written:
    """A value up to the limit from digits with overlap bits, as full as possible in every other case."""
    left, chosen = limit, []
    for j in reversed(range(count)):
        most = min(left >> (bits * j), (1 << (bits + 2)) - 1)
        chosen.append(most if random.random() < 0.5 else random.randint(0, most))
        left -= chosen[-1] << (bits * j)
    return Written(chosen[::-1], bits)


def jobs(shape: Shape, random: Random, count: int) -> list[TimedPair]:
    p = shape.params
    return [
        TimedPair(digits(random, p.r1, p.digits + 2, p.limits[0]), digits(random, p.r2, p.d, p.limits[1]))
        for _ in range(count)
    ]


@pytest.mark.parametrize("ways", WAYS)
@given(data=st.data())
def test_every_register_in_every_cycle_small(ways: int, data: st.DataObject) -> None:
    r1, r2 = data.draw(st.sampled_from([(7, 6), (6, 5), (8, 6), (12, 9)]))
    modulus = 2 * data.draw(st.integers(1, 1 << data.draw(st.integers(1, 40)))) + 1
    shape = ARCH.resolve(modulus, {"radix": f"2^{r1}", "r2": r2, "ways": ways})
    random = Random(data.draw(st.integers(0, 2**32)))
    check(shape, jobs(shape, random, data.draw(st.integers(1, 2 * ways))))


@pytest.mark.parametrize("ways", WAYS)
@pytest.mark.parametrize("modulus", [SECP256K1, 2**256 - 1, P255, P224, 2**504 - 3, 2**512 - 569])
def test_every_register_in_every_cycle(modulus: int, ways: int) -> None:
    shape = ARCH.resolve(modulus, {"ways": ways})
    check(shape, jobs(shape, Random(modulus + ways), ways))


@pytest.mark.parametrize(("bits", "ways"), PUBLISHED)
def test_published_cycles_and_blocks(bits: int, ways: int) -> None:
    shape = ARCH.resolve(2**bits - 3, {"ways": ways})
    costs = {cost.name: cost.value(shape) for cost in ARCH.costs}
    assert costs["cycles"] == PUBLISHED[bits, ways]
    assert costs["DSP"] == {256: 40, 504: 72}[bits]
    group = ARCH.loaded(shape, range(ways))
    assert ARCH.plan(group).cycles == PUBLISHED[bits, ways]


def test_when_products_start() -> None:
    shape = ARCH.resolve(SECP256K1, {"ways": 3})
    pair = TimedPair(1, 1)
    assert [start for _, start in ARCH.placed(shape, [pair] * 7)] == [0, 1, 2, 48, 49, 50, 96]
    at = [TimedPair(1, 1, start) for start in (5, 6, 60, 61, 62, 108)]
    assert [start for _, start in ARCH.placed(shape, at)] == [5, 6, 60, 61, 62, 108]
    for starts in ((0, 2), (0, 1, 47), (0, 0)):
        with pytest.raises(ParameterError, match="the next cycle in which redundant takes one is"):
            list(ARCH.placed(shape, [TimedPair(1, 1, start) for start in starts]))
    single = ARCH.resolve(SECP256K1, {})
    assert [start for _, start in ARCH.placed(single, [pair] * 3)] == [0, 16, 32]


@pytest.mark.parametrize("ways", WAYS)
def test_products_with_gaps_and_groups_that_are_not_full(ways: int) -> None:
    shape = ARCH.resolve(1000003, {"ways": ways})
    pairs = jobs(shape, Random(ways), 5)
    late = ARCH.next_start(ARCH.loaded(shape, [0]), 200)
    check(shape, [pairs[0], pairs[1]._replace(start=late), *pairs[2:]])


def test_results_are_operands_again() -> None:
    """Ten products in a row, each a result times a result, without reduction and without a carry chain."""
    shape = ARCH.resolve(SECP256K1, {})
    p = shape.params
    value = Written(p.parallel.canonical(3), p.r2)
    expected = 3
    for _ in range(10):
        serial = Written(reslice(value.digits, p.r2, 2, p.r1, p.digits + 2), p.r1)
        job = TimedPair(serial, Written(value.digits, p.r2))
        product = next(iter(ARCH.products(shape, [job], ARCH.plan(shape))))
        column = next(k for k, c in enumerate(ARCH.plan(shape).columns) if c.name == "S")
        image = product.table[column][-1]
        assert image is not None
        value = Written([image >> (17 * j) & 0x1FFFF for j in range(p.d)], p.r2)
        assert image >> (17 * p.d) == 0
        assert value == product.result
        expected = expected * expected * pow(p.domain, -1, SECP256K1) % SECP256K1
        assert value % SECP256K1 == expected


@pytest.mark.parametrize(
    ("settings", "name"),
    [({"ways": 4}, "ways"), ({"ways": 0}, "ways"), ({"steady": 2}, "steady"),
     ({"tail": 1}, "tail"), ({"fused": 1}, "fused"),
     ({"qcarry": 1}, "qcarry"), ({"radix": "2^15", "r2": 15}, "r2"), ({"ds": 23}, "ds"), ({"form": "printed"}, "form")],
)  # fmt: skip
def test_what_the_pipeline_cannot_be(settings: dict[str, str | int], name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        ARCH.resolve(SECP256K1, settings)
    assert caught.value.parameter == name


@pytest.mark.parametrize("ways", WAYS)
def test_a_group_in_every_ways_times_iterations_cycles(ways: int) -> None:
    """Every register at the border of two groups, at once and with up to as many idle cycles as there are ways."""
    for modulus, iterations in ((1000003, 4), (SECP256K1, 15)):
        shape = ARCH.resolve(modulus, {"ways": ways, "steady": 1})
        pairs = jobs(shape, Random(ways), 3 * ways)
        starts = [start for _, start in ARCH.placed(shape, pairs)]
        assert starts == [ways * iterations * group + way for group in range(3) for way in range(ways)]
        check(shape, pairs)
        for wait in range(1, ways + 2):
            late = pairs[ways]._replace(start=ways * iterations + wait)
            check(shape, [*pairs[:ways], late, *pairs[ways + 1 :]])


def test_which_columns_are_registers() -> None:
    for ways, registers in ((1, "S"), (2, "P W S S1"), (3, "P W K T S S1 S2")):
        shape = ARCH.resolve(SECP256K1, {"ways": ways})
        assert [c.name for c in ARCH.columns(shape) if c.kind == "register"] == registers.split()


def test_batches_are_the_same() -> None:
    shape = ARCH.loaded(ARCH.resolve(SECP256K1, {"ways": 3, "overlap": 1}), (0, 1, 2))
    plan = ARCH.plan(shape)
    random = Random(5)
    pairs = [TimedPair(random.randrange(SECP256K1), random.randrange(2 * shape.params.added)) for _ in range(9)]
    products = list(ARCH.products(shape, pairs, plan))
    (batch,) = ARCH.batches(shape, pairs, plan)
    assert batch.results == [product.result for product in products]
    for stream in range(3):
        assert [batch.column(k, stream) for k in range(len(plan.columns))] == products[3 * stream].table


def test_the_radix_of_b_is_below_that_of_a() -> None:
    """The model's default is a single radix if that is narrow."""
    found = {r1: ARCH.resolve(0xEA7, {"r1": r1}).params.r2 for r1 in (6, 8, 15, 16, 22)}
    assert found == {6: 5, 8: 7, 15: 14, 16: 15, 22: 15}
    assert ARCH.resolve(0xEA7, {"r1": 8, "r2": 6}).params.r2 == 6
    for asked in ({"r1": 4}, {"r1": 8, "r2": 8}):
        with pytest.raises(ParameterError, match=r"^r2: \d: the pipeline needs r2 < r1 = "):
            ARCH.resolve(0xEA7, asked)
