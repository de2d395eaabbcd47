// SPDX-License-Identifier: Apache-2.0
//
// A word added to a sum Factor times; Factor is from -7 to 7, in two's complement.
//
// sum_o = sum_i + Factor * word_i modulo 2^SumW. Factor is a constant, so that 0 costs nothing and
// 1, 2 and 4 one addition. Purely combinational.

`default_nettype none

module lt_solinas_term #(
  parameter int         W      = 32,
  parameter int         SumW   = 36,
  parameter logic [3:0] Factor = 4'd1
) (
  input wire logic [W-1:0]    word_i,
  input wire logic [SumW-1:0] sum_i,
  output     logic [SumW-1:0] sum_o
);

  localparam logic [2:0] Size = Factor[3] ? -Factor[2:0] : Factor[2:0];

  logic [SumW-1:0] multiple;

  assign multiple = (Size[0] ? SumW'(word_i) : '0) + (Size[1] ? SumW'(word_i) << 1 : '0)
                  + (Size[2] ? SumW'(word_i) << 2 : '0);
  assign sum_o    = Factor[3] ? sum_i - multiple : sum_i + multiple;

endmodule

`default_nettype wire
