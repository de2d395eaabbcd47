// SPDX-License-Identifier: Apache-2.0
//
// Product of two words of two digits in a row of four DSP blocks, one product a cycle:
//
//   P0 = x0*y0              P2 = x1*y0 + P1
//   P1 = x0*y1 + (P0 >> D)  P3 = x1*y1 + (P2 >> D)     x*y = {P3, P2[D-1:0], P0[D-1:0]}
//
// Each block is one cycle behind the one before. With x0 and y on the ports in cycle 0, x1 comes in
// cycle E - 1, P0 is there in cycle E, P1 in E + 1, P2 in E + 2, P3 in E + 3, where E = 3. Without
// Fast the first block has no register behind its adder, which it does not use: E = 2.

`default_nettype none

module lt_fpmm_product #(
  parameter int D    = 17,
  parameter int Fast = 1
) (
  input wire logic           clk_i,
  input wire logic [D-1:0]   x0_i,
  input wire logic [D-1:0]   x1_i,
  input wire logic [2*D-1:0] y_i,
  output     logic [D-1:0]   p0_o,
  output     logic [D-1:0]   p2_o,
  output     logic [2*D-1:0] p3_o
);

  localparam int Lead = (Fast != 0) ? 1 : 0;

  logic [2*D:0] p0, p1, p2, p3;
  logic [D-1:0] x0_d1, x1_d3, y1_d1, y0_d2, y1_d3;

  lt_fpmm_delay #(.Width(D), .Depth(Lead)) u_x0_d1 (.clk_i(clk_i), .d_i(x0_i), .q_o(x0_d1));
  lt_fpmm_delay #(.Width(D), .Depth(1)) u_x1_d3 (.clk_i(clk_i), .d_i(x1_i), .q_o(x1_d3));
  lt_fpmm_delay #(.Width(D), .Depth(Lead)) u_y1_d1 (.clk_i(clk_i), .d_i(y_i[2*D-1:D]), .q_o(y1_d1));
  lt_fpmm_delay #(.Width(D), .Depth(Lead + 1)) u_y0_d2 (
    .clk_i(clk_i),
    .d_i  (y_i[D-1:0]),
    .q_o  (y0_d2)
  );
  lt_fpmm_delay #(.Width(D), .Depth(2)) u_y1_d3 (.clk_i(clk_i), .d_i(y1_d1), .q_o(y1_d3));

  lt_fpmm_dsp #(.D(D), .PReg(Fast)) u_dsp0 (
    .clk_i(clk_i), .x_i(x0_i), .y_i(y_i[D-1:0]), .z_i((2 * D + 1)'(0)), .p_o(p0)
  );
  lt_fpmm_dsp #(.D(D)) u_dsp1 (
    .clk_i(clk_i), .x_i(x0_d1), .y_i(y1_d1), .z_i(p0 >> D), .p_o(p1)
  );
  lt_fpmm_dsp #(.D(D)) u_dsp2 (
    .clk_i(clk_i), .x_i(x1_i), .y_i(y0_d2), .z_i(p1), .p_o(p2)
  );
  lt_fpmm_dsp #(.D(D)) u_dsp3 (
    .clk_i(clk_i), .x_i(x1_d3), .y_i(y1_d3), .z_i(p2 >> D), .p_o(p3)
  );

  assign p0_o = p0[D-1:0];
  assign p2_o = p2[D-1:0];
  assign p3_o = p3[2*D-1:0];

  logic unused_bit;  // a product has no carry
  assign unused_bit = p3[2*D];

endmodule

`default_nettype wire
