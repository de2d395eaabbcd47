// SPDX-License-Identifier: Apache-2.0
// a * b / 2^(16 * WORDS) modulo p, word by word of both operands on one multiplier, as software
// does it (coarsely integrated operand scanning). The modulus may fill all words, so the sum has a
// word and a bit more.

module cios_toy #(
    parameter int WORDS = 4
) (
    input wire logic                clk_i,
    input wire logic                rst_ni,
    input wire logic                start_i,
    input wire logic [16*WORDS-1:0] a_i,
    input wire logic [16*WORDS-1:0] b_i,
    input wire logic [16*WORDS-1:0] p_i,
    input wire logic [15:0]         pinv_i,
    output     logic                done_o,
    output     logic [16*WORDS-1:0] z_o
);

  typedef enum logic [2:0] {
    Idle,
    Multiply,
    Quotient,
    Reduce,
    Next,
    Subtract
  } state_e;

  localparam int Bits = WORDS == 1 ? 1 : $clog2(WORDS);
  localparam logic [Bits-1:0] Last = Bits'(WORDS - 1);

  state_e              state_q;
  logic [16*WORDS-1:0] a_q, b_q;
  logic [15:0]         sum_q [WORDS];
  logic [15:0]         carry_q, digit_q;
  logic [16:0]         top_q;
  logic [Bits-1:0]     i_q, j_q;
  logic [31:0]         row;
  logic [16:0]         top;
  logic [16*WORDS:0]   whole;

  assign row = (state_q == Multiply ? a_q[16*j_q+:16] * b_q[15:0] : p_i[16*j_q+:16] * digit_q)
      + 32'(sum_q[j_q]) + 32'(carry_q);
  assign top = 17'(top_q[15:0]) + 17'(carry_q);

  always_comb begin
    whole = '0;
    for (int k = 0; k < WORDS; k++) whole[16*k+:16] = sum_q[k];
    whole[16*WORDS] = top_q[0];
  end

  always_ff @(posedge clk_i) begin
    done_o <= 1'b0;
    if (!rst_ni) begin
      state_q <= Idle;
    end else begin
      unique case (state_q)
        Idle: begin
          if (start_i) begin
            a_q     <= a_i;
            b_q     <= b_i;
            i_q     <= '0;
            j_q     <= '0;
            carry_q <= '0;
            top_q   <= '0;
            for (int k = 0; k < WORDS; k++) sum_q[k] <= '0;
            state_q <= Multiply;
          end
        end
        Multiply: begin
          sum_q[j_q] <= row[15:0];
          carry_q    <= row[31:16];
          j_q        <= j_q + 1'b1;
          if (j_q == Last) state_q <= Quotient;
        end
        Quotient: begin
          digit_q <= sum_q[0] * pinv_i;
          top_q   <= top;
          carry_q <= '0;
          j_q     <= '0;
          state_q <= Reduce;
        end
        Reduce: begin
          if (j_q != '0) sum_q[j_q-1] <= row[15:0];
          carry_q <= row[31:16];
          j_q     <= j_q + 1'b1;
          if (j_q == Last) state_q <= Next;
        end
        Next: begin
          sum_q[Last] <= top[15:0];
          top_q       <= 17'(top_q[16]) + 17'(top[16]);
          carry_q     <= '0;
          j_q         <= '0;
          b_q         <= b_q >> 16;
          i_q         <= i_q + 1'b1;
          state_q     <= i_q == Last ? Subtract : Multiply;
        end
        Subtract: begin
          z_o     <= (16*WORDS)'(whole >= {1'b0, p_i} ? whole - {1'b0, p_i} : whole);
          done_o  <= 1'b1;
          state_q <= Idle;
        end
        default: state_q <= Idle;
      endcase
    end
  end

endmodule
