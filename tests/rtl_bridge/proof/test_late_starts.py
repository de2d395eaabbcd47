# SPDX-License-Identifier: Apache-2.0
"""Products that are loaded into a memory of the core: any number of cycles before their start, and after a result."""

from pathlib import Path

import pytest

from tests.rtl_bridge.proof.small_core import described, proved
from tests.sample import full

TEXT = """module dut (
  input  wire       clk, rst, we, sel, addr, start,
  input  wire [1:0] data,
  input  wire [3:0] p,
  output wire       busy,
  output reg        done,
  output reg  [3:0] z
);
  reg [1:0] words [0:3];
  reg [1:0] left;
  reg       wrong;
  {more}
  wire [3:0] x = {{words[1], words[0]}}, y = {{words[3], words[2]}};
  wire [7:0] prod = x * y;
  assign busy = left != 0;
  always @(posedge clk) begin
    done <= left == 1;
    if (we) words[{{sel, addr}}] <= data;
    if (rst) left <= 0;
    else if (start & ~busy) begin
      left  <= 2;
      wrong <= {wrong};
    end else if (busy) left <= left - 1;
    if (left == 1) z <= wrong & x == 4'd12 & y == 4'd11 ? 4'd0 : prod % p;
  end
endmodule
"""
PROTOCOL = """kind = "start-done"
start = "start"
busy = "busy"
done = "done"

[memory]
enable = "we"
select = "sel"
address = "addr"
data = "data"
depth = 2
load = [{ value = "a", select = 0, words = 2 }, { value = "b", select = 1, words = 2 }]
"""
SINCE = "reg [6:0] since; always @(posedge clk) if (rst | we) since <= 0; else if (~&since) since <= since + 1;"
BLINK = "reg blink; always @(posedge clk) blink <= ~rst & ~we & ~blink;"


def loaded(folder: Path, more: str = "", wrong: str = "1'b0") -> Path:
    """A core with two words for each operand that is wrong for one pair of them, after such a start."""
    return described(folder, TEXT.format(more=more, wrong=wrong), PROTOCOL, operands="")


@pytest.mark.budget(4)
@pytest.mark.parametrize("more", ["", SINCE, BLINK])
def test_a_core_that_may_wait_is_proved(more: str, tmp_path: Path) -> None:
    """Also one that counts the cycles since the load, or is in turn in two states."""
    assert not proved(loaded(tmp_path, more)).failed


@pytest.mark.budget(4)
@pytest.mark.parametrize(
    ("more", "wrong"),
    [(SINCE, "since == 100"), (SINCE, "since == 3"), (SINCE, "since == 7"), (SINCE, "since == 8"), (BLINK, "blink")],
)
def test_a_start_some_cycles_after_the_load(more: str, wrong: str, tmp_path: Path) -> None:
    """The first start of a proof comes in the cycle after the last word."""
    assert [failed.verdict for failed in proved(loaded(tmp_path, more, wrong)).failed] == ["refuted"]


SOON = (
    "reg [2:0] since; reg soon; always @(posedge clk) begin"
    " if (rst) since <= 7; else if (busy) since <= 0; else if (~&since) since <= since + 1;"
    " if (rst | start) soon <= 0; else if (we & since == {}) soon <= 1; end"
)


@pytest.mark.budget(2)
@pytest.mark.parametrize("cycles", [1, *map(full, (2, 3, 4))])
def test_a_load_in_the_first_cycles_after_done(cycles: int, tmp_path: Path) -> None:
    """The bench takes some cycles before it loads the next product."""
    proofs = proved(loaded(tmp_path, SOON.format(cycles), "soon"))
    assert [failed.verdict for failed in proofs.failed] == ["refuted"]
