// SPDX-License-Identifier: Apache-2.0
// Montgomery reduction for Dilithium: r = a * 2^-32 mod q
module montgomery_reduce #(
    parameter Q = 8380417,
    parameter QINV = 32'd4236238847  // -q^-1 mod 2^32
) (
    input             clk,
    input             reset,
    input             start,
    input      [45:0] a,
    output reg        done,
    output reg [22:0] r
);
  reg [31:0] t; reg [45:0] a_q; reg s1, s2;
  reg [55:0] u;
  wire [31:0] m = a[31:0] * QINV;
  wire [23:0] h = u[55:32];
  always @(posedge clk)
    if (reset) begin s1 <= 0; s2 <= 0; done <= 0; end
    else begin
      s1 <= start; a_q <= a; t <= m;
      s2 <= s1; u <= t * 56'd8380417 + a_q;
      done <= s2; r <= (h >= Q) ? h - Q : h;
    end
endmodule
