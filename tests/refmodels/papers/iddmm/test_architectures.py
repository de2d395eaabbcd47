# SPDX-License-Identifier: Apache-2.0
"""The schedules of the IDDMM architectures against their circuits, worked examples and published counts."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from limbtrace.refmodels.architecture import Architecture, Plan, Shape, TimedPair, signal
from limbtrace.refmodels.errors import ParameterError
from limbtrace.refmodels.papers.iddmm.circuits import CARRIES, CIRCUITS, LEVELS, circuit
from limbtrace.refmodels.registry import ARCHITECTURES
from limbtrace.vectors.request import CoreRequest, Multiplier
from limbtrace.vectors.strategies import cases

ARCH = ARCHITECTURES["iddmm_arch2"]
ALWAYS = {"q", "An", "A_we", *CARRIES}
"""Columns that are defined in every cycle."""
each_architecture = pytest.mark.parametrize("architecture", [ARCHITECTURES[name] for name in CIRCUITS], ids=CIRCUITS)
each_level = pytest.mark.parametrize("levels", [0, 1, 2])


def agree(architecture: Architecture, shape: Shape, pairs: list[tuple[int, int]]) -> None:
    """Every cell that is not don't care equals the circuit's value, and the circuit's result is the closed form."""
    plan = architecture.plan(shape)
    columns = [column.name for column in plan.columns]
    levels = shape.own["pipeline"]
    assert [name for name in columns if name in LEVELS] == list(LEVELS[: (0, 3, 5)[levels]])
    for product in architecture.products(shape, [TimedPair(a, b) for a, b in pairs], plan):
        golden = circuit(architecture.id, shape, product.a, product.b)
        assert golden.run() == product.result
        assert product.result == architecture.model.closed_form(shape.params, product.a, product.b)
        assert len(golden.rows) == architecture.cycles(shape)
        for cycle, (row, cells) in enumerate(zip(golden.rows, zip(*product.table, strict=True), strict=True)):
            for column, cell in zip(plan.columns, cells, strict=True):
                if cell is None:
                    assert column.name not in ALWAYS
                    continue
                assert cell >> column.width == 0
                assert (column.name, cycle, cell) == (column.name, cycle, row.get(column.name))
            if row["A_we"]:
                assert None not in (cells[columns.index("A")], cells[columns.index("A_addr")])


@given(cases(["iddmm1", "iddmm2"], max_bits=96), st.integers(0, 2))
def test_schedule_is_what_the_circuit_does(case: Any, levels: int) -> None:
    multiplier, a, b = case
    (architecture,) = (entry for entry in ARCHITECTURES.values() if entry.model is multiplier.model)
    assume(levels < 2 or multiplier.params.digits > 1)
    shape = architecture.resolve(multiplier.modulus.modulus, {**multiplier.settings, "pipeline": levels})
    agree(architecture, shape, [(a, b)])


@each_level
@pytest.mark.parametrize("k", [1, 2, 4, 8])
@each_architecture
def test_schedule_for_every_small_shape(architecture: Architecture, k: int, levels: int) -> None:
    for n in range(1 + levels // 2, 6):
        for passes in range(1, n + 4):
            p = (1 << (k * n)) - 1 if k * n > 1 else 0
            if p < 3:
                continue
            shape = architecture.resolve(p, {"k": k, "n": n, "passes": passes, "pipeline": levels})
            assert architecture.cycles(shape) == passes * (n + 2 + levels) + levels
            a_max, b_max = shape.params.limits
            agree(architecture, shape, [(0, 0), (1, 1), (p - 1, b_max), (a_max, b_max), (a_max // 3, b_max // 5 * 2)])


@each_level
@each_architecture
def test_every_product_of_tiny_moduli(architecture: Architecture, levels: int) -> None:
    """All operands that are accepted; one digit as far as the levels allow it."""
    for p, settings in ((3, {"k": 1}), (5, {"k": 2}), (7, {"k": 1, "passes": 2}), (7, {"k": 3}), (9, {"k": 2})):
        if levels == 2 and p.bit_length() <= settings["k"]:
            continue
        shape = architecture.resolve(p, {**settings, "pipeline": levels})
        a_max, b_max = shape.params.limits
        agree(architecture, shape, [(a, b) for a in range(a_max + 1) for b in range(b_max + 1)])


@each_architecture
def test_one_digit_is_too_few_for_two_levels(architecture: Architecture) -> None:
    with pytest.raises(ParameterError, match=r"^pipeline: 2 levels need n >= 2"):
        architecture.resolve(13, {"k": 4, "pipeline": 2})
    with pytest.raises(ParameterError, match=r"^pipeline: 3 is outside 0 to 2$"):
        architecture.resolve(251, {"k": 4, "pipeline": 3})
    with pytest.raises(ParameterError, match=rf"^depth: {architecture.id} has no such parameter; .*, pipeline$"):
        architecture.resolve(251, {"depth": 4})


@each_level
@each_architecture
def test_vectors_do_not_depend_on_the_levels(architecture: Architecture, levels: int) -> None:
    core = CoreRequest.resolve(architecture.id, 251, {"k": 4, "pipeline": levels})
    plain = Multiplier.resolve(architecture.model.id, 251, {"k": 4})
    assert (core.multiplier.identity, core.multiplier.head) == (plain.identity, plain.head)
    assert core.head["params"] == {"n": 2, "passes": 2, "pipeline": levels}


# p = ea7, X = e8a, Y = d66, k = 4: cycle; registers and A_2 A_1 A_0 before the edge; adders S, R, U; the edge.
WORKED_EXAMPLES = {
    ("iddmm_arch1", 0): ("q CS CR CU An", """
 0   0  0  0  0  0  000   3c   0   c  q=c
 1   c  0  0  0  0  000   3c  54  10
 2   c  3  5  1  0  000   33  7d  11  A0=1
 3   c  3  7  1  0  001   57  af  17  A1=7
 4   c  5  a  1  0  071    5   a  10  A2=0 An=1
 5   c  0  0  0  1  071   3d  54  11  q=5
 6   5  0  0  0  1  071   3d  23  10
 7   5  3  2  1  1  071   3a  34   f  A0=f
 8   5  3  3  0  1  07f   57  49  10  A1=0
 9   5  5  4  1  1  00f    6   4   b  A2=b An=0
10   5  0  0  0  0  b0f   91  23   4  q=9
11   9  0  0  0  0  b0f   91  3f  10
12   9  9  3  1  0  b0f   71  5d   f  A0=f
13   9  7  5  0  0  b0f   c8  83   b  A1=b
14   9  c  8  0  0  bbf    c   8  14  A2=4 An=1
"""),
    ("iddmm_arch2", 0): ("q C An", """
 0   0  0  0  000   3c   0  3c  q=c
 1   c  0  0  000   3c  54  90
 2   c  9  0  000   30  78  b1  A0=1
 3   c  b  0  001   54  a8 107  A1=7
 4   c 10  0  071    0   0  10  A2=0 An=1
 5   c  0  1  071   3d  54  91  q=5
 6   5  0  1  071   3d  23  60
 7   5  6  1  071   37  32  6f  A0=f
 8   5  6  1  07f   54  46  a0  A1=0
 9   5  a  1  00f    1   0   b  A2=b An=0
10   5  0  0  b0f   91  23  b4  q=9
11   9  0  0  b0f   91  3f  d0
12   9  d  0  b0f   68  5a  cf  A0=f
13   9  c  0  b0f   c1  7e 14b  A1=b
14   9 14  0  bbf    0   0  14  A2=4 An=1
"""),
    ("iddmm_arch2", 1): ("q C PX PR AD An", """
 0   0  0  0  0  0  0  000    0   0   0
 1   0  0 3c  0  0  0  000   3c   0  3c  q=c
 2   c  0 3c  0  0  0  000   3c   0  3c
 3   c  0 3c 54  0  0  000   3c  54  90
 4   c  9 30 78  0  0  000   30  78  b1  A0=1
 5   c  b 54 a8  0  0  001   54  a8 107  A1=7
 6   c 10  0  0  0  0  071    0   0  10  A2=0 An=1
 7   c  0 3c 54  1  1  071   3d  54  91  q=5
 8   5  0 3c 54  1  1  071   3d  54  91
 9   5  0 3c 23  1  1  071   3d  23  60
10   5  6 30 32  7  1  071   37  32  6f  A0=f
11   5  6 54 46  0  1  07f   54  46  a0  A1=0
12   5  a  0  0  1  1  00f    1   0   b  A2=b An=0
13   5  0 82 23  f  0  b0f   91  23  b4  q=9
14   9  0 82 23  f  0  b0f   91  23  b4
15   9  0 82 3f  f  0  b0f   91  3f  d0
16   9  d 68 5a  0  0  b0f   68  5a  cf  A0=f
17   9  c b6 7e  b  0  b0f   c1  7e 14b  A1=b
18   9 14  0  0  0  0  bbf    0   0  14  A2=4 An=1
"""),
    ("iddmm_arch1", 2): ("q CS CR CU PX PR AD SR RR An", """
 0   0  0  0  0  0  0  0  0  0  0  000    0   0   0
 1   0  0  0  0 3c  0  0  0  0  0  000   3c   0   0
 2   0  0  0  0 3c  0  0 3c  0  0  000   3c   0   c  q=c
 3   c  0  0  0 3c  0  0 3c  0  0  000   3c   0   c
 4   c  0  0  0 3c 54  0 3c  0  0  000   3c  54   c
 5   c  3  5  0 30 78  0 3c 54  0  000   33  7d  10
 6   c  3  7  1 54 a8  0 33 7d  0  000   57  af  11  A0=1
 7   c  5  a  1  0  0  0 57 af  0  001    5   a  17  A1=7
 8   c  0  0  1 3c 54  1  5  a  0  071   3d  54  10  A2=0 An=1
 9   c  0  0  0 3c 54  1 3d 54  1  071   3d  54  11  q=5
10   5  0  0  0 3c 54  1 3d 54  1  071   3d  54  11
11   5  0  0  0 3c 23  1 3d 54  1  071   3d  23  11
12   5  3  2  0 30 32  7 3d 23  1  071   3a  34  10
13   5  3  3  1 54 46  0 3a 34  1  071   57  49   f  A0=f
14   5  5  4  0  0  0  1 57 49  1  07f    6   4  10  A1=0
15   5  0  0  1 82 23  f  6  4  1  00f   91  23   b  A2=b An=0
16   5  0  0  0 82 23  f 91 23  0  b0f   91  23   4  q=9
17   9  0  0  0 82 23  f 91 23  0  b0f   91  23   4
18   9  0  0  0 82 3f  f 91 23  0  b0f   91  3f   4
19   9  9  3  0 68 5a  0 91 3f  0  b0f   71  5d  10
20   9  7  5  1 b6 7e  b 71 5d  0  b0f   c8  83   f  A0=f
21   9  c  8  0  0  0  0 c8 83  0  b0f    c   8   b  A1=b
22   9  0  0  0  0  0  0  c  8  0  bbf    0   0  14  A2=4 An=1
"""),
}  # fmt: skip


@pytest.mark.parametrize(("name", "levels"), WORKED_EXAMPLES)
def test_worked_example_cell_by_cell(name: str, levels: int) -> None:
    architecture = ARCHITECTURES[name]
    names, text = WORKED_EXAMPLES[name, levels]
    registers = names.split()
    shape = architecture.resolve(0xEA7, {"k": 4, "pipeline": levels})
    plan = architecture.plan(shape)
    (product,) = architecture.products(shape, [TimedPair(0xE8A, 0xD66)], plan)
    columns = [column.name for column in plan.columns]
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*product.table, strict=True)]
    assert (shape.params.constants["p'"], product.result, product.result % 0xEA7) == (9, 0x14BF, 0x618)
    lines = text.strip().splitlines()
    assert len(lines) == len(rows) == 3 * (5 + levels) + levels
    memory, before, cared = [0, 0, 0], dict.fromkeys(registers, 0), 0
    for cycle, (line, row) in enumerate(zip(lines, rows, strict=True)):
        words = line.split()
        last = 1 + len(registers) + 4
        edge = dict(word.split("=") for word in words[last:])
        *held, a, s, r, u = (int(word, 16) for word in words[1:last])
        assert int(words[0]) == cycle
        printed = {**dict(zip(registers, held, strict=True)), "S": s, "R": r, "U": u}
        for signal_name, value in printed.items():
            cell = before[signal_name] if signal_name in before else row[signal_name]
            assert cell in (None, value), (cycle, signal_name)
            cared += cell is not None
        assert memory == [a & 15, a >> 4 & 15, a >> 8]
        written = [name for name in edge if name[0] == "A" and name != "An"]
        assert row["A_we"] == len(written)
        if written:
            memory[row["A_addr"] or 0] = row["A"] or 0
            assert (f"A{row['A_addr']}", row["A"]) == (written[0], int(edge[written[0]], 16))
        for signal_name in ("q", "An"):
            if signal_name in edge:
                assert row[signal_name] == int(edge[signal_name], 16)
        before = {name: row[name] for name in registers}
    assert memory == [0xF, 0xB, 0x4]
    assert before["An"] == 1
    assert cared > len(lines) * len(printed) * 3 // 4


@pytest.mark.parametrize(
    ("bits", "cycles"),
    [(1024, [66048, 16640, 4224, 1088, 288]), (512, [16640, 4224, 1088, 288, 80]), (256, [4224, 1088, 288, 80, 24])],
)
@each_architecture
def test_published_cycle_counts(architecture: Architecture, bits: int, cycles: list[int]) -> None:
    for k, count in zip((4, 8, 16, 32, 64), cycles, strict=True):
        n = bits // k
        shapes = [architecture.resolve(2**bits - 1, {"k": k, "pipeline": levels}) for levels in range(3)]
        assert [architecture.cycles(shape) - shape.own["pipeline"] for shape in shapes] == [
            count,
            count + n,
            count + 2 * n,
        ]
    published: Any = architecture.published["cycles"]
    assert published["1024 bits, k = 4, 8, 16, 32, 64"] == [66048, 16640, 4224, 1088, 288]


@pytest.mark.parametrize(
    ("name", "published"), [("iddmm_arch1", [(2, 1), (7, 1), (11, 1)]), ("iddmm_arch2", [(1, 1), (6, 1), (10, 1)])]
)
def test_costs_of_the_published_registers(name: str, published: list[tuple[int, int]]) -> None:
    """Table 3 counts neither q nor A_n."""
    architecture = ARCHITECTURES[name]
    registers = next(cost for cost in architecture.costs if cost.name == "registers")
    for k in (4, 8, 16, 32):
        for levels, (factor, rest) in enumerate(published):
            shape = architecture.resolve(2**64 - 1, {"k": k, "pipeline": levels})
            assert registers.value(shape) - k - 2 == factor * k + rest


@given(st.integers(0, 3), st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_products_one_after_the_other(extra: int, gaps: list[int]) -> None:
    shape = ARCH.resolve(251, {"k": 4, "passes": 2 + extra % 2})
    plan, free, jobs = ARCH.plan(shape), 0, []
    for number, gap in enumerate(gaps):
        start = free + gap
        jobs.append(TimedPair(7 * number + 1, 13 * number + 5, start if gap else None))
        free = start + ARCH.interval(shape)
    products = list(ARCH.products(shape, jobs, plan))
    expected = 0
    for job, product, gap in zip(jobs, products, gaps, strict=True):
        assert product.start == expected + gap
        expected = product.start + ARCH.cycles(shape) + 1
        assert product.result == ARCH.model.closed_form(shape.params, job.a, job.b)


def test_a_start_while_busy_is_refused() -> None:
    shape = ARCH.resolve(251, {"k": 4})
    with pytest.raises(ParameterError, match=r"^operands: product 1 cannot start in cycle 8: the next .* one is 9$"):
        list(ARCH.placed(shape, [TimedPair(1, 1), TimedPair(1, 1, 8)]))
    assert [start for _, start in ARCH.placed(shape, [TimedPair(1, 1), TimedPair(1, 1, 9)])] == [0, 9]


def test_a_schedule_that_names_no_step_is_refused() -> None:
    order = [("q", (0, 0)), ("q", (1, 0))]
    assert Plan([signal("q", 4, "register", "q", lambda c: (c - 1, 0))], order, 3).table([5, 6]) == [[0, 5, 6]]
    with pytest.raises(ValueError, match=r"^q in cycle 2 shows q\[2, 0\], which is no step$"):
        Plan([signal("q", 4, "register", "q", lambda c: (c, 0))], order, 3)


def test_the_printed_form_has_no_core() -> None:
    with pytest.raises(ParameterError, match=r"^form: iddmm_arch2 is built for the corrected form only$"):
        CoreRequest.resolve("iddmm_arch2", 251, {"form": "printed"})
