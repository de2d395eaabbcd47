# SPDX-License-Identifier: Apache-2.0
"""Ports as cores have them: other handshakes, parts of ports, memories on the other side, streams."""

from pathlib import Path
from typing import Any

import pytest

from limbtrace.refmodels.errors import ParameterError
from limbtrace.rtl_bridge.interface.pins import Pins, ports_in
from limbtrace.rtl_bridge.interface.port_types import DesignPort, PortType
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from limbtrace.vectors.cli import main
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job

TOML = "core.toml"
PIPE = 'kind = "word-serial", products = "N + 3", start = "valid_in", valid = "valid_out"'
NO_START: Edit = (TOML, "input = [", 'input = [{ port = "valid_in", value = 1 }, ')
CARRIES: list[Edit] = [
    (TOML, 'port = "{z_o[0], z_o[1]}"', 'port = "{z_o[0], z_o[1]}", digits = 2, weight = 1'),
    ("struct_toy.sv", "z_q[63:32]", "(z_q[31:0] >> 1) & 32'h55555555"),
    ("struct_toy.sv", "= z_q[31:0]", "= z_q[31:0] - (((z_q[31:0] >> 1) & 32'h55555555) << 1)"),
]
VARIANTS: dict[str, tuple[str, list[Edit]]] = {
    "four phases": ("phase_toy", []),
    "no clock": ("comb_toy", []),
    "valid travels": ("pipe_toy", []),
    "valid without ready": (
        "pipe_toy", [(TOML, PIPE, 'kind = "valid-ready", in_valid = "valid_in", out_valid = "valid_out"')]
    ),
    "pipeline": ("pipe_toy", [(TOML, PIPE, 'kind = "word-serial", products = "N + 3", latency = "N"'), NO_START]),
    "one at a time": ("pipe_toy", [(TOML, PIPE, 'kind = "start-done", latency = "N"'), NO_START]),
    "start and latency": ("pipe_toy", [(TOML, PIPE, 'kind = "start-done", start = "valid_in", latency = "N"')]),
    "parts": ("struct_toy", []),
    "sum and carry": ("struct_toy", CARRIES),
    "memories outside": ("fetch_toy", []),
    "high word first": ("store_toy", []),
    "streams": ("stream_toy", []),
}  # fmt: skip


def variant(name: str, target: Path, *edits: Edit) -> Path:
    """The toy of a variant, edited."""
    toy, own = VARIANTS[name]
    return copy_of(TOYS / toy, target, *own, *edits)


DISTURBED = ("reset", "unknown", "stalls", "again", "start")


@pytest.mark.parametrize("name", VARIANTS)
def test_a_right_core_agrees(name: str, tmp_path: Path) -> None:
    core = variant(name, tmp_path)
    for asked in (job(core, "251", count=12, disturb=DISTURBED), job(core, "251", count=24, mode="bulk")):
        report = simulate(asked)
        assert report.passed, report.text()


@pytest.mark.parametrize("name", ["pipeline", "streams"])
def test_all_modes_take_as_many_cycles(name: str, tmp_path: Path) -> None:
    """Words of a stream are held up in the cycles of a product, so this must not depend on the mode."""
    core = variant(name, tmp_path)
    first, second = (
        simulate(job(core, "251", count=24, mode=mode)).document["cycles"] for mode in ("lockstep", "bulk")
    )
    assert first == second


def test_in_verilator(tmp_path: Path) -> None:
    """Structs, unpacked arrays, slices and inverses in the fast mode."""
    report = simulate(job(TOYS / "struct_toy", "2^61-1", count=100, mode="fast", simulator="verilator"))
    assert report.passed, report.text()


FAULTS: dict[str, tuple[str, list[Edit], str]] = {
    "an acknowledge that stays": (
        "four phases", [("phase_toy.v", "end else if (NREQ) begin", "end else if (NREQ && NACK) begin")], "!NACK"
    ),
    "an acknowledge too early": ("four phases", [("phase_toy.v", "if (at == 16'd0)", "if (at == 16'd1)")], "result"),
    "a bit that nobody looks at": ("no clock", [("comb_toy.sv", "k = W - 1;", "k = W - 2;")], "result"),
    "a word too many": (
        "valid travels", [("pipe_toy.sv", "valid_q <= valid[k];", "valid_q <= valid[k] | (k == 3 && valid_q);")],
        "valid_out",
    ),
    "valid for two cycles": (
        "valid without ready",
        [("pipe_toy.sv", "valid_out = valid[N];", "valid_out = valid[N] | valid[N-1];")], "valid_out",
    ),
    "a stage less": ("pipeline", [(TOML, 'latency = "N"', 'latency = "N - 1"')], "result"),
    "a stage more": ("pipeline", [(TOML, 'latency = "N"', 'latency = "N + 1"')], "result"),
    "quicker than it says": ("one at a time", [(TOML, 'latency = "N"', 'latency = "N + 1"')], "result"),
    "slower than it says": ("start and latency", [(TOML, 'latency = "N"', 'latency = "N - 1"')], "result"),
    "elements in another order": (
        "parts", [("struct_toy.sv", "{b_i[3], b_i[2], b_i[1], b_i[0]}", "{b_i[0], b_i[1], b_i[2], b_i[3]}")], "result"
    ),
    "a result that does not wait": ("parts", [("struct_toy.sv", "!valid_q || !hold_i", "1'b1")], "rsp_o.valid"),
    "carries that count once": ("sum and carry", [(TOML, "weight = 1", "weight = 0")], "result"),
    "a read too late": ("memories outside", [("fetch_toy.sv", "= at_q >= 1", "= at_q >= 2")], "result"),
    "a word that is not written": ("memories outside", [("fetch_toy.sv", "at_q == 76", "at_q == 75")], "z_we_o"),
    "nobody knows whether it writes": (
        "memories outside",
        [("fetch_toy.sv", "z_we_o   = at_q >= 74", "z_we_o   = at_q == 9 ? 1'bx : at_q >= 74")], "z_we_o"
    ),
    "nobody knows where it writes": (
        "memories outside",
        [("fetch_toy.sv", "z_we_o   = at_q >= 74", "z_we_o   = at_q >= 73"),
         ("fetch_toy.sv", "z_addr_o = 2'(at_q - 8'd74)", "z_addr_o = at_q == 73 ? 2'bxx : 2'(at_q - 8'd74)")], "z_we_o",
    ),
    "a write beyond the result": (
        "memories outside",
        [("fetch_toy.sv", "output     logic [1:0]  z_addr_o", "output     logic [2:0]  z_addr_o"),
         ("fetch_toy.sv", "z_we_o   = at_q >= 74", "z_we_o   = at_q >= 72"),
         ("fetch_toy.sv", "2'(at_q - 8'd74)", "at_q < 74 ? 3'd5 : 3'(at_q - 8'd74)")], "z_we_o",
    ),
    "nobody knows whether it reads": (
        "memories outside", [("fetch_toy.sv", "assign rd_o     =", "assign rd_o     = at_q == 40 ? 1'bx :")], "rd_o",
    ),
    "a place of four words": (
        "high word first", [("store_toy.sv", "rd_place = 2'(words - 3'd1", "rd_place = 2'(3'd3")], "result"
    ),
    "the last word too early": ("streams", [("stream_toy.sv", "out_q == 3;", "out_q == 2;")], "m_axis_tlast"),
    "a held word that changes": (
        "streams",
        [("stream_toy.sv", "= 16'(r_q >> (16 * (3 - out_q)));",
          "= m_axis_tready ? 16'(r_q >> (16 * (3 - out_q))) : 16'hdead;")], "m_axis_tvalid",
    ),
    "a word that waits to be asked for": (
        "streams", [("stream_toy.sv", "has_p_q && at_q == 64;", "has_p_q && at_q == 64 && m_axis_tready;")],
        "the last word of m_axis_*",
    ),
    "a word that does not wait": (
        "streams", [("stream_toy.sv", "if (m_axis_tvalid && m_axis_tready)", "if (m_axis_tvalid)")], "m_axis_tlast"
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault: str, tmp_path: Path) -> None:
    name, edits, signal = FAULTS[fault]
    found = simulate(job(variant(name, tmp_path, *edits), "65521", count=60)).tally.divergence  # four streams at least
    assert found is not None
    assert found.signal == signal, found.sentence()


# A core that takes the next packets while it works.
AHEAD: list[Edit] = [
    ("stream_toy.sv", "  assign s_axis_tready     = !full_q;", """  logic [127:0] in_q;
  logic [63:0]  mod_q;
  logic         in_full_q, mod_full_q;
  assign s_axis_tready     = !in_full_q;"""),
    ("stream_toy.sv", "assign s_axis_mod_tready = !has_p_q;", "assign s_axis_mod_tready = !mod_full_q;"),
    ("stream_toy.sv", "      has_p_q <= 1'b0;\n      at_q    <= '0;\n      out_q",
     "      {in_full_q, mod_full_q} <= '0;\n      has_p_q <= 1'b0;\n      at_q    <= '0;\n      out_q"),
    ("stream_toy.sv", "ab_q   <= {s_axis_tdata, ab_q[127:16]};", "in_q <= {s_axis_tdata, in_q[127:16]};"),
    ("stream_toy.sv", "full_q <= s_axis_tlast", "in_full_q <= s_axis_tlast"),
    ("stream_toy.sv", "p_q     <= s_axis_mod_tdata;\n        has_p_q <= 1'b1;\n      end",
     """mod_q      <= s_axis_mod_tdata;
        mod_full_q <= 1'b1;
      end
      if (in_full_q && mod_full_q && !full_q) begin
        ab_q    <= in_q;
        p_q     <= mod_q;
        full_q  <= 1'b1;
        has_p_q <= 1'b1;
        {in_full_q, mod_full_q} <= '0;
      end"""),
]  # fmt: skip
LEAKS: dict[str, list[Edit]] = {
    "the sum of the packet before": [
        ("stream_toy.sv", "          r_q     <= '0;", "          if (!in_full_q) r_q <= '0;")
    ],
    "an operand of the packet behind": [("stream_toy.sv", "{2'b00, ab_q[63:0]}", "{2'b00, in_q[63:0]}")],
    "the place of the packet before": [
        ("stream_toy.sv", "has_p_q <= 1'b0;\n          at_q    <= '0;",
         "has_p_q <= 1'b0;\n          at_q    <= in_full_q ? 7'd1 : 7'd0;")
    ],
}  # fmt: skip
STREAMED: list[dict[str, Any]] = [
    {"mode": "lockstep"},
    {"mode": "lockstep", "disturb": ("start", "again", "hold")},
    {"mode": "bulk"},
    {"mode": "fast", "simulator": "verilator"},
]


PLAIN = (0, 2, 3)
"""Those of STREAMED that are not disturbed."""


@pytest.mark.parametrize("leak", [None, *LEAKS])
def test_packets_back_to_back(leak: str | None, tmp_path: Path) -> None:
    """What leaks from one packet to another is found in every mode, in the same product and with as many cycles."""
    core = copy_of(TOYS / "stream_toy", tmp_path, *AHEAD, *(LEAKS[leak] if leak else []))
    reports = [simulate(job(core, "2^61-1", count=40, **fields)) for fields in STREAMED]
    found = [report.tally.divergence for report in reports]
    if leak is None:
        assert all(report.passed for report in reports), [report.text() for report in reports]
        assert len({reports[k].document["cycles"] for k in PLAIN}) == 1
        return
    assert [difference.signal if difference else None for difference in found] == ["result"] * len(STREAMED)
    assert len({(difference.case, difference.seen) for k in PLAIN if (difference := found[k])}) == 1


WRONG = [
    ("parts", '"req_i.a"', '"req_i.c"', "operand[0].port is 'req_i.c', and req_i has no member 'c', only valid, a"),
    ("parts", '"req_i.a"', '"req_i.a[70:7]"', "and req_i has bits [63:0], of which [70:7] is none"),
    ("parts", '"req_i.a"', '"req_i.a[0:63]"', "and the range of req_i runs the other way"),
    ("parts", '"b_i"', '"b_i[1:0]"', "and of the elements of b_i one at a time may be named"),
    ("parts", '"b_i"', '"b_i[4]"', "and b_i has elements [0:3], of which [4] is none"),
    ("parts", '"b_i"', '"{b_i[0], z_o[0]}"', "which are not all inputs or all outputs"),
    ("parts", '"b_i"', '"~b_i"', "operand[1].port is '~b_i'; right are a port, a part of one such as 'a_i[7:0]'"),
    ("parts", '"cfg_i[7:0]"', '"cfg_i[8:0]"', "input[2].port is cfg_i[8:0], which something else drives already"),
    ("parts", '"cfg_i[7:0]"', '"cfg_i[6:0]"', "a part of the input cfg_i of struct_toy is driven by nothing"),
    ("parts", '"rsp_o.valid"', '"rsp_o"', "protocol.out_valid is rsp_o, which has 2 bits and should have 1"),
    ("parts", ', in_ready = "rsp_o.ready"', ', in_ready = "rsp.ready"', "and struct_toy has no such port"),
    ("pipeline", 'latency = "N"', 'latency = "N - 8"', "protocol.latency is 0, and should be 1 at least; start-done"),
    ("pipeline", 'latency = "N"', 'latency = "N", valid = "valid_out"', "protocol takes either valid, or latency"),
    ("one at a time", 'latency = "N"', 'latency = "N", done = "valid_out"', "protocol takes either done, or latency"),
    ("one at a time", 'latency = "N"', 'latency = 0', "protocol.latency is 0, and should be 1 at least: the cycle"),
    ("one at a time", 'latency = "N"', 'latency = "n"', "protocol.latency is 'n': there is no 'n', only N"),
    ("one at a time", 'latency = "N"', 'done = "valid_out"', "protocol needs start, which only a core with a latency"),
    ("one at a time", 'latency = "N"', 'latency = "N", busy = "valid_out"', "takes busy and products only together"),
    ("memories outside", 'addr_o", enable', 'adr_o", enable', "operand[0].address is 'adr_o', and fetch_toy has no"),
    ("memories outside", 'base = 4', 'base = 3', "operand[1].base is 3, where words of operand[0] are too"),
    ("memories outside", 'base = 4', 'base = 5', "operand[1].address is addr_o, which has 3 bits and should have 4"),
    ("memories outside", 'words = 4, base', 'base', "operand[1] needs words, since the core reads it word by word"),
    ("memories outside", 'm_addr_o", latency = 0, words = 4', 'm_addr_o", latency = 0, words = 3', None),
    ("memories outside", 'm_addr_o", latency = 0', 'm_addr_o", latency = 2', "latency is '2', and should be 0 or 1"),
    ("memories outside", 'port = "m_i", address = "m_addr_o"', 'port = "m_i"', "input[0] takes latency only together"),
    ("memories outside", 'enable = "z_we_o", ', 'enable = "z_we_o", latency = 1, ', "go with a read port, not beside"),
    ("streams", 'result = "m_axis_"', 'result = "m_"', "protocol.result with tvalid is 'm_tvalid', and"),
    ("streams", 'result = "m_axis_"', 'result = "s_axis_"', "protocol result is 's_axis_', which is the prefix of a"),
    ("streams", 'prefix = "s_axis_mod_"', 'prefix = "m_axis_"', "result is 'm_axis_', which is the prefix of a"),
    ("streams", '{ value = "b", prefix = "s_axis_", words = 4 },', "", "operand b is missing: add"),
    ("streams", 'words = 4, order', 'depth = 4, order', "result needs words, and takes order, where the protocol is"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "sentence"), WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_a_wrong_description_is_refused(name: str, old: str, new: str, sentence: str | None, tmp_path: Path) -> None:
    core = variant(name, tmp_path)
    text = (core / TOML).read_text()
    assert old in text
    (core / TOML).write_text(text.replace(old, new, 1))
    if sentence is None:
        settle(job(core, "251"))
        return
    with pytest.raises(ParameterError) as caught:
        settle(job(core, "251"))
    assert sentence in str(caught.value)
    assert TOML in str(caught.value)


def test_what_a_pin_may_be() -> None:
    pins = Pins({
        "a": DesignPort("a", "input", 16, PortType(16, (0, 1), PortType(8, (7, 0)))),
        "u": DesignPort("u", "input", 12, PortType(12, (3, 1), PortType(4, (3, 0)), is_unpacked=True)),
    })  # fmt: skip
    assert [*pins] == ["a", "u"]
    assert pins["a[0]"].bits == (("a", "", 8, 8, False),)
    assert pins["!a[1][3:2]"].bits == (("a", "", 2, 2, True),)
    assert pins["u"].bits == tuple(("u", f"[{k}]", 0, 4, False) for k in (1, 2, 3))
    assert [bits.port for bits in pins["{a,u[2]}"].bits] == ["u", "a"]
    assert pins["{a,u[2]}"].width == 20
    assert "u[0]" not in pins
    assert ports_in("{!a[1],u[2]}") == ["a", "u"]


def init(folder: Path, *options: str) -> str:
    """The description that the command writes."""
    with pytest.raises(SystemExit) as ended:
        main(["init", str(folder), *options])
    assert not ended.value.code
    return (folder / TOML).read_text()


@pytest.mark.parametrize(
    ("toy", "lines"),
    [
        ("comb_toy", ["latency = 0"]),
        ("pipe_toy", ['in_valid = "valid_in"', 'out_valid = "valid_out"']),
        ("stream_toy", ['{ value = "b", prefix = "s_axis_", words = "(N + 15) // 16" }', 'result = "m_axis_"',
                        '{ value = "p", prefix = "s_axis_mod_", words = "(N + 63) // 64" }']),
    ],
)  # fmt: skip
def test_what_is_guessed(toy: str, lines: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core = copy_of(TOYS / toy, tmp_path)
    (core / TOML).unlink()
    text = init(core, "--model", "modmul")
    assert "nothing to fill in" in capsys.readouterr().out
    assert all(line in text for line in lines), text
    if toy == "comb_toy":
        assert "[clock]" not in text
        assert "[reset]" not in text
        assert simulate(job(core, "251")).passed


def test_a_handshake_that_is_active_low_is_guessed(tmp_path: Path) -> None:
    core = copy_of(TOYS / "phase_toy", tmp_path)
    source = core / "phase_toy.v"
    source.write_text(source.read_text().replace("NREQ", "req_n").replace("NACK", "done_n"))
    (core / TOML).unlink()
    text = init(core, "--model", "modmul")
    assert 'start = "!req_n"' in text
    assert 'done = "!done_n"' in text


def test_a_start_that_is_held_is_guessed_by_its_name(tmp_path: Path) -> None:
    """The names of Vitis HLS."""
    core = copy_of(TOYS / "phase_toy", tmp_path)
    source = core / "phase_toy.v"
    names = {"!NRST": "ap_rst", "NRST": "ap_rst", "NREQ": "!ap_start", "NACK": "ap_ack"}
    text = source.read_text()
    for old, new in names.items():
        text = text.replace(old, new)
    text = text.replace("wire                 !ap_start", "wire                 ap_start")
    source.write_text(text.replace("ap_ack", "ap_done"))
    (core / TOML).unlink()
    text = init(core, "--model", "modmul")
    assert 'start = "ap_start"  # guess: by its name\ndone = "ap_done"  # guess: by its name\nheld = true' in text
    assert 'reset = { port = "ap_rst", active = "high", synchronous = true }' in text


def test_a_reset_while_a_result_is_read_leaves_nothing_behind(tmp_path: Path) -> None:
    """Also in the first of two cycles of the first word."""
    report = simulate(job(variant("high word first", tmp_path), "65521", count=14, disturb=DISTURBANCES))
    assert report.passed, report.text()
