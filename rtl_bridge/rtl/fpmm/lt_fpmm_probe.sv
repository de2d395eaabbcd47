// SPDX-License-Identifier: Apache-2.0
//
// The core fpmm with its registers as flat ports, for simulation only. All names that reach into
// the core stand here. "Slot x in cycle c" is a slot that is on the ports in cycle 1, as in the
// header of fpmm.sv (E = Eps); a slot s later is there s cycles later. w_iter, w_active, w_wr_en,
// w_wr_addr, w_tm_d, w_feed, w_p_word and, without Fast, w_v0_p are no registers.

`default_nettype none

module lt_fpmm_probe #(
  parameter int W     = 34,
  parameter int S     = 4,
  parameter int Sigma = 4,
  parameter int Theta = 4,
  parameter int Fast  = 1,
  parameter int Dram  = 1,
  localparam int D     = W / 2,
  localparam int LmW   = (Sigma > 1) ? $clog2(Sigma) : 1,
  localparam int SlotW = $clog2(Theta),
  localparam int WordW = $clog2(S),
  localparam int AddrW = LmW + WordW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             setup_i,
  input  logic             load_i,
  input  logic [W-1:0]     a_i,
  input  logic [W-1:0]     b_i,
  output logic             ready_o,
  output logic [LmW-1:0]   lm_o,
  output logic             r_valid_o,
  output logic [LmW-1:0]   r_lm_o,
  output logic [W-1:0]     r_o,

  // control: the slot of cycle 1, then what is known of a slot in cycles 2 and 3
  output logic [SlotW-1:0] w_slot,
  output logic [WordW-1:0] w_iter,
  output logic             w_active,
  output logic [SlotW-1:0] w_c2_slot,
  output logic [LmW-1:0]   w_c2_lm,
  output logic [WordW-1:0] w_c2_iter,
  output logic             w_c2_active,
  output logic [SlotW-1:0] w_c3_slot,
  output logic [LmW-1:0]   w_c3_lm,
  output logic [WordW-1:0] w_c3_iter,
  output logic             w_c3_active,

  // words at the inputs in cycle 2, write port of both operand memories in cycle 2
  output logic [W-1:0]     w_a2,
  output logic [W-1:0]     w_b2,
  output logic             w_wr_en,
  output logic [AddrW-1:0] w_wr_addr,

  // words read, 0 in a slot without a word: cycles 4 and 5
  output logic [W-1:0]     w_a4,
  output logic [W-1:0]     w_b4,
  output logic [W-1:0]     w_a5,
  output logic [W-1:0]     w_b5,

  // task 1, P0: X and Y of slot x in cycle 6, the product in 7, P in E
  output logic [D-1:0]     w_v0_x,
  output logic [D-1:0]     w_v0_y,
  output logic [2*D-1:0]   w_v0_m,
  output logic [2*D:0]     w_v0_p,

  // P1: E - 1, E, E + 1
  output logic [D-1:0]     w_v1_x,
  output logic [D-1:0]     w_v1_y,
  output logic [2*D-1:0]   w_v1_m,
  output logic [2*D:0]     w_v1_p,

  // P2: E, E + 1, E + 2
  output logic [D-1:0]     w_v2_x,
  output logic [D-1:0]     w_v2_y,
  output logic [2*D-1:0]   w_v2_m,
  output logic [2*D:0]     w_v2_p,

  // P3: E + 1, E + 2, E + 3
  output logic [D-1:0]     w_v3_x,
  output logic [D-1:0]     w_v3_y,
  output logic [2*D-1:0]   w_v3_m,
  output logic [2*D:0]     w_v3_p,

  // t of the iteration before: as it comes from the loop in cycle E - 1, then in E; its high digit
  // in E + 2
  output logic [W-1:0]     w_tm_d,
  output logic             w_feed,
  output logic [W-1:0]     w_tm,
  output logic [D-1:0]     w_tm_hi,

  // v and u, carries on top: VL in E + 1, its parts in E + 2 and E + 3, VH in E + 3,
  // VU and U in E + 4
  output logic [D:0]       w_vl,
  output logic             w_cy0,
  output logic [D-1:0]     w_vl_d1,
  output logic [D-1:0]     w_vl_d2,
  output logic [D:0]       w_vh,
  output logic [W-1:0]     w_vu,
  output logic [W:0]       w_u,

  // task 2, slot 0 only, steps 0, 1, 2 in successive cycles: digit of v_0 from E + 2, X and Y from
  // E + 3, product from E + 4, P from E + 5; q for a visit from E + 6 (low digit) and E + 8
  output logic [D-1:0]     w_q_d,
  output logic [D-1:0]     w_q_x,
  output logic [D-1:0]     w_q_y,
  output logic [2*D-1:0]   w_q_m,
  output logic [2*D:0]     w_q_p,
  output logic [D-1:0]     w_ql,
  output logic [D-1:0]     w_qh,

  // word of P in cycle E + 6
  output logic [W-1:0]     w_p_word,

  // task 3, P0: X and Y in E + 7, the product in E + 8, P in E + 9
  output logic [D-1:0]     w_w0_x,
  output logic [D-1:0]     w_w0_y,
  output logic [2*D-1:0]   w_w0_m,
  output logic [2*D:0]     w_w0_p,

  // P1: E + 8, E + 9, E + 10
  output logic [D-1:0]     w_w1_x,
  output logic [D-1:0]     w_w1_y,
  output logic [2*D-1:0]   w_w1_m,
  output logic [2*D:0]     w_w1_p,

  // P2: E + 9, E + 10, E + 11
  output logic [D-1:0]     w_w2_x,
  output logic [D-1:0]     w_w2_y,
  output logic [2*D-1:0]   w_w2_m,
  output logic [2*D:0]     w_w2_p,

  // P3: E + 10, E + 11, E + 12
  output logic [D-1:0]     w_w3_x,
  output logic [D-1:0]     w_w3_y,
  output logic [2*D-1:0]   w_w3_m,
  output logic [2*D:0]     w_w3_p,

  // P0 and u in E + 11, P3 in E + 13; S in E + 12, T in E + 13, carries on top; output registers
  output logic [D-1:0]     w_w_p0,
  output logic [W-1:0]     w_u_late,
  output logic [W-1:0]     w_w_p3,
  output logic [W:0]       w_s,
  output logic [W:0]       w_t,
  output logic [W-1:0]     w_o
);

  lt_fpmm #(
    .W    (W),
    .S    (S),
    .Sigma(Sigma),
    .Theta(Theta),
    .Fast (Fast),
    .Dram (Dram)
  ) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .setup_i  (setup_i),
    .load_i   (load_i),
    .a_i      (a_i),
    .b_i      (b_i),
    .ready_o  (ready_o),
    .lm_o     (lm_o),
    .r_valid_o(r_valid_o),
    .r_lm_o   (r_lm_o),
    .r_o      (r_o)
  );

  assign w_slot      = u_core.slot_q;
  assign w_iter      = u_core.iter;
  assign w_active    = u_core.active;
  assign w_c2_slot   = u_core.c2_slot_q;
  assign w_c2_lm     = u_core.c2_lm_q;
  assign w_c2_iter   = u_core.c2_iter_q;
  assign w_c2_active = u_core.c2_active_q;
  assign w_c3_slot   = u_core.c3_slot_q;
  assign w_c3_lm     = u_core.c3_lm_q;
  assign w_c3_iter   = u_core.c3_iter_q;
  assign w_c3_active = u_core.c3_active_q;

  assign w_a2      = u_core.a2_q;
  assign w_b2      = u_core.b2_q;
  assign w_wr_en   = u_core.wr_en;
  assign w_wr_addr = {u_core.c2_lm_q, u_core.c2_slot_q[WordW-1:0]};

  assign w_a4 = u_core.a4;
  assign w_b4 = u_core.b4;
  assign w_a5 = u_core.a5_q;
  assign w_b5 = u_core.b5_q;

  assign w_v0_x = u_core.u_task1.u_dsp0.x_q;
  assign w_v0_y = u_core.u_task1.u_dsp0.y_q;
  assign w_v0_m = u_core.u_task1.u_dsp0.m_q;
  assign w_v0_p = u_core.u_task1.u_dsp0.p_o;

  assign w_v1_x = u_core.u_task1.u_dsp1.x_q;
  assign w_v1_y = u_core.u_task1.u_dsp1.y_q;
  assign w_v1_m = u_core.u_task1.u_dsp1.m_q;
  assign w_v1_p = u_core.u_task1.u_dsp1.p_o;

  assign w_v2_x = u_core.u_task1.u_dsp2.x_q;
  assign w_v2_y = u_core.u_task1.u_dsp2.y_q;
  assign w_v2_m = u_core.u_task1.u_dsp2.m_q;
  assign w_v2_p = u_core.u_task1.u_dsp2.p_o;

  assign w_v3_x = u_core.u_task1.u_dsp3.x_q;
  assign w_v3_y = u_core.u_task1.u_dsp3.y_q;
  assign w_v3_m = u_core.u_task1.u_dsp3.m_q;
  assign w_v3_p = u_core.u_task1.u_dsp3.p_o;

  assign w_tm_d  = u_core.tm_d;
  assign w_feed  = u_core.feed;
  assign w_tm    = u_core.tm_q;
  assign w_tm_hi = u_core.tm_hi_late;

  assign w_vl    = u_core.vl_q;
  assign w_cy0   = u_core.cy0_late_q;
  assign w_vl_d1 = u_core.vl_d1_q;
  assign w_vl_d2 = u_core.vl_d2_q;
  assign w_vh    = u_core.vh_q;
  assign w_vu    = u_core.vu_q;
  assign w_u     = u_core.u_q;

  assign w_q_d = u_core.x_q;
  assign w_q_x = u_core.u_task2.x_q;
  assign w_q_y = u_core.u_task2.y_q;
  assign w_q_m = u_core.u_task2.m_q;
  assign w_q_p = u_core.q_p;
  assign w_ql  = u_core.ql_q;
  assign w_qh  = u_core.qh_q;

  assign w_p_word = u_core.p_word;

  assign w_w0_x = u_core.u_task3.u_dsp0.x_q;
  assign w_w0_y = u_core.u_task3.u_dsp0.y_q;
  assign w_w0_m = u_core.u_task3.u_dsp0.m_q;
  assign w_w0_p = u_core.u_task3.u_dsp0.p_o;

  assign w_w1_x = u_core.u_task3.u_dsp1.x_q;
  assign w_w1_y = u_core.u_task3.u_dsp1.y_q;
  assign w_w1_m = u_core.u_task3.u_dsp1.m_q;
  assign w_w1_p = u_core.u_task3.u_dsp1.p_o;

  assign w_w2_x = u_core.u_task3.u_dsp2.x_q;
  assign w_w2_y = u_core.u_task3.u_dsp2.y_q;
  assign w_w2_m = u_core.u_task3.u_dsp2.m_q;
  assign w_w2_p = u_core.u_task3.u_dsp2.p_o;

  assign w_w3_x = u_core.u_task3.u_dsp3.x_q;
  assign w_w3_y = u_core.u_task3.u_dsp3.y_q;
  assign w_w3_m = u_core.u_task3.u_dsp3.m_q;
  assign w_w3_p = u_core.u_task3.u_dsp3.p_o;

  assign w_w_p0   = u_core.w_p0_late;
  assign w_u_late = u_core.u_late;
  assign w_w_p3   = u_core.w_p3_late_q;
  assign w_s      = u_core.s_q;
  assign w_t      = u_core.t_q;
  assign w_o      = u_core.o_q;

endmodule

`default_nettype wire
