// SPDX-License-Identifier: Apache-2.0
//
// The core mwr2mm_wordserial with its watched signals as flat ports, for simulation only. All names
// that reach into the core stand here. Registers show their value after the last edge; the bit of
// X, sums and the write port of S show what they are during the cycle.

`default_nettype none

module lt_mwr2mm_wordserial_probe #(
  parameter int W    = 16,
  parameter int EMax = 16,
  localparam int AddrW = (EMax > 1) ? $clog2(EMax) : 1,
  localparam int EW    = $clog2(EMax + 1),
  localparam int NW    = $clog2(W * EMax)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wr_en_i,
  input  logic [1:0]       wr_sel_i,
  input  logic [AddrW-1:0] wr_addr_i,
  input  logic [W-1:0]     wr_data_i,
  input  logic [NW-1:0]    bits_i,
  input  logic [EW-1:0]    words_i,
  input  logic             start_i,
  output logic             busy_o,
  output logic             done_o,
  input  logic [AddrW-1:0] rd_addr_i,
  output logic [W-1:0]     rd_data_o,

  // registers
  output logic             w_ca,      // carry C_a
  output logic             w_cb,      // carry C_b
  output logic             w_par,     // parity
  output logic [W-2:0]     w_kept,    // Sb_(j-1) but for its bit 0

  // during the cycle
  output logic             w_x,       // x_i
  output logic [W:0]       w_a,       // first adder, {C_a', Sa_j}
  output logic [W:0]       w_b,       // second adder, {C_b', Sb_j}
  output logic             w_s_we,    // write port of S
  output logic [AddrW-1:0] w_s_addr,
  output logic [W-1:0]     w_s
);

  lt_mwr2mm_wordserial #(
    .W   (W),
    .EMax(EMax)
  ) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .wr_en_i  (wr_en_i),
    .wr_sel_i (wr_sel_i),
    .wr_addr_i(wr_addr_i),
    .wr_data_i(wr_data_i),
    .bits_i   (bits_i),
    .words_i  (words_i),
    .start_i  (start_i),
    .busy_o   (busy_o),
    .done_o   (done_o),
    .rd_addr_i(rd_addr_i),
    .rd_data_o(rd_data_o)
  );

  assign w_ca     = u_core.ca_q;
  assign w_cb     = u_core.cb_q;
  assign w_par    = u_core.par_q;
  assign w_kept   = u_core.kept_q;
  assign w_x      = u_core.x_bit;
  assign w_a      = u_core.a_sum;
  assign w_b      = u_core.b_sum;
  assign w_s_we   = u_core.s_we;
  assign w_s_addr = u_core.s_wr_addr;
  assign w_s      = u_core.s_wr_data;

endmodule

`default_nettype wire
