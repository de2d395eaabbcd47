// SPDX-License-Identifier: Apache-2.0
//
// Finely pipelined Montgomery multiplier: Sigma logical multipliers (LMs) take turns in one
// pipeline of nine DSP blocks, or three where a word is a single digit, without a bubble.
//
// Source: G. Gallin, A. Tisserand, "Generation of Finely-Pipelined GF(P) Multipliers for Flexible
// Curve based Cryptography on FPGAs", Algorithms 2 and 3. The paper gives blocks and cycle counts;
// the registers are ours.
//
// With m = W*S and R = 2^m every product is T = (A*B + Q*P) / R, Q = -A*B/P mod R, 0 <= T < 2P.
//
// Ranges: W even, 2..34: two digits of W/2 bits; or W odd, 3..17: one digit. A DSP block multiplies
//         digits of up to 17 bits. S >= 2; Theta = S or S + 1; Sigma >= 1.
//         Theta >= 3 and Sigma*Theta >= 15 with two digits, Sigma*Theta >= 13 with one.
//         P odd, 4P < R; P' = -1/P mod 2^W; A, B < 2P. Larger operands can spoil the products of
//         other LMs as well.
//
// Words of three and four digits, 51 and 68 bits in the paper, are not supported: task 2 has one
// DSP block, which would take 6 and 10 slots for a quotient digit. With 51 bits and moduli of 128
// bits a visit has 3, with 68 bits and moduli of 256 bits 4.
//
// Set-up: setup_i is high for S cycles with the words of P on a_i, low word first, and P' on b_i
// in the first of them. Products on their way are lost. Then 2*Alpha cycles without ready_o follow,
// in which idle visits clear all carries. After a reset nothing is taken before a set-up.
//
// Load: ready_o says that LM lm_o may start in this cycle. If load_i is high too, words 0 of A and
// B are taken from a_i and b_i, and words 1..S-1 in the next S - 1 cycles, whatever load_i is then.
// A load that meets no ready_o waits. With setup_i high a load is not taken.
//
// Results: r_o has a word of LM r_lm_o in each cycle with r_valid_o, low word first, S in a row.
//
// Cycles: Alpha = Sigma*Theta. The first cycle after the idle ones is slot 0 of LM 0; LM k may
// start k*Theta + N*Alpha cycles later, if its last start was at least Alpha*S cycles before. A
// product that starts in cycle 1 gives its last word in cycle Alpha*(S-1) + AlphaMin + S + Eps,
// where AlphaMin is 15 with two digits and 13 with one, and Eps is 8, or 7 without Fast.
//
// A visit of an LM is one iteration i of Algorithm 2 in Theta slots, slot j for word j. A slot that
// is on the ports, or would be, in cycle 1 is in these registers in these cycles (E = Eps). With
// two digits:
//
//   input words        2      v: digit 0, VL     E+1    q: low digit, for a visit     E+6
//   operand memories   3         digit 1, VH     E+3       high digit, for a visit    E+8
//   words read         4, 5      high word, VU   E+4    q*p_j: P0, P1, P2, P3  E+9 .. E+12
//   a_i*b_j: P0, P1    E, E+1 u                  E+4    u + low word, S              E+12
//            P2, P3  E+2, E+3 v_0*P': digits           T, word j - 1                 E+13
//   t, TM              E         of v_0        E+2..+4  outputs               E+14, E+15
//                                sum       E+5..+7
//
// With one digit input words, operand memories, and TM are the same, and further
//
//   a_i*b_j          E       v_0*P': digit    E+2     q*p_j        E+9     T, word j - 1     E+11
//   VL               E+1             sum      E+5     S            E+10    outputs     E+12, E+13
//   VU, u            E+2     q, for a visit   E+6
//
// High words and carries kc, ks, kt go on to the next slot, also to that of another LM: slot 0 of
// the next visit gives the last word of this one. An idle visit has a*b = 0 and t = 0, so that q is
// 0 and only the word and the carries of its neighbour go through.

`default_nettype none

module lt_fpmm #(
  parameter int W     = 34,    // bits of a word: even, two digits of up to 17 bits; odd, one
  parameter int S     = 4,     // words of an operand
  parameter int Sigma = 4,     // logical multipliers
  parameter int Theta = 4,     // slots of a visit: S, or S + 1 without latency reduction
  parameter int Fast  = 1,     // a register behind the adder of the first DSP block
  parameter int Dram  = 1,     // operands in distributed RAM, else in block RAM
  // derived from the others, not to be set
  parameter int LmW  = (Sigma > 1) ? $clog2(Sigma) : 1
) (
  input wire logic           clk_i,
  input wire logic           rst_ni,

  input wire logic           setup_i,  // words of P on a_i; P' on b_i with the first of them

  // operands
  input wire logic           load_i,   // word 0 is on a_i and b_i
  input wire logic [W-1:0]   a_i,
  input wire logic [W-1:0]   b_i,
  output     logic           ready_o,  // a load in this cycle is taken
  output     logic [LmW-1:0] lm_o,     // by this LM

  // results
  output     logic           r_valid_o,
  output     logic [LmW-1:0] r_lm_o,
  output     logic [W-1:0]   r_o
);

  localparam int R        = (W % 2 == 0) ? 2 : 1;  // digits of a word
  localparam int D        = W / R;  // bits of a digit
  localparam int Eps      = (Fast != 0) ? 8 : 7;  // cycle in which P0 of task 1 is there
  localparam int Late     = 2 * (R - 1);  // cycles by which digit 1 of a product is behind digit 0
  localparam int AlphaMin = 13 + Late;  // cycles of the loop of tasks 1, 2 and 3
  localparam int Alpha    = Sigma * Theta;
  localparam int SlotW    = $clog2(Theta);
  localparam int WordW    = $clog2(S);
  localparam int AddrW    = LmW + WordW;

  // Slot 0 of a visit is in the stage with cycle c of the table above when slot_q has this value.
  function automatic logic [SlotW-1:0] slot0(int c);
    slot0 = SlotW'((c - 1) % Theta);
  endfunction

  /////////////
  // Control //
  /////////////

  // Cycle 1: what visits this slot
  logic [SlotW-1:0] slot_d, slot_q;
  logic [LmW-1:0]   lm_d, lm_q;
  logic [1:0]       idle_d, idle_q;  // revolutions that stay idle after set-up
  logic             run_d, run_q;

  logic             first_slot, last_slot, last_lm;
  logic [WordW-1:0] next_mem [Sigma];  // iteration of the next visit of an LM, 0 if it is free
  logic [WordW-1:0] iter;
  logic             active;

  assign first_slot = (slot_q == '0);
  assign last_slot  = (slot_q == SlotW'(Theta - 1));
  assign last_lm    = (lm_q == LmW'(Sigma - 1));
  assign iter       = run_q ? next_mem[lm_q] : '0;
  assign active     = run_q & (load_i | (iter != '0));
  assign ready_o    = run_q & first_slot & (iter == '0);
  assign lm_o       = lm_q;

  always_comb begin
    slot_d = last_slot ? '0 : slot_q + SlotW'(1);
    lm_d   = lm_q;
    idle_d = idle_q;
    run_d  = run_q;
    if (last_slot) begin
      lm_d = last_lm ? '0 : lm_q + LmW'(1);
      if (last_lm && (idle_q != '0)) begin
        idle_d = idle_q - 2'd1;
        run_d  = (idle_q == 2'd1);
      end
    end
    if (setup_i) begin
      slot_d = '0;
      lm_d   = '0;
      idle_d = 2'd2;  // longer than the pipeline, which is empty and without carries then
      run_d  = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slot_q <= '0;
      lm_q   <= '0;
      idle_q <= '0;
      run_q  <= 1'b0;
    end else begin
      slot_q <= slot_d;
      lm_q   <= lm_d;
      idle_q <= idle_d;
      run_q  <= run_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (first_slot) begin
      next_mem[lm_q] <= (active && (iter != WordW'(S - 1))) ? iter + WordW'(1) : '0;
    end
  end

  // Cycles 2 and 3: visit and slot
  logic [SlotW-1:0] c2_slot_q, c3_slot_q;
  logic [LmW-1:0]   c2_lm_q, c3_lm_q;
  logic [WordW-1:0] c2_iter_q, c3_iter_q;
  logic             c2_active_q, c3_active_q;
  logic             c2_word, c3_word;  // the slot has a word, which slot S has not
  logic             wr_en;

  always_ff @(posedge clk_i) begin
    c2_slot_q <= slot_q;
    if (first_slot) begin
      c2_lm_q     <= lm_q;
      c2_iter_q   <= iter;
      c2_active_q <= active;
    end
    c3_slot_q   <= c2_slot_q;
    c3_lm_q     <= c2_lm_q;
    c3_iter_q   <= c2_iter_q;
    c3_active_q <= c2_active_q;
  end

  assign c2_word = c2_active_q & (int'(c2_slot_q) < S);
  assign c3_word = c3_active_q & (int'(c3_slot_q) < S);
  assign wr_en   = c2_word & (c2_iter_q == '0);

  // What later stages need to know of a slot
  logic           feed;      // cycle Eps - 1: the word of T is taken, else 0
  logic           last;      // cycle of r_q: last iteration, the word comes with the next slot
  logic           r_valid_q;

  lt_fpmm_delay #(.Width(1), .Depth(Eps - 4)) u_feed (
    .clk_i(clk_i), .d_i(c3_word & (c3_iter_q != '0)), .q_o(feed)
  );
  lt_fpmm_delay #(.Width(1), .Depth(Eps + 10 + Late)) u_last (
    .clk_i(clk_i), .d_i(c3_word & (c3_iter_q == WordW'(S - 1))), .q_o(last)
  );
  lt_fpmm_delay #(.Width(LmW), .Depth(Eps + 11 + Late)) u_r_lm (
    .clk_i(clk_i), .d_i(c3_lm_q), .q_o(r_lm_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r_valid_q <= 1'b0;
    end else begin
      r_valid_q <= last & run_d;
    end
  end

  assign r_valid_o = r_valid_q;

  ///////////////
  // Constants //
  ///////////////

  (* ram_style = "distributed" *) logic [W-1:0] p_mem [S];
  logic [W-1:0]     p_prime_q;
  logic [WordW-1:0] setup_word_q;
  logic [SlotW-1:0] p_slot;  // slot in cycle Eps + 6
  logic [W-1:0]     p_word;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !setup_i) begin
      setup_word_q <= '0;
    end else begin
      setup_word_q <= setup_word_q + WordW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (setup_i) p_mem[setup_word_q] <= a_i;
  end

  always_ff @(posedge clk_i) begin
    if (setup_i && (setup_word_q == '0)) p_prime_q <= b_i;
  end

  always_comb begin
    if (slot_q >= slot0(Eps + 6)) begin
      p_slot = slot_q - slot0(Eps + 6);
    end else begin
      p_slot = slot_q - slot0(Eps + 6) + SlotW'(Theta);
    end
  end

  assign p_word = (int'(p_slot) < S) ? p_mem[p_slot[WordW-1:0]] : '0;

  //////////////
  // Operands //
  //////////////

  logic [W-1:0] a2_q, b2_q;  // cycle 2
  logic [W-1:0] a4, b4;      // cycle 4, 0 in a slot without a word
  logic [W-1:0] a5_q, b5_q;  // cycle 5

  always_ff @(posedge clk_i) begin
    a2_q <= a_i;
    b2_q <= b_i;
    a5_q <= a4;
    b5_q <= b4;
  end

  lt_fpmm_ram #(.Width(W), .AddrW(AddrW), .Dram(Dram)) u_a_ram (
    .clk_i    (clk_i),
    .wr_en_i  (wr_en),
    .wr_addr_i({c2_lm_q, c2_slot_q[WordW-1:0]}),
    .wr_data_i(a2_q),
    .rd_en_i  (c3_word),
    .rd_addr_i({c3_lm_q, c3_iter_q}),
    .rd_data_o(a4)
  );

  lt_fpmm_ram #(.Width(W), .AddrW(AddrW), .Dram(Dram)) u_b_ram (
    .clk_i    (clk_i),
    .wr_en_i  (wr_en),
    .wr_addr_i({c2_lm_q, c2_slot_q[WordW-1:0]}),
    .wr_data_i(b2_q),
    .rd_en_i  (c3_word),
    .rd_addr_i({c3_lm_q, c3_slot_q[WordW-1:0]}),
    .rd_data_o(b4)
  );

  ///////////////////////////////
  // Task 1: u = t + a_i*b + d //
  ///////////////////////////////

  logic [W-1:0] tm_d, tm_q;    // cycle Eps: t of the iteration before
  logic [D-1:0] v_p0;          // Eps: digit 0 of a_i*b_j
  logic [D:0]   vl_d, vl_q;    // Eps + 1: carry and digit 0 of v
  logic [W:0]   v_low;         // Eps + 1 + Late: carry and low word of v
  logic [W-1:0] v_high;        // Eps + 1 + Late: high word of a_i*b_j
  logic [W-1:0] vu_d, vu_q;    // Eps + 2 + Late: high word of v
  logic [W:0]   u_d, u_q;      // Eps + 2 + Late: carry kc and u
  logic [D-1:0] x_d;           // from Eps + 1 on: the digit of v that task 2 is to take
  logic         unused_u;

  assign vl_d            = (D + 1)'(v_p0) + (D + 1)'(tm_q[D-1:0]);
  assign vu_d            = v_high + W'(v_low[W]);
  // Sums with a carry in: a digit 1 below makes it one carry chain in every tool.
  assign {u_d, unused_u} = {1'b0, v_low[W-1:0], 1'b1} + {1'b0, vu_q, u_q[W]};

  always_ff @(posedge clk_i) begin
    tm_q       <= feed ? tm_d : '0;
    vl_q       <= vl_d;
    vu_q       <= vu_d;
    u_q[W-1:0] <= u_d[W-1:0];
    u_q[W]     <= run_q ? u_d[W] : 1'b0;
  end

  generate
  if (R == 1) begin : gen_v1
    logic [2*D:0] v_p;
    logic [W-1:0] v_high_q;
    logic         unused_bit;  // a product has no carry

    lt_fpmm_dsp #(.D(D), .PReg(Fast)) u_dsp (
      .clk_i(clk_i), .x_i(a5_q), .y_i(b5_q), .z_i((2 * D + 1)'(0)), .p_o(v_p)
    );

    always_ff @(posedge clk_i) begin
      v_high_q <= v_p[2*D-1:D];
    end

    assign v_p0       = v_p[D-1:0];
    assign v_low      = vl_q;
    assign v_high     = v_high_q;
    assign x_d        = vl_q[D-1:0];
    assign unused_bit = v_p[2*D];
  end else begin : gen_v2
    localparam int Lead = Eps - 7;
    logic [D-1:0] a1_late;           // high digit, when the third DSP block needs it
    logic [D-1:0] v_p2;              // Eps + 2: digit 1 of a_i*b_j
    logic [D-1:0] tm_hi_late;        // Eps + 2
    logic         cy0_late_q;        // Eps + 2
    logic [D-1:0] vl_d1_q, vl_d2_q;  // Eps + 2, Eps + 3
    logic [D:0]   vh_d, vh_q;        // Eps + 3: carry and digit 1 of v
    logic         unused_vh;

    lt_fpmm_delay #(.Width(D), .Depth(Lead + 1)) u_a1_late (
      .clk_i(clk_i), .d_i(a5_q[W-1:D]), .q_o(a1_late)
    );
    lt_fpmm_product #(.D(D), .Fast(Fast)) u_task1 (
      .clk_i(clk_i),
      .x0_i (a5_q[D-1:0]),
      .x1_i (a1_late),
      .y_i  (b5_q),
      .p0_o (v_p0),
      .p2_o (v_p2),
      .p3_o (v_high)
    );
    lt_fpmm_delay #(.Width(D), .Depth(2)) u_tm_hi_late (
      .clk_i(clk_i), .d_i(tm_q[W-1:D]), .q_o(tm_hi_late)
    );

    assign {vh_d, unused_vh} = {1'b0, v_p2, 1'b1} + {1'b0, tm_hi_late, cy0_late_q};
    assign v_low             = {vh_q, vl_d2_q};

    assign x_d = (slot_q == slot0(Eps + 1)) ? vl_q[D-1:0]
               : (slot_q == slot0(Eps + 2)) ? vl_d1_q
               :                              vh_q[D-1:0];

    always_ff @(posedge clk_i) begin
      cy0_late_q <= vl_q[D];
      vl_d1_q    <= vl_q[D-1:0];
      vl_d2_q    <= vl_d1_q;
      vh_q       <= vh_d;
    end
  end
  endgenerate

  ////////////////////////////////
  // Task 2: q = v_0 * P' mod W //
  ////////////////////////////////

  logic [D-1:0] x_q;            // from Eps + 2 on: a digit of v
  logic [D-1:0] p_prime_digit;  // beside x_q
  logic [2*D:0] q_z, q_p;       // P: from Eps + 5 on
  logic [D-1:0] ql_q;           // Eps + 6, for a visit
  logic [W-1:0] q;              // Eps + 6, its high digit Eps + 8
  logic         unused_q;

  lt_fpmm_dsp #(.D(D)) u_task2 (
    .clk_i(clk_i), .x_i(x_q), .y_i(p_prime_digit), .z_i(q_z), .p_o(q_p)
  );

  always_ff @(posedge clk_i) begin
    x_q <= x_d;
    if (slot_q == slot0(Eps + 5)) ql_q <= q_p[D-1:0];
  end

  assign unused_q = ^q_p[2*D:D];

  generate
  if (R == 1) begin : gen_q1
    // P = v0*P' in every slot, and q is that of slot 0
    assign p_prime_digit = p_prime_q;
    assign q_z           = '0;
    assign q             = ql_q;
  end else begin : gen_q2
    // One DSP block in three steps for slot 0 of each visit:
    //   P = v0*P'0,  P = v0*P'1 + (P >> D),  P = v1*P'0 + P;  q = the digits after steps 0 and 2
    logic [D-1:0] qh_q;  // Eps + 8, for a visit

    assign p_prime_digit = (slot_q == slot0(Eps + 3)) ? p_prime_q[W-1:D] : p_prime_q[D-1:0];

    // Not with q_p as the first choice: Yosys 0.70 would move that choice into the DSP block, with
    // the wrong sign of its select.
    assign q_z = (slot_q == slot0(Eps + 5)) ? q_p >> D
               : (slot_q != slot0(Eps + 6)) ? '0
               :                              q_p;

    always_ff @(posedge clk_i) begin
      if (slot_q == slot0(Eps + 7)) qh_q <= q_p[D-1:0];
    end

    assign q = {qh_q, ql_q};
  end
  endgenerate

  /////////////////////////////
  // Task 3: t = u + q*p + c //
  /////////////////////////////

  logic [W-1:0] w_low;         // Eps + 9 + Late: low word of q*p_j
  logic [W-1:0] w_high;        // Eps + 9, or Eps + 12 with two digits: high word of q*p_j
  logic [W-1:0] w_high_late;   // Eps + 11 + Late: high word of the slot before
  logic [W-1:0] u_late;        // Eps + 9 + Late
  logic [W:0]   s_d, s_q;      // Eps + 10 + Late: carry ks and u + low word of q*p
  logic [W:0]   t_d, t_q;      // Eps + 11 + Late: carry kt and word t_(j-1)
  logic [W-1:0] o_q, r_q;      // Eps + 12 + Late, Eps + 13 + Late
  logic         unused_s, unused_t;

  generate
  if (R == 1) begin : gen_w1
    logic [2*D:0] w_p;
    logic         unused_bit;  // a product has no carry

    lt_fpmm_dsp #(.D(D)) u_dsp (
      .clk_i(clk_i), .x_i(q), .y_i(p_word), .z_i((2 * D + 1)'(0)), .p_o(w_p)
    );

    assign {unused_bit, w_high, w_low} = w_p;
  end else begin : gen_w2
    logic [D-1:0] w_p0, w_p2;  // Eps + 9, Eps + 11: digits of q*p_j
    logic [D-1:0] w_p0_late;   // Eps + 11

    lt_fpmm_product #(.D(D), .Fast(1)) u_task3 (
      .clk_i(clk_i),
      .x0_i (q[D-1:0]),
      .x1_i (q[W-1:D]),
      .y_i  (p_word),
      .p0_o (w_p0),
      .p2_o (w_p2),
      .p3_o (w_high)
    );
    lt_fpmm_delay #(.Width(D), .Depth(2)) u_w_p0_late (
      .clk_i(clk_i), .d_i(w_p0), .q_o(w_p0_late)
    );

    assign w_low = {w_p2, w_p0_late};
  end
  endgenerate

  lt_fpmm_delay #(.Width(W), .Depth(7)) u_u_late (.clk_i(clk_i), .d_i(u_q[W-1:0]), .q_o(u_late));
  lt_fpmm_delay #(.Width(W), .Depth(3 - R)) u_w_high_late (
    .clk_i(clk_i), .d_i(w_high), .q_o(w_high_late)
  );
  lt_fpmm_delay #(.Width(W), .Depth(Alpha - AlphaMin)) u_pad (
    .clk_i(clk_i), .d_i(t_q[W-1:0]), .q_o(tm_d)
  );

  assign {s_d, unused_s} = {1'b0, u_late, 1'b1} + {1'b0, w_low, s_q[W]};
  assign {t_d, unused_t} = {1'b0, s_q[W-1:0], 1'b1} + {1'b0, w_high_late, t_q[W]};

  always_ff @(posedge clk_i) begin
    s_q[W-1:0] <= s_d[W-1:0];
    s_q[W]     <= run_q ? s_d[W] : 1'b0;
    t_q[W-1:0] <= t_d[W-1:0];
    t_q[W]     <= run_q ? t_d[W] : 1'b0;
    o_q        <= t_q[W-1:0];
    r_q        <= o_q;
  end

  assign r_o = r_q;

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (W >= 2 && D <= 17) else $fatal(1, "W = %0d is not even, 2..34, or odd, 3..17", W);
    assert (S >= 2) else $fatal(1, "S = %0d is below 2", S);
    assert (Theta == S || Theta == S + 1) else $fatal(1, "Theta = %0d is not S or S + 1", Theta);
    assert (Theta >= 3 || R == 1) else $fatal(1, "Theta = %0d is below 3", Theta);
    assert (Sigma >= 1) else $fatal(1, "Sigma = %0d is below 1", Sigma);
    assert (Alpha >= AlphaMin)
      else $fatal(1, "Sigma*Theta = %0d is below %0d", Alpha, AlphaMin);
  end

  logic setup_done;  // in the first cycle after a set-up

  always_ff @(posedge clk_i) begin
    setup_done <= setup_i & rst_ni;
  end

  always @(posedge clk_i) begin
    if (rst_ni && setup_done && !setup_i) begin
      assert (setup_word_q == WordW'(S)) else $error("the set-up did not take S cycles");
      assert (p_mem[0][0]) else $error("P is even");
      assert (p_mem[S-1][W-1:W-2] == '0) else $error("4*P is not below 2^(W*S)");
      assert (p_prime_q * p_mem[0] == {W{1'b1}}) else $error("P' is not -1/P mod 2^W");
    end
  end
`endif

endmodule

`default_nettype wire
