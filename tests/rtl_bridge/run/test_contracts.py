# SPDX-License-Identifier: Apache-2.0
"""Contracts: all that they allow is tried, and verdicts say what they leave open."""

from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from limbtrace.rtl_bridge.core.core import find
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.run.contract import CLAUSES, Standing
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES, KINDS
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import CORE, TOYS, Edit, copy_of, job
from tests.rtl_bridge.proof.test_proof import proved

QUEUE, TRAVEL, PULSE, BANK = (TOYS / f"{name}_toy" for name in ("queue", "travel", "pulse", "bank"))
ANY: Edit = ("core.toml", 'done = "done" }', 'done = "done", idle = "any" }')


def run(core: Path, prime: str = "12289", **fields: object) -> Report:
    return simulate(job(core, prime, **{"count": 300, **fields}))


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize(("core", "prime"), [(QUEUE, "12289"), (TRAVEL, "12289"), (BANK, "2^61-1")])
@pytest.mark.budget(8)
def test_good_cores_bear_everything(core: Path, prime: str, simulator: str) -> None:
    for disturb in ((), DISTURBANCES):
        report = run(core, prime, simulator=simulator, disturb=disturb, count=150)
        assert report.passed, report.text()


IN_FLIGHT: list[Edit] = [
    ("queue_toy.sv", "used_q < 3'd4;", "used_q < 3'd5;"),
    ("queue_toy.sv", "if (valid_q[2]) queue_q", "if (valid_q[2] & count_q != 3'd3) queue_q"),
    ("queue_toy.sv", "product_q <= a_q * b_q;", "product_q <= a_q * (valid_q == 3'b111 ? b : b_q);"),
    ("queue_toy.sv", "tail_q  <= tail_q + 2'(give);", "tail_q  <= tail_q + 2'(give & ~(take & valid_q[2]));"),
    ("queue_toy.sv", "count_q + 3'(valid_q[2]) - 3'(give);", "count_q + 3'(valid_q[2]) - 3'(give & ~valid_q[2]);"),
]


@pytest.mark.budget(14)
@pytest.mark.parametrize("edit", IN_FLIGHT, ids=lambda edit: edit[2])
def test_products_in_flight_together(edit: Edit, tmp_path: Path) -> None:
    """Found without a disturbance, and not by waiting for each result."""
    core = copy_of(QUEUE, tmp_path, edit)
    assert run(core, stream=1).passed
    assert not run(core).passed


@pytest.mark.parametrize("mode", ["bulk", "fast"])
def test_streams_in_other_modes(mode: str, tmp_path: Path) -> None:
    assert run(QUEUE, mode=mode, simulator="verilator").passed
    assert not run(copy_of(QUEUE, tmp_path, IN_FLIGHT[0]), mode=mode, simulator="verilator").passed


def test_a_surplus_result_is_a_difference(tmp_path: Path) -> None:
    """The first product after a reset comes out twice."""
    edit = (
        "queue_toy.sv",
        "valid_q <= {valid_q[1:0], take};",
        "valid_q <= {valid_q[1:0] | {2{head_q == 0 & valid_q[0]}}, take};",
    )
    found = run(copy_of(QUEUE, tmp_path, edit)).tally.divergence
    assert found is not None


def test_rows_are_of_one_product_at_a_time() -> None:
    """Rows do not say to which product of a stream they belong."""
    bound = settle(job(TOYS / "digit_toy", "mldsa", settings={"radix": "2^8"})).bound
    assert (bound.in_order, bound.products) == (False, 1)
    report = simulate(job(TOYS / "digit_toy", "mldsa", settings={"radix": "2^8"}, count=70))
    assert "several products at once, since rows are watched" in report.not_tried


def test_without_in_ready_products_wait_unless_core_toml_says_more(tmp_path: Path) -> None:
    without = ("core.toml", 'in_ready = "in_ready", ', "")
    assert settle(job(copy_of(QUEUE, tmp_path / "a", without), "12289")).bound.products == 1
    several = ("core.toml", 'in_ready = "in_ready", ', "products = 3, ")
    assert settle(job(copy_of(QUEUE, tmp_path / "b", several), "12289")).bound.products == 3


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_a_modulus_that_comes_with_each_product(simulator: str, tmp_path: Path) -> None:
    core = copy_of(TRAVEL, tmp_path, ("travel_toy.sv", "{{W{1'b0}}, p_q}", "{{W{1'b0}}, p}"))
    assert run(core, simulator=simulator).passed
    found = run(core, simulator=simulator, disturb=("modulus",)).tally.divergence
    assert found is not None
    assert found.signal == "result"


def test_a_done_before_the_first_start_is_a_warning() -> None:
    report = run(PULSE)
    assert report.passed
    (warning,) = report.document["warnings"]
    assert warning.startswith("done was high 1 cycle after the reset, before anything was started")
    assert f"warning: {warning}\n" in report.text()


@pytest.mark.parametrize("mode", ["bulk", "fast"])
def test_the_same_warning_in_other_modes(mode: str) -> None:
    assert run(PULSE, mode=mode, simulator="verilator").tally.warnings == run(PULSE).tally.warnings


def test_later_dones_without_a_product(tmp_path: Path) -> None:
    """A difference, unless core.toml says that done means nothing then."""
    found = run(PULSE, disturb=("reset",)).tally.divergence
    assert found is not None
    assert found.reason == "no product is at work"
    report = run(copy_of(PULSE, tmp_path, ANY), disturb=DISTURBANCES)
    assert report.passed, report.text()
    assert not report.tally.warnings


def test_a_start_in_the_cycle_of_done(tmp_path: Path) -> None:
    """Tried where the contract leaves it open, named where it is not tried, and left out where it is denied."""
    refuses = ("pulse_toy.sv", "if (start && left_q == 2'd0) begin", "if (start && left_q == 2'd0 && !done) begin")
    core = copy_of(PULSE, tmp_path / "open", ANY, refuses)
    report = run(core)
    assert report.passed
    assert 'a start in the cycle of done (restart = "done" in [protocol])' in report.not_tried
    differs = run(core, disturb=("again",))
    assert not differs.passed
    assert 'say restart = "after" in [protocol]' in differs.text()
    denied = ("core.toml", 'idle = "any" }', 'idle = "any", restart = "after" }')
    report = run(copy_of(PULSE, tmp_path / "denied", ANY, refuses, denied), disturb=DISTURBANCES)
    assert report.passed, report.text()
    granted = ("core.toml", 'idle = "any" }', 'idle = "any", restart = "done" }')
    assert not run(copy_of(PULSE, tmp_path / "granted", ANY, refuses, granted)).passed


@pytest.mark.budget
def test_a_start_while_it_works(tmp_path: Path) -> None:
    """A core that begins anew is right, unless it says that it ignores such a start; no proof calls it wrong."""
    begins_anew = ("pulse_toy.sv", "if (start && left_q == 2'd0) begin", "if (start) begin")
    core = copy_of(PULSE, tmp_path / "open", ANY, begins_anew)
    report = run(core)
    assert report.passed
    assert 'starts while it works (while_working = "ignored" in [protocol])' in report.not_tried
    differs = run(core, disturb=("start",))
    assert not differs.passed
    assert 'say while_working = "undefined" in [protocol]' in differs.text()
    code, document = proved(core, "13")
    assert (code, document["verdict"]) == (0, "proved")
    assert "starts while it works" in document["not_covered"]
    undefined = ("core.toml", 'idle = "any" }', 'idle = "any", while_working = "undefined" }')
    report = run(copy_of(PULSE, tmp_path / "undefined", ANY, begins_anew, undefined), disturb=DISTURBANCES)
    assert report.passed, report.text()
    ignored = ("core.toml", 'idle = "any" }', 'idle = "any", while_working = "ignored" }')
    denied = run(copy_of(PULSE, tmp_path / "ignored", ANY, begins_anew, ignored), disturb=("start",))
    assert not denied.passed
    assert "while_working" not in denied.text()


BANKS: list[tuple[str, Edit]] = [
    ("words from the last on", ("bank_toy.sv", "if (we) begin", "if (we & ~(addr == 2'd2 & last_q == 2'd3)) begin")),
    ("writes while busy go to the copy", ("bank_toy.sv", "if (start & ~busy) begin", "if (busy ? we : start) begin")),
    (
        "b is gone",
        ("bank_toy.sv", "if (left_q == 5'd1) c", "if (left_q == 5'd1) b_q <= '0;\n    if (left_q == 5'd1) c"),
    ),
    (
        "a word of each operand in turn",
        ("bank_toy.sv", "if (we) begin", "if (we & ~(sel & addr == 2'd2 & last_q == 2'd2)) begin"),
    ),
]
LAST: Edit = (
    "bank_toy.sv",
    "  assign busy = ",
    "  logic [1:0] last_q;\n  always_ff @(posedge clk) if (we) last_q <= addr;\n  assign busy = ",
)


@pytest.mark.parametrize(("what", "edit"), BANKS)
def test_loads_in_other_orders_alone_and_ahead(what: str, edit: Edit, tmp_path: Path) -> None:
    core = copy_of(BANK, tmp_path, edit, LAST)
    assert run(core, "2^61-1").passed or what == "b is gone"
    assert not run(core, "2^61-1", disturb=("load",)).passed


def test_an_order_that_core_toml_demands(tmp_path: Path) -> None:
    edit = ("core.toml", 'locked = "next"', 'locked = "next"\nordered = true')
    report = run(copy_of(BANK, tmp_path, BANKS[0][1], LAST, edit), "2^61-1", disturb=("load",))
    assert report.passed, report.text()


def test_a_core_that_ignores_its_reset(tmp_path: Path) -> None:
    """Found because the next product has other operands."""
    core = copy_of(BANK, tmp_path, ("bank_toy.sv", "if (rst) begin", "if (rst & $time < 60) begin"))
    assert run(core, "2^61-1").passed
    assert not run(core, "2^61-1", disturb=("reset",)).passed


def test_a_long_idle_time(tmp_path: Path) -> None:
    counter = (
        "  logic [11:0] idle_q = '0;\n  always_ff @(posedge clk) idle_q <= rst | busy ? '0 : idle_q + 12'(~&idle_q);\n"
    )
    core = copy_of(
        BANK,
        tmp_path,
        ("bank_toy.sv", "  assign busy = ", f"{counter}  assign busy = "),
        ("bank_toy.sv", "x_q <= a_q;", "x_q <= a_q ^ W'(&idle_q);"),
    )
    assert run(core, "2^61-1", count=5, disturb=("idle",)).passed
    assert not run(core, "2^61-1", count=60, disturb=("idle",)).passed


def test_what_was_not_tried() -> None:
    few = simulate(job(CORE, "p256", settings={"radix": "2^32"}, count=16))
    assert few.not_tried[0] == "more than 16 products: these are a smoke test"
    assert [title for title in few.not_tried if title.endswith("(--disturb all)")]
    assert few.not_tried[-1] == "verilator"
    every = simulate(job(CORE, "p256", settings={"radix": "2^32"}, count=64, disturb=DISTURBANCES))
    assert list(every.not_tried) == ["verilator"]
    assert every.document["not_tried"] == ["verilator"]
    assert "<system-out>not tried: verilator</system-out>" in every.junit()


def test_a_difference_has_no_list_of_what_was_not_tried(tmp_path: Path) -> None:
    report = run(copy_of(QUEUE, tmp_path, IN_FLIGHT[0]))
    assert not report.not_tried
    assert "not tried" not in report.text()


def test_the_table_of_contracts() -> None:
    titles = [clause.title for clause in CLAUSES]
    assert len(set(titles)) == len(titles)
    assert {clause.kind for clause in CLAUSES} - {""} == {*KINDS}
    page = (Path(__file__).parents[3] / "docs" / "reference" / "disturbances.md").read_text(encoding="utf-8")
    for title, kind, key, *_ in CLAUSES:
        row = [title, f"`{kind}`" if kind else "no run", f"`{key}`" if key else ""]
        assert f"| {' | '.join(row)} |" in page, title


FROM_RESET: Edit = ("core.toml", "synchronous = true }", "synchronous = true, registers = 0 }")
STAYS: Edit = ("core.toml", 'port = "c" }', 'port = "c", stays = "start" }')
STREAM: Edit = ("core.toml", 'value = "p" }', 'value = "p", with = "stream" }')
BEFORE = "  logic was_q, first_q;\n  always_ff @(posedge clk) {was_q, first_q} <= {rst, rst};\n  assign busy = "
CONTRACTS: list[tuple[str, str, Edit, tuple[Edit, ...]]] = [
    (
        "a start in the first cycle after a reset",
        "reset",
        FROM_RESET,
        (
            ("bank_toy.sv", "  assign busy = ", BEFORE),
            ("bank_toy.sv", "if (we) begin", "if (we & ~was_q) begin"),
        ),
    ),
    (
        "a result read after the next load",
        "hold",
        STAYS,
        (("bank_toy.sv", "if (left_q == 5'd1) c", "if (we & ~busy) c <= '0; else if (left_q == 5'd1) c"),),
    ),
    (
        "constants that change right before the start",
        "unknown",
        STREAM,
        (
            (
                "bank_toy.sv",
                "  assign busy = ",
                "  logic [W-1:0] p_q;\n  always_ff @(posedge clk) if (~start & ~busy) p_q <= p;\n  assign busy = ",
            ),
            ("bank_toy.sv", "{{W{1'b0}}, p}", "{{W{1'b0}}, p_q}"),
        ),
    ),
]


@pytest.mark.budget(12)
@pytest.mark.parametrize(("title", "kind", "permits", "fault"), CONTRACTS)
def test_a_behaviour_is_tried_where_it_is_permitted(
    title: str, kind: str, permits: Edit, fault: tuple[Edit, ...], tmp_path: Path
) -> None:
    """Faults that nothing else shows; without the key the verdict names the behaviour."""
    core = copy_of(BANK, tmp_path / "open", *fault)
    report = run(core, "2^61-1", disturb=DISTURBANCES, count=60)
    assert report.passed, report.text()
    assert any(line.startswith(f"{title} (") for line in report.not_tried)
    report = run(copy_of(BANK, tmp_path / "good", permits), "2^61-1", disturb=DISTURBANCES, count=60)
    assert report.passed, report.text()
    assert not any(line.startswith(title) for line in report.not_tried)
    core = copy_of(BANK, tmp_path / "permitted", *fault, permits)
    assert run(core, "2^61-1", count=60).passed
    assert not run(core, "2^61-1", count=60, disturb=(kind,)).passed


def test_words_behind_a_pause(tmp_path: Path) -> None:
    """A word is lost that comes after one cycle without."""
    gap = """
  logic [1:0] was_q;
  always_ff @(posedge clk) was_q <= {was_q[0], we};
  assign busy = """
    edits = ("bank_toy.sv", "  assign busy = ", gap), ("bank_toy.sv", "if (we) begin", "if (we & was_q != 2'd2) begin")
    core = copy_of(BANK, tmp_path, *edits)
    assert run(core, "2^61-1", count=40).passed
    assert not run(core, "2^61-1", count=40, disturb=("load",)).passed


FRESH = "  logic [2:0] fresh_q;\n  always_ff @(posedge {clock}) fresh_q <= {{fresh_q[1:0], !{reset}}};\n  assign "
AFTER_RESET = [
    (
        TOYS / "stream_toy",
        "2^61-1",
        ("core.toml", "synchronous = true }", "synchronous = true, registers = 0 }"),
        FRESH.format(clock="aclk", reset="aresetn"),
        "stream_toy.sv",
        "s_axis_tready     =",
        ("if (s_axis_tvalid && s_axis_tready", "if (s_axis_tvalid && s_axis_tready && !fresh_q[1]"),
    ),
    (
        "vdf_squarer_axil",
        "2^61-1",
        ("core.toml", "../vdf_squarer/", ""),
        FRESH.format(clock="clk_i", reset="rst_ni"),
        "lt_vdf_squarer_axil.sv",
        "wr_word   =",
        ("wr_word   = s_axil", "wr_word   = ~fresh_q[2] & s_axil"),
    ),
]


@pytest.mark.parametrize(("of", "prime", "permits", "fresh", "file", "before", "fault"), AFTER_RESET)
def test_a_bus_in_the_first_cycles_after_a_reset(
    of: str | Path,
    prime: str,
    permits: Edit,
    fresh: str,
    file: str,
    before: str,
    fault: tuple[str, str],
    tmp_path: Path,
) -> None:
    """What comes as early as AXI permits is lost."""
    core = copy_of(of, tmp_path, permits, (file, f"  assign {before}", fresh + before), (file, *fault))
    copy(find("vdf_squarer").folder / "lt_vdf_squarer.sv", core)
    fields: dict[str, Any] = {"count": 120, "simulator": "verilator"}
    assert run(core, prime, **fields).passed
    assert not run(core, prime, **fields, disturb=("reset",)).passed


@pytest.mark.parametrize(("simulator", "count"), [("icarus", 256), ("verilator", 1000)])
def test_products_by_default(simulator: str, count: int) -> None:
    asked = job(CORE, "p256", settings={"radix": "2^32"}, simulator=simulator, count=None)
    assert settle(asked, many=True).job.count == (count if simulator == "icarus" else 1000)
    assert settle(asked).job.count == 16
    quick = settle(job(QUEUE, "12289", simulator=simulator, count=None), many=True).job.count
    assert quick is not None
    assert quick >= count
    assert quick % 16 == 0


def test_a_ready_in_place_of_busy_and_done(tmp_path: Path) -> None:
    """It is high whenever nothing is at work, and rises after each reset."""
    ready = ("bank_toy.sv", "done <= left_q == 5'd1;", "done <= left_q == 5'd1 | (~busy & ~start);")
    core = copy_of(BANK, tmp_path, ready, ("core.toml", 'busy = "busy"', 'busy = "!done"'))
    report = run(core, "2^61-1", disturb=DISTURBANCES, count=60)
    assert report.passed, report.text()
    assert not report.tally.warnings


def test_a_pipeline_that_is_given_one_product_at_a_time(tmp_path: Path) -> None:
    alone = ("core.toml", 'kind = "word-serial", latency = 2, products = 8', 'kind = "start-done", latency = 2')
    report = run(copy_of(TRAVEL, tmp_path, alone), count=64)
    assert report.passed, report.text()
    assert 'a product in every cycle (kind = "word-serial" in [protocol])' in report.not_tried
    assert "starts while it works" not in report.not_tried


def test_a_modulus_that_the_core_does_not_take(tmp_path: Path) -> None:
    """The report says which key ends the question."""
    only = ("bank_toy.sv", "% {{W{1'b0}}, p})", "% {{W{1'b0}}, p | W'(2)})")
    core = copy_of(BANK, tmp_path, only)
    assert run(core, "12291", count=40).passed
    assert 'as in modulus = ["p % 1024 == 1"]' in run(core, "12291", count=40, disturb=("modulus",)).text()


def test_a_result_that_is_late_is_found_where_it_stays(tmp_path: Path) -> None:
    """It is looked at with done in some products, although it is also right later."""
    core = copy_of(BANK, tmp_path, STAYS, ("bank_toy.sv", "if (left_q == 5'd1) c", "if (done) c"))
    assert not run(core, "2^61-1", count=40, disturb=("hold",)).passed


def test_few_streams_are_a_smoke_test() -> None:
    report = run(QUEUE, disturb=("idle",), count=160)
    assert "more than 10 disturbed streams: these are a smoke test" in report.not_tried


def test_a_start_with_the_last_word_of_its_operands(tmp_path: Path) -> None:
    edits = [
        ("core.toml", 'locked = "next"', "locked = true\nwith_start = true"),
        ("bank_toy.sv", "if (start & ~busy) begin", "if (left_q == 5'd20) begin"),
    ]
    for taken, passes in (("we & ~busy", True), ("we & ~busy & ~start", False)):
        core = copy_of(BANK, tmp_path / taken, *edits, ("bank_toy.sv", "if (we) begin", f"if ({taken}) begin"))
        assert run(core, "2^61-1", count=40).passed
        assert run(core, "2^61-1", count=40, disturb=("load",)).passed == passes


def test_words_of_a_result_in_another_order(tmp_path: Path) -> None:
    """The port counts words instead of looking at their address."""
    counts = """
  logic [AddrW-1:0] shown_q;
  always_ff @(posedge clk_i) shown_q <= rd_addr_i;
  wire [AddrW-1:0] next = (rd_addr_i == '0 || rd_addr_i == shown_q) ? rd_addr_i : shown_q + AddrW'(1);
  assign rd_data_o = s_q[next*W +: W];
"""
    edit = ("lt_r2mm_bitserial.sv", "  assign rd_data_o = s_q[rd_addr_i*W +: W];\n", counts)
    core = copy_of("r2mm_bitserial", tmp_path, edit)
    assert run(core, "12289", settings={"w": 4}, count=40).passed
    assert not run(core, "12289", settings={"w": 4}, count=40, disturb=("hold",)).passed


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_an_assertion_in_a_disturbed_run_names_its_product(simulator: str, tmp_path: Path) -> None:
    """Also where that is a product in front of a case, with drawn operands."""
    checked = "  always @(posedge clk) if (start & ~busy) assert (a_q[3:0] != 4'd5);\n  assign busy = "
    core = copy_of(BANK, tmp_path, ("bank_toy.sv", "  assign busy = ", checked))
    found = run(core, "2^61-1", simulator=simulator, kind="random", disturb=("reset", "modulus")).tally.divergence
    assert found is not None
    assert found.kind == "assertion"
    assert int(found.a, 16) % 16 == 5


def test_a_core_without_a_clock_has_no_times() -> None:
    """Neither a cycle of done nor one before a start."""
    asked = BindRequest(core=str(TOYS / "comb_toy"), prime="13")
    standing = {clause.title: clause.standing(asked.bind(asked.find())) for clause in CLAUSES}
    times = ("a start in the cycle of done", "starts at once without a load", "idle times",
             "constants that change right before the start")  # fmt: skip
    assert {standing[title] for title in times} == {Standing.DENIED}
