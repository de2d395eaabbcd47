// SPDX-License-Identifier: Apache-2.0
//
// Reads results through a read port, from address 0 on or from the last one down, product after
// product; they stand side by side. Words that are not read are 0. Words may overlap: each counts
// 2^Weight times as much as the one before.

`default_nettype none

module lt_reader #(
  parameter int Products = 1,
  parameter int Depth    = 1,  // most words of a product
  parameter int DataW    = 1,
  parameter int Weight   = DataW,
  parameter int AddrW    = 1,
  parameter int ProductW = 1,
  parameter int Latency   = 0,  // 1: a word comes in the cycle after the one with its address
  parameter int HighFirst = 0,  // address 0 holds the high word
  parameter int CountW    = 16  // bits of a number of words
) (
  input wire logic                            clk_i,
  input wire logic                            read_i,     // held until done_o
  input wire logic                            backwards_i, // stable while reading
  input wire logic                            ready_i,    // the word is there
  output     logic                            done_o,
  input wire logic [CountW-1:0]               words_i,    // words of a product to read, at least 1
  output     logic [ProductW-1:0]             product_o,
  output     logic [AddrW-1:0]                address_o,
  input wire logic [DataW-1:0]                data_i,
  output     logic [Products*Depth*DataW-1:0] result_o
);

  localparam int Width = Depth * DataW;

  logic [CountW-1:0]         word_q;
  logic [CountW-1:0]         product_q;
  logic [Products*Width-1:0] result_q;
  logic [CountW-1:0]         address;
  logic [CountW-1:0]         place;
  logic                      late_q;  // the address has been there for a cycle
  logic                      awake;

  assign awake     = read_i | (word_q !== '0) | (product_q !== '0) | (late_q !== 1'b0);
  assign done_o    = (product_q == CountW'(Products));
  assign product_o = ProductW'(product_q);
  assign address   = backwards_i ? words_i - CountW'(1) - word_q : word_q;
  assign address_o = AddrW'(address);
  assign result_o  = result_q;
  assign place     = (HighFirst != 0) ? words_i - CountW'(1) - address : address;

  // Word by word and once a cycle: the port shows something new all the time, and a wide next
  // value would be worked out for each of it.
  always_ff @(posedge clk_i) begin
    if (awake) begin
      if (!read_i) begin
        word_q    <= '0;
        product_q <= '0;
        late_q    <= 1'b0;
      end else if ((Latency != 0) && !late_q) begin
        late_q <= 1'b1;
      end else if (!done_o && ready_i) begin
        late_q <= 1'b0;
        word_q <= word_q + CountW'(1);
        if (word_q + CountW'(1) == words_i) begin
          word_q    <= '0;
          product_q <= product_q + CountW'(1);
        end
        if (word_q == '0 && product_q == '0) result_q <= '0;
        if (Weight == DataW) begin
          result_q[product_q*Width + place*DataW +: DataW] <= data_i;
        end else begin
          result_q[product_q*Width +: Width] <=
              ((word_q == '0) ? '0 : result_q[product_q*Width +: Width]) +
              (Width'(data_i) << (place * Weight));
        end
      end
    end
  end

endmodule

`default_nettype wire
