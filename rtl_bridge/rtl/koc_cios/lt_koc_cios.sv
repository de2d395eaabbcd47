// SPDX-License-Identifier: Apache-2.0
//
// CIOS, Montgomery multiplication word by word, on one multiplier of W by W bits.
//
// Source: C. K. Koc, T. Acar, B. S. Kaliski Jr., "Analyzing and Comparing Montgomery
// Multiplication Algorithms", IEEE Micro 16(3), 1996, method CIOS.
//
// With s words of W bits and R = 2^(W*s) the result is
//
//   Z = t or t - p, below p;   t = (a*b + Q*p) / R < 2p,  Q = -a*b/p mod R
//
// Ranges: W = 2..64, s = 1..SMax, p odd, p < R, a < R, b < R, t < 2p, which holds for a < p and
//         b < p, and for a and b below 2p where 4p <= R; p_prime_i = -1/p mod 2^W.
//
// Operands: a, b and p take s words, least significant first. They stay for further products. A
// write while busy is ignored.
//
// Cycles: start_i is taken at an edge at which busy_o is low. After that edge come exactly
// s*(2*s+3) + s busy cycles. Iteration i = 0..s-1 takes 2*s+3 of them:
//
//   0..s         t = t + a*b_i, word j of it in cycle j, and t_s + C in cycle s
//   s+1          m = t_0 * p' mod 2^W
//   s+2..2*s+2   t = (t + m*p) / 2^W, word j in cycle s+2+j, where word j-1 of t is written
//
// In the last s cycles t - p is formed word by word. done_o is high for the one cycle after them;
// a start_i in that cycle is taken. words_i and p_prime_i must be stable from start_i to done_o.
// Words 0..s-1 of the result are read whenever busy_o is low.

`default_nettype none

module lt_koc_cios #(
  parameter int W    = 32,  // bits of a word
  parameter int SMax = 8,   // most words of an operand
  // derived from the others, not to be set
  parameter int AddrW = (SMax > 1) ? $clog2(SMax) : 1,
  parameter int SW    = $clog2(SMax + 1)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  // operand memories
  input wire logic             wr_en_i,
  input wire logic [1:0]       wr_sel_i,  // 0 = a, 1 = b, 2 = p
  input wire logic [AddrW-1:0] wr_addr_i,
  input wire logic [W-1:0]     wr_data_i,

  // constants of the product
  input wire logic [SW-1:0]    words_i,   // s
  input wire logic [W-1:0]     p_prime_i,

  input wire logic             start_i,
  output     logic             busy_o,
  output     logic             done_o,

  // result
  input wire logic [AddrW-1:0] rd_addr_i,
  output     logic [W-1:0]     rd_data_o
);

  localparam int W2 = 2 * W;

  typedef enum logic [1:0] {
    SelA = 2'd0,
    SelB = 2'd1,
    SelP = 2'd2
  } sel_e;

  typedef enum logic [2:0] {
    StIdle     = 3'd0,
    StRow      = 3'd1,  // t + a*b_i
    StQuotient = 3'd2,  // m
    StReduce   = 3'd3,  // t + m*p
    StSubtract = 3'd4   // t - p
  } state_e;

  /////////////
  // Control //
  /////////////

  state_e        state_d, state_q;
  logic          done_d, done_q;
  logic [SW-1:0] pass_d, pass_q;  // i
  logic [SW-1:0] word_d, word_q;  // j

  logic             take_start;
  logic             busy;
  logic             row, quotient, reduce, subtract;
  logic [SW-1:0]    word_next;
  logic             top_word;   // word s, where a and p are 0 and t is in its register
  logic             last_word;  // word s-1
  logic             last_pass;
  logic [AddrW-1:0] word_addr;

  assign busy       = (state_q != StIdle);
  assign busy_o     = busy;
  assign done_o     = done_q;
  assign take_start = start_i & ~busy;

  assign row      = (state_q == StRow);
  assign quotient = (state_q == StQuotient);
  assign reduce   = (state_q == StReduce);
  assign subtract = (state_q == StSubtract);

  assign word_next = word_q + SW'(1);
  assign top_word  = (word_q == words_i);
  assign last_word = (word_next == words_i);
  assign last_pass = (pass_q + SW'(1) == words_i);
  assign word_addr = word_q[AddrW-1:0];

  always_comb begin
    state_d = state_q;
    done_d  = 1'b0;
    pass_d  = pass_q;
    word_d  = word_next;

    unique case (state_q)
      StRow: begin
        if (top_word) begin
          state_d = StQuotient;
          word_d  = '0;
        end
      end
      StQuotient: begin
        state_d = StReduce;
        word_d  = '0;
      end
      StReduce: begin
        if (top_word) begin
          state_d = StRow;
          if (last_pass) state_d = StSubtract;
          pass_d  = pass_q + SW'(1);
          word_d  = '0;
        end
      end
      StSubtract: begin
        if (last_word) begin
          state_d = StIdle;
          done_d  = 1'b1;
        end
      end
      default: begin  // StIdle
        word_d = '0;
        if (start_i) begin
          state_d = StRow;
          pass_d  = '0;
        end
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      done_q  <= 1'b0;
      pass_q  <= '0;
      word_q  <= '0;
    end else begin
      state_q <= state_d;
      done_q  <= done_d;
      pass_q  <= pass_d;
      word_q  <= word_d;
    end
  end

  //////////////////////
  // Operand memories //
  //////////////////////

  logic [W-1:0] a_mem [SMax];
  logic [W-1:0] b_mem [SMax];
  logic [W-1:0] p_mem [SMax];

  logic         wr_take;
  logic         a_we, b_we, p_we;
  logic [W-1:0] a_word, b_word, p_word;

  assign wr_take = wr_en_i & ~busy;
  assign a_we    = wr_take & (wr_sel_i == SelA);
  assign b_we    = wr_take & (wr_sel_i == SelB);
  assign p_we    = wr_take & (wr_sel_i == SelP);

  always_ff @(posedge clk_i) begin
    if (a_we) a_mem[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (b_we) b_mem[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (p_we) p_mem[wr_addr_i] <= wr_data_i;
  end

  assign a_word = a_mem[word_addr];
  assign b_word = b_mem[pass_q[AddrW-1:0]];
  assign p_word = p_mem[word_addr];

  ///////////////////////
  // Words 0..s-1 of t //
  ///////////////////////

  logic [W-1:0]     t_mem [SMax];

  logic             t_we;
  logic [AddrW-1:0] t_wr_addr;
  logic [AddrW-1:0] t_rd_addr;
  logic [W-1:0]     t_word;

  // One read port serves the datapath while busy and the result otherwise.
  assign t_rd_addr = busy ? word_addr : rd_addr_i;
  assign t_word    = t_mem[t_rd_addr];

  //////////////////////////
  // Multiply-accumulate  //
  //////////////////////////

  logic [W-1:0]  m_q;         // m
  logic [W-1:0]  c_d, c_q;    // C
  logic [W-1:0]  ts_d, ts_q;  // t_s
  logic          tx_q;        // t_(s+1)

  logic [W-1:0]  x_factor, y_factor;
  logic [W-1:0]  addend;
  logic [W2-1:0] mac;         // x*y + addend + C
  logic [W-1:0]  mac_low, mac_high;

  always_comb begin
    x_factor = m_q;
    y_factor = p_word;
    addend   = t_word;
    if (row) begin
      x_factor = b_word;
      y_factor = a_word;
      if (pass_q == '0) addend = '0;  // t is 0 at first: cheaper than clearing the memory
    end
    if (quotient) begin
      x_factor = p_prime_i;
      y_factor = t_word;
      addend   = '0;
    end
    if (top_word) begin
      y_factor = '0;
      addend   = ts_q;
    end
  end

  always_comb begin
    mac = W2'(x_factor) * W2'(y_factor) + W2'(addend) + W2'(c_q);
  end

  assign mac_low  = mac[W-1:0];
  assign mac_high = mac[W2-1:W];

  // Word 0 of t + m*p is 0 and goes nowhere; the others move down by one.
  assign t_we      = (row & ~top_word) | (reduce & (word_q != '0));
  assign t_wr_addr = row ? word_addr : word_addr - AddrW'(1);

  always_ff @(posedge clk_i) begin
    if (t_we) t_mem[t_wr_addr] <= mac_low;
  end

  // Each loop begins with C = 0, and what it carries out of word s has a place of its own.
  assign c_d = ((row | reduce) & ~top_word) ? mac_high : '0;

  always_comb begin
    ts_d = ts_q;
    if (row && top_word) ts_d = mac_low;
    if (reduce && top_word) ts_d = W'(tx_q) + W'(mac_high[0]);
    if (take_start) ts_d = '0;
  end

  always_ff @(posedge clk_i) begin
    c_q  <= c_d;
    ts_q <= ts_d;
    if (row && top_word) tx_q <= mac_high[0];
    if (quotient) m_q <= mac_low;
  end

  /////////////////
  // Subtraction //
  /////////////////

  logic [W-1:0] d_mem [SMax];

  logic         borrow_d, borrow_q;  // B
  logic [W:0]   difference;          // t_j - p_j - B
  logic [W-1:0] d_word;
  logic         sub_d, sub_q;        // whether t - p is the result

  always_comb begin
    difference = (W + 1)'(t_word) - (W + 1)'(p_word) - (W + 1)'(borrow_q);
  end

  assign d_word   = difference[W-1:0];
  assign borrow_d = difference[W] & subtract;
  assign sub_d    = ts_q[0] | ~difference[W];

  always_ff @(posedge clk_i) begin
    borrow_q <= borrow_d;
    if (subtract && last_word) sub_q <= sub_d;
  end

  always_ff @(posedge clk_i) begin
    if (subtract) d_mem[word_addr] <= d_word;
  end

  assign rd_data_o = sub_q ? d_mem[rd_addr_i] : t_word;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (W >= 2 && W <= 64) else $fatal(1, "W = %0d is outside 2..64", W);
    assert (SMax >= 1) else $fatal(1, "SMax = %0d is below 1", SMax);
  end

  always @(posedge clk_i) begin
    if (rst_ni && wr_take) begin
      assert (wr_sel_i <= SelP) else $error("wr_sel_i = %0d names no memory", wr_sel_i);
      assert (int'(wr_addr_i) < SMax) else $error("wr_addr_i = %0d is not below SMax", wr_addr_i);
    end
    if (rst_ni && take_start) begin
      assert (int'(words_i) >= 1 && int'(words_i) <= SMax)
        else $error("words_i = %0d is outside 1..SMax", words_i);
      assert (p_mem[0][0]) else $error("the modulus is even");
    end
    if (rst_ni && reduce && (word_q == '0)) begin
      assert (mac_low == '0) else $error("word 0 of t + m*p is not 0");
    end
    if (rst_ni && subtract) begin
      assert (ts_q[W-1:1] == '0) else $error("t_s is more than one bit");
    end
  end
`endif

endmodule

`default_nettype wire
