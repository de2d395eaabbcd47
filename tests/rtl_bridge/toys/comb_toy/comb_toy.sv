// SPDX-License-Identifier: Apache-2.0
// x * y mod p without a register.

module comb_toy #(
    parameter int W = 16
) (
    input wire logic [W-1:0] x_i,
    input wire logic [W-1:0] y_i,
    input wire logic [W-1:0] p_i,
    output     logic [W-1:0] z_o
);

  logic [W+1:0] sum;

  always_comb begin
    sum = '0;
    for (int k = W - 1; k >= 0; k--) begin
      sum = (sum << 1) + (y_i[k] ? (W + 2)'(x_i) : '0);
      if (sum >= (W + 2)'(p_i)) sum = sum - (W + 2)'(p_i);
      if (sum >= (W + 2)'(p_i)) sum = sum - (W + 2)'(p_i);
    end
  end

  assign z_o = sum[W-1:0];

endmodule
