// SPDX-License-Identifier: Apache-2.0
// A part select of Yosys whose bits beyond the vector are unknown, each use and cycle anew.
(* techmap_celltype = "$shiftx" *)
module lt_shiftx (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;

  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  wire [Y_WIDTH-1:0] any, selected, inside;

  \$anyseq #(.WIDTH(Y_WIDTH)) u_any (.Y(any));
  \$shift #(
    .A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)
  ) u_selected (.A(A), .B(B), .Y(selected));
  \$shift #(
    .A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH)
  ) u_inside (.A({A_WIDTH{1'b1}}), .B(B), .Y(inside));

  assign Y = (selected & inside) | (any & ~inside);
endmodule
