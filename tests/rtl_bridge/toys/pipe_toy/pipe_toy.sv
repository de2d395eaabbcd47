// SPDX-License-Identifier: Apache-2.0
// a * b mod p, one bit of b in each of N stages; a valid bit travels along. There is no reset:
// nothing is valid when the power comes.

module pipe_toy #(
    parameter int N = 8
) (
    input wire logic         clk,
    input wire logic         valid_in,
    input wire logic [N-1:0] a,
    input wire logic [N-1:0] b,
    input wire logic [N-1:0] p,
    output     logic         valid_out,
    output     logic [N-1:0] c
);

  logic [N:0] valid;

  assign valid[0]  = valid_in;
  assign valid_out = valid[N];

  for (genvar k = 0; k < N; k++) begin : stage
    logic         valid_q = 1'b0;
    logic [N-1:0] a_q, b_q, r_q;
    logic [N-1:0] x, y, r;
    logic [N+1:0] sum, once, twice;

    if (k == 0) begin : first
      assign x = a;
      assign y = b;
      assign r = '0;
    end else begin : next
      assign x = stage[k-1].a_q;
      assign y = stage[k-1].b_q;
      assign r = stage[k-1].r_q;
    end

    assign sum   = {1'b0, r, 1'b0} + (y[N-1] ? {2'b00, x} : '0);
    assign once  = sum >= {2'b00, p} ? sum - {2'b00, p} : sum;
    assign twice = once >= {2'b00, p} ? once - {2'b00, p} : once;

    always_ff @(posedge clk) begin
      valid_q <= valid[k];
      a_q     <= x;
      b_q     <= y << 1;
      r_q     <= twice[N-1:0];
    end
    assign valid[k+1] = valid_q;
  end

  assign c = stage[N-1].r_q;

endmodule
