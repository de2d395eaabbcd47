// SPDX-License-Identifier: Apache-2.0
//
// Low-latency Montgomery multiplication on redundant digits, as in lt_lowlat_monpro.sv, with
// digit multipliers that T = A*B, Q = T0*M' and S = Q0*M share: each of the three has them for
// Shared cycles. A product takes 3 * Shared cycles and K * Rows multipliers, Rows = K / Shared
// rounded up.
//
// Source: I. San, "LLMONPRO: Low-latency Montgomery modular multiplication suitable for
// verifiable delay functions", Algorithm 5. Its Table 2 has such forms; how they share is not
// printed, and this is a schedule of our own.
//
// A cycle multiplies Rows digits of one factor, the lowest first, with all of the other. Columns
// that no later row reaches become digits at once. They move into the register whose digits move
// out below and lie right for the next of the three products when the last of these is gone.
//
// Digit K of A and of B is 0 or 1, since both are below 2R, and takes no multiplier.
//
// Cycles: load_i is taken at an edge at which ready_o is high. 3 * Shared cycles later the
// result is in its register, and valid_o is high for one cycle; the result stays until the next
// one. ready_o is high in the last of these cycles, so that products follow each other without a
// pause. M and M' must not change between.
//
// Ranges: D >= 3, 2 <= K <= 2^(D-1)-1, 1 <= Shared <= K with (Shared-1) * Rows < K, digits of A
// and B below 2^(D+1), A, B < 2R, M odd, M < R.

`default_nettype none

module lt_lowlat_shared #(
  parameter int D      = 16,  // bits of the radix
  parameter int K      = 8,   // digits of R
  parameter int Shared = 2,   // cycles for which each of the three products has the multipliers
  // derived from the others, not to be set
  parameter int DW = D + 1
) (
  input wire logic                clk_i,
  input wire logic                rst_ni,

  input wire logic                load_i,
  output     logic                ready_o,
  input wire logic [(K+1)*DW-1:0] a_i,
  input wire logic [(K+1)*DW-1:0] b_i,
  input wire logic [K*D-1:0]      m_i,   // M
  input wire logic [K*D-1:0]      mp_i,  // M' = -1/M mod R

  output     logic                valid_o,
  output     logic [(K+1)*DW-1:0] z_o
);

  localparam int Rows  = (K + Shared - 1) / Shared;
  localparam int N     = Shared * Rows;             // digits of X, K at least
  localparam int Rest  = K - (N - Rows);            // rows of the last cycle, 1..Rows
  localparam int CW    = D + $clog2(2 * K + 3);
  localparam int Cols  = Rows + K + 1;              // columns that the rows of a cycle reach
  localparam int Above = K + 2;                     // digits K-1..2K
  localparam int StepW = (Shared > 1) ? $clog2(Shared) : 1;

  typedef enum logic [1:0] {
    StIdle,
    StT,  // A * B
    StQ,  // T0 * M'
    StS   // Q0 * M
  } state_e;

  /////////////
  // Control //
  /////////////

  state_e           state_d, state_q;
  logic [StepW-1:0] step_d, step_q;
  logic             valid_q;
  logic             busy, last, done, take;

  assign busy    = (state_q != StIdle);
  assign last    = (step_q == StepW'(Shared - 1));
  assign done    = (state_q == StS) & last;
  assign ready_o = ~busy | done;
  assign take    = load_i & ready_o;
  assign valid_o = valid_q;

  always_comb begin
    state_d = state_q;
    step_d  = last ? '0 : step_q + StepW'(1);
    if (last) begin
      case (state_q)
        StT:     state_d = StQ;
        StQ:     state_d = StS;
        default: state_d = StIdle;
      endcase
    end
    if (!busy) step_d = '0;
    if (take) state_d = StT;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      step_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      step_q  <= step_d;
      valid_q <= done;
    end
  end

  /////////////
  // Factors //
  /////////////

  logic [N*DW-1:0]    x_q;      // rows: A, T0, Q0
  logic [K*DW-1:0]    y_q;      // B, M', M
  logic [1:0]         top_q;    // digit K of A, digit K of B
  logic [Rows*DW-1:0] fresh;    // digits of T, Q or S that this cycle completes, 0 from digit K on
  logic [K*DW-1:0]    m_digits, mp_digits;

  genvar i;
  generate
  for (i = 0; i < K; i++) begin : gen_constants
    assign m_digits[i*DW+:DW]  = DW'(m_i[i*D+:D]);
    assign mp_digits[i*DW+:DW] = DW'(mp_i[i*D+:D]);
  end
  endgenerate

  always_ff @(posedge clk_i) begin
    if (take) begin
      x_q <= (N * DW)'(a_i[K*DW-1:0]);
    end else if (busy) begin
      x_q <= (N * DW)'({fresh, x_q} >> (Rows * DW));
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      y_q   <= b_i[K*DW-1:0];
      top_q <= {a_i[K*DW], b_i[K*DW]};
    end else if (busy & last) begin
      y_q   <= (state_q == StT) ? mp_digits : m_digits;
      top_q <= '0;
    end
  end

  /////////////
  // Columns //
  /////////////

  logic [Cols*CW-1:0]  products;
  logic [Cols*CW-1:0]  cols;     // columns of this cycle's rows and of those before
  logic [(K+1)*CW-1:0] sums_q;   // those that later rows reach
  logic [CW-D-1:0]     below_q;  // what the column below carries
  logic [Cols*DW-1:0]  digits;

  lt_digit_columns #(
    .D (D),
    .NA(Rows),
    .NB(K),
    .BW(DW),
    .Lo(1),
    .Hi(Cols - 1),
    .CW(CW)
  ) u_columns (
    .a_i   (x_q[Rows*DW-1:0]),
    .b_i   (y_q),
    .cols_o(products)
  );

  // Row K of A, which is B, and column K of B, which is A.
  logic [K*DW-1:0]    top_row;
  logic [Rows*DW-1:0] top_col;

  assign top_row = (top_q[1] & last) ? y_q : '0;
  assign top_col = top_q[0] ? x_q[Rows*DW-1:0] : '0;

  generate
  for (i = 0; i < Cols; i++) begin : gen_columns
    logic [CW-1:0] held, row_low, row_high, col_low, col_high;

    if (i <= K) begin : gen_held
      assign held = sums_q[i*CW+:CW];
    end else begin : gen_none_held
      assign held = '0;
    end

    if (i >= Rest && i < Rest + K) begin : gen_row_low
      assign row_low = CW'(top_row[(i-Rest)*DW+:D]);
    end else if (i == Rest + K) begin : gen_both_tops
      assign row_low = CW'((&top_q) & last);
    end else begin : gen_no_row_low
      assign row_low = '0;
    end

    if (i > Rest && i <= Rest + K) begin : gen_row_high
      assign row_high = CW'(top_row[(i-Rest-1)*DW+D]);
    end else begin : gen_no_row_high
      assign row_high = '0;
    end

    if (i >= K && i < K + Rows) begin : gen_col_low
      assign col_low = CW'(top_col[(i-K)*DW+:D]);
    end else begin : gen_no_col_low
      assign col_low = '0;
    end

    if (i > K && i <= K + Rows) begin : gen_col_high
      assign col_high = CW'(top_col[(i-K-1)*DW+D]);
    end else begin : gen_no_col_high
      assign col_high = '0;
    end

    assign cols[i*CW+:CW] = products[i*CW+:CW] + held + row_low + row_high + col_low + col_high;
  end
  endgenerate

  always_ff @(posedge clk_i) begin
    if (take | last) begin
      sums_q  <= '0;
      below_q <= '0;
    end else if (busy) begin
      sums_q  <= cols[Rows*CW+:(K+1)*CW];
      below_q <= cols[(Rows-1)*CW+D+:CW-D];
    end
  end

  ////////////
  // Digits //
  ////////////

  lt_column_digits #(
    .D (D),
    .CW(CW),
    .N (Cols)
  ) u_digits (
    .cols_i  ({cols, below_q, D'(0)}),
    .digits_o(digits)
  );

  generate
  for (i = 0; i < Rows; i++) begin : gen_fresh
    if (i < Rest) begin : gen_below
      assign fresh[i*DW+:DW] = digits[i*DW+:DW];
    end else begin : gen_above
      assign fresh[i*DW+:DW] = last ? '0 : digits[i*DW+:DW];
    end
  end
  endgenerate

  //////////////////////////
  // High halves of T + S //
  //////////////////////////

  logic [Above*DW-1:0]    above;   // of T, Q or S, in the last of its cycles
  logic [Above*DW-1:0]    t_above_q;
  logic [1:0]             carry;   // (T0 + S0) / R
  logic [(K+1)*(D+2)-1:0] e_sums;  // E
  logic [(K+1)*DW-1:0]    z_d, z_q;

  assign above = digits[(Rest-1)*DW+:Above*DW];

  always_ff @(posedge clk_i) begin
    if ((state_q == StT) & last) t_above_q <= above;
  end

  lt_lowlat_high #(
    .D(D),
    .K(K)
  ) u_high (
    .t_i    (t_above_q),
    .s_i    (above),
    .carry_o(carry),
    .e_o    (e_sums),
    .z_o    (z_d)
  );

  always_ff @(posedge clk_i) begin
    if (done) z_q <= z_d;
  end

  assign z_o = z_q;

  // Digit K of an operand has one bit, and some digits and sums are only there to be watched.
  logic unused_high;
  assign unused_high = ^{a_i[(K+1)*DW-1:K*DW+1], b_i[(K+1)*DW-1:K*DW+1], digits, carry, e_sums};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (D >= 3) else $fatal(1, "D = %0d is below 3", D);
    assert (K >= 2 && (D > 31 || K < (1 << (D - 1))))
      else $fatal(1, "K = %0d is outside 2..2^(D-1)-1", K);
    assert (Shared >= 1 && Shared <= K && Rest >= 1)
      else $fatal(1, "Shared = %0d is more cycles than %0d rows need", Shared, Rows);
  end

  logic [2*K*D-1:0] given_q;  // M and M' of the product on its way

  always @(posedge clk_i) begin
    if (take) given_q <= {m_i, mp_i};
    if (rst_ni && busy && last && state_q != StS) begin
      assert ({m_i, mp_i} == given_q) else $error("another modulus while a product is on its way");
    end
    if (rst_ni && take) begin
      assert (a_i[(K+1)*DW-1:K*DW+1] == '0 && b_i[(K+1)*DW-1:K*DW+1] == '0)
        else $error("an operand is not below 2R");
    end
  end
`endif

endmodule

`default_nettype wire
