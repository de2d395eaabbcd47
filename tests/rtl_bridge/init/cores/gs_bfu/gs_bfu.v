// SPDX-License-Identifier: Apache-2.0
// Gentleman-Sande butterfly of the inverse transform of ML-DSA: three stages, results halved.
module gs_bfu #(parameter DW = 23) (
    input               i_clk,
    input               i_rst_n,
    input               valid_in,
    input      [DW-1:0] u,
    input      [DW-1:0] t,
    input      [DW-1:0] omega,
    output reg [DW-1:0] lower,
    output reg [DW-1:0] upper,
    output reg          valid_out
);
    localparam [DW-1:0] MODULUS = 8380417;
    function [DW-1:0] half;
        input [DW-1:0] v;
        half = v[0] ? (v >> 1) + ((MODULUS + 1) >> 1) : v >> 1;
    endfunction
    reg v1, v2;
    reg [DW-1:0] s1, d1, w1, s2;
    reg [2*DW-1:0] p2;
    wire [DW:0] sum = u + t;
    always @(posedge i_clk or negedge i_rst_n)
        if (!i_rst_n) {v1, v2, valid_out} <= 3'b0;
        else          {v1, v2, valid_out} <= {valid_in, v1, v2};
    always @(posedge i_clk) begin
        s1 <= (sum >= MODULUS) ? sum - MODULUS : sum;
        d1 <= (u >= t) ? u - t : u + MODULUS - t;
        w1 <= omega;
        s2 <= s1;
        p2 <= d1 * w1;
        upper <= half(s2);
        lower <= half(p2 % MODULUS);
    end
endmodule
