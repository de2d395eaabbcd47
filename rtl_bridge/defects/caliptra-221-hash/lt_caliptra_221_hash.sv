// SPDX-License-Identifier: Apache-2.0
//
// The hash of a message modulo the order of a curve, as RFC 6979 wants it.
//
// Source of the fault: Caliptra RTL, issue 221. The step is missing: the hash goes on as it is.
//
// Ranges: W bits of the order, which is above 2^(W-1), and of the hash; Faulty = 0 subtracts the
// order from a hash that is not below it. Purely combinational.

`default_nettype none

module lt_caliptra_221_hash #(
  parameter int W      = 384,  // bits of the order and of the hash
  parameter int Faulty = 1
) (
  input wire logic [W-1:0] hash_i,
  input wire logic [W-1:0] q_i,
  output     logic [W-1:0] z_o
);

  assign z_o = Faulty == 0 && hash_i >= q_i ? hash_i - q_i : hash_i;

endmodule

`default_nettype wire
