// SPDX-License-Identifier: Apache-2.0
//
// A word of a value that is loaded over an AXI4-Lite port, or of half of it, and which of its bits
// can be read back.

`default_nettype none

module lt_axil_word #(
  parameter int DataW  = 32,
  parameter int Loads  = 1,
  parameter int Depth  = 1,   // most words of a load
  parameter int CountW = 16,  // bits of a number of words
  parameter logic [Loads*32-1:0] Readable = '0  // low bits of each load that can be read
) (
  input wire logic [Loads*Depth*DataW-1:0] images_i,  // first load in the low bits
  input wire logic [Loads*CountW-1:0]      words_i,
  input wire logic [CountW-1:0]            value_i,
  input wire logic [CountW-1:0]            word_i,
  input wire logic                         halve_i,
  output     logic [DataW-1:0]             image_o,
  output     logic [DataW-1:0]             mask_o
);

  logic [31:0]      place, first;  // numbers of a word and of a bit
  logic [31:0]      bits;
  logic             more;          // there is a word above it
  logic [DataW-1:0] whole, above;

  assign place = 32'(value_i) * 32'(Depth) + 32'(word_i);
  assign more  = (word_i + CountW'(1) != words_i[value_i*CountW +: CountW]);
  assign whole = images_i[place*DataW +: DataW];
  assign above = more ? images_i[(place+1)*DataW +: DataW] : '0;
  assign first = 32'(word_i) * 32'(DataW);
  assign bits  = Readable[value_i*32 +: 32];

  assign image_o = halve_i ? {above[0], whole[DataW-1:1]} : whole;
  assign mask_o  = (bits >= first + 32'(DataW)) ? '1 :
                   (bits <= first) ? '0 : ~({DataW{1'b1}} << (bits - first));

  logic unused_above;
  assign unused_above = ^above[DataW-1:1];

endmodule

`default_nettype wire
