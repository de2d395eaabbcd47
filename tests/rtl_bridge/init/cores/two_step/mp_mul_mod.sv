// SPDX-License-Identifier: Apache-2.0
// Multiply then reduce; the enable stays high while it works
module mp_mul_mod #(
  parameter BIT_LEN = 64, parameter WORD_LEN = 16,
  parameter NUM_ELEMENTS = BIT_LEN/WORD_LEN
) (
  input  logic clk, rst_n,
  input  logic enable,
  input  logic [NUM_ELEMENTS-1:0][WORD_LEN-1:0] A,
  input  logic [NUM_ELEMENTS-1:0][WORD_LEN-1:0] B,
  input  logic [NUM_ELEMENTS-1:0][WORD_LEN-1:0] Q,
  output logic data_ready,
  output logic [NUM_ELEMENTS-1:0][WORD_LEN-1:0] out);
  logic [2:0] st; logic [2*BIT_LEN-1:0] acc;
  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin st <= 0; data_ready <= 0; acc <= 0; end
    else if (!enable) begin st <= 0; data_ready <= 0; acc <= 0; end
    else begin
      st <= st < 5 ? st + 1 : st;
      if (st < 4) acc <= acc + ((A * B[st[1:0]]) << (16*st[1:0]));
      if (st == 4) begin out <= acc % Q; data_ready <= 1; end
    end
endmodule
