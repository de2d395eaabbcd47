// SPDX-License-Identifier: Apache-2.0
//
// The outputs of the handshake in every cycle: keeps the first cycle in which one of them broke a
// rule of the protocol, during a reset, while the core is idle, and while it works. A core may pass
// its reset through up to Settle registers: nothing is looked at before as many more edges have
// come after the first one of a reset. Until the first product starts, rules marked in Lenient are
// only noted: early_o is one more than the cycle after the reset in which the first was broken.

`default_nettype none

module lt_monitor #(
  parameter int         Rules  = 1,
  parameter int         LevelW = 1,  // at most 64
  parameter logic [1:0] Settle = 2'd2,
  parameter logic [Rules-1:0] Lenient = '0
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             begin_i,    // the next product is there
  input wire logic             started_i,  // the core takes it at the edge that ends this cycle
  input wire logic [Rules-1:0] broken_i,   // rules that this cycle breaks
  input wire logic [Rules*LevelW-1:0] level_i,  // the output or value that each rule is about

  output     logic             ready_o,    // the last reset is over, its pipeline included
  output     logic [7:0]       rule_o,     // number of the first broken rule, from 1 on; 0: none
  output     logic [63:0]      level_o,    // its output or value then
  output     logic [1:0]       since_o,    // what its cycle is counted from
  output     logic [31:0]      cycle_o,
  output     logic [31:0]      early_o
);

  localparam logic [63:0] Period = 64'd10;  // of lt_clock

`ifdef SYNTHESIS
  logic [63:0] now;  // who steps the design counts its cycles
  assign now = '0;
`define LT_NOW now
`else
`define LT_NOW $time
`endif

  // What cycles are counted from: a reset that lasts, the end of one, the start of the product
  // before the one at hand, the start of this one.
  localparam logic [1:0] InReset = 2'd0, AfterReset = 2'd1, Before = 2'd2, This = 2'd3;

  logic        armed_q;  // an edge with a reset was there
  logic        reset_q;  // the last edge was one
  logic [1:0]  since_q;
  logic [63:0] begun_q;
  logic [1:0]  begins_q;  // cycles in which a reset may not have reached everything
  logic [1:0]  ends_q;    // the same of its end
  logic        work_q;    // a product has started
  logic        look;
  logic [Rules-1:0] noted;  // rules that are broken
  logic [Rules-1:0] wrong;

  assign look    = armed_q & (~rst_i | reset_q) & (begins_q == '0);
  assign ready_o = ~rst_i & (ends_q == '0);
  assign noted   = (work_q | (since_q != AfterReset)) ? '0 : (broken_i & Lenient);
  assign wrong   = broken_i & ~noted;

  initial begin
    armed_q  = 1'b0;
    reset_q  = 1'b0;
    since_q  = InReset;
    begun_q  = '0;
    begins_q = '0;
    ends_q   = Settle;
    rule_o   = '0;
    level_o  = '0;
    since_o  = InReset;
    cycle_o  = '0;
    early_o  = '0;
    work_q   = 1'b0;
  end

  // verilator lint_off BLKSEQ
  // A program that runs once a cycle; simulators that interpret take their time for every variable
  // that is written.
  always @(posedge clk_i) begin
    if ((|noted) === 1'b1 && look && early_o == '0) begin
      early_o <= 32'((`LT_NOW - begun_q) / Period);
    end
    if ((|wrong) !== 1'b0 && look && rule_o == '0) begin
      for (int k = Rules - 1; k >= 0; k--) begin
        if (wrong[k] === 1'b1) begin
          rule_o  <= 8'(k) + 8'd1;
          level_o <= 64'(level_i[k*LevelW +: LevelW]);
        end
      end
      since_o <= since_q;
      cycle_o <= 32'((`LT_NOW - begun_q) / Period) - 32'd1;
    end
    if (rst_i && !reset_q) begins_q <= Settle;
    else if (begins_q != '0) begins_q <= begins_q - 2'd1;
    if (rst_i && ends_q != Settle) ends_q <= Settle;
    else if (!rst_i && ends_q != '0) ends_q <= ends_q - 2'd1;
    if (rst_i) begin
      armed_q = 1'b1;
      reset_q = 1'b1;
      since_q = InReset;
      begun_q = `LT_NOW;
    end else begin
      if (reset_q) begin
        reset_q = 1'b0;
        since_q = AfterReset;
      end
      if (begin_i && since_q == This) since_q = Before;
      if (started_i === 1'b1) begin
        work_q  = 1'b1;
        since_q = This;
        begun_q = `LT_NOW;
      end
    end
  end
  // verilator lint_on BLKSEQ

endmodule

`undef LT_NOW
`default_nettype wire
