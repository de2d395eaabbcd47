// SPDX-License-Identifier: Apache-2.0
//
// Barrett multiplication a*b mod p, a product in every cycle, its result 5 + Corrections cycles
// after the one with its operands. See lt_barrett_stages.sv for the parameters.
//
// valid_i is high while operands, p and mu are on the ports. p has exactly N bits, its top bit
// being 1, and mu = floor(2^(N + Alpha) / p). Operands have N bits; the result is below p. p and
// mu must not change while a product is on its way.

`default_nettype none

module lt_barrett_pipeline #(
  parameter int N           = 16,     // bits of p
  parameter int Alpha       = N + 3,  // bits of mu beyond those of p
  parameter int Dropped     = N - 2,  // low bits of a*b that the estimate is made without
  parameter int Width       = N + 1,  // bits of the difference
  parameter int Corrections = 1       // subtractions of p
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             valid_i,
  input wire logic [N-1:0]     a_i,
  input wire logic [N-1:0]     b_i,
  input wire logic [N-1:0]     p_i,
  input wire logic [Alpha+1:0] mu_i,

  output     logic             valid_o,
  output     logic [N-1:0]     r_o
);

  logic [N-1:0]     a_q;
  logic [N-1:0]     b_q;
  logic [N-1:0]     p_q;
  logic [Alpha+1:0] mu_q;
  logic [2*N-1:0]   x_q;
  logic [1:0]       valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q <= {valid_q[0], valid_i};
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      a_q  <= a_i;
      b_q  <= b_i;
      p_q  <= p_i;
      mu_q <= mu_i;
    end
  end

  always_ff @(posedge clk_i) x_q <= (2 * N)'(a_q) * (2 * N)'(b_q);

  lt_barrett_stages #(
    .N          (N),
    .XW         (2 * N),
    .Alpha      (Alpha),
    .Dropped    (Dropped),
    .Width      (Width),
    .Corrections(Corrections)
  ) u_stages (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(valid_q[1]),
    .x_i    (x_q),
    .p_i    (p_q),
    .mu_i   (mu_q),
    .valid_o(valid_o),
    .r_o    (r_o)
  );

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni && valid_i) begin
      assert (p_i[N-1]) else $error("the modulus has fewer than %0d bits", N);
    end
  end
`endif

endmodule

`default_nettype wire
