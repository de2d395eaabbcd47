// SPDX-License-Identifier: Apache-2.0
//
// A memory that the core reads: the word at an address, in the same cycle or in the next one. A
// word that is read late stays until the next read. Addresses beyond the memory hold ones.

`default_nettype none

module lt_fetch #(
  parameter int Depth   = 1,  // words
  parameter int DataW   = 1,
  parameter int AddrW   = 1,
  parameter int Latency = 1   // 0: the word comes in the cycle of its address
) (
  // verilator lint_off UNUSEDSIGNAL
  // Not with a latency of 0.
  input wire logic                   clk_i,
  input wire logic                   enable_i,
  // verilator lint_on UNUSEDSIGNAL
  input wire logic [Depth*DataW-1:0] image_i,  // word 0 in the low bits
  input wire logic [AddrW-1:0]       address_i,
  output     logic [DataW-1:0]       data_o
);

  logic [DataW-1:0] word;

  assign word = (32'(address_i) < 32'(Depth)) ? image_i[32'(address_i)*DataW +: DataW] : '1;

  generate
  if (Latency == 0) begin : g_same
    assign data_o = word;
  end else begin : g_next
    logic [DataW-1:0] word_q;
    always_ff @(posedge clk_i) if (enable_i) word_q <= word;
    assign data_o = word_q;
  end
  endgenerate

endmodule

`default_nettype wire
