// SPDX-License-Identifier: Apache-2.0
//
// Says that a core is done which does not say so itself: `Cycles` after its start.

`default_nettype none

module fixed_latency #(
  parameter int Cycles = 1
) (
  input  wire  clk_i,
  input  wire  rst_i,
  input  wire  start_i,
  output     logic done_o
);

  logic        begun_q;
  logic [31:0] left_q;

  assign done_o = begun_q & (left_q == '0);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      begun_q <= 1'b0;
    end else if (start_i) begin
      begun_q <= 1'b1;
      left_q  <= Cycles;
    end else if (left_q != '0) begin
      left_q  <= left_q - 1;
    end
  end

endmodule

`default_nettype wire
