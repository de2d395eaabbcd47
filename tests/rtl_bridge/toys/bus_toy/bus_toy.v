// SPDX-License-Identifier: Apache-2.0
// bit_toy behind an AXI4-Lite port of 64 bits with the signals that must be there and no others.
// Address and data of a write are taken one by one. Control: write 1 to start, bit 7 says done.

module bus_toy (
  CLK, RST,
  S_AXI_AWADDR, S_AXI_AWVALID, S_AXI_AWREADY, S_AXI_WDATA, S_AXI_WVALID, S_AXI_WREADY,
  S_AXI_BVALID, S_AXI_BREADY,
  S_AXI_ARADDR, S_AXI_ARVALID, S_AXI_ARREADY, S_AXI_RDATA, S_AXI_RVALID, S_AXI_RREADY
);
  parameter N = 32;
  parameter STEPS = 48;

  input             CLK, RST;
  input      [5:0]  S_AXI_AWADDR, S_AXI_ARADDR;
  input             S_AXI_AWVALID, S_AXI_WVALID, S_AXI_BREADY, S_AXI_ARVALID, S_AXI_RREADY;
  input      [63:0] S_AXI_WDATA;
  output            S_AXI_AWREADY, S_AXI_WREADY, S_AXI_ARREADY;
  output reg        S_AXI_BVALID, S_AXI_RVALID;
  output reg [63:0] S_AXI_RDATA;

  reg         aw_full, w_full, go, done;
  reg [2:0]   at;
  reg [63:0]  data, a, p;
  reg [127:0] b;

  wire         idle, full;
  wire [N-1:0] z;

  assign S_AXI_AWREADY = !aw_full;
  assign S_AXI_WREADY  = !w_full;
  assign S_AXI_ARREADY = !S_AXI_RVALID;

  always @(posedge CLK)
    if (RST) begin
      aw_full      <= 0;
      w_full       <= 0;
      S_AXI_BVALID <= 0;
      S_AXI_RVALID <= 0;
      go           <= 0;
      done         <= 0;
    end else begin
      if (S_AXI_AWVALID && S_AXI_AWREADY) begin
        aw_full <= 1;
        at      <= S_AXI_AWADDR[5:3];
      end
      if (S_AXI_WVALID && S_AXI_WREADY) begin
        w_full <= 1;
        data   <= S_AXI_WDATA;
      end
      if (S_AXI_BREADY) S_AXI_BVALID <= 0;
      if (idle) go <= 0;
      if (full) done <= 1;
      if (aw_full && w_full && !S_AXI_BVALID) begin
        aw_full      <= 0;
        w_full       <= 0;
        S_AXI_BVALID <= 1;
        if (idle && !go)
          case (at)
            0: begin
              go   <= data[0];
              done <= 0;
            end
            1: a <= data;
            2: b[63:0] <= data;
            3: b[127:64] <= data;
            4: p <= data;
          endcase
      end
      if (S_AXI_RREADY) S_AXI_RVALID <= 0;
      if (S_AXI_ARVALID && S_AXI_ARREADY) begin
        S_AXI_RVALID <= 1;
        S_AXI_RDATA  <= (S_AXI_ARADDR[5:3] == 5) ? z : {56'b0, done, 7'b0};
      end
    end

  bit_toy #(.N(N), .STEPS(STEPS)) u_core (
    .CLK(CLK), .RST(RST), .IV(go), .IR(idle), .A(a[N:0]), .B(b[STEPS-1:0]), .P(p[N-1:0]),
    .OV(full), .OR(1'b1), .Z(z)
  );
endmodule
