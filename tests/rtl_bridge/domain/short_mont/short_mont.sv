// SPDX-License-Identifier: Apache-2.0
// a b / 2^W modulo p, a bit of a in a clock.
// The sum has W + 1 bits, and takes W + 2 for the largest moduli.

module short_mont #(
    parameter int W = 16
) (
    input wire logic         clk_i,
    input wire logic         rst_ni,
    input wire logic         start_i,
    output     logic         done_o,
    input wire logic [W-1:0] a_i,
    input wire logic [W-1:0] b_i,
    input wire logic [W-1:0] p_i,
    output     logic [W-1:0] z_o
);

  logic [W-1:0] a_q, b_q;
  logic [W:0] t_q, sum, half;
  logic [$clog2(W+1)-1:0] left_q;

  assign sum    = t_q + (a_q[0] ? (W + 1)'(b_q) : '0);
  assign half   = (sum + (sum[0] ? (W + 1)'(p_i) : '0)) >> 1;
  assign z_o    = W'(t_q);
  assign done_o = left_q == 1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
    end else if (start_i && left_q <= 1) begin
      a_q    <= a_i;
      b_q    <= b_i;
      t_q    <= '0;
      left_q <= ($clog2(W + 1))'(W + 1);
    end else if (left_q > 1) begin
      a_q    <= a_q >> 1;
      t_q    <= left_q == 2 && half >= (W + 1)'(p_i) ? half - (W + 1)'(p_i) : half;
      left_q <= left_q - 1'b1;
    end else begin
      left_q <= '0;
    end
  end

endmodule
