// SPDX-License-Identifier: Apache-2.0
// A power as products of squares, one for each bit of the exponent, which is never negative.
(* techmap_celltype = "$pow" *)
module lt_pow (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;

  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  parameter _TECHMAP_CONSTMSK_B_ = 0;
  parameter _TECHMAP_CONSTVAL_B_ = 0;

  wire _TECHMAP_FAIL_ = (B_SIGNED != 0) &&
      !(_TECHMAP_CONSTMSK_B_[B_WIDTH-1] && !_TECHMAP_CONSTVAL_B_[B_WIDTH-1]);

  wire [Y_WIDTH*(B_WIDTH+1)-1:0] squares, products;

  assign squares[Y_WIDTH-1:0]  = {{Y_WIDTH{(A_SIGNED != 0) & A[A_WIDTH-1]}}, A};
  assign products[Y_WIDTH-1:0] = 1;

  genvar k;
  generate
    for (k = 0; k < B_WIDTH; k = k + 1) begin : g_bits
      wire [Y_WIDTH-1:0] square  = squares[Y_WIDTH*k +: Y_WIDTH];
      wire [Y_WIDTH-1:0] product = products[Y_WIDTH*k +: Y_WIDTH];
      assign squares[Y_WIDTH*(k+1) +: Y_WIDTH]  = square * square;
      assign products[Y_WIDTH*(k+1) +: Y_WIDTH] = B[k] ? product * square : product;
    end
  endgenerate

  assign Y = products[Y_WIDTH*B_WIDTH +: Y_WIDTH];
endmodule
