// SPDX-License-Identifier: Apache-2.0
//
// Radix-2 Montgomery multiplication, one bit of X a cycle, accumulator as wide as the modulus.
//
// Source: M. Morales-Sandoval, A. Diaz Perez, "Novel algorithms and hardware architectures for
// Montgomery Multiplication over GF(p)", figure 1.
//
// With N bits of X and R = 2^N the result is Z = X*Y/R mod p in [0, p).
//
// Ranges: W = 2..64, NMax >= 1 (rounded up to whole words), N = 1..NMax, p odd, p < 2^NMax,
//         X < 2^N, Y <= p.
//
// Operands are written in words of W bits, the least significant first. X takes ceil(N/W) words.
// Word 0 of Y or p clears the words above it, so that these take as many words as they have. All
// stay for further products. A write while busy is ignored.
//
// Cycles: start_i is taken at an edge at which busy_o is low. After that edge come exactly N+1 busy
// cycles: bit i = 0..N-1 of X, and the subtraction of p where S is not below it. done_o is high for
// the one cycle after them; a start_i in that cycle is taken. bits_i must be stable from start_i to
// done_o. The words of the result are read whenever busy_o is low.

`default_nettype none

module lt_r2mm_bitserial #(
  parameter int W    = 32,   // bits of a word of the operands and of the result
  parameter int NMax = 256,  // most bits of a modulus
  // derived from the others, not to be set
  parameter int Words = (NMax + W - 1) / W,
  parameter int AddrW = (Words > 1) ? $clog2(Words) : 1,
  parameter int NW    = $clog2(W * Words + 1)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  // operands
  input wire logic             wr_en_i,
  input wire logic [1:0]       wr_sel_i,  // 0 = X, 1 = Y, 2 = p
  input wire logic [AddrW-1:0] wr_addr_i,
  input wire logic [W-1:0]     wr_data_i,

  input wire logic [NW-1:0]    bits_i,    // N

  input wire logic             start_i,
  output     logic             busy_o,
  output     logic             done_o,

  // result
  input wire logic [AddrW-1:0] rd_addr_i,
  output     logic [W-1:0]     rd_data_o
);

  localparam int Width = W * Words;
  localparam int BitW  = $clog2(W);

  typedef enum logic [1:0] {
    SelX = 2'd0,
    SelY = 2'd1,
    SelP = 2'd2
  } sel_e;

  typedef enum logic [1:0] {
    StIdle,
    StRun,      // bit i of X
    StSubtract  // S - p
  } state_e;

  /////////////
  // Control //
  /////////////

  state_e           state_d, state_q;
  logic             done_d, done_q;
  logic [NW-1:0]    pass_d, pass_q;      // i
  logic [AddrW-1:0] x_addr_d, x_addr_q;  // word of X that holds bit i
  logic [BitW-1:0]  x_bit_d, x_bit_q;    // and where

  logic             take_start;

  assign busy_o     = (state_q != StIdle);
  assign done_o     = done_q;
  assign take_start = start_i & ~busy_o;

  always_comb begin
    state_d  = state_q;
    done_d   = 1'b0;
    pass_d   = pass_q;
    x_addr_d = x_addr_q;
    x_bit_d  = x_bit_q;

    case (state_q)
      StIdle: begin
        if (take_start) begin
          state_d  = StRun;
          pass_d   = '0;
          x_addr_d = '0;
          x_bit_d  = '0;
        end
      end

      StRun: begin
        pass_d  = pass_q + NW'(1);
        x_bit_d = x_bit_q + BitW'(1);
        if (x_bit_q == BitW'(W - 1)) begin
          x_bit_d  = '0;
          x_addr_d = x_addr_q + AddrW'(1);
        end
        if (pass_d == bits_i) state_d = StSubtract;
      end

      StSubtract: begin
        state_d = StIdle;
        done_d  = 1'b1;
      end

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      done_q   <= 1'b0;
      pass_q   <= '0;
      x_addr_q <= '0;
      x_bit_q  <= '0;
    end else begin
      state_q  <= state_d;
      done_q   <= done_d;
      pass_q   <= pass_d;
      x_addr_q <= x_addr_d;
      x_bit_q  <= x_bit_d;
    end
  end

  //////////////
  // Operands //
  //////////////

  logic [W-1:0]     x_mem [Words];
  logic [Width-1:0] y_q;
  logic [Width-1:0] p_q;

  logic             wr_take;
  logic             x_we, y_we, p_we;
  logic [W-1:0]     x_word;
  logic             x_bit;  // x_i

  assign wr_take = wr_en_i & ~busy_o;
  assign x_we    = wr_take & (wr_sel_i == SelX);
  assign y_we    = wr_take & (wr_sel_i == SelY);
  assign p_we    = wr_take & (wr_sel_i == SelP);

  always_ff @(posedge clk_i) begin
    if (x_we) x_mem[wr_addr_i] <= wr_data_i;
  end

  genvar k;
  generate
  for (k = 0; k < Words; k++) begin : gen_words
    logic mine;
    logic clear;

    assign mine  = (wr_addr_i == AddrW'(k));
    assign clear = ~mine & (wr_addr_i == '0);

    always_ff @(posedge clk_i) begin
      if (y_we & clear) begin
        y_q[k*W +: W] <= '0;
      end else if (y_we & mine) begin
        y_q[k*W +: W] <= wr_data_i;
      end
    end

    always_ff @(posedge clk_i) begin
      if (p_we & clear) begin
        p_q[k*W +: W] <= '0;
      end else if (p_we & mine) begin
        p_q[k*W +: W] <= wr_data_i;
      end
    end
  end
  endgenerate

  assign x_word = x_mem[x_addr_q];
  assign x_bit  = x_word[x_bit_q];

  //////////////
  // Datapath //
  //////////////

  logic [Width:0]   s_d, s_q;  // S, and Z in the end

  logic             subtract;
  logic [Width-1:0] y_term;
  logic [Width+1:0] p_term;
  logic [Width+1:0] t_sum;     // T = S + x_i * Y; S in the last cycle
  logic             quot;      // q
  logic [Width+1:0] u_sum;     // T + q * p; S - p in the last cycle
  logic             reduce;    // S >= p, in the last cycle

  assign subtract = (state_q == StSubtract);
  assign quot     = t_sum[0];
  assign y_term   = ((state_q == StRun) && x_bit) ? y_q : '0;

  always_comb begin
    if (subtract) begin
      p_term = ~((Width + 2)'(p_q));
    end else if (quot) begin
      p_term = (Width + 2)'(p_q);
    end else begin
      p_term = '0;
    end
  end

  // In a block rather than as assignments: Icarus works sums out word by word here, and there bit
  // by bit.
  always_comb begin
    t_sum = (Width + 2)'(s_q) + (Width + 2)'(y_term);
  end

  always_comb begin
    u_sum = t_sum + p_term + (Width + 2)'(subtract);
  end

  assign reduce = ~u_sum[Width+1];

  always_comb begin
    s_d = u_sum[Width+1:1];
    if (subtract) s_d = reduce ? u_sum[Width:0] : s_q;
    // Cleared here and not by reset, so that a product never sees what an interrupted one left.
    if (take_start) s_d = '0;
  end

  always_ff @(posedge clk_i) begin
    if (take_start | busy_o) s_q <= s_d;
  end

  assign rd_data_o = s_q[rd_addr_i*W +: W];

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (W >= 2 && W <= 64) else $fatal(1, "W = %0d is outside 2..64", W);
    assert (NMax >= 1) else $fatal(1, "NMax = %0d is below 1", NMax);
  end

  always @(posedge clk_i) begin
    if (rst_ni && wr_take) begin
      assert (wr_sel_i <= SelP) else $error("wr_sel_i = %0d names no operand", wr_sel_i);
      assert (int'(wr_addr_i) < Words) else $error("wr_addr_i = %0d is above NMax", wr_addr_i);
    end
    if (rst_ni && take_start) begin
      assert (int'(bits_i) >= 1 && int'(bits_i) <= Width)
        else $error("bits_i = %0d is outside 1..NMax", bits_i);
      assert (p_q[0]) else $error("the modulus is even");
      assert (y_q <= p_q) else $error("Y is above p");
    end
    if (rst_ni && state_q == StRun) begin
      assert (!u_sum[0]) else $error("T + q*p is odd");
    end
    if (rst_ni && done_q) begin
      assert (s_q < (Width + 1)'(p_q)) else $error("the result is not below p");
    end
  end
`endif

endmodule

`default_nettype wire
