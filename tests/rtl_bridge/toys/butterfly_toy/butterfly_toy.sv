// SPDX-License-Identifier: Apache-2.0
// u + v * w and u - v * w mod p, without a register.

module butterfly_toy #(
    parameter int W = 12
) (
    input wire logic [W-1:0] u_i,
    input wire logic [W-1:0] v_i,
    input wire logic [W-1:0] w_i,
    input wire logic [W-1:0] p_i,
    output     logic [W-1:0] even_o,
    output     logic [W-1:0] odd_o
);

  logic [2*W-1:0] product;
  logic [W-1:0]   r;
  logic [W:0]     sum, difference;

  assign product    = (2 * W)'(v_i) * (2 * W)'(w_i);
  assign r          = W'(product % (2 * W)'(p_i));
  assign sum        = {1'b0, u_i} + {1'b0, r};
  assign difference = {1'b0, u_i} - {1'b0, r};
  assign even_o     = W'(sum >= {1'b0, p_i} ? sum - {1'b0, p_i} : sum);
  assign odd_o      = W'(difference[W] ? difference + {1'b0, p_i} : difference);

endmodule
