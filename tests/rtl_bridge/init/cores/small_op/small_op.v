// SPDX-License-Identifier: Apache-2.0
// one result a cycle after its operands
module small_op #(parameter W = 16) (
    input              clk,
    input              en,
    input      [W-1:0] a,
    input      [W-1:0] b,
    input      [W-1:0] p,
    output reg [W-1:0] y,
    output reg         vld
);
    wire [W:0] t = a + b;
    wire [W:0] z = t >= p ? t - p : t;
    always @(posedge clk) begin
        y <= z[W-1:0];
        vld <= en;
    end
endmodule
