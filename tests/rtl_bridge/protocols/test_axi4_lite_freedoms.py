# SPDX-License-Identifier: Apache-2.0
"""Freedoms of a master of AXI4-Lite: faults of cores that do not bear them, each found by disturbed products."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from limbtrace.rtl_bridge.protocols.axi4_lite import Axi4Lite
from limbtrace.rtl_bridge.protocols.axi4_lite_actions import ACTIONS
from limbtrace.rtl_bridge.run.disturb import DISTURBANCES
from limbtrace.rtl_bridge.run.report import Divergence
from limbtrace.rtl_bridge.run.settle import settle
from limbtrace.rtl_bridge.run.simulation import simulate
from tests.rtl_bridge.helpers import TOYS, Edit, copy_of, faulty
from tests.rtl_bridge.helpers import job as job_inside

job = partial(job_inside, allow_outside=True)
"""Copies name files of another core beside them."""
TOY = TOYS / "lite_toy"
PRIME = "2^31-1"
SQUARER: dict[str, Any] = {"prime": "2^30-35", "settings": {"d": 17, "t": 20}}
SIMULATORS = ("verilator", "icarus")

COUNTERS = """
  logic [4:0] waits;  // cycles that a response waits
  logic [5:0] ago;    // cycles since the product was done
  logic       odd;    // so many words of the result were read
  always_ff @(posedge clk) begin
    waits <= ((s_axi_bvalid & ~s_axi_bready) | (s_axi_rvalid & ~s_axi_rready)) ? waits + 5'd1 : '0;
    ago   <= full ? '0 : (ago == '1) ? ago : ago + 6'd1;
    odd   <= ~rst & ~start & (odd ^ (read & (from[5:1] == 5'h08)));
  end

"""
"""Signals that faults of lite_toy depend on."""

STROBES = "{{8{strobes[3]}}, {8{strobes[2]}}, {8{strobes[1]}}, {8{strobes[0]}}}"
FAULTS = {
    "strobes are ignored": ("partial writes", "assign mask   = ", STROBES, "'1"),
    "a byte has the strobe of its neighbour": ("partial writes", "= {", "{8{strobes[3]}}", "{8{strobes[2]}}"),
    "a start needs no strobe": ("empty writes", "(at == 6'h00) & ", "strobes[0] & data[0]", "data[0]"),
    "data are taken with the address": ("address first", "waddr <= s_axi_awaddr;\n    if (",
                                        "s_axi_wvalid & s_axi_wready", "s_axi_awvalid & s_axi_awready"),
    "an address behind its data is lost": ("data first", "waddr <= ", "s_axi_awaddr", "w_full ? waddr : s_axi_awaddr"),
    "data beside an address are lost": ("both at once", "w_full  <= (w_full & ~write) | ",
                                        "(s_axi_wvalid & s_axi_wready)",
                                        "(s_axi_wvalid & s_axi_wready & ~(s_axi_awvalid & s_axi_awready))"),
    "one response to two writes": ("next write", "aw_full & w_full & ", "(~s_axi_bvalid | s_axi_bready)", "1'b1"),
    "an address in place of one that waits": ("next write", "assign s_axi_awready = ", "~aw_full",
                                              "~aw_full | s_axi_bvalid"),
    "a response is given up": ("late responses", "s_axi_bvalid <= ", "(s_axi_bvalid & ~s_axi_bready)",
                               "(s_axi_bvalid & ~s_axi_bready & (waits != 5'd20))"),
    "data are given up": ("late responses", "s_axi_rvalid <= ", "(s_axi_rvalid & ~s_axi_rready)",
                          "(s_axi_rvalid & ~s_axi_rready & (waits != 5'd20))"),
    "the next read in place of the last one": ("next read", "assign read   = ar_full & ",
                                               "(~s_axi_rvalid | s_axi_rready)", "1'b1"),
    "a write beside a read is lost": ("both ways", "assign writes = ", "write & idle", "write & ~read & idle"),
    "a word that is read is not written": ("both ways", "assign writes = write & ", "idle",
                                           "idle & ~(ar_full & (from == at) & (at != '0))"),
    "a reserved bit stops the start": ("free bits", "strobes[0] & ", "data[0]", "data[0] & ~data[9]"),
    "any write to the register starts": ("no start", "strobes[0] & ", "data[0]", "1'b1"),
    "an address bit is not looked at": ("unmapped", "assign at     = ", "waddr[7:2]", "{1'b0, waddr[6:2]}"),
    "no response where no register is": ("unmapped", "(s_axi_bvalid & ~s_axi_bready) | ", "write",
                                         "(write & (at < 6'h38))"),
    "a read of nothing clears done": ("unmapped", "done         <= ", "(done & ~start)",
                                      "(done & ~start & ~(read & ~known))"),
    "a bit of b cannot be read": ("patterns", "6'h09: word = ", "b[63:32]", "{1'b0, b[62:32]}"),
    "bits of p are only set": ("patterns", "p[63:32] <= ", "(p[63:32] & ~mask)", "p[63:32]"),
    "a low word of b overwrites the high one": ("any order", "if (writes & ", "(at == 6'h09)", "(at[5:1] == 5'h04)"),
    "every second read is of the other word": ("results again", "6'h10: word = ", "z[31:0]",
                                               "odd ? z[63:32] : z[31:0]"),
    "b is gone when it has been used": ("one operand", "if (", "writes & (at == 6'h08)",
                                        "full | (writes & (at == 6'h08))"),
    "done lasts 20 cycles": ("polls", "done         <= ", "(done & ~start)", "(done & ~start & (ago != 6'd20))"),
}  # fmt: skip
"""The action of a master that finds each fault of lite_toy; preceding text, expression, faulty expression."""
SQUARER_FAULTS: dict[str, tuple[str, Edit]] = {
    "words are written in parts": ("writes that are refused", (
        "lt_vdf_squarer_axil.sv", ".wr_en_i  (write & whole & wr_word)", ".wr_en_i  (write & wr_word)")),
    "a start without all strobes": ("empty writes", (
        "lt_vdf_squarer_axil.sv", "start     = write & whole & ", "start     = write & ")),
    "a start in the cycle of done": ("start when done", (
        "../vdf_squarer/lt_vdf_squarer.sv", "      a_d = x_digits;", "      a_d = done_q ? '0 : x_digits;")),
}  # fmt: skip
"""The action that finds each fault of vdf_squarer_axil, and the edit that makes it."""


def spoilt(target: Path, fault: int) -> Path:
    """A copy of lite_toy with that fault; 0 for none."""
    edits: list[Edit] = [
        (
            "lite_toy.sv",
            "  input wire logic        clk,\n",
            "  input wire logic [4:0] fault_i,\n  input wire logic clk,\n",
        ),
        ("lite_toy.sv", "\n  always_comb begin\n    known", f"{COUNTERS}  always_comb begin\n    known"),
    ]
    faults = [("lite_toy.sv", before, good, bad, "") for _, before, good, bad in FAULTS.values()]
    return faulty(TOY, target, edits, faults, fault=fault)


def found_by(core: Path, prime: str = PRIME, **fields: Any) -> Divergence | None:
    """The first difference of 300 products at most."""
    asked = {"kind": "random", "count": 300, **fields}
    return simulate(job(core, prime, **asked), quiet=True).tally.divergence


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_core_that_bears_everything_passes(simulator: str, tmp_path: Path) -> None:
    count = 1000 if simulator == "verilator" else 40
    for disturb in ((), ("stalls",), DISTURBANCES):
        assert (
            found_by(spoilt(tmp_path / str(len(disturb)), 0), count=count, disturb=disturb, simulator=simulator) is None
        )


@pytest.mark.parametrize("mode", ["bulk", "fast"])
def test_it_passes_in_every_mode(mode: str) -> None:
    assert found_by(TOY, mode=mode, simulator="verilator") is None


@pytest.mark.parametrize("what", FAULTS)
@pytest.mark.parametrize("simulator", SIMULATORS)
def test_faults_are_found(simulator: str, what: str, tmp_path: Path) -> None:
    fault = 1 + list(FAULTS).index(what)
    assert found_by(spoilt(tmp_path, fault), disturb=("stalls",), simulator=simulator) is not None


@pytest.mark.parametrize("what", SQUARER_FAULTS)
@pytest.mark.parametrize("simulator", SIMULATORS)
def test_faults_of_a_squarer_are_found(simulator: str, what: str, tmp_path: Path) -> None:
    core = copy_of("vdf_squarer_axil", tmp_path, SQUARER_FAULTS[what][1])
    assert found_by(core, disturb=("stalls",), simulator=simulator, **SQUARER) is not None


def test_every_action_finds_a_fault() -> None:
    found = [action for action, *_ in (*FAULTS.values(), *SQUARER_FAULTS.values())]
    assert {*found} == {action.name for action in ACTIONS}
    assert len({action.name for action in ACTIONS}) == len(ACTIONS)


def test_the_docs_list_every_action() -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "disturbances.md").read_text()
    for action in ACTIONS:
        key = f"`{action.key}`" if action.key else ""
        assert f"| {action.name} | {action.what} | {action.when or 'always'} | {key} |\n" in page


def permitted(core: Path, **fields: Any) -> set[str]:
    """The names of the actions that a master of the core may take."""
    bound = settle(job(core, PRIME, **fields)).bound
    protocol = bound.core.file.protocol
    assert isinstance(protocol, Axi4Lite)
    return {name for name, permits in protocol.permits(bound).items() if permits}


@pytest.mark.parametrize(
    ("old", "new", "denied"),
    [
        ('"bytes"', '"whole"', {"partial writes"}),
        ('"bytes"', '"ignored"', {"partial writes", "empty writes"}),
        ('strobes = "bytes"\n', "", {"partial writes", "empty writes"}),
        ("unmapped = true", "unmapped = false", {"unmapped"}),
        ("unmapped = true\n", "", {"unmapped"}),
        ("retained = true", "retained = true\nany_order = false", {"any order"}),
        ("retained = true", "retained = true\nreread = false", {"results again"}),
        ("retained = true\n", "", {"one operand"}),
        (", free = 0xfffffffe", "", {"free bits"}),
        (", idle = 0", "", {"no start"}),
    ],
)
def test_a_description_denies_actions(old: str, new: str, denied: set[str], tmp_path: Path) -> None:
    assert permitted(TOY) - permitted(copy_of(TOY, tmp_path, ("core.toml", old, new))) == denied


DENIED = {
    "strobes are ignored": ('strobes = "bytes"\n', ""),
    "an address bit is not looked at": ("unmapped = true\n", ""),
    "a low word of b overwrites the high one": ("retained = true", "retained = true\nany_order = false"),
    "every second read is of the other word": ("retained = true", "retained = true\nreread = false"),
    "b is gone when it has been used": ("retained = true\n", ""),
    "a reserved bit stops the start": (", free = 0xfffffffe", ""),
    "any write to the register starts": (", idle = 0", ""),
}
"""Faults that a description turns into what the core may do: (old text, new text)."""


@pytest.mark.parametrize("what", DENIED)
def test_what_is_denied_is_not_done(what: str, tmp_path: Path) -> None:
    core = spoilt(tmp_path, 1 + list(FAULTS).index(what))
    text, (old, new) = (core / "core.toml").read_text(), DENIED[what]
    assert old in text
    (core / "core.toml").write_text(text.replace(old, new))
    assert found_by(core, disturb=("stalls",), simulator="verilator") is None
