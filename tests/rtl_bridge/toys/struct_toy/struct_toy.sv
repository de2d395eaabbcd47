// SPDX-License-Identifier: Apache-2.0
// a * b mod p in one clock, behind structs, arrays and slices. The words of b come in order, those
// of the result with the high one first.

package struct_toy_pkg;
  typedef struct packed {
    logic        valid;
    logic [63:0] a;
  } req_t;
  typedef struct packed {
    logic ready;
    logic valid;
  } rsp_t;
endpackage

module struct_toy
  import struct_toy_pkg::*;
(
    input wire logic [1:0]  clks_i,
    input wire logic        rst_ni,
    input  req_t        req_i,
    input wire logic [15:0] b_i [0:3],
    input wire logic [71:0] cfg_i,
    input wire logic        hold_i,
    output rsp_t        rsp_o,
    output     logic [31:0] z_o [0:1]
);

  logic         valid_q;
  logic [63:0]  z_q, b;
  logic [127:0] product;

  assign b         = {b_i[3], b_i[2], b_i[1], b_i[0]};
  assign product   = 128'(req_i.a) * 128'(b);
  assign rsp_o     = {!valid_q || !hold_i, valid_q};
  assign z_o[0]    = z_q[63:32];
  assign z_o[1]    = z_q[31:0];

  always_ff @(posedge clks_i[1] or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
    end else if (rsp_o.ready) begin
      valid_q <= req_i.valid;
      z_q     <= 64'(product % 128'(cfg_i[71:8]));
      if (cfg_i[7:0] > 8'd64) z_q <= '0;
    end
  end

endmodule
