// SPDX-License-Identifier: Apache-2.0
//
// The core vdf_squarer_axil with its watched signals as flat ports, for simulation only. All names
// that reach into the core stand here. Registers show their value after the last edge, the others
// what they are during the cycle.

`default_nettype none

module lt_vdf_squarer_axil_probe #(
  parameter int D      = 16,
  parameter int K      = 8,
  parameter int Cycles = 1,
  localparam int DW    = D + 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [15:0]            s_axil_awaddr_i,
  input  logic [2:0]             s_axil_awprot_i,
  input  logic                   s_axil_awvalid_i,
  output logic                   s_axil_awready_o,
  input  logic [31:0]            s_axil_wdata_i,
  input  logic [3:0]             s_axil_wstrb_i,
  input  logic                   s_axil_wvalid_i,
  output logic                   s_axil_wready_o,
  output logic [1:0]             s_axil_bresp_o,
  output logic                   s_axil_bvalid_o,
  input  logic                   s_axil_bready_i,
  input  logic [15:0]            s_axil_araddr_i,
  input  logic [2:0]             s_axil_arprot_i,
  input  logic                   s_axil_arvalid_i,
  output logic                   s_axil_arready_o,
  output logic [31:0]            s_axil_rdata_o,
  output logic [1:0]             s_axil_rresp_o,
  output logic                   s_axil_rvalid_o,
  input  logic                   s_axil_rready_i,

  // the core behind the port takes a chain at the next edge; it is done
  output logic                   w_start,
  output logic                   w_done,

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

  lt_vdf_squarer_axil #(
    .D     (D),
    .K     (K),
    .Cycles(Cycles)
  ) u_core (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .s_axil_awaddr_i (s_axil_awaddr_i),
    .s_axil_awprot_i (s_axil_awprot_i),
    .s_axil_awvalid_i(s_axil_awvalid_i),
    .s_axil_awready_o(s_axil_awready_o),
    .s_axil_wdata_i  (s_axil_wdata_i),
    .s_axil_wstrb_i  (s_axil_wstrb_i),
    .s_axil_wvalid_i (s_axil_wvalid_i),
    .s_axil_wready_o (s_axil_wready_o),
    .s_axil_bresp_o  (s_axil_bresp_o),
    .s_axil_bvalid_o (s_axil_bvalid_o),
    .s_axil_bready_i (s_axil_bready_i),
    .s_axil_araddr_i (s_axil_araddr_i),
    .s_axil_arprot_i (s_axil_arprot_i),
    .s_axil_arvalid_i(s_axil_arvalid_i),
    .s_axil_arready_o(s_axil_arready_o),
    .s_axil_rdata_o  (s_axil_rdata_o),
    .s_axil_rresp_o  (s_axil_rresp_o),
    .s_axil_rvalid_o (s_axil_rvalid_o),
    .s_axil_rready_i (s_axil_rready_i)
  );

  assign w_start      = u_core.u_core.take_start;
  assign w_done       = u_core.u_core.done_q;
  assign w_a          = u_core.u_core.a_q;
  assign w_b          = u_core.u_core.b_q;
  assign w_t          = u_core.u_core.u_datapath.t_digits;
  assign w_q          = u_core.u_core.u_datapath.q_digits;
  assign w_s          = u_core.u_core.u_datapath.s_digits;
  assign w_carry      = u_core.u_core.u_datapath.carry;
  assign w_e          = u_core.u_core.u_datapath.e_sums;
  assign w_resolved   = u_core.u_core.resolved;
  assign w_difference = u_core.u_core.difference;

endmodule

`default_nettype wire
