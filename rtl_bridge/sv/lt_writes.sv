// SPDX-License-Identifier: Apache-2.0
//
// A memory that the core writes its result into, as far as the result goes. Words that it does not
// write are ones.

`default_nettype none

module lt_writes #(
  parameter int Depth     = 1,  // most words of a result
  parameter int DataW     = 1,
  parameter int AddrW     = 1,
  parameter int HighFirst = 0,  // address 0 holds the high word
  parameter int CountW    = 16  // bits of a number of words
) (
  input wire logic                   clk_i,
  input wire logic                   begin_i,   // a product begins
  input wire logic                   run_i,     // it is at work
  input wire logic [CountW-1:0]      words_i,   // words of a result
  input wire logic                   enable_i,
  input wire logic [AddrW-1:0]       address_i,
  input wire logic [DataW-1:0]       data_i,
  output     logic [Depth*DataW-1:0] result_o
);

  logic [Depth*DataW-1:0] result_q;
  logic [31:0]            place;

  assign place    = (HighFirst != 0) ? 32'(words_i) - 32'd1 - 32'(address_i) : 32'(address_i);
  assign result_o = result_q;

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      for (int k = 0; k < Depth; k++)
        result_q[k*DataW +: DataW] <= (CountW'(k) < words_i) ? '1 : '0;
    end else if (run_i & enable_i & (place < 32'(words_i))) begin
      result_q[place*DataW +: DataW] <= data_i;
    end
  end

endmodule

`default_nettype wire
