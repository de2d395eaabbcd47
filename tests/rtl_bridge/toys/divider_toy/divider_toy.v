// SPDX-License-Identifier: Apache-2.0
//
// x mod p and floor(x / p) for x < p^2, by a restoring division, one bit of the quotient a clock.
module divider_toy #(
  parameter W = 8
) (
  input                clk, rst, start,
  input      [2*W-1:0] x,
  input      [W-1:0]   p,
  output reg           busy, done,
  output reg [W-1:0]   q, r
);
  reg  [2*W-1:0] left;
  reg  [W-1:0]   rest;
  reg  [15:0]    count;
  wire [W:0]     next = {rest, left[2*W-1]};
  wire           fits = next >= {1'b0, p};

  always @(posedge clk) begin
    done <= 1'b0;
    if (rst) busy <= 1'b0;
    else if (start & ~busy) begin
      busy  <= 1'b1;
      left  <= x;
      rest  <= 0;
      q     <= 0;
      count <= 2 * W;
    end else if (busy) begin
      left  <= left << 1;
      rest  <= fits ? next - p : next;
      q     <= {q[W-2:0], fits};
      count <= count - 1;
      if (count == 1) begin
        busy <= 1'b0;
        done <= 1'b1;
        r    <= fits ? next - p : next;
      end
    end
  end
endmodule
