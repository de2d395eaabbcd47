// SPDX-License-Identifier: Apache-2.0
//
// Frame of a Montgomery multiplier that works on one digit of X, p and A a cycle: control, operand
// memories, accumulator. The datapath stands outside; it makes U_j of the digits and returns it.
//
// Source: M. Morales-Sandoval, A. Diaz Perez, "Novel algorithms and hardware architectures for
// Montgomery Multiplication over GF(p)", section 4.
//
// Operands: X and p take n+1 words (word n of X is 0 or 1, word n of p is 0), Y takes passes_i
// words, least significant first. They stay for further products. A write while busy is ignored.
//
// Cycles, with L = Pipeline registers between the memories and U: start_i is taken at an edge at
// which busy_o is low. After that edge come exactly T*(n+2+L) + L busy cycles, T = passes_i: in
// pass i = 0..T-1 the cycles t = 0..L, in which digit 0 is shown and q is found, then
// t = L+1..L+1+n, in which digit j = t-L-1 is; and at the end L cycles in which the levels run
// empty. done_o is high for the one cycle after them; a start_i in that cycle is taken.
//
// U_j is written as A_(j-1); U_0 is dropped, and so the division by 2^K is done. A_n has two bits
// and a register of its own. A is 0 in pass 0. The result is read as words 0..n whenever busy_o is
// low.
//
// Ranges: n = 1..NMax, at least 2 where Pipeline is 2; T = 1..NMax+1. n_i and passes_i are stable
// from start_i to done_o, n_i also while the result is read.

`default_nettype none

module lt_mont_frame #(
  parameter int K        = 32,  // bits of a digit
  parameter int NMax     = 8,   // most digits of a modulus
  parameter int Pipeline = 0,   // levels, 0..2
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

  input wire logic [NW-1:0]    n_i,
  input wire logic [NW-1:0]    passes_i,
  input wire logic             start_i,
  output     logic             busy_o,
  output     logic             done_o,

  // word of the result to be read while not busy, on a_o
  input wire logic [AddrW-1:0] rd_addr_i,

  // digits that leave the memories
  output     logic [K-1:0]     x_o,  // X_j
  output     logic [K-1:0]     y_o,  // Y_i
  output     logic [K-1:0]     p_o,  // p_j
  output     logic [K-1:0]     a_o,  // A_j

  // what the datapath has to do in this cycle
  output     logic             clear_o,     // a start is taken: clear what a product leaves
  output     logic             quot_en_o,   // load q
  output     logic             sum_run_o,   // a real digit is one level on, where levels are
  output     logic             sum_last_o,  // it is digit n
  output     logic             u_run_o,     // a real digit is Pipeline levels on: u_i is U_j
  output     logic             u_last_o,    // it is digit n: top_i is A_n

  // what it returns
  input wire logic [K-1:0]     u_i,
  input wire logic [1:0]       top_i
);

  localparam int Depth = NMax + 1;
  localparam int TW    = $clog2(NMax + 2 + Pipeline);

  localparam logic [TW-1:0] Levels = TW'(Pipeline);

  typedef enum logic [1:0] {
    SelX = 2'd0,
    SelY = 2'd1,
    SelP = 2'd2
  } sel_e;

  typedef enum logic [1:0] {
    StIdle,
    StPrep,  // t = 0..L: q is formed at the end; neither a carry nor A changes
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

  logic             last_pass;
  logic             last_digit;
  logic             drained;
  logic [NW-1:0]    digit;  // j
  logic [AddrW-1:0] digit_addr;

  assign busy_o     = (state_q != StIdle);
  assign done_o     = done_q;
  assign clear_o    = start_i & ~busy_o;

  assign digit      = (state_q == StRun) ? NW'(t_q - Levels - TW'(1)) : '0;
  assign quot_en_o  = (state_q == StPrep) & (t_q == Levels);
  assign digit_addr = digit[AddrW-1:0];
  assign last_digit = (state_q == StRun) & (digit == n_i);
  assign last_pass  = (pass_q + NW'(1) == passes_i);
  assign drained    = (state_q == StDrain) & (t_q + TW'(1) == Levels);

  assign pass_we = clear_o | (last_digit & ~last_pass);
  assign pass_d  = clear_o ? '0 : pass_q + NW'(1);
  assign t_we    = clear_o | busy_o;
  assign t_d     = (clear_o | last_digit) ? '0 : t_q + TW'(1);
  assign done_d  = (Pipeline == 0) ? last_digit & last_pass : drained;

  always_comb begin
    case (state_q)
      StPrep: begin
        state_d = StPrep;
        if (quot_en_o) state_d = StRun;
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
        if (clear_o) state_d = StPrep;
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

  // The digit one level on, and two.
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

  logic [AddrW-1:0] u_addr;

  assign sum_run_o  = (Pipeline == 0) ? (state_q == StRun) : run1_q;
  assign sum_last_o = (Pipeline == 0) ? last_digit : last1_q;

  assign u_run_o  = (Pipeline == 0) ? (state_q == StRun) : (Pipeline == 1) ? run1_q : run2_q;
  assign u_last_o = (Pipeline == 0) ? last_digit : (Pipeline == 1) ? last1_q : last2_q;
  assign u_addr   = (Pipeline == 0) ? digit_addr : (Pipeline == 1) ? addr1_q : addr2_q;

  //////////////////////
  // Operand memories //
  //////////////////////

  logic [K-1:0] x_mem [Depth];
  logic [K-1:0] y_mem [Depth];
  logic [K-1:0] p_mem [Depth];

  logic         wr_take;
  logic         x_we, y_we, p_we;

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

  assign x_o = x_mem[digit_addr];
  assign y_o = y_mem[pass_q[AddrW-1:0]];
  assign p_o = p_mem[digit_addr];

  ///////////////////
  // Accumulator A //
  ///////////////////

  logic [K-1:0]     a_mem [Depth];
  logic [1:0]       a_top_q;  // A_n

  logic             a_we;
  logic [AddrW-1:0] a_wr_addr;
  logic [AddrW-1:0] a_rd_addr;

  assign a_we      = u_run_o & (u_addr != '0);
  assign a_wr_addr = u_addr - AddrW'(1);

  // One read port serves the datapath while busy and the result otherwise.
  assign a_rd_addr = busy_o ? digit_addr : rd_addr_i;

  always_comb begin
    if (NW'(a_rd_addr) == n_i) begin
      a_o = K'(a_top_q);
    end else if (busy_o && (pass_q == '0)) begin
      a_o = '0;  // A is 0 before the first pass: cheaper than clearing the memory
    end else if ((Pipeline != 0) && a_we && (a_wr_addr == a_rd_addr)) begin
      a_o = u_i;  // few digits: the word is wanted in the cycle that writes it
    end else begin
      a_o = a_mem[a_rd_addr];
    end
  end

  always_ff @(posedge clk_i) begin
    if (a_we) a_mem[a_wr_addr] <= u_i;
  end

  // Cleared by the start and not by reset, so that a product never sees what an interrupted one
  // left.
  always_ff @(posedge clk_i) begin
    if (clear_o) a_top_q <= '0;
    else if (u_last_o) a_top_q <= top_i;
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
  assign checked = rst_ni & (wr_take | clear_o | last_digit);

  always @(posedge clk_i) begin
    if (checked) begin
      if (wr_take) begin
        assert (wr_sel_i <= SelP) else $error("wr_sel_i = %0d names no memory", wr_sel_i);
        assert (int'(wr_addr_i) < Depth) else $error("wr_addr_i = %0d is above NMax", wr_addr_i);
      end
      if (clear_o) begin
        assert (int'(n_i) >= 1 && int'(n_i) <= NMax)
          else $error("n_i = %0d is outside 1..NMax", n_i);
        assert (Pipeline < 2 || int'(n_i) >= 2) else $error("2 pipeline levels need n_i >= 2");
        assert (int'(passes_i) >= 1 && int'(passes_i) <= NMax + 1)
          else $error("passes_i = %0d is outside 1..NMax+1", passes_i);
        assert (p_mem[0][0]) else $error("the modulus is even");
      end
      if (last_digit) begin
        assert (p_o == '0) else $error("word n of the modulus is not 0");
        assert (x_o <= K'(1)) else $error("word n of X is above 1");
      end
    end
  end
`endif

endmodule

`default_nettype wire
