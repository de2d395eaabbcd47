// SPDX-License-Identifier: Apache-2.0
//
// Columns Lo-1..Hi of a product of redundant digits: every product of two digits is cut into three
// pieces of D bits, which are summed by weight. Only pairs of digits that reach these columns are
// multiplied. Combinational.

`default_nettype none

module lt_digit_columns #(
  parameter int D  = 16,  // bits of the radix
  parameter int NA = 9,   // digits of A, which have D+1 bits
  parameter int NB = 9,   // digits of B
  parameter int BW = 17,  // and their bits, D or D+1
  parameter int Lo = 0,
  parameter int Hi = 16,
  parameter int CW = 21,  // bits of a column
  // derived from the others, not to be set
  parameter int AW   = D + 1,
  parameter int Cols = Hi - Lo + 2
) (
  input wire logic [NA*AW-1:0]   a_i,
  input wire logic [NB*BW-1:0]   b_i,
  output     logic [Cols*CW-1:0] cols_o  // column Lo-1 in the low bits
);

  localparam int PW = 3 * D;  // a product with room above

  logic [PW-1:0] product;

  always_comb begin
    cols_o  = '0;
    product = '0;
    for (int i = 0; i < NA; i++) begin
      for (int j = 0; j < NB; j++) begin
        if (i + j >= Lo - 3 && i + j <= Hi) begin
          product = PW'(a_i[i*AW+:AW]) * PW'(b_i[j*BW+:BW]);
          for (int c = 0; c < 3; c++) begin
            if (i + j + c >= Lo - 1 && i + j + c <= Hi) begin
              cols_o[(i+j+c-Lo+1)*CW+:CW] = cols_o[(i+j+c-Lo+1)*CW+:CW] + CW'(product[c*D+:D]);
            end
          end
        end
      end
    end
  end

endmodule

`default_nettype wire
