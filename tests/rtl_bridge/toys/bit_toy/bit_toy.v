// SPDX-License-Identifier: Apache-2.0
// Plain Verilog, one bit of B a clock, nothing to watch.

module bit_toy (CLK, RST, IV, IR, A, B, P, OV, OR, Z);
  parameter N = 32;
  parameter STEPS = 48;

  input              CLK, RST, IV, OR;
  input  [N:0]       A;
  input  [STEPS-1:0] B;
  input  [N-1:0]     P;
  output             IR, OV;
  output [N-1:0]     Z;

  reg [N:0]       a;
  reg [STEPS-1:0] b;
  reg [N+2:0]     t;
  reg [15:0]      left;
  reg             busy, full;

  wire [N+2:0] with_a = b[0] ? t + {2'b0, a} : t;
  wire [N+2:0] even   = with_a[0] ? with_a + {3'b0, P} : with_a;
  wire         big    = t >= {3'b0, P};

  assign IR = !busy && !full;
  assign OV = full;
  assign Z  = t[N-1:0];

  always @(posedge CLK or posedge RST)
    if (RST) begin
      busy <= 0;
      full <= 0;
    end else if (IV && IR) begin
      a    <= A;
      b    <= B;
      t    <= 0;
      left <= STEPS;
      busy <= 1;
    end else if (busy && left != 0) begin
      t    <= even >> 1;
      b    <= b >> 1;
      left <= left - 1;
    end else if (busy) begin
      if (big) t <= t - {3'b0, P};
      else begin
        busy <= 0;
        full <= 1;
      end
    end else if (full && OR)
      full <= 0;
endmodule
