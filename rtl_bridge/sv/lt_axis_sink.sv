// SPDX-License-Identifier: Apache-2.0
//
// Takes the words of a result from an AXI4-Stream.

`default_nettype none

module lt_axis_sink #(
  parameter int Words     = 1,
  parameter int DataW     = 1,
  parameter int HighFirst = 0  // the first word is the high one
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  logic                   begin_i,   // a result is awaited from the next cycle on
  input  logic                   stall_i,
  input  logic                   after_i,   // stable while a result is awaited: be ready after the word is offered only
  output logic                   done_o,    // it is there, until the next one is awaited
  output logic                   ends_o,    // the next word is its last one
  output logic                   wait_o,    // a word is held up
  output logic                   kept_o,    // a word was offered in the last cycle and not taken
  output logic                   moved_o,   // and it is another one now
  input  logic                   valid_i,
  output logic                   ready_o,
  input  logic [DataW-1:0]       data_i,
  output logic [Words*DataW-1:0] result_o
);

  logic                   busy_q;
  logic                   offered_q;  // the word is here since the last cycle
  logic [DataW-1:0]       data_q;
  logic [31:0]            word_q;
  logic [31:0]            place;
  logic [Words*DataW-1:0] result_q;

  assign place    = (HighFirst != 0) ? 32'(Words) - 32'd1 - word_q : word_q;
  assign ends_o   = (word_q == 32'(Words) - 32'd1);
  assign ready_o  = busy_q & ~stall_i & (offered_q | ~after_i);
  assign moved_o  = kept_o & (data_i !== data_q);
  assign wait_o   = busy_q & ~ready_o & valid_i;
  assign result_o = result_q;

  // A core without a reset sees `ready` before the first one.
  initial busy_q = 1'b0;

  always @(posedge clk_i) begin
    kept_o    <= ~rst_i & (valid_i === 1'b1) & ~ready_o;
    offered_q <= (valid_i === 1'b1) & ~ready_o;
    data_q    <= data_i;
    if (rst_i) begin
      busy_q <= 1'b0;
      word_q <= '0;
      done_o <= 1'b0;
    end else if (begin_i) begin
      busy_q <= 1'b1;
      word_q <= '0;
      done_o <= 1'b0;
    end else if (ready_o & valid_i) begin
      result_q[place*DataW +: DataW] <= data_i;
      word_q <= word_q + 32'd1;
      busy_q <= ~ends_o;
      done_o <= ends_o;
    end
  end

endmodule

`default_nettype wire
