// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplication, one digit of b a cycle: z = a*b / 2^(Radix*Digits) mod p.
//
// Source of the fault: Caliptra RTL, issue 183. The sum is below 2p, and the register that takes it
// at the end has the W bits of p alone.
//
// Ranges: W bits of p, p odd, a and b below p, Radix * Digits at least W + 2; Faulty = 0 gives the
// register one bit more.
//
// Cycles: start_i is taken while the core is idle; Digits + 1 edges later done_o is high for a
// cycle. The result stays until the next one.

`default_nettype none

module lt_caliptra_183_montgomery #(
  parameter int W      = 16,  // bits of the modulus
  parameter int Radix  = 4,   // bits of a digit
  parameter int Digits = 5,   // digits of b, with one of zeros
  parameter int Faulty = 1
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic             start_i,
  input wire logic [W-1:0]     a_i,
  input wire logic [W-1:0]     b_i,
  input wire logic [W-1:0]     p_i,
  input wire logic [Radix-1:0] p_prime_i,  // -p^-1 mod 2^Radix
  output     logic             done_o,
  output     logic [W-1:0]     z_o
);

  localparam int SumW   = W + Radix + 1;
  localparam int Kept   = Faulty != 0 ? W : W + 1;
  localparam int CountW = $clog2(Digits + 1);

  logic [W-1:0]      a_q, b_q;
  logic [W:0]        sum_q;  // below 2p
  logic [Kept-1:0]   p_internal_q;
  logic [CountW-1:0] left_q;
  logic              running_q;

  logic [SumW-1:0]  row, even;
  logic [Radix-1:0] quotient;
  logic [W:0]       internal;
  logic             unused_zeros;

  assign row      = SumW'(sum_q) + SumW'(a_q) * SumW'(b_q[Radix-1:0]);
  assign quotient = row[Radix-1:0] * p_prime_i;
  assign even     = row + SumW'(p_i) * SumW'(quotient);  // ends in a digit of zeros

  assign unused_zeros = ^even[Radix-1:0];

  assign internal = (W + 1)'(p_internal_q);
  assign z_o      = W'(internal >= (W + 1)'(p_i) ? internal - (W + 1)'(p_i) : internal);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      done_o    <= 1'b0;
    end else begin
      done_o <= 1'b0;
      if (!running_q) begin
        running_q <= start_i;
        a_q       <= a_i;
        b_q       <= b_i;
        sum_q     <= '0;
        left_q    <= CountW'(Digits);
      end else if (left_q != '0) begin
        b_q    <= b_q >> Radix;
        sum_q  <= even[SumW-1:Radix];
        left_q <= left_q - 1'b1;
      end else begin
        p_internal_q <= Kept'(sum_q);
        running_q    <= 1'b0;
        done_o       <= 1'b1;
      end
    end
  end

endmodule

`default_nettype wire
