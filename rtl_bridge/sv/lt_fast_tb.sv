// SPDX-License-Identifier: Apache-2.0
//
// Top of a model that a program clocks: the core in its shell, and its rows. Every change of `tick`
// is a whole clock cycle: a rising edge, after which the core sees the inputs as they are now, and
// a falling edge. The program raises `valid` for the edges after which a product is offered, until
// one finds `ready`, and reads the outputs before each change.
//
// Inputs are in registers, because a simulator evaluates all that depends on an input of the top
// once more, whether it changed or not.

// First in order of compilation: the time unit holds for all files after it.
`timescale 1ns / 1ns
`default_nettype none

module lt_fast_tb #(
  parameter int ConstW  = 1,
  parameter int AW      = 1,
  parameter int BW      = 1,
  parameter int ResultW = 1,
  parameter int CombW   = 1,
  parameter int RegW    = 1,
  parameter int CycleW  = 32,  // bits of the number of a cycle
  // derived from the others, not to be set
  parameter int RowW = (RegW + CombW + CycleW + 7) / 8 * 8
) (
  input wire logic               tick,
  input wire logic               rst,
  input wire logic [15:0]        stall_seed,  // taken in reset
  input wire logic [ConstW-1:0]  constants,   // taken in reset
  input wire logic [AW-1:0]      a,           // taken with `valid`
  input wire logic [BW-1:0]      b,
  input wire logic [31:0]        turn,        // number of the product, taken with `valid`
  input wire logic               valid,
  output     logic               ready,
  output     logic               started,
  output     logic               front,       // another product is taken, in front of this one
  output     logic               finished,
  output     logic               done,
  output     logic [ResultW-1:0] result,
  output     logic               row_valid,
  output     logic [RowW-1:0]    row,
  output     logic [CycleW-1:0]  latency,
  output     logic [7:0]         rule,        // of lt_monitor
  output     logic [63:0]        rule_level,
  output     logic [1:0]         rule_since,
  output     logic [31:0]        rule_cycle,
  output     logic [31:0]        early
);

  logic                  tock;
  wire                   clk = tick ^ tock;
  logic                  rst_q, valid_q;
  logic [15:0]           stall_seed_q;
  logic [ConstW-1:0]     constants_q;
  logic [31:0]           turn_q;
  logic [AW-1:0]         a_q;
  logic [BW-1:0]         b_q;
  logic                  store, sample;
  logic [RegW+CombW-1:0] sampled;
  logic [CycleW-1:0]     cycle;

  initial tock = 1'b0;
  always @(posedge clk) tock <= tick;  // and so the clock falls

  always_ff @(posedge clk) begin
    rst_q   <= rst;
    valid_q <= valid;
    if (rst) begin
      stall_seed_q <= stall_seed;
      constants_q  <= constants;
    end
    if (valid) begin
      turn_q <= turn;
      a_q <= a;
      b_q <= b;
    end
  end

  assign row = RowW'({sampled, cycle});

  lt_shell u_shell (
    .clk_i       (clk),
    .rst_i       (rst_q),
    .stall_seed_i(stall_seed_q),
    .disturb_i   (1'b0),
    .prefix_count_i(2'd0),
    .in_done_cycle_i(4'd0),
    .gap_i       (7'd0),
    .result_stall_i(8'd0),
    .read_early_i(1'b0),
    .reload_first_i(1'b0),
    .read_backwards_i(1'b0),
    .load_order_i(4'd0),
    .load_skip_i (2'd0),
    .load_ahead_i(1'b0),
    .write_i     (1'b0),
    .unknown_i   (1'b0),
    .renew_i     (1'b0),
    .seed_i      (16'd0),
    .turn_i      (turn_q),
    .constants_i (constants_q),
    .a_i         (a_q),
    .b_i         (b_q),
    .valid_i     (valid_q),
    .ready_o     (ready),
    .started_o   (started),
    .prefix_started_o(front),
    .finished_o  (finished),
    .done_o      (done),
    .result_o    (result),
    .store_o     (store),
    .rule_o      (rule),
    .rule_level_o(rule_level),
    .rule_since_o(rule_since),
    .rule_cycle_o(rule_cycle),
    .early_o     (early),
    .sample_i    (sample),
    .row_o       (sampled)
  );

  lt_rows #(.CycleW(CycleW)) u_rows (
    .clk_i      (clk),
    .rst_i      (rst_q),
    .started_i  (started),
    .finished_i (finished),
    .store_i    (store),
    .sample_o   (sample),
    .row_valid_o(row_valid),
    .cycle_o    (cycle),
    .latency_o  (latency)
  );

endmodule

`default_nettype wire
