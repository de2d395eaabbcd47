// SPDX-License-Identifier: Apache-2.0
// a * b mod p, one bit of b in a clock. The rising edge of start clocks a register, as it may where
// start comes from a flip-flop; `quiet` clocks another one, which only an asynchronous reset sets.

module edge_toy #(
  parameter int W = 8
) (
  input wire logic         clk,
  input wire logic         rst_n,
  input wire logic         start,
  input wire logic         quiet,
  input wire logic [W-1:0] a,
  input wire logic [W-1:0] b,
  input wire logic [W-1:0] p,
  output     logic         done,
  output     logic [W-1:0] c
);

  logic               asked_q, answered_q, offset_q, busy_q;
  logic [W-1:0]       b_q, r_q;
  logic [$clog2(W):0] left_q;
  logic [W+1:0]       sum, once, twice;

  always_ff @(posedge start or negedge rst_n) begin
    if (!rst_n)       asked_q <= 1'b0;
    else if (!busy_q) asked_q <= ~answered_q;
  end

  always_ff @(posedge quiet or negedge rst_n) begin
    if (!rst_n) offset_q <= 1'b0;
    else        offset_q <= 1'b1;
  end

  assign sum   = {1'b0, r_q, 1'b0} + (b_q[W-1] ? {2'b00, a} : '0);
  assign once  = sum >= {2'b00, p} ? sum - {2'b00, p} : sum;
  assign twice = once >= {2'b00, p} ? once - {2'b00, p} : once;
  assign c     = r_q ^ W'(offset_q);

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      answered_q <= 1'b0;
      busy_q     <= 1'b0;
      done       <= 1'b0;
      left_q     <= '0;
      b_q        <= '0;
      r_q        <= '0;
    end else begin
      done <= busy_q && left_q == 1;
      if (busy_q) begin
        b_q    <= b_q << 1;
        r_q    <= twice[W-1:0];
        left_q <= left_q - 1'b1;
        busy_q <= left_q != 1;
      end else if (asked_q != answered_q) begin
        answered_q <= asked_q;
        b_q        <= b;
        r_q        <= '0;
        left_q     <= ($clog2(W) + 1)'(W);
        busy_q     <= 1'b1;
      end
    end
  end

endmodule
