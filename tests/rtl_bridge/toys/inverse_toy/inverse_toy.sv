// SPDX-License-Identifier: Apache-2.0
// (u + v) / 2 and (u - v) * w / 2 mod p in three stages, one butterfly in each cycle.

module inverse_toy #(
    parameter int W = 12
) (
    input wire logic         clk_i,
    input wire logic         rst_ni,
    input wire logic         valid_i,
    input wire logic [W-1:0] u_i,
    input wire logic [W-1:0] v_i,
    input wire logic [W-1:0] w_i,
    input wire logic [W-1:0] p_i,
    output     logic         valid_o,
    output     logic [W-1:0] even_o,
    output     logic [W-1:0] odd_o
);

  logic           valid_1, valid_2;
  logic [W-1:0]   x_1, x_2, y_1, w_1;
  logic [2*W-1:0] t_2;

  logic [W:0]   sum, difference;
  logic [W-1:0] remainder;

  assign sum        = {1'b0, u_i} + {1'b0, v_i};
  assign difference = {1'b0, u_i} - {1'b0, v_i};
  assign remainder  = W'(t_2 % (2 * W)'(p_i));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_1, valid_2, valid_o} <= '0;
    else {valid_1, valid_2, valid_o} <= {valid_i, valid_1, valid_2};
  end

  always_ff @(posedge clk_i) begin
    x_1    <= W'(sum >= {1'b0, p_i} ? sum - {1'b0, p_i} : sum);
    y_1    <= W'(difference[W] ? difference + {1'b0, p_i} : difference);
    w_1    <= w_i;
    x_2    <= x_1;
    t_2    <= (2 * W)'(y_1) * (2 * W)'(w_1);
    even_o <= W'(({1'b0, x_2} + (x_2[0] ? {1'b0, p_i} : '0)) >> 1);
    odd_o  <= W'(({1'b0, remainder} + (remainder[0] ? {1'b0, p_i} : '0)) >> 1);
  end

endmodule
