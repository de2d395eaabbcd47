// SPDX-License-Identifier: Apache-2.0
//
// N x N multiplication in eight cycles: two stages of four (section III.B of the SIDH paper).
//
// A half of each operand comes in every cycle, in the order LL, LH, HL, HH of (x, y). Stage 1 makes
// the product of two halves: in its cycle 1 all products of pieces of N/Split bits, in cycle 2 the
// two lowest pieces of the sum and the sums of the other columns, in cycle 3 those of the even and
// of the odd columns, in cycle 4 the sum of both. Stage 2 adds the four products up, from low to
// high, with one adder of N bits; first_i goes with LL.
//
// With LL in cycle c, low_o has bits [0, N) of the product in cycle c + 7, lo_o keeps them from
// c + 8 on, and high_o has bits [N, 2N) in cycle c + 8.

`default_nettype none

module lt_hffm_mul #(
  parameter int N     = 222,
  parameter int Split = 6,
  localparam int H = N / 2
) (
  input  logic         clk_i,
  input  logic         first_i,
  input  logic         last_i,   // goes with HH
  input  logic [H-1:0] x_i,
  input  logic [H-1:0] y_i,
  output logic [N-1:0] low_o,
  output logic [N-1:0] lo_o,
  output logic [N-1:0] high_o
);

  localparam int M    = Split / 2;      // pieces of a half
  localparam int W    = N / Split;      // bits of a piece
  localparam int PW   = 2 * W;          // bits of a product of two
  localparam int CW   = PW + 2;         // bits of the sum of a column
  localparam int Cols = 2 * M - 3;      // columns above the two lowest
  localparam int TopW = N - PW;         // bits of a product of halves above the two lowest pieces

  logic [4:1] first_q;  // LL is in that cycle, counted as x_i is in cycle 0
  logic [4:1] last_q;

  always_ff @(posedge clk_i) begin
    first_q <= {first_q[3:1], first_i};
    last_q  <= {last_q[3:1], last_i};
  end

  /////////////
  // Stage 1 //
  /////////////

  // Cycle 1: piece i of x times piece j of y.
  logic [M*M*PW-1:0] pp_q;

  for (genvar i = 0; i < M; i++) begin : gen_row
    for (genvar j = 0; j < M; j++) begin : gen_product
      always_ff @(posedge clk_i) begin
        pp_q[(M*i+j)*PW+:PW] <= PW'(x_i[i*W+:W]) * PW'(y_i[j*W+:W]);
      end
    end
  end

  // Cycle 2: columns 0 and 1, whose two low pieces are final, and the sum of every other column.
  logic [PW+W:0]      bottom;
  logic [PW-1:0]      bottom_q;
  logic [W:0]         carry_q;
  logic [Cols*CW-1:0] cols_d, cols_q;

  assign bottom = (PW+W+1)'(pp_q[0+:PW]) +
                  {(PW + 1)'(pp_q[PW+:PW]) + (PW + 1)'(pp_q[M*PW+:PW]), W'(0)};

  always_comb begin
    cols_d = '0;
    for (int i = 0; i < M; i++) begin
      for (int j = 0; j < M; j++) begin
        if (i + j >= 2) begin
          cols_d[(i+j-2)*CW+:CW] = cols_d[(i+j-2)*CW+:CW] + CW'(pp_q[(M*i+j)*PW+:PW]);
        end
      end
    end
  end

  // Cycle 3: the even columns with the carry, the odd columns.
  logic [TopW-1:0] even_d, odd_d, even_q, odd_q;
  logic [PW-1:0]   bottom2_q;

  always_comb begin
    even_d = TopW'(carry_q);
    odd_d  = '0;
    for (int d = 0; d < Cols; d++) begin
      if (d % 2 == 0) even_d = even_d + (TopW'(cols_q[d*CW+:CW]) << (d * W));
      else odd_d = odd_d + (TopW'(cols_q[d*CW+:CW]) << (d * W));
    end
  end

  // Cycle 4: the product of the two halves.
  logic [N-1:0] xy_q;

  always_ff @(posedge clk_i) begin
    {carry_q, bottom_q} <= bottom;
    cols_q              <= cols_d;
    even_q              <= even_d;
    odd_q               <= odd_d;
    bottom2_q           <= bottom_q;
    xy_q                <= {even_q + odd_q, bottom2_q};
  end

  /////////////
  // Stage 2 //
  /////////////

  logic [N:0]   acc_q;  // HL may carry out
  logic [H-1:0] lo0_q;  // bits [0, H), final with LL
  logic [N-1:0] lo_q;
  logic [N:0]   acc_d;

  assign acc_d = (first_q[4] ? (N + 1)'(0) : last_q[4] ? (N + 1)'(acc_q[N:H]) : acc_q) +
                 (first_q[4] ? (N + 1)'(xy_q[N-1:H]) : (N + 1)'(xy_q));

  always_ff @(posedge clk_i) begin
    acc_q <= acc_d;
    if (first_q[4]) lo0_q <= xy_q[H-1:0];
    if (last_q[4]) lo_q <= low_o;
  end

  assign low_o  = {acc_q[H-1:0], lo0_q};
  assign lo_o   = lo_q;
  assign high_o = acc_q[N-1:0];

endmodule

`default_nettype wire
