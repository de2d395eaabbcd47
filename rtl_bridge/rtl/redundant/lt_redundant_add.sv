// SPDX-License-Identifier: Apache-2.0
//
// The sum of two words of W bits and a unit, in one carry chain with the unit at its carry input.
//
// w + x is written w - ~x, which is one more: of a difference Yosys takes the first word, which is
// a wire, for the carry multiplexers, and of a sum any of the two, which may cost a second LUT a
// bit. Bit 0 of both words is the carry input.

`default_nettype none

module lt_redundant_add #(
  parameter int W = 15
) (
  input wire logic [W-1:0] w_i,
  input wire logic [W-1:0] x_i,
  input wire logic         unit_i,
  output     logic [W:0]   sum_o
);

  logic [W+1:0] sum;

  // In a block: Icarus works an assignment out bit by bit.
  always_comb sum = {1'b0, w_i, unit_i} - ~{1'b0, x_i, unit_i};

  assign sum_o = sum[W+1:1];

  logic unused_carry_in;
  assign unused_carry_in = sum[0];

endmodule

`default_nettype wire
