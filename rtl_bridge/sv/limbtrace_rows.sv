// SPDX-License-Identifier: Apache-2.0
//
// One row per clock cycle of a product: {registers, combinational signals, cycle number}.
//
// Cycle 0 follows the edge at which the core takes its product; the cycle before is -1. A row
// covers combinational signals as they are during its cycle and registers as the edge that ends
// the cycle loads them; `signals_i` brings both two edges after the cycle began. Rows run up to
// and including the first cycle in which the core shows that it is done.

`default_nettype none

module limbtrace_rows #(
  parameter int CombW = 1,
  parameter int RegW  = 1,
  parameter int RowW  = RegW + CombW + 32
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  started_i,
  input  logic                  finished_i,
  input  logic                  store_i,      // this cycle is worth a row
  input  logic [RegW+CombW-1:0] signals_i,
  output logic                  row_valid_o,
  output logic [RowW-1:0]       row_o,
  output logic [31:0]           latency_o     // cycles from start to done, once finished
);

  logic        running_q;  // a product is at work
  logic        held_q;     // the cycle before is worth a row
  logic        valid_q;
  logic [31:0] cycle_q;
  logic [31:0] held_cycle_q;
  logic [31:0] row_cycle_q;
  logic [31:0] latency_q;

  assign latency_o   = latency_q;
  assign row_valid_o = valid_q;

  // Blocks that run once a cycle, and no next values as wires: Icarus takes its time for each of
  // them, as long as for a good part of a core.
  always_comb row_o = RowW'({signals_i, row_cycle_q});

  always_ff @(posedge clk_i) begin
    running_q    <= ~rst_i & (started_i | (running_q & ~finished_i));
    held_q       <= ~rst_i & (started_i | running_q) & store_i;
    valid_q      <= ~rst_i & held_q;
    cycle_q      <= started_i ? '0 : cycle_q + 32'd1;
    held_cycle_q <= started_i ? '1 : cycle_q;
    row_cycle_q  <= held_cycle_q;
    if (finished_i) latency_q <= cycle_q;
  end

endmodule

`default_nettype wire
