// SPDX-License-Identifier: Apache-2.0
//
// Reads a result through a read port that answers within the cycle, low word first. Words that are
// not read are 0.

`default_nettype none

module limbtrace_reader #(
  parameter int Depth = 1,  // most words
  parameter int DataW = 1,
  parameter int AddrW = 1
) (
  input  logic                   clk_i,
  input  logic                   read_i,    // held until done_o
  output logic                   done_o,
  input  logic [15:0]            words_i,   // words to read, at least 1
  output logic [AddrW-1:0]       address_o,
  input  logic [DataW-1:0]       data_i,
  output logic [Depth*DataW-1:0] result_o
);

  logic [15:0]            word_q;
  logic [Depth*DataW-1:0] result_q;
  logic                   awake;

  assign awake     = read_i | (word_q !== '0);
  assign done_o    = (word_q == words_i);
  assign address_o = AddrW'(word_q);
  assign result_o  = result_q;

  // Word by word and once a cycle: the port shows something new all the time, and a wide next
  // value would be worked out for each of it.
  always_ff @(posedge clk_i) begin
    if (awake) begin
      if (!read_i) begin
        word_q <= '0;
      end else if (!done_o) begin
        word_q <= word_q + 16'd1;
        if (word_q == '0) result_q <= '0;
        result_q[word_q*DataW +: DataW] <= data_i;
      end
    end
  end

endmodule

`default_nettype wire
