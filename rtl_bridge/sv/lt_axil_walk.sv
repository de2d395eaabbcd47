// SPDX-License-Identifier: Apache-2.0
//
// Visits the words of several values, each once: in the order of the description, from the last to
// the first, word 0 of every value and then word 1 of every value, or in an order that looks
// random. The places are a power of two, of which an odd factor makes a permutation; those that
// hold no word are passed over.

`default_nettype none

module lt_axil_walk #(
  parameter int Values = 1,
  parameter int Depth  = 1,   // most words of a value
  parameter int CountW = 16   // bits of a number of words
) (
  input wire logic                     clk_i,
  input wire logic                     rst_i,
  input wire logic                     restart_i,
  input wire logic                     straight_i,  // with a restart: in order
  input wire logic [31:0]              random_i,    // with a restart
  input wire logic                     next_i,
  input wire logic [Values*CountW-1:0] words_i,     // of each value, the first in the low bits
  output     logic                     over_o,
  output     logic                     there_o,     // this place holds a word
  output     logic [CountW-1:0]        value_o,
  output     logic [CountW-1:0]        word_o
);

  localparam int ValueW = $clog2(Values);
  localparam int WordW  = $clog2(Depth);
  localparam logic [31:0] Mask      = (32'd1 << (ValueW + WordW)) - 32'd1;
  localparam logic [31:0] ValueMask = (32'd1 << ValueW) - 32'd1;
  localparam logic [31:0] WordMask  = (32'd1 << WordW) - 32'd1;

  logic [31:0] count_q, factor_q, offset_q;
  logic        across_q;  // the value is in the low bits of a place
  logic [31:0] place, value, word, words;

  assign place = (count_q * factor_q + offset_q) & Mask;
  assign value = (across_q ? place : place >> WordW) & ValueMask;
  assign word  = (across_q ? place >> ValueW : place) & WordMask;
  assign words = (value < 32'(Values)) ? 32'(words_i[value*CountW +: CountW]) : '0;

  assign over_o  = (count_q > Mask);
  assign there_o = ~over_o & (word < words);
  assign value_o = CountW'(value);
  assign word_o  = CountW'(word);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      count_q  <= '0;
      factor_q <= 32'd1;
      offset_q <= '0;
      across_q <= 1'b0;
    end else if (restart_i) begin
      count_q  <= '0;
      across_q <= random_i[2] & ~straight_i;
      factor_q <= 32'd1;
      offset_q <= '0;
      if (random_i[0] & ~straight_i) begin
        factor_q <= random_i[1] ? '1 : (random_i >> 3) | 32'd1;
        offset_q <= random_i[1] ? Mask : random_i >> 7;
      end
    end else if (next_i & ~over_o) begin
      count_q <= count_q + 32'd1;
    end
  end

endmodule

`default_nettype wire
