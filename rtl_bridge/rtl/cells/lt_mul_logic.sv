// SPDX-License-Identifier: Apache-2.0
//
// Unsigned multiplier of K x K bits in logic: four multipliers of half the width and three short
// sums, down to 2 x 2 bits. It shares nothing with the operator `*`.
//
// Source: M. Morales-Sandoval, A. Diaz Perez, "Novel algorithms and hardware architectures for
// Montgomery Multiplication over GF(p)", section 4.1. The paper has K a power of two; here an odd
// width is halved as if a zero stood above it.
//
// K is at least 2. Purely combinational.

`default_nettype none

(* use_dsp = "no" *)
module lt_mul_logic #(
  parameter int K = 32  // bits of a factor
) (
  input wire logic [K-1:0]   u_i,
  input wire logic [K-1:0]   v_i,
  output     logic [2*K-1:0] product_o
);

  generate
  if (K <= 2) begin : gen_base
    logic mixed, other, carry;

    assign mixed     = u_i[1] & v_i[0];
    assign other     = u_i[0] & v_i[1];
    assign carry     = mixed & other;
    assign product_o = {u_i[1] & v_i[1] & carry, (u_i[1] & v_i[1]) ^ carry, mixed ^ other,
                        u_i[0] & v_i[0]};
  end else begin : gen_halves
    localparam int M = (K + 1) / 2;

    logic [M-1:0]   u_low, u_high, v_low, v_high;
    logic [2*M-1:0] low, mixed, other, high;
    logic [M+1:0]   sum1, sum2;  // M bits and a carry of at most 2
    logic [M-1:0]   sum3;

    assign u_low  = u_i[M-1:0];
    assign v_low  = v_i[M-1:0];
    assign u_high = M'(u_i[K-1:M]);
    assign v_high = M'(v_i[K-1:M]);

    lt_mul_logic #(.K(M)) u_mul_low   (.u_i(u_low),  .v_i(v_low),  .product_o(low));
    lt_mul_logic #(.K(M)) u_mul_mixed (.u_i(u_low),  .v_i(v_high), .product_o(mixed));
    lt_mul_logic #(.K(M)) u_mul_other (.u_i(u_high), .v_i(v_low),  .product_o(other));
    lt_mul_logic #(.K(M)) u_mul_high  (.u_i(u_high), .v_i(v_high), .product_o(high));

    assign sum1 = (M + 2)'(low[2*M-1:M]) + (M + 2)'(mixed[M-1:0]) + (M + 2)'(other[M-1:0]);
    assign sum2 = (M + 2)'(mixed[2*M-1:M]) + (M + 2)'(other[2*M-1:M]) + (M + 2)'(high[M-1:0]) +
                  (M + 2)'(sum1[M+1:M]);
    assign sum3 = high[2*M-1:M] + M'(sum2[M+1:M]);

    assign product_o = (2 * K)'({sum3, sum2[M-1:0], sum1[M-1:0], low[M-1:0]});
  end
  endgenerate

`ifndef SYNTHESIS
  initial begin
    assert (K >= 2) else $fatal(1, "K = %0d is below 2", K);
  end
`endif

endmodule

`default_nettype wire
