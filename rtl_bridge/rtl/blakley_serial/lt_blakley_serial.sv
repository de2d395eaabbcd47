// SPDX-License-Identifier: Apache-2.0
//
// a*b mod p by interleaved multiplication: in each cycle S = (2^R*S + d*b) mod p for the next
// digit d of a, the highest one first.
//
// Source: G. R. Blakley, "A computer algorithm for calculating the product AB modulo M", with
// digits of R bits.
//
// Ranges: R = 1..3, a < 2^(R*Digits), b < p < 2^N, p >= 2.
//
// start_i is taken at an edge at which busy_o is low, with a_i, b_i and p_i. After it come Digits
// busy cycles. done_o is high for the one cycle after them; a start_i in that cycle is taken. The
// result stays on z_o until the next start.

`default_nettype none

module lt_blakley_serial #(
  parameter int N      = 32,  // bits of p
  parameter int R      = 1,   // bits of a digit of a
  parameter int Digits = 32   // digits of a
) (
  input wire logic                clk_i,
  input wire logic                rst_ni,

  input wire logic                start_i,
  output     logic                busy_o,
  output     logic                done_o,
  input wire logic [R*Digits-1:0] a_i,
  input wire logic [N-1:0]        b_i,
  input wire logic [N-1:0]        p_i,

  output     logic [N-1:0]        z_o
);

  localparam int SumW      = N + R + 1;
  localparam int Multiples = (2 << R) - 2;  // p goes into T that many times at most
  localparam int CountW    = $clog2(Digits + 1);

  logic [CountW-1:0]   left_q;  // digits to come
  logic                done_q;
  logic                take_start;
  logic [R*Digits-1:0] a_q;     // the next digit on top
  logic [N-1:0]        b_q;
  logic [N-1:0]        p_q;
  logic [N-1:0]        s_q;
  logic [R-1:0]        digit;
  logic [SumW-1:0]     t_sum;
  logic [R:0]          quot;
  logic [SumW-1:0]     rest;
  logic                unused_rest;

  assign busy_o     = (left_q != '0);
  assign done_o     = done_q;
  assign take_start = start_i & ~busy_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= '0;
      done_q <= 1'b0;
    end else begin
      if (take_start) begin
        left_q <= CountW'(Digits);
      end else if (busy_o) begin
        left_q <= left_q - CountW'(1);
      end
      done_q <= (left_q == CountW'(1));
    end
  end

  assign digit = a_q[R*Digits-1 -: R];

  // In blocks: Icarus works assignments out bit by bit.
  always_comb t_sum = {1'b0, s_q, R'(0)} + SumW'(digit) * SumW'(b_q);

  always_comb begin
    quot = '0;
    for (int k = 1; k <= Multiples; k++) begin
      if (t_sum >= SumW'(k) * SumW'(p_q)) quot = (R+1)'(k);
    end
  end

  always_comb rest = t_sum - SumW'(quot) * SumW'(p_q);

  assign unused_rest = ^rest[SumW-1:N];  // 0

  always_ff @(posedge clk_i) begin
    if (take_start) begin
      a_q <= a_i;
      b_q <= b_i;
      p_q <= p_i;
      s_q <= '0;
    end else if (busy_o) begin
      a_q <= a_q << R;
      s_q <= rest[N-1:0];
    end
  end

  assign z_o = s_q;

`ifndef SYNTHESIS
  initial begin
    assert (R >= 1 && R <= 3) else $fatal(1, "R = %0d is outside 1..3", R);
  end

  always @(posedge clk_i) begin
    if (rst_ni && take_start) begin
      assert (b_i < p_i) else $error("b is not below p");
    end
  end
`endif

endmodule

`default_nettype wire
