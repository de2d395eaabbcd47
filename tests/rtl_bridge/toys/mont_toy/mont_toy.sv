// SPDX-License-Identifier: Apache-2.0
// a * b / 2^(WORDS * 16) modulo m, one word of b in a clock. Operands and results are below 2m,
// which takes three bits more than m in all words. The constant is m^-1, and not its negative, of
// one word.

module mont_toy #(
    parameter int WORDS = 4
) (
    input wire logic            clk_i,
    input wire logic            rst_ni,
    input wire logic            valid_i,
    output     logic            ready_o,
    input wire logic [16*WORDS-1:0] a_i,
    input wire logic [16*WORDS-1:0] b_i,
    input wire logic [16*WORDS-1:0] m_i,
    input wire logic [15:0]     minv_i,
    output     logic            valid_o,
    input wire logic            ready_i,
    output     logic [16*WORDS-1:0] z_o
);

  localparam int BITS = 16 * WORDS;

  logic [BITS-1:0]          a_q, b_q;
  logic [BITS+16:0]         t_q;
  logic [$clog2(WORDS):0]   left_q;
  logic                     busy_q;

  logic [BITS+16:0]         row, fixed;
  logic [15:0]              q;

  assign row   = t_q + (BITS + 17)'(a_q) * (BITS + 17)'(b_q[15:0]);
  assign q     = 16'(row[15:0] * minv_i);
  // row - q * m ends in a word of zeros; m is added so that it is not negative.
  assign fixed = row + ((BITS + 17)'(m_i) << 16) - (BITS + 17)'(m_i) * (BITS + 17)'(q);

  assign ready_o = !busy_q && !valid_o;
  assign z_o     = t_q[BITS-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_o <= 1'b0;
    end else if (valid_i && ready_o) begin
      a_q    <= a_i;
      b_q    <= b_i;
      t_q    <= '0;
      left_q <= ($clog2(WORDS) + 1)'(WORDS);
      busy_q <= 1'b1;
    end else if (busy_q) begin
      t_q    <= fixed >> 16;
      b_q    <= b_q >> 16;
      left_q <= left_q - 1'b1;
      if (left_q == 1) begin
        busy_q  <= 1'b0;
        valid_o <= 1'b1;
      end
    end else if (valid_o && ready_i) begin
      valid_o <= 1'b0;
    end
  end

endmodule
