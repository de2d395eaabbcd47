// SPDX-License-Identifier: Apache-2.0
// a * b mod p in two stages, a product in every cycle; the modulus comes with the operands.

module travel_toy #(
  parameter int W = 16
) (
  input wire logic         clk,
  input wire logic [W-1:0] a,
  input wire logic [W-1:0] b,
  input wire logic [W-1:0] p,
  output     logic [W-1:0] c
);

  logic [2*W-1:0] product_q;
  logic [W-1:0]   p_q;

  always_ff @(posedge clk) begin
    product_q <= a * b;
    p_q       <= p;
    c         <= W'(product_q % {{W{1'b0}}, p_q});
  end

endmodule
