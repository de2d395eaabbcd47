// SPDX-License-Identifier: Apache-2.0
//
// Drives vdf_squarer_axil as a processor does, one transfer after the other, from files of words,
// and prints what it reads: registers before, during and after the chain, and the words of y.
// Unlike the bridge it writes parts of words, beyond operands, and addresses before data. Waits
// makes the processor slow: so many cycles before it takes an answer.

`timescale 1ns / 1ns
`default_nettype none

module axil_tb #(
  parameter int D       = 16,
  parameter int K       = 4,
  parameter int Cycles  = 1,
  parameter int Count   = 1,  // t
  parameter int Waits   = 0,
  localparam int Words  = (K * D + 31) / 32
);

  logic        clk = 1'b0;
  logic        rst_n = 1'b0;
  logic [15:0] awaddr = '0, araddr = '0;
  logic [31:0] wdata = '0, rdata;
  logic        awvalid = 1'b0, wvalid = 1'b0, bready = 1'b0, arvalid = 1'b0, rready = 1'b0;
  logic        awready, wready, bvalid, arready, rvalid;
  logic [1:0]  bresp, rresp;

  logic [3:0]  wstrb = 4'hf;

  logic [31:0] words [0:4*Words-1];  // x, R^2 mod M, M, M'
  logic [31:0] word;

  always #5 clk = ~clk;

  lt_vdf_squarer_axil #(
    .D     (D),
    .K     (K),
    .Cycles(Cycles)
  ) u_core (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .s_axil_awaddr_i (awaddr),
    .s_axil_awprot_i (3'b000),
    .s_axil_awvalid_i(awvalid),
    .s_axil_awready_o(awready),
    .s_axil_wdata_i  (wdata),
    .s_axil_wstrb_i  (wstrb),
    .s_axil_wvalid_i (wvalid),
    .s_axil_wready_o (wready),
    .s_axil_bresp_o  (bresp),
    .s_axil_bvalid_o (bvalid),
    .s_axil_bready_i (bready),
    .s_axil_araddr_i (araddr),
    .s_axil_arprot_i (3'b000),
    .s_axil_arvalid_i(arvalid),
    .s_axil_arready_o(arready),
    .s_axil_rdata_o  (rdata),
    .s_axil_rresp_o  (rresp),
    .s_axil_rvalid_o (rvalid),
    .s_axil_rready_i (rready)
  );

  // No output moves with an input, half a clock away from the edges.
  logic [41:0] outputs, registered;
  assign outputs = {awready, wready, bresp, bvalid, arready, rdata, rresp, rvalid};
  always @(posedge clk) begin
    #1 registered = outputs;
    #8 if (outputs !== registered) $display("an output follows an input");
  end

  // Inputs change half a clock away from the edges.
  task automatic write(input logic [15:0] address, input logic [31:0] data);
    @(negedge clk);
    awaddr  = address;
    wdata   = data;
    awvalid = 1'b1;
    repeat (Waits) @(negedge clk);  // the address waits for the data
    wvalid  = 1'b1;
    #1;
    while (!(awready && wready)) begin
      @(negedge clk);
      #1;
    end
    @(negedge clk);
    awvalid = 1'b0;
    wvalid  = 1'b0;
    wdata   = ~data;
    repeat (Waits) @(negedge clk);
    if (!bvalid || bresp != ((wstrb == 4'hf) ? 2'b00 : 2'b10)) $display("no answer to a write");
    bready = 1'b1;
    @(negedge clk);
    bready = 1'b0;
    if (bvalid) $display("two answers to a write");
  endtask

  task automatic read(input logic [15:0] address);
    @(negedge clk);
    araddr  = address;
    arvalid = 1'b1;
    #1;
    while (!arready) begin
      @(negedge clk);
      #1;
    end
    @(negedge clk);
    arvalid = 1'b0;
    araddr  = ~address;
    repeat (Waits) @(negedge clk);
    if (!rvalid || rresp != 2'b00) $display("no answer to a read");
    word   = rdata;
    rready = 1'b1;
    @(negedge clk);
    rready = 1'b0;
    if (rvalid) $display("two answers to a read");
  endtask

  initial begin
    $readmemh("words.hex", words);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int k = 0; k < 4 * Words; k++) begin
      write(16'h8000 + 16'(k / Words * 'h2000 + k % Words * 4), words[k]);
    end
    write(16'h0004, 32'(Count));
    write(16'h8000 + 16'(4 * Words), 32'hffffffff);  // no word of x
    wstrb = 4'h7;
    write(16'h0004, 32'd0);
    write(16'h8000, 32'd0);
    write(16'h0000, 32'd1);
    wstrb = 4'hf;
    read(16'h0004);
    $display("t %0d", word);
    read(16'h0000);
    $display("before %0d", word);
    write(16'h0000, 32'd2);  // no start
    read(16'h0000);
    $display("still %0d", word);
    write(16'h0000, 32'd1);
    write(16'h8000, 32'd0);  // too late
    write(16'h0004, 32'd1);
    write(16'h0000, 32'd1);
    read(16'h0000);
    $display("during %0d", word);
    while (!u_core.there_q) @(negedge clk);
    read(16'h0000);
    $display("after %0d", word);
    for (int k = 0; k < Words; k++) begin
      read(16'h4000 + 16'(4 * k));
      $display("y %08x", word);
    end
    read(16'h4000 + 16'(4 * Words));
    $display("beyond %0d", word);
    $finish(0);
  end

endmodule

`default_nettype wire
