// SPDX-License-Identifier: Apache-2.0
//
// Accesses to a core behind an AXI4-Lite port that change nothing, beside those that a product
// needs: writes without a strobe, or to addresses that have no register, or of what does nothing in
// the start register; reads of anything but the register that says done, which reading may clear.
// They are posted, and any response will do.

`default_nettype none

module lt_axil_asides #(
  parameter int AddrW  = 1,
  parameter int DataW  = 32,
  parameter int Loads  = 1,
  parameter int Checks = 1,   // at least 1
  parameter int Words  = 1,   // of a result
  parameter int CountW = 16,  // bits of a number of words
  parameter logic [Loads*AddrW-1:0]  LoadAt   = '0,
  parameter logic [Checks*AddrW-1:0] CheckAt  = '0,
  parameter logic [AddrW-1:0]        StartAt  = '0,
  parameter logic [AddrW-1:0]        DoneAt   = '0,
  parameter logic [AddrW-1:0]        ResultAt = '0,
  // As in lt_axil
  parameter bit Partial   = 0,
  parameter bit Refusing  = 0,
  parameter bit Unmapped  = 0,
  parameter bit Reread    = 0,
  parameter bit IdleThere = 0,
  parameter logic [DataW-1:0] IdleValue = '0,
  parameter logic [DataW-1:0] StartFree = '0
) (
  input wire logic                    clk_i,
  input wire logic                    rst_i,
  input wire logic [31:0]             dice_i,
  input wire logic [Loads*CountW-1:0] words_i,
  input wire logic                    writing_i,    // there is a write to this address
  input wire logic [AddrW-1:0]        writing_at_i,
  input wire logic                    may_write_i,  // from the next cycle on
  input wire logic                    may_read_i,

  // of lt_axil_bus
  output     logic                    write_o,
  output     logic [AddrW-1:0]        write_at_o,
  output     logic [DataW-1:0]        data_o,
  output     logic [DataW/8-1:0]      strobes_o,
  input wire logic                    write_done_i,
  output     logic                    read_o,
  output     logic [AddrW-1:0]        read_at_o,
  input wire logic                    read_done_i
);

  localparam int StrobeW = DataW / 8;
  localparam logic [AddrW-1:0] Octets = AddrW'(DataW / 8);

  logic [31:0]       stirred;
  // verilator lint_off UNUSEDSIGNAL
  logic [31:0]       load, word, result_word;  // less than 2**16
  // verilator lint_on UNUSEDSIGNAL
  logic [AddrW-1:0]  beyond, anywhere, spot, at, read_at;
  logic [AddrW-1:0]  load_spot;  // a word of a load
  logic              mapped, writes, reads;
  logic [DataW-1:0]  data;
  logic [StrobeW-1:0] strobes;

  assign stirred   = dice_i * 32'h9E3779B1;  // where, and what; dice_i says whether

  // A random address of a word, or one next to a load.
  assign load      = (32'(dice_i[31:16]) * 32'(Loads)) >> 16;
  assign word      = (32'(dice_i[15:4]) * 32'(words_i[load*CountW +: CountW])) >> 12;
  assign result_word = (32'(dice_i[15:4]) * 32'(Words)) >> 12;
  assign load_spot = LoadAt[load*AddrW +: AddrW] + AddrW'(word) * Octets;
  assign beyond    = LoadAt[load*AddrW +: AddrW] +
                     (dice_i[4] ? AddrW'(words_i[load*CountW +: CountW]) * Octets : -Octets);
  assign anywhere  = AddrW'({dice_i, stirred[15:0], stirred[31:16]});
  assign spot      = (dice_i[3] ? beyond : anywhere) & -Octets;

  always_comb begin
    mapped = (spot == StartAt) | (spot == DoneAt) | (spot - ResultAt < AddrW'(Words) * Octets);
    for (int k = 0; k < Loads; k++) begin
      if (spot - LoadAt[k*AddrW +: AddrW] < AddrW'(words_i[k*CountW +: CountW]) * Octets)
        mapped = 1'b1;
    end
    for (int k = 0; k < Checks; k++) if (spot == CheckAt[k*AddrW +: AddrW]) mapped = 1'b1;
  end

  always_comb begin
    writes  = 1'b0;
    at      = load_spot;
    data    = {(DataW / 32){stirred}};
    strobes = '1;
    case (dice_i[2:1])
      2'd0: begin
        writes = Unmapped & ~mapped;
        at     = spot;
        if (Partial) strobes = stirred[24 +: StrobeW];
      end
      2'd1: begin
        writes  = Partial | Refusing;
        strobes = (Refusing & ~(&stirred[24 +: StrobeW])) ? stirred[24 +: StrobeW] : '0;
      end
      2'd2: begin  // a start without a strobe
        writes  = Partial | Refusing;
        at      = StartAt;
        data    = '1;
        strobes = '0;
      end
      default: begin
        writes = IdleThere;
        at     = StartAt;
        data   = IdleValue ^ ({(DataW / 32){stirred}} & StartFree);
      end
    endcase
  end

  always_comb begin
    reads   = 1'b1;
    read_at = load_spot;
    case (dice_i[20:19])
      2'd0: begin
        reads   = Unmapped & ~mapped;
        read_at = spot;
      end
      2'd1: begin
        reads   = Reread;
        read_at = ResultAt + AddrW'(result_word) * Octets;
      end
      2'd2: reads = (load_spot != DoneAt);
      default: begin
        reads   = writing_i & (writing_at_i != DoneAt);
        read_at = writing_at_i;
      end
    endcase
  end

  // A core without a reset sees the port before the first one.
  initial begin
    write_o = 1'b0;
    read_o  = 1'b0;
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      write_o    <= 1'b0;
      write_at_o <= '0;
      data_o     <= '0;
      strobes_o  <= '0;
      read_o     <= 1'b0;
      read_at_o  <= '0;
    end else begin
      if (write_o) begin
        if (write_done_i) write_o <= 1'b0;
      end else if (may_write_i & writes & (dice_i[22:21] == 2'd0)) begin
        write_o    <= 1'b1;
        write_at_o <= at;
        data_o     <= data;
        strobes_o  <= strobes;
      end
      if (read_o) begin
        if (read_done_i) read_o <= 1'b0;
      end else if (may_read_i & reads & dice_i[23]) begin
        read_o    <= 1'b1;
        read_at_o <= read_at;
      end
    end
  end

endmodule

`default_nettype wire
