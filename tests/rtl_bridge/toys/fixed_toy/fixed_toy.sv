// SPDX-License-Identifier: Apache-2.0
//
// Montgomery's product, one bit of X a clock, N clocks after `go`; no output says when.

module fixed_toy #(
  parameter int N = 16
) (
  input wire logic         clk,
  input wire logic         rst,
  input wire logic [N-1:0] modulus,
  input wire logic         go,
  input wire logic [N-1:0] x,
  input wire logic [N-1:0] y,
  output     logic [N-1:0] z
);

  logic [N-1:0] x_q;
  logic [N:0]   s_q;
  logic [N+1:0] sum, even;
  logic [31:0]  left_q;

  assign sum  = {1'b0, s_q} + (x_q[0] ? {2'b0, y} : '0);
  assign even = sum + (sum[0] ? {2'b0, modulus} : '0);
  assign z    = (s_q >= {1'b0, modulus}) ? N'(s_q - {1'b0, modulus}) : s_q[N-1:0];

  always_ff @(posedge clk) begin
    if (rst) begin
      left_q <= '0;
    end else if (go) begin
      x_q    <= x;
      s_q    <= '0;
      left_q <= N;
    end else if (left_q != '0) begin
      x_q    <= x_q >> 1;
      s_q    <= even[N+1:1];
      left_q <= left_q - 1;
    end
  end

endmodule
