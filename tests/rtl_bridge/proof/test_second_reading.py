# SPDX-License-Identifier: Apache-2.0
"""A second reading of cores that were proved: a front end that is broken is found, and no good core is named."""

import random
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.proof import cli, moduli, second_reading
from limbtrace.rtl_bridge.proof.bitvector import BitTerm, TermPool
from limbtrace.rtl_bridge.proof.btor2 import SteppedDesign
from limbtrace.rtl_bridge.proof.elaborate import elaborated
from limbtrace.rtl_bridge.proof.known_bits import CompiledDesign, KnownBits
from limbtrace.rtl_bridge.proof.second_reading import AGREES, DIFFERS, SecondReading
from limbtrace.rtl_bridge.proof.shell_wave import ShellWave
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.shell.text import Shell
from tests.rtl_bridge.proof.small_core import core, shell_of

_BINARY = (
    "and", "nand", "or", "nor", "xor", "xnor", "eq", "neq", "ult", "ugt", "ulte", "ugte", "slt", "sgt", "slte", "sgte",
    "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "sll", "srl", "sra", "concat",
)  # fmt: skip
_UNARY = ("not", "neg", "inc", "dec", "redor", "redand", "redxor")
_BITS = ("eq", "neq", "ult", "ugt", "ulte", "ugte", "slt", "sgt", "slte", "sgte", "redor", "redand", "redxor")
_WIDTH = 5


def _every_operation() -> SteppedDesign:
    """A design with each operation on two vectors of 5 bits and a bit, and on inverted ones."""
    sorts = {1: 1, 2: _WIDTH, 3: 2 * _WIDTH, 4: 3}
    lines = [
        *(f"{n} sort bitvec {width}" for n, width in sorts.items()),
        "10 input 2 x",
        "11 input 2 y",
        "12 input 1 c",
    ]
    made = [(name, f"{sort} 10 11", 2) for name in _BINARY
            for sort in [1 if name in _BITS else 3 if name == "concat" else 2]]  # fmt: skip
    made += [(name, f"{1 if name in _BITS else 2} 10", 2) for name in _UNARY]
    made += [("ite", "2 12 10 -11", 2), ("slice", "4 10 3 1", 2), ("uext", "3 10 5", 2), ("sext", "3 -10 5", 2)]
    made += [("implies", "1 12 -12", 2), ("iff", "1 -12 12", 2), ("and", "2 -10 11", 2), ("consth", "2 1a", 2)]
    lines += [f"{n} {name} {rest} n{n}" for n, (name, rest, _) in enumerate(made, 20)]
    return SteppedDesign("\n".join(lines))


def _values(design: SteppedDesign, given: dict[str, int]) -> dict[str, BitTerm]:
    """The nets of a design as terms are computed."""
    pool = TermPool()
    inputs = {name: pool.constant(width, given[name]) for name, width in design.inputs.values()}
    design.step(pool, {}, inputs)
    return {name: design.seen(name) or pool.constant(1, 0) for name in design.nets}


@pytest.mark.parametrize("seed", range(6))
def test_known_bits_hold_for_all_values_of_the_others(seed: int) -> None:
    """As the operations of terms have them; and all of them are known where the operands are."""
    design, draw = _every_operation(), random.Random(seed)
    compiled = CompiledDesign(design, design.nets)
    names = {number: name for number, (name, _) in design.inputs.items()}
    for run in range(150):
        full = {number: (1 << width) - 1 for number, (_, width) in design.inputs.items()}
        unknown = {n: draw.getrandbits(5) & draw.getrandbits(5) & mask if run % 3 else 0 for n, mask in full.items()}
        given = {n: KnownBits(draw.getrandbits(5) & mask & ~unknown[n], unknown[n]) for n, mask in full.items()}
        found, _ = compiled.cycle(given)
        for _ in range(4):
            filled = {names[n]: each.value | draw.getrandbits(5) & each.unknown for n, each in given.items()}
            for name, term in _values(design, filled).items():
                if not term.is_constant:  # by 0
                    assert found[name].unknown == (1 << term.width) - 1, name
                    continue
                assert not KnownBits(term.value, 0).differs(found[name]), (name, given, filled)
                assert run % 3 or not found[name].unknown, name


def _core(folder: Path, more: str) -> Path:
    """A core whose result would depend on `side` for operands that it does not take."""
    return core(folder, more, "x == 4'd14 ? side : good")


def _read(folder: Path, more: str, design: SteppedDesign | None = None) -> SecondReading:
    shell = shell_of(_core(folder, more))
    asked = BindRequest(core=str(folder), prime="13")
    return second_reading.second_reading(asked, shell, design or elaborated(shell), ["icarus"])


SIDE = {
    "a register": ("reg [3:0] side; always @(posedge clk) side <= {};", "x", "x ^ 4'd8", "side"),
    "its enable": ("reg [3:0] side; always @(posedge clk) if ({}) side <= y;", "start", "done", "side"),
    "a variable of several processes": (
        "reg [3:0] side; genvar i; generate for (i = 0; i < 4; i = i + 1) begin : g always @(posedge clk)"
        " side[i] <= x[{}]; end endgenerate", "i", "3 - i", "side"),
    "a register with an asynchronous reset": (
        "reg [3:0] side; always @(posedge clk or posedge rst) if (rst) side <= 4'd3; else side <= {};",
        "x", "x ^ 4'd8", "side"),
    "a memory": (
        "reg [3:0] ram [0:3], side; always @(posedge clk) if (start) ram[a[1:0]] <= {};"
        " always @(posedge clk) side <= ram[x[1:0]];", "b", "~b", "side"),
    "constants of an enum": (
        "typedef enum logic {{M1, M2}} m; typedef enum logic [1:0] {{E0, E1, E2}} e; reg [7:0] side;"
        " always @(posedge clk) side <= x[0] ? {{x, M2, E2, 1'b1}} : {{{}, M1, E1, 1'b0}};", "y", "4'd0", "side"),
}  # fmt: skip
"""Items with a register, and two readings of a part of them."""


@pytest.mark.budget(10)
@pytest.mark.parametrize("name", SIDE)
def test_a_front_end_that_reads_other_rtl_is_found(name: str, tmp_path: Path) -> None:
    items, right, wrong, signal = SIDE[name]
    assert _read(tmp_path, items.format(right)).text.startswith(AGREES)
    other = elaborated(shell_of(_core(tmp_path, items.format(wrong))))
    found = _read(tmp_path, items.format(right), other)
    assert found.text == DIFFERS
    assert found.difference is not None
    assert found.difference.signal == signal
    assert found.difference.proved != found.difference.simulated


@pytest.mark.budget(4)
@pytest.mark.parametrize(
    "more",
    [
        "reg side; always @(posedge clk) side <= ^x === 1'bx;",
        "reg [3:0] never, side; always @(posedge clk) begin if (never == 4'd3) never <= x; side <= never ? y : x; end",
        "reg [3:0] ram [0:3], side; always @(posedge clk) begin if (start) ram[a[0]] <= b; side <= ram[x[1:0]]; end",
        "reg [3:0] side; always @(posedge clk) side <= x / y;",
        "reg side; always @(posedge clk) case (x[0]) 1'b0, 1'b1: side <= 1'b0; default: side <= 1'b1; endcase",
    ],
    ids=["x as a value", "never written", "words that are never written", "by 0", "an item for x"],
)
def test_what_a_simulator_does_not_know_is_no_difference(more: str, tmp_path: Path) -> None:
    assert _read(tmp_path, more).text.startswith(AGREES)


@pytest.mark.budget(4)
def test_a_difference_leaves_a_proof_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All results agree, and all products were simulated."""
    items, right, wrong, _ = SIDE["a register"]
    text = (_core(tmp_path, items.format(wrong)) / "dut.sv").read_text()

    def read(shell: Shell) -> SteppedDesign:
        """The core with another text."""
        path = tmp_path / "dut.sv"
        own = path.read_text()
        path.write_text(text)
        design = elaborated(shell)
        path.write_text(own)
        return design

    monkeypatch.setattr(moduli, "elaborated", read)
    asked = BindRequest(core=str(_core(tmp_path, items.format(right))), prime="13")
    document, said = cli.decide(asked, jobs=1, simulators=["icarus"])
    assert (document["verdict"], document["difference"]) == ("open", None)
    (failed,) = document["failed"]
    assert (failed["signal"], failed["verdict"]) == ("side", "open")
    assert DIFFERS not in document["trusted"]
    assert said.endswith(f"not proved: {DIFFERS}\n")


@pytest.mark.budget(4)
def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = shell_of(core(tmp_path))
    asked = BindRequest(core=str(tmp_path), prime="13")
    design = elaborated(shell)

    def text(simulator: str = "icarus") -> str:
        return second_reading.second_reading(asked, shell, design, [simulator]).text

    assert text().endswith("421 of them")
    assert text("verilator").endswith("it is not among the simulators")
    monkeypatch.setattr(second_reading, "_COMPARED", 0.01)
    assert text().endswith(("as many as a limit of time allows", "fewer than two products were simulated"))
    monkeypatch.setattr(second_reading, "_MOST_LINES", 3)
    assert text().endswith(f"the design has {len(design.lines)} operations, more than 3")


@pytest.mark.budget
def test_a_core_with_a_unit_of_time(tmp_path: Path) -> None:
    path = _core(tmp_path, "wire [3:0] side = x;") / "dut.sv"
    path.write_text(f"`timescale 1ns / 1ps\n{path.read_text()}")
    asked, shell = BindRequest(core=str(tmp_path), prime="13"), shell_of(tmp_path)
    assert second_reading.second_reading(asked, shell, elaborated(shell), ["icarus"]).text.startswith(AGREES)


@pytest.mark.budget
def test_a_core_that_icarus_does_not_take(tmp_path: Path) -> None:
    found = _read(
        tmp_path, "wire [3:0] side = x; ap: assert property (@(posedge clk) disable iff (rst) done |-> z < p);"
    )
    assert found.text.endswith("it does not take the RTL")
    assert not found.compared


@pytest.mark.budget(4)
def test_a_proof_says_that_its_reading_was_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_reading, "_MOST_LINES", 3)
    document, said = cli.decide(BindRequest(core=str(core(tmp_path)), prime="13"), jobs=1, simulators=["icarus"])
    assert document["verdict"] == "proved"
    (why,) = [line for line in said.splitlines() if "not compared with Icarus Verilog" in line]
    assert why.strip() in document["trusted"]


def test_a_waveform_that_is_cut_off(tmp_path: Path) -> None:
    vcd = tmp_path / "t.vcd"
    head = "$scope module t $end\n$scope module s $end\n$var wire 1 ! clk_i $end\n$var reg 4 # r [3:0] $end\n"
    ends = "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
    vcd.write_text(f"{head}{ends}#0\n0!\nbx #\n#5\n1!\nb1 #\n#10\n0!\nb1z0 #\n#15\n1!\n#20\nb11")
    wave = ShellWave(vcd, "t.s")
    values = [wave.value("r") for _ in wave.cycles()]
    assert values == [(0, 15), (4, 2)]
    assert wave.has("r", 4)
    assert not wave.has("r", 3)
    assert not wave.has("q", 1)
