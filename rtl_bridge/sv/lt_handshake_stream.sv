// SPDX-License-Identifier: Apache-2.0
//
// Gives a stream of products to a core with a handshake on either side, as fast as both sides go,
// and gathers the results, which come in the order of the products. Operands and results of all
// products stand side by side, the first in the low bits.
//
// Which sides stall is a pattern that follows from the number of the stream's first product and the
// stall seed. A core without a ready for its results has to be able to give them at any time.
//
//   0  neither        4  operands, three cycles of four
//   1  both at random 5  the next operands wait until no product is in the core
//   2  results, until the core takes no more operands; then all come
//   3  results, three cycles of four
//   6  results, until the core takes no more operands; then one comes for each that is taken
//   7  operands come in bursts, results at random

`default_nettype none

module lt_handshake_stream #(
  parameter int Products = 1,  // most of them
  parameter int AW       = 1,  // bits of an operand
  parameter int BW       = 1,
  parameter int ResultW  = 1,
  parameter int CountW   = 16, // bits of a number of products
  parameter bit Holds    = 1   // results can be stalled
) (
  input wire logic                       clk_i,
  input wire logic                       rst_i,
  input wire logic                       begin_i,      // this is the first cycle of a stream
  input wire logic                       run_i,        // and this a later one
  input wire logic [CountW-1:0]          products_i,
  input wire logic [31:0]                turn_i,       // number of its first product
  input wire logic [15:0]                stall_seed_i, // 0: neither side stalls
  // verilator lint_off UNUSEDSIGNAL
  // Bits that are next to each other are alike in cycles that are.
  input wire logic [15:0]                random_i,
  // verilator lint_on UNUSEDSIGNAL
  input wire logic [7:0]                 result_stall_i, // cycles that the first result waits
  input wire logic [Products*AW-1:0]     a_i,
  input wire logic [Products*BW-1:0]     b_i,
  output     logic                       done_o,       // two cycles after the last result
  output     logic                       wait_o,       // one side is stalled
  output     logic                       empty_o,      // no product is offered or in the core
  output     logic [Products*ResultW:0]  result_o,     // {stray, results}

  // core
  output     logic [CountW-1:0]          number_o,     // of the product that is offered or next
  output     logic                       valid_o,
  input wire logic                       ready_i,
  output     logic [AW-1:0]              a_o,
  output     logic [BW-1:0]              b_o,
  input wire logic                       valid_i,
  output     logic                       ready_o,
  input wire logic [ResultW-1:0]         word_i
);

  localparam logic [3:0] Full = 4'd15;  // cycles in which an offer is not taken: the core is full

  logic [CountW-1:0]           number_q;   // products that the core has taken
  logic [CountW-1:0]           out_q;      // results that it has given
  logic [Products*ResultW-1:0] result_q;
  logic                        stray_q, strange_q, done_q;
  logic                        standing_q; // the offer was not taken
  logic                        filling_q;  // results wait until the core is full
  logic [3:0]                  refused_q;  // cycles that an offer stands
  logic [4:0]                  pause_q;    // cycles to the next burst of operands
  logic [7:0]                  hold_q;     // cycles of result_stall_i that are over
  logic [2:0]                  pattern;
  logic [2:0]                  mixed;      // a hash of the number of the first product
  logic                        active, more, empty, full, want, let_out, takes, gives;

  assign mixed   = 3'(((turn_i + 32'd1) * 32'h9E3779B1) >> 29);
  assign pattern = (stall_seed_i == '0) ? 3'd0 : mixed ^ stall_seed_i[3:1];

  assign active  = begin_i | run_i;
  assign more    = (number_q != products_i);
  assign empty   = (out_q == number_q);
  assign full    = ~more | (refused_q == Full);
  assign takes   = valid_o & ready_i;
  assign gives   = valid_i & ready_o;

  assign want    = (pattern == 3'd1) ? random_i[1] :
                   (pattern == 3'd4) ? &random_i[4:3] :
                   (pattern == 3'd5) ? empty & ~random_i[2] :
                   (pattern == 3'd7) ? (pause_q == '0) : 1'b1;
  assign let_out = (pattern == 3'd2) ? ~filling_q :
                   (pattern == 3'd3) ? &random_i[10:9] :
                   (pattern == 3'd6) ? ~more | ~filling_q :
                   ((pattern == 3'd1) | (pattern == 3'd7)) ? random_i[8] : 1'b1;

  assign valid_o  = active & more & (standing_q | want);
  assign ready_o  = active & ((let_out & (hold_q == result_stall_i)) | !Holds);
  assign wait_o   = active & ((more & ~valid_o) | (valid_i & ~ready_o));
  assign empty_o  = empty & ~valid_o;
  assign number_o = more ? number_q : '0;
  assign a_o      = a_i[32'(number_o)*AW +: AW];
  assign b_o      = b_i[32'(number_o)*BW +: BW];
  assign done_o   = done_q;
  assign result_o = {stray_q, result_q};

  initial begin
    number_q   = '0;
    out_q      = '0;
    standing_q = 1'b0;
    filling_q  = 1'b1;
    refused_q  = '0;
    pause_q    = '0;
    hold_q     = '0;
  end

  always @(posedge clk_i) begin
    if (rst_i | ~active) begin
      number_q   <= '0;
      out_q      <= '0;
      standing_q <= 1'b0;
      filling_q  <= 1'b1;
      refused_q  <= '0;
      pause_q    <= '0;
      hold_q     <= '0;
      strange_q  <= 1'b0;
      done_q     <= 1'b0;
    end else begin
      if (begin_i) begin
        result_q <= '0;
        stray_q  <= 1'b0;
      end
      standing_q <= valid_o & ~ready_i;
      if (takes) number_q <= number_q + CountW'(1);
      if (gives) begin
        if (out_q == number_q + CountW'(takes)) begin
          stray_q <= 1'b1;
        end else begin
          result_q[32'(out_q)*ResultW +: ResultW] <= word_i;
          out_q <= out_q + CountW'(1);
        end
      end
      if (~valid_o | ready_i) refused_q <= '0;
      else if (refused_q != Full) refused_q <= refused_q + 4'd1;
      // Pattern 6: a result makes room, and the next one waits until the room is taken.
      if (filling_q ? full : (pattern == 3'd6) ? gives : (empty & more)) filling_q <= ~filling_q;
      if (valid_i & (hold_q != result_stall_i)) hold_q <= hold_q + 8'd1;
      if (pause_q != '0) pause_q <= pause_q - 5'd1;
      else if (takes & (&random_i[6:5])) pause_q <= random_i[15:11];
      strange_q <= valid_i ^ valid_i;  // x if it is not known whether there is a result
      done_q    <= (out_q == products_i) | strange_q;
    end
  end

endmodule

`default_nettype wire
