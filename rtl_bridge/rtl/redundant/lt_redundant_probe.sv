// SPDX-License-Identifier: Apache-2.0
//
// The core redundant with ports for what is watched and no signal of it, for simulation only: S of
// each product on its own, and counters in the widths that they have for every Ways.

`default_nettype none

module lt_redundant_probe #(
  parameter int R1   = 22,
  parameter int R2   = 15,
  parameter int MA   = 12,
  parameter int MB   = 18,
  parameter int DS   = 21,
  parameter int Ways = 1,
  parameter int Steady = 0,
  // derived from the others, not to be set
  parameter int Slots = (Steady != 0) ? 2 * Ways : Ways,
  parameter int SlotW = (Slots > 1) ? $clog2(Slots) : 1,
  parameter int AddrW = $clog2((DS > MA + 2) ? DS : MA + 2),
  parameter int IterW = $clog2(MA + 4),
  parameter int BW    = R2 + 2
) (
  input wire logic                 clk_i,
  input wire logic                 rst_ni,
  input wire logic                 wr_en_i,
  input wire logic [1:0]           wr_sel_i,
  input wire logic [SlotW-1:0]     wr_way_i,
  input wire logic [AddrW-1:0]     wr_addr_i,
  input wire logic [R1+1:0]        wr_data_i,
  input wire logic                 start_i,
  input wire logic                 half_i,
  output     logic                 busy_o,
  output     logic                 done_o,
  input wire logic [SlotW-1:0]     rd_way_i,
  input wire logic [AddrW-1:0]     rd_addr_i,
  output     logic [R2+1:0]        rd_data_o,

  // control of the first stage
  output     logic [IterW-1:0]     w_iter,
  output     logic [1:0]           w_way,

  output     logic [DS*BW-1:0]     w_s,   // S
  output     logic [DS*BW-1:0]     w_s1   // S of one cycle before, with 2 and 3 ways
);

  lt_redundant #(
    .R1  (R1),
    .R2  (R2),
    .MA  (MA),
    .MB  (MB),
    .DS  (DS),
    .Ways(Ways),
    .Steady(Steady)
  ) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .wr_en_i  (wr_en_i),
    .wr_sel_i (wr_sel_i),
    .wr_way_i (wr_way_i),
    .wr_addr_i(wr_addr_i),
    .wr_data_i(wr_data_i),
    .start_i  (start_i),
    .half_i   (half_i),
    .busy_o   (busy_o),
    .done_o   (done_o),
    .rd_way_i (rd_way_i),
    .rd_addr_i(rd_addr_i),
    .rd_data_o(rd_data_o)
  );

  assign w_iter = IterW'(u_core.iter_q);
  assign w_way  = 2'(u_core.way_q);
  assign w_s    = u_core.s_q[DS*BW-1:0];
  assign w_s1   = (Ways > 1) ? u_core.s_q[((Ways > 1) ? DS*BW : 0)+:DS*BW] : '0;

endmodule

`default_nettype wire
