// SPDX-License-Identifier: Apache-2.0
//
// Digit-digit Montgomery multiplication, one digit product a cycle, no pipeline level.
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
// Cycles: start_i is taken at an edge at which busy_o is low. After that edge come exactly T*(n+2)
// busy cycles c = i*(n+2) + t: pass i = 0..T-1, and t = 0 (q is prepared from digit 0), then
// t = 1..n+1 (digit j = t-1). done_o is high for the one cycle after them; a start_i in that cycle
// is taken. n_i, passes_i and p_prime_i must be stable from start_i to done_o, n_i also while the
// result is read: words 0..n-1 of A, and A_n as word n, whenever busy_o is low.

`default_nettype none

module iddmm_arch2 #(
  parameter int K    = 32,  // bits of a digit
  parameter int NMax = 8,   // most digits of a modulus
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

  localparam logic [1:0] SelX = 2'd0;
  localparam logic [1:0] SelY = 2'd1;
  localparam logic [1:0] SelP = 2'd2;

  typedef enum logic [1:0] {
    StIdle,
    StPrep,  // t = 0: q is formed; neither C nor A changes
    StRun    // t = 1..n+1: digit t-1
  } state_e;

  /////////////
  // Control //
  /////////////

  state_e           state_d, state_q;
  logic [NW-1:0]    pass_d, pass_q;
  logic [NW-1:0]    t_d, t_q;
  logic             done_d, done_q;
  logic             pass_we, t_we;

  logic             take_start;
  logic             last_pass;
  logic             last_digit;
  logic [NW-1:0]    digit;  // j
  logic [AddrW-1:0] digit_addr;

  assign busy_o     = (state_q != StIdle);
  assign done_o     = done_q;
  assign take_start = start_i & ~busy_o;

  assign digit      = (state_q == StRun) ? t_q - NW'(1) : '0;
  assign digit_addr = digit[AddrW-1:0];
  assign last_digit = (state_q == StRun) & (digit == n_i);
  assign last_pass  = (pass_q + NW'(1) == passes_i);

  assign pass_we = take_start | (last_digit & ~last_pass);
  assign pass_d  = take_start ? '0 : pass_q + NW'(1);
  assign t_we    = take_start | busy_o;
  assign t_d     = (take_start | last_digit) ? '0 : t_q + NW'(1);
  assign done_d  = last_digit & last_pass;

  always_comb begin
    case (state_q)
      StPrep:  state_d = StRun;
      StRun: begin
        state_d = StRun;
        if (last_digit) state_d = StPrep;
        if (last_digit & last_pass) state_d = StIdle;
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
  logic [K2-1:0] qp_product;    // R = q * p_j
  logic [K-1:0]  quot_product;  // p' * S_0, low half only
  logic [K2-1:0] s_sum;         // S
  logic [K2:0]   u_sum;         // S + R + C = {C', U_j}
  logic [K:0]    u_carry;       // C'

  // In a block rather than as assignments: Icarus works sums out word by word here, and there bit
  // by bit.
  always_comb begin
    xy_product = K2'(x_digit) * K2'(y_digit);
    qp_product = K2'(quot_q) * K2'(p_digit);
    s_sum      = K2'(a_word) + xy_product;
    u_sum      = (K2 + 1)'(s_sum) + (K2 + 1)'(qp_product) + (K2 + 1)'(c_q);
  end

  assign quot_product = p_prime_i * s_sum[K-1:0];
  assign u_carry      = u_sum[K2:K];

  // U_j becomes A_(j-1); U_0 is 0 and is dropped, and so the division by beta is done.
  assign a_we      = (state_q == StRun) & (digit != '0);
  assign a_wr_addr = digit_addr - AddrW'(1);
  assign a_wr_data = u_sum[K-1:0];

  assign c_d     = last_digit ? '0 : u_carry;
  assign a_top_d = 2'(u_carry);

  // Cleared by the start and not by reset, so that a product never sees what an interrupted one
  // left.
  always_ff @(posedge clk_i) begin
    if (take_start) begin
      quot_q  <= '0;
      c_q     <= '0;
      a_top_q <= '0;
    end else begin
      if (state_q == StPrep) quot_q <= quot_product;
      if (state_q == StRun) c_q <= c_d;
      if (last_digit) a_top_q <= a_top_d;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (K >= 2 && K <= 64) else $fatal(1, "K = %0d is outside 2..64", K);
    assert (NMax >= 1) else $fatal(1, "NMax = %0d is below 1", NMax);
  end

  // One wire for most cycles, in which there is nothing to check.
  logic checked;
  assign checked = rst_ni & (wr_take | take_start | last_digit);

  always @(posedge clk_i) begin
    if (checked) begin
      if (wr_take) begin
        assert (wr_sel_i <= SelP) else $error("wr_sel_i = %0d names no memory", wr_sel_i);
        assert (int'(wr_addr_i) < Depth) else $error("wr_addr_i = %0d is above NMax", wr_addr_i);
      end
      if (take_start) begin
        assert (int'(n_i) >= 1 && int'(n_i) <= NMax)
          else $error("n_i = %0d is outside 1..NMax", n_i);
        assert (int'(passes_i) >= 1 && int'(passes_i) <= NMax + 1)
          else $error("passes_i = %0d is outside 1..NMax+1", passes_i);
        assert (p_mem[0][0]) else $error("the modulus is even");
        assert (p_prime_i * p_mem[0] == {K{1'b1}}) else $error("p_prime_i is not -1/p mod 2^K");
      end
      if (last_digit) begin
        assert (p_digit == '0) else $error("word n of the modulus is not 0");
        assert (x_digit <= K'(1)) else $error("word n of X is above 1");
        assert (u_carry <= (K + 1)'(2)) else $error("the carry out of digit n is above 2");
      end
    end
  end
`endif

endmodule

`default_nettype wire
