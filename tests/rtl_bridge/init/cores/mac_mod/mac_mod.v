// SPDX-License-Identifier: Apache-2.0
// acc + a * b mod q, without a register
module mac_mod (
    input  [11:0] acc,
    input  [11:0] coef,
    input  [11:0] sample,
    input  [11:0] q,
    output [11:0] res
);
    wire [23:0] full = coef * sample + acc;
    assign res = full % q;
endmodule
