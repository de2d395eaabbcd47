# SPDX-License-Identifier: Apache-2.0
"""Word-serial cores: several products at a time, each watched, matched and reported separately."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels import registry
from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.run.lockstep_stimulus import trials
from limbtrace.rtl_bridge.run.report import Report
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.rtl_bridge.shell.text import Shell
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import CORE, TOYS, copy_of, job
from tests.rtl_bridge.toys.serial_arch import ARCHITECTURE

TOY = TOYS / "serial_toy"
SV, TOML = "serial_toy.sv", "core.toml"
SMALL = {"radix": "2^8"}
STARTS = (0, 2, 8, 10, 16)
"""Rows in which five products of two words start, back to back on the toy."""
LENGTH = 26
"""Number of rows of that stream."""
SPOIL = (TOML, "value = 0", "value = 1")


@pytest.fixture(autouse=True)
def toy_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the toy's schedule, here and in the processes of simulators."""
    monkeypatch.setitem(registry.ARCHITECTURES, ARCHITECTURE.id, ARCHITECTURE)
    monkeypatch.syspath_prepend(str(TOYS / "startup"))
    monkeypatch.setenv("PYTHONPATH", str(TOYS / "startup"), prepend=":")


def run(core: str | Path = TOY, **fields: Any) -> Report:
    return simulate(job(core, **{"settings": SMALL, "count": 20, **fields}))


def foreign(folder: Path, *edits: tuple[str, str, str]) -> Path:
    """The toy described without a schedule."""
    text = (TOY / TOML).read_text()
    rows = text[text.index("[[row]]") :]
    schedule = 'schedule = "serial_toy"\n'
    return copy_of(TOY, folder, (TOML, schedule, 'timeout = "8 * s"\n'), (TOML, rows, ""), *edits)


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_every_cycle_of_a_stream(simulator: str) -> None:
    report = run(count=23, simulator=simulator)
    assert report.passed, report.text()
    document = report.document
    assert (document["verified"], document["cycles"], document["signals"]) == (23, 5 * LENGTH, 9)


@pytest.mark.parametrize("every_cycle", [False, True])
def test_bulk(every_cycle: bool) -> None:
    report = run(mode="bulk", count=23, every_cycle=every_cycle)
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["cycles"]) == (23, 5 * LENGTH)


def test_fast() -> None:
    report = run(mode="fast", count=403, simulator="verilator")
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["cycles"]) == (403, 81 * LENGTH)


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
def test_disturbed_streams_have_starts_of_their_own(simulator: str) -> None:
    report = run(count=40, simulator=simulator, disturb=("reset", "modulus", "unknown", "stalls"))
    assert report.passed, report.text()
    counts = report.document["disturbances"]
    assert counts.pop("modulus") == 15
    assert all(counts.values())


def test_starts_of_a_disturbed_stream_follow_from_its_seed() -> None:
    bound = settle(job(TOY, settings=SMALL)).bound
    assert bound.starts == STARTS
    spread = bound.stream([0, 0, 1, 7, 0])
    assert spread.starts == (0, 2, 8, 16, 18)
    assert spread.plan is not None
    assert spread.plan.cycles == spread.limit - bound.protocol.cycles(bound) - 256 == 26
    assert Shell(spread).text == Shell(bound).text


@pytest.mark.parametrize(("stream", "cycles"), [(1, 10), (2, 10), (3, 18), (4, 18)])
def test_shorter_streams(stream: int, cycles: int) -> None:
    report = run(stream=stream, count=12)
    assert report.passed, report.text()
    assert report.document["cycles"] == 12 // stream * cycles


@pytest.mark.parametrize(
    ("simulator", "mode"),
    [("icarus", "lockstep"), ("verilator", "lockstep"), ("icarus", "bulk"), ("verilator", "fast")],
)
def test_products_that_start_in_given_cycles(simulator: str, mode: str) -> None:
    """Cycles are those of a cycle table; products without a cycle start as early as possible."""
    operands = ("5,7@3", "1000,2000", "3,4@25")
    report = run(operands=operands, simulator=simulator, mode=mode, every_cycle=mode == "bulk")
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["cycles"], report.document["stream"]) == (3, 34, 3)


def test_a_fault_that_a_gap_hides(tmp_path: Path) -> None:
    core = copy_of(TOY, tmp_path, SPOIL)
    assert run(core, operands=("5,7", "1000,2000@25")).passed
    found = run(core, operands=("5,7", "1000,2000@3")).tally.divergence
    assert found is not None
    assert found.case == 1
    assert "--operands 5,7 --operands 1000,2000@3 " in found.replay


def test_disturbances_leave_given_cycles_alone() -> None:
    report = run(operands=("5,7@3", "1000,2000@9"), disturb=("reset", "modulus", "unknown", "stalls"))
    assert report.passed, report.text()
    assert (report.document["verified"], report.document["cycles"]) == (2, 18)
    for seed in range(8):
        asked = job(TOY, settings=SMALL, operands=("5,7@3", "1000,2000@9"), disturb=("stalls",), seed=seed)
        (trial,) = trials(settle(asked))
        assert trial.disturbed["starts"] == [2, 8]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"operands": ("1,1@1", "1,1@4")}, "operands: product 1 cannot start in cycle 4: the next cycle in which "),
        (
            {"operands": ("1,1",) * 5 + ("1,1@99",)},
            "operands: serial_toy takes 5 products in a stream, and there are 6",
        ),
        ({"operands": ("1,1@1",), "stream": 2}, "stream: operands that say cycles are one stream of 1"),
        ({"operands": ("1,1@2^40+1",)}, "operands: the start cycles make the table larger than the limit"),
    ],
)
def test_given_cycles_that_cannot_be(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError) as caught:
        settle(job(TOY, settings=SMALL, **fields))
    assert str(caught.value).startswith(sentence)


def test_one_of_a_stream_alone() -> None:
    report = run(only=11, count=12)
    assert report.passed
    assert report.document["verified"] == 2  # 10 and 11, and what fills the stream


# Faults as edits of the source, with case, cycle and signal of the first difference.
FAULTS: dict[str, tuple[list[tuple[str, str]], tuple[int, int, str]]] = {
    "the partial result is not cleared": ([("ago_q[S-1] ? '0 : t_q", "t_q")], (0, 2, "q0")),
    "the word counter is not cleared": (
        [("out_q <= valid_o ? out_q + 8'd1 : '0;", "out_q <= rst_ni ? out_q + 8'(valid_o) : '0;")],
        (3, 14, "r"),
    ),
    "the slow unit takes all": ([("start_i & ~unit_o", "start_i")], (0, 3, "T0")),
    "tags are swapped": ([("tag_o   = valid1", "tag_o   = ~valid1")], (1, 6, "tag")),
    "a unit is ready while it is not": ([("(phase_q == '0) | unit_o", "(phase_q <= 8'd1) | unit_o")], (0, 1, "ready")),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_found_in_its_product(what: str, tmp_path: Path) -> None:
    edits, (case, cycle, signal) = FAULTS[what]
    found = run(copy_of(TOY, tmp_path, *((SV, old, new) for old, new in edits)), kind="mixed").tally.divergence
    assert found is not None
    assert (found.case, found.cycle, found.signal) == (case, cycle, signal)


def test_a_difference_names_its_product_and_its_replay_shows_it_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The fault needs a neighbour that starts a word earlier, so the replay runs the whole stream."""
    core = copy_of(TOY, tmp_path, SPOIL)
    found = run(core, count=14, disturb=("stalls",)).document["first_divergence"]
    assert len(found["disturbed"]["starts"]) == 5
    assert f"--only {found['case']} " in found["replay"]
    with pytest.raises(SystemExit) as ended:
        main([*shlex.split(found["replay"])[1:], "--json"])
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["first_divergence"] == found


@pytest.mark.parametrize(
    ("mode", "simulator", "signal"),
    [
        ("lockstep", "icarus", "q1"),
        ("lockstep", "verilator", "q1"),
        ("fast", "verilator", "q1"),
        ("bulk", "icarus", "result"),
    ],
)
def test_every_mode_finds_the_product(mode: str, simulator: str, signal: str, tmp_path: Path) -> None:
    """The second product of a stream, which is loaded while another one is being multiplied."""
    core = copy_of(TOY, tmp_path, SPOIL)
    found = run(core, mode=mode, simulator=simulator).tally.divergence
    assert found is not None
    assert (found.case, found.signal) == (1, signal)
    assert "--count 5 " in found.replay  # with all of the stream
    assert mode == "bulk" or (found.cycle, found.step) == (4, ("q", (1, 0)))


def test_a_core_without_a_schedule(tmp_path: Path) -> None:
    """Results that overtake each other, identified by their tags."""
    core = foreign(tmp_path)
    for fields in ({}, {"mode": "bulk"}, {"disturb": ("reset", "modulus", "unknown", "stalls")}, {"stream": 1}):
        report = run(core, count=18, **fields)
        assert report.passed, report.text()
        assert report.document["verified"] == 18


FOREIGN_FAULTS: dict[str, tuple[list[tuple[str, str]], int, tuple[Any, ...]]] = {
    "results in another order": ([("tag_o   = valid1", "tag_o   = ~valid1")], 5, (0, "valid_o", "0x1", "0x0")),
    "a word too many": (
        [
            ("[Out+S-2:0] ago_q", "[Out+S-1:0] ago_q"),
            ("<= (Out+S-1)'(", "<= (Out+S)'("),
            ("ago_q[Out+S-2:Out-1]", "ago_q[Out+S-1:Out-1]"),
        ],
        1,
        (0, "valid_o", None, "0x1"),
    ),
    "a word too few": ([("ago_q[Out+S-2:Out-1]", "ago_q[Out+S-3:Out-1]")], 5, (0, "valid_o", "0x1", "0x0")),
    "valid is unknown": ([("assign valid_o = valid0 | valid1", "assign valid_o = (valid0 | valid1) ? 1'b1 : 1'bx")],
                         5, (0, "valid_o", "0x0", "0xx")),
}  # fmt: skip


@pytest.mark.parametrize("what", FOREIGN_FAULTS)
def test_a_fault_without_a_schedule(what: str, tmp_path: Path) -> None:
    edits, stream, expected = FOREIGN_FAULTS[what]
    found = run(foreign(tmp_path, *((SV, old, new) for old, new in edits)), stream=stream).tally.divergence
    assert found is not None
    assert (found.case, found.signal, found.expected, found.seen) == expected


ONE_UNIT = (SV, "(phase_q == '0) | unit_o", "phase_q == '0")
IN_ORDER = ((TOML, 'taker = "unit_o"\n', ""), (TOML, 'tag = "tag_o"\n', ""), ONE_UNIT)


def test_results_in_order_and_events_of_several_products(tmp_path: Path) -> None:
    row = '\n[[row]]\nport = "dbg_q0_o"\nmatch = "event"\nstep = "q"\nwhen = "dbg_work0_o"\n'
    core = foreign(tmp_path, *IN_ORDER)
    (core / TOML).write_text((core / TOML).read_text() + row)
    report = run(core, count=18)
    assert report.passed, report.text()
    spoilt = copy_of(
        core,
        tmp_path / "spoilt",
        (SV, "row[W-1:0] * p_prime_i", "row[W-1:0] * p_prime_i ^ W'(ago_q[9])"),
        (SV, "[Out+S-2:0] ago_q", "[Out+S-1:0] ago_q"),
        (SV, "<= (Out+S-1)'(", "<= (Out+S)'("),
    )
    found = run(spoilt, count=18).tally.divergence
    assert found is not None
    assert (found.case, found.cycle, found.signal, found.step) == (1, 10, "dbg_q0_o", ("q", (0,)))


def test_high_words_first(tmp_path: Path) -> None:
    core = foreign(
        tmp_path,
        (TOML, 'words = "s"\nproducts', 'words = "s"\norder = "high-first"\nproducts'),
        (TOML, 'port = "r_o"\n', 'port = "r_o"\norder = "high-first"\n'),
        (SV, "if (load | work) a_q <= {a_i, a_q[W*S-1:W]};",
         "if (load) a_q <= {a_q[W*S-W-1:0], a_i}; else if (work) a_q <= a_q >> W;"),
        (SV, "b_q <= {b_i, b_q[W*S-1:W]}", "b_q <= {b_q[W*S-W-1:0], b_i}"),
        (SV, "p_q       <= {a_i, p_q[W*S-1:W]}", "p_q <= {p_q[W*S-W-1:0], a_i}"),
        (SV, "t_q[out_q*W +: W]", "t_q[(S-1-out_q)*W +: W]"),
    )  # fmt: skip
    report = run(core, prime="2^31-1", count=18)
    assert report.passed, report.text()


def test_tags_that_are_given_and_a_mark_on_every_word(tmp_path: Path) -> None:
    """Unit 1 alone, in which a product keeps its input tag; `load` is high with all of its words."""
    core = foreign(
        tmp_path,
        (TOML, 'start = "start_i"\n', 'load = "start_i"\n'),
        (TOML, 'taker = "unit_o"\n', 'tag_in = "tag_i"\n'),
        (SV, "(phase_q == '0) | unit_o", "unit_o"),
        (SV, "start_i & ~unit_o", "1'b0"),
        (SV, "start_i & unit_o", "start_i & ready_o"),
        (
            SV,
            "  output     logic           tag_o,",
            "  input wire logic [1:0]     tag_i,\n  output     logic [1:0]     tag_o,",
        ),
        (SV, "assign tag_o   = valid1;", "always_ff @(posedge clk_i) if (start_i & ready_o) tag_o <= tag_i;"),
    )
    report = run(core, count=18)
    assert report.passed, report.text()


def test_a_pipeline_with_wide_ports() -> None:
    for fields in ({}, {"disturb": ("reset", "modulus", "unknown", "stalls")}):
        report = run(TOYS / "wide_toy", prime="secp256k1", settings={}, count=30, **fields)
        assert report.passed, report.text()
    assert run(TOYS / "wide_toy", prime="secp256k1", settings={}, count=30).document["cycles"] == 4 * (8 + 3)


def test_a_stream_core_that_the_service_cannot_help() -> None:
    with pytest.raises(ParameterError, match=r"service: cycle tables of serial_toy are computed here"):
        run(service="http://127.0.0.1:9")


WRONG = [
    ('start = "start_i"\n', "", "protocol needs start or load"),
    ('taker = "unit_o"\n', "", "protocol takes tag together with either taker or tag_in"),
    ('tag = "tag_o"\n', "", "protocol takes tag together with either taker or tag_in"),
    ('port = "r_o"\nwords = "s"', 'port = "r_o"', "result.port is r_o, which has 8 bits and should have 13"),
    ('products = 5', 'products = "s - 2"', "protocol.products is 0, and should be 1 to 65535"),
    ('words = "s"\nproducts', 'words = "s - 1"\nproducts',
     "operand[0].port is a_i, which has 8 bits and should have 13 for the operand a"),
    ('words = "s"\nload', 'words = "s - 1"\nload',
     "protocol.setup.load[0].port is a_i, which has 8 bits and should have 12 for the value p"),
    ('words = 1 }', 'words = 3 }', "protocol.setup.load[1] has 3 words, and the set-up takes 2 cycles"),
    ('tag = "tag_o"', 'tag = "r_o"', "protocol.tag is r_o, which has 8 bits, and unit_o has 1"),
    ('valid = "valid_o"', 'valid = "start_i"', "protocol.valid is start_i, which is an input"),
    ('ready = "ready_o"', 'ready = "dbg_q0_o"', "protocol.ready is dbg_q0_o, which has 8 bits and should have 1"),
    ('port = "setup_i"', 'port = "start_i"', "protocol.setup.port is start_i, which something else drives already"),
    ('model = "cios"', 'model = "iddmm2"', "schedule serial_toy is one of model cios"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sentence"), WRONG)
def test_a_wrong_description_is_refused(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    core = copy_of(TOY, tmp_path, (TOML, old, new))
    with pytest.raises(ParameterError) as caught:
        settle(job(core, settings=SMALL))
    assert sentence in str(caught.value)
    assert str(core / TOML) in str(caught.value)


def test_schedules_and_protocols_that_do_not_go_together(tmp_path: Path) -> None:
    core = copy_of(CORE, tmp_path, (TOML, 'schedule = "iddmm_arch2"', 'schedule = "serial_toy"'),
                   (TOML, 'model = "iddmm2"', 'model = "cios"'))  # fmt: skip
    with pytest.raises(ParameterError, match="protocol has no products, and those of serial_toy overlap"):
        settle(job(core, settings={"radix": "2^16"}))
    for stream in (0, 6):
        with pytest.raises(ParameterError, match=f"stream: serial_toy takes 1 to 5 products at a time, not {stream}"):
            settle(job(TOY, settings=SMALL, stream=stream))
    with pytest.raises(ParameterError, match="stream: iddmm_arch2 takes one product at a time, not 2"):
        settle(job(stream=2))
