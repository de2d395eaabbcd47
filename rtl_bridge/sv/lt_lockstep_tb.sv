// SPDX-License-Identifier: Apache-2.0
//
// Testbench for lock-step runs: cocotb writes a product into `job` and toggles `go`; the clock runs
// here, and cocotb sleeps until `wake` toggles, at the first edge and then once a product. What is
// watched goes into a file, which is quicker than any signal:
//
//   +rows=FILE   rows of the last product: the number of the cycle, then {registers, combinational},
//                both as %z writes them: for every 32 bits, low ones first, a word of values and a
//                word that says which of them are no values
//   +waves=FILE  waveform of the core

// First in order of compilation: the time unit holds for all files after it.
`timescale 1ns / 1ns
`default_nettype none

module lt_lockstep_tb #(
  parameter int ConstW  = 1,
  parameter int AW      = 1,
  parameter int BW      = 1,
  parameter int ResultW = 1,
  parameter int CombW   = 1,
  parameter int RegW    = 1
);

  // verilator tracing_off
  // Written by cocotb; the first three while the reset lasts.
  logic [ConstW-1:0]     constants  /*verilator public_flat_rw*/;
  logic [31:0]           limit      /*verilator public_flat_rw*/;  // most cycles to wait
  logic [15:0]           stall_seed /*verilator public_flat_rw*/;
  logic [AW+BW-1:0]      job        /*verilator public_flat_rw*/;  // {b, a}
  logic                  go         /*verilator public_flat_rw*/;
  // Disturbances of the product in `job`: {cycles of reset, cycle in which they begin, for the shell}
  logic [8+32+19-1:0]    disturb    /*verilator public_flat_rw*/;

  // Read by cocotb. outcome = {result, latency, octets of the file that are rows, flags};
  // flags: 0 the core took the product, 1 the time was up, 2 done is unknown (and `latency` the
  // cycle in which it is), or whether the core takes the product
  logic                        wake    /*verilator public_flat_rw*/;
  logic [ResultW+32+32+8-1:0]  outcome /*verilator public_flat_rw*/;
  // How often the core was disturbed
  logic [31:0]                 offers  /*verilator public_flat_rw*/;  // refused or early ones
  logic [31:0]                 resets  /*verilator public_flat_rw*/;
  logic [31:0]                 noises  /*verilator public_flat_rw*/;  // cycles of unknown inputs
  logic [31:0]                 waits   /*verilator public_flat_rw*/;  // cycles of stalls

  logic clk, rst, up;

  lt_clock u_clock (
    .clk_o  (clk),
    .rst_o  (rst),
    .ready_o(up)
  );

  integer rows;
  string  file;

  initial begin : files
    if (!$value$plusargs("rows=%s", file)) file = "rows.bin";
    rows = $fopen(file, "wb");
    if (rows == 0) $fatal(1, "%0s cannot be written", file);
    if ($value$plusargs("waves=%s", file)) begin
      $dumpfile(file);
      $dumpvars(0, u_shell.u_core);
    end
  end

  logic               valid;
  logic               ready, started, finished, done, store;
  logic [ResultW-1:0] result;
  logic [RegW+CombW-1:0] sampled;
  logic               sample;
  logic               row_valid;
  logic [31:0]        cycle;
  logic [31:0]        latency;
  logic [7:0]         again;  // cycles of reset to come in the middle of a product

  wire disturbed = |disturb;
  wire reset = rst | (again != '0);

  // verilator tracing_on
  lt_shell u_shell (
    .clk_i       (clk),
    .rst_i       (reset),
    .stall_seed_i(stall_seed),
    .disturb_i   (disturb[18:0]),
    .constants_i (constants),
    .a_i         (job[AW-1:0]),
    .b_i         (job[AW+BW-1:AW]),
    .valid_i     (valid),
    .ready_o     (ready),
    .started_o   (started),
    .finished_o  (finished),
    .done_o      (done),
    .result_o    (result),
    .store_o     (store),
    .sample_i    (sample),
    .row_o       (sampled)
  );

  // verilator tracing_off
  lt_rows u_rows (
    .clk_i      (clk),
    .rst_i      (reset),
    .started_i  (started),
    .finished_i (finished),
    .store_i    (store),
    .sample_o   (sample),
    .row_valid_o(row_valid),
    .cycle_o    (cycle),
    .latency_o  (latency)
  );

  logic [31:0] waited;  // cycles since the product was offered, then since it was taken
  logic [31:0] idle;    // cycles without a product
  logic        seen;    // `go` of the product at work
  integer      octets;
  logic        busy, taken, late, unknown;
  logic        strange;  // unknown, to be said when the rows up to here are there
  logic        whole;   // a reset may strike it
  logic        extra;   // an extra offer stood in the cycle before

  // Nothing to do for a product but to wait: in most cycles.
  wire quiet = (started === 1'b0) & (finished === 1'b0) & ~done & ~strange;

  initial begin
    waited  = '0;
    idle    = '0;
    seen    = 1'b0;
    busy    = 1'b0;
    taken   = 1'b0;
    late    = 1'b0;
    unknown = 1'b0;
    strange = 1'b0;
    wake    = 1'b0;
    valid   = 1'b0;
    go      = 1'b0;
    again   = '0;
    disturb = '0;
    offers  = '0;
    resets  = '0;
    noises  = '0;
    waits   = '0;
    whole   = 1'b0;
    extra   = 1'b0;
  end

  // verilator lint_off BLKSEQ
  task automatic forget_rows;
    if ($rewind(rows) != 0) $fatal(1, "the file of rows cannot be rewound");
  endtask

  // Blocking, so that all that cocotb reads is there when `wake` changes.
  always @(posedge clk) begin
    if (row_valid) $fwrite(rows, "%z", {sampled, cycle});

    if (busy) begin
      waited = waited + 32'd1;
      if (!quiet || waited > limit) begin
        if (started) begin
          taken  = 1'b1;
          waited = '0;
          forget_rows();
        end
        if (finished) begin
          waited = '0;
          whole  = 1'b0;
        end
        unknown = strange;
        strange = (taken ? finished : started) === 1'bx;
        late    = unknown | (~done & (waited > limit));
        if (done | late) begin
          octets  = $ftell(rows);
          outcome = {result, unknown ? waited - 32'd2 : latency, octets, 5'd0, unknown, late, taken};
          busy    = 1'b0;
          wake    <= ~wake;
          $fflush(rows);
        end
      end
    end else begin
      if (!rst & !up) wake <= 1'b1;  // tells cocotb that the signals have their initial values
      // No time passes while cocotb works: who waits this long has no cocotb.
      idle = idle + 32'd1;
      if (idle == 32'd1000) $fatal(1, "nobody gives products to this testbench");
      if (up && go != seen) begin
        seen    = go;
        idle    = '0;
        busy    = 1'b1;
        taken   = 1'b0;
        strange = 1'b0;
        waited  = '0;
        whole   = 1'b1;
        valid  <= 1'b1;
        forget_rows();
      end
    end

    if (valid & ready & ~reset) valid <= 1'b0;
    if (disturbed) begin
      if (again != '0) again <= again - 8'd1;
      if (busy & taken & whole & (waited == disturb[19 +: 32]) & (disturb[51 +: 8] != '0)) begin
        again  <= disturb[51 +: 8];
        valid  <= 1'b1;
        whole  = 1'b0;
        taken  = 1'b0;
        waited = '0;
        resets = resets + 32'd1;
      end
      // Not added as they are: an unknown bit would spoil the count.
      if (u_shell.u_sequencer.extra_o & ~extra) offers = offers + 32'd1;
      if (u_shell.noisy & busy) noises = noises + 32'd1;
      if (u_shell.waits) waits = waits + 32'd1;
      extra = u_shell.u_sequencer.extra_o;
    end
  end

endmodule

`default_nettype wire
