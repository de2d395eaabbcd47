// SPDX-License-Identifier: Apache-2.0
//
// The last step of a low-latency Montgomery multiplication: the high halves of T and S and what
// their low halves carry. Combinational.
//
// The low halves together are worth carry * R. The digits below K-1 of both are worth less than
// four of digit K-1, which is therefore enough to tell the carry.

`default_nettype none

module lt_lowlat_high #(
  parameter int D = 16,  // bits of the radix
  parameter int K = 8,   // digits of R
  // derived from the others, not to be set
  parameter int DW    = D + 1,
  parameter int EW    = D + 2,
  parameter int Above = K + 2
) (
  input wire logic [Above*DW-1:0] t_i,      // T, digits K-1..2K
  input wire logic [Above*DW-1:0] s_i,      // S, digits K-1..2K
  output     logic [1:0]          carry_o,  // (T0 + S0) / R
  output     logic [(K+1)*EW-1:0] e_o,      // E
  output     logic [(K+1)*DW-1:0] z_o
);

  logic [EW-1:0] border;  // digits K-1 of T and S, and what those below can be worth at most

  assign border  = EW'(t_i[DW-1:0]) + EW'(s_i[DW-1:0]) + EW'(3);
  assign carry_o = border[EW-1:D];

  genvar i;
  generate
  for (i = 0; i <= K; i++) begin : gen_high
    logic [EW-1:0] sum;

    assign sum = EW'(t_i[(i+1)*DW+:DW]) + EW'(s_i[(i+1)*DW+:DW]);
    if (i == 0) begin : gen_lowest
      assign e_o[i*EW+:EW] = sum + EW'(carry_o);
      assign z_o[i*DW+:DW] = DW'(e_o[i*EW+:D]);
    end else begin : gen_others
      assign e_o[i*EW+:EW] = sum;
      assign z_o[i*DW+:DW] = DW'(e_o[i*EW+:D]) + DW'(e_o[(i-1)*EW+D+:2]);
    end
  end
  endgenerate

  logic unused_high;
  assign unused_high = ^{e_o[K*EW+D+:2], border[D-1:0]};

endmodule

`default_nettype wire
