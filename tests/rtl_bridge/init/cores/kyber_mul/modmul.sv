// SPDX-License-Identifier: Apache-2.0
module modmul #(parameter int Q = 3329) (
    input  wire logic        clk,
    input  wire logic [11:0] a,
    input  wire logic [11:0] b,
    output logic      [11:0] p
);
  logic [23:0] prod, prod_q;
  always_ff @(posedge clk) begin
    prod   <= a * b;
    prod_q <= prod;
    p      <= prod_q % Q;
  end
endmodule
