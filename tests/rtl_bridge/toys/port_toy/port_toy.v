// SPDX-License-Identifier: Apache-2.0
//
// a * b / R mod p in one clock, with operands on ports of any width from that of p on.
module port_toy #(
  parameter N = 64,
  parameter PORT = 64
) (
  input             clk, rst, start,
  input  [PORT-1:0] a, b,
  input  [N-1:0]    p, scale,
  output reg        done,
  output reg [N-1:0] z
);
  wire [2*PORT-1:0] product = {{PORT{1'b0}}, a} * b % p;
  wire [2*N-1:0]    scaled  = {{N{1'b0}}, product[N-1:0]} * scale % p;

  always @(posedge clk) begin
    done <= start & ~rst;
    if (start) z <= scaled[N-1:0];
  end
endmodule
