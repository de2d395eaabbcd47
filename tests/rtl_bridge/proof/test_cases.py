# SPDX-License-Identifier: Apache-2.0
"""Cores whose number of cycles depends on operands: good ones are proved, faults of one case are not."""

from pathlib import Path

import pytest

from tests.rtl_bridge.proof.small_core import START_DONE, described, proved

HEAD = """module dut (
  input wire clk, rst, start, input wire [3:0] a, b, p, output reg done, output reg [3:0] z
);
"""
SERIAL = (
    HEAD
    + """  reg run; reg [3:0] x, y, s;
  wire [4:0] sum = s + (y[0] ? x : 4'd0);
  wire [3:0] next = sum >= p ? sum - p : sum;
  wire [4:0] twice = {{x, 1'b0}};
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) run <= 1'b0;
    else if (start & ~run) begin x <= a; y <= b; s <= 0; run <= 1'b1; end
    else if (run) begin
      s <= next; y <= y >> 1; x <= twice >= p ? twice - p : twice;
      if ({last}) begin run <= 1'b0; done <= 1'b1; z <= {value}; end
    end
  end
endmodule
"""
)
SHORTCUT = (
    HEAD
    + """  reg run; reg [3:0] x, y; reg [1:0] n; reg early;
  wire [7:0] prod = x * y;
  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) begin run <= 1'b0; early <= 1'b0; end
    else if (start & ~run) begin
      x <= a; y <= b; n <= 0;
      if ({short}) begin done <= 1'b1; z <= {zero}; early <= 1'b1; end
      else run <= 1'b1;
    end else if (run) begin
      n <= n + 1;
      if (n == 2) begin z <= prod % p{spoil}; done <= 1'b1; run <= 1'b0; early <= 1'b0; end
    end
  end
endmodule
"""
)


def serial(folder: Path, last: str = "y[3:1] == 0", value: str = "next") -> Path:
    """Ends as soon as the bits that are left of b are 0."""
    return described(folder, SERIAL.format(last=last, value=value), START_DONE)


def shortcut(folder: Path, short: str = "a == 0 | b == 0", zero: str = "4'd0", spoil: str = "") -> Path:
    """Gives 0 at once if an operand is 0."""
    return described(folder, SHORTCUT.format(short=short, zero=zero, spoil=spoil), START_DONE)


@pytest.mark.budget(4)
@pytest.mark.parametrize(("core", "cycles"), [(serial, {1, 2, 3, 4}), (shortcut, {0, 3})])
def test_a_good_core_is_proved_in_each_number_of_cycles(core: object, cycles: set[int], tmp_path: Path) -> None:
    assert callable(core)
    proofs = proved(core(tmp_path))
    assert not proofs.failed
    assert "finished" in proofs.depends
    assert {each.cycles for each in proofs.scenarios if each.name == "behind"} == cycles


@pytest.mark.budget(4)
@pytest.mark.parametrize(
    ("last", "value"),
    [
        ("y[3:1] == 0", "next ^ (y == 1 & x == 3 & s == 0)"),
        ("y[3:1] == 0 | y == 2 & x == 5", "next"),
        ("y[3:2] == 0", "next"),
    ],
)
def test_a_serial_core_that_ends_wrong(last: str, value: str, tmp_path: Path) -> None:
    """In one case, one cycle early for one value, and one cycle early for all."""
    assert [failed.verdict for failed in proved(serial(tmp_path, last, value)).failed] == ["refuted"]


@pytest.mark.budget(4)
@pytest.mark.parametrize(
    ("short", "zero", "spoil"),
    [
        ("a == 0 | b == 0 | a == 3 & b == 5", "4'd0", ""),
        ("a == 0 | b == 0", "b == 9 ? 4'd1 : 4'd0", ""),
        ("a == 0 | b == 0", "4'd0", " ^ (early & x == 3 & y == 5)"),
    ],
)
def test_a_shortcut_that_is_wrong(short: str, zero: str, spoil: str, tmp_path: Path) -> None:
    """Taken for another pair, with another result, and for the next product behind it alone."""
    assert [failed.verdict for failed in proved(shortcut(tmp_path, short, zero, spoil)).failed] == ["refuted"]


@pytest.mark.budget(4)
def test_a_core_that_hangs_for_one_operand(tmp_path: Path) -> None:
    """With values that show it: such a product starts, and is never done."""
    text = SHORTCUT.format(short="a == 0 | b == 0", zero="4'd0", spoil="").replace("n <= n + 1;", "n <= n + (x != 7);")
    (failed,) = proved(described(tmp_path, text, START_DONE)).failed
    assert (failed.step, failed.verdict, failed.values["a0"]) == ("done", "refuted", 7)
