// SPDX-License-Identifier: Apache-2.0
//
// Says that a core is done which does not say so itself: `Cycles` after its start, and until the
// next.

`default_nettype none

module lt_latency #(
  parameter int Cycles = 1  // 1: in the cycle after the one with the start
) (
  input wire logic clk_i,
  input wire logic rst_i,
  input wire logic start_i,
  output     logic done_o
);

  logic        begun_q;
  logic [31:0] left_q;
  logic        moves;

  assign done_o = begun_q & (left_q == '0);
  assign moves  = rst_i | start_i | (left_q != '0);

  always_ff @(posedge clk_i) begin
    if (moves) begin
      if (rst_i) begin
        begun_q <= 1'b0;
        left_q  <= '0;
      end else if (start_i) begin
        begun_q <= 1'b1;
        left_q  <= 32'(Cycles) - 32'd1;
      end else begin
        left_q <= left_q - 32'd1;
      end
    end
  end

endmodule

`default_nettype wire
