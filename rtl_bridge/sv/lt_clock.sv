// SPDX-License-Identifier: Apache-2.0
//
// Clock and reset of a testbench. The reset begins after an edge, so that an asynchronous one is
// an event too, and lasts four cycles. Its end is said the way assertions of the core are: in the
// units of time in which the simulator says theirs.

`default_nettype none

module lt_clock (
  output     logic clk_o,
  output     logic rst_o,
  output     logic ready_o  // the reset is over
);

  localparam logic [2:0] Last = 3'd5;

  logic       clk;
  logic [2:0] age_q;

  initial begin
    clk   = 1'b0;
    age_q = '0;
  end

  // verilator lint_off BLKSEQ
  // A clock is no register.
  always begin
    #5 clk = 1'b1;
    #5 clk = 1'b0;
  end
  // verilator lint_on BLKSEQ

  // Not always_ff: VCS and Questa let nothing else assign its variables, not even an initial block.
  always @(posedge clk) begin
    if (age_q != Last) age_q <= age_q + 3'd1;
    if (age_q == Last - 3'd1) $info("LIMBTRACE UP");
  end

  assign clk_o   = clk;
  assign rst_o   = (age_q != '0) & (age_q != Last);
  assign ready_o = (age_q == Last);

endmodule

`default_nettype wire
