// SPDX-License-Identifier: Apache-2.0
// a * b mod p some cycles after start. done is an edge of a register that says that nothing is at
// work, so that it pulses once after a reset, too. A start in the cycle of done is taken.

module pulse_toy #(
  parameter int W = 16
) (
  input wire logic         clk,
  input wire logic         rst_n,
  input wire logic         start,
  input wire logic [W-1:0] a,
  input wire logic [W-1:0] b,
  input wire logic [W-1:0] p,
  output     logic         done,
  output     logic [W-1:0] c
);

  logic       idle_q, was_q;
  logic [1:0] left_q;

  assign done = idle_q & ~was_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      idle_q <= 1'b0;
      was_q  <= 1'b0;
      left_q <= 2'd0;
    end else begin
      was_q <= idle_q;
      if (start && left_q == 2'd0) begin
        idle_q <= 1'b0;
        was_q  <= 1'b0;
        left_q <= 2'd3;
        c      <= W'((a * {{W{1'b0}}, b}) % {{W{1'b0}}, p});
      end else if (left_q != 2'd0) begin
        left_q <= left_q - 2'd1;
        idle_q <= left_q == 2'd1;
      end else begin
        idle_q <= 1'b1;
      end
    end
  end

endmodule
