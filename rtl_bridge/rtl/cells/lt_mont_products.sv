// SPDX-License-Identifier: Apache-2.0
//
// The three digit products of a Montgomery multiplier and the quotient digit: X_j*Y_i, q*p_j, and
// q = p'*S_0 mod 2^K. For the ports of lt_mont_frame.
//
// Source: M. Morales-Sandoval, A. Diaz Perez, "Novel algorithms and hardware architectures for
// Montgomery Multiplication over GF(p)", section 4.
//
// With Pipeline = 1 or 2 the two products and A_j, which waits for them, come a cycle later, out of
// registers without reset (PX, PR, AD). UseDsp as in lt_mul. q is 0 from clear_i on until
// quot_en_i loads it.

`default_nettype none

module lt_mont_products #(
  parameter int K        = 32,  // bits of a digit
  parameter int Pipeline = 0,   // levels, 0..2
  parameter int UseDsp   = 1    // multipliers: 1 = DSP blocks, 0 = logic
) (
  input wire logic           clk_i,
  input wire logic           clear_i,
  input wire logic           quot_en_i,
  input wire logic [K-1:0]   x_i,
  input wire logic [K-1:0]   y_i,
  input wire logic [K-1:0]   p_i,
  input wire logic [K-1:0]   a_i,
  input wire logic [K-1:0]   p_prime_i,  // -1/p mod 2^K
  input wire logic [K-1:0]   s_i,        // low digit of S, which is S_0 when q is loaded

  output     logic [2*K-1:0] xy_o,
  output     logic [2*K-1:0] qp_o,
  output     logic [K-1:0]   a_o
);

  localparam int K2 = 2 * K;

  logic [K-1:0]  quot_d, quot_q;  // q
  logic [K2-1:0] xy_product, qp_product;
  logic [K2-1:0] px_q, pr_q;
  logic [K-1:0]  ad_q;

  lt_mul #(.K(K), .UseDsp(UseDsp)) u_xy (
    .a_i(x_i), .b_i(y_i), .product_o(xy_product)
  );

  lt_mul #(.K(K), .UseDsp(UseDsp)) u_qp (
    .a_i(quot_q), .b_i(p_i), .product_o(qp_product)
  );

  lt_mul #(.K(K), .ProductW(K), .UseDsp(UseDsp)) u_quot (
    .a_i(p_prime_i), .b_i(s_i), .product_o(quot_d)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) quot_q <= '0;
    else if (quot_en_i) quot_q <= quot_d;
  end

  always_ff @(posedge clk_i) begin
    px_q <= xy_product;
    pr_q <= qp_product;
    ad_q <= a_i;
  end

  assign xy_o = (Pipeline == 0) ? xy_product : px_q;
  assign qp_o = (Pipeline == 0) ? qp_product : pr_q;
  assign a_o  = (Pipeline == 0) ? a_i : ad_q;

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (clear_i) begin
      assert (p_prime_i * p_i == {K{1'b1}}) else $error("p_prime_i is not -1/p mod 2^K");
    end
  end
`endif

endmodule

`default_nettype wire
