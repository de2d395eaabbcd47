// SPDX-License-Identifier: Apache-2.0
// ML-DSA's signed Montgomery product: a * b * 2^-32 mod 8380417, in (-8380417, 8380417), in three
// stages.

module mont_mul #(
    // 1: sign of the product forgotten, 2: a logical shift, 3: the product cut by a bit
    parameter int Faulty = 0
) (
    input  wire logic               clk_i,
    input  wire logic               rst_ni,
    input  wire logic               in_valid_i,
    input  wire logic signed [31:0] a_i,
    input  wire logic signed [31:0] b_i,
    output      logic               out_valid_o,
    output      logic signed [31:0] r_o
);

  localparam logic signed [31:0] Q = 32'sd8380417;
  localparam logic signed [31:0] QInv = 32'sd58728449;  // 8380417^-1 mod 2^32

  logic signed [63:0] product, product_q, product_2q, mq, difference;
  logic signed [31:0] m_q;
  logic [1:0] valid_q;

  assign product = 64'(a_i) * 64'(b_i);
  assign mq = 64'(m_q) * 64'(Q);
  assign difference = product_2q - mq;

  always_ff @(posedge clk_i) begin
    product_q <= (Faulty == 1) ? $signed({9'd0, product[54:0]})
               : (Faulty == 3) ? 64'($signed(product[52:0])) : product;
    m_q <= 32'($signed(product_q[31:0]) * QInv);
    product_2q <= product_q;
    r_o <= (Faulty == 2) ? 32'($unsigned(difference) >> 33 << 1) : 32'(difference >>> 32);
    {out_valid_o, valid_q} <= rst_ni ? {valid_q, in_valid_i} : '0;
  end

endmodule
