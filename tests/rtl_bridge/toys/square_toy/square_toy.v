// SPDX-License-Identifier: Apache-2.0
//
// a^2 mod p in one clock: a core without an operand b.
module square_toy #(
  parameter W = 8
) (
  input              clk, rst, start,
  input      [W-1:0] a, p,
  output reg         done,
  output reg [W-1:0] z
);
  always @(posedge clk) begin
    done <= start & ~rst;
    if (start) z <= {{W{1'b0}}, a} * a % p;
  end
endmodule
