// SPDX-License-Identifier: Apache-2.0
//
// Digit-digit Montgomery multiplication, one digit product a cycle, 0, 1 or 2 pipeline levels.
//
// Source: M. Morales-Sandoval, A. Diaz Perez, "Novel algorithms and hardware architectures for
// Montgomery Multiplication over GF(p)", Algorithm 2 and Architecture 2.
//
// With beta = 2^K, n digits of the modulus, T passes and R = beta^T the result is
//
//   A = (X*Y + Q*p) / R,  Q = -X*Y/p mod R;   A < p + X*Y/R, not reduced to [0, p)
//
// Ranges: K = 2..64, n = 1..NMax, T = 1..NMax+1, p odd, p < beta^n, X < 2p, 0 <= Y < beta^T,
//         p_prime_i = -1/p mod beta.
//
// Correction of the paper: its digit n of A is always zero, which loses a carry when the modulus
// fills its digits. Here the carry out of digit n is kept in A_n (at most 2, register a_top_q).
//
// Operands: X and p take n+1 words (word n of X is 0 or 1, word n of p is 0), Y takes T words,
// least significant first. They stay for further products. A write while busy is ignored.
//
// Pipeline = 1 puts registers behind the multipliers X_j*Y_i and q*p_j, Pipeline = 2 also behind
// the sums S and R that are made of them; with 2 levels n is at least 2. UseDsp = 0 builds the
// multipliers in logic, of 2 x 2 bits and short sums, instead of in DSP blocks.
//
// Cycles: start_i is taken at an edge at which busy_o is low. After that edge come exactly
// T*(n+2+L) + L busy cycles, L = Pipeline: in pass i = 0..T-1 the cycles t = 0..L (q is prepared
// from digit 0), then t = L+1..L+1+n (digit j = t-L-1 leaves the memories), and at the end L cycles
// in which the levels run empty. done_o is high for the one cycle after them; a start_i in that
// cycle is taken. n_i, passes_i and p_prime_i must be stable from start_i to done_o, n_i also while
// the result is read: words 0..n-1 of A, and A_n as word n, whenever busy_o is low.

`default_nettype none

module lt_iddmm_arch2 #(
  parameter int K        = 32,  // bits of a digit
  parameter int NMax     = 8,   // most digits of a modulus
  parameter int Pipeline = 0,   // levels
  parameter int UseDsp   = 1,   // multipliers: 1 = DSP blocks, 0 = logic
  // derived from the others, not to be set
  parameter int AddrW = $clog2(NMax + 1),
  parameter int NW    = $clog2(NMax + 2)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  // operand memories
  input wire logic             wr_en_i,
  input wire logic [1:0]       wr_sel_i,  // 0 = X, 1 = Y, 2 = p
  input wire logic [AddrW-1:0] wr_addr_i,
  input wire logic [K-1:0]     wr_data_i,

  // constants of the product
  input wire logic [NW-1:0]    n_i,
  input wire logic [NW-1:0]    passes_i,
  input wire logic [K-1:0]     p_prime_i,

  input wire logic             start_i,
  output     logic             busy_o,
  output     logic             done_o,

  // result
  input wire logic [AddrW-1:0] rd_addr_i,
  output     logic [K-1:0]     rd_data_o
);

  localparam int K2 = 2 * K;

  logic [K-1:0] x_digit, y_digit, p_digit;
  logic         take_start;
  logic         quot_en;
  logic         unused_sum_run, unused_sum_last;
  logic         u_run, u_last;  // a real digit is in the adder U; it is digit n

  logic [K2-1:0] xy, qp;          // X_j * Y_i, q * p_j
  logic [K-1:0]  a_digit;         // A_j beside them
  logic [K:0]    c_q;             // C, one bit more than a digit
  logic [K2-1:0] s_sum;           // A_j + X_j * Y_i = S
  logic [K2-1:0] sr_q, rr_q;      // level 2: S and R = q * p_j
  logic [K2-1:0] s_last, r_last;  // S and R where the adder U is
  logic [K2:0]   u_sum;           // S + R + C = {C', U_j}
  logic [K:0]    u_carry;         // C'
  logic [1:0]    a_top;           // A_n

  lt_mont_frame #(
    .K       (K),
    .NMax    (NMax),
    .Pipeline(Pipeline)
  ) u_frame (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (wr_en_i),
    .wr_sel_i  (wr_sel_i),
    .wr_addr_i (wr_addr_i),
    .wr_data_i (wr_data_i),
    .n_i       (n_i),
    .passes_i  (passes_i),
    .start_i   (start_i),
    .busy_o    (busy_o),
    .done_o    (done_o),
    .rd_addr_i (rd_addr_i),
    .x_o       (x_digit),
    .y_o       (y_digit),
    .p_o       (p_digit),
    .a_o       (rd_data_o),
    .clear_o   (take_start),
    .quot_en_o (quot_en),
    .sum_run_o (unused_sum_run),
    .sum_last_o(unused_sum_last),
    .u_run_o   (u_run),
    .u_last_o  (u_last),
    .u_i       (u_sum[K-1:0]),
    .top_i     (a_top)
  );

  lt_mont_products #(
    .K       (K),
    .Pipeline(Pipeline),
    .UseDsp  (UseDsp)
  ) u_products (
    .clk_i    (clk_i),
    .clear_i  (take_start),
    .quot_en_i(quot_en),
    .x_i      (x_digit),
    .y_i      (y_digit),
    .p_i      (p_digit),
    .a_i      (rd_data_o),
    .p_prime_i(p_prime_i),
    .s_i      (s_last[K-1:0]),
    .xy_o     (xy),
    .qp_o     (qp),
    .a_o      (a_digit)
  );

  // In a block rather than as assignments: Icarus works sums out word by word here, and there bit
  // by bit.
  always_comb begin
    s_sum  = K2'(a_digit) + xy;
    s_last = (Pipeline == 2) ? sr_q : s_sum;
    r_last = (Pipeline == 2) ? rr_q : qp;
    u_sum  = (K2 + 1)'(s_last) + (K2 + 1)'(r_last) + (K2 + 1)'(c_q);
  end

  assign u_carry = u_sum[K2:K];
  assign a_top   = 2'(u_carry);

  always_ff @(posedge clk_i) begin
    sr_q <= s_sum;
    rr_q <= qp;
  end

  // Cleared behind digit n, and by the start instead of a reset, so that a product never sees what
  // an interrupted one left.
  always_ff @(posedge clk_i) begin
    if (take_start | u_last) c_q <= '0;
    else if (u_run) c_q <= u_carry;
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni && u_last) begin
      assert (u_carry <= (K + 1)'(2)) else $error("the carry out of digit n is above 2");
    end
  end
`endif

endmodule

`default_nettype wire
