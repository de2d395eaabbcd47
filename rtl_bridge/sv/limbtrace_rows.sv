// SPDX-License-Identifier: Apache-2.0
//
// One row per clock cycle of a product: {registers, combinational signals, cycle number}.
//
// Cycle 0 follows the edge at which the core takes its product; the cycle before is -1. A row
// covers combinational signals as they are during its cycle and registers as the edge that ends
// the cycle loads them, so it is complete one cycle later. Rows run up to and including the first
// cycle in which the core shows that it is done.

`default_nettype none

module limbtrace_rows #(
  parameter int CombW = 1,
  parameter int RegW  = 1,
  parameter int RowW  = RegW + CombW + 32
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             started_i,
  input  logic             finished_i,
  input  logic             store_i,      // this cycle is worth a row
  input  logic [CombW-1:0] comb_i,
  input  logic [RegW-1:0]  regs_i,
  output logic             row_valid_o,
  output logic [RowW-1:0]  row_o,
  output logic [31:0]      latency_o     // cycles from start to done, once finished
);

  logic             running_d, running_q;
  logic             held_d, held_q;
  logic [31:0]      cycle_d, cycle_q;
  logic [31:0]      held_cycle_d, held_cycle_q;
  logic [31:0]      latency_d, latency_q;
  logic [CombW-1:0] held_comb_q;

  assign latency_o   = latency_q;
  assign row_valid_o = held_q;
  assign row_o       = RowW'({regs_i, held_comb_q, held_cycle_q});

  assign running_d    = started_i | (running_q & ~finished_i);
  assign cycle_d      = started_i ? '0 : cycle_q + 32'd1;
  assign held_d       = (started_i | running_q) & store_i;
  assign held_cycle_d = started_i ? '1 : cycle_q;
  assign latency_d    = finished_i ? cycle_q : latency_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      running_q <= 1'b0;
      held_q    <= 1'b0;
    end else begin
      running_q <= running_d;
      held_q    <= held_d;
    end
  end

  always_ff @(posedge clk_i) begin
    cycle_q      <= cycle_d;
    latency_q    <= latency_d;
    held_cycle_q <= held_cycle_d;
    held_comb_q  <= comb_i;
  end

endmodule

`default_nettype wire
