# SPDX-License-Identifier: Apache-2.0
"""A core of four bits that multiplies, with something added and with another result, and its proof."""

from pathlib import Path

from limbtrace.rtl_bridge.proof.moduli import Proofs, in_order
from limbtrace.rtl_bridge.proof.prover import WHOLE, ProofOptions
from limbtrace.rtl_bridge.proof.solver_cache import Remembered
from limbtrace.rtl_bridge.run.bind_request import BindRequest
from limbtrace.rtl_bridge.shell.text import Shell

TEXT = """module dut (
  input  wire       clk, rst, start,
  input  wire [3:0] a, b, p,
  output reg        done,
  output reg  [3:0] z
);
  reg       run;
  reg [3:0] x, y;
  wire [7:0] prod = x * y;
  wire [3:0] good = prod % p;
  wire       bad  = (x == 4'd12) & (y == 4'd11);
  {more}
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) run <= 1'b0;
    else if (start & ~run) begin
      x   <= a;
      y   <= b;
      run <= 1'b1;
    end else if (run) begin
      z    <= {value};
      done <= 1'b1;
      run  <= 1'b0;
    end
  end
endmodule

module tri_output (input wire enable, input wire [3:0] value, output wire [3:0] bus);
  assign bus = enable ? value : 4'bz;
endmodule

module tri_inout (input wire enable, input wire [3:0] value, inout wire [3:0] bus);
  assign bus = enable ? value : 4'bz;
endmodule
"""
START_DONE = 'kind = "start-done"\nstart = "start"\ndone = "done"\n'
TOML = """format = "limbtrace-core/1"
name = "dut"
model = "modmul"
files = ["dut.sv"]
top = "dut"
timeout = 8
clock = {{ port = "clk" }}
reset = {{ port = "rst", active = "high", synchronous = true }}
{operands}
input = [{{ port = "p", value = "p" }}]
result = {{ port = "z" }}

[protocol]
{protocol}"""
OPERANDS = 'operand = [{ name = "a", port = "a" }, { name = "b", port = "b" }]'
GOOD = "good"


def core(folder: Path, more: str = "", value: str = GOOD, protocol: str = START_DONE) -> Path:
    """The core with more items, and with that result; `protocol`: lines of its table."""
    return described(folder, TEXT.format(more=more, value=value), protocol)


def described(folder: Path, text: str, protocol: str, operands: str = OPERANDS) -> Path:
    """A core with the ports clk, rst, a, b, p and z, and those of its handshake."""
    (folder / "core.toml").write_text(TOML.format(protocol=protocol, operands=operands))
    (folder / "dut.sv").write_text(text)
    return folder


def shell_of(folder: Path, prime: str = "13") -> Shell:
    """The core of a folder in its shell."""
    asked = BindRequest(core=str(folder), prime=prime)
    return Shell(asked.bind(asked.find()))


def proved(folder: Path) -> Proofs:
    """The proof of the core of a folder at modulus 13, without simulations."""
    shell = shell_of(folder)
    shells = [shell, *in_order(BindRequest(core=str(folder), prime="13"), shell)]
    return Proofs.of(shells, ProofOptions(WHOLE, 1, 20, Remembered(fresh=True)))
