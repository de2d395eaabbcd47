// SPDX-License-Identifier: Apache-2.0
//
// A place in the datapath where there may be a register.

`default_nettype none

module lt_cut #(
  parameter int Width = 1,
  parameter bit On    = 1'b0
) (
  input wire logic             clk_i,
  input wire logic [Width-1:0] d_i,
  output     logic [Width-1:0] q_o
);

  generate
  if (On) begin : gen_register
    always_ff @(posedge clk_i) q_o <= d_i;
  end else begin : gen_wire
    logic unused_clk;
    assign unused_clk = clk_i;
    assign q_o = d_i;
  end
  endgenerate

endmodule

`default_nettype wire
