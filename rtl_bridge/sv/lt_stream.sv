// SPDX-License-Identifier: Apache-2.0
//
// Deals out the words of the operands of a stream of products, and gathers the words of their
// results. Operands and results of all products stand side by side, the first in the low bits.
//
// A product starts when the one before has all its words, its row has come, and the core is ready.
// A word of a result belongs to the oldest product that has started, carries the tag of the word
// and is not complete; where there is none it is a stray, which the top bit of the result says.

`default_nettype none

module lt_stream #(
  parameter int Products        = 1,  // most of them
  parameter int Words           = 1,  // of an operand
  parameter int AW              = 1,  // bits of a word
  parameter int BW              = 1,
  parameter int TagW            = 1,
  parameter int HighFirst       = 0,
  parameter int ResultWords     = 1,
  parameter int ResultW         = 1,
  parameter int ResultHighFirst = 0,
  parameter int CountW          = 16,  // bits of a number of products or words
  parameter int StartW          = 32   // bits of a row number
) (
  input wire logic                                  clk_i,
  input wire logic                                  rst_i,
  input wire logic                                  begin_i,     // this cycle is row 0 of a stream
  input wire logic                                  run_i,       // and this one is a later row
  input wire logic [CountW-1:0]                     products_i,
  input wire logic [Products*StartW-1:0]            starts_i,    // rows, ascending
  input wire logic [Products*Words*AW-1:0]          a_i,
  input wire logic [Products*Words*BW-1:0]          b_i,
  output     logic                                  done_o,      // two cycles after the last word
  output     logic                                  wait_o,      // a start is held back
  output     logic [Products*ResultWords*ResultW:0] result_o,    // {stray, results}

  // core
  input wire logic                                  ready_i,
  input wire logic [TagW-1:0]                       taker_i,     // tag of a product that starts now
  output     logic [CountW-1:0]                     number_o,    // of the product that comes next
  output     logic                                  start_o,
  output     logic                                  load_o,
  output     logic [AW-1:0]                         a_o,
  output     logic [BW-1:0]                         b_o,
  input wire logic                                  valid_i,
  input wire logic [TagW-1:0]                       tag_i,
  input wire logic [ResultW-1:0]                    word_i
);

  logic [StartW-1:0]                       row_q;
  logic [CountW-1:0]                       number_q;
  logic [CountW-1:0]                       sent_q;   // words of it that are in
  logic [CountW-1:0]                       begun_q;  // products that have started
  logic [Products*TagW-1:0]                tags_q;
  logic [Products*CountW-1:0]              got_q;    // words of each result that are out
  logic [31:0]                             out_q;    // all of them
  logic [Products*ResultWords*ResultW-1:0] result_q;
  logic                                    stray_q;
  logic                                    strange_q;
  logic                                    done_q;
  logic                                    active;
  logic                                    due;
  logic [CountW-1:0]                       shown;    // product whose word is on the ports
  logic [CountW-1:0]                       place;
  logic [CountW-1:0]                       owner;
  logic [CountW-1:0]                       got;

  assign active   = begin_i | run_i;
  assign due      = active & (sent_q == '0) & (number_q != products_i) & ready_i;
  assign start_o  = due & (row_q >= starts_i[32'(number_q)*StartW +: StartW]);
  assign wait_o   = due & ~start_o;
  assign load_o   = start_o | (sent_q != '0);
  assign number_o = number_q;
  assign place    = (HighFirst != 0) ? CountW'(Words) - CountW'(1) - sent_q : sent_q;
  assign shown    = (number_q == products_i) ? '0 : number_q;
  assign a_o      = a_i[(32'(shown)*Words + 32'(place))*AW +: AW];
  assign b_o      = b_i[(32'(shown)*Words + 32'(place))*BW +: BW];
  assign done_o   = done_q;
  assign result_o = {stray_q, result_q};

  // Products where there is none.
  function automatic logic [CountW-1:0] owner_of(input logic [TagW-1:0] tag);
    owner_of = CountW'(Products);
    for (int k = Products - 1; k >= 0; k--)
      if (CountW'(k) < begun_q && got_q[k*CountW +: CountW] != CountW'(ResultWords) &&
          tags_q[k*TagW +: TagW] === tag)
        owner_of = CountW'(k);
  endfunction

  // A core without a reset sees words before the first one.
  initial sent_q = '0;

  // verilator lint_off BLKSEQ
  // Blocking where the value is used at once.
  always @(posedge clk_i) begin
    if (rst_i | ~active) begin
      row_q     <= '0;
      number_q  <= '0;
      sent_q    <= '0;
      begun_q   <= '0;
      got_q     <= '0;
      out_q     <= '0;
      strange_q <= 1'b0;
      done_q    <= 1'b0;
    end else begin
      row_q <= row_q + StartW'(1);
      if (begin_i) begin
        result_q <= '0;
        stray_q  <= 1'b0;
      end
      if (start_o) begin
        begun_q <= number_q + CountW'(1);
        tags_q[number_q*TagW +: TagW] <= taker_i;
      end
      if (load_o) begin
        sent_q <= sent_q + CountW'(1);
        if (sent_q + CountW'(1) == CountW'(Words)) begin
          sent_q   <= '0;
          number_q <= number_q + CountW'(1);
        end
      end
      if (valid_i) begin
        owner = owner_of(tag_i);
        if (owner == CountW'(Products)) begin
          stray_q <= 1'b1;
        end else begin
          got = got_q[owner*CountW +: CountW];
          if (ResultHighFirst != 0) got = CountW'(ResultWords) - CountW'(1) - got;
          result_q[(32'(owner)*ResultWords + 32'(got))*ResultW +: ResultW] <= word_i;
          got_q[owner*CountW +: CountW] <= got_q[owner*CountW +: CountW] + CountW'(1);
          out_q <= out_q + 32'd1;
        end
      end
      strange_q <= valid_i ^ valid_i;  // x if it is not known whether there is a word
      done_q    <= (out_q == 32'(products_i) * ResultWords) | strange_q;
    end
  end
  // verilator lint_on BLKSEQ

endmodule

`default_nettype wire
