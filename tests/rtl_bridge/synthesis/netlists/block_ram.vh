// SPDX-License-Identifier: Apache-2.0
//
// What RAMB18E1 does, for the module of that name in Yosys' cells_sim.v, which has ports,
// parameters and delays only: its outputs float there, and a netlist becomes X.
//
// It is what Yosys makes of a memory with one write port and one read port: in RAM_MODE TDP port A
// writes and port B reads, in SDP port B writes and port A reads, up to twice the width. Contents
// and outputs are unknown until they are written and read.

  localparam SDP = (RAM_MODE == "SDP");
  localparam integer WriteWidth = SDP ? WRITE_WIDTH_B : WRITE_WIDTH_A;
  localparam integer ReadWidth  = SDP ? READ_WIDTH_A : READ_WIDTH_B;

  // Data bits of a port of that width; 9 and more have a parity bit for each byte.
  function integer bits(input integer width);
    bits = (width < 9) ? width : width / 9 * 8;
  endfunction

  initial begin
    if (DOA_REG != 0 || DOB_REG != 0 || WRITE_MODE_A != "READ_FIRST" || WRITE_MODE_B != "READ_FIRST"
        || WriteWidth == 0 || ReadWidth == 0
        || (!SDP && (WRITE_WIDTH_B != 0 || READ_WIDTH_A != 0))) begin
      $display("%m is used in a way that block_ram.vh does not model");
      $finish;
    end
  end

  reg data   [0:2**14-1];
  reg parity [0:2**11-1];

  wire        wr_clk  = SDP ? CLKBWRCLK : CLKARDCLK;
  wire        wr_en   = SDP ? ENBWREN : ENARDEN;
  wire [3:0]  wr_byte = SDP ? WEBWE : {2'b0, WEA};
  wire [13:0] wr_addr = SDP ? ADDRBWRADDR : ADDRARDADDR;
  wire [31:0] wr_data = SDP ? {DIBDI, DIADI} : {16'b0, DIADI};
  wire [3:0]  wr_par  = SDP ? {DIPBDIP, DIPADIP} : {2'b0, DIPADIP};

  wire        rd_clk  = SDP ? CLKARDCLK : CLKBWRCLK;
  wire        rd_en   = SDP ? ENARDEN : ENBWREN;
  wire        rd_rst  = SDP ? RSTRAMARSTRAM : RSTRAMB;
  wire [13:0] rd_addr = SDP ? ADDRARDADDR : ADDRBWRADDR;
  wire [31:0] rd_init = SDP ? {SRVAL_B[15:0], SRVAL_A[15:0]} : {16'b0, SRVAL_B[15:0]};
  wire [3:0]  rd_ipar = SDP ? {SRVAL_B[17:16], SRVAL_A[17:16]} : {2'b0, SRVAL_B[17:16]};

  reg  [31:0] rd_data;
  reg  [3:0]  rd_par;

  integer i, j, wr_base, rd_base;

  always @(posedge wr_clk) if (wr_en) begin
    wr_base = wr_addr / bits(WriteWidth) * bits(WriteWidth);
    for (i = 0; i < bits(WriteWidth); i = i + 1) if (wr_byte[i/8]) begin
      data[wr_base+i] <= wr_data[i];
      if (WriteWidth >= 9) parity[(wr_base+i)/8] <= wr_par[i/8];
    end
  end

  always @(posedge rd_clk) if (rd_en) begin
    rd_base = rd_addr / bits(ReadWidth) * bits(ReadWidth);
    for (j = 0; j < bits(ReadWidth); j = j + 1) begin
      rd_data[j] <= rd_rst ? rd_init[j] : data[rd_base+j];
      if (ReadWidth >= 9) rd_par[j/8] <= rd_rst ? rd_ipar[j/8] : parity[(rd_base+j)/8];
    end
  end

  assign DOADO   = SDP ? rd_data[15:0] : 16'bx;
  assign DOPADOP = SDP ? rd_par[1:0] : 2'bx;
  assign DOBDO   = SDP ? rd_data[31:16] : rd_data[15:0];
  assign DOPBDOP = SDP ? rd_par[3:2] : rd_par[1:0];

