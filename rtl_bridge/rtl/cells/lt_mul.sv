// SPDX-License-Identifier: Apache-2.0
//
// Unsigned multiplier of K x K bits that returns the low ProductW bits.
//
// UseDsp = 1 writes `*` and asks for DSP blocks; UseDsp = 0 builds the product in logic, from
// lt_mul_logic. Both are equal in every bit. K is at least 2, ProductW 1..2*K. Purely
// combinational: a register that is to go into the DSP block stands directly behind it.

`default_nettype none

module lt_mul #(
  parameter int K        = 32,     // bits of a factor
  parameter int ProductW = 2 * K,  // bits of the product
  parameter int UseDsp   = 1
) (
  input wire logic [K-1:0]        a_i,
  input wire logic [K-1:0]        b_i,
  output     logic [ProductW-1:0] product_o
);

  generate
  if (UseDsp != 0) begin : gen_dsp
    (* use_dsp = "yes" *) logic [ProductW-1:0] product;

    // In a block: Icarus works an assignment out bit by bit.
    always_comb product = ProductW'(a_i) * ProductW'(b_i);
    assign product_o = product;
  end else begin : gen_logic
    logic [2*K-1:0] product;
    logic           unused_product;  // bits from ProductW on

    lt_mul_logic #(.K(K)) u_mul_logic (.u_i(a_i), .v_i(b_i), .product_o(product));
    assign product_o      = ProductW'(product);
    assign unused_product = ^product;
  end
  endgenerate

`ifndef SYNTHESIS
  initial begin
    assert (UseDsp == 0 || UseDsp == 1) else $fatal(1, "UseDsp = %0d is neither 0 nor 1", UseDsp);
  end
`endif

endmodule

`default_nettype wire
