// SPDX-License-Identifier: Apache-2.0
//
// Barrett's reduction of an integer x in every cycle, with registers behind both products, behind
// the difference and behind each correction: 3 + Corrections cycles.
//
// Sources: P. Barrett, CRYPTO '86; Handbook of Applied Cryptography, Algorithm 14.42; alpha and
// beta of J.-F. Dhem, UCL 1998. With Dropped = N + beta and Shift = alpha - beta:
//
//     qhat = ((x >> Dropped) * mu) >> Shift,     mu = floor(2^(N + alpha) / p)
//     rhat = x - qhat*p, of which Width low bits are all of it, and p is subtracted while it fits
//
// p has exactly N bits, and XW is the width of x. Corrections subtractions have to suffice: with
// Alpha = XW - N + 1 or more and Dropped = N - 2 or less one does. rhat is below
// (Corrections + 1)*p then, for which Width = N + 1 is enough with one correction, N + 2 with two
// or three. p_i and mu_i must not change while an x is on its way.

`default_nettype none

module lt_barrett_stages #(
  parameter int N           = 16,      // bits of p
  parameter int XW          = 2 * N,   // bits of x
  parameter int Alpha       = N + 3,   // bits of mu beyond those of p
  parameter int Dropped     = N - 2,   // low bits of x that the estimate is made without
  parameter int Width       = N + 1,   // bits of rhat, at most XW
  parameter int Corrections = 1        // subtractions of p, at least 1
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             valid_i,
  input wire logic [XW-1:0]    x_i,
  input wire logic [N-1:0]     p_i,
  input wire logic [Alpha+1:0] mu_i,

  output     logic             valid_o,
  output     logic [N-1:0]     r_o
);

  localparam int Shift     = Alpha + N - Dropped;
  localparam int ProductW  = XW - Dropped + Alpha + 2;
  localparam int QuotientW = (XW - N + 1 < Width) ? XW - N + 1 : Width;  // more are 0 or of no use

  logic [ProductW-1:0]    y;
  logic                   unused_y;  // other bits than those of qhat
  logic [QuotientW-1:0]   qhat_q;
  logic [Width-1:0]       low_q, product_q, delayed_q, rhat_q;
  logic [Corrections+2:0] valid_q;

  always_comb y = ProductW'(x_i[XW-1:Dropped]) * ProductW'(mu_i);
  assign unused_y = ^y;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q <= {valid_q[Corrections+1:0], valid_i};
    end
  end

  always_ff @(posedge clk_i) begin
    qhat_q    <= y[Shift+:QuotientW];
    low_q     <= x_i[Width-1:0];
    product_q <= Width'(qhat_q) * Width'(p_i);
    delayed_q <= low_q;
    rhat_q    <= delayed_q - product_q;
  end

  logic [Corrections:0][Width-1:0] rests;  // after each correction

  assign rests[0] = rhat_q;

  genvar i;
  generate
  for (i = 1; i <= Corrections; i = i + 1) begin : gen_correct
    localparam int RestW = (i == Corrections) ? N : Width;

    logic [Width:0]   difference;  // its top bit is a borrow
    logic [RestW-1:0] rest_q;

    assign difference = {1'b0, rests[i-1]} - {1'b0, Width'(p_i)};

    always_ff @(posedge clk_i) begin
      rest_q <= difference[Width] ? RestW'(rests[i-1]) : RestW'(difference);
    end

    assign rests[i] = Width'(rest_q);
  end
  endgenerate

  assign valid_o = valid_q[Corrections+2];
  assign r_o     = N'(rests[Corrections]);

`ifndef SYNTHESIS
  initial begin
    assert (N >= 2 && Alpha >= 0 && Dropped >= 0 && Dropped < XW && Shift >= 0 && Width >= N
            && Width <= XW && Corrections >= 1)
      else $fatal(1, "no reduction has these parameters");
  end

  always @(posedge clk_i) begin
    if (rst_ni && valid_q[Corrections+1]) begin
      assert ((Width + 1)'(rests[Corrections-1]) < (Width + 1)'({p_i, 1'b0}))
        else $error("%0d corrections do not suffice", Corrections);
    end
  end
`endif

endmodule

`default_nettype wire
