// SPDX-License-Identifier: Apache-2.0
//
// One DSP block: P = X*Y, with a register behind it if PReg.

`default_nettype none

module lt_redundant_dsp #(
  parameter int XW   = 24,
  parameter int YW   = 17,
  parameter int PReg = 1
) (
  input wire logic             clk_i,
  input wire logic [XW-1:0]    x_i,
  input wire logic [YW-1:0]    y_i,
  output     logic [XW+YW-1:0] p_o
);

  logic [XW+YW-1:0] product;

  // In a block: Icarus works an assignment out bit by bit.
  always_comb product = (XW + YW)'(x_i) * (XW + YW)'(y_i);

  generate
  if (PReg != 0) begin : gen_p
    logic [XW+YW-1:0] p_q;

    always_ff @(posedge clk_i) begin
      p_q <= product;
    end

    assign p_o = p_q;
  end else begin : gen_no_p
    logic unused_clk;
    assign unused_clk = clk_i;
    assign p_o = product;
  end
  endgenerate

endmodule

`default_nettype wire
