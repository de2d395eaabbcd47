// SPDX-License-Identifier: Apache-2.0
//
// Takes the words of results from an AXI4-Stream, one result after the other. The words of the next
// one have to wait until the last one is taken.

`default_nettype none

module lt_axis_sink #(
  parameter int Words     = 1,
  parameter int DataW     = 1,
  parameter int HighFirst = 0  // the first word is the high one
) (
  input wire logic                   clk_i,
  input wire logic                   rst_i,
  input wire logic                   begin_i,   // one more result is due from now on, at most 3
  input wire logic                   take_i,    // takes a result that is there
  input wire logic                   stall_i,
  input wire logic                   after_i,   // stable for a result: ready only after valid
  output     logic                   done_o,    // it is there, until it is taken
  output     logic                   ends_o,    // the next word is its last one
  output     logic                   wait_o,    // a word is held up
  output     logic                   kept_o,    // a word was stalled in the last cycle
  output     logic                   moved_o,   // and it is another one now
  input wire logic                   valid_i,
  output     logic                   ready_o,
  input wire logic [DataW-1:0]       data_i,
  input wire logic                   last_i,    // looked at by moved_o alone
  output     logic [Words*DataW-1:0] result_o
);

  logic [1:0]             awaited_q;  // results of which words are left
  logic                   busy;
  logic                   word;       // one is taken
  logic                   offered_q;  // the word is here since the last cycle
  logic [DataW:0]         data_q;
  logic [31:0]            word_q;
  logic [31:0]            place;
  logic [Words*DataW-1:0] result_q;

  assign busy     = (awaited_q != '0) & ~done_o;
  assign place    = (HighFirst != 0) ? 32'(Words) - 32'd1 - word_q : word_q;
  assign ends_o   = (word_q == 32'(Words) - 32'd1);
  assign ready_o  = busy & ~stall_i & (offered_q | ~after_i);
  assign word     = ready_o & (valid_i === 1'b1);
  assign moved_o  = kept_o & ({last_i, data_i} !== data_q);
  assign wait_o   = busy & ~ready_o & valid_i;
  assign result_o = result_q;

  // A core without a reset sees `ready` before the first one.
  initial begin
    awaited_q = '0;
    done_o    = 1'b0;
  end

  always @(posedge clk_i) begin
    kept_o    <= ~rst_i & (valid_i === 1'b1) & ~ready_o;
    offered_q <= (valid_i === 1'b1) & ~ready_o;
    data_q    <= {last_i, data_i};
    if (rst_i) begin
      awaited_q <= '0;
      word_q    <= '0;
      done_o    <= 1'b0;
    end else begin
      awaited_q <= awaited_q + 2'(begin_i) - 2'(word & ends_o);
      if (done_o & take_i) done_o <= 1'b0;
      if (word) begin
        result_q[place*DataW +: DataW] <= data_i;
        word_q <= ends_o ? '0 : word_q + 32'd1;
        done_o <= ends_o;
      end
    end
  end

endmodule

`default_nettype wire
