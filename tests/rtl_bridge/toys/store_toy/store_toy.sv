// SPDX-License-Identifier: Apache-2.0
// a * b mod p of up to four words of 16 bits, of which address 0 has the high one. The result is
// read through a register. `ready` is high while there is nothing to do, and so says that the core
// is done as well.

module store_toy (
    input wire logic        clk,
    input wire logic        rst_n,
    input wire logic        wr_n,
    input wire logic [1:0]  wr_bank,
    input wire logic [1:0]  wr_addr,
    input wire logic [15:0] wr_data,
    input wire logic [2:0]  words,
    input wire logic        go,
    output     logic        ready,
    input wire logic [1:0]  rd_addr,
    output     logic [15:0] rd_data
);

  logic [63:0] bank [0:2];
  logic [65:0] r_q, sum, once, twice, p;
  logic [6:0]  at_q;
  logic [1:0]  wr_place, rd_place;

  assign ready    = at_q == 0;
  assign wr_place = 2'(words - 3'd1 - 3'(wr_addr));
  assign rd_place = 2'(words - 3'd1 - 3'(rd_addr));
  assign p        = {2'b00, bank[2] & ~(~64'd0 << (7'd16 * 7'(words)))};
  assign sum      = {r_q[64:0], 1'b0} + ((at_q <= 7'd16 * 7'(words) && bank[1][6'(at_q - 7'd1)]) ?
                    {2'b00, bank[0] & ~(~64'd0 << (7'd16 * 7'(words)))} : 66'd0);
  assign once     = sum >= p ? sum - p : sum;
  assign twice    = once >= p ? once - p : once;

  always_ff @(posedge clk) begin
    rd_data <= 16'(r_q >> (16 * rd_place));
    if (!wr_n) bank[wr_bank][16*wr_place +: 16] <= wr_data;
    if (!rst_n) at_q <= '0;
    else if (ready && go) begin
      at_q <= 7'd64;
      r_q  <= '0;
    end else if (!ready) begin
      at_q <= at_q - 7'd1;
      r_q  <= twice;
    end
  end

endmodule
