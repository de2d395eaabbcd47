// SPDX-License-Identifier: Apache-2.0
//
// Second half of a modular adder: reduces the sum of two operands below p, of W bits and a carry.
//
// Source of the fault: Caliptra RTL, issue 173. p is subtracted after a carry alone, so that a sum
// from p on without a carry stays as it is.
//
// Ranges: W bits of p, the sum below 2p; Faulty = 0 subtracts p from every sum from p on. Purely
// combinational.

`default_nettype none

module lt_caliptra_173_adder #(
  parameter int W      = 384,  // bits of the modulus
  parameter int Faulty = 1
) (
  input wire logic [W:0]   sum_i,
  input wire logic [W-1:0] p_i,
  output     logic [W-1:0] z_o
);

  logic         carry, reaches_p;
  logic [W-1:0] difference;

  assign difference = sum_i[W-1:0] - p_i;
  assign carry      = sum_i[W];
  assign reaches_p  = Faulty == 0 && sum_i[W-1:0] >= p_i;
  assign z_o        = carry || reaches_p ? difference : sum_i[W-1:0];

endmodule

`default_nettype wire
