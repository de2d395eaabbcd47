// SPDX-License-Identifier: Apache-2.0
//
// Writes memory images through a write port, a word in every cycle that takes one, from address 0
// on, or in another order. An image marked in `Once` is written for the first product after reset,
// and when it is not the one of last time.

`default_nettype none

module lt_loader #(
  parameter int Loads   = 1,
  parameter int Depth   = 1,   // words of an image
  parameter int DataW   = 1,
  parameter int AddrW   = 1,
  parameter int SelectW = 1,
  parameter int CountW  = 16,  // bits of a number of words
  parameter int HighFirst = 0, // address 0 holds the high word
  parameter logic [Loads-1:0] Once = '0
) (
  input wire logic                         clk_i,
  input wire logic                         rst_i,
  input wire logic                         load_i,     // held until loaded_o
  input wire logic                         renew_i,    // images marked in Once are new
  input wire logic [Loads-1:0]             skip_i,     // images that are there; not after a reset
  // Stable; bit 0: words from the last to the first, 1: from the middle on, 2: the last image
  // first, 3: a word of each image in turn
  input wire logic [3:0]                   order_i,
  input wire logic                         ready_i,    // the word is taken
  output     logic                         loaded_o,
  output     logic                         last_o,     // the word that is written now is the last
  input wire logic [Loads*Depth*DataW-1:0] images_i,   // first load in the low bits
  input wire logic [Loads*CountW-1:0]      words_i,    // words to write, at least 1
  input wire logic [Loads*SelectW-1:0]     selects_i,
  output     logic                         enable_o,
  output     logic [SelectW-1:0]           select_o,
  output     logic [AddrW-1:0]             address_o,
  output     logic [DataW-1:0]             data_o
);

  logic [CountW-1:0] which_q;
  logic [CountW-1:0] word_q;
  logic [CountW-1:0] image;
  logic [CountW-1:0] words;
  logic [CountW-1:0] half;
  logic [CountW-1:0] turned;
  logic [CountW-1:0] moved;
  logic [CountW-1:0] address;
  logic [CountW-1:0] place;
  logic [CountW-1:0] turn;     // number of a round of words in turn
  logic [Loads-1:0]  skips;    // in the order of writing
  logic [Loads-1:0]  due;      // images of which a word is written in this round
  logic [Loads-1:0]  later;    // and in later rounds
  logic              fresh_q;
  logic              awake;
  logic              skip;
  logic              leave;
  logic              last_round;

  assign awake     = rst_i | load_i | (|which_q) | (|word_q);
  assign skip      = 1'(skips >> which_q) | (order_i[3] & (word_q >= words));
  assign last_round = ~(|later);
  // What is left is not written: the last word is in, and no cycle more goes by.
  assign loaded_o  = last_round & ~(|(due >> which_q));
  assign enable_o  = load_i & ~loaded_o & ~skip;
  assign last_o    = enable_o & last_round & (leave | order_i[3]) &
                     ~(|(due >> (which_q + CountW'(1))));
  assign image     = order_i[2] ? CountW'(Loads) - CountW'(1) - which_q : which_q;
  assign select_o  = selects_i[image*SelectW +: SelectW];
  assign words     = words_i[image*CountW +: CountW];
  assign address   = (order_i[1:0] == '0) ? word_q : moved;
  assign moved     = order_i[0] ? words - CountW'(1) - turned : turned;
  assign turned    = ~order_i[1] ? word_q :
                     (word_q < words - half) ? word_q + half : word_q - (words - half);
  assign half      = words >> 1;
  assign address_o = AddrW'(address);
  assign place     = (HighFirst != 0) ? words - CountW'(1) - address : address;
  assign data_o    = images_i[(image*Depth + 32'(place))*DataW +: DataW];

  assign turn      = order_i[3] ? word_q : '0;

  // Which images there are changes far less often than the word.
  genvar k;
  generate
  for (k = 0; k < Loads; k++) begin : g_skips
    assign skips[k] = ~fresh_q & (order_i[2] ?
        skip_i[Loads-1-k] | (~renew_i & Once[Loads-1-k]) : skip_i[k] | (~renew_i & Once[k]));
    assign due[k]   = ~skips[k] &
        (~order_i[3] | (turn < words_i[(order_i[2] ? Loads-1-k : k)*CountW +: CountW]));
    assign later[k] = order_i[3] & ~skips[k] &
        (turn + CountW'(1) < words_i[(order_i[2] ? Loads-1-k : k)*CountW +: CountW]);
  end
  endgenerate

  assign leave     = skip | (word_q + CountW'(1) == words);

  // No next values as wires, and one look at a cycle with nothing to do: simulators that interpret
  // take their time for every variable that a process touches.
  always_ff @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        which_q <= '0;
        word_q  <= '0;
        fresh_q <= 1'b1;
      end else if (!load_i) begin
        which_q <= '0;
        word_q  <= '0;
      end else if (loaded_o) begin
        fresh_q <= 1'b0;
      end else if (order_i[3] & (skip | ready_i)) begin
        which_q <= (which_q == CountW'(Loads-1)) ? '0 : which_q + CountW'(1);
        if (which_q == CountW'(Loads-1)) word_q <= word_q + CountW'(1);
      end else if (leave & (skip | ready_i)) begin
        which_q <= which_q + CountW'(1);
        word_q  <= '0;
      end else if (ready_i) begin
        word_q <= word_q + CountW'(1);
      end
    end
  end

endmodule

`default_nettype wire
