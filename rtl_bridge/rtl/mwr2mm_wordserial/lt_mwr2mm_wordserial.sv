// SPDX-License-Identifier: Apache-2.0
//
// Multiple-word radix-2 Montgomery multiplication, one word of Y, p and S a cycle.
//
// Source: M. Morales-Sandoval, A. Diaz Perez, "Novel algorithms and hardware architectures for
// Montgomery Multiplication over GF(p)", figure 2 (A. F. Tenca, C. K. Koc).
//
// With N bits of X and R = 2^N the result is
//
//   S = (X*Y + Q*p) / R,  Q = -X*Y/p mod R;   S < p + X*Y/R < 2p, not reduced to [0, p)
//
// Ranges: W = 2..64, e = 1..EMax, p odd, 2p < 2^(W*e), N = 1..W*e-1, X < 2^N, Y < p.
//
// Correction of the paper: its e is one word short where W divides the bits of p, which loses the
// top bit of S. Here the sum has a word e beyond the e words of S; Y, p and S are 0 there.
//
// Operands: Y and p take e words, X takes ceil(N/W), least significant first. They stay for further
// products. A write while busy is ignored.
//
// Cycles: start_i is taken at an edge at which busy_o is low. After that edge come exactly N*(e+1)
// busy cycles c = i*(e+1) + j: bit i of X and word j = 0..e. done_o is high for the one cycle after
// them; a start_i in that cycle is taken. bits_i and words_i must be stable from start_i to done_o.
// Words 0..e-1 of the result are read whenever busy_o is low.

`default_nettype none

module lt_mwr2mm_wordserial #(
  parameter int W    = 16,  // bits of a word
  parameter int EMax = 16,  // most words of S
  // derived from the others, not to be set
  parameter int AddrW = (EMax > 1) ? $clog2(EMax) : 1,
  parameter int EW    = $clog2(EMax + 1),
  parameter int NW    = $clog2(W * EMax)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  // operand memories
  input wire logic             wr_en_i,
  input wire logic [1:0]       wr_sel_i,  // 0 = X, 1 = Y, 2 = p
  input wire logic [AddrW-1:0] wr_addr_i,
  input wire logic [W-1:0]     wr_data_i,

  // constants of the product
  input wire logic [NW-1:0]    bits_i,    // N
  input wire logic [EW-1:0]    words_i,   // e

  input wire logic             start_i,
  output     logic             busy_o,
  output     logic             done_o,

  // result
  input wire logic [AddrW-1:0] rd_addr_i,
  output     logic [W-1:0]     rd_data_o
);

  localparam int BitW = $clog2(W);

  typedef enum logic [1:0] {
    SelX = 2'd0,
    SelY = 2'd1,
    SelP = 2'd2
  } sel_e;

  /////////////
  // Control //
  /////////////

  logic             busy_d, busy_q;
  logic             done_d, done_q;
  logic [NW-1:0]    pass_d, pass_q;      // i
  logic [AddrW-1:0] x_addr_d, x_addr_q;  // word of X that holds bit i
  logic [BitW-1:0]  x_bit_d, x_bit_q;    // and where
  logic [EW-1:0]    word_d, word_q;      // j

  logic             take_start;
  logic             first_word;
  logic             last_word;           // word e, where Y, p and S are 0
  logic             last_pass;
  logic [AddrW-1:0] word_addr;

  assign busy_o     = busy_q;
  assign done_o     = done_q;
  assign take_start = start_i & ~busy_q;

  assign first_word = (word_q == '0);
  assign last_word  = (word_q == words_i);
  assign last_pass  = (pass_q + NW'(1) == bits_i);
  assign word_addr  = word_q[AddrW-1:0];

  always_comb begin
    busy_d   = busy_q;
    done_d   = 1'b0;
    pass_d   = pass_q;
    x_addr_d = x_addr_q;
    x_bit_d  = x_bit_q;
    word_d   = word_q;

    if (take_start) begin
      busy_d   = 1'b1;
      pass_d   = '0;
      x_addr_d = '0;
      x_bit_d  = '0;
      word_d   = '0;
    end

    if (busy_q) begin
      word_d = word_q + EW'(1);
      if (last_word) begin
        word_d  = '0;
        pass_d  = pass_q + NW'(1);
        x_bit_d = x_bit_q + BitW'(1);
        if (x_bit_q == BitW'(W - 1)) begin
          x_bit_d  = '0;
          x_addr_d = x_addr_q + AddrW'(1);
        end
        if (last_pass) begin
          busy_d = 1'b0;
          done_d = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      done_q   <= 1'b0;
      pass_q   <= '0;
      x_addr_q <= '0;
      x_bit_q  <= '0;
      word_q   <= '0;
    end else begin
      busy_q   <= busy_d;
      done_q   <= done_d;
      pass_q   <= pass_d;
      x_addr_q <= x_addr_d;
      x_bit_q  <= x_bit_d;
      word_q   <= word_d;
    end
  end

  //////////////////////
  // Operand memories //
  //////////////////////

  logic [W-1:0] x_mem [EMax];
  logic [W-1:0] y_mem [EMax];
  logic [W-1:0] p_mem [EMax];

  logic         wr_take;
  logic         x_we, y_we, p_we;
  logic [W-1:0] x_word, y_word, p_word;
  logic         x_bit;  // x_i

  assign wr_take = wr_en_i & ~busy_q;
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

  assign x_word = x_mem[x_addr_q];
  assign x_bit  = x_word[x_bit_q];
  assign y_word = last_word ? '0 : y_mem[word_addr];
  assign p_word = last_word ? '0 : p_mem[word_addr];

  ///////////////////
  // Accumulator S //
  ///////////////////

  logic [W-1:0]     s_mem [EMax];

  logic             s_we;
  logic [AddrW-1:0] s_wr_addr;
  logic [W-1:0]     s_wr_data;
  logic [AddrW-1:0] s_rd_addr;
  logic [W-1:0]     s_read;
  logic [W-1:0]     s_word;

  // One read port serves the datapath while busy and the result otherwise.
  assign s_rd_addr = busy_q ? word_addr : rd_addr_i;
  assign s_read    = s_mem[s_rd_addr];
  assign rd_data_o = s_read;

  // S is 0 before the first pass: cheaper than clearing the memory.
  assign s_word = (last_word || (pass_q == '0)) ? '0 : s_read;

  always_ff @(posedge clk_i) begin
    if (s_we) s_mem[s_wr_addr] <= s_wr_data;
  end

  //////////////
  // Datapath //
  //////////////

  logic         ca_d, ca_q;      // C_a
  logic         cb_d, cb_q;      // C_b
  logic         par_d, par_q;    // whether p is added in this pass
  logic [W-2:0] kept_d, kept_q;  // word j-1 of the second sum, but for its bit 0

  logic [W:0]   a_sum;           // x_i * Y_j + S_j + C_a = {C_a', Sa_j}
  logic [W:0]   b_sum;           // par * p_j + Sa_j + C_b = {C_b', Sb_j}

  // The parity is that of word 0, where it is not in its register yet.
  assign par_d = first_word ? a_sum[0] : par_q;

  always_comb begin
    a_sum = (W + 1)'(s_word) + (W + 1)'(x_bit ? y_word : '0) + (W + 1)'(ca_q);
  end

  always_comb begin
    b_sum = (W + 1)'(a_sum[W-1:0]) + (W + 1)'(par_d ? p_word : '0) + (W + 1)'(cb_q);
  end

  // Bit 0 of word j is the top bit of word j-1 of half the sum.
  assign s_we      = busy_q & ~first_word;
  assign s_wr_addr = word_addr - AddrW'(1);
  assign s_wr_data = {b_sum[0], kept_q};

  // Cleared by the start and not by reset, so that a product never sees what an interrupted one
  // left. A pass leaves both carries 0, since nothing is carried out of word e.
  assign ca_d   = a_sum[W] & ~take_start;
  assign cb_d   = b_sum[W] & ~take_start;
  assign kept_d = b_sum[W-1:1];

  always_ff @(posedge clk_i) begin
    if (take_start | busy_q) begin
      ca_q <= ca_d;
      cb_q <= cb_d;
    end
    if (busy_q) begin
      par_q  <= par_d;
      kept_q <= kept_d;
    end
  end

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (W >= 2 && W <= 64) else $fatal(1, "W = %0d is outside 2..64", W);
    assert (EMax >= 1) else $fatal(1, "EMax = %0d is below 1", EMax);
  end

  always @(posedge clk_i) begin
    if (rst_ni && wr_take) begin
      assert (wr_sel_i <= SelP) else $error("wr_sel_i = %0d names no memory", wr_sel_i);
      assert (int'(wr_addr_i) < EMax) else $error("wr_addr_i = %0d is not below EMax", wr_addr_i);
    end
    if (rst_ni && take_start) begin
      assert (int'(words_i) >= 1 && int'(words_i) <= EMax)
        else $error("words_i = %0d is outside 1..EMax", words_i);
      assert (int'(bits_i) >= 1 && int'(bits_i) < W * int'(words_i))
        else $error("bits_i = %0d is outside 1..W*e-1", bits_i);
      assert (p_mem[0][0]) else $error("the modulus is even");
    end
    if (rst_ni && busy_q && last_word) begin
      assert (!a_sum[W] && b_sum[W:1] == '0) else $error("there is a carry out of word e");
    end
  end
`endif

endmodule

`default_nettype wire
