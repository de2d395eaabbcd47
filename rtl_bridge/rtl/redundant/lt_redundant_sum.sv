// SPDX-License-Identifier: Apache-2.0
//
// The sum of up to four words of W bits and three units, as W bits and three units of the next
// digit.
//
//   w + x + y + z = (w + parity) + 2*majority,   of the bits of x, y and z at one position
//
// These are two carry chains and no LUT besides theirs: the one in front of each position of a
// chain has more inputs than w and one bit, and works parity or majority out. Carry inputs of both
// chains, and the lowest bit beside the majority, take the units. What leaves as units are the
// carries of both chains and the top majority: adding them up would take a LUT.

`default_nettype none

module lt_redundant_sum #(
  parameter int W = 15
) (
  input wire logic [W-1:0] w_i,
  input wire logic [W-1:0] x_i,
  input wire logic [W-1:0] y_i,
  input wire logic [W-1:0] z_i,
  input wire logic [2:0]   units_i,
  output     logic [W-1:0] sum_o,
  output     logic [2:0]   units_o
);

  logic [W-1:0] parity;
  logic [W-1:0] majority;
  logic [W-1:0] first;

  always_comb begin
    parity   = x_i ^ y_i ^ z_i;
    majority = (x_i & y_i) | (x_i & z_i) | (y_i & z_i);
  end

  lt_redundant_add #(.W(W)) u_first (
    .w_i   (w_i),
    .x_i   (parity),
    .unit_i(units_i[0]),
    .sum_o ({units_o[0], first})
  );

  lt_redundant_add #(.W(W)) u_second (
    .w_i   (first),
    .x_i   ({majority[W-2:0], units_i[2]}),
    .unit_i(units_i[1]),
    .sum_o ({units_o[1], sum_o})
  );

  assign units_o[2] = majority[W-1];

endmodule

`default_nettype wire
