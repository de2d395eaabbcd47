// SPDX-License-Identifier: Apache-2.0
//
// Digits from columns: each is the low D bits of its column and what is above them in the one
// below. Nothing ripples. Combinational.

`default_nettype none

module lt_column_digits #(
  parameter int D  = 16,
  parameter int CW = 21,  // bits of a column
  parameter int N  = 17   // digits
) (
  input wire logic [(N+1)*CW-1:0] cols_i,   // the column below digit 0 in the low bits
  output     logic [N*(D+1)-1:0]  digits_o
);

  genvar i;
  generate
  for (i = 0; i < N; i++) begin : gen_digits
    assign digits_o[i*(D+1)+:D+1] = (D + 1)'(cols_i[(i+1)*CW+:D]) + (D + 1)'(cols_i[i*CW+D+:CW-D]);
  end
  endgenerate

  // The low bits of the lowest column and the high ones of the highest belong to other digits.
  logic unused_cols;
  assign unused_cols = ^{cols_i[D-1:0], cols_i[N*CW+D+:CW-D]};

endmodule

`default_nettype wire
