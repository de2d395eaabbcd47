// SPDX-License-Identifier: Apache-2.0
// a * b mod m of four words of 16 bits. The core reads a and b out of one memory, which answers in
// the next cycle and has a with its low word first and b with its high word first; it reads m out
// of a table that answers at once, and writes the high word of the result first.

module fetch_toy (
    input wire logic        clk_i,
    input wire logic        rst_i,
    input wire logic        start_i,
    output     logic        busy_o,
    output     logic        done_o,
    output     logic        rd_o,
    output     logic [2:0]  addr_o,
    input wire logic [15:0] data_i,
    output     logic [1:0]  m_addr_o,
    input wire logic [15:0] m_i,
    output     logic        z_we_o,
    output     logic [1:0]  z_addr_o,
    output     logic [15:0] z_o
);

  logic [63:0] a_q, b_q, m_q;
  logic [65:0] r_q, sum, once, twice;
  logic [7:0]  at_q;  // 0: nothing to do; 1 to 9: reads; 10 to 73: bits of b; 74 to 77: writes

  assign busy_o   = at_q != 0;
  assign rd_o     = at_q >= 1 && at_q <= 8;
  assign addr_o   = 3'(at_q - 8'd1);
  assign m_addr_o = 2'(at_q - 8'd1);
  assign z_we_o   = at_q >= 74;
  assign z_addr_o = 2'(at_q - 8'd74);
  assign z_o      = 16'(r_q >> (16 * (77 - at_q)));

  assign sum   = {r_q[64:0], 1'b0} + (b_q[63] ? {2'b00, a_q} : 66'd0);
  assign once  = sum >= {2'b00, m_q} ? sum - {2'b00, m_q} : sum;
  assign twice = once >= {2'b00, m_q} ? once - {2'b00, m_q} : once;

  always_ff @(posedge clk_i) begin
    done_o <= !rst_i && at_q == 76;
    if (rst_i) at_q <= '0;
    else if (at_q == 0) at_q <= {7'd0, start_i};
    else if (at_q == 77) at_q <= '0;
    else at_q <= at_q + 8'd1;
    if (at_q >= 2 && at_q <= 5) a_q <= {data_i, a_q[63:16]};
    if (at_q >= 6 && at_q <= 9) b_q <= {b_q[47:0], data_i};
    if (at_q >= 1 && at_q <= 4) m_q <= {m_i, m_q[63:16]};
    if (at_q == 9) r_q <= '0;
    else if (at_q >= 10 && at_q <= 73) begin
      r_q <= twice;
      b_q <= b_q << 1;
    end
  end

endmodule
