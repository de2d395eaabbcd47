// SPDX-License-Identifier: Apache-2.0
`timescale 1ns/1ps
`include "defines.vh"
// Word based Montgomery multiplier
module mont_cios #(
    parameter WORD = 16,
    parameter NUM_WORDS = 8,
    parameter TOTAL = WORD * NUM_WORDS
) (
    input                  clk,
    input                  rstn,
    input                  en,
    input      [TOTAL-1:0] opA,
    input      [TOTAL-1:0] opB,
    input      [TOTAL-1:0] opN,
    input      [WORD-1:0]  nInv,   // -n^-1 mod 2^WORD
    output reg             valid,
    output reg [TOTAL-1:0] out
);
  reg [TOTAL+WORD:0] t; reg [TOTAL-1:0] b; reg [7:0] i; reg [1:0] st;
  reg [TOTAL+WORD:0] u; reg [WORD-1:0] q;
  always @(posedge clk or negedge rstn)
    if (!rstn) begin st <= `ST_IDLE; valid <= 0; end
    else case (st)
      `ST_IDLE: begin valid <= 0; if (en) begin t <= 0; b <= opB; i <= 0; st <= `ST_RUN; end end
      `ST_RUN: begin
        u = t + opA * b[WORD-1:0];
        q = u[WORD-1:0] * nInv;
        u = u + opN * q;
        t <= u >> WORD; b <= b >> WORD; i <= i + 1;
        if (i == NUM_WORDS-1) st <= `ST_FIN;
      end
      default: begin out <= (t >= opN) ? t - opN : t; valid <= 1; st <= `ST_IDLE; end
    endcase
endmodule
