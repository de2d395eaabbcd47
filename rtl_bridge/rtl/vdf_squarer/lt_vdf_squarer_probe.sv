// SPDX-License-Identifier: Apache-2.0
//
// The core vdf_squarer with its watched signals as flat ports, for simulation only. All names that
// reach into the core stand here. Registers show their value after the last edge, the others what
// they are during the cycle.

`default_nettype none

module lt_vdf_squarer_probe #(
  parameter int D      = 16,
  parameter int K      = 8,
  parameter int Cycles = 1,
  parameter int W      = 32,
  localparam int DW    = D + 1,
  localparam int Words = (K * D + W - 1) / W,
  localparam int AddrW = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   wr_en_i,
  input  logic [1:0]             wr_sel_i,
  input  logic [AddrW-1:0]       wr_addr_i,
  input  logic [W-1:0]           wr_data_i,
  input  logic [31:0]            t_i,
  input  logic                   start_i,
  output logic                   busy_o,
  output logic                   done_o,
  input  logic [AddrW-1:0]       rd_addr_i,
  output logic [W-1:0]           rd_data_o,

  // registers
  output logic [(K+1)*DW-1:0]    w_a,
  output logic [(K+1)*DW-1:0]    w_b,

  // during the cycle
  output logic [(2*K+1)*DW-1:0]  w_t,           // T
  output logic [K*DW-1:0]        w_q,           // Q, digits below K
  output logic [(K+2)*DW-1:0]    w_s,           // S, digits K-1..2K
  output logic [1:0]             w_carry,
  output logic [(K+1)*(D+2)-1:0] w_e,           // E
  output logic [D:0]             w_resolved,    // {carry, digit}
  output logic [D:0]             w_difference   // {borrow, digit}
);

  lt_vdf_squarer #(
    .D     (D),
    .K     (K),
    .Cycles(Cycles),
    .W     (W)
  ) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .wr_en_i  (wr_en_i),
    .wr_sel_i (wr_sel_i),
    .wr_addr_i(wr_addr_i),
    .wr_data_i(wr_data_i),
    .t_i      (t_i),
    .start_i  (start_i),
    .busy_o   (busy_o),
    .done_o   (done_o),
    .rd_addr_i(rd_addr_i),
    .rd_data_o(rd_data_o)
  );

  assign w_a          = u_core.a_q;
  assign w_b          = u_core.b_q;
  assign w_t          = u_core.u_datapath.t_digits;
  assign w_q          = u_core.u_datapath.q_digits;
  assign w_s          = u_core.u_datapath.s_digits;
  assign w_carry      = u_core.u_datapath.carry;
  assign w_e          = u_core.u_datapath.e_sums;
  assign w_resolved   = u_core.resolved;
  assign w_difference = u_core.difference;

endmodule

`default_nettype wire
