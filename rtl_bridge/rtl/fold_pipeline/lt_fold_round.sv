// SPDX-License-Identifier: Apache-2.0
//
// One round: the bits from K on are multiplied by C and added to those below.
//
// sum_o = sum_i mod 2^K + (sum_i >> K) * C, which is sum_i modulo 2^K - C. OutW bits hold it.
// C is a constant of few bits or of few ones, so that tools build shifts and additions from it.
// Purely combinational.

`default_nettype none

module lt_fold_round #(
  parameter int          K    = 64,            // bits of the modulus
  parameter logic [63:0] C    = 64'hffffffff,  // 2^K - p
  parameter int          InW  = 128,           // K + 1 and more
  parameter int          OutW = 97
) (
  input wire logic [InW-1:0]  sum_i,
  output     logic [OutW-1:0] sum_o
);

  logic [OutW-1:0] folded;

  // In a block: Icarus works an assignment out bit by bit.
  always_comb folded = OutW'(sum_i[InW-1:K]) * OutW'(C);

  assign sum_o = OutW'(sum_i[K-1:0]) + folded;

endmodule

`default_nettype wire
