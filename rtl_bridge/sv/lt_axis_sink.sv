// SPDX-License-Identifier: Apache-2.0
//
// Takes the words of results from an AXI4-Stream, one result after the other. The words of the next one have to wait
// until somebody takes the last one.

`default_nettype none

module lt_axis_sink #(
  parameter int Words     = 1,
  parameter int DataW     = 1,
  parameter int HighFirst = 0  // the first word is the high one
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic                   begin_i,   // one more result is awaited from the next cycle on, of at most three
  input  logic                   take_i,    // takes a result that is there
  input  logic                   stall_i,
  input  logic                   after_i,   // stable while a result is awaited: be ready after the word is offered only
  output logic                   done_o,    // it is there, until it is taken
  output logic                   ends_o,    // the next word is its last one
  output logic                   wait_o,    // a word is held up
  output logic                   kept_o,    // a word was offered in the last cycle and not taken
  output logic                   moved_o,   // and it is another one now
  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic [DataW-1:0]       data_i,
  input  logic                   last_i,    // looked at by moved_o alone
  output logic [Words*DataW-1:0] result_o
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
