// SPDX-License-Identifier: Apache-2.0
//
// The core llmonpro with its watched signals as flat ports, for simulation only. All names that
// reach into the core stand here. Registers show their value after the last edge, the others what
// they are during the cycle.

`default_nettype none

module lt_llmonpro_probe #(
  parameter int D      = 16,
  parameter int K      = 8,
  parameter int Cycles = 1,
  localparam int DW    = D + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    load_i,
  input  logic [(K+1)*DW-1:0]     a_i,
  input  logic [(K+1)*DW-1:0]     b_i,
  input  logic [K*D-1:0]          m_i,
  input  logic [K*D-1:0]          mp_i,
  output logic                    valid_o,
  output logic [(K+1)*DW-1:0]     z_o,

  // registers
  output logic [(K+1)*DW-1:0]     w_a,
  output logic [(K+1)*DW-1:0]     w_b,
  output logic [(K+1)*DW-1:0]     w_z,

  // during the cycle
  output logic [(2*K+1)*DW-1:0]   w_t,      // T
  output logic [K*DW-1:0]         w_q,      // Q, digits below K
  output logic [(K+2)*DW-1:0]     w_s,      // S, digits K-1..2K
  output logic [1:0]              w_carry,
  output logic [(K+1)*(D+2)-1:0]  w_e       // E
);

  lt_llmonpro #(
    .D     (D),
    .K     (K),
    .Cycles(Cycles)
  ) u_core (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (load_i),
    .a_i    (a_i),
    .b_i    (b_i),
    .m_i    (m_i),
    .mp_i   (mp_i),
    .valid_o(valid_o),
    .z_o    (z_o)
  );

  assign w_a     = u_core.a_q;
  assign w_b     = u_core.b_q;
  assign w_z     = u_core.z_q;
  assign w_t     = u_core.u_datapath.t_digits;
  assign w_q     = u_core.u_datapath.q_digits;
  assign w_s     = u_core.u_datapath.s_digits;
  assign w_carry = u_core.u_datapath.carry;
  assign w_e     = u_core.u_datapath.e_sums;

endmodule

`default_nettype wire
