// SPDX-License-Identifier: Apache-2.0
//
// Low-latency Montgomery multiplication on redundant digits, from operand registers to where the
// result is registered.
//
// Source: I. San, "LLMONPRO: Low-latency Montgomery modular multiplication suitable for verifiable
// delay functions", Algorithm 5, with a carry that is exact: the printed one, whether T0 is 0 or
// not, is one too small whenever the digits of T0 or S0 are worth R or more.
//
// Three products in a row: T = A*B, Q = T0*M', S = Q0*M; X0 are the digits below K. With
// R = 2^(D*K), Z*R = A*B + Q0*M. Digits below K of Q and from K-1 on of S are all that is made.
//
// Ranges: D >= 3, 2 <= K <= 2^(D-1)-1, digits of A and B below 2^(D+1), A, B < 2R, M odd, M < R.
//
// There are six places for registers, of which Cycles - 1 have one: behind the columns and behind
// the digits of each product.

`default_nettype none

module lt_lowlat_monpro #(
  parameter int D      = 16,  // bits of the radix
  parameter int K      = 8,   // digits of R
  parameter int Cycles = 1,   // 1..7, from operand to result registers
  // derived from the others, not to be set
  parameter int DW = D + 1
) (
  input wire logic                clk_i,
  input wire logic [(K+1)*DW-1:0] a_i,
  input wire logic [(K+1)*DW-1:0] b_i,
  input wire logic [K*D-1:0]      m_i,   // M
  input wire logic [K*D-1:0]      mp_i,  // M' = -1/M mod R
  output     logic [(K+1)*DW-1:0] z_o
);

  localparam logic [6:1] Cuts = (Cycles == 1) ? 6'b000000 :
                                (Cycles == 2) ? 6'b000100 :
                                (Cycles == 3) ? 6'b001010 :
                                (Cycles == 4) ? 6'b010101 :
                                (Cycles == 5) ? 6'b110101 :
                                (Cycles == 6) ? 6'b011111 : 6'b111111;

  localparam int CW = D + $clog2(2 * K + 3);  // K + 1 pairs at most meet in a place
  localparam int Above = K + 2;  // digits K-1..2K: the high half, and one for the carry

  ///////////
  // A * B //
  ///////////

  logic [(2*K+2)*CW-1:0] t_cols, t_cols_cut;
  logic [(2*K+1)*DW-1:0] t_digits, t_cut;  // T

  lt_digit_columns #(
    .D (D),
    .NA(K + 1),
    .NB(K + 1),
    .BW(DW),
    .Lo(0),
    .Hi(2 * K),
    .CW(CW)
  ) u_t_columns (
    .a_i   (a_i),
    .b_i   (b_i),
    .cols_o(t_cols)
  );

  lt_cut #(
    .Width((2 * K + 2) * CW),
    .On   (Cuts[1])
  ) u_cut_1 (
    .clk_i(clk_i),
    .d_i  (t_cols),
    .q_o  (t_cols_cut)
  );

  lt_column_digits #(
    .D (D),
    .CW(CW),
    .N (2 * K + 1)
  ) u_t_digits (
    .cols_i  (t_cols_cut),
    .digits_o(t_digits)
  );

  lt_cut #(
    .Width((2 * K + 1) * DW),
    .On   (Cuts[2])
  ) u_cut_2 (
    .clk_i(clk_i),
    .d_i  (t_digits),
    .q_o  (t_cut)
  );

  /////////////
  // T0 * M' //
  /////////////

  logic [(K+1)*CW-1:0] q_cols, q_cols_cut;
  logic [K*DW-1:0]     q_digits, q_cut;  // Q0
  logic [Above*DW-1:0] t_above_3, t_above_4;

  lt_digit_columns #(
    .D (D),
    .NA(K),
    .NB(K),
    .BW(D),
    .Lo(0),
    .Hi(K - 1),
    .CW(CW)
  ) u_q_columns (
    .a_i   (t_cut[K*DW-1:0]),
    .b_i   (mp_i),
    .cols_o(q_cols)
  );

  lt_cut #(
    .Width((K + 1) * CW + Above * DW),
    .On   (Cuts[3])
  ) u_cut_3 (
    .clk_i(clk_i),
    .d_i  ({t_cut[(K-1)*DW+:Above*DW], q_cols}),
    .q_o  ({t_above_3, q_cols_cut})
  );

  lt_column_digits #(
    .D (D),
    .CW(CW),
    .N (K)
  ) u_q_digits (
    .cols_i  (q_cols_cut),
    .digits_o(q_digits)
  );

  lt_cut #(
    .Width(K * DW + Above * DW),
    .On   (Cuts[4])
  ) u_cut_4 (
    .clk_i(clk_i),
    .d_i  ({t_above_3, q_digits}),
    .q_o  ({t_above_4, q_cut})
  );

  ////////////
  // Q0 * M //
  ////////////

  logic [(Above+1)*CW-1:0] s_cols, s_cols_cut;
  logic [Above*DW-1:0]     s_digits, s_cut;  // S, digits K-1..2K
  logic [Above*DW-1:0]     t_above_5, t_above;

  lt_digit_columns #(
    .D (D),
    .NA(K),
    .NB(K),
    .BW(D),
    .Lo(K - 1),
    .Hi(2 * K),
    .CW(CW)
  ) u_s_columns (
    .a_i   (q_cut),
    .b_i   (m_i),
    .cols_o(s_cols)
  );

  lt_cut #(
    .Width((Above + 1) * CW + Above * DW),
    .On   (Cuts[5])
  ) u_cut_5 (
    .clk_i(clk_i),
    .d_i  ({t_above_4, s_cols}),
    .q_o  ({t_above_5, s_cols_cut})
  );

  lt_column_digits #(
    .D (D),
    .CW(CW),
    .N (Above)
  ) u_s_digits (
    .cols_i  (s_cols_cut),
    .digits_o(s_digits)
  );

  lt_cut #(
    .Width(2 * Above * DW),
    .On   (Cuts[6])
  ) u_cut_6 (
    .clk_i(clk_i),
    .d_i  ({t_above_5, s_digits}),
    .q_o  ({t_above, s_cut})
  );

  /////////////////////////
  // High halves of T + S //
  /////////////////////////

  logic [1:0]             carry;   // (T0 + S0) / R
  logic [(K+1)*(D+2)-1:0] e_sums;  // E

  lt_lowlat_high #(
    .D(D),
    .K(K)
  ) u_high (
    .t_i    (t_above),
    .s_i    (s_cut),
    .carry_o(carry),
    .e_o    (e_sums),
    .z_o    (z_o)
  );

  // Both are there to be watched.
  logic unused_watched;
  assign unused_watched = ^{carry, e_sums};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (D >= 3) else $fatal(1, "D = %0d is below 3", D);
    assert (K >= 2 && (D > 31 || K < (1 << (D - 1))))
      else $fatal(1, "K = %0d is outside 2..2^(D-1)-1", K);
    assert (Cycles >= 1 && Cycles <= 7) else $fatal(1, "Cycles = %0d is outside 1..7", Cycles);
  end
`endif

endmodule

`default_nettype wire
