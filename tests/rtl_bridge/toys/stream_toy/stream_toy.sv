// SPDX-License-Identifier: Apache-2.0
// a * b mod p: a packet of four words of a and four of b, low words first, a packet of one word
// with the modulus, and a packet with the result, high word first.

module stream_toy (
    input wire logic        aclk,
    input wire logic        aresetn,
    input wire logic        s_axis_tvalid,
    output     logic        s_axis_tready,
    input wire logic [15:0] s_axis_tdata,
    input wire logic        s_axis_tlast,
    input wire logic [1:0]  s_axis_tkeep,
    input wire logic        s_axis_mod_tvalid,
    output     logic        s_axis_mod_tready,
    input wire logic [63:0] s_axis_mod_tdata,
    output     logic        m_axis_tvalid,
    input wire logic        m_axis_tready,
    output     logic [15:0] m_axis_tdata,
    output     logic        m_axis_tlast
);

  logic [127:0] ab_q;
  logic [63:0]  p_q;
  logic [65:0]  r_q, sum, once, twice;
  logic         full_q, has_p_q;
  logic [6:0]   at_q;
  logic [1:0]   out_q;

  assign s_axis_tready     = !full_q;
  assign s_axis_mod_tready = !has_p_q;
  assign m_axis_tvalid     = full_q && has_p_q && at_q == 64;
  assign m_axis_tdata      = 16'(r_q >> (16 * (3 - out_q)));
  assign m_axis_tlast      = out_q == 3;

  assign sum   = {r_q[64:0], 1'b0} + (ab_q[127] ? {2'b00, ab_q[63:0]} : 66'd0);
  assign once  = sum >= {2'b00, p_q} ? sum - {2'b00, p_q} : sum;
  assign twice = once >= {2'b00, p_q} ? once - {2'b00, p_q} : once;

  always_ff @(posedge aclk) begin
    if (!aresetn) begin
      full_q  <= 1'b0;
      has_p_q <= 1'b0;
      at_q    <= '0;
      out_q   <= '0;
      r_q     <= '0;
    end else begin
      if (s_axis_tvalid && s_axis_tready) begin
        ab_q   <= {s_axis_tdata, ab_q[127:16]};
        full_q <= s_axis_tlast && (&s_axis_tkeep);
      end
      if (s_axis_mod_tvalid && s_axis_mod_tready) begin
        p_q     <= s_axis_mod_tdata;
        has_p_q <= 1'b1;
      end
      if (full_q && has_p_q && at_q != 64) begin
        r_q           <= twice;
        ab_q[127:64]  <= ab_q[127:64] << 1;
        at_q          <= at_q + 7'd1;
      end
      if (m_axis_tvalid && m_axis_tready) begin
        out_q <= out_q + 2'd1;
        if (m_axis_tlast) begin
          full_q  <= 1'b0;
          has_p_q <= 1'b0;
          at_q    <= '0;
          r_q     <= '0;
        end
      end
    end
  end

endmodule
