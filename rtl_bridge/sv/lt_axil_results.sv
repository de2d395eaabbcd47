// SPDX-License-Identifier: Apache-2.0
//
// Reads the words of a result over an AXI4-Lite port for a disturbed product: in any order, the
// next one before the last one has come, and some of them again, where the description permits it.

`default_nettype none

module lt_axil_results #(
  parameter int DataW  = 32,
  parameter int Words  = 1,
  parameter int CountW = 16,  // bits of a number of words
  parameter bit Reread = 0    // any word at any time
) (
  input wire logic                   clk_i,
  input wire logic                   rst_i,
  input wire logic                   wild_i,
  input wire logic                   lively_i,  // there is time for what is not needed
  input wire logic [31:0]            dice_i,
  input wire logic                   read_i,    // held until done_o
  output     logic                   done_o,
  output     logic [Words*DataW-1:0] result_o,
  output     logic                   unequal_o,    // a word was another one before
  output     logic [DataW-1:0]       differing_o,  // in these bits

  // of lt_axil_bus
  output     logic                   read_o,
  output     logic [CountW-1:0]      word_o,
  input wire logic                   read_done_i,
  input wire logic                   owed_i,
  input wire logic                   answer_i,  // data are those of a word
  input wire logic [CountW-1:0]      answer_word_i,
  input wire logic [DataW-1:0]       rdata_i
);

  logic [Words-1:0] got_q;
  logic             over, there;
  // verilator lint_off UNUSEDSIGNAL
  // There is one value.
  logic [CountW-1:0] no_value;
  // verilator lint_on UNUSEDSIGNAL

  lt_axil_walk #(
    .Values(1),
    .Depth (Words),
    .CountW(CountW)
  ) u_walk (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .restart_i (wild_i & ~read_i),
    .straight_i(~Reread),
    .random_i  (dice_i),
    .next_i    (read_i & (~there | (read_done_i & ~(Reread & lively_i & dice_i[4] & dice_i[9])))),
    .words_i   (CountW'(Words)),
    .over_o    (over),
    .there_o   (there),
    .value_o   (no_value),
    .word_o    (word_o)
  );

  assign read_o      = read_i & there;
  assign done_o      = over & ~owed_i;
  assign differing_o = rdata_i ^ result_o[answer_word_i*DataW +: DataW];
  assign unequal_o   = answer_i & 1'(got_q >> answer_word_i) &
                       (rdata_i !== result_o[answer_word_i*DataW +: DataW]);

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      got_q    <= '0;
      result_o <= '0;
    end else if (wild_i & ~read_i) begin
      got_q <= '0;
    end else if (answer_i) begin
      got_q <= got_q | (Words'(1) << answer_word_i);
      result_o[answer_word_i*DataW +: DataW] <= rdata_i;
    end
  end

endmodule

`default_nettype wire
