// SPDX-License-Identifier: Apache-2.0
//
// A multiplier as somebody else might write it: a whole row lhs * digit a clock, one digit of rhs
// per clock, R of one digit more than the modulus has, the result reduced below the modulus.

module digit_toy #(
  parameter int BITS = 64,
  parameter int D    = 16
) (
  input wire logic            clock,
  input wire logic            areset,

  input wire logic            req_valid,
  output     logic            req_ready,
  input wire logic [BITS:0]   lhs,
  input wire logic [BITS+D-1:0] rhs,

  output     logic            rsp_valid,
  input wire logic            rsp_ready,
  output     logic [BITS-1:0] rsp,

  input wire logic [BITS-1:0] modulus,
  input wire logic [D-1:0]    minus_inverse
);

  localparam int W = BITS + 2*D + 4;
  localparam logic [15:0] ROUNDS = 16'(BITS / D + 1);

  enum logic [1:0] {WAITING, ROWS, REDUCING, OFFERING} phase;
  logic [15:0]       rounds;
  logic [BITS:0]     x;
  logic [BITS+D-1:0] y;
  logic [W-1:0]      acc, row;
  logic [D-1:0]      factor;
  // verilator lint_off UNUSEDSIGNAL
  // Watched from outside, by name.
  logic [D-1:0]      dbg_digit, dbg_kept;
  logic              dbg_strobe, dbg_loaded;
  // verilator lint_on UNUSEDSIGNAL

  assign row    = acc + W'(x) * W'(y[D-1:0]);
  assign factor = row[D-1:0] * minus_inverse;

  assign req_ready  = phase == WAITING;
  assign rsp_valid  = phase == OFFERING;
  assign rsp        = acc[BITS-1:0];
  assign dbg_strobe = phase == ROWS;
  assign dbg_digit  = factor;
  assign dbg_loaded = phase == ROWS;

  always_ff @(posedge clock or posedge areset)
    if (areset) phase <= WAITING;
    else case (phase)
      WAITING: if (req_valid) begin
        phase  <= ROWS;
        rounds <= ROUNDS;
        x      <= lhs;
        y      <= rhs;
        acc    <= '0;
      end
      ROWS: begin
        acc      <= (row + W'(factor) * W'(modulus)) >> D;
        y        <= y >> D;
        rounds   <= rounds - 1;
        dbg_kept <= factor;
        if (rounds == 1) phase <= REDUCING;
      end
      REDUCING:
        if (acc >= W'(modulus)) acc <= acc - W'(modulus);
        else phase <= OFFERING;
      default: if (rsp_ready) phase <= WAITING;
    endcase

endmodule
