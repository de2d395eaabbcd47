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
// the sums S and R that are made of them; with 2 levels n is at least 2.
//
// Cycles: start_i is taken at an edge at which busy_o is low. After that edge come exactly
// T*(n+2+L) + L busy cycles, L = Pipeline: in pass i = 0..T-1 the cycles t = 0..L (q is prepared
// from digit 0), then t = L+1..L+1+n (digit j = t-L-1 leaves the memories), and at the end L cycles
// in which the levels run empty. done_o is high for the one cycle after them; a start_i in that
// cycle is taken. n_i, passes_i and p_prime_i must be stable from start_i to done_o, n_i also while
// the result is read: words 0..n-1 of A, and A_n as word n, whenever busy_o is low.

`default_nettype none

module iddmm_arch2 #(
  parameter int K    = 32,  // bits of a digit
  parameter int NMax = 8,   // most digits of a modulus
  parameter int Pipeline = 0,  // levels
  localparam int AddrW = $clog2(NMax + 1),
  localparam int NW    = $clog2(NMax + 2)
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // operand memories
  input  logic             wr_en_i,
  input  logic [1:0]       wr_sel_i,  // 0 = X, 1 = Y, 2 = p
  input  logic [AddrW-1:0] wr_addr_i,
  input  logic [K-1:0]     wr_data_i,

  // constants of the product
  input  logic [NW-1:0]    n_i,
  input  logic [NW-1:0]    passes_i,
  input  logic [K-1:0]     p_prime_i,

  input  logic             start_i,
  output logic             busy_o,
  output logic             done_o,

  // result
  input  logic [AddrW-1:0] rd_addr_i,
  output logic [K-1:0]     rd_data_o
);

  localparam int Depth = NMax + 1;
  localparam int K2    = 2 * K;
  localparam int TW    = $clog2(NMax + 2 + Pipeline);

  localparam logic [TW-1:0] Levels = TW'(Pipeline);

  localparam logic [1:0] SelX = 2'd0;
  localparam logic [1:0] SelY = 2'd1;
  localparam logic [1:0] SelP = 2'd2;

  typedef enum logic [1:0] {
    StIdle,
    StPrep,  // t = 0..L: q is formed at the end; neither C nor A changes
    StRun,   // t = L+1..L+1+n: digit t-L-1
    StDrain  // the levels run empty
  } state_e;

  /////////////
  // Control //
  /////////////

  state_e           state_d, state_q;
  logic [NW-1:0]    pass_d, pass_q;
  logic [TW-1:0]    t_d, t_q;
  logic             done_d, done_q;
  logic             pass_we, t_we;

  logic             take_start;
  logic             last_pass;
  logic             last_digit;
  logic             quot_load;
  logic             drained;
  logic [NW-1:0]    digit;  // j
  logic [AddrW-1:0] digit_addr;

  assign busy_o     = (state_q != StIdle);
  assign done_o     = done_q;
  assign take_start = start_i & ~busy_o;

  assign digit      = (state_q == StRun) ? NW'(t_q - Levels - TW'(1)) : '0;
  assign quot_load  = (state_q == StPrep) & (t_q == Levels);
  assign digit_addr = digit[AddrW-1:0];
  assign last_digit = (state_q == StRun) & (digit == n_i);
  assign last_pass  = (pass_q + NW'(1) == passes_i);
  assign drained    = (state_q == StDrain) & (t_q + TW'(1) == Levels);

  assign pass_we = take_start | (last_digit & ~last_pass);
  assign pass_d  = take_start ? '0 : pass_q + NW'(1);
  assign t_we    = take_start | busy_o;
  assign t_d     = (take_start | last_digit) ? '0 : t_q + TW'(1);
  assign done_d  = (Pipeline == 0) ? last_digit & last_pass : drained;

  always_comb begin
    case (state_q)
      StPrep: begin
        state_d = StPrep;
        if (quot_load) state_d = StRun;
      end
      StRun: begin
        state_d = StRun;
        if (last_digit) state_d = StPrep;
        if (last_digit & last_pass) state_d = (Pipeline == 0) ? StIdle : StDrain;
      end
      StDrain: begin
        state_d = StDrain;
        if (drained) state_d = StIdle;
      end
      default: begin
        state_d = StIdle;
        if (take_start) state_d = StPrep;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      pass_q  <= '0;
      t_q     <= '0;
      done_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      done_q  <= done_d;
      if (pass_we) pass_q <= pass_d;
      if (t_we) t_q <= t_d;
    end
  end

  // The digit that the adders S and R work on, and the one that the adder U works on: as many
  // cycles later as there are registers before.
  logic             run1_q, run2_q;
  logic             last1_q, last2_q;
  logic [AddrW-1:0] addr1_q, addr2_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run1_q  <= 1'b0;
      run2_q  <= 1'b0;
      last1_q <= 1'b0;
      last2_q <= 1'b0;
    end else begin
      run1_q  <= (state_q == StRun);
      run2_q  <= run1_q;
      last1_q <= last_digit;
      last2_q <= last1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    addr1_q <= digit_addr;
    addr2_q <= addr1_q;
  end

  logic             u_run, u_last;
  logic [AddrW-1:0] u_addr;

  assign u_run  = (Pipeline == 0) ? (state_q == StRun) : (Pipeline == 1) ? run1_q : run2_q;
  assign u_last = (Pipeline == 0) ? last_digit : (Pipeline == 1) ? last1_q : last2_q;
  assign u_addr = (Pipeline == 0) ? digit_addr : (Pipeline == 1) ? addr1_q : addr2_q;

  //////////////////////
  // Operand memories //
  //////////////////////

  logic [K-1:0] x_mem [Depth];
  logic [K-1:0] y_mem [Depth];
  logic [K-1:0] p_mem [Depth];

  logic         wr_take;
  logic         x_we, y_we, p_we;
  logic [K-1:0] x_digit, y_digit, p_digit;

  assign wr_take = wr_en_i & ~busy_o;
  assign x_we    = wr_take & (wr_sel_i == SelX);
  assign y_we    = wr_take & (wr_sel_i == SelY);
  assign p_we    = wr_take & (wr_sel_i == SelP);

  always_ff @(posedge clk_i) begin
    if (x_we) x_mem[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (y_we) y_mem[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (p_we) p_mem[wr_addr_i] <= wr_data_i;
  end

  assign x_digit = x_mem[digit_addr];
  assign y_digit = y_mem[pass_q[AddrW-1:0]];
  assign p_digit = p_mem[digit_addr];

  ///////////////////
  // Accumulator A //
  ///////////////////

  logic [K-1:0]     a_mem [Depth];
  logic [1:0]       a_top_d, a_top_q;  // A_n

  logic             a_we;
  logic [AddrW-1:0] a_wr_addr;
  logic [K-1:0]     a_wr_data;
  logic [AddrW-1:0] a_rd_addr;
  logic [K-1:0]     a_word;

  // One read port serves the datapath while busy and the result otherwise.
  assign a_rd_addr = busy_o ? digit_addr : rd_addr_i;

  always_comb begin
    if (NW'(a_rd_addr) == n_i) begin
      a_word = K'(a_top_q);
    end else if (busy_o && (pass_q == '0)) begin
      a_word = '0;  // A is 0 before the first pass: cheaper than clearing the memory
    end else if ((Pipeline != 0) && a_we && (a_wr_addr == a_rd_addr)) begin
      a_word = a_wr_data;  // few digits: the word is wanted in the cycle that writes it
    end else begin
      a_word = a_mem[a_rd_addr];
    end
  end

  assign rd_data_o = a_word;

  always_ff @(posedge clk_i) begin
    if (a_we) a_mem[a_wr_addr] <= a_wr_data;
  end

  //////////////
  // Datapath //
  //////////////

  logic [K-1:0]  quot_q;          // q
  logic [K:0]    c_d, c_q;        // C, one bit more than a digit

  logic [K2-1:0] xy_product;    // X_j * Y_i
  logic [K2-1:0] qp_product;    // q * p_j
  logic [K-1:0]  quot_product;  // p' * S_0, low half only
  logic [K2-1:0] s_sum;         // S
  logic [K2-1:0] r_sum;         // R
  logic [K2-1:0] s_last;        // S and R where the adder U is
  logic [K2-1:0] r_last;
  logic [K2:0]   u_sum;         // S + R + C = {C', U_j}
  logic [K:0]    u_carry;       // C'

  // Level 1: behind the multipliers, with the digit of A that waits for them.
  logic [K2-1:0] px_q, pr_q;
  logic [K-1:0]  ad_q;

  // Level 2: behind the sums.
  logic [K2-1:0] sr_q, rr_q;

  always_ff @(posedge clk_i) begin
    px_q <= xy_product;
    pr_q <= qp_product;
    ad_q <= a_word;
    sr_q <= s_sum;
    rr_q <= r_sum;
  end

  // In a block rather than as assignments: Icarus works sums out word by word here, and there bit
  // by bit.
  always_comb begin
    xy_product = K2'(x_digit) * K2'(y_digit);
    qp_product = K2'(quot_q) * K2'(p_digit);
    s_sum      = K2'((Pipeline == 0) ? a_word : ad_q) + ((Pipeline == 0) ? xy_product : px_q);
    r_sum      = (Pipeline == 0) ? qp_product : pr_q;
    s_last     = (Pipeline == 2) ? sr_q : s_sum;
    r_last     = (Pipeline == 2) ? rr_q : r_sum;
    u_sum      = (K2 + 1)'(s_last) + (K2 + 1)'(r_last) + (K2 + 1)'(c_q);
  end

  assign quot_product = p_prime_i * s_last[K-1:0];
  assign u_carry      = u_sum[K2:K];

  // U_j becomes A_(j-1); U_0 is 0 and is dropped, and so the division by beta is done.
  assign a_we      = u_run & (u_addr != '0);
  assign a_wr_addr = u_addr - AddrW'(1);
  assign a_wr_data = u_sum[K-1:0];

  assign c_d     = u_last ? '0 : u_carry;
  assign a_top_d = 2'(u_carry);

  // Cleared by the start and not by reset, so that a product never sees what an interrupted one
  // left.
  always_ff @(posedge clk_i) begin
    if (take_start) begin
      quot_q  <= '0;
      c_q     <= '0;
      a_top_q <= '0;
    end else begin
      if (quot_load) quot_q <= quot_product;
      if (u_run) c_q <= c_d;
      if (u_last) a_top_q <= a_top_d;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (K >= 2 && K <= 64) else $fatal(1, "K = %0d is outside 2..64", K);
    assert (NMax >= 1) else $fatal(1, "NMax = %0d is below 1", NMax);
    assert (Pipeline >= 0 && Pipeline <= 2)
      else $fatal(1, "Pipeline = %0d is outside 0..2", Pipeline);
  end

  // One wire for most cycles, in which there is nothing to check.
  logic checked;
  assign checked = rst_ni & (wr_take | take_start | last_digit | u_last);

  always @(posedge clk_i) begin
    if (checked) begin
      if (wr_take) begin
        assert (wr_sel_i <= SelP) else $error("wr_sel_i = %0d names no memory", wr_sel_i);
        assert (int'(wr_addr_i) < Depth) else $error("wr_addr_i = %0d is above NMax", wr_addr_i);
      end
      if (take_start) begin
        assert (int'(n_i) >= 1 && int'(n_i) <= NMax)
          else $error("n_i = %0d is outside 1..NMax", n_i);
        assert (Pipeline < 2 || int'(n_i) >= 2) else $error("2 pipeline levels need n_i >= 2");
        assert (int'(passes_i) >= 1 && int'(passes_i) <= NMax + 1)
          else $error("passes_i = %0d is outside 1..NMax+1", passes_i);
        assert (p_mem[0][0]) else $error("the modulus is even");
        assert (p_prime_i * p_mem[0] == {K{1'b1}}) else $error("p_prime_i is not -1/p mod 2^K");
      end
      if (last_digit) begin
        assert (p_digit == '0) else $error("word n of the modulus is not 0");
        assert (x_digit <= K'(1)) else $error("word n of X is above 1");
      end
      if (u_last) begin
        assert (u_carry <= (K + 1)'(2)) else $error("the carry out of digit n is above 2");
      end
    end
  end
`endif

endmodule

`default_nettype wire
