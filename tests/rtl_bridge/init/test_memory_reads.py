# SPDX-License-Identifier: Apache-2.0
"""`limbtrace init` of cores that put out the addresses of their operands, or write their result into a memory."""

from pathlib import Path

import pytest

from limbtrace.rtl_bridge.init.memory_reads import reached
from limbtrace.rtl_bridge.interface.module_ports import SketchPort
from limbtrace.rtl_bridge.interface.port_pool import Ports
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, job
from tests.rtl_bridge.init.test_init import init

SV = "fetch_toy.sv"
USUAL: list[Edit] = [
    (SV, "b_q <= {b_q[47:0], data_i};", "b_q <= {data_i, b_q[63:16]};"),
    (SV, "(16 * (77 - at_q))", "(16 * (at_q - 74))"),
    (SV, "if (at_q >= 1 && at_q <= 4) m_q", "if (at_q >= 2 && at_q <= 5) m_q"),
]
"""The toy with the low word first everywhere, and with memories that all answer in the next cycle."""
APART: list[Edit] = [
    (SV,
     "    output     logic        rd_o,\n    output     logic [2:0]  addr_o,\n    input wire logic [15:0] data_i,\n",
     "    output logic [1:0]  x_addr_o,\n    output logic        x_re_o,\n    input  logic [15:0] x_data_i,\n"
     "    output logic [1:0]  y_addr_o,\n    input  logic [15:0] y_data_i,\n"),
    (SV, "  assign rd_o     = at_q >= 1 && at_q <= 8;\n  assign addr_o   = 3'(at_q - 8'd1);\n",
     "  assign x_re_o = at_q >= 1 && at_q <= 4;\n  assign x_addr_o = 2'(at_q - 8'd1);\n"
     "  assign y_addr_o = x_addr_o;\n"),
    (SV, "a_q <= {data_i, a_q[63:16]}", "a_q <= {x_data_i, a_q[63:16]}"),
    (SV, "b_q <= {data_i, b_q[63:16]}", "b_q <= {y_data_i, b_q[63:16]}"),
]  # fmt: skip
"""That toy with a memory of its own for each operand."""


def copied(target: Path, *edits: Edit) -> Path:
    """The toy without a description, edited in that order."""
    folder = copy_of(TOYS / "fetch_toy", target)
    (folder / "core.toml").unlink()
    source = folder / SV
    text = source.read_text()
    for _, old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    source.write_text(text)
    return folder


@pytest.mark.parametrize("simulator", ["icarus", "verilator"])
@pytest.mark.parametrize("edits", [USUAL, [*USUAL, *APART]], ids=["one memory", "two memories"])
def test_it_agrees_at_the_first_try(
    edits: list[Edit], simulator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(tmp_path, *edits)
    assert init(folder, "--model", "modmul") == 0
    assert "nothing to fill in" in capsys.readouterr().out
    for prime in ("2^61-1", "2^64-59"):
        report = simulate(job(folder, prime, simulator=simulator))
        assert report.passed, report.text()
        assert report.document["verified"] == 40


def test_what_no_port_shows_is_a_guess_that_names_the_other_way(tmp_path: Path) -> None:
    """Order of words and latency; a simulation passes with the other ones."""
    folder = copied(tmp_path)
    assert init(folder, "--model", "modmul") == 0
    path = folder / "core.toml"
    text = path.read_text()
    assert text.count('order = "low-first"  # guess: or high-first') == 4
    assert text.count("latency = 1  # guess: the word comes in the cycle after its address; 0: in the same cycle") == 3
    assert not simulate(job(folder, "2^61-1")).passed
    head, _, tail = text.replace("latency = 1", "latency = 0", 1).partition("base = 4")  # of m; order of b and z
    path.write_text(f"{head}base = 4{tail.replace('low-first', 'high-first')}")
    report = simulate(job(folder, "2^61-1"))
    assert report.passed, report.text()


def test_addresses_of_a_width_that_a_parameter_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How many words there are is open, and where the second value begins."""
    folder = copied(
        tmp_path,
        (SV, "module fetch_toy (", "module fetch_toy #(parameter int A = 3) ("),
        (SV, "output     logic [2:0]  addr_o", "output logic [A-1:0] addr_o"),
    )
    assert init(folder, "--model", "modmul") == 0
    assert "to fill in: operand.words, operand.words, operand.base\n" in capsys.readouterr().out


def port(name: str, direction: str, width: int) -> SketchPort:
    return SketchPort(name, direction, width, {(): width})


@pytest.mark.parametrize(
    ("ports", "found"),
    [
        (["<addr_o:4", ">data_i:32"], [("", "data_i", "addr_o", None)]),
        (["<rd_addr:4", "<rd_en:1", ">rd_data:32"], [("", "rd_data", "rd_addr", "rd_en")]),
        (["<a_addr_o:4", "<a_re_o:1", ">a_i:32"], [("a", "a_i", "a_addr_o", "a_re_o")]),
        (["<z_addr_o:4", "<z_we_o:1", "<z_data_o:32"], [("z", "z_data_o", "z_addr_o", "z_we_o")]),
        (["<z_addr_o:4", "<z_data_o:32"], []),  # nothing says when it writes
        ([">rd_addr_i:4", "<rd_data_o:32"], []),  # it is read by others
        (["<m_addr:4", ">p_data:32"], []),
        (["<addr_o:4", ">a_i:32"], []),
        (["<araddr:32", ">rdata:32"], []),  # a bus of another kind
        (["<mem_addr:4", "<mem_we:1", "<mem_wdata:16", ">mem_rdata:16"], [("", "mem_rdata", "mem_addr", None)]),
        (["<addr:20", ">data:8"], [("", "data", "addr", None)]),
    ],
)
def test_memories_by_the_names_of_ports(ports: list[str], found: list[tuple[str, str, str, str | None]]) -> None:
    sides = {"<": "output", ">": "input"}
    given = [port(text[1:].partition(":")[0], sides[text[0]], int(text.partition(":")[2])) for text in ports]
    seen = list(reached(Ports(given)))
    assert [(m.stem, m.data.name, m.address.name, m.enable and m.enable.name) for m in seen] == found
    assert all(memory.words is None for memory in seen if memory.address.width > 10)
