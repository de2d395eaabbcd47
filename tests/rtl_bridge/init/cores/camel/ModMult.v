// SPDX-License-Identifier: Apache-2.0
module ModMult #(
    parameter DataWidth = 32,
    parameter CntWidth = $clog2(DataWidth + 1)
) (
    input                      iClk,
    input                      iRstN,
    input                      iStart,
    input  [DataWidth-1:0]     iOpA,
    input  [DataWidth-1:0]     iOpB,
    input  [DataWidth-1:0]     iMod,
    output reg                 oReady,
    output reg                 oDone,
    output reg [DataWidth-1:0] oRes
);
  reg [CntWidth-1:0] cnt;
  reg [DataWidth-1:0] a;
  reg [DataWidth+1:0] acc, t;
  always @(posedge iClk or negedge iRstN)
    if (!iRstN) begin
      oReady <= 1'b1; oDone <= 1'b0; cnt <= 0; oRes <= 0;
    end else begin
      oDone <= 1'b0;
      if (oReady && iStart) begin
        oReady <= 1'b0; cnt <= DataWidth; acc <= 0; a <= iOpA;
      end else if (!oReady) begin
        if (cnt == 0) begin
          oReady <= 1'b1; oDone <= 1'b1; oRes <= acc[DataWidth-1:0];
        end else begin
          t = acc << 1;
          if (t >= iMod) t = t - iMod;
          if (a[DataWidth-1]) t = t + iOpB;
          if (t >= iMod) t = t - iMod;
          acc <= t; a <= a << 1; cnt <= cnt - 1'b1;
        end
      end
    end
endmodule
