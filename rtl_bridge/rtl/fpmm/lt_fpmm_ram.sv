// SPDX-License-Identifier: Apache-2.0
//
// Operand words: one write port, one read port with a register that can be cleared instead. No
// word is read in the cycle in which it is written.

`default_nettype none

module lt_fpmm_ram #(
  parameter int Width = 34,
  parameter int AddrW = 4,
  parameter int Dram  = 1  // distributed RAM, else block RAM; the cycles are the same
) (
  input wire logic             clk_i,
  input wire logic             wr_en_i,
  input wire logic [AddrW-1:0] wr_addr_i,
  input wire logic [Width-1:0] wr_data_i,
  input wire logic             rd_en_i,  // low: the register becomes 0
  input wire logic [AddrW-1:0] rd_addr_i,
  output     logic [Width-1:0] rd_data_o
);

  logic [Width-1:0] rd_data_q;

  generate
  if (Dram != 0) begin : gen_distributed
    (* ram_style = "distributed" *) logic [Width-1:0] mem [2**AddrW];

    always_ff @(posedge clk_i) begin
      if (wr_en_i) mem[wr_addr_i] <= wr_data_i;
    end

    always_ff @(posedge clk_i) begin
      rd_data_q <= rd_en_i ? mem[rd_addr_i] : '0;
    end
  end else begin : gen_block
    (* ram_style = "block" *) logic [Width-1:0] mem [2**AddrW];

    always_ff @(posedge clk_i) begin
      if (wr_en_i) mem[wr_addr_i] <= wr_data_i;
    end

    always_ff @(posedge clk_i) begin
      rd_data_q <= rd_en_i ? mem[rd_addr_i] : '0;
    end
  end
  endgenerate

  assign rd_data_o = rd_data_q;

endmodule

`default_nettype wire
