// SPDX-License-Identifier: Apache-2.0
//
// Testbench without Python: operands and results come from $readmemh files, results are compared
// here. Runs in any simulator.
//
//   +folder=DIR  constants.hex, and for chunk c of at most Chunk cases a.c.hex, b.c.hex, result.c.hex
//   +cases=N     cases in all chunks together
//   +limit=N     most cycles to wait for the core
//   +stalls=N    seed of the stalls; 0, or not given: none
//   +waves=FILE  waveform of the core
//
// Prints lines that begin with LIMBTRACE: PASS, or at the first difference MISMATCH or HANG with
// the last rows before it.

// First in order of compilation: the time unit holds for all files after it.
`timescale 1ns / 1ns
`default_nettype none

module files_tb #(
  parameter int ConstW  = 1,
  parameter int AW      = 1,
  parameter int BW      = 1,
  parameter int ResultW = 1,
  parameter int CombW   = 1,
  parameter int RegW    = 1,
  parameter int Chunk   = 4096
);

  localparam int RowW = (RegW + CombW + 32 + 7) / 8 * 8;
  localparam int Last = 8;  // rows shown before a difference

  // verilator tracing_off
  string folder, file;
  int    cases, limit;

  logic [15:0]        stall_seed;
  // verilator tracing_off
  logic [ConstW-1:0]  constants_mem [1];
  logic [AW-1:0]      a_mem         [Chunk];
  logic [BW-1:0]      b_mem         [Chunk];
  logic [ResultW-1:0] result_mem    [Chunk];
  logic [RowW-1:0]    last_rows     [Last];

  logic clk, rst, up;

  limbtrace_clock u_clock (
    .clk_o  (clk),
    .rst_o  (rst),
    .ready_o(up)
  );

  initial begin : settings
    if (!$value$plusargs("folder=%s", folder)) folder = ".";
    if (!$value$plusargs("cases=%d", cases)) cases = 0;
    if (!$value$plusargs("limit=%d", limit)) limit = 1000000;
    if (!$value$plusargs("stalls=%d", stall_seed)) stall_seed = '0;
    $readmemh({folder, "/constants.hex"}, constants_mem);
    if ($value$plusargs("waves=%s", file)) begin
      $dumpfile(file);
      $dumpvars(0, u_shell.u_core);
    end
  end

  logic [AW-1:0]      a;
  logic [BW-1:0]      b;
  logic               valid;
  logic               ready, started, finished, done, store;
  logic [ResultW-1:0] result;
  logic [CombW-1:0]   comb;
  logic [RegW-1:0]    regs;
  logic               row_valid;
  logic [RowW-1:0]    row;
  logic [31:0]        latency;

  // verilator tracing_on
  limbtrace_shell u_shell (
    .clk_i       (clk),
    .rst_i       (rst),
    .stall_seed_i(stall_seed),
    .constants_i (constants_mem[0]),
    .a_i         (a),
    .b_i         (b),
    .valid_i     (valid),
    .ready_o     (ready),
    .started_o   (started),
    .finished_o  (finished),
    .done_o      (done),
    .result_o    (result),
    .store_o     (store),
    .comb_o      (comb),
    .regs_o      (regs)
  );

  // verilator tracing_off
  limbtrace_rows #(
    .CombW(CombW),
    .RegW (RegW),
    .RowW (RowW)
  ) u_rows (
    .clk_i      (clk),
    .rst_i      (rst),
    .started_i  (started),
    .finished_i (finished),
    .store_i    (store),
    .comb_i     (comb),
    .regs_i     (regs),
    .row_valid_o(row_valid),
    .row_o      (row),
    .latency_o  (latency)
  );

  int          number;  // case at work
  int          count;   // cases of the chunk
  int          filled;  // rows seen of this case
  int          waited;  // cycles since the product was offered, then since it was taken
  logic        busy, taken, over;
  logic [63:0] cycles;

  initial begin
    number = 0;
    count  = 0;
    filled = 0;
    waited = 0;
    busy   = 1'b0;
    taken  = 1'b0;
    over   = 1'b0;
    cycles = '0;
    valid  = 1'b0;
  end

  // verilator lint_off BLKSEQ
  // Blocking: this is a program that happens to run once a cycle.
  task automatic show_rows;
    for (int k = (filled > Last) ? filled - Last : 0; k < filled; k++)
      $display("LIMBTRACE ROW %b", last_rows[k%Last]);
  endtask

  task automatic read_chunk;
    count = (cases - number < Chunk) ? cases - number : Chunk;
    file  = $sformatf("%0s/a.%0d.hex", folder, number / Chunk);
    $readmemh(file, a_mem, 0, count - 1);
    file = $sformatf("%0s/b.%0d.hex", folder, number / Chunk);
    $readmemh(file, b_mem, 0, count - 1);
    file = $sformatf("%0s/result.%0d.hex", folder, number / Chunk);
    $readmemh(file, result_mem, 0, count - 1);
  endtask

  always @(posedge clk) begin
    if (row_valid) begin
      last_rows[filled%Last] = row;
      filled = filled + 1;
    end

    if (busy) begin
      waited = waited + 1;
      if (started) begin
        taken  = 1'b1;
        waited = 0;
      end
      if (done) begin
        busy   = 1'b0;
        cycles = cycles + 64'(latency);
        if (result !== result_mem[number%Chunk]) begin
          $display("LIMBTRACE MISMATCH case=%0d latency=%0d result=%b", number, latency, result);
          $display("LIMBTRACE expected %h, seen %h", result_mem[number%Chunk], result);
          show_rows();
          over = 1'b1;
        end
        number = number + 1;
      end else if (waited > limit) begin
        $display("LIMBTRACE HANG case=%0d taken=%0d waited=%0d", number, taken, waited);
        show_rows();
        busy = 1'b0;
        over = 1'b1;
      end
    end

    if (valid & ready) valid <= 1'b0;
    if (!over && !busy && up && number == cases) begin
      $display("LIMBTRACE PASS cases=%0d cycles=%0d", cases, cycles);
      over = 1'b1;
    end
    if (over) begin
      $finish;
    end else if (!busy && up) begin
      if (number % Chunk == 0) read_chunk();
      a <= a_mem[number%Chunk];
      b <= b_mem[number%Chunk];
      valid  <= 1'b1;
      busy   = 1'b1;
      taken  = 1'b0;
      filled = 0;
      waited = 0;
    end
  end

endmodule

`default_nettype wire
