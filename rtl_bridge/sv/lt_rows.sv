// SPDX-License-Identifier: Apache-2.0
//
// When there is a row of a product: one per clock cycle, of registers, combinational signals and
// the number of the cycle.
//
// Cycle 0 follows the edge at which the core takes its product; the cycle before is -1. A row
// covers combinational signals as they are during its cycle and registers as the edge that ends
// the cycle loads them; who samples them brings both two edges after the cycle began. Rows run up
// to and including the first cycle in which the core shows that it is done.

`default_nettype none

module lt_rows #(
  parameter int CycleW = 32  // bits of the number of a cycle
) (
  input wire logic              clk_i,
  input wire logic              rst_i,
  input wire logic              started_i,
  input wire logic              finished_i,
  input wire logic              store_i,      // this cycle is worth a row
  output     logic              sample_o,     // the edge that ends this cycle samples a row
  output     logic              row_valid_o,  // what was sampled is a row, that of cycle_o
  output     logic [CycleW-1:0] cycle_o,
  output     logic [CycleW-1:0] latency_o     // cycles from start to done, once finished
);

  logic              running_d, running_q;  // a product is at work
  logic              held_d, held_q;        // the cycle before is worth a row
  logic              valid_d, valid_q;
  logic              moves;
  logic [CycleW-1:0] cycle_q;
  logic [CycleW-1:0] latency_q;

  assign running_d = ~rst_i & (started_i | (running_q & ~finished_i));
  assign held_d    = ~rst_i & (started_i | running_q) & store_i;
  assign valid_d   = ~rst_i & held_q;
  assign moves     = ({running_d, held_d, valid_d} !== {running_q, held_q, valid_q}) | started_i |
                     finished_i;

  assign sample_o    = started_i | running_q | held_q;
  assign row_valid_o = valid_q;
  assign cycle_o     = cycle_q;
  assign latency_o   = latency_q;

  // In most cycles only the number changes: simulators that interpret take their time for every
  // variable that a process touches.
  always_ff @(posedge clk_i) begin
    cycle_q <= cycle_q + CycleW'(1);
    if (moves) begin
      running_q <= running_d;
      held_q    <= held_d;
      valid_q   <= valid_d;
      if (started_i) cycle_q <= -CycleW'(2);  // its row is there two edges later
      if (finished_i) latency_q <= cycle_q + CycleW'(2);
    end
  end

endmodule

`default_nettype wire
