// SPDX-License-Identifier: Apache-2.0
//
// The core r2mm_bitserial with its watched signals as flat ports, for simulation only. All names
// that reach into the core stand here. Registers show their value after the last edge; the bits of
// X and of the quotient, the first sum and the comparison show what they are during the cycle.

`default_nettype none

module lt_r2mm_bitserial_probe #(
  parameter int W    = 32,
  parameter int NMax = 256,
  localparam int Words = (NMax + W - 1) / W,
  localparam int AddrW = (Words > 1) ? $clog2(Words) : 1,
  localparam int NW    = $clog2(W * Words + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               wr_en_i,
  input  logic [1:0]         wr_sel_i,
  input  logic [AddrW-1:0]   wr_addr_i,
  input  logic [W-1:0]       wr_data_i,
  input  logic [NW-1:0]      bits_i,
  input  logic               start_i,
  output logic               busy_o,
  output logic               done_o,
  input  logic [AddrW-1:0]   rd_addr_i,
  output logic [W-1:0]       rd_data_o,

  // registers
  output logic [W*Words:0]   w_s,    // S, and Z in the end

  // during the cycle
  output logic               w_x,    // x_i
  output logic [W*Words+1:0] w_t,    // first adder, T
  output logic               w_q,    // q
  output logic               w_sub   // whether p is subtracted
);

  lt_r2mm_bitserial #(
    .W   (W),
    .NMax(NMax)
  ) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .wr_en_i  (wr_en_i),
    .wr_sel_i (wr_sel_i),
    .wr_addr_i(wr_addr_i),
    .wr_data_i(wr_data_i),
    .bits_i   (bits_i),
    .start_i  (start_i),
    .busy_o   (busy_o),
    .done_o   (done_o),
    .rd_addr_i(rd_addr_i),
    .rd_data_o(rd_data_o)
  );

  assign w_s   = u_core.s_q;
  assign w_x   = u_core.x_bit;
  assign w_t   = u_core.t_sum;
  assign w_q   = u_core.quot;
  assign w_sub = ~u_core.below;

endmodule

`default_nettype wire
