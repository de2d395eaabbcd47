# SPDX-License-Identifier: Apache-2.0
"""Operators, choices and initial values in GHDL's Verilog: for all values of a byte they are those of the VHDL."""

import subprocess
from pathlib import Path

import pytest

from limbtrace.rtl_bridge.elaboration.ghdl_synthesis import Conversion
from limbtrace.rtl_bridge.programs import ghdl_netlist
from limbtrace.rtl_bridge.programs.ghdl import ghdl
from limbtrace.rtl_bridge.programs.ghdl_netlist import completed
from tests.patience import PATIENCE

EXPRESSIONS = {
    "shift": "unsigned(shift_right(signed(x), 2))",
    "shift by a value": "unsigned(shift_right(signed(x), to_integer(x(1 downto 0))))",
    "shift of unsigned": "shift_right(x, to_integer(x(1 downto 0)))",
    "quotient": "unsigned(signed(x) / 7)",
    "quotient of values": "unsigned(signed(x) / signed(x rol 3)) when x /= 0 else x",
    "mod": "unsigned(signed(x) mod 7)",
    "mod of a negative number": "unsigned(signed(x) mod (-7))",
    "mod of values": "unsigned(signed(x) mod signed(x rol 3)) when x /= 0 else x",
    "rem": "unsigned(signed(x) rem 7)",
    "rem of values": "unsigned(signed(x) rem signed(x rol 3)) when x /= 0 else x",
    "unsigned mod": "(x mod 6) xor (x / 7)",
    "integers": "unsigned(to_signed((to_integer(signed(x)) - 5) mod 9 - to_integer(signed(x)) / 3, 8))",
    "absolute value": "unsigned(abs signed(x))",
    "negative": "unsigned(- signed(x))",
    "maximum": "unsigned(maximum(signed(x), to_signed(-3, 8)))",
    "minimum": "unsigned(minimum(signed(x), to_signed(20, 8)))",
    "comparison": 'x"01" when signed(x) < -20 else x"02" when signed(x) >= 48 else x"03"',
    "product": "unsigned(resize(signed(x(3 downto 0)) * signed(x(7 downto 4)), 8))",
    "rotation": "rotate_left(x, to_integer(x(2 downto 0)))",
    "aggregate": "(0 => x(3), 3 downto 2 => x(0), 7 => x(6), others => x(1))",
    "initial value": "driven xor x",
    "initial value by another one": "driven_again xor x",
    "initial value of a truth": 'x"55" when truth else x"66"',
    "table": "table(to_integer(x(2 downto 0)))",
}
"""Each of the byte `x`."""

DECLARED = f"""
  type bytes is array (natural range <>) of unsigned(7 downto 0);
  constant table : bytes(0 to 7) := (0 => x"11", 3 => x"44", 5 => x"a0", others => x"07");
  signal driven, driven_again : unsigned(7 downto 0) := x"03";
  signal constants : unsigned(7 downto 0) := x"01";
  signal found : bytes(0 to {len(EXPRESSIONS) - 1});
  signal truth : boolean := true;
"""
FIXED = '  driven <= x"05"; driven_again <= constants; constants <= x"09"; truth <= x > 10 and x < 100;\n'
HEAD = "library ieee; use ieee.std_logic_1164.all; use ieee.numeric_std.all;\n"
WIDTH = 8 * len(EXPRESSIONS)


def entity() -> str:
    """An entity with a byte for each expression, the first one in the low bits."""
    ports = f"x : in unsigned(7 downto 0); y : out unsigned({WIDTH - 1} downto 0)"
    body = "".join(
        f"  found({k}) <= {text};\n  y({8 * k + 7} downto {8 * k}) <= found({k});\n"
        for k, text in enumerate(EXPRESSIONS.values())
    )
    return f"{HEAD}entity f is port ({ports}); end;\narchitecture a of f is{DECLARED}begin\n{FIXED}{body}end;\n"


VHDL_BENCH = f"""{HEAD}use std.textio.all;
entity bench is end;
architecture a of bench is
  signal x : unsigned(7 downto 0) := x"00";
  signal y : unsigned({WIDTH - 1} downto 0);
begin
  u_f : entity work.f port map (x, y);
  process
    variable row : line;
  begin
    for k in 0 to 255 loop
      x <= to_unsigned(k, 8); wait for 5 ns;
      write(row, std_logic_vector(y)); writeline(output, row);
    end loop;
    wait;
  end process;
end;
"""
VERILOG_BENCH = f"""module bench;
  reg [7:0] x = 0; wire [{WIDTH - 1}:0] y; integer k;
  f u_f (.x(x), .y(y));
  initial for (k = 0; k < 256; k = k + 1) begin x = k; #5 $display("%b", y); end
endmodule
"""


def rows(command: str, folder: Path) -> list[list[str]]:
    """For each value of x the byte of each expression."""
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    lines = [line for line in done.stdout.splitlines() if len(line) == WIDTH]
    assert len(lines) == 256, done.stdout + done.stderr
    return [[line[WIDTH - 8 * k - 8 : WIDTH - 8 * k] for k in range(len(EXPRESSIONS))] for line in lines]


def different(folder: Path) -> list[str]:
    """The expressions that differ for some value."""
    (folder / "f.vhd").write_text(entity())
    (folder / "bench.vhd").write_text(VHDL_BENCH)
    (folder / "bench.v").write_text(VERILOG_BENCH)
    converted = Conversion((("f.vhd", folder / "f.vhd"),), "08", (("f", {}),)).place
    tool = f"{ghdl().path} {{}} --std=08 -frelaxed -fsynopsys"
    simulated = rows(
        f"{tool.format('-a')} f.vhd bench.vhd && {tool.format('--elab-run')} bench --ieee-asserts=disable", folder
    )
    found = rows(f"iverilog -g2005 -o bench.vvp bench.v {converted} && vvp -n bench.vvp", folder)
    return [
        name
        for k, name in enumerate(EXPRESSIONS)
        if [row[k] for row in simulated] != [row[k] for row in found]
    ]  # fmt: skip


def test_all_values(tmp_path: Path) -> None:
    assert different(tmp_path) == []


@pytest.mark.parametrize(
    ("repair", "broken"),
    [("_driven", ["initial value", "initial value by another one"]), ("_division", ["mod", "rem"])],
)
def test_without_a_repair_they_differ(
    repair: str, broken: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GHDL 2.0 needs them."""
    monkeypatch.setenv("LIMBTRACE_BUILD", str(tmp_path / "cache"))
    monkeypatch.setattr(ghdl_netlist, repair, lambda found: found[0])
    assert set(broken) <= set(different(tmp_path))


REGISTER = """module t
  (input  clk,
   output [3:0] y);
  reg [3:0] s;
  reg [3:0] n1_q;
  assign y = s;
  always @*
    s = n1_q; // (isignal)
  initial
    s <= 4'b0011;
  always @(posedge clk)
    n1_q <= y;
{initial}endmodule
"""


@pytest.mark.parametrize("has_initial", [True, False])
def test_a_register_without_an_initial_value_has_that_of_its_signal(has_initial: bool) -> None:
    initial = "  initial\n    n1_q <= 4'b0011;\n" if has_initial else ""
    text = completed(REGISTER.format(initial=initial), str)
    assert ("  wire [3:0] s;\n" in text, "assign s = n1_q;" in text) == (has_initial, has_initial)
    assert ("  initial\n    s <= 4'b0011;\n" in text) != has_initial
