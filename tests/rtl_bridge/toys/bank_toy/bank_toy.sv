// SPDX-License-Identifier: Apache-2.0
// a * b mod p of operands of four words in a memory with two banks: a start takes a copy, and the
// next operands may be written while the core works. Operands stay there.

module bank_toy #(
  parameter int W = 64
) (
  input wire logic            clk,
  input wire logic            rst,
  input wire logic            we,
  input wire logic            sel,
  input wire logic [1:0]      addr,
  input wire logic [W/4-1:0]  data,
  input wire logic            start,
  input wire logic [W-1:0]    p,
  output     logic            busy,
  output     logic            done,
  output     logic [W-1:0]    c
);

  logic [W-1:0] a_q, b_q, x_q, y_q;
  logic [4:0]   left_q;

  assign busy = left_q != 5'd0;

  always_ff @(posedge clk) begin
    if (we) begin
      if (sel) b_q[32'(addr)*(W/4) +: W/4] <= data;
      else     a_q[32'(addr)*(W/4) +: W/4] <= data;
    end
    if (start & ~busy) begin
      x_q <= a_q;
      y_q <= b_q;
    end
    if (left_q == 5'd1) c <= W'((x_q * {{W{1'b0}}, y_q}) % {{W{1'b0}}, p});
    if (rst) begin
      left_q <= 5'd0;
      done   <= 1'b0;
    end else begin
      done <= left_q == 5'd1;
      if (start & ~busy)    left_q <= 5'd20;
      else if (busy)        left_q <= left_q - 5'd1;
    end
  end

endmodule
