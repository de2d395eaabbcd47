// SPDX-License-Identifier: Apache-2.0
//
// Starts that the lock-step testbench does not make: start_i held high all the time, so that every
// product begins in the cycle of done_o of the one before it; and a reset in each cycle of a
// product, with the next start right behind it.

`timescale 1ns / 1ns

module restart_tb;
  parameter int K      = 4;
  parameter int N      = 3;
  parameter int Passes = 3;
  parameter logic [(N+1)*K-1:0] X = '0;
  parameter logic [(N+1)*K-1:0] Y = '0;
  parameter logic [(N+1)*K-1:0] P = '0;
  parameter logic [(N+1)*K-1:0] A = '0;  // result
  parameter logic [K-1:0]       PPrime = '0;

  for (genvar arch = 1; arch <= 2; arch++) begin : gen_arch
    for (genvar level = 0; level <= 2; level++) begin : gen_level
      restart_case #(
        .Arch(arch), .Pipeline(level), .K(K), .N(N), .Passes(Passes),
        .X(X), .Y(Y), .P(P), .A(A), .PPrime(PPrime)
      ) u_case ();
    end
  end
endmodule

module restart_case #(
  parameter int Arch     = 1,
  parameter int Pipeline = 0,
  parameter int K        = 4,
  parameter int N        = 3,
  parameter int Passes   = 3,
  parameter logic [(N+1)*K-1:0] X = '0,
  parameter logic [(N+1)*K-1:0] Y = '0,
  parameter logic [(N+1)*K-1:0] P = '0,
  parameter logic [(N+1)*K-1:0] A = '0,
  parameter logic [K-1:0]       PPrime = '0
);
  localparam int Cycles = Passes * (N + 2 + Pipeline) + Pipeline;
  localparam int AddrW  = $clog2(N + 1);
  localparam int NW     = $clog2(N + 2);

  logic             clk = 1'b0, rst_n = 1'b0;
  logic             wr_en = 1'b0, start = 1'b0, busy, done;
  logic [1:0]       wr_sel = '0;
  logic [AddrW-1:0] wr_addr = '0, rd_addr = '0;
  logic [K-1:0]     wr_data = '0, rd_data;
  int               faults = 0;

  always #5 clk = ~clk;

  if (Arch == 1) begin : gen_core
    lt_iddmm_arch1 #(.K(K), .NMax(N), .Pipeline(Pipeline)) u_core (
      .clk_i(clk), .rst_ni(rst_n), .wr_en_i(wr_en), .wr_sel_i(wr_sel), .wr_addr_i(wr_addr),
      .wr_data_i(wr_data), .n_i(NW'(N)), .passes_i(NW'(Passes)), .p_prime_i(PPrime),
      .start_i(start), .busy_o(busy), .done_o(done), .rd_addr_i(rd_addr), .rd_data_o(rd_data)
    );
  end else begin : gen_core
    lt_iddmm_arch2 #(.K(K), .NMax(N), .Pipeline(Pipeline)) u_core (
      .clk_i(clk), .rst_ni(rst_n), .wr_en_i(wr_en), .wr_sel_i(wr_sel), .wr_addr_i(wr_addr),
      .wr_data_i(wr_data), .n_i(NW'(N)), .passes_i(NW'(Passes)), .p_prime_i(PPrime),
      .start_i(start), .busy_o(busy), .done_o(done), .rd_addr_i(rd_addr), .rd_data_o(rd_data)
    );
  end

  task automatic check(input logic good, input string what);
    if (good !== 1'b1) begin
      faults++;
      $display("arch %0d, %0d levels, %0t: %s", Arch, Pipeline, $time, what);
    end
  endtask

  task automatic load(input logic [1:0] sel, input logic [(N+1)*K-1:0] value);
    for (int word = 0; word <= N; word++) begin
      wr_en = 1'b1;
      wr_sel = sel;
      wr_addr = AddrW'(word);
      wr_data = value[word*K +: K];
      @(negedge clk);
    end
    wr_en = 1'b0;
  endtask

  // Everything changes and is looked at between the edges. A product that was just taken is busy
  // for Cycles cycles, and then done for one.
  task automatic run;
    for (int cycle = 0; cycle < Cycles; cycle++) begin
      check(busy & ~done, "not busy in a product");
      @(negedge clk);
    end
    check(~busy & done, "not done behind a product");
  endtask

  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    load(2'd0, X);
    load(2'd1, Y);
    load(2'd2, P);

    // A word of the result can be read in each cycle of done.
    start = 1'b1;
    @(negedge clk);
    for (int word = 0; word <= N; word++) begin
      rd_addr = AddrW'(word);
      run();
      check(rd_data === A[word*K +: K], "wrong word of the result");
      @(negedge clk);
    end

    // The product that is under way now is the first one to be interrupted.
    for (int at = 0; at <= Cycles; at++) begin
      start = 1'b0;
      repeat (at) @(negedge clk);
      rst_n = 1'b0;
      @(negedge clk);
      rst_n = 1'b1;
      check(~busy & ~done, "busy or done behind a reset");
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
      run();
      for (int word = 0; word <= N; word++) begin
        rd_addr = AddrW'(word);
        #1 check(rd_data === A[word*K +: K], "wrong word after a reset");
      end
      start = 1'b1;
      @(negedge clk);
    end
    $display("arch %0d, %0d levels: %0d faults", Arch, Pipeline, faults);
  end

  // With 0 no simulator says where it ended.
  initial #100000 $finish(0);
endmodule
