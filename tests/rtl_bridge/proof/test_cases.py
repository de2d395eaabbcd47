# SPDX-License-Identifier: Apache-2.0
"""Cores whose number of cycles depends on operands: good ones are proved, faults of one case are not."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.case_values import CaseValues
from limbtrace.rtl_bridge.proof.cases import EVERY, under_comparisons
from limbtrace.rtl_bridge.proof.evaluation import evaluated
from limbtrace.rtl_bridge.proof.free_fronts import FreeFronts, free_letters
from limbtrace.rtl_bridge.proof.integers.settle import IntegerProof
from limbtrace.rtl_bridge.proof.prover import ProofOptions
from limbtrace.rtl_bridge.proof.smt import SolverAnswer, solved, text
from limbtrace.rtl_bridge.proof.solver import Obligation, Solver
from limbtrace.rtl_bridge.proof.workers import Workers
from limbtrace.vectors.errors import ToolError
from tests.rtl_bridge.proof.small_core import START_DONE, described, proved, shell_of

HEAD = """module dut (
  input wire clk, rst, start, input wire [3:0] a, b, p, output reg done, output reg [3:0] z
);
  reg d1;  // the last cycle was that of done
  always @(posedge clk) d1 <= done;
"""
SERIAL = (
    HEAD
    + """  reg run, top, bad; reg [3:0] x, y, s, k; reg [2:0] n;
  wire [4:0] sum = s + (y[0] ? x : 4'd0);
  wire [3:0] next = sum >= p ? sum - p : sum;
  wire [4:0] twice = {x, 1'b0};
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) run <= 1'b0;
    else if (start & ~run) begin
      x <= a; y <= b; k <= b; s <= 0; n <= 0; run <= 1'b1; top <= b[3]; bad <= BAD;
    end else if (run & HOLD) begin
      s <= next; y <= y >> 1; x <= twice >= p ? twice - p : twice; n <= n + 1;
      if (LAST) begin run <= 1'b0; done <= 1'b1; z <= VALUE; end
    end
  end
endmodule
"""
)
REDUCER = (
    HEAD
    + """  reg [1:0] st; reg [7:0] t; reg [5:0] r; reg c;
  wire [4:0] q = ((t >> 3) * 10'd19) >> 5;
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) st <= 0;
    else case (st)
      0: if (start) begin t <= PRODUCT; st <= 1; c <= 0; end
      1: begin r <= t - q * p; st <= 2; end
      2: if (MORE) begin r <= r - p; c <= 1; end else begin z <= VALUE; done <= 1; st <= 0; end
      default: st <= 0;
    endcase
  end
endmodule
"""
)
DIGITS = (
    HEAD
    + """  reg run; reg [3:0] x, y; reg [7:0] t;
  wire low = y[1:0] != 0 LOW;
  wire [7:0] add = low ? y[1:0] * x : (y[3:2] * x) << 2;
  wire [3:0] left = low ? {y[3:2], 2'b0} : 4'd0;
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) run <= 1'b0;
    else if (start & ~run) begin x <= a; y <= b; t <= CLEAR; run <= 1'b1; end
    else if (run) begin
      t <= t + add; y <= left;
      if (LAST) begin run <= 1'b0; done <= 1'b1; z <= VALUE; end
    end
  end
endmodule
"""
)
SUBTRACT = (
    HEAD
    + """  reg [1:0] st; reg [7:0] t; wire [7:0] r = t - ((t * 13'd19) >> 8) * p;
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) st <= 0;
    else case (st)
      0: if (start) begin t <= a * b; st <= 1; end
      1: begin t <= r; st <= r >= p MORE ? 2 : 3; end
      2: begin t <= t - p; st <= 3; end
      3: begin z <= VALUE; done <= 1; st <= 0; end
    endcase
  end
endmodule
"""
)
SHORTCUT = (
    HEAD
    + """  reg run, early, bad; reg [3:0] x, y; reg [1:0] n, row;
  wire [7:0] prod = x * y;
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) begin run <= 1'b0; early <= 1'b0; row <= 0; end
    else if (start & ~run) begin
      x <= a; y <= b; n <= 0;
      if (SHORT) begin done <= 1'b1; z <= ZERO; early <= 1'b1; row <= row == 3 ? 3 : row + 1; end
      else begin run <= 1'b1; bad <= d1 & early & y[3]; end
    end else if (run) begin
      n <= n + STEP;
      if (n == 2) begin z <= prod % p SPOIL; done <= 1'b1; run <= 1'b0; early <= 1'b0; row <= 0; end
    end
  end
endmodule
"""
)
GOOD = {
    "SERIAL": (SERIAL, {"LAST": "y[3:1] == 0", "VALUE": "next", "BAD": "0", "HOLD": "1"}),
    "REDUCER": (REDUCER, {"PRODUCT": "a * b", "MORE": "r >= p", "VALUE": "r"}),
    "DIGITS": (DIGITS, {"LOW": "", "CLEAR": "0", "LAST": "left == 0", "VALUE": "(t + add) % p"}),
    "SUBTRACT": (SUBTRACT, {"MORE": "", "VALUE": "t"}),
    "SHORTCUT": (SHORTCUT, {"SHORT": "a == 0 | b == 0", "ZERO": "0", "STEP": "1", "SPOIL": ""}),
}


def small(folder: Path, kind: str, **other: str) -> Path:
    """A core that ends as soon as the bits that are left of b are 0; with a cycle for each correction that is needed;
    that skips a digit of 0; with a state that subtracts where needed; that gives 0 at once if an operand is 0."""
    core, places = GOOD[kind]
    for name, value in (places | other).items():
        assert name in core
        core = core.replace(name, value)
    return described(folder, core, START_DONE)


@pytest.mark.budget(6)
@pytest.mark.parametrize(
    ("kind", "cycles"),
    [
        ("SERIAL", {1, 2, 3, 4}),
        ("REDUCER", {2, 3}),
        ("DIGITS", {1, 2}),
        ("SUBTRACT", {2, 3}),
        ("SHORTCUT", {0, 3}),
    ],
)
def test_a_good_core_is_proved_in_each_number_of_cycles(kind: str, cycles: set[int], tmp_path: Path) -> None:
    proofs = proved(small(tmp_path, kind))
    assert not proofs.failed
    assert proofs.depends == {"finished"}
    for name in ("first", "next", "behind"):
        assert {each.cycles for each in proofs.scenarios if each.name == name} == cycles


@pytest.mark.budget(6)
@pytest.mark.parametrize(
    ("kind", "faults"),
    [
        ("SERIAL", {"VALUE": "next ^ (y == 1 & x == 3 & s == 0)"}),
        ("SERIAL", {"LAST": "y[3:1] == 0 | y == 2 & x == 5"}),
        ("SERIAL", {"LAST": "y[3:2] == 0"}),
        ("SERIAL", {"BAD": "n == 1", "VALUE": "next ^ (bad & y == 1 & x == 7)"}),
        ("REDUCER", {"MORE": "r >= p & r != p + 3"}),
        ("REDUCER", {"VALUE": "r ^ (c & r == 2)"}),
        ("REDUCER", {"PRODUCT": "a * b + (c & a == 7 & b == 3)"}),
        ("DIGITS", {"LOW": "& x != 11"}),
        ("DIGITS", {"LAST": "left == 0 | left == 4 & x == 2"}),
        ("DIGITS", {"VALUE": "(t + add) % p ^ (t == 0 & add == 9)"}),
        ("SUBTRACT", {"MORE": "& r != p + 2"}),
        ("SUBTRACT", {"VALUE": "st == 3 & t == 0 & z == 12 ? 1 : t"}),
        ("SHORTCUT", {"SHORT": "a == 0 | b == 0 | a == 3 & b == 5"}),
        ("SHORTCUT", {"ZERO": "b == 9 ? 1 : 0"}),
        ("SHORTCUT", {"SPOIL": "^ (early & x == 3 & y == 5)"}),
        ("SHORTCUT", {"SPOIL": "^ (row == 2 & x == 5)"}),
    ],
)
def test_a_fault_of_one_case_is_refuted(kind: str, faults: dict[str, str], tmp_path: Path) -> None:
    """Its result, its end, or the product behind it."""
    assert [failed.verdict for failed in proved(small(tmp_path, kind, **faults)).failed] == ["refuted"]


@pytest.mark.budget(6)
@pytest.mark.parametrize(
    ("kind", "faults"),
    [
        ("SERIAL", {"BAD": "d1 & top", "VALUE": "next ^ bad"}),
        ("SERIAL", {"BAD": "d1 & n == 4", "VALUE": "next ^ (bad & y == 1)"}),
        ("DIGITS", {"CLEAR": "(d1 & x == 6) ? 1 : 0"}),
        ("SHORTCUT", {"SPOIL": "^ bad"}),
    ],
)
def test_a_fault_right_behind_a_case_is_refuted(kind: str, faults: dict[str, str], tmp_path: Path) -> None:
    """In the first cycle after its end; some need a product in front of which the top bit of an operand is 1."""
    (failed,) = proved(small(tmp_path, kind, **faults)).failed
    assert (failed.product, failed.verdict) == ("behind", "refuted")


@pytest.mark.budget(4)
@pytest.mark.parametrize(
    ("kind", "hangs", "operand"),
    [("SERIAL", {"HOLD": "(k != 7)"}, ("b0", 7)), ("SHORTCUT", {"STEP": "(x != 7)"}, ("a0", 7))],
)
def test_a_core_that_hangs_for_one_operand(
    kind: str, hangs: dict[str, str], operand: tuple[str, int], tmp_path: Path
) -> None:
    """With values that show it: such a product starts, and is never done."""
    (failed,) = proved(small(tmp_path, kind, **hangs)).failed
    assert (failed.step, failed.verdict, failed.values[operand[0]]) == ("done", "refuted", operand[1])


def test_products_in_front_have_operands_of_their_own(tmp_path: Path) -> None:
    shell = shell_of(small(tmp_path, "SERIAL"))
    free = FreeFronts(shell.bound).text
    assert "a_i >> 1" in shell.text
    assert "a_i >> 1" not in free
    assert "[4-1:0] b_front_i,\n" in free
    assert free_letters(shell) == {"a", "b"}


@pytest.mark.budget(4)
def test_products_in_front_with_the_same_operands_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limbtrace.rtl_bridge.proof.product_proof.free_letters", lambda shell: {"a"})
    with pytest.raises(ParameterError, match="the handshake of dut depends on operands that products in front"):
        proved(small(tmp_path, "SHORTCUT"))


@pytest.mark.budget(4)
def test_more_cases_than_are_followed_are_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limbtrace.rtl_bridge.proof.product_proof.MOST_CASES", 3)
    (failed,) = proved(small(tmp_path, "SERIAL")).failed
    assert (failed.signal, failed.verdict) == ("cases", "open")


def test_certificates_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.rtl_bridge.proof.small_core.ProofOptions", partial(ProofOptions, logged=True))
    with pytest.raises(ParameterError, match="there are none of dut, whose control depends on data"):
        proved(small(tmp_path, "SHORTCUT"))


# Values of cases


def ask(bits: list[BitTerm], seconds: float) -> SolverAnswer:
    """The answer of the solver in this process, whose other memory counts, too."""
    return solved(text(bits, products=True), int(1000 * seconds), 1 << 20)


@pytest.fixture
def pool() -> TermPool:
    return TermPool()


def test_a_case_without_values_is_dropped_by_the_solver_alone(pool: TermPool) -> None:
    """x < 5 and x > 20 is no case; without an answer it may be one."""
    x = pool.variable("x", 8)
    few = EVERY.assume(pool, pool.bvult(x, pool.constant(8, 5)), 1)
    none = few.assume(pool, pool.bvult(pool.constant(8, 20), x), 1)
    settled = CaseValues(pool, ask).settled(few)
    assert settled is not None
    assert settled.values is not None
    assert settled.values["x"] < 5
    assert CaseValues(pool, ask).settled(none) is None
    unknown = CaseValues(pool, lambda bits, seconds: None).settled(none)
    assert unknown is not None
    assert unknown.values is None


def test_a_dropped_case_is_tried_on_drawn_values(pool: TermPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong answer, of no values at all, is contradicted."""
    x = pool.variable("x", 8)
    monkeypatch.setattr(CaseValues, "settled", lambda values, case: None)
    with Solver(pool, 1, 5) as solver:
        solver.settled(EVERY.assume(pool, pool.bvult(x, pool.constant(8, 0)), 1))
        solver.try_values()
        solver.settled(EVERY.assume(pool, pool.bvult(x, pool.constant(8, 100)), 1))
        with pytest.raises(ToolError, match="cases is not dropped for drawn values"):
            solver.try_values()


def test_bits_that_are_constant_in_a_case(pool: TermPool) -> None:
    """Of x < 5 the upper five bits; of a choice by that, all bits. Nothing without an answer."""
    x = pool.variable("x", 8)
    below = pool.bvult(x, pool.constant(8, 5))
    chosen = pool.ite(below, pool.constant(4, 9), pool.variable("y", 4))
    known: Callable[[CaseValues], object] = lambda values: values.constant_bits(  # noqa: E731
        values.settled(EVERY.assume(pool, below, 1)) or EVERY, [x, chosen]
    )
    assert known(CaseValues(pool, ask)) == {x: (0, 0xF8), chosen: (9, 6)}
    assert known(CaseValues(pool, lambda bits, seconds: None)) == {}


def test_what_takes_the_place_of_terms_has_their_values(pool: TermPool) -> None:
    x = pool.variable("x", 8)
    case = EVERY.assume(pool, pool.equal(pool.extract(x, 7, 3), pool.constant(5, 6)), 1).knowing(pool, {x: (2, 1)})
    (other,) = case.applied(pool, [pool.add(x, pool.constant(8, 9))])
    assert [evaluated([other], {"x": value}) for value in (50, 54)] == [[59], [63]]
    assert (case.applied(pool, [x])[0].ones, case.applied(pool, [x])[0].zeros) == (0b00110010, 0b11001001)


@pytest.mark.parametrize(("corrections", "proved_so"), [(0, True), (1, True), (2, False)])
def test_a_result_that_a_case_says_is_in_range(pool: TermPool, corrections: int, proved_so: bool) -> None:
    """Barrett's reduction with a correction where it is needed; with two, the result is another one."""
    p = 0xFFFFFFFB
    a, b = (pool.variable(name, 32, p - 1) for name in "ab")
    product = pool.product(a, b)
    quotient = pool.extract(pool.product(pool.extract(product, 63, 31), pool.constant(33, (1 << 64) // p)), 65, 33)
    rest = pool.extract(pool.sub(product, pool.extend(pool.product(quotient, pool.constant(32, p)), 64)), 33, 0)
    least = pool.constant(34, p)
    case, seen = EVERY, rest
    for number in range(2):
        case = case.assume(pool, pool.bvult(seen, least), int(number == corrections))
        if number == corrections:
            break
        seen = pool.sub(seen, least)
    wanted = pool.extract(pool.bvurem(product, pool.constant(64, p)), 31, 0)
    result = pool.extract(seen, 31, 0)
    proof = IntegerProof(pool, p)
    assert not proof.equal(result, wanted)
    assert any(proof.equal(each, wanted) for each in under_comparisons(pool, case, result, wanted)) is proved_so


def test_comparisons_that_exclude_each_other(pool: TermPool) -> None:
    """Of 2x + 3 below 20, and x - 9 not."""
    x = pool.variable("x", 8, 100)
    twice = pool.add(pool.extend(x, 10), pool.extend(x, 10))
    low = pool.bvult(pool.add(twice, pool.constant(10, 3)), pool.constant(10, 20))
    proof = IntegerProof(pool, 13)
    for limit, excluded in ((9, True), (8, False)):
        high = pool.bvult(x, pool.constant(8, limit))
        assert proof.excludes({low: 1, high: 0}) is excluded
        assert not proof.excludes({low: 1, high: 1})


def test_a_term_under_comparisons_is_the_other_one_elsewhere(pool: TermPool) -> None:
    x, y = pool.variable("x", 8), pool.variable("y", 8)
    case = EVERY.assume(pool, pool.bvult(x, y), 1).assume(pool, pool.bvult(x, pool.constant(8, 7)), 0)
    for values, among in (({"x": 7, "y": 9}, {7}), ({"x": 3, "y": 1}, {1}), ({"x": 9, "y": 2}, {2, 9})):
        found = {evaluated([each], values)[0] for each in under_comparisons(pool, case, x, y)}
        assert found == among


def test_a_question_that_was_proved_is_not_asked_again(pool: TermPool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    original = Workers.ask

    def counted(workers: Workers[Obligation], about: Obligation, question: str, seconds: int) -> None:
        asked.append(question)
        original(workers, about, question, seconds)

    monkeypatch.setattr(Workers, "ask", counted)
    x, y = pool.variable("x", 6), pool.variable("y", 6)
    one, other = pool.bvand(x, y), pool.bvxor(pool.bvor(x, y), pool.bvxor(x, y))
    with Solver(pool, 1, 5) as solver:
        for number in range(2):
            solver.equal(one, other, "next", "result", None, f"result {number}")
            solver.finish()
    assert (len(asked), solver.counts["solver"], solver.remembered) == (1, 2, 0)


def test_what_is_asked_once_is_asked_in_each_case() -> None:
    """x is 1 where that is assumed, and the answer to that says nothing of the other case."""
    pool = TermPool()
    x, one = pool.variable("a0", 1), pool.constant(1, 1)
    with Solver(pool, 1, 5) as solver:
        for value in (1, 0):
            solver.case = EVERY.assume(pool, x, value)
            solver.equal_once(x, one, "first", "result", "result 0")
        solver.finish()
        assert len(solver.failed) == 1
