// SPDX-License-Identifier: Apache-2.0
//
// The core vdf_squarer behind an AXI4-Lite port with 32 bits of data, as an accelerator of a
// processor. The paper does not give the register map of its own; this is ours, in bytes:
//
//   0x0000  write 1: start, which is ignored while busy
//           read:    bit 0 busy, bit 1 done: y is there, since the last start
//   0x0004  t, the number of squarings; ignored while busy
//   0x4000  y, low word first; read only
//   0x8000  x               \
//   0xa000  R^2 mod M        | low word first, write only, ignored while busy
//   0xc000  M                |
//   0xe000  M' = -1/M mod R /
//
// Words are written whole: a write without all of its strobes changes nothing and is answered with
// SLVERR. Every other answer is OKAY; what is no register reads as 0. One write and one read at a
// time: a write takes address and data in the same cycle, the one after both are there and the last
// answer is gone. No output depends on an input in the same cycle, as the protocol demands. What
// the bus takes comes on top of the cycles of the core: at least two for a word.

`default_nettype none

module lt_vdf_squarer_axil #(
  parameter int D      = 16,
  parameter int K      = 8,
  parameter int Cycles = 1,
  // fixed, not to be set
  parameter int W     = 32
) (
  input wire logic         clk_i,
  input wire logic         rst_ni,

  input wire logic [15:0]  s_axil_awaddr_i,
  input wire logic [2:0]   s_axil_awprot_i,
  input wire logic         s_axil_awvalid_i,
  output     logic         s_axil_awready_o,
  input wire logic [W-1:0] s_axil_wdata_i,
  input wire logic [3:0]   s_axil_wstrb_i,
  input wire logic         s_axil_wvalid_i,
  output     logic         s_axil_wready_o,
  output     logic [1:0]   s_axil_bresp_o,
  output     logic         s_axil_bvalid_o,
  input wire logic         s_axil_bready_i,
  input wire logic [15:0]  s_axil_araddr_i,
  input wire logic [2:0]   s_axil_arprot_i,
  input wire logic         s_axil_arvalid_i,
  output     logic         s_axil_arready_o,
  output     logic [W-1:0] s_axil_rdata_o,
  output     logic [1:0]   s_axil_rresp_o,
  output     logic         s_axil_rvalid_o,
  input wire logic         s_axil_rready_i
);

  localparam int Words = (K * D + W - 1) / W;
  localparam int AddrW = (Words > 1) ? $clog2(Words) : 1;

  localparam logic [15:0] AddrControl = 16'h0000;
  localparam logic [15:0] AddrCount   = 16'h0004;
  localparam logic [1:0]  PageResult  = 2'b01;  // of 16 KiB

  localparam logic [1:0]  RespOkay   = 2'b00;
  localparam logic [1:0]  RespSlverr = 2'b10;

  logic         write, read;
  logic         wready_d, wready_q;
  logic         rready_d, rready_q;
  logic         whole;  // what is written is a whole word
  logic         bvalid_d, bvalid_q;
  logic         partial_d, partial_q;
  logic         rvalid_d, rvalid_q;
  logic [W-1:0] rdata_d, rdata_q;
  logic [31:0]  count_d, count_q;  // t
  logic         there_d, there_q;  // y is there

  logic         wr_word, rd_result;  // the address is that of a word of an operand, of the result
  logic         start, busy, done;
  logic [W-1:0] rd_data;

  assign write = wready_q & s_axil_awvalid_i & s_axil_wvalid_i;
  assign read  = rready_q & s_axil_arvalid_i;

  assign s_axil_awready_o = wready_q;
  assign s_axil_wready_o  = wready_q;
  assign s_axil_bvalid_o  = bvalid_q;
  assign s_axil_bresp_o   = partial_q ? RespSlverr : RespOkay;
  assign s_axil_arready_o = rready_q;
  assign s_axil_rvalid_o  = rvalid_q;
  assign s_axil_rdata_o   = rdata_q;
  assign s_axil_rresp_o   = RespOkay;

  assign wr_word   = s_axil_awaddr_i[15] & (32'(s_axil_awaddr_i[12:2]) < Words);
  assign rd_result = (s_axil_araddr_i[15:14] == PageResult) & (32'(s_axil_araddr_i[13:2]) < Words);
  assign whole     = &s_axil_wstrb_i;
  assign start     = write & whole & (s_axil_awaddr_i == AddrControl) & s_axil_wdata_i[0];

  always_comb begin
    wready_d  = ~wready_q & s_axil_awvalid_i & s_axil_wvalid_i & (~bvalid_q | s_axil_bready_i);
    rready_d  = ~rready_q & s_axil_arvalid_i & (~rvalid_q | s_axil_rready_i);
    bvalid_d  = (bvalid_q & ~s_axil_bready_i) | write;
    partial_d = write ? ~whole : partial_q;
    rvalid_d  = (rvalid_q & ~s_axil_rready_i) | read;
    rdata_d   = rdata_q;
    count_d   = count_q;
    there_d   = there_q | done;
    if (start & ~busy) there_d = 1'b0;
    if (write & whole & ~busy & (s_axil_awaddr_i == AddrCount)) count_d = s_axil_wdata_i;
    if (read) begin
      rdata_d = '0;
      if (s_axil_araddr_i == AddrControl) rdata_d = W'({there_d, busy});
      if (s_axil_araddr_i == AddrCount) rdata_d = count_q;
      if (rd_result) rdata_d = rd_data;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wready_q <= 1'b0;
      rready_q <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
      count_q  <= '0;
      there_q  <= 1'b0;
    end else begin
      wready_q <= wready_d;
      rready_q <= rready_d;
      bvalid_q <= bvalid_d;
      rvalid_q <= rvalid_d;
      count_q  <= count_d;
      there_q  <= there_d;
    end
    partial_q <= partial_d;
    rdata_q   <= rdata_d;
  end

  lt_vdf_squarer #(
    .D     (D),
    .K     (K),
    .Cycles(Cycles),
    .W     (W)
  ) u_core (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .wr_en_i  (write & whole & wr_word),
    .wr_sel_i (s_axil_awaddr_i[14:13]),
    .wr_addr_i(s_axil_awaddr_i[2+:AddrW]),
    .wr_data_i(s_axil_wdata_i),
    .t_i      (count_q),
    .start_i  (start),
    .busy_o   (busy),
    .done_o   (done),
    .rd_addr_i(s_axil_araddr_i[2+:AddrW]),
    .rd_data_o(rd_data)
  );

  logic unused_axil;
  assign unused_axil = ^{s_axil_awprot_i, s_axil_arprot_i, s_axil_araddr_i[1:0],
                         s_axil_awaddr_i[1:0]};

endmodule

`default_nettype wire
