// SPDX-License-Identifier: Apache-2.0
// a * b mod p with a handshake on either side: a pipeline of three stages, which never stops, and
// a queue of four results behind it. Operands are taken while there is room for their result.

module queue_toy #(
  parameter int W = 16
) (
  input wire logic         clk,
  input wire logic         rst,
  input wire logic         in_valid,
  output     logic         in_ready,
  input wire logic [W-1:0] a,
  input wire logic [W-1:0] b,
  input wire logic [W-1:0] p,
  output     logic         out_valid,
  input wire logic         out_ready,
  output     logic [W-1:0] c
);

  logic [2:0]     valid_q;
  logic [W-1:0]   a_q, b_q, r_q;
  logic [2*W-1:0] product_q;
  logic [W-1:0]   queue_q [4];
  logic [1:0]     head_q, tail_q;
  logic [2:0]     count_q;  // results in the queue
  logic [2:0]     used_q;   // and those that are under way
  logic           take, give;

  assign in_ready  = used_q < 3'd4;
  assign take      = in_valid & in_ready;
  assign out_valid = count_q != 3'd0;
  assign give      = out_valid & out_ready;
  assign c         = queue_q[tail_q];

  always_ff @(posedge clk) begin
    if (take) begin
      a_q <= a;
      b_q <= b;
    end
    product_q <= a_q * b_q;
    r_q       <= W'(product_q % {{W{1'b0}}, p});
    if (valid_q[2]) queue_q[head_q] <= r_q;
    if (rst) begin
      valid_q <= '0;
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
      used_q  <= '0;
    end else begin
      valid_q <= {valid_q[1:0], take};
      head_q  <= head_q + 2'(valid_q[2]);
      tail_q  <= tail_q + 2'(give);
      count_q <= count_q + 3'(valid_q[2]) - 3'(give);
      used_q  <= used_q + 3'(take) - 3'(give);
    end
  end

endmodule
