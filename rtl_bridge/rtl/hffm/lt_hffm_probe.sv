// SPDX-License-Identifier: Apache-2.0
//
// The core hffm with its watched signals as flat ports, for simulation only. All names that reach
// into the core stand here. Registers show their value after the last edge, the others what they
// are during the cycle.

`default_nettype none

module lt_hffm_probe #(
  parameter int            N         = 222,
  parameter int            Split     = 6,
  parameter int            A         = 216,
  parameter int            DW        = 218,
  parameter int            Dropped   = 214,
  parameter logic [DW-1:0] D         = '1,
  parameter logic [N-1:0]  X         = '1,
  parameter int            Normalise = 1,
  localparam int H  = N / 2,
  localparam int M  = Split / 2,
  localparam int W  = N / Split,
  localparam int PW = 2 * W
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           start_i,
  output logic           ready_o,
  input  logic [2*N-1:0] a_i,
  input  logic [2*N-1:0] b_i,
  output logic           valid_o,
  output logic [2*N-1:0] r_o,

  // control, the multiplier stage by stage, the other registers
  output logic [5:0]                w_cycle,
  output logic [2:0]                w_mul,
  output logic [1:0]                w_quarter,
  output logic [4:0]                w_op,
  output logic [H-1:0]              w_x,
  output logic [H-1:0]              w_y,
  output logic [M*M*PW-1:0]         w_pp,
  output logic [PW-1:0]             w_bottom,
  output logic [W:0]                w_carry_out,
  output logic [(2*M-3)*(PW+2)-1:0] w_cols,
  output logic [N-PW-1:0]           w_even,
  output logic [N-PW-1:0]           w_odd,
  output logic [N-1:0]              w_xy,
  output logic [N:0]                w_acc,
  output logic [H-1:0]              w_lo0,
  output logic [N-1:0]              w_lo,
  output logic [N-1:0]              w_a1,
  output logic [N-1:0]              w_a2,
  output logic [N-1:0]              w_b1,
  output logic [N-1:0]              w_b2,
  output logic [N-1:0]              w_suma,
  output logic [N-1:0]              w_sumb,
  output logic [2*N-1:0]            w_p1,
  output logic [2*N-1:0]            w_p2,
  output logic [N-1:0]              w_midl,
  output logic [N-1:0]              w_midh,
  output logic [N-1:0]              w_high,
  output logic [N-1:0]              w_highi,
  output logic [N-1:0]              w_c2h,
  output logic [N-1:0]              w_c2l0,
  output logic [N-1:0]              w_c2l1,
  output logic [N+2-1:0]            w_c10,
  output logic [N+2-1:0]            w_c11,
  output logic [N-1:0]              w_r0,
  output logic [N-1:0]              w_r1,
  output logic [N-1:0]              w_qhat,
  output logic                      w_carry,
  output logic                      w_flag
);

  lt_hffm #(
    .N        (N),
    .Split    (Split),
    .A        (A),
    .DW       (DW),
    .Dropped  (Dropped),
    .D        (D),
    .X        (X),
    .Normalise(Normalise)
  ) u_core (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(start_i),
    .ready_o(ready_o),
    .a_i    (a_i),
    .b_i    (b_i),
    .valid_o(valid_o),
    .r_o    (r_o)
  );

  assign w_cycle     = u_core.cycle_q;
  assign w_mul       = u_core.mul;
  assign w_quarter   = u_core.quarter;
  assign w_op        = u_core.op;
  assign w_x         = u_core.half_x;
  assign w_y         = u_core.half_y;
  assign w_pp        = u_core.u_mul.pp_q;
  assign w_bottom    = u_core.u_mul.bottom_q;
  assign w_carry_out = u_core.u_mul.carry_q;
  assign w_cols      = u_core.u_mul.cols_q;
  assign w_even      = u_core.u_mul.even_q;
  assign w_odd       = u_core.u_mul.odd_q;
  assign w_xy        = u_core.u_mul.xy_q;
  assign w_acc       = u_core.u_mul.acc_q;
  assign w_lo0       = u_core.u_mul.lo0_q;
  assign w_lo        = u_core.u_mul.lo_q;
  assign w_a1        = u_core.a1_q;
  assign w_a2        = u_core.a2_q;
  assign w_b1        = u_core.b1_q;
  assign w_b2        = u_core.b2_q;
  assign w_suma      = u_core.suma_q;
  assign w_sumb      = u_core.sumb_q;
  assign w_p1        = u_core.p1_q;
  assign w_p2        = u_core.p2_q;
  assign w_midl      = u_core.midl_q;
  assign w_midh      = u_core.midh_q;
  assign w_high      = u_core.high_q;
  assign w_highi     = u_core.highi_q;
  assign w_c2h       = u_core.c2h_q;
  assign w_c2l0      = u_core.c2l_q[0];
  assign w_c2l1      = u_core.c2l_q[1];
  assign w_c10       = u_core.c1_q[0];
  assign w_c11       = u_core.c1_q[1];
  assign w_r0        = u_core.r_q[0];
  assign w_r1        = u_core.r_q[1];
  assign w_qhat      = u_core.qhat_q;
  assign w_carry     = u_core.carry_q;
  assign w_flag      = u_core.flag_q;

endmodule

`default_nettype wire
