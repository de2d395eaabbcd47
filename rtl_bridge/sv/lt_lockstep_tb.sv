// SPDX-License-Identifier: Apache-2.0
//
// Testbench for lock-step runs: cocotb writes a product into `job` and toggles `go`; the clock runs
// here, and cocotb sleeps until `wake` toggles, at the first edge and then once a product. What is
// watched goes into a file, which is quicker than any signal:
//
//   +rows=FILE   rows of the last product: the number of the cycle, then {registers,
//                combinational}, both as %z writes them: for every 32 bits, low ones first, a word
//                of values and a word that says which of them are no values
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
  parameter int RegW    = 1,
  parameter int CycleW  = 32,  // bits of the number of a cycle
  // Positions in `outcome`
  parameter int TakenAt   = 0,
  parameter int LateAt    = 0,
  parameter int UnknownAt = 0,
  parameter int OctetsAt  = 0,
  parameter int LatencyAt = 0,
  parameter int RuleAt    = 0,
  parameter int LevelAt   = 0,
  parameter int SinceAt   = 0,
  parameter int RuleCycleAt = 0,
  parameter int EarlyAt   = 0,
  parameter int StruckAt  = 0,
  parameter int ResultAt  = 0
);

  localparam logic [31:0] Patience = 32'd1000;  // cycles without a product
  localparam logic [31:0] LongIdle = 32'd1024;  // nothing changes on the inputs in a longer rest

  // verilator tracing_off
  // Written by cocotb; the first five while the reset lasts.
  logic [ConstW-1:0] constants      /*verilator public_flat_rw*/;
  logic [31:0]       limit          /*verilator public_flat_rw*/;  // most cycles to wait
  logic [15:0]       stall_seed     /*verilator public_flat_rw*/;
  logic [31:0]       first          /*verilator public_flat_rw*/;  // number of the first product
  logic [31:0]       size           /*verilator public_flat_rw*/;  // products in one `job`
  logic [AW+BW-1:0]  job            /*verilator public_flat_rw*/;  // {b, a}
  logic              go             /*verilator public_flat_rw*/;
  logic [31:0]       idle_cycles    /*verilator public_flat_rw*/;  // in front of it
  logic              last           /*verilator public_flat_rw*/;  // no product after them
  // How the product in `job` is disturbed
  logic              extra_offers   /*verilator public_flat_rw*/;  // offers while the core works
  logic              unknown_inputs /*verilator public_flat_rw*/;  // don't-care inputs are x
  logic              new_constants  /*verilator public_flat_rw*/;
  logic [1:0]        prefix_count   /*verilator public_flat_rw*/;  // products right before it
  logic [3:0]        in_done_cycle  /*verilator public_flat_rw*/;  // starts in a done cycle
  logic [6:0]        gap            /*verilator public_flat_rw*/;  // in front of the other starts
  logic [7:0]        result_stall   /*verilator public_flat_rw*/;  // cycles
  logic              read_early     /*verilator public_flat_rw*/;
  logic              reload_first   /*verilator public_flat_rw*/;  // operands, before it is read
  logic              read_backwards /*verilator public_flat_rw*/;
  logic [3:0]        load_order     /*verilator public_flat_rw*/;
  logic [1:0]        load_skip      /*verilator public_flat_rw*/;  // {b, a}
  logic              load_ahead     /*verilator public_flat_rw*/;
  logic              stray_writes   /*verilator public_flat_rw*/;  // to the memory of a busy core
  logic              reset_early    /*verilator public_flat_rw*/;  // before the core has taken it
  logic [15:0]       seed           /*verilator public_flat_rw*/;  // 0: it is not
  // Cycle in which a reset begins, counted back from the done cycle of the last product if from_end
  logic [31:0]       reset_at       /*verilator public_flat_rw*/;
  logic              reset_from_end /*verilator public_flat_rw*/;
  logic [7:0]        reset_cycles   /*verilator public_flat_rw*/;  // 0: there is none

  // Read by cocotb. outcome: result; latency; octets of the file that are rows; Taken: the core
  // took the product; Late: the time was up; Unknown: done is unknown, and latency the cycle in
  // which it is, or whether the core takes the product is; Struck: a reset has ended it, and
  // nothing else is known of it
  logic                        wake    /*verilator public_flat_rw*/;
  logic [ResultAt+ResultW-1:0] outcome /*verilator public_flat_rw*/;
  // How often the core was disturbed
  logic [31:0]                 offers  /*verilator public_flat_rw*/;  // refused or early ones
  logic [31:0]                 resets  /*verilator public_flat_rw*/;
  logic [31:0]                 noises  /*verilator public_flat_rw*/;  // cycles of unknown inputs
  logic [31:0]                 waits   /*verilator public_flat_rw*/;  // cycles of stalls
  logic [31:0]                 chained /*verilator public_flat_rw*/;  // back-to-back starts
  logic [31:0]                 holds   /*verilator public_flat_rw*/;  // cycles that a result waited
  logic [31:0]                 rests   /*verilator public_flat_rw*/;  // idle cycles
  logic [31:0]                 strays  /*verilator public_flat_rw*/;  // writes to a busy core

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
  logic               ready, started, front, finished, done, store;
  logic [ResultW-1:0] result;
  logic [RegW+CombW-1:0] sampled;
  logic [7:0]            rule;        // of lt_monitor
  logic [63:0]           rule_level;
  logic [1:0]            rule_since;
  logic [31:0]           rule_cycle;
  logic [31:0]           early;
  logic               sample;
  logic               row_valid;
  logic [CycleW-1:0]  cycle;
  logic [CycleW-1:0]  latency;
  logic [7:0]         again;  // cycles of reset to come in the middle of a product
  logic [31:0]        turn;   // number of the first product of the job at work

  logic [31:0]        resting;  // idle cycles that are left in front of the product

  wire disturbed = (seed != '0);
  wire reset = rst | (again != '0);

  // verilator tracing_on
  lt_shell u_shell (
    .clk_i       (clk),
    .rst_i       (reset),
    .stall_seed_i(stall_seed),
    .disturb_i   (extra_offers),
    .prefix_count_i(prefix_count),
    .in_done_cycle_i(in_done_cycle),
    .gap_i       (gap),
    .result_stall_i(result_stall),
    .read_early_i(read_early),
    .reload_first_i(reload_first),
    .read_backwards_i(read_backwards),
    .load_order_i(load_order),
    .load_skip_i (load_skip),
    .load_ahead_i(load_ahead),
    .write_i     (stray_writes),
    .unknown_i   (unknown_inputs & (resting <= LongIdle)),
    .renew_i     (new_constants),
    .seed_i      (seed),
    .turn_i      (turn),
    .constants_i (constants),
    .a_i         (job[AW-1:0]),
    .b_i         (job[AW+BW-1:AW]),
    .valid_i     (valid),
    .ready_o     (ready),
    .started_o   (started),
    .prefix_started_o(front),
    .finished_o  (finished),
    .done_o      (done),
    .result_o    (result),
    .store_o     (store),
    .rule_o      (rule),
    .rule_level_o(rule_level),
    .rule_since_o(rule_since),
    .rule_cycle_o(rule_cycle),
    .early_o     (early),
    .sample_i    (sample),
    .row_o       (sampled)
  );

  // verilator tracing_off
  lt_rows #(.CycleW(CycleW)) u_rows (
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
  logic [31:0] number;  // of the job at work, for those who read the log
  logic        seen;    // `go` of the product at work
  integer      octets;
  logic        busy, taken, late, unknown;
  logic        strange;  // unknown, to be said when the rows up to here are there
  logic        whole;   // a reset may strike it
  logic        overdue; // it is done, and its reset has not come: that strikes the result
  logic        struck;  // its reset is under way
  logic [31:0] usual;   // cycles that the last product took
  logic [31:0] strike;  // cycle of its reset
  logic        extra;   // an extra offer stood in the cycle before

  // Nothing to do for a product but to wait: in most cycles.
  wire quiet = (started === 1'b0) & (front === 1'b0) & (finished === 1'b0) & ~done & ~strange;

  initial begin
    waited  = '0;
    idle    = '0;
    number  = '1;
    turn    = '0;
    resting = '0;
    idle_cycles = '0;
    last    = 1'b0;
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
    {extra_offers, unknown_inputs, new_constants, seed, reset_at, reset_cycles} = '0;
    {prefix_count, result_stall, stray_writes, reset_early, reset_from_end} = '0;
    {in_done_cycle, gap, read_early, reload_first, read_backwards} = '0;
    {load_order, load_skip, load_ahead} = '0;
    {chained, holds, rests, strays} = '0;
    offers  = '0;
    resets  = '0;
    noises  = '0;
    waits   = '0;
    whole   = 1'b0;
    overdue = 1'b0;
    struck  = 1'b0;
    usual   = '0;
    extra   = 1'b0;
  end

  // verilator lint_off BLKSEQ
  task automatic forget_rows;
    if ($rewind(rows) != 0) $fatal(1, "the file of rows cannot be rewound");
  endtask

  task automatic tell;
    octets  = $ftell(rows);
    outcome[ResultAt +: ResultW] = result;
    outcome[LatencyAt +: CycleW] = unknown ? CycleW'(waited - 32'd2) : latency;
    outcome[OctetsAt +: 32]      = octets;
    outcome[UnknownAt]           = unknown;
    outcome[LateAt]              = late;
    outcome[TakenAt]             = taken;
    outcome[StruckAt]            = struck;
    outcome[EarlyAt +: 32]       = early;
    outcome[RuleAt +: 8]         = rule;
    outcome[LevelAt +: 64]       = rule_level;
    outcome[SinceAt +: 2]        = rule_since;
    outcome[RuleCycleAt +: 32]   = rule_cycle;
    busy    = 1'b0;
    struck  = 1'b0;
    wake    <= ~wake;
    $fflush(rows);
  endtask

  // Blocking, so that all that cocotb reads is there when `wake` changes.
  always @(posedge clk) begin
    if (row_valid) $fwrite(rows, "%z", {sampled, cycle});

    if (resting != '0) begin
      resting = resting - 32'd1;
      if (!last) rests = rests + 32'd1;
      if (resting == '0 && last) tell();
      else if (resting == '0) valid <= 1'b1;
    end else if (busy) begin
      waited = waited + 32'd1;
      if (!quiet || waited > limit) begin
        if (started | front) $display("LIMBTRACE TAKEN %0d %0d", number, $time);
        if (started) begin
          taken  = 1'b1;
          waited = '0;
          forget_rows();
        end
        if (finished) begin
          overdue = whole & (waited <= strike);
          usual   = waited;
          waited  = '0;
          whole   = 1'b0;
        end
        unknown = strange;
        strange = (taken ? finished : started) === 1'bx;
        late    = unknown | (~done & (waited > limit));
        if (done | late) begin
          tell();
        end
      end
    end else begin
      if (!rst & !up) wake <= 1'b1;  // tells cocotb that the signals have their initial values
      // No time passes while cocotb works: after so many cycles there is no cocotb.
      idle = idle + 32'd1;
      if (idle == Patience) $fatal(1, "this testbench is given no products");
      if (up && go != seen) begin
        seen    = go;
        number  = number + 32'd1;
        turn   <= first + number * size;
        idle    = '0;
        busy    = 1'b1;
        taken   = 1'b0;
        strange = 1'b0;
        waited  = '0;
        late    = 1'b0;
        unknown = 1'b0;
        whole   = 1'b1;
        resting = idle_cycles;
        valid  <= (idle_cycles == '0);
        forget_rows();
      end
    end

    if (valid & ready & ~reset) valid <= 1'b0;
    strike = !reset_from_end ? reset_at : (usual > reset_at) ? usual - reset_at : '0;
    if (disturbed & up) begin
      if (again != '0) again <= again - 8'd1;
      if (struck && again == 8'd1) tell();
      if (busy & (taken != reset_early) & (reset_cycles != '0) & (resting == '0) &
          (overdue | (whole & (waited == strike)))) begin
        again  <= reset_cycles;
        valid  <= 1'b0;
        struck = 1'b1;
        whole  = 1'b0;
        taken  = 1'b0;
        waited = '0;
        resets = resets + 32'd1;
      end
      overdue = 1'b0;
      // Not added as they are: an unknown bit would spoil the count.
      if (u_shell.u_sequencer.extra_o & ~u_shell.other & ~extra) offers = offers + 32'd1;
      if (u_shell.early === 1'b1) offers = offers + 32'd1;
      if (u_shell.noisy & busy) noises = noises + 32'd1;
      if (u_shell.waits) waits = waits + 32'd1;
      if (u_shell.u_sequencer.prefix_done === 1'b1) chained = chained + 32'd1;
      if (u_shell.u_sequencer.wait_q != '0) holds = holds + 32'd1;
      if (u_shell.stray === 1'b1) strays = strays + 32'd1;
      extra = u_shell.u_sequencer.extra_o;
    end
  end

endmodule

`default_nettype wire
