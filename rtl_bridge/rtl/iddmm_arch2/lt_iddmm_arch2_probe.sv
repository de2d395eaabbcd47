// SPDX-License-Identifier: Apache-2.0
//
// The core iddmm_arch2 with its watched signals as flat ports, for simulation only. All names that
// reach into the core stand here. Registers show their value after the last edge; sums and the
// write port of A show what they are during the cycle.

`default_nettype none

module lt_iddmm_arch2_probe #(
  parameter int K    = 32,
  parameter int NMax = 8,
  parameter int Pipeline = 0,
  parameter int UseDsp = 1,
  localparam int AddrW = $clog2(NMax + 1),
  localparam int NW    = $clog2(NMax + 2)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wr_en_i,
  input  logic [1:0]       wr_sel_i,
  input  logic [AddrW-1:0] wr_addr_i,
  input  logic [K-1:0]     wr_data_i,
  input  logic [NW-1:0]    n_i,
  input  logic [NW-1:0]    passes_i,
  input  logic [K-1:0]     p_prime_i,
  input  logic             start_i,
  output logic             busy_o,
  output logic             done_o,
  input  logic [AddrW-1:0] rd_addr_i,
  output logic [K-1:0]     rd_data_o,

  // registers
  output logic [K-1:0]     w_q,       // quotient digit q
  output logic [K:0]       w_c,       // carry C
  output logic [1:0]       w_an,      // A_n

  // registers of the pipeline levels
  output logic [2*K-1:0]   w_px,      // 1: X_j * Y_i
  output logic [2*K-1:0]   w_pr,      // 1: q * p_j
  output logic [K-1:0]     w_ad,      // 1: A_j
  output logic [2*K-1:0]   w_sr,      // 2: S
  output logic [2*K-1:0]   w_rr,      // 2: R

  // during the cycle
  output logic [2*K-1:0]   w_s,       // S adder
  output logic [2*K-1:0]   w_r,       // R
  output logic [2*K:0]     w_u,       // U adder, {C', U_j}
  output logic             w_a_we,    // write port of A
  output logic [AddrW-1:0] w_a_addr,
  output logic [K-1:0]     w_a
);

  lt_iddmm_arch2 #(
    .K       (K),
    .NMax    (NMax),
    .Pipeline(Pipeline),
    .UseDsp  (UseDsp)
  ) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .wr_en_i  (wr_en_i),
    .wr_sel_i (wr_sel_i),
    .wr_addr_i(wr_addr_i),
    .wr_data_i(wr_data_i),
    .n_i      (n_i),
    .passes_i (passes_i),
    .p_prime_i(p_prime_i),
    .start_i  (start_i),
    .busy_o   (busy_o),
    .done_o   (done_o),
    .rd_addr_i(rd_addr_i),
    .rd_data_o(rd_data_o)
  );

  assign w_q      = u_core.u_products.quot_q;
  assign w_c      = u_core.c_q;
  assign w_an     = u_core.u_frame.a_top_q;
  assign w_px     = u_core.u_products.px_q;
  assign w_pr     = u_core.u_products.pr_q;
  assign w_ad     = u_core.u_products.ad_q;
  assign w_sr     = u_core.sr_q;
  assign w_rr     = u_core.rr_q;
  assign w_s      = u_core.s_sum;
  assign w_r      = u_core.qp;
  assign w_u      = u_core.u_sum;
  assign w_a_we   = u_core.u_frame.a_we;
  assign w_a_addr = u_core.u_frame.a_wr_addr;
  assign w_a      = u_core.u_frame.u_i;

endmodule

`default_nettype wire
