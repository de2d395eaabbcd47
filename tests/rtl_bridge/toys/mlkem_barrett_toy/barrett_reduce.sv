// SPDX-License-Identifier: Apache-2.0
// ML-KEM's signed Barrett reduction: the representative of any 16-bit number in [-1664, 1664].

module barrett_reduce #(
    // 1: a logical shift, 2: the estimate without its rounding, 3: sign extension forgotten,
    // 4: an unsigned comparison
    parameter int Faulty = 0
) (
    input  wire logic signed [15:0] a_i,
    output      logic signed [15:0] r_o
);

  localparam logic signed [15:0] Q = 16'sd3329;
  localparam logic signed [31:0] V = 32'sd20159;  // (2^26 + q / 2) / q
  localparam logic signed [31:0] Half = (Faulty == 2) ? 32'sd0 : 32'sd1 << 25;

  logic signed [31:0] wide, scaled, rest;
  logic signed [15:0] estimate;

  assign wide     = (Faulty == 3) ? $signed({16'd0, a_i}) : 32'(a_i);
  assign scaled   = V * wide + Half;
  assign estimate = (Faulty == 1) ? 16'($unsigned(scaled) >> 26) : 16'(scaled >>> 26);
  assign rest     = 32'(a_i) - 32'(estimate) * 32'(Q);
  assign r_o      = (Faulty == 4 && $unsigned(rest[15:0]) > 16'd1664) ? 16'(rest + 32'(Q))
                                                                      : rest[15:0];

endmodule
