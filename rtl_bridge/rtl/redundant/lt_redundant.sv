// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplication on redundant digits of two radices, 1, 2 or 3 products at once.
//
// Source: the redundant paper (its text has no title page), Algorithm 1 and section IV: digits of
// 24 and 17 bits for DSP blocks, no carry from digit to digit.
//
// With MA + 2 divisions by 2^R1 and R = 2^(R1*(MA+2)) the result is
//
//   S = (A*B + Q*M~) / R,  Q = -A*B/M~ mod R;   S < M~ + A*B/R, so S < 2M~ where A, B < 2M~
//
// M~ = M'*M, M' = -1/M mod 2^R1: M~ is -1 mod 2^R1. In iteration i = 0..MA+2
//
//   q = S mod 2^R1;  S <- (S + q*M~) / 2^R1 + a_i*B,   a_(MA+2) = 0 and S = 0 at first
//
// Ranges: M~ + 1 a multiple of 2^R1, 4M~ <= R, 2M~ <= 2^(R2*(MB+2)), R2 < R1 <= 2*R2 - 4. DS, the
// digits of S, is MB + 3; one more where S could overflow: with 22 and 15 bits for some moduli of
// n bits with n mod 15 = 0 or 14, a case that the paper does not have.
//
// Correction of the paper: the R1 bits that the division drops are 0 or 2^R1, which is c. They are
// 0 if the low R2 bits of S are: T_0 is the sum of these bits of S and of -S, which is 0 or 2^R2.
//
// Digits: A has MA + 2 of R1 + 2 bits, B has MB + 2 of R2 + 2 bits, M~ MB + 2 of R2 bits, low digit
// first; the two upper bits of a digit overlap the next one. A result has DS digits as those of B,
// of which the ones that B does not have are 0, so it can be a B as it is, without reduction.
// Operands and M~ stay for further products. A write while busy or with a start is ignored.
//
// Cycles: start_i is taken at an edge at which busy_o is low, for Ways products at once. After it
// come Ways*(MA+3) + Ways - 1 cycles of work: product w is in stage t of iteration i in cycle
// Ways*i + w + t. One way has one stage, MUL+ADD1+ADD2; two have MUL, ADD1+ADD2; three have MUL,
// ADD1, ADD2. done_o is high for the one cycle after them. busy_o is high while there is work, so
// results can be read from done_o up to the next start.
//
// Steady: the next products start as soon as stage 0 is free, every Ways*(MA+3) cycles. busy_o is
// high while a start would come too early. A, B and the results have 2*Ways slots, and half_i says
// which half a start is for: slots 0..Ways-1, or Ways..2*Ways-1. Writes to the half that stage 0
// has or gets are ignored, those to the other half are taken; M~ is locked as long as there is
// work. Results can be read up to the next ones of their half.
//
// Area: 2*MB + 4 DSP blocks. What stands in front of them and behind them goes into their own
// registers: M~, with one way B, with more the products. A, with more ways B, and with three the
// results are in LUT memory; with Steady all of these.
// Sums of three words and more are two carry chains, see lt_redundant_sum. What goes over from a
// digit of K or T to the next one stays in units, which the next chains take at their carry inputs.

`default_nettype none

module lt_redundant #(
  parameter int R1   = 22,  // bits of a digit of A and of q, without the two that overlap
  parameter int R2   = 15,  // of B, M~ and S
  parameter int MA   = 12,  // digits of M in radix 2^R1
  parameter int MB   = 18,  // in radix 2^R2
  parameter int DS   = 21,  // digits of S
  parameter int Ways = 1,   // products at once
  parameter int Steady = 0, // the next ones start while the last iterations are at work
  // derived from the others, not to be set
  parameter int Slots = (Steady != 0) ? 2 * Ways : Ways,
  parameter int SlotW = (Slots > 1) ? $clog2(Slots) : 1,
  parameter int AddrW = $clog2((DS > MA + 2) ? DS : MA + 2)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  // operands
  input wire logic             wr_en_i,
  input wire logic [1:0]       wr_sel_i,  // 0 = M~, 1 = A, 2 = B
  input wire logic [SlotW-1:0] wr_way_i,  // product that A or B is for
  input wire logic [AddrW-1:0] wr_addr_i,
  input wire logic [R1+1:0]    wr_data_i,

  input wire logic             start_i,
  input wire logic             half_i,    // of the slots, with Steady
  output     logic             busy_o,
  output     logic             done_o,

  // results
  input wire logic [SlotW-1:0] rd_way_i,
  input wire logic [AddrW-1:0] rd_addr_i,
  output     logic [R2+1:0]    rd_data_o
);

  localparam int D   = MB + 2;       // digits of B and M~
  localparam int Cut = R1 - R2;      // the division cuts digit 1 of T below this bit
  localparam int AW  = R1 + 2;       // bits of a digit of A,
  localparam int BW  = R2 + 2;       // of B, S, K, T and U,
  localparam int PW  = AW + BW;      // of a product
  localparam int TW  = PW - 2 * R2;  // of the upper one of its three slices
  localparam int IW  = $clog2(MA + 3);
  localparam int WayW = (Ways > 1) ? $clog2(Ways) : 1;

  localparam int SlotsW     = (Slots > 1) ? SlotW : 0;  // address bits
  localparam int AMemW      = AddrW + SlotsW;
  localparam int Registered = (Ways > 1) ? 1 : 0;

  localparam logic [IW-1:0]   LastIter = IW'(MA + 2);
  localparam logic [WayW-1:0] LastWay  = WayW'(Ways - 1);

  /////////////
  // Control //
  /////////////

  logic            mul_q, mul_d;    // an iteration is in stage 0
  logic [IW-1:0]   iter_q, iter_d;  // which one,
  logic [WayW-1:0] way_q, way_d;    // of which product
  logic            half_q, half_d;  // in which half of the slots
  logic            work;            // an iteration is in some stage
  logic            done_q;
  logic            take_start;
  logic            mul_last;
  logic            add2_en;         // one is in the last stage, which makes S
  logic            finish;          // the last one of all is

  assign busy_o     = (Steady != 0) ? mul_q & ~mul_last : work;
  assign take_start = start_i & ~busy_o;
  assign mul_last   = mul_q & (iter_q == LastIter) & (way_q == LastWay);
  assign done_o     = done_q;

  always_comb begin
    mul_d  = mul_q;
    iter_d = iter_q;
    way_d  = way_q;
    if (take_start) begin
      mul_d  = 1'b1;
      iter_d = '0;
      way_d  = '0;
    end else if (mul_q) begin
      mul_d = ~mul_last;
      way_d = (way_q == LastWay) ? '0 : way_q + WayW'(1);
      if (way_q == LastWay) iter_d = iter_q + IW'(1);
    end
    half_d = (Steady != 0) & (take_start ? half_i : half_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mul_q  <= 1'b0;
      iter_q <= '0;
      way_q  <= '0;
      half_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      mul_q  <= mul_d;
      iter_q <= iter_d;
      way_q  <= way_d;
      half_q <= half_d;
      done_q <= finish;
    end
  end

  generate
  if (Ways == 1) begin : gen_stages1
    assign work    = mul_q;
    assign add2_en = mul_q;
    assign finish  = mul_last;
  end else begin : gen_stages
    // One register a stage behind the first: {an iteration is there, the last one is}.
    logic [Ways-2:0] en_q, last_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        en_q   <= '0;
        last_q <= '0;
      end else begin
        en_q   <= (Ways - 1)'({en_q, mul_q});
        last_q <= (Ways - 1)'({last_q, mul_last});
      end
    end

    assign work    = mul_q | (|en_q);
    assign add2_en = en_q[Ways-2];
    assign finish  = last_q[Ways-2];
  end
  endgenerate

  //////////////
  // Operands //
  //////////////

  typedef enum logic [1:0] {
    SelM = 2'd0,
    SelA = 2'd1,
    SelB = 2'd2
  } sel_e;

  logic             m_take, ab_take;
  logic [SlotW-1:0] slot_q, slot_d;

  assign slot_q = SlotW'(way_q) + (half_q ? SlotW'(Ways) : '0);
  assign slot_d = SlotW'(way_d) + (half_d ? SlotW'(Ways) : '0);
  assign m_take = wr_en_i & ~work & ~start_i;

  generate
  if (Steady != 0) begin : gen_halves
    logic wr_half;

    assign wr_half = (32'(wr_way_i) >= 32'(Ways));
    assign ab_take = wr_en_i & ~(mul_q & (half_q == wr_half)) & ~(take_start & (half_i == wr_half));
  end else begin : gen_whole
    logic unused_slots;
    assign unused_slots = half_i ^ (^slot_q);
    assign ab_take = m_take;
  end
  endgenerate

  // A: all products in one memory, a digit of one of them at a time, read one cycle ahead into a
  // register, whose reset makes the last digit 0.
  (* ram_style = "distributed" *) logic [AW-1:0] a_mem [Slots * 2**AddrW];
  logic          a_we;
  logic [AW-1:0] a_q;  // a_i

  assign a_we = ab_take & (wr_sel_i == SelA);

  always_ff @(posedge clk_i) begin
    if (a_we) a_mem[AMemW'({wr_way_i, wr_addr_i})] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (iter_d == LastIter) a_q <= '0;
    else a_q <= a_mem[AMemW'({slot_d, AddrW'(iter_d)})];
  end

  // B: a memory a digit, with one word a product.
  logic [D*BW-1:0] b;
  logic [D*R2-1:0] m_q;  // M~

  // Write enables in two steps: of eight digits, and of one.
  localparam int Rows = (D + 7) / 8;

  logic [Rows-1:0] m_row, b_row;

  genvar n;
  generate
  for (n = 0; n < Rows; n++) begin : gen_row
    assign m_row[n] = m_take & (wr_sel_i == SelM) & ((wr_addr_i >> 3) == AddrW'(n));
    assign b_row[n] = ab_take & (wr_sel_i == SelB) & ((wr_addr_i >> 3) == AddrW'(n));
  end
  endgenerate

  genvar j;
  generate
  for (j = 0; j < D; j++) begin : gen_operand
    logic          here;
    logic          m_we, b_we;

    assign here = (3'(wr_addr_i) == 3'(j));
    assign m_we = here & m_row[j/8];
    assign b_we = here & b_row[j/8];

    always_ff @(posedge clk_i) begin
      if (m_we) m_q[j*R2+:R2] <= wr_data_i[R2-1:0];
    end

    if (Slots == 1) begin : gen_register
      logic [BW-1:0] b_q;

      always_ff @(posedge clk_i) begin
        if (b_we) b_q <= wr_data_i[BW-1:0];
      end

      assign b[j*BW+:BW] = b_q;
    end else begin : gen_memory
      (* ram_style = "distributed" *) logic [BW-1:0] b_mem [2**SlotW];

      always_ff @(posedge clk_i) begin
        if (b_we) b_mem[wr_way_i] <= wr_data_i[BW-1:0];
      end

      assign b[j*BW+:BW] = b_mem[slot_q];
    end
  end
  endgenerate

  //////////////////////////////////////
  // Quotient digit, partial products //
  //////////////////////////////////////

  // S, and S of one cycle before: the product that is one cycle behind in stage 0 needs its S again
  // in ADD1. Results of one way, or of two, are here in the end if there is no Steady.
  localparam int Sums = (Ways > 1) ? 2 : 1;

  // verilator lint_off UNUSEDSIGNAL
  // A result has fewer digits.
  logic [Sums*DS*BW-1:0] s_q;
  // verilator lint_on UNUSEDSIGNAL
  logic                  clear;    // the next iteration in stage 0 is the first one of its product
  logic [DS*BW-1:0]      s_next;
  logic [DS*BW-1:0]      s_added;  // S of the product in ADD1
  logic [R1-1:0]         quot;     // q
  logic [D*PW-1:0]       p;        // P_j = a_i*B_j
  logic [D*PW-1:0]       w;        // W_j = q*M~_j

  assign s_added = s_q[((Ways > 1) ? DS*BW : 0)+:DS*BW];
  assign quot    = {s_q[BW+:Cut] + Cut'(s_q[R2+:2]), s_q[R2-1:0]};

  generate
  for (j = 0; j < D; j++) begin : gen_product
    lt_redundant_dsp #(.XW(AW), .YW(BW), .PReg(Registered)) u_p (
      .clk_i(clk_i), .x_i(a_q), .y_i(b[j*BW+:BW]), .p_o(p[j*PW+:PW])
    );
    lt_redundant_dsp #(.XW(AW), .YW(BW), .PReg(Registered)) u_w (
      .clk_i(clk_i), .x_i(AW'(quot)), .y_i(BW'(m_q[j*R2+:R2])), .p_o(w[j*PW+:PW])
    );
  end
  endgenerate

  //////////////////////
  // ADD1: digit sums //
  //////////////////////

  // verilator lint_off UNUSEDSIGNAL
  // With zeros for the digits that are not there; of those at the ends not all slices are wanted.
  logic [(DS+3)*PW-1:0] p_pad;  // P_-2 .. P_DS
  logic [(DS+3)*PW-1:0] w_pad;
  logic [(DS+2)*BW-1:0] s_pad;  // S_-1 .. S_DS
  // verilator lint_on UNUSEDSIGNAL
  // Digits of K and T: R2 bits, and three units of the next digit.
  logic [DS*R2-1:0]     k_low_sum, k_low;
  logic [DS*3-1:0]      k_units_sum, k_units;
  logic [(DS+1)*R2-1:0] t_low_sum, t_low;
  logic [(DS+1)*3-1:0]  t_units_sum, t_units;

  assign p_pad = ((DS + 3) * PW)'({p, (2 * PW)'(0)});
  assign w_pad = ((DS + 3) * PW)'({w, (2 * PW)'(0)});
  assign s_pad = ((DS + 2) * BW)'({s_added, BW'(0)});

  generate
  for (j = 0; j < DS; j++) begin : gen_k
    lt_redundant_sum #(.W(R2)) u_sum (
      .w_i    (p_pad[(j+2)*PW+:R2]),
      .x_i    (p_pad[(j+1)*PW+R2+:R2]),
      .y_i    (R2'(p_pad[j*PW+2*R2+:TW])),
      .z_i    (R2'(0)),
      .units_i(3'd0),
      .sum_o  (k_low_sum[j*R2+:R2]),
      .units_o(k_units_sum[j*3+:3])
    );
  end
  endgenerate

  // T_0 is known without W. The upper overlap bit of S is two units.
  assign t_low_sum[R2-1:0] = '0;
  assign t_units_sum[2:0]  = {2'd0, |s_added[R2-1:0]};

  generate
  for (j = 1; j < DS + 1; j++) begin : gen_t
    lt_redundant_sum #(.W(R2)) u_sum (
      .w_i    (w_pad[(j+2)*PW+:R2]),
      .x_i    (w_pad[(j+1)*PW+R2+:R2]),
      .y_i    (R2'(w_pad[j*PW+2*R2+:TW])),
      .z_i    (s_pad[(j+1)*BW+:R2]),
      .units_i({s_pad[j*BW+R2], {2{s_pad[j*BW+R2+1]}}}),
      .sum_o  (t_low_sum[j*R2+:R2]),
      .units_o(t_units_sum[j*3+:3])
    );
  end

  if (Ways == 3) begin : gen_sum_registers
    logic [DS*R2-1:0]     k_low_q;
    logic [DS*3-1:0]      k_units_q;
    logic [(DS+1)*R2-1:0] t_low_q;
    logic [(DS+1)*3-1:0]  t_units_q;

    always_ff @(posedge clk_i) begin
      k_low_q   <= k_low_sum;
      k_units_q <= k_units_sum;
      t_low_q   <= t_low_sum;
      t_units_q <= t_units_sum;
    end

    assign k_low   = k_low_q;
    assign k_units = k_units_q;
    assign t_low   = t_low_q;
    assign t_units = t_units_q;
  end else begin : gen_no_sum_registers
    assign k_low   = k_low_sum;
    assign k_units = k_units_sum;
    assign t_low   = t_low_sum;
    assign t_units = t_units_sum;
  end
  endgenerate

  // Both as digits of R2 + 2 bits, for simulation.
  // verilator lint_off UNUSEDSIGNAL
  logic [DS*BW-1:0]     k;
  logic [(DS+1)*BW-1:0] t;
  // verilator lint_on UNUSEDSIGNAL

  generate
  for (j = 0; j < DS; j++) begin : gen_k_digit
    logic [1:0] over;
    assign over = 2'(k_units[j*3]) + 2'(k_units[j*3+1]) + 2'(k_units[j*3+2]);
    assign k[j*BW+:BW] = {over, k_low[j*R2+:R2]};
  end

  for (j = 0; j < DS + 1; j++) begin : gen_t_digit
    logic [1:0] over;
    assign over = 2'(t_units[j*3]) + 2'(t_units[j*3+1]) + 2'(t_units[j*3+2]);
    assign t[j*BW+:BW] = {over, t_low[j*R2+:R2]};
  end
  endgenerate

  ///////////////////////////
  // ADD2: shift, addition //
  ///////////////////////////

  // verilator lint_off UNUSEDSIGNAL
  // Each of these has digits at its ends that no other one needs.
  logic [DS*BW-1:0]     u;            // U = T / 2^R1
  logic [(DS+2)*R2-1:0] t_low_pad;    // of T_0 .. T_(DS+1)
  logic [(DS+1)*BW-1:0] u_pad;        // U_-1 .. U_(DS-1)
  logic [(DS+1)*3-1:0]  k_units_pad;  // of K_-1 .. K_(DS-1)
  // verilator lint_on UNUSEDSIGNAL

  assign t_low_pad   = ((DS + 2) * R2)'(t_low);
  assign u_pad       = {u, BW'(0)};
  assign k_units_pad = {k_units, 3'd0};

  // The units of a digit meet the bits from the next one; c is a unit of U_0.
  generate
  for (j = 0; j < DS; j++) begin : gen_u
    logic [2:0]     units;
    logic [Cut+1:0] upper;
    logic [BW-1:0]  digit;

    assign units = t_units[(j+1)*3+:3];

    lt_redundant_add #(.W(Cut + 1)) u_add (
      .w_i   ({1'b0, t_low_pad[(j+2)*R2+:Cut]}),
      .x_i   ((Cut + 1)'({units[2] & units[1], units[2] ^ units[1]})),
      .unit_i(units[0]),
      .sum_o (upper)
    );
    assign digit = {upper, t_low_pad[(j+1)*R2+Cut+:R2-Cut]};
    assign u[j*BW+:BW] = (j == 0) ? digit + BW'(t_units[0]) : digit;
  end
  endgenerate

  // The upper overlap bit of U is 0 if the division cuts two bits or more.
  generate
  for (j = 0; j < DS; j++) begin : gen_s
    logic [2:0]    units;
    logic [R2-1:0] twice;
    logic [R2:0]   first;

    assign units = k_units_pad[j*3+:3];
    assign twice = (Cut > 1) ? '0 : R2'({u_pad[j*BW+R2+1], 1'b0});

    lt_redundant_add #(.W(R2)) u_first (
      .w_i   (k_low[j*R2+:R2]),
      .x_i   (u[j*BW+:R2] ^ twice),
      .unit_i(u_pad[j*BW+R2]),
      .sum_o (first)
    );
    lt_redundant_add #(.W(R2 + 1)) u_second (
      .w_i   (first),
      .x_i   ({u[j*BW+:R2] & twice, 1'b0} | (R2 + 1)'({units[2] & units[1], units[2] ^ units[1]})),
      .unit_i(units[0]),
      .sum_o (s_next[j*BW+:BW])
    );
  end
  endgenerate

  assign clear = (Ways == 1) ? take_start : mul_d & (iter_d == '0);

  always_ff @(posedge clk_i) begin
    if (clear) s_q[DS*BW-1:0] <= '0;
    else if (add2_en) s_q[DS*BW-1:0] <= s_next;
  end

  generate
  if (Sums > 1) begin : gen_earlier
    always_ff @(posedge clk_i) begin
      if (work) s_q[Sums*DS*BW-1:DS*BW] <= s_q[(Sums-1)*DS*BW-1:0];
    end
  end
  endgenerate

  /////////////
  // Results //
  /////////////

  // Where results are in registers all of them stand side by side; else there is a memory a digit,
  // and only the one that is asked for.
  localparam int Stored = (Steady != 0 || Ways > 2) ? 1 : 0;
  localparam int Shown  = (Stored != 0) ? 1 : Ways;

  logic [Shown*D*BW-1:0] shown;

  generate
  if (Stored != 0) begin : gen_results
    logic             last;  // the last stage has a last iteration,
    logic [SlotW-1:0] slot;  // of the product in this slot

    if (Ways == 1) begin : gen_at_once
      assign last = mul_last;
      assign slot = slot_q;
    end else begin : gen_later
      logic [Ways-2:0]           iter_last_q;
      logic [(Ways-1)*SlotW-1:0] later_slot_q;

      always_ff @(posedge clk_i) begin
        iter_last_q  <= (Ways - 1)'({iter_last_q, iter_q == LastIter});
        later_slot_q <= ((Ways - 1) * SlotW)'({later_slot_q, slot_q});
      end

      assign last = add2_en & iter_last_q[Ways-2];
      assign slot = later_slot_q[(Ways-2)*SlotW+:SlotW];
    end

    for (j = 0; j < D; j++) begin : gen_digit
      (* ram_style = "distributed" *) logic [BW-1:0] r_mem [2**SlotW];

      always_ff @(posedge clk_i) begin
        if (last) r_mem[slot] <= s_next[j*BW+:BW];
      end

      assign shown[j*BW+:BW] = r_mem[rd_way_i];
    end
  end else begin : gen_registers
    for (n = 0; n < Ways; n++) begin : gen_way
      assign shown[n*D*BW+:D*BW] = s_q[(Ways-1-n)*DS*BW+:D*BW];
    end
  end
  endgenerate

  // A tree of multiplexers, four words to one in each level, which fill a LUT a bit. The digits
  // that B does not have are 0.
  localparam int Tree   = ((Shown > 1) ? WayW : 0) + AddrW;  // address bits
  localparam int Levels = (Tree + 1) / 2;

  logic [2*Levels-1:0] rd_word;

  assign rd_word = (2 * Levels)'({(Shown > 1) ? rd_way_i : SlotW'(0), rd_addr_i});

  // Four words of a level make one of the next; those of a level stand behind those of the last.
  logic [(4**(Levels+1)-1)/3*BW-1:0] tree;

  generate
  for (n = 0; n < 4**Levels; n++) begin : gen_leaf
    if (n / 2**AddrW < Shown && n % 2**AddrW < D) begin : gen_s
      assign tree[n*BW+:BW] = shown[(n/2**AddrW*D+n%2**AddrW)*BW+:BW];
    end else begin : gen_none
      assign tree[n*BW+:BW] = '0;
    end
  end
  endgenerate

  genvar level;
  generate
  for (level = 1; level <= Levels; level++) begin : gen_level
    localparam int Below = (4**(Levels+1) - 4**(Levels+2-level)) / 3;
    localparam int Here  = (4**(Levels+1) - 4**(Levels+1-level)) / 3;

    for (n = 0; n < 4**(Levels-level); n++) begin : gen_node
      logic [4*BW-1:0] four;

      assign four = tree[(Below+4*n)*BW+:4*BW];
      assign tree[(Here+n)*BW+:BW] = four[32'(rd_word[2*level-2+:2])*BW+:BW];
    end
  end
  endgenerate

  assign rd_data_o = tree[(4**(Levels+1)-1)/3*BW-1-:BW];

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (R2 < R1 && R1 + 4 <= 2 * R2)
      else $fatal(1, "R1 = %0d is outside R2 + 1..2*R2 - 4, R2 = %0d", R1, R2);
    assert (MA >= 1) else $fatal(1, "MA = %0d is below 1", MA);
    assert (MB >= 1) else $fatal(1, "MB = %0d is below 1", MB);
    assert (DS >= MB + 3 && DS <= MB + 4) else $fatal(1, "DS = %0d is not MB + 3 or MB + 4", DS);
    assert (Ways >= 1 && Ways <= 3) else $fatal(1, "Ways = %0d is outside 1..3", Ways);
    assert (Steady >= 0 && Steady <= 1) else $fatal(1, "Steady = %0d is neither 0 nor 1", Steady);
  end

  always @(posedge clk_i) begin
    if (rst_ni && ((wr_sel_i == SelM) ? m_take : ab_take)) begin
      assert (wr_sel_i <= SelB) else $error("wr_sel_i = %0d names no operand", wr_sel_i);
      assert (int'(wr_way_i) < Slots) else $error("wr_way_i = %0d is no slot", wr_way_i);
      assert (int'(wr_addr_i) < ((wr_sel_i == SelA) ? MA + 2 : D))
        else $error("wr_addr_i = %0d is no digit", wr_addr_i);
    end
    if (rst_ni && take_start) begin
      assert ((&m_q[R2-1:0]) && (&m_q[R2+:Cut])) else $error("M~ is not -1 mod 2^R1");
    end
    if (rst_ni && add2_en) begin
      assert (t[BW+:Cut] == {Cut{t[R2]}}) else $error("T is no multiple of 2^R1");
      assert (s_next[DS*BW-1-:2] == '0) else $error("S overflows");
    end
  end
`endif

endmodule

`default_nettype wire
