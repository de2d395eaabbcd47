// SPDX-License-Identifier: Apache-2.0
//
// A pipeline with wide ports that takes a product in every clock: a "word" is a whole operand.

module wide_toy #(
  parameter int N = 16
) (
  input wire logic         clk,
  input wire logic         rst,
  input wire logic [N-1:0] modulus,
  input wire logic         go,
  input wire logic [N-1:0] x,
  input wire logic [N-1:0] y,
  output     logic         there,
  output     logic [N-1:0] z
);

  logic [2:0]   go_q;
  logic [N-1:0] x_q, y_q, z_q;

  // Montgomery's product, bit by bit, with a last subtraction.
  function automatic logic [N-1:0] product(input logic [N-1:0] a, b, p);
    logic [N+1:0] s;
    s = '0;
    for (int i = 0; i < N; i++) begin
      if (a[i]) s = s + (N+2)'(b);
      if (s[0]) s = s + (N+2)'(p);
      s = s >> 1;
    end
    product = (s >= (N+2)'(p)) ? N'(s - (N+2)'(p)) : N'(s);
  endfunction

  assign there = go_q[2];

  always_ff @(posedge clk) begin
    go_q <= rst ? '0 : {go_q[1:0], go};
    x_q  <= x;
    y_q  <= y;
    z_q  <= product(x_q, y_q, modulus);
    z    <= z_q;
  end

endmodule
