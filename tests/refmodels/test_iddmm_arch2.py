# SPDX-License-Identifier: Apache-2.0
"""The schedule of architecture 2 against a register-level simulator, the worked example and the published counts."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodels.architecture import Job, Plan, signal
from refmodels.errors import ParameterError
from refmodels.registry import ARCHITECTURES
from vectors.request import CoreRequest
from vectors.strategies import cases

ARCH = ARCHITECTURES["iddmm_arch2"]
COLUMNS = ["q", "C", "An", "S", "R", "U", "A_we", "A_addr", "A"]


@dataclass
class Machine:
    """Registers, memories and adders of architecture 2 without pipeline levels, clocked; it knows no schedule."""

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
    c: int = 0
    a_n: int = 0
    a: list[int] = field(default_factory=list)
    rows: list[dict[str, int]] = field(default_factory=list)

    def clock(self) -> None:
        """One cycle: the adders settle, the row is noted, the edge comes."""
        beta = 1 << self.k
        j = max(self.t - 1, 0)
        s = (self.a_n if j == self.n else self.a[j]) + self.x[j] * self.y[self.i]
        r = self.q * self.p[j]
        u = s + r + self.c
        preparing, last = self.t == 0, j == self.n
        write = not preparing and j > 0
        row = {"S": s, "A_we": int(write), **({} if preparing else {"R": r, "U": u})}
        if write:
            self.a[j - 1] = row["A"] = u % beta
            row["A_addr"] = j - 1
        if preparing:
            self.q = s * self.p_inverse % beta
        else:
            self.c = 0 if last else u >> self.k
        if last and not preparing:
            self.a_n = u >> self.k
        self.t += 1
        if self.t == self.n + 2:
            self.t, self.i = 0, self.i + 1
        self.rows.append({**row, "q": self.q, "C": self.c, "An": self.a_n})

    def run(self) -> int:
        while self.i < self.passes:
            self.clock()
        return sum(digit << (self.k * j) for j, digit in enumerate([*self.a, self.a_n]))


def machine(params: Any, a: int, b: int) -> Machine:
    k, n = params.radix_bits, params.digits
    beta = 1 << k
    p, x, y = ([value >> (k * j) & beta - 1 for j in range(max(n + 1, params.passes))]
               for value in (params.modulus, a, b))  # fmt: skip
    return Machine(k, n, params.passes, p, -pow(params.modulus, -1, beta) % beta, x, y, a=[0] * n)


def table(params: Any, a: int, b: int) -> tuple[list[dict[str, int]], int]:
    """The golden rows without their don't-cares, and the result."""
    plan = ARCH.plan(params)
    (product,) = ARCH.products(params, [Job(a, b)], plan)
    assert [column.name for column in plan.columns] == COLUMNS
    rows = [
        {name: cell for name, cell in zip(COLUMNS, cells, strict=True) if cell is not None}
        for cells in zip(*product.table, strict=True)
    ]
    return rows, product.result


@given(cases(["iddmm2"], max_bits=96))
def test_schedule_is_what_the_machine_does(case: Any) -> None:
    multiplier, a, b = case
    golden = machine(multiplier.params, a, b)
    result = golden.run()
    rows, seen = table(multiplier.params, a, b)
    assert seen == result
    assert rows == golden.rows


@pytest.mark.parametrize("k", [1, 2, 4, 8])
def test_schedule_for_every_small_shape(k: int) -> None:
    for n in range(1, 7):
        for passes in range(1, n + 4):
            p = (1 << (k * n)) - 1 if k * n > 1 else 0
            if p < 3:
                continue
            params = ARCH.resolve(p, {"k": k, "n": n, "passes": passes})
            a_max, b_max = params.limits
            for a, b in ((0, 0), (1, 1), (p - 1, b_max), (a_max, b_max), (a_max // 3, b_max // 5 * 2)):
                golden = machine(params, a, b)
                result = golden.run()
                assert table(params, a, b) == (golden.rows, result)
                assert len(golden.rows) == ARCH.cycles(params) == passes * (n + 2)


# p = ea7, X = e8a, Y = d66, k = 4: cycle; q, C, A_n, A_2 A_1 A_0 before the edge; adders S, R, U; what the edge does.
WORKED_EXAMPLE = """
 0   0  0 0 000   3c  0  3c   q=c
 1   c  0 0 000   3c 54  90
 2   c  9 0 000   30 78  b1   A0=1
 3   c  b 0 001   54 a8 107   A1=7
 4   c 10 0 071    0  0  10   A2=0 An=1
 5   c  0 1 071   3d 54  91   q=5
 6   5  0 1 071   3d 23  60
 7   5  6 1 071   37 32  6f   A0=f
 8   5  6 1 07f   54 46  a0   A1=0
 9   5  a 1 00f    1  0   b   A2=b An=0
10   5  0 0 b0f   91 23  b4   q=9
11   9  0 0 b0f   91 3f  d0
12   9  d 0 b0f   68 5a  cf   A0=f
13   9  c 0 b0f   c1 7e 14b   A1=b
14   9 14 0 bbf    0  0  14   A2=4 An=1
"""


def test_worked_example_cell_by_cell() -> None:
    params = ARCH.resolve(0xEA7, {"k": 4})
    rows, result = table(params, 0xE8A, 0xD66)
    assert (params.constants["p'"], result, result % 0xEA7) == (9, 0x14BF, 0x618)
    memory = [0, 0, 0]
    before = {"q": 0, "C": 0, "An": 0}
    lines = WORKED_EXAMPLE.strip().splitlines()
    assert len(lines) == len(rows) == 15
    for line, row in zip(lines, rows, strict=True):
        words = line.split()
        cycle, edge = int(words[0]), dict(word.split("=") for word in words[8:])
        q, c, a_n, a, s, r, u = (int(word, 16) for word in words[1:8])
        assert (before["q"], before["C"], before["An"]) == (q, c, a_n)
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
def test_published_cycle_counts(bits: int, cycles: list[int]) -> None:
    for k, count in zip((4, 8, 16, 32, 64), cycles, strict=True):
        params = ARCH.resolve(2**bits - 1, {"k": k})
        assert ARCH.cycles(params) == (bits // k) * (bits // k + 2) == count
    published: Any = ARCH.published["cycles"]
    assert published["1024 bits, k = 4, 8, 16, 32, 64"] == [66048, 16640, 4224, 1088, 288]


def test_costs_of_the_published_registers() -> None:
    """Table 3 counts C only: k + 1 bits."""
    registers = next(cost for cost in ARCH.costs if cost.name == "registers")
    for k, published in zip((4, 8, 16, 32, 64), (5, 9, 17, 33, 65), strict=True):
        assert registers.value(ARCH.resolve(2**64 - 1, {"k": k})) - k - 2 == published


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
