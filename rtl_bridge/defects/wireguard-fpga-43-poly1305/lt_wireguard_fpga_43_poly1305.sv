// SPDX-License-Identifier: Apache-2.0
//
// a * b mod 2^130 - 5 from limbs of 64 bits, as Poly1305 takes it for every block.
//
// Source of the fault: wireguard-fpga, issue 43. A product of two limbs is kept in the 64 bits of a
// limb, and its high word is gone.
//
// Ranges: a and b below 2^130 - 5; Faulty = 0 keeps both words of a product. Purely combinational.

`default_nettype none

module lt_wireguard_fpga_43_poly1305 #(
  parameter int Faulty = 1
) (
  input wire logic [129:0] a_i,
  input wire logic [129:0] b_i,
  output     logic [129:0] z_o
);

  localparam int          Limbs = 3;
  localparam int          SumW  = 64 * (2 * Limbs - 1);
  localparam logic [130:0] Prime = {1'b0, {127{1'b1}}, 3'b011};

  logic [64*Limbs-1:0] a, b;
  logic [127:0]        product;
  logic [SumW-1:0]     sum;
  logic [SumW-130:0]   folded;  // the low 130 bits and five times the others
  logic [130:0]        once;

  assign a = (64 * Limbs)'(a_i);
  assign b = (64 * Limbs)'(b_i);

  always_comb begin
    sum     = '0;
    product = '0;
    for (int i = 0; i < Limbs; i++) begin
      for (int j = 0; j < Limbs; j++) begin
        product = 128'(a[64*i+:64]) * 128'(b[64*j+:64]);
        if (Faulty != 0) product[127:64] = '0;
        sum = sum + (SumW'(product) << (64 * (i + j)));
      end
    end
  end

  assign folded = (SumW - 129)'(sum[129:0]) + (SumW - 129)'(sum[SumW-1:130]) * 5;
  assign once   = 131'(folded[129:0]) + 131'(folded[SumW-130:130]) * 5;
  assign z_o    = 130'(once >= Prime ? once - Prime : once);

endmodule

`default_nettype wire
