// SPDX-License-Identifier: Apache-2.0
//
// The sum of up to four words of W bits and the overlap bits of the digit below, as a digit: W bits
// and two that overlap the next one.
//
//   w + x + y + z = (w + parity) + 2*majority,   of the bits of x, y and z at one position
//
// These are two carry chains and no LUT besides theirs: the one in front of each position of a
// chain has more inputs than w and one bit, and works parity or majority out. Carry inputs of both
// chains, and the lowest bit beside the majority, take the overlap bits c.
//
// x + y is written x - ~y, which is one more: of a difference Yosys takes the first word, which is a
// wire, for the carry multiplexers, and of a sum any of the two, which may cost a second LUT a bit.
// Bit 0 of both words is the carry input.

`default_nettype none

module lt_redundant_sum #(
  parameter int W = 15
) (
  input  logic [W-1:0] w_i,
  input  logic [W-1:0] x_i,
  input  logic [W-1:0] y_i,
  input  logic [W-1:0] z_i,
  input  logic [1:0]   c_i,
  output logic [W+1:0] sum_o
);

  logic [W-1:0] parity;
  logic [W-1:0] majority;
  logic [W+1:0] first;
  logic [W+2:0] second;

  always_comb begin
    parity   = x_i ^ y_i ^ z_i;
    majority = (x_i & y_i) | (x_i & z_i) | (y_i & z_i);
    first    = {1'b0, w_i, c_i[1]} - ~{1'b0, parity, c_i[1]};
    second   = {1'b0, first[W+1:1], c_i[1]} - ~{1'b0, majority, c_i[0], c_i[1]};
  end

  assign sum_o = second[W+2:1];

  logic unused_carry_ins;
  assign unused_carry_ins = first[0] ^ second[0];

endmodule

`default_nettype wire
