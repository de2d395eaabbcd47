// SPDX-License-Identifier: Apache-2.0
//
// a * b mod p, bit by bit of b, with four faults of timing to choose from. Kind 0: none. 1: ends
// when no bit of b is left. 2: one more cycle where the sum is p or more. 3: two bits of b at a
// time address a table of multiples of a. 4: one more cycle after a product with an odd result.

`default_nettype none

module timing_toy #(
  parameter int W    = 8,
  parameter int KIND = 0
) (
  input wire logic         clk_i,
  input wire logic         rst_i,
  input wire logic         start_i,
  input wire logic [W-1:0] a_i,
  input wire logic [W-1:0] b_i,
  input wire logic [W-1:0] p_i,
  output     logic         idle_o,   // takes a start
  output     logic         done_o,   // until ready_i
  input wire logic         ready_i,
  output     logic [W-1:0] r_o
);

  localparam int Digits = (W + 1) / 2;
  localparam logic [2:0] Idle = 3'd0, Extra = 3'd1, Fill = 3'd2;
  localparam logic [2:0] Work = 3'd3, Last = 3'd4, Done = 3'd5;

  function automatic logic [W+1:0] reduced(input logic [W+1:0] x, input logic [W+1:0] p);
    return x >= p ? x - p : x;
  endfunction

  logic [2:0]          state_q;
  logic [15:0]         count_q;
  logic [W-1:0]        x_q;      // a times a power of 2
  logic [2*Digits-1:0] y_q;      // bits of b that are left
  logic [W+1:0]        sum_q;
  logic                odd_q;    // the result before
  logic [W-1:0]        table_q [4];
  logic [W-1:0]        entry;
  logic [W+1:0]        p, added, most;

  assign p      = {2'b00, p_i};
  assign most   = (KIND == 2) ? p << 1 : p;
  assign added  = sum_q + (y_q[0] ? {2'b00, x_q} : '0);
  assign entry  = table_q[y_q[2*Digits-1 -: 2]];
  assign idle_o = (state_q == Idle);
  assign done_o = (state_q == Done);
  assign r_o    = sum_q[W-1:0];

  always_ff @(posedge clk_i) begin
    if (state_q == Fill) table_q[count_q[1:0]] <= sum_q[W-1:0];
    if (rst_i) begin
      state_q <= Idle;
      odd_q   <= 1'b0;
    end else begin
      case (state_q)
        Idle: if (start_i) begin
          x_q     <= a_i;
          y_q     <= (2*Digits)'(b_i);
          sum_q   <= '0;
          count_q <= '0;
          state_q <= (KIND == 3) ? Fill : (KIND == 4 && odd_q) ? Extra : Work;
        end
        Extra: state_q <= Work;
        Fill: begin
          sum_q   <= (count_q == 16'd3) ? '0 : reduced(sum_q + {2'b00, x_q}, p);
          count_q <= (count_q == 16'd3) ? '0 : count_q + 16'd1;
          if (count_q == 16'd3) state_q <= Work;
        end
        Work: begin
          count_q <= count_q + 16'd1;
          x_q     <= W'(reduced({1'b0, x_q, 1'b0}, p));
          if (KIND == 3) begin
            y_q   <= y_q << 2;
            sum_q <= reduced(reduced(reduced(sum_q << 1, p) << 1, p) + {2'b00, entry}, p);
            if (count_q == 16'(Digits - 1)) state_q <= Done;
          end else begin
            y_q   <= y_q >> 1;
            sum_q <= added >= most ? added - p : added;
            if (KIND == 1 ? (y_q[2*Digits-1:1] == '0) : (count_q == 16'(W - 1))) begin
              state_q <= (KIND == 2 && (added >= most ? added - p : added) >= p) ? Last : Done;
            end
          end
        end
        Last: begin
          sum_q   <= sum_q - p;
          state_q <= Done;
        end
        default: if (ready_i) begin
          state_q <= Idle;
          odd_q   <= sum_q[0];
        end
      endcase
    end
  end

endmodule

`default_nettype wire
