// SPDX-License-Identifier: Apache-2.0
// A field multiplier whose modulus is in a package, and whose reduction is in an included source.
`include "macros.sv"
module field_mul
  import field_pkg::*;
(
    input  wire logic  clk,
    input  wire logic  rst_b,
    input  wire logic  start_b,
    input  wire elem_t din_x,
    input  wire elem_t din_y,
    output logic       done_b,
    output elem_t      dout
);
  elem_t x, y;
  logic busy;
  always @(posedge clk or negedge rst_b)
    if (~rst_b) begin
      busy <= 1'b0;
      done_b <= 1'b1;
    end else begin
      busy <= ~start_b;
      done_b <= ~busy;
      if (~start_b) begin
        x <= din_x;
        y <= din_y;
      end
      if (busy) dout <= `REDUCED(x, y);
    end
endmodule
