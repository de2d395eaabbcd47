// SPDX-License-Identifier: Apache-2.0
//
// Testbench without Python: operands, results and, where asked for, the rows of every cycle come
// from $readmemh files of at most Chunk lines and are compared here. Runs in any simulator.
//
//   +folder=DIR  constants.hex, and for file c of up to Chunk cases a.c.hex, b.c.hex, result.c.hex
//   +cases=N     cases in all files together
//   +rows=N      cycles of a product, from start to done; its rows are compared with rows.c.hex,
//                which hold those of all cases one after the other, under the masks of mask.c.hex,
//                which hold those of one case. 0, or not given: results only. A row there has no
//                cycle number; its words of 64 bits stand on one line, low word first, because
//                simulators take long to read wide words
//   +skip=N      cases in front that are not run; 0, or not given: none
//   +limit=N     most cycles to wait for the core
//   +most=N      most cycles of a product, from start to done; 0, or not given: any number
//   +products=N  products of a case, whose results stand side by side, the first in the low bits;
//                +width=N bits each, in words of +word=N bits; +first=N is the number of the first
//                product of all
//   +stalls=N    seed of the stalls; 0, or not given: none
//   +tail=N      idle cycles after the last case, in which the handshake is still looked at
//   +marks       prints TAKEN, the case counted from the first that is run, and the time when the
//                core takes it, or its prefix
//   +waves=FILE  waveform of the core
//
// Prints lines that begin with LIMBTRACE: PASS, with EARLY behind it if the core was done before
// the first product, or at the first difference MISMATCH or HANG with what differs and the last
// rows before it, or RULE where the handshake broke one of its rules; in long runs AT every now
// and then, as a sign of life.
//
// If there is signals.txt, a row that differs is taken apart: "place width name" of every signal
// in it, the one to be named first in front. products.txt has for each of them the places in the
// case of the products that it belongs to in every cycle; without it there is only one. rules.txt
// has "number name level" of every rule of the handshake.

// First in order of compilation: the time unit holds for all files after it.
`timescale 1ns / 1ns
`default_nettype none

module lt_files_tb #(
  parameter int ConstW  = 1,
  parameter int AW      = 1,
  parameter int BW      = 1,
  parameter int ResultW = 1,
  parameter int CombW   = 1,
  parameter int RegW    = 1,
  parameter int CycleW  = 32,  // bits of the number of a cycle
  parameter int Chunk   = 4096
);

  localparam int RowW = (RegW + CombW + CycleW + 7) / 8 * 8;
  localparam int Words = (RowW - CycleW + 63) / 64;  // of a golden row, which has no cycle number
  localparam int Last = 16;  // rows kept to be shown at a difference

  // verilator tracing_off
  string folder, file;
  int    cases, skip, rows, limit, most, products, width, word_width, first, tail;

  int          number;     // case at work
  int          row_file;   // golden rows: the file to be read next, the place in the one at hand
  int          row_place;
  logic [63:0] rows_left;  // golden rows in files that were not read yet

  logic               marks;
  logic [15:0]        stall_seed;
  // verilator tracing_off
  logic [ConstW-1:0]  constants_mem [1];
  logic [AW-1:0]      a_mem         [Chunk];
  logic [BW-1:0]      b_mem         [Chunk];
  logic [ResultW-1:0] result_mem    [Chunk];
  logic [63:0]        rows_mem      [Chunk*Words];
  logic [63:0]        mask_mem      [Chunk*Words];
  logic [RowW-1:0]    last_rows     [Last];

  logic clk, rst, up;

  lt_clock u_clock (
    .clk_o  (clk),
    .rst_o  (rst),
    .ready_o(up)
  );

  initial begin : settings
    if (!$value$plusargs("folder=%s", folder)) folder = ".";
    if (!$value$plusargs("cases=%d", cases)) cases = 0;
    if (!$value$plusargs("skip=%d", skip)) skip = 0;
    if (!$value$plusargs("rows=%d", rows)) rows = 0;
    if (!$value$plusargs("limit=%d", limit)) limit = 1000000;
    if (!$value$plusargs("most=%d", most)) most = 0;
    if (!$value$plusargs("stalls=%d", stall_seed)) stall_seed = '0;
    if (!$value$plusargs("products=%d", products)) products = 1;
    if (!$value$plusargs("width=%d", width)) width = ResultW;
    if (!$value$plusargs("word=%d", word_width)) word_width = ResultW;
    if (!$value$plusargs("first=%d", first)) first = 0;
    if (!$value$plusargs("tail=%d", tail)) tail = 0;
    marks = ($test$plusargs("marks") != 0);
    number    = skip;
    rows_left = 64'(skip) * 64'(rows);  // up to there
    row_file  = int'(rows_left / 64'(Chunk));
    row_place = int'(rows_left % 64'(Chunk));
    rows_left = 64'(cases) * 64'(rows) - 64'(row_file) * 64'(Chunk);
    $readmemh({folder, "/constants.hex"}, constants_mem);
    if ($value$plusargs("waves=%s", file)) begin
      $dumpfile(file);
      $dumpvars(0, u_shell.u_core);
    end
  end

  logic [31:0]        turn;
  logic [AW-1:0]      a;
  logic [BW-1:0]      b;
  logic               valid;
  logic               ready, started, front, finished, done, store, sample;
  logic [ResultW-1:0] result;
  logic [7:0]            rule;        // of lt_monitor
  logic [63:0]           rule_level;
  logic [1:0]            rule_since;
  logic [31:0]           rule_cycle;
  logic [31:0]           early;
  logic [RegW+CombW-1:0] sampled;
  logic               row_valid;
  logic [CycleW-1:0]  cycle;
  logic [RowW-1:0]    row;
  logic [CycleW-1:0]  latency;

  // verilator tracing_on
  lt_shell u_shell (
    .clk_i       (clk),
    .rst_i       (rst),
    .stall_seed_i(stall_seed),
    .disturb_i   (1'b0),
    .prefix_count_i(2'd0),
    .in_done_cycle_i(4'd0),
    .gap_i       (7'd0),
    .result_stall_i(8'd0),
    .read_early_i(1'b0),
    .reload_first_i(1'b0),
    .read_backwards_i(1'b0),
    .load_order_i(4'd0),
    .load_skip_i (2'd0),
    .load_ahead_i(1'b0),
    .write_i     (1'b0),
    .unknown_i   (1'b0),
    .renew_i     (1'b0),
    .seed_i      (16'd0),
    .turn_i      (turn),
    .constants_i (constants_mem[0]),
    .a_i         (a),
    .b_i         (b),
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
    .rst_i      (rst),
    .started_i  (started),
    .finished_i (finished),
    .store_i    (store),
    .sample_o   (sample),
    .row_valid_o(row_valid),
    .cycle_o    (cycle),
    .latency_o  (latency)
  );

  int          filled;     // rows seen of this case; the first is that of cycle -1
  int          waited;     // cycles since the product was offered, then since it was taken
  int          mask_file;  // masks: the file at hand
  logic        busy, taken, finish, settled, late, slow, unknown, strange, differs, over;
  logic        rows_here;  // golden rows of the file at hand are read
  logic [63:0] cycles;
  logic [63:0] age;        // cycles of the run
  logic [63:0] word;
  logic [Words*64-1:0] signals;  // row without its number
  int                  wrong_row;  // the first that differs, -1 where none does
  logic [Words*64-1:0] wrong, wanted, cared;  // it, the golden one, its mask

  initial begin
    filled    = 0;
    waited    = 0;
    rows_here = 1'b0;
    mask_file = -1;
    wrong_row = -1;
    busy      = 1'b0;
    taken     = 1'b0;
    finish    = 1'b0;
    settled   = 1'b0;
    late      = 1'b0;
    slow      = 1'b0;
    unknown   = 1'b0;
    strange   = 1'b0;
    differs   = 1'b0;
    over      = 1'b0;
    cycles    = '0;
    age       = '0;
    valid     = 1'b0;
  end

  // verilator lint_off BLKSEQ
  // Blocking: this is a program that happens to run once a cycle.

  // Last place of a file that holds the next of `left` words.
  function automatic int last_place(input logic [63:0] left);
    last_place = (left < 64'(Chunk)) ? int'(left) - 1 : Chunk - 1;
  endfunction

  task automatic read_cases;
    int last, here;
    here = number / Chunk * Chunk;
    last = last_place(64'(cases - here));
    file = $sformatf("%0s/a.%0d.hex", folder, number / Chunk);
    $readmemh(file, a_mem, 0, last);
    file = $sformatf("%0s/b.%0d.hex", folder, number / Chunk);
    $readmemh(file, b_mem, 0, last);
    file = $sformatf("%0s/result.%0d.hex", folder, number / Chunk);
    $readmemh(file, result_mem, 0, last);
  endtask

  task automatic compare_row(input int at);
    if (row_place == 0 || !rows_here) begin
      rows_here = 1'b1;
      file = $sformatf("%0s/rows.%0d.hex", folder, row_file);
      $readmemh(file, rows_mem, 0, (last_place(rows_left) + 1) * Words - 1);
      rows_left = rows_left - 64'(Chunk);
      row_file  = row_file + 1;
    end
    if (mask_file != at / Chunk) begin
      mask_file = at / Chunk;
      file      = $sformatf("%0s/mask.%0d.hex", folder, mask_file);
      $readmemh(file, mask_mem, 0, (last_place(64'(rows - at)) + 1) * Words - 1);
    end
    signals = (Words * 64)'(row[RowW-1:CycleW]);
    for (int k = 0; k < Words; k++) begin
      word = signals[k*64 +: 64] & mask_mem[(at%Chunk)*Words+k];
      if (word !== rows_mem[row_place*Words+k]) differs = 1'b1;
    end
    if (differs && wrong_row < 0) begin
      wrong_row = at;
      wrong     = signals;
      for (int k = 0; k < Words; k++) begin
        wanted[k*64 +: 64] = rows_mem[row_place*Words+k];
        cared[k*64 +: 64]  = mask_mem[(at%Chunk)*Words+k];
      end
    end
    row_place = (row_place + 1) % Chunk;
  endtask

  // Names the first signal of the row that differs.
  task automatic show_row;
    int   names, places, offset, bits, place, next;
    logic [8*64-1:0] name;  // $fscanf of Icarus 11 takes no string
    logic [Words*64-1:0] low, golden, seen;
    logic found;
    names  = $fopen({folder, "/signals.txt"}, "r");
    places = $fopen({folder, "/products.txt"}, "r");
    found  = (names == 0);
    place  = 0;
    while (!found && $fscanf(names, "%d %d %s", offset, bits, name) == 3) begin
      for (int k = 0; places != 0 && k < rows; k++) begin
        if ($fscanf(places, "%d", next) == 1 && k == wrong_row) place = next;
      end
      low    = ((Words * 64)'(1) << bits) - (Words * 64)'(1);
      golden = (wanted >> offset) & low;
      seen   = (wrong >> offset) & (cared >> offset) & low;
      found  = (seen !== golden);
      if (found)
        $display("LIMBTRACE product %0d, cycle %0d, signal %0s: expected %0h, seen %0h",
                 first + number * products + place, wrong_row, name, golden, seen);
    end
  endtask

  // Names the first product whose result differs, and the lowest word of it that does.
  task automatic show_result;
    logic [ResultW-1:0] low, golden, seen;
    logic found;
    int   at;
    found = 1'b0;
    low   = ~({ResultW{1'b1}} << width);
    for (int k = 0; k < products && !found; k++) begin
      golden = (result_mem[number%Chunk] >> (k * width)) & low;
      seen   = (result >> (k * width)) & low;
      found  = (seen !== golden);
      if (found) begin
        at = 0;
        low = ~({ResultW{1'b1}} << word_width);
        while (((seen >> (at * word_width)) & low) === ((golden >> (at * word_width)) & low))
          at = at + 1;
        $display("LIMBTRACE product %0d, word %0d of the result: expected %0h, seen %0h",
                 first + number * products + k, at, golden, seen);
      end
    end
    if (!found) $display("LIMBTRACE a word that is none of any result");
  endtask

  // Names the output of the handshake that broke a rule, and what it should be.
  task automatic show_rule;
    int names, number_of;
    logic [64*8-1:0] name, level;
    names = $fopen({folder, "/rules.txt"}, "r");
    while (names != 0 && $fscanf(names, "%d %s %s", number_of, name, level) == 3) begin
      if (number_of == int'(rule)) begin
        $display("LIMBTRACE %0s: expected %0s, seen %0h, %0d cycles after %0s", name, level,
                 rule_level, rule_cycle, (rule_since < 2'd2) ? "a reset" : "the last start");
      end
    end
  endtask

  // `latency` has a meaning if the core has finished or if that is unknown.
  task automatic show_difference;
    $write("LIMBTRACE %0s case=%0d taken=%0d finished=%0d unknown=%0d latency=%0d ",
           late ? "HANG" : "MISMATCH", number, taken, finish, unknown,
           unknown ? waited - 2 : int'(latency));
    $display("rows=%0d cycles=%0d result=%b", filled, cycles, result);
    if (slow) $display("LIMBTRACE done after %0d cycles, and the limit is %0d", latency, most);
    if (wrong_row >= 0) show_row();
    else if (done && result !== result_mem[number%Chunk]) show_result();
    for (int k = (filled > Last) ? filled - Last : 0; k < filled; k++)
      $display("LIMBTRACE ROW %b", last_rows[k%Last]);
  endtask

  always @(posedge clk) begin
    age = age + 64'd1;
    if (age[15:0] == '0) begin
      $display("LIMBTRACE AT case=%0d cycle=%0d", number, age);
      $fflush;
    end

    if (row_valid & up) begin
      row = RowW'({sampled, cycle});
      last_rows[filled%Last] = row;
      if (filled > 0 && filled <= rows) compare_row(filled - 1);
      filled = filled + 1;
    end

    if (busy) begin
      settled = finish;  // `latency` is there one cycle after `finished`
      slow = settled && most != 0 && latency > CycleW'(most);
      if (slow || (settled && rows != 0 && latency != CycleW'(rows))) differs = 1'b1;
      waited = waited + 1;
      if (marks && (started | front)) $display("LIMBTRACE TAKEN %0d %0d", number - skip, $time);
      if (started) begin
        taken  = 1'b1;
        waited = 0;
      end
      unknown = strange;  // said when the rows up to there are here
      if (taken && !finish) begin
        finish  = (finished === 1'b1);
        strange = (finished === 1'bx);
      end
      late = !done && (waited > limit || (rows != 0 && taken && !finish && waited > rows + 1));
      if (done && result !== result_mem[number%Chunk]) differs = 1'b1;
      if ((differs && finish == settled) || late || unknown) begin
        show_difference();
        over = 1'b1;
      end else if (done && !differs) begin
        busy   = 1'b0;
        cycles = cycles + 64'(latency);
        number = number + 1;
      end
    end

    if (valid & ready) valid <= 1'b0;
    if (!over && rule != '0) begin
      $display("LIMBTRACE RULE case=%0d rule=%0d level=%b since=%0d cycle=%0d cycles=%0d",
               (number == skip) ? number : number - 32'(!busy),
               rule, rule_level, rule_since, rule_cycle, cycles);
      show_rule();
      over = 1'b1;
    end
    if (!over && !busy && up && number == cases && tail > 0) begin
      tail = tail - 1;
    end else if (!over && !busy && up && number == cases) begin
      $display("LIMBTRACE PASS cases=%0d cycles=%0d", cases, cycles);
      if (early != '0) $display("LIMBTRACE EARLY cycle=%0d", early - 32'd1);
      over = 1'b1;
    end
    if (over) begin
      $finish;
    end else if (!busy && up && number != cases) begin
      if (number % Chunk == 0 || number == skip) read_cases();
      turn <= first + number * products;
      a <= a_mem[number%Chunk];
      b <= b_mem[number%Chunk];
      valid  <= 1'b1;
      busy   = 1'b1;
      taken  = 1'b0;
      finish = 1'b0;
      filled = 0;
      waited = 0;
    end
  end

endmodule

`default_nettype wire
