// SPDX-License-Identifier: Apache-2.0
// ML-KEM's signed Montgomery product: a * b * 2^-16 mod 3329, in (-3329, 3329), for b in that range
// and any a.

module fqmul #(
    // 1: b without its sign, 2: a logical shift, 3: the bound of a last subtraction off by one
    parameter Faulty = 0
) (
    input  wire               clk,
    input  wire               en,
    input  wire signed [15:0] a,
    input  wire signed [15:0] b,
    output reg                rdy,
    output reg  signed [15:0] r
);

  localparam signed [15:0] Q = 16'sd3329;
  localparam signed [15:0] QInv = -16'sd3327;  // 3329^-1 mod 2^16

  wire signed [31:0] product = (Faulty == 1) ? a * $signed({16'd0, b}) : a * b;
  wire signed [15:0] low = product[15:0];
  wire signed [31:0] m_long = low * QInv;
  wire signed [15:0] m = m_long[15:0];
  wire signed [31:0] mq = m * Q;
  wire signed [31:0] difference = product - mq;
  wire signed [31:0] shifted = (Faulty == 2) ? difference >> 17 <<< 1 : difference >>> 16;

  initial rdy = 1'b0;
  always @(posedge clk) begin
    rdy <= en;
    r   <= (Faulty == 3 && shifted[15:0] == 16'd0) ? -Q : shifted[15:0];
  end

endmodule
