// SPDX-License-Identifier: Apache-2.0
//
// One DSP block: P = X*Y + Z with registers at X and Y, behind the product, and, if PReg, behind
// the sum. Z enters at the sum: it belongs to the X and Y of two cycles before.

`default_nettype none

module lt_fpmm_dsp #(
  parameter int D    = 17,  // bits of a digit
  parameter int PReg = 1
) (
  input wire logic           clk_i,
  input wire logic [D-1:0]   x_i,
  input wire logic [D-1:0]   y_i,
  input wire logic [2*D:0]   z_i,
  output     logic [2*D:0]   p_o
);

  logic [D-1:0]   x_q, y_q;
  logic [2*D-1:0] m_q;
  logic [2*D:0]   sum;

  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    y_q <= y_i;
    m_q <= (2 * D)'(x_q) * (2 * D)'(y_q);
  end

  assign sum = (2 * D + 1)'(m_q) + z_i;

  generate
  if (PReg != 0) begin : gen_p
    logic [2*D:0] p_q;

    always_ff @(posedge clk_i) begin
      p_q <= sum;
    end

    assign p_o = p_q;
  end else begin : gen_no_p
    assign p_o = sum;
  end
  endgenerate

endmodule

`default_nettype wire
