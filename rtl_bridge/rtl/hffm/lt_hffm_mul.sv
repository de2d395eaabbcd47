// SPDX-License-Identifier: Apache-2.0
//
// N x N multiplication in eight cycles: two stages of four (section III.B of the SIDH paper).
//
// A half of each operand comes in every cycle, in the order LL, LH, HL, HH of (x, y). Stage 1 makes
// the product of two halves, stage 2 adds the four products up, from low to high, with one adder of
// N bits; first_i goes with LL.
//
// Halves are cut into pieces of A + B bits, and the product of two pieces into four tiles of A x B
// bits around a square of A - B bits. A DSP block, 24 x 17 bits, holds a tile:
//
//         high y
//      +-----------+-----+     tile 0   x[0,A)   * y[0,B)    at bit 0
//      |     2     |  3  |     tile 1   x[A,A+B) * y[0,A)    at bit A
//      +-----+--+--+     |     tile 2   x[B,A+B) * y[A,A+B)  at bit A + B
//      |     |  |  |     |     tile 3   x[0,B)   * y[B,A+B)  at bit B
//      |  1  +--+--+-----+     square   x[B,A)   * y[B,A)    at bit 2*B, in LUTs
//      |     |     0     |
//      +-----+-----------+     With N/Split bits up to 37 a piece has as many, and the square 3 x 3
//      high x                  at most; with more, B = A = 17 and pieces do not end with those.
//
// Tiles at the same bit are added up by the blocks themselves, which have an adder and registers
// of their own. Cycle 1 makes tiles 0 and 1 and registers the halves for the others, cycle 2 adds
// tiles 0 and 1 up and makes tiles 2 and 3, cycle 3 adds those. Tiles 0 and 2 of all pieces are in
// the even sums, the others in the odd ones. Cycle 4 adds the sums, of which Rows neighbours
// overlap.
//
// With LL in cycle c, low_o has bits [0, N) of the product in cycle c + 7, lo_o keeps them from
// c + 8 on, and high_o has bits [N, 2N) in cycle c + 8.

`default_nettype none

module lt_hffm_mul #(
  parameter int N     = 222,
  parameter int Split = 6,
  // derived from the others, not to be set
  parameter int H = N / 2
) (
  input wire logic         clk_i,
  input wire logic         first_i,
  input wire logic         last_i,   // goes with HH
  input wire logic [H-1:0] x_i,
  input wire logic [H-1:0] y_i,
  output     logic [N-1:0] low_o,
  output     logic [N-1:0] lo_o,
  output     logic [N-1:0] high_o
);

  localparam int W    = N / Split;
  localparam int B    = (W > 34) ? 17 : (W > 1) ? W / 2 : 1;
  localparam int A    = (W > 37 || W - B < B) ? B : W - B;
  localparam int PW   = A + B;                   // bits of a piece, and of a tile
  localparam int K    = (H + PW - 1) / PW;       // pieces of a half
  localparam int Sums = 4 * K - 1;
  localparam int CW   = 2 * A + 1 + $clog2(K);   // bits of a sum
  localparam int Pair = (CW + PW - 1) / PW;
  localparam int Rows = (Pair * PW - A >= CW) ? 2 * Pair - 1 : 2 * Pair;

  logic [5:1] first_q;  // LL is in that cycle, counted as x_i is in cycle 0
  logic [4:1] last_q;

  always_ff @(posedge clk_i) begin
    first_q <= {first_q[4:1], first_i};
    last_q  <= {last_q[3:1], last_i};
  end

  /////////////
  // Stage 1 //
  /////////////

  logic [K*PW-1:0]     x, y;     // with zeros above
  logic [K*PW-1:0]     x_q;
  // verilator lint_off UNUSEDSIGNAL
  logic [K*PW-1:0]     y_q;      // tiles 2 and 3 do not have the low bits of a piece
  // verilator lint_on UNUSEDSIGNAL
  logic [K*K*4*PW-1:0] tile_q;   // tile t of pieces i and j
  logic [K*K*2*A-1:0]  square_q;

  assign x = (K * PW)'(x_i);
  assign y = (K * PW)'(y_i);

  always_ff @(posedge clk_i) begin
    x_q <= x;
    y_q <= y;
  end

  genvar xi, yi;
  generate
  for (xi = 0; xi < K; xi++) begin : gen_x
    for (yi = 0; yi < K; yi++) begin : gen_y
      localparam int T = (K * xi + yi) * 4 * PW;
      localparam int X = xi * PW;
      localparam int Y = yi * PW;

      always_ff @(posedge clk_i) begin
        tile_q[T+:PW]      <= PW'(x[X+:A]) * PW'(y[Y+:B]);
        tile_q[T+PW+:PW]   <= PW'(x[X+A+:B]) * PW'(y[Y+:A]);
        tile_q[T+2*PW+:PW] <= PW'(x_q[X+B+:A]) * PW'(y_q[Y+A+:B]);
        tile_q[T+3*PW+:PW] <= PW'(x_q[X+:B]) * PW'(y_q[Y+B+:A]);
      end

      if (A > B) begin : gen_square
        always_ff @(posedge clk_i) begin
          square_q[(K*xi+yi)*2*A+:2*A] <= (2 * A)'((2*(A-B))'(x[X+B+:A-B]) *
                                                 (2*(A-B))'(y[Y+B+:A-B])) << B;
        end
      end else begin : gen_none
        assign square_q[(K*xi+yi)*2*A+:2*A] = '0;
      end
    end
  end
  endgenerate

  logic [Sums*CW-1:0] early_d, early_q;  // without tiles 2 and 3
  logic [Sums*CW-1:0] sums_d, sums_q;

  always_comb begin
    early_d = '0;
    for (int i = 0; i < K; i++) begin
      for (int j = 0; j < K; j++) begin
        early_d[(2*(i+j)+1)*CW+:CW] = early_d[(2*(i+j)+1)*CW+:CW] +
                                      CW'(square_q[(K*i+j)*2*A+:2*A]);
      end
    end
    for (int i = 0; i < K; i++) begin
      for (int j = 0; j < K; j++) begin
        early_d[2*(i+j)*CW+:CW]     = early_d[2*(i+j)*CW+:CW] +
                                      CW'(tile_q[(K*i+j)*4*PW+:PW]);
        early_d[(2*(i+j)+1)*CW+:CW] = early_d[(2*(i+j)+1)*CW+:CW] +
                                      (CW'(tile_q[((K*i+j)*4+1)*PW+:PW]) << (A - B));
      end
    end
  end

  always_comb begin
    sums_d = early_q;
    for (int i = 0; i < K; i++) begin
      for (int j = 0; j < K; j++) begin
        sums_d[(2*(i+j)+2)*CW+:CW] = sums_d[(2*(i+j)+2)*CW+:CW] +
                                     CW'(tile_q[((K*i+j)*4+2)*PW+:PW]);
        sums_d[(2*(i+j)+1)*CW+:CW] = sums_d[(2*(i+j)+1)*CW+:CW] +
                                     CW'(tile_q[((K*i+j)*4+3)*PW+:PW]);
      end
    end
  end

  genvar si;
  generate
  for (si = 0; si < Sums; si++) begin : gen_sum
    always_ff @(posedge clk_i) begin
      early_q[si*CW+:CW] <= early_d[si*CW+:CW];
      sums_q[si*CW+:CW]  <= sums_d[si*CW+:CW];
    end
  end
  endgenerate

  // A row has every sum s with s % Rows = r, side by side.
  logic [N-1:0] row, xy, xy_q;

  always_comb begin
    xy = '0;
    for (int r = 0; r < Rows; r++) begin
      row = '0;
      for (int s = r; s < Sums; s += Rows) begin
        row = row | (N'(sums_q[s*CW+:CW]) << (s / 2 * PW + s % 2 * B));
      end
      xy = xy + row;
    end
  end

  always_ff @(posedge clk_i) begin
    xy_q <= xy;
  end

  /////////////
  // Stage 2 //
  /////////////

  logic [N:0]   acc_q;  // HL may carry out
  logic [H-1:0] lo0_q;  // bits [0, H), final with LL
  logic [N-1:0] lo_q;
  logic [N:0]   acc_d;

  assign acc_d = (first_q[4] ? (N + 1)'(0) :
                  (first_q[5] || last_q[4]) ? (N + 1)'(acc_q[N:H]) : acc_q) + (N + 1)'(xy_q);

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
