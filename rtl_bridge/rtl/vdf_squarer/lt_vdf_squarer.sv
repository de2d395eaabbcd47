// SPDX-License-Identifier: Apache-2.0
//
// y = x^(2^t) mod M: t squarings in a row with the cell lt_lowlat_monpro, whose redundant digits
// are fed back as they are.
//
// Source: I. San, "LLMONPRO: Low-latency Montgomery modular multiplication suitable for verifiable
// delay functions", section 4. Where x enters the Montgomery domain and y leaves it, the paper does
// not say; here both are products in the same datapath: x * (R^2 mod M), and the last value times
// 1. Then the digits are resolved and M is subtracted where it has to be, a digit a cycle.
//
// Ranges: W = 2..64, D >= 3, 2 <= K <= 2^(D-1)-1, Cycles = 1..7, t_i = 0..2^32-2, M odd, x < M, and
//         4M(1 + (2K-2)/2^D) <= R = 2^(D*K), without which a chain outgrows its digits;
//         M < R/8 is always enough.
//
// Operands are written in words of W bits, the least significant first, and stay for further
// chains. A write while busy is ignored.
//
// Cycles: start_i is taken at an edge at which busy_o is low. After that edge come exactly
// (t+2)*Cycles + K busy cycles. done_o is high for the one cycle after them; a start_i in that
// cycle is taken. t_i must be stable from start_i to done_o. The words of the result are read
// whenever busy_o is low.

`default_nettype none

module lt_vdf_squarer #(
  parameter int D      = 16,  // bits of the radix
  parameter int K      = 8,   // digits of R
  parameter int Cycles = 1,   // of a squaring
  parameter int W      = 32,  // bits of a word of the operands and of the result
  // derived from the others, not to be set
  parameter int Words = (K * D + W - 1) / W,
  parameter int AddrW = (Words > 1) ? $clog2(Words) : 1
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  // operands
  input wire logic             wr_en_i,
  input wire logic [1:0]       wr_sel_i,  // 0 = x, 1 = R^2 mod M, 2 = M, 3 = M'
  input wire logic [AddrW-1:0] wr_addr_i,
  input wire logic [W-1:0]     wr_data_i,

  input wire logic [31:0]      t_i,       // squarings

  input wire logic             start_i,
  output     logic             busy_o,
  output     logic             done_o,

  // result
  input wire logic [AddrW-1:0] rd_addr_i,
  output     logic [W-1:0]     rd_data_o
);

  localparam int DW      = D + 1;
  localparam int VectorW = (K + 1) * DW;
  localparam int StageW  = $clog2(Cycles + 1);
  localparam int DigitW  = $clog2(K);

  typedef enum logic [1:0] {
    SelX  = 2'd0,
    SelR  = 2'd1,
    SelM  = 2'd2,
    SelMp = 2'd3
  } sel_e;

  typedef enum logic [1:0] {
    StIdle,
    StRun,     // x into the domain, t squarings, out of the domain
    StResolve  // digit by digit
  } state_e;

  /////////////
  // Control //
  /////////////

  state_e            state_d, state_q;
  logic              done_d, done_q;
  logic [StageW-1:0] stage_d, stage_q;  // cycle of a product
  logic [31:0]       count_d, count_q;  // products that are done
  logic              leave_d, leave_q;  // this is the product with 1
  logic [DigitW-1:0] digit_d, digit_q;

  logic              take_start;
  logic              product_done;
  logic              last_factor;  // the next product is the one with 1

  assign busy_o       = (state_q != StIdle);
  assign done_o       = done_q;
  assign take_start   = start_i & ~busy_o;
  assign product_done = (state_q == StRun) && (stage_q == StageW'(Cycles - 1));
  assign last_factor  = (count_q == t_i);

  always_comb begin
    state_d = state_q;
    done_d  = 1'b0;
    stage_d = stage_q;
    count_d = count_q;
    leave_d = leave_q;
    digit_d = digit_q;

    case (state_q)
      StIdle: begin
        if (take_start) begin
          state_d = StRun;
          stage_d = '0;
          count_d = '0;
          leave_d = 1'b0;
          digit_d = '0;
        end
      end

      StRun: begin
        stage_d = stage_q + StageW'(1);
        if (product_done) begin
          stage_d = '0;
          count_d = count_q + 32'd1;
          leave_d = last_factor;
          if (leave_q) state_d = StResolve;
        end
      end

      StResolve: begin
        digit_d = digit_q + DigitW'(1);
        if (digit_q == DigitW'(K - 1)) begin
          state_d = StIdle;
          done_d  = 1'b1;
        end
      end

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      done_q  <= 1'b0;
      stage_q <= '0;
      count_q <= '0;
      leave_q <= 1'b0;
      digit_q <= '0;
    end else begin
      state_q <= state_d;
      done_q  <= done_d;
      stage_q <= stage_d;
      count_q <= count_d;
      leave_q <= leave_d;
      digit_q <= digit_d;
    end
  end

  //////////////
  // Operands //
  //////////////

  logic [W*Words-1:0] x_q;
  logic [W*Words-1:0] r_q;   // R^2 mod M
  logic [W*Words-1:0] m_q;
  logic [W*Words-1:0] mp_q;
  logic               wr_take;

  assign wr_take = wr_en_i & ~busy_o;

  genvar i;
  generate
  for (i = 0; i < Words; i++) begin : gen_words
    logic mine;
    assign mine = wr_take & (wr_addr_i == AddrW'(i));

    always_ff @(posedge clk_i) begin
      if (mine & (wr_sel_i == SelX)) x_q[i*W+:W] <= wr_data_i;
      if (mine & (wr_sel_i == SelR)) r_q[i*W+:W] <= wr_data_i;
      if (mine & (wr_sel_i == SelM)) m_q[i*W+:W] <= wr_data_i;
      if (mine & (wr_sel_i == SelMp)) mp_q[i*W+:W] <= wr_data_i;
    end
  end
  endgenerate

  //////////////
  // Products //
  //////////////

  logic [VectorW-1:0] a_d, a_q;
  logic [VectorW-1:0] b_d, b_q;
  logic [VectorW-1:0] z;
  logic [VectorW-1:0] x_digits, r_digits;

  generate
  for (i = 0; i < K; i++) begin : gen_digits
    assign x_digits[i*DW+:DW] = DW'(x_q[i*D+:D]);
    assign r_digits[i*DW+:DW] = DW'(r_q[i*D+:D]);
  end
  if (W * Words > K * D) begin : gen_padding
    logic unused_padding;
    assign unused_padding = ^{x_q[W*Words-1:K*D], r_q[W*Words-1:K*D], m_q[W*Words-1:K*D],
                              mp_q[W*Words-1:K*D]};
  end
  endgenerate
  assign x_digits[K*DW+:DW] = '0;
  assign r_digits[K*DW+:DW] = '0;

  lt_lowlat_monpro #(
    .D     (D),
    .K     (K),
    .Cycles(Cycles)
  ) u_datapath (
    .clk_i(clk_i),
    .a_i  (a_q),
    .b_i  (b_q),
    .m_i  (m_q[K*D-1:0]),
    .mp_i (mp_q[K*D-1:0]),
    .z_o  (z)
  );

  ////////////////
  // Resolution //
  ////////////////

  // A holds the digits of the last product; those that are resolved come in above digit K-1 while
  // the others leave at the bottom. In B those of the difference gather in the same way.

  logic               carry_d, carry_q;
  logic               borrow_d, borrow_q;
  logic [D-1:0]       m_digit;
  logic [D:0]         resolved;    // {carry, digit}
  logic [D:0]         difference;  // {borrow, digit}
  logic               carry_out, borrow_out;
  logic [VectorW-1:0] a_shifted, b_shifted;

  assign m_digit    = m_q[digit_q*D+:D];
  assign resolved   = a_q[DW-1:0] + DW'(carry_q);
  assign difference = {1'b0, resolved[D-1:0]} - {1'b0, m_digit} - DW'(borrow_q);

  assign carry_out  = resolved[D];
  assign borrow_out = difference[D];

  // Digit K stays.
  assign a_shifted = {a_q[K*DW+:DW], 1'b0, resolved[D-1:0], a_q[K*DW-1:DW]};
  assign b_shifted = {b_q[K*DW+:DW], 1'b0, difference[D-1:0], b_q[K*DW-1:DW]};

  always_comb begin
    a_d      = a_q;
    b_d      = b_q;
    carry_d  = 1'b0;
    borrow_d = 1'b0;
    if (take_start) begin
      a_d = x_digits;
      b_d = r_digits;
    end else if (product_done) begin
      a_d = z;
      b_d = last_factor ? VectorW'(1) : z;
    end else if (state_q == StResolve) begin
      a_d      = a_shifted;
      b_d      = b_shifted;
      carry_d  = carry_out;
      borrow_d = borrow_out;
    end
    if (!busy_o) borrow_d = borrow_q;  // says which of the two is the result
  end

  always_ff @(posedge clk_i) begin
    a_q      <= a_d;
    b_q      <= b_d;
    carry_q  <= carry_d;
    borrow_q <= borrow_d;
  end

  logic [W*Words-1:0] result;

  generate
  for (i = 0; i < K; i++) begin : gen_result
    assign result[i*D+:D] = borrow_q ? a_q[i*DW+:D] : b_q[i*DW+:D];
  end
  if (W * Words > K * D) begin : gen_zeros
    assign result[W*Words-1:K*D] = '0;
  end
  endgenerate

  assign rd_data_o = result[rd_addr_i*W+:W];

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (W >= 2 && W <= 64) else $fatal(1, "W = %0d is outside 2..64", W);
  end

  always @(posedge clk_i) begin
    if (rst_ni && take_start) begin
      assert (m_q[0]) else $error("the modulus is even");
    end
    if (rst_ni && product_done) begin
      assert (z[K*DW+:DW] == '0) else $error("the chain has outgrown R");
    end
  end
`endif

endmodule

`default_nettype wire
