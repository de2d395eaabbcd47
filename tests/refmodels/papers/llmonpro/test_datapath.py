# SPDX-License-Identifier: Apache-2.0
"""The schedules of the cores llmonpro and vdf_squarer against register-level simulators, and published counts."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Architecture, Shape, TimedPair
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.llmonpro.datapath import CUTS
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.refmodels.representations import Written

PRODUCT, CHAIN = ARCHITECTURES["llmonpro"], ARCHITECTURES["vdf_squarer"]
Row = dict[str, int | None]
MODULI = (2**64 - 59, 2**62 + 1, 2**128 - 159, 465, 2**45 - 1)


class Machine:
    """The clocked datapath with its registers, without a schedule. A vector is an int with digits side by side."""

    def __init__(self, shape: Shape) -> None:
        p = shape.params
        self.d, self.k, self.M, self.Mp = p.radix_bits, p.k, p.modulus, -pow(p.modulus, -1, p.domain) % p.domain
        self.cuts: dict[int, Any] = dict.fromkeys(CUTS[shape.own["cycles"]])

    def digits(self, value: int, width: int, count: int) -> list[int]:
        return [value >> width * i & (1 << width) - 1 for i in range(count)]

    def pack(self, digits: list[int], width: int) -> int:
        assert max(digits) < 1 << width
        return sum(digit << width * i for i, digit in enumerate(digits))

    def columns(self, A: list[int], B: list[int]) -> list[int]:
        """The product column by column, over a diagonal of digit products split with divmod."""
        beta = 1 << self.d
        found = []
        for s in range(2 * self.k + 2):
            total = 0
            for piece in range(3):
                for i in range(len(A)):
                    if 0 <= s - piece - i < len(B):
                        total += A[i] * B[s - piece - i] // beta**piece % (beta if piece < 2 else 4)
            found.append(total)
        return found

    def resolve_once(self, columns: list[int]) -> list[int]:
        beta = 1 << self.d
        return [
            column % beta + (columns[i - 1] // beta if i else 0) for i, column in enumerate(columns[: 2 * self.k + 1])
        ]

    def clock(self, a: int | None, b: int | None) -> tuple[Row, int | None]:
        """The values seen during a cycle with these operands in their registers, and the Z that the next edge loads."""
        d, k = self.d, self.k
        row: Row = dict.fromkeys(("T", "Q", "S", "carry", "E"))
        now: Any = None if a is None or b is None else (self.digits(a, d + 1, k + 1), self.digits(b, d + 1, k + 1))
        for place in range(1, 8):
            if now is not None:
                if place == 1:
                    now = self.columns(*now)
                elif place == 2:
                    now = self.resolve_once(now)
                    row["T"] = self.pack(now, d + 1)
                elif place == 3:
                    now = now[k - 1 :], self.columns(now[:k], self.digits(self.Mp, d, k))
                elif place == 4:
                    now = now[0], self.resolve_once(now[1])[:k]
                    row["Q"] = self.pack(now[1], d + 1)
                elif place == 5:
                    now = now[0], self.columns(now[1], self.digits(self.M, d, k))
                elif place == 6:
                    now = now[0], self.resolve_once(now[1])[k - 1 :]
                    row["S"] = self.pack(now[1], d + 1)
                else:
                    T, S = now
                    row["carry"] = (T[0] + S[0] + 3) // 2**d
                    E = [T[i + 1] + S[i + 1] + (0 if i else row["carry"]) for i in range(k + 1)]
                    row["E"] = self.pack(E, d + 2)
                    now = self.pack([E[i] % 2**d + (E[i - 1] // 2**d if i else 0) for i in range(k + 1)], d + 1)
            if place in self.cuts:
                now, self.cuts[place] = self.cuts[place], now
        return row, now


def stream(shape: Shape, operands: list[tuple[int, int]]) -> tuple[list[Row], list[int]]:
    """Runs products that start in the rows of the shape; returns the rows, and the results in order."""
    machine, d, k = Machine(shape), shape.params.radix_bits, shape.params.k
    vectors = [tuple(machine.pack(machine.digits(value, d, k + 1), d + 1) for value in operand) for operand in operands]
    a = b = z = None
    valid = [0] * (shape.own["cycles"] + 1)
    rows: list[Row] = []
    results: list[int] = []
    for cycle in range(max(shape.starts) + shape.own["cycles"] + 2):
        row, z_next = machine.clock(a, b)
        row["valid"] = valid[-1]
        if valid[-1]:
            assert z is not None
            results.append(sum(digit << d * i for i, digit in enumerate(machine.digits(z, d + 1, k + 1))))
        load = cycle in shape.starts
        if load:
            a, b = vectors[shape.starts.index(cycle)]
        valid, z = [int(load), *valid[:-1]], z_next
        rows.append({**row, "A": a, "B": b, "Z": z})
    return rows, results


class SharedMachine:
    """A product with shared multipliers, clocked; digits and sums are ints side by side, as in Machine."""

    def __init__(self, shape: Shape) -> None:
        p = shape.params
        self.d, self.k, self.M, self.Mp = p.radix_bits, p.k, p.modulus, -pow(p.modulus, -1, p.domain) % p.domain
        self.shared = shape.own["shared"]
        self.count = -(-p.k // self.shared)
        self.state, self.step, self.valid = 0, 0, 0
        self.x: list[int] = []
        self.y: list[int] = []
        self.top = (0, 0)
        self.sums, self.below, self.t1 = [0] * (p.k + 1), 0, list[int]()
        self.z: int | None = None

    def pack(self, digits: list[int], width: int) -> int:
        assert max(digits) < 1 << width
        return sum(digit << width * i for i, digit in enumerate(digits))

    def digits(self, value: int) -> list[int]:
        return [value >> self.d * i & (1 << self.d) - 1 for i in range(self.k)]

    def reached(self, last: bool) -> list[int]:
        """The sums of a cycle: those held, and its digit products; digits k of the operands only gate others."""
        k, count, beta = self.k, self.count, 1 << self.d
        sums = [*self.sums, *[0] * count]
        for i in range(count):
            for j in range(k):
                for piece in range(3):
                    part = self.x[i] * self.y[j] >> self.d * piece
                    sums[i + j + piece] += part % beta if piece < 2 else part
            if self.top[1]:
                sums[i + k] += self.x[i] % beta
                sums[i + k + 1] += self.x[i] // beta
        if last and self.top[0]:
            at = k - (self.shared - 1) * count
            for j, digit in enumerate((*self.y, self.top[1])):
                sums[at + j] += digit % beta
                if digit >= beta:
                    sums[at + j + 1] += digit // beta
        return sums

    def clock(self, load: tuple[list[int], list[int]] | None) -> Row:
        """One cycle: combinational values during it, registers after its edge."""
        d, k, count, beta = self.d, self.k, self.count, 1 << self.d
        row: Row = dict.fromkeys(("V", "carry", "E"))
        last = self.step == self.shared - 1
        row["ready"], row["valid"] = int(self.state in (0, 3) and (last or not self.state)), self.valid
        self.valid = 0
        if self.state:
            sums = self.reached(last)
            found = [sums[0] % beta + self.below, *(sums[i] % beta + sums[i - 1] // beta for i in range(1, len(sums)))]
            self.x = [*self.x[count:], *found[:count]]
            self.sums, self.below = sums[count:], sums[count - 1] // beta
            self.step += 1
        if self.state and last:
            at = k - (self.shared - 1) * count
            V = found[at - 1 : at + k + 1]
            row["V"] = self.pack(V, d + 1)
            self.x[k:] = [0] * (len(self.x) - k)
            self.y, self.top = self.digits(self.Mp if self.state == 1 else self.M), (0, 0)
            self.sums, self.below, self.step = [0] * (k + 1), 0, 0
            if self.state == 1:
                self.t1 = V
            if self.state == 3:
                row["carry"] = carry = (self.t1[0] + V[0] + 3) // beta
                E = [self.t1[i + 1] + V[i + 1] + (0 if i else carry) for i in range(k + 1)]
                row["E"] = self.pack(E, d + 2)
                self.z = self.pack([E[i] % beta + (E[i - 1] // beta if i else 0) for i in range(k + 1)], d + 1)
                self.valid = 1
            self.state = (self.state + 1) % 4
        if load is not None:
            assert row["ready"]
            (*x, x_top), (*y, y_top) = load
            self.state, self.step = 1, 0
            self.x, self.y, self.top = [*x, *[0] * (self.shared * count - k)], y, (x_top, y_top)
            assert max(self.top) < 2
        if self.x:
            width = d + (2 * k + 2).bit_length()
            row |= {"X": self.pack(self.x, d + 1), "Y": self.pack(self.y, d + 1), "top": 2 * self.top[0] + self.top[1]}
            row |= {"sums": self.pack(self.sums, width), "below": self.below}
        return {**row, "T1": self.pack(self.t1, d + 1) if self.t1 else None, "Z": self.z}


def shared_stream(shape: Shape, operands: list[tuple[int, int]]) -> tuple[list[Row], list[int]]:
    """Runs products that start in the rows of the shape; returns the rows, and the results in order."""
    p, machine = shape.params, SharedMachine(shape)
    rows: list[Row] = []
    results: list[int] = []
    for cycle in range(max(shape.starts) + shape.own["cycles"] + 2):
        load = p.split(*operands[shape.starts.index(cycle)]) if cycle in shape.starts else None
        z = machine.z
        rows.append(machine.clock(load))
        if rows[-1]["valid"]:
            assert z is not None
            mask = (2 << p.radix_bits) - 1
            results.append(sum((z >> (p.radix_bits + 1) * i & mask) << p.radix_bits * i for i in range(p.k + 1)))
    return rows, results


def chain(shape: Shape, x: int) -> tuple[list[Row], int]:
    """A controller around the datapath."""
    p, cycles = shape.params, shape.own["cycles"]
    machine, d, k = Machine(shape), p.radix_bits, p.k

    def vector(value: int) -> int:
        return machine.pack(machine.digits(value, d, k + 1), d + 1)

    a, b, rows = vector(x), vector(p.domain**2 % p.modulus), list[Row]()
    for product in range(p.t + 2):
        for stage in range(cycles):
            row, z = machine.clock(a, b)
            if stage == cycles - 1:
                assert z is not None
                a, b = z, 1 if product == p.t else z
            last = product == p.t + 1 and stage == cycles - 1
            rows.append({**row, "A": None if last else a, "B": None if last else b})
    carry = borrow = y = e = 0
    for i, digit in enumerate(machine.digits(a, d + 1, k)):
        total = digit + carry
        difference = (total % 2**d - machine.digits(p.modulus, d, k)[i] - borrow) % 2 ** (d + 1)
        row, _ = machine.clock(None, None)  # what is still on its way in it
        rows.append({**row, "resolved": total, "difference": difference})
        carry, borrow = total >> d, difference >> d
        y, e = y | total % 2**d << d * i, e | difference % 2**d << d * i
    return rows, y if borrow else e


def check(arch: Architecture, shape: Shape, jobs: list[TimedPair], rows: list[Row], results: list[int]) -> None:
    """Every cell, with its don't cares."""
    plan = arch.plan(shape)
    products = list(arch.products(shape, jobs, plan))
    assert [product.result for product in products] == results
    assert len(rows) == arch.cycles(shape)
    for column, cells in zip(plan.columns, products[0].table, strict=True):
        assert [row.get(column.name) for row in rows] == cells, column.name
        assert all(cell is None or cell < 1 << column.width for cell in cells)


@pytest.mark.parametrize("cycles", CUTS)
@pytest.mark.parametrize("starts", [(0,), (0, 1, 2, 3), (0, 3, 4, 15)])
def test_products(cycles: int, starts: tuple[int, ...]) -> None:
    draw = Random(cycles)
    for M in MODULI:
        shape = PRODUCT.resolve(M, {"d": 3 if M < 2**10 else 16, "cycles": cycles})
        a_max, b_max = shape.params.limits
        jobs = [TimedPair(draw.randint(0, a_max), draw.randint(0, b_max)) for _ in starts]
        loaded = replace(shape, starts=starts)
        rows, results = stream(loaded, [(job.a, job.b) for job in jobs])
        assert [result * shape.params.domain % M for result in results] == [job.a * job.b % M for job in jobs]
        check(PRODUCT, loaded, jobs, rows, results)


def sharings(k: int) -> list[int]:
    """The values of `shared` for k digits: each ceil(k/s) once."""
    return sorted({-(-k // -(-k // shared)) for shared in range(1, k + 1)})


@settings(max_examples=40)
@given(st.data())
def test_shared_multipliers(data: st.DataObject) -> None:
    """Every register in every cycle, back to back and with gaps, with operands of the whole range."""
    d = data.draw(st.sampled_from((3, 4, 16, 32, 64)))
    k = data.draw(st.integers(2, 3 if d == 3 else 7))
    M = data.draw(st.integers(1 << d * (k - 1), (1 << d * k) - 1)) | 1
    shape = PRODUCT.resolve(M, {"d": d, "k": k, "shared": data.draw(st.sampled_from(sharings(k)))})
    p, cycles = shape.params, shape.own["cycles"]
    assert PRODUCT.interval(shape) == cycles == 3 * shape.own["shared"]
    redundant = st.lists(st.integers(0, (2 << d) - 1), min_size=k, max_size=k).map(lambda low: Written([*low, 0], d))
    operand = st.one_of(st.integers(0, p.limits[0]), redundant.filter(lambda value: value <= p.limits[0]))
    corners = [(corner.a, corner.b) for corner in PRODUCT.model.corners(p)]
    pair = st.one_of(st.sampled_from(corners), st.tuples(operand, operand))
    operands = data.draw(st.lists(pair, min_size=3, max_size=3))
    loaded = replace(shape, starts=(0, cycles, 2 * cycles + data.draw(st.integers(0, 3))))
    rows, results = shared_stream(loaded, operands)
    check(PRODUCT, loaded, [TimedPair(*pair) for pair in operands], rows, results)
    alone = PRODUCT.resolve(M, {"d": d, "k": k})
    for (a, b), result in zip(operands, results, strict=True):
        assert PRODUCT.model.run(alone.params, a, b).result == result


def test_cycles_and_multipliers_of_shared_ones() -> None:
    """As many cycles as three products of vectors take, no fewer multipliers would do, and none is idle for long."""
    count = {cost.name: cost.value for cost in PRODUCT.costs}["multipliers"]
    for k in range(2, 65):
        for shared in sharings(k):
            shape = PRODUCT.resolve((1 << 16 * k) - 1, {"shared": shared})
            multipliers = count(shape)
            assert (shared - 1) * multipliers < k * k <= shared * multipliers
            assert PRODUCT.cycles(shape) == 3 * shared + 2
            assert PRODUCT.next_start(replace(shape, starts=(5,)), 0) == 5 + 3 * shared
    found = [count(PRODUCT.resolve((1 << 512) - 1, {"shared": shared})) for shared in (1, 2, 4, 8, 16, 32)]
    assert found == [1024, 512, 256, 128, 64, 32]


def test_documents_without_sharing_are_those_from_before_it() -> None:
    assert PRODUCT.own_settings(PRODUCT.resolve(2**64 - 59, {})) == {"cycles": 1}
    assert PRODUCT.own_settings(PRODUCT.resolve(2**64 - 59, {"shared": 2})) == {"cycles": 6, "shared": 2}


@settings(max_examples=25)
@given(st.data())
def test_corners_and_digits_of_other_widths(data: st.DataObject) -> None:
    d = data.draw(st.sampled_from((3, 4, 8, 32, 64)))
    k = data.draw(st.integers(2, 3 if d == 3 else 4))
    M = data.draw(st.integers(1 << d * (k - 1), (1 << d * k) - 1)) | 1
    shape = PRODUCT.resolve(M, {"d": d, "k": k, "cycles": data.draw(st.sampled_from(list(CUTS)))})
    corners = [TimedPair(int(c.a), int(c.b)) for c in PRODUCT.model.corners(shape.params)]
    jobs = data.draw(st.lists(st.sampled_from(corners), min_size=3, max_size=3))
    loaded = replace(shape, starts=(0, 1, 4))
    check(PRODUCT, loaded, jobs, *stream(loaded, [(job.a, job.b) for job in jobs]))


@pytest.mark.parametrize("cycles", CUTS)
def test_chains(cycles: int) -> None:
    draw = Random(cycles)
    for M, t in ((2**61 - 1, 1), (2**64 - 59, 9), (2**125 - 9, 5), (465, 20)):
        given = {"d": 4 if M < 2**10 else 16, "t": t, "entry": 1, "cycles": cycles}
        shape = CHAIN.resolve(M, given)
        for x in (0, 1, M - 1, draw.randrange(M)):
            rows, y = chain(shape, x)
            assert y == pow(x, 2**t, M)
            check(CHAIN, shape, [TimedPair(x, 0)], rows, [y])


@pytest.mark.parametrize("entry", [0, 1])
def test_claims_of_a_chain_wherever_x_enters(entry: int) -> None:
    """A product with R^2 mod M gives different digits, but not a different chain."""
    model, exceeded = CHAIN.model, 0
    assert model.chain is not None
    for M, d in ((2**61 - 1, 16), (2**25 - 39, 4), (465, 4)):
        params = model.resolve(M, {"d": d, "t": 6, "entry": entry})
        for x in [*(int(corner.a) for corner in model.corners(params)), *range(2, M, M // 50)]:
            run = model.run(params, x, 0)
            assert not list(model.violations(run))
            assert model.chain.link(params, x, 6).result == run.at("z", 6)
            exceeded += run.at("x_mont", 0) >= M
    assert (exceeded > 0) == bool(entry)


def test_cycles_of_ten_thousand_squarings() -> None:
    """At most the paper's number of cycles, which includes reading the operands."""
    for bits, printed in ((128, 10086), (256, 10103), (512, 10137)):
        shape = CHAIN.resolve(2 ** (bits - 3) - 1, {"t": 10000, "entry": 1})
        assert shape.params.k == bits // 16
        assert CHAIN.cycles(shape) == 10000 + 2 + bits // 16 <= printed
    shape = CHAIN.resolve(2**1021 - 1, {"t": 10000, "entry": 1, "cycles": 7})
    assert CHAIN.cycles(shape) == 70014 + 64


def test_a_table_that_is_too_long_blames_the_length_of_the_chain() -> None:
    arch = ARCHITECTURES["vdf_squarer"]
    shape = arch.resolve(2**61 - 1, {"t": 99_999_999})
    with pytest.raises(ParameterError, match=r"^t: the table of one product has \d+ cells and the limit is 20000000$"):
        arch.plan(shape)


def test_multipliers() -> None:
    """Fewer than the 3(k+1)^2 of Table 1, and than those of Table 3, which multiply digit k of Q0 and M, too."""
    count = {cost.name: cost.value for cost in PRODUCT.costs}["multipliers"]
    found = [count(PRODUCT.resolve(2**n - 1, {})) for n in (64, 128, 256, 512)]
    assert found == [51, 171, 603, 2235]
    for k, products in zip((4, 8, 16, 32), found, strict=True):
        pairs = [(i, j) for i in range(k) for j in range(k)]
        assert products == (k + 1) ** 2 + sum(i + j < k for i, j in pairs) + sum(i + j >= k - 4 for i, j in pairs)


@pytest.mark.parametrize(
    ("arch", "given", "sentence"),
    [
        (PRODUCT, {"cycles": 8}, r"^cycles: 8 is outside 1 to 7$"),
        (PRODUCT, {"shared": 5}, r"^shared: 5 is outside 0 to 4 \(k = 4\)$"),
        (PRODUCT, {"shared": 3}, r"^shared: 3: 4 digits are done after 2 cycles of 2 digits each$"),
        (PRODUCT, {"shared": 2, "cycles": 1}, r"^cycles: "),
        (PRODUCT, {"shared": 1, "d": 64}, r"^k: the datapath takes at least 2 digits$"),
        (CHAIN, {"shared": 2}, r"^shared: vdf_squarer has no such parameter"),
        (PRODUCT, {"d": 64}, r"^k: the datapath takes at least 2 digits$"),
        (PRODUCT, {"d": 2, "k": 31}, r"^k: 31 digits of 2 bits are more than"),
        (PRODUCT, {"form": "printed"}, r"^form: llmonpro is built for the corrected form only$"),
        (CHAIN, {"entry": 1, "w": 1}, r"^w: 1 is outside 2 to 64$"),
        (CHAIN, {"entry": 2}, r"^entry: 2 is outside 0 to 1$"),
        (CHAIN, {"entry": 0}, r"^entry: "),
    ],
)
def test_what_is_refused(arch: Architecture, given: dict[str, str | int], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        arch.resolve(2**61 - 1, given)
    with pytest.raises(ParameterError, match=r"^radix: 2\^2: the datapath takes digits of at least 3 bits$"):
        PRODUCT.resolve(3, {"d": 2, "k": 1})
