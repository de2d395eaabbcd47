// SPDX-License-Identifier: Apache-2.0
// bit_toy behind an AXI4-Lite port that has every freedom of a slave: bytes with strobes, registers
// that can be read back, address and data in any order, the next access before the last response.
//
//   0x00  write bit 0: start, of all else nothing comes; read bit 0: busy, bit 1: done
//   0x10  a, 0x20  b, 0x30  p: two words each, low word first; ignored while busy
//   0x40  z, read only
//
// Everything else is answered with SLVERR.

module lite_toy #(
  parameter int N     = 32,
  parameter int Steps = 48
) (
  input wire logic        clk,
  input wire logic        rst,
  input wire logic [7:0]  s_axi_awaddr,
  input wire logic        s_axi_awvalid,
  output     logic        s_axi_awready,
  input wire logic [31:0] s_axi_wdata,
  input wire logic [3:0]  s_axi_wstrb,
  input wire logic        s_axi_wvalid,
  output     logic        s_axi_wready,
  output     logic [1:0]  s_axi_bresp,
  output     logic        s_axi_bvalid,
  input wire logic        s_axi_bready,
  input wire logic [7:0]  s_axi_araddr,
  input wire logic        s_axi_arvalid,
  output     logic        s_axi_arready,
  output     logic [31:0] s_axi_rdata,
  output     logic [1:0]  s_axi_rresp,
  output     logic        s_axi_rvalid,
  input wire logic        s_axi_rready
);

  logic         aw_full, w_full, ar_full, done;
  logic [7:0]   waddr, raddr;
  logic [31:0]  data, mask;
  logic [3:0]   strobes;
  logic [63:0]  a, b, p, z;
  logic         write, read, writes, start, idle, full;
  logic [5:0]   at, from;
  logic [31:0]  word;
  logic         known;  // there is a register to be read
  logic [N-1:0] result;

  assign s_axi_awready = ~aw_full;
  assign s_axi_wready  = ~w_full;
  assign s_axi_arready = ~ar_full;
  assign write  = aw_full & w_full & (~s_axi_bvalid | s_axi_bready);
  assign read   = ar_full & (~s_axi_rvalid | s_axi_rready);
  assign writes = write & idle;
  assign at     = waddr[7:2];
  assign from   = raddr[7:2];
  assign mask   = {{8{strobes[3]}}, {8{strobes[2]}}, {8{strobes[1]}}, {8{strobes[0]}}};
  assign start  = writes & (at == 6'h00) & strobes[0] & data[0];
  assign z      = 64'(result);

  always_comb begin
    known = 1'b1;
    case (from)
      6'h00: word = {30'd0, done, ~idle};
      6'h04: word = a[31:0];
      6'h05: word = a[63:32];
      6'h08: word = b[31:0];
      6'h09: word = b[63:32];
      6'h0c: word = p[31:0];
      6'h0d: word = p[63:32];
      6'h10: word = z[31:0];
      6'h11: word = z[63:32];
      default: begin
        word  = 32'hdeadbeef;
        known = 1'b0;
      end
    endcase
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      aw_full      <= 1'b0;
      w_full       <= 1'b0;
      ar_full      <= 1'b0;
      s_axi_bvalid <= 1'b0;
      s_axi_rvalid <= 1'b0;
      done         <= 1'b0;
    end else begin
      aw_full <= (aw_full & ~write) | (s_axi_awvalid & s_axi_awready);
      w_full  <= (w_full & ~write) | (s_axi_wvalid & s_axi_wready);
      ar_full <= (ar_full & ~read) | (s_axi_arvalid & s_axi_arready);
      s_axi_bvalid <= (s_axi_bvalid & ~s_axi_bready) | write;
      s_axi_rvalid <= (s_axi_rvalid & ~s_axi_rready) | read;
      done         <= (done & ~start) | full;
    end
    if (s_axi_awvalid & s_axi_awready) waddr <= s_axi_awaddr;
    if (s_axi_wvalid & s_axi_wready) data <= s_axi_wdata;
    if (s_axi_wvalid & s_axi_wready) strobes <= s_axi_wstrb;
    if (s_axi_arvalid & s_axi_arready) raddr <= s_axi_araddr;
    if (write) s_axi_bresp <= (at[5:4] == '0 || at[5:1] == 5'h08) ? 2'b00 : 2'b10;
    if (read) s_axi_rresp <= known ? 2'b00 : 2'b10;
    if (read) s_axi_rdata <= word;
    if (writes & (at == 6'h04)) a[31:0] <= (a[31:0] & ~mask) | (data & mask);
    if (writes & (at == 6'h05)) a[63:32] <= (a[63:32] & ~mask) | (data & mask);
    if (writes & (at == 6'h08)) b[31:0] <= (b[31:0] & ~mask) | (data & mask);
    if (writes & (at == 6'h09)) b[63:32] <= (b[63:32] & ~mask) | (data & mask);
    if (writes & (at == 6'h0c)) p[31:0] <= (p[31:0] & ~mask) | (data & mask);
    if (writes & (at == 6'h0d)) p[63:32] <= (p[63:32] & ~mask) | (data & mask);
  end

  bit_toy #(.N(N), .STEPS(Steps)) u_core (
    .CLK(clk), .RST(rst), .IV(start), .IR(idle), .A(a[N:0]), .B(b[Steps-1:0]), .P(p[N-1:0]),
    .OV(full), .OR(1'b1), .Z(result)
  );

endmodule
