// SPDX-License-Identifier: Apache-2.0
//
// A bit-serial multiplier with a start, a busy and a done, and faults that are not in its
// arithmetic: input `fault` says which of them is there, 0 none.

module guard_toy #(
  parameter int N     = 32,
  parameter int Steps = 48
) (
  input wire logic             clk,
  input wire logic             rst,
  input wire logic [3:0]       fault,
  input wire logic             start,
  input wire logic [N:0]       a,
  input wire logic [Steps-1:0] b,
  input wire logic [N-1:0]     p,
  output     logic             busy,
  output     logic             done,
  output     logic [N-1:0]     z
);

  logic [Steps-1:0] left_b;
  logic [N+2:0]     t;
  logic [15:0]      left;
  logic             busy_q, done_q, done_last, struck;
  logic [7:0]       idle;
  logic [3:0]       kept;  // no reset reaches it

  wire [N+2:0] with_a = left_b[0] ? t + (N+3)'(a) : t;
  wire [N+2:0] even   = with_a[0] ? with_a + (N+3)'(p) : with_a;
  wire         big    = (fault == 4'd9) ? (t > (N+3)'(p)) : (t >= (N+3)'(p));
  wire         reset  = rst & (fault != 4'd2);

  assign busy = (busy_q & ~((fault == 4'd6) & (left == 16'd3))) |
                ((fault == 4'd7) & (idle == 8'd20));
  assign done = done_q | ((fault == 4'd3) & (idle == 8'd60)) | ((fault == 4'd5) & struck & ~rst);
  assign z    = t[N-1:0];

  // For fault 2 alone: everything else begins with the reset.
  initial if (fault == 4'd2) begin
    busy_q = 1'b0;
    done_q = 1'b0;
  end

  always_ff @(posedge clk) begin
    struck    <= rst & (busy_q | struck);
    done_last <= done_q;
    if (busy_q && left == 16'd7) kept <= '0;
    if (reset) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
      idle   <= '0;
    end else if (busy_q) begin
      idle <= '0;
      if (left != '0) begin
        t      <= even >> 1;
        left_b <= left_b >> 1;
        left   <= left - 16'd1;
      end else if (big) begin
        t <= t - (N+3)'(p);
      end else begin
        busy_q <= 1'b0;
        done_q <= 1'b1;
      end
    end else begin
      done_q <= 1'b0;
      if (idle != '1) idle <= idle + 8'd1;
      if (start & (fault != 4'd10 || !done_q)) begin
        t      <= ((fault == 4'd4) & done_q) ? (N+3)'(t[0]) :
                (fault == 4'd8) ? (N+3)'(kept) : '0;
        left_b <= b;
        left   <= 16'(Steps);
        busy_q <= 1'b1;
        idle   <= '0;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (!rst) begin
      assert (!(fault == 4'd1 && busy_q && left == 16'd5)) else $error("left is %0d", left);
      if (fault == 4'd11 && busy_q && left == 16'd5) $fatal(1, "nothing is left");
    end
  end

endmodule
