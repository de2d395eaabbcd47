// SPDX-License-Identifier: Apache-2.0
//
// Sends a packet on an AXI4-Stream, the word in the low bits first. A word that is offered stays
// until it is taken; while none is, the data are its inverse.

`default_nettype none

module lt_axis_source #(
  parameter int Words = 1,
  parameter int DataW = 1,
  parameter logic [Words-1:0] Last = '1  // words with `last`
) (
  input wire logic                   clk_i,
  input wire logic                   rst_i,
  input wire logic                   begin_i,   // the packet goes out from the next cycle on
  input wire logic                   stall_i,   // no new word is offered
  input wire logic [Words*DataW-1:0] packet_i,  // from the cycle after begin_i until it is out
  output     logic                   idle_o,    // the next packet may begin back-to-back
  output     logic                   wait_o,    // a word is held back
  output     logic                   valid_o,
  input wire logic                   ready_i,
  output     logic [DataW-1:0]       data_o,
  output     logic                   last_o
);

  logic             busy_q;
  logic             offered_q;
  logic [31:0]      word_q;
  logic [DataW-1:0] word;
  logic             ends;

  assign word    = packet_i[word_q*DataW +: DataW];
  assign ends    = (word_q == 32'(Words) - 32'd1);
  assign idle_o  = ~busy_q | (ends & (offered_q | ~stall_i) & (ready_i === 1'b1));
  assign wait_o  = busy_q & ~offered_q & stall_i;
  assign valid_o = busy_q & (offered_q | ~stall_i);
  assign data_o  = valid_o ? word : ~word;
  assign last_o  = valid_o & 1'(Last >> word_q);

  // A core without a reset sees words before the first one.
  initial begin
    busy_q    = 1'b0;
    offered_q = 1'b0;
    word_q    = '0;
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      busy_q    <= 1'b0;
      offered_q <= 1'b0;
      word_q    <= '0;
    end else if (begin_i) begin
      busy_q    <= 1'b1;
      offered_q <= 1'b0;
      word_q    <= '0;
    end else if (busy_q) begin
      offered_q <= valid_o & ~ready_i;
      if (valid_o & ready_i) begin
        word_q <= ends ? '0 : word_q + 32'd1;
        busy_q <= ~ends;
      end
    end
  end

endmodule

`default_nettype wire
