# SPDX-License-Identifier: Apache-2.0
"""The schedules of the IDDMM architectures against register-level simulators, worked examples and published counts."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodels.architecture import Architecture, Job, Plan, signal
from refmodels.errors import ParameterError
from refmodels.registry import ARCHITECTURES
from vectors.request import CoreRequest
from vectors.strategies import cases

ARCH = ARCHITECTURES["iddmm_arch2"]


@dataclass
class Machine:
    """Memories, control and q of both architectures without pipeline levels, clocked; it knows no schedule."""

    k: int
    n: int
    passes: int
    p: list[int]
    p_inverse: int
    x: list[int]
    y: list[int]
    i: int = 0
    t: int = 0
    q: int = 0
    a_n: int = 0
    a: list[int] = field(default_factory=list)
    rows: list[dict[str, int]] = field(default_factory=list)

    def clock(self) -> None:
        """One cycle: the adders settle, the row is noted, the edge comes."""
        beta = 1 << self.k
        j = max(self.t - 1, 0)
        s, r, u = self.sums(self.a_n if j == self.n else self.a[j], self.x[j] * self.y[self.i], self.q * self.p[j])
        preparing, last = self.t == 0, j == self.n
        write = not preparing and j > 0
        row = {"S": s, "A_we": int(write), **({} if preparing else {"R": r, "U": u})}
        if write:
            self.a[j - 1] = row["A"] = u % beta
            row["A_addr"] = j - 1
        if preparing:
            self.q = s % beta * self.p_inverse % beta
        else:
            self.carry(s, r, u, last)
        self.t += 1
        if self.t == self.n + 2:
            self.t, self.i = 0, self.i + 1
        self.rows.append({**row, "q": self.q, "An": self.a_n, **self.carries})

    def run(self) -> int:
        while self.i < self.passes:
            self.clock()
        return sum(digit << (self.k * j) for j, digit in enumerate([*self.a, self.a_n]))

    def sums(self, a: int, xy: int, qp: int) -> tuple[int, int, int]:
        """The outputs of the adders S, R and U."""
        raise NotImplementedError

    def carry(self, s: int, r: int, u: int, last: bool) -> None:
        """The edge: carries go on to the next digit, and out of the last one into A_n."""
        raise NotImplementedError

    @property
    def carries(self) -> dict[str, int]:
        raise NotImplementedError


@dataclass
class Machine1(Machine):
    """Architecture 1."""

    c_s: int = 0
    c_r: int = 0
    c_u: int = 0

    def sums(self, a: int, xy: int, qp: int) -> tuple[int, int, int]:
        s, r = a + xy + self.c_s, qp + self.c_r
        return s, r, s % (1 << self.k) + r % (1 << self.k) + self.c_u

    def carry(self, s: int, r: int, u: int, last: bool) -> None:
        self.c_s, self.c_r, self.c_u = s >> self.k, r >> self.k, u >> self.k
        if last:
            self.a_n = self.c_s + self.c_r + self.c_u
            self.c_s = self.c_r = self.c_u = 0

    @property
    def carries(self) -> dict[str, int]:
        return {"CS": self.c_s, "CR": self.c_r, "CU": self.c_u}


@dataclass
class Machine2(Machine):
    """Architecture 2."""

    c: int = 0

    def sums(self, a: int, xy: int, qp: int) -> tuple[int, int, int]:
        return a + xy, qp, a + xy + qp + self.c

    def carry(self, s: int, r: int, u: int, last: bool) -> None:
        self.c = u >> self.k
        if last:
            self.a_n, self.c = self.c, 0

    @property
    def carries(self) -> dict[str, int]:
        return {"C": self.c}


MACHINES: dict[str, type[Machine]] = {"iddmm_arch1": Machine1, "iddmm_arch2": Machine2}
each_architecture = pytest.mark.parametrize("architecture", [ARCHITECTURES[name] for name in MACHINES], ids=MACHINES)


def machine(architecture: Architecture, params: Any, a: int, b: int) -> Machine:
    k, n = params.radix_bits, params.digits
    beta = 1 << k
    p, x, y = ([value >> (k * j) & beta - 1 for j in range(max(n + 1, params.passes))]
               for value in (params.modulus, a, b))  # fmt: skip
    p_inverse = -pow(params.modulus, -1, beta) % beta
    return MACHINES[architecture.id](k, n, params.passes, p, p_inverse, x, y, a=[0] * n)


def table(architecture: Architecture, params: Any, a: int, b: int) -> tuple[list[dict[str, int]], int]:
    """The golden rows without their don't-cares, and the result."""
    plan = architecture.plan(params)
    (product,) = architecture.products(params, [Job(a, b)], plan)
    rows = [
        {column.name: cell for column, cell in zip(plan.columns, cells, strict=True) if cell is not None}
        for cells in zip(*product.table, strict=True)
    ]
    for row in rows:
        assert all(row.get(column.name, 0) >> column.width == 0 for column in plan.columns)
    return rows, product.result


@given(cases(["iddmm1", "iddmm2"], max_bits=96))
def test_schedule_is_what_the_machine_does(case: Any) -> None:
    multiplier, a, b = case
    (architecture,) = (entry for entry in ARCHITECTURES.values() if entry.model is multiplier.model)
    golden = machine(architecture, multiplier.params, a, b)
    result = golden.run()
    rows, seen = table(architecture, multiplier.params, a, b)
    assert seen == result
    assert rows == golden.rows


@pytest.mark.parametrize("k", [1, 2, 4, 8])
@each_architecture
def test_schedule_for_every_small_shape(architecture: Architecture, k: int) -> None:
    for n in range(1, 7):
        for passes in range(1, n + 4):
            p = (1 << (k * n)) - 1 if k * n > 1 else 0
            if p < 3:
                continue
            params = architecture.resolve(p, {"k": k, "n": n, "passes": passes})
            a_max, b_max = params.limits
            for a, b in ((0, 0), (1, 1), (p - 1, b_max), (a_max, b_max), (a_max // 3, b_max // 5 * 2)):
                golden = machine(architecture, params, a, b)
                result = golden.run()
                assert table(architecture, params, a, b) == (golden.rows, result)
                assert len(golden.rows) == architecture.cycles(params) == passes * (n + 2)


@each_architecture
def test_every_product_of_tiny_moduli(architecture: Architecture) -> None:
    """All operands that are accepted, the sums taken by the machine and the result by the closed form."""
    for p, settings in ((3, {"k": 1}), (3, {"k": 2}), (5, {"k": 2}), (7, {"k": 1, "passes": 2}), (7, {"k": 3})):
        params = architecture.resolve(p, settings)
        plan, jobs = architecture.plan(params), []
        a_max, b_max = params.limits
        jobs = [Job(a, b) for a in range(a_max + 1) for b in range(b_max + 1)]
        names = [column.name for column in plan.columns]
        for product in architecture.products(params, jobs, plan):
            golden = machine(architecture, params, product.a, product.b)
            assert golden.run() == product.result
            assert product.result == architecture.model.closed_form(params, product.a, product.b)
            for row, cells in zip(golden.rows, zip(*product.table, strict=True), strict=True):
                assert row == {name: cell for name, cell in zip(names, cells, strict=True) if cell is not None}


# p = ea7, X = e8a, Y = d66, k = 4: cycle; q, carries, A_n, A_2 A_1 A_0 before the edge; adders S, R, U; the edge.
WORKED_EXAMPLES = {
    "iddmm_arch1": """
 0  0 0 0 0  0 000   3c   0   c  q=c
 1  c 0 0 0  0 000   3c  54  10
 2  c 3 5 1  0 000   33  7d  11  A0=1
 3  c 3 7 1  0 001   57  af  17  A1=7
 4  c 5 a 1  0 071    5   a  10  A2=0 An=1
 5  c 0 0 0  1 071   3d  54  11  q=5
 6  5 0 0 0  1 071   3d  23  10
 7  5 3 2 1  1 071   3a  34   f  A0=f
 8  5 3 3 0  1 07f   57  49  10  A1=0
 9  5 5 4 1  1 00f    6   4   b  A2=b An=0
10  5 0 0 0  0 b0f   91  23   4  q=9
11  9 0 0 0  0 b0f   91  3f  10
12  9 9 3 1  0 b0f   71  5d   f  A0=f
13  9 7 5 0  0 b0f   c8  83   b  A1=b
14  9 c 8 0  0 bbf    c   8  14  A2=4 An=1
""",
    "iddmm_arch2": """
 0  0  0  0 000   3c   0  3c  q=c
 1  c  0  0 000   3c  54  90
 2  c  9  0 000   30  78  b1  A0=1
 3  c  b  0 001   54  a8 107  A1=7
 4  c 10  0 071    0   0  10  A2=0 An=1
 5  c  0  1 071   3d  54  91  q=5
 6  5  0  1 071   3d  23  60
 7  5  6  1 071   37  32  6f  A0=f
 8  5  6  1 07f   54  46  a0  A1=0
 9  5  a  1 00f    1   0   b  A2=b An=0
10  5  0  0 b0f   91  23  b4  q=9
11  9  0  0 b0f   91  3f  d0
12  9  d  0 b0f   68  5a  cf  A0=f
13  9  c  0 b0f   c1  7e 14b  A1=b
14  9 14  0 bbf    0   0  14  A2=4 An=1
""",
}


@each_architecture
def test_worked_example_cell_by_cell(architecture: Architecture) -> None:
    params = architecture.resolve(0xEA7, {"k": 4})
    rows, result = table(architecture, params, 0xE8A, 0xD66)
    assert (params.constants["p'"], result, result % 0xEA7) == (9, 0x14BF, 0x618)
    carries = ["CS", "CR", "CU"] if architecture.id == "iddmm_arch1" else ["C"]
    registers = ["q", *carries, "An"]
    memory = [0, 0, 0]
    before = dict.fromkeys(registers, 0)
    lines = WORKED_EXAMPLES[architecture.id].strip().splitlines()
    assert len(lines) == len(rows) == 15
    for cycle, (line, row) in enumerate(zip(lines, rows, strict=True)):
        words = line.split()
        last = 1 + len(registers) + 4
        edge = dict(word.split("=") for word in words[last:])
        *held, a, s, r, u = (int(word, 16) for word in words[1:last])
        assert int(words[0]) == cycle
        assert [before[name] for name in registers] == held
        assert memory == [a & 15, a >> 4 & 15, a >> 8]
        assert row["S"] == s
        if cycle % 5:  # R and U do not matter while q is found
            assert (row["R"], row["U"]) == (r, u)
        written = [name for name in edge if name[0] == "A" and name != "An"]
        assert row["A_we"] == len(written)
        if written:
            memory[row["A_addr"]] = row["A"]
            assert (f"A{row['A_addr']}", row["A"]) == (written[0], int(edge[written[0]], 16))
        for name in ("q", "An"):
            if name in edge:
                assert row[name] == int(edge[name], 16)
        before = row
    assert memory == [0xF, 0xB, 0x4]
    assert before["An"] == 1


@pytest.mark.parametrize(
    ("bits", "cycles"),
    [(1024, [66048, 16640, 4224, 1088, 288]), (512, [16640, 4224, 1088, 288, 80]), (256, [4224, 1088, 288, 80, 24])],
)
@each_architecture
def test_published_cycle_counts(architecture: Architecture, bits: int, cycles: list[int]) -> None:
    for k, count in zip((4, 8, 16, 32, 64), cycles, strict=True):
        params = architecture.resolve(2**bits - 1, {"k": k})
        assert architecture.cycles(params) == (bits // k) * (bits // k + 2) == count
    published: Any = architecture.published["cycles"]
    assert published["1024 bits, k = 4, 8, 16, 32, 64"] == [66048, 16640, 4224, 1088, 288]


@pytest.mark.parametrize(
    ("name", "carries"), [("iddmm_arch1", (9, 17, 33, 65, 129)), ("iddmm_arch2", (5, 9, 17, 33, 65))]
)
def test_costs_of_the_published_registers(name: str, carries: tuple[int, ...]) -> None:
    """Table 3 counts the carries only: 2k + 1 and k + 1 bits."""
    architecture = ARCHITECTURES[name]
    registers = next(cost for cost in architecture.costs if cost.name == "registers")
    for k, published in zip((4, 8, 16, 32, 64), carries, strict=True):
        assert registers.value(architecture.resolve(2**64 - 1, {"k": k})) - k - 2 == published
    assert list(architecture.published["registers"].values()) == [list(carries)]


@given(st.integers(0, 3), st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_products_one_after_the_other(extra: int, gaps: list[int]) -> None:
    params = ARCH.resolve(251, {"k": 4, "passes": 2 + extra % 2})
    plan, free, jobs = ARCH.plan(params), 0, []
    for number, gap in enumerate(gaps):
        start = free + gap
        jobs.append(Job(7 * number + 1, 13 * number + 5, start if gap else None))
        free = start + ARCH.interval(params)
    products = list(ARCH.products(params, jobs, plan))
    expected = 0
    for job, product, gap in zip(jobs, products, gaps, strict=True):
        assert product.start == expected + gap
        expected = product.start + ARCH.cycles(params) + 1
        assert product.result == ARCH.model.closed_form(params, job.a, job.b)


def test_a_start_while_busy_is_refused() -> None:
    params = ARCH.resolve(251, {"k": 4})
    with pytest.raises(ParameterError, match=r"^operands: product 1 cannot start in cycle 8: .* free from cycle 9 on$"):
        list(ARCH.placed(params, [Job(1, 1), Job(1, 1, 8)]))
    assert [start for _, start in ARCH.placed(params, [Job(1, 1), Job(1, 1, 9)])] == [0, 9]


def test_a_schedule_that_names_no_step_is_refused() -> None:
    order = [("q", (0, 0)), ("q", (1, 0))]
    assert Plan([signal("q", 4, "register", "q", lambda c: (c - 1, 0))], order, 3).table([5, 6]) == [[0, 5, 6]]
    with pytest.raises(ValueError, match=r"^q in cycle 2 shows q\[2, 0\], which is no step$"):
        Plan([signal("q", 4, "register", "q", lambda c: (c, 0))], order, 3)


def test_the_printed_form_has_no_core() -> None:
    with pytest.raises(ParameterError, match=r"^form: iddmm_arch2 is built for the corrected form only$"):
        CoreRequest.resolve("iddmm_arch2", 251, {"form": "printed"})
