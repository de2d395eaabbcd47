// SPDX-License-Identifier: Apache-2.0
//
// Barrett's reduction of 2K bits: the quotient is floor(t / 2^(K-1)) * u / 2^(K+1), where
// u = floor(2^(2K) / p), and at most 2 too small.
//
// Source of the fault: the FPGA engine of the Zcash Foundation, issue 17. The rest is compared with
// p, and on the FPGA p was not subtracted.
//
// Ranges: K bits of p, which is no power of two; Faulty = 0 subtracts p while the rest is not below
// it. Purely combinational.

`default_nettype none

module lt_zcash_fpga_17_barrett #(
  parameter int K      = 256,  // bits of the modulus
  parameter int Faulty = 1
) (
  input wire logic [2*K-1:0] t_i,
  input wire logic [K-1:0]   p_i,
  input wire logic [K:0]     u_i,
  output     logic [K-1:0]   z_o
);

  logic [2*K+1:0] product;
  logic [K+1:0]   quotient_p, modulus, rest, once, twice;
  logic           unused_bits;

  assign product    = (2 * K + 2)'(t_i[2*K-1:K-1]) * (2 * K + 2)'(u_i);
  assign quotient_p = (K + 2)'(product[2*K+1:K+1]) * (K + 2)'(p_i);
  assign modulus    = (K + 2)'(p_i);

  assign rest  = t_i[K+1:0] - quotient_p;
  assign once  = Faulty == 0 && rest >= modulus ? rest - modulus : rest;
  assign twice = Faulty == 0 && once >= modulus ? once - modulus : once;
  assign z_o   = twice[K-1:0];

  assign unused_bits = ^{product[K:0], twice[K+1:K]};

endmodule

`default_nettype wire
