// SPDX-License-Identifier: Apache-2.0
//
// A value Depth cycles later; Depth 0 is a wire. Without reset, so that it can become SRLs.

`default_nettype none

module lt_fpmm_delay #(
  parameter int Width = 1,
  parameter int Depth = 1
) (
  input wire logic             clk_i,
  input wire logic [Width-1:0] d_i,
  output     logic [Width-1:0] q_o
);

  generate
  if (Depth == 0) begin : gen_wire
    logic unused_clk;
    assign unused_clk = clk_i;
    assign q_o = d_i;
  end else begin : gen_line
    logic [Depth*Width-1:0] line_q;  // the newest value in the low bits

    always_ff @(posedge clk_i) begin
      line_q <= (Depth * Width)'({line_q, d_i});
    end

    assign q_o = line_q[Depth*Width-1-:Width];
  end
  endgenerate

endmodule

`default_nettype wire
