// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplication for p = D*2^A - 1, D = f*l^b odd: Algorithm 1 of the SIDH paper, HFFM, in
// pairs of products that share one multiplier of N x N bits and one adder of N bits.
//
// Interface
//
// Operands and results are digits {x1, x2} of N bits each, for x1*D + x2. Operands are at most p in
// canonical digits: x1 < 2^A, x2 < D. A result with Normalise is in [0, p) and canonical; without,
// it has x1 < 2^A and x2 < D + 2^NX/2^A, NX = max(A, DW) + 2: the range after line 9.
//
// A product starts at an edge at which start_i and ready_o are high. Results are on r_o while
// valid_o is high, for one cycle each, in the order of the products.
//
// Parameters
//
// The constants are those of one prime: DW the bits of D, Dropped = max(0, 2*DW - N) and
// X = floor(2^(DW-1+N) / D). N is a multiple of Split (6 or 8), at least A, DW + 1 and the bits of
// 2^A + D - 2, and such that the estimated quotient is at most 1 too small: DW + 2 is enough.
//
// Schedule
//
// M1 is the first product of a pair, M2 the second. Cycle 0 follows the edge at which M1 starts. M2
// may start at the end of cycle 19, the next pair at the end of cycle 53; where none has started
// then, it may at the end of cycle 65. Multiplications begin in these cycles and take four each:
//
//     a1*b1   a2*b2   (a1+a2)(b1+b2)   r1*D     hi*X   qhat*D
//     0       4       8                12       36     45      of M1
//     20      24      28               32       41     50      of M2
//
// The product of a multiplication that begins in cycle c is there from cycle c + 7 on, low word
// first (lt_hffm_mul), and an operand made from it in cycle c + 9. The last additions of a pair
// fall into cycles 54 to 65, which are cycles 0 to 11 of the next pair. The result of M1 is on r_o
// in cycle 59, that of M2 in cycle 66. The table in section Schedule below says what happens in
// each cycle; nothing else in this file counts cycles.

`default_nettype none

module lt_hffm #(
  parameter int            N         = 222,
  parameter int            Split     = 6,
  parameter int            A         = 216,
  parameter int            DW        = 218,
  parameter int            Dropped   = 214,
  parameter logic [DW-1:0] D         = '1,
  parameter logic [N-1:0]  X         = '1,
  parameter int            Normalise = 1
) (
  input wire logic           clk_i,
  input wire logic           rst_ni,

  input wire logic           start_i,
  output     logic           ready_o,
  input wire logic [2*N-1:0] a_i,
  input wire logic [2*N-1:0] b_i,

  output     logic           valid_o,
  output     logic [2*N-1:0] r_o
);

  localparam int H  = N / 2;
  localparam int SW = N + 2;              // bits of c1, and of sums
  localparam int QS = DW - 1 - Dropped;   // qhat is hi*X / 2^(N + QS)

  localparam logic [N-1:0] NegD = ~N'(D) | N'(1);  // -D, since D is odd

  //////////////
  // Schedule //
  //////////////

  typedef enum logic {
    M1,  // first product of a pair
    M2
  } product_e;

  // What is multiplied.
  typedef enum logic [2:0] {
    MulA1   = 3'd0,  // a1*b1
    MulA2   = 3'd1,  // a2*b2
    MulSum  = 3'd2,  // (a1+a2)(b1+b2)
    MulR1   = 3'd3,  // r1*D
    MulHi   = 3'd4,  // hi*X
    MulQhat = 3'd5,  // qhat*D
    MulNone = 3'd7
  } mul_e;

  // Which half of x by which half of y.
  typedef enum logic [1:0] {
    LL = 2'd0,
    LH = 2'd1,
    HL = 2'd2,
    HH = 2'd3
  } quarter_e;

  // What the adder does.
  typedef enum logic [4:0] {
    OpNone    = 5'd0,
    OpSumA    = 5'd1,   // a1 + a2
    OpSumB    = 5'd2,   // b1 + b2
    OpBothL   = 5'd3,   // a1*b1 + a2*b2, low word
    OpBothH   = 5'd4,   // high word
    OpMidL    = 5'd5,   // (a1+a2)(b1+b2) - that, low word
    OpMidH    = 5'd6,   // high word
    OpC2L     = 5'd7,   // c2 = a2*b2 + m1, low word
    OpC2HInc  = 5'd8,   // what the high word is if the low word carries again
    OpC2H     = 5'd9,   // high word
    OpC2U     = 5'd10,  // c2 += u, low word
    OpC1      = 5'd11,  // c1 = q1 + m2
    OpC1V     = 5'd12,  // c1 += v
    OpC1Qhat  = 5'd13,  // c1 += qhat
    OpRhat    = 5'd14,  // rhat = c2 - qhat*D
    OpCorr    = 5'd15,  // rhat - D, if that is not negative
    OpC1Corr  = 5'd16,  // c1 += 1, if it was not
    OpC2Carry = 5'd17,  // c2 += carry of c1
    OpFix     = 5'd18,  // c2 - D, plus 1 if c1 is all ones, if that is not negative
    OpC1Fix   = 5'd19   // c1 += 1 modulo 2^A, if it was not
  } op_e;

  // What else happens at the end of the cycle.
  typedef enum logic [2:0] {
    EndNone,
    EndA1,       // the multiplier has a1*b1
    EndA2,       // a2*b2
    EndQhat,     // hi*X
    EndStartM2,  // M2 may start
    EndLastM1,   // M1 of the pair before is done
    EndLastM2,
    EndPair      // the next pair may start
  } end_e;

  typedef struct packed {
    mul_e     mul;
    quarter_e quarter;
    product_e mul_of;
    op_e      op;
    product_e op_of;
    end_e     ends;
  } slot_t;

  logic [5:0] cycle_q, cycle_d;
  slot_t      slot;

  // Of the additions in cycles 0 to 11, all but the two sums are for the pair before.
  always_comb begin
    slot = {MulNone, LL, M1, OpNone, M1, EndNone};
    case (cycle_q)
      //              multiplier       adder          end of the cycle
      6'd0:  slot = {MulA1,   LL, M1, OpC1Corr,  M1, EndNone};
      6'd1:  slot = {MulA1,   LH, M1, OpC2Carry, M1, EndNone};
      6'd2:  slot = {MulA1,   HL, M1, OpFix,     M1, EndNone};
      6'd3:  slot = {MulA1,   HH, M1, OpRhat,    M2, EndNone};
      6'd4:  slot = {MulA2,   LL, M1, OpC1Fix,   M1, EndLastM1};
      6'd5:  slot = {MulA2,   LH, M1, OpSumA,    M1, EndNone};
      6'd6:  slot = {MulA2,   HL, M1, OpSumB,    M1, EndNone};
      6'd7:  slot = {MulA2,   HH, M1, OpCorr,    M2, EndNone};
      6'd8:  slot = {MulSum,  LL, M1, OpC1Corr,  M2, EndA1};
      6'd9:  slot = {MulSum,  LH, M1, OpC2Carry, M2, EndNone};
      6'd10: slot = {MulSum,  HL, M1, OpFix,     M2, EndNone};
      6'd11: slot = {MulSum,  HH, M1, OpC1Fix,   M2, EndLastM2};
      6'd12: slot = {MulR1,   LL, M1, OpNone,    M1, EndA2};
      6'd13: slot = {MulR1,   LH, M1, OpBothL,   M1, EndNone};
      6'd14: slot = {MulR1,   HL, M1, OpBothH,   M1, EndNone};
      6'd15: slot = {MulR1,   HH, M1, OpMidL,    M1, EndNone};
      6'd16: slot = {MulNone, LL, M1, OpMidH,    M1, EndNone};
      6'd17: slot = {MulNone, LL, M1, OpC2L,     M1, EndNone};
      6'd18: slot = {MulNone, LL, M1, OpC2HInc,  M1, EndNone};
      6'd19: slot = {MulNone, LL, M1, OpC2H,     M1, EndStartM2};
      6'd20: slot = {MulA1,   LL, M2, OpC2U,     M1, EndNone};
      6'd21: slot = {MulA1,   LH, M2, OpC1,      M1, EndNone};
      6'd22: slot = {MulA1,   HL, M2, OpC1V,     M1, EndNone};
      6'd23: slot = {MulA1,   HH, M2, OpNone,    M1, EndNone};
      6'd24: slot = {MulA2,   LL, M2, OpNone,    M1, EndNone};
      6'd25: slot = {MulA2,   LH, M2, OpSumA,    M2, EndNone};
      6'd26: slot = {MulA2,   HL, M2, OpSumB,    M2, EndNone};
      6'd27: slot = {MulA2,   HH, M2, OpNone,    M1, EndNone};
      6'd28: slot = {MulSum,  LL, M2, OpNone,    M1, EndA1};
      6'd29: slot = {MulSum,  LH, M2, OpNone,    M1, EndNone};
      6'd30: slot = {MulSum,  HL, M2, OpNone,    M1, EndNone};
      6'd31: slot = {MulSum,  HH, M2, OpNone,    M1, EndNone};
      6'd32: slot = {MulR1,   LL, M2, OpNone,    M1, EndA2};
      6'd33: slot = {MulR1,   LH, M2, OpBothL,   M2, EndNone};
      6'd34: slot = {MulR1,   HL, M2, OpBothH,   M2, EndNone};
      6'd35: slot = {MulR1,   HH, M2, OpMidL,    M2, EndNone};
      6'd36: slot = {MulHi,   LL, M1, OpMidH,    M2, EndNone};
      6'd37: slot = {MulHi,   LH, M1, OpC2L,     M2, EndNone};
      6'd38: slot = {MulHi,   HL, M1, OpC2HInc,  M2, EndNone};
      6'd39: slot = {MulHi,   HH, M1, OpC2H,     M2, EndNone};
      6'd40: slot = {MulNone, LL, M1, OpC2U,     M2, EndNone};
      6'd41: slot = {MulHi,   LL, M2, OpC1,      M2, EndNone};
      6'd42: slot = {MulHi,   LH, M2, OpC1V,     M2, EndNone};
      6'd43: slot = {MulHi,   HL, M2, OpNone,    M1, EndNone};
      6'd44: slot = {MulHi,   HH, M2, OpNone,    M1, EndQhat};
      6'd45: slot = {MulQhat, LL, M1, OpC1Qhat,  M1, EndNone};
      6'd46: slot = {MulQhat, LH, M1, OpNone,    M1, EndNone};
      6'd47: slot = {MulQhat, HL, M1, OpNone,    M1, EndNone};
      6'd48: slot = {MulQhat, HH, M1, OpNone,    M1, EndNone};
      6'd49: slot = {MulNone, LL, M1, OpNone,    M1, EndQhat};
      6'd50: slot = {MulQhat, LL, M2, OpC1Qhat,  M2, EndNone};
      6'd51: slot = {MulQhat, LH, M2, OpNone,    M1, EndNone};
      6'd52: slot = {MulQhat, HL, M2, OpRhat,    M1, EndNone};
      6'd53: slot = {MulQhat, HH, M2, OpCorr,    M1, EndPair};
      default: ;
    endcase
  end

  mul_e     mul;
  quarter_e quarter;
  op_e      op;

  assign mul     = slot.mul;
  assign quarter = slot.quarter;
  assign op      = slot.op;

  /////////////
  // Control //
  /////////////

  logic run_q, run_d;
  logic m1_q, m1_d;        // the pair has begun; else the cycles are for the one before only
  logic m2_q, m2_d;
  logic last1_q, last1_d;  // the same of the pair before
  logic last2_q, last2_d;
  logic valid_q;
  logic take;
  logic wraps;

  product_e result_of_q;  // whose result is on r_o

  assign wraps   = (slot.ends == EndPair) | (~m1_q & (slot.ends == EndLastM2));
  assign ready_o = ~run_q | wraps | (m1_q & (slot.ends == EndStartM2));
  assign take    = start_i & ready_o;

  always_comb begin
    cycle_d = cycle_q + 6'd1;
    run_d   = run_q;
    m1_d    = m1_q;
    m2_d    = m2_q;
    last1_d = last1_q;
    last2_d = last2_q;
    if (!run_q || wraps) begin
      cycle_d = '0;
      run_d   = take | m1_q;
      m1_d    = take;
      m2_d    = 1'b0;
      last1_d = m1_q;
      last2_d = m2_q;
    end else if (slot.ends == EndStartM2) begin
      m2_d = take;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q     <= '0;
      run_q       <= 1'b0;
      m1_q        <= 1'b0;
      m2_q        <= 1'b0;
      last1_q     <= 1'b0;
      last2_q     <= 1'b0;
      valid_q     <= 1'b0;
      result_of_q <= M1;
    end else begin
      cycle_q     <= cycle_d;
      run_q       <= run_d;
      m1_q        <= m1_d;
      m2_q        <= m2_d;
      last1_q     <= last1_d;
      last2_q     <= last2_d;
      valid_q     <= run_q & ((last1_q & (slot.ends == EndLastM1)) |
                              (last2_q & (slot.ends == EndLastM2)));
      result_of_q <= slot.op_of;
    end
  end

  assign valid_o = valid_q;

  ///////////////
  // Registers //
  ///////////////

  logic [N-1:0]   a1_q, a2_q, b1_q, b2_q;
  logic [N-1:0]   suma_q, sumb_q;
  logic [2*N-1:0] p1_q;            // a1*b1
  logic [2*N-1:0] p2_q;            // a2*b2
  logic [N-1:0]   midl_q, midh_q;  // their sum, then a1*b2 + a2*b1
  logic [N-1:0]   highi_q;         // high word of c2 after line 4, plus 1
  logic [N-1:0]   c2h_q;           // that high word, then the one after line 5
  logic [N-1:0]   qhat_q;
  logic           carry_q;         // of the low word
  logic           flag_q;          // whether D was subtracted
  logic [SW-A-1:0] top_q;          // what c1 has from bit A on, after line 8
  logic           ones_q;          // whether all bits below are 1
  logic [A-1:0]   c1_q;            // c1 of the result

  // What M1 and M2 have each, one addend or sum in a cycle, is in LUT memory.
  typedef enum logic [1:0] {
    FileC2L = 2'd0,  // low word of c2
    FileC1  = 2'd1,  // c1
    FileR   = 2'd2   // c2 from rhat on
  } file_e;

  (* ram_style = "distributed" *) logic [SW-1:0] file_q[8];

  file_e         from, to;
  logic          file_we;
  logic [2:0]    file_from, file_to;
  logic [SW-1:0] file_d, file;

  logic [1:0][N-1:Dropped] window_q;  // what is multiplied of the low words of c2

  always_comb begin
    case (op)
      OpC2U, OpRhat:                      from = FileC2L;
      OpC1V, OpC1Qhat, OpC1Corr, OpC1Fix: from = FileC1;
      default:                            from = FileR;
    endcase
    case (op)
      OpC2L, OpC2U: to = FileC2L;
      OpC1, OpC1V, OpC1Qhat, OpC1Corr: to = FileC1;
      default: to = FileR;
    endcase
  end

  assign file_from = valid_q ? {result_of_q, FileR} : {slot.op_of, from};
  assign file_to   = {slot.op_of, to};
  assign file      = file_q[file_from];

  ////////////////////
  // Multiplication //
  ////////////////////

  logic [N-1:0]   mul_x, mul_y;
  logic [H-1:0]   half_x, half_y;
  logic [N-1:0]   low, lo, high;

  always_comb begin
    case (mul)
      MulA1: begin
        mul_x = a1_q;
        mul_y = b1_q;
      end
      MulA2: begin
        mul_x = a2_q;
        mul_y = b2_q;
      end
      MulSum: begin
        mul_x = suma_q;
        mul_y = sumb_q;
      end
      MulR1: begin
        mul_x = N'(p1_q[A-1:0]);
        mul_y = N'(D);
      end
      MulHi: begin
        mul_x = N'({c2h_q, window_q[slot.mul_of]});
        mul_y = X;
      end
      default: begin
        mul_x = qhat_q;
        mul_y = N'(D);
      end
    endcase
  end

  assign half_x = quarter[1] ? mul_x[N-1:H] : mul_x[H-1:0];
  assign half_y = quarter[0] ? mul_y[N-1:H] : mul_y[H-1:0];

  lt_hffm_mul #(
    .N    (N),
    .Split(Split)
  ) u_mul (
    .clk_i  (clk_i),
    .first_i((mul != MulNone) && (quarter == LL)),
    .last_i ((mul != MulNone) && (quarter == HH)),
    .x_i    (half_x),
    .y_i    (half_y),
    .low_o  (low),
    .lo_o   (lo),
    .high_o (high)
  );

  ///////////
  // Adder //
  ///////////

  logic [2*N-1:0] product;  // in the cycle after its low word
  logic [SW-1:0]  add_x, sum;
  logic [N-1:0]   add_y;
  logic           add_c;
  logic           carry;    // out of N bits: with a subtraction, whether there is no borrow

  assign product = {high, lo};

  // Each register is an addend on one side only, as far as possible.
  always_comb begin
    case (op)
      OpSumA:           add_x = SW'(a1_q);
      OpSumB:           add_x = SW'(b1_q);
      OpBothL, OpC2L:   add_x = SW'(p2_q[N-1:0]);
      OpBothH,
      OpC2HInc, OpC2H:  add_x = SW'(p2_q[2*N-1:N]);
      OpMidL:           add_x = SW'(low);
      OpMidH:           add_x = SW'(high);
      OpC1:             add_x = SW'(midl_q[A-1:0]);
      default:          add_x = file;
    endcase
  end

  always_comb begin
    add_y = '0;
    add_c = 1'b0;
    case (op)
      OpSumA: add_y = a2_q;
      OpSumB: add_y = b2_q;
      OpBothL: add_y = p1_q[N-1:0];
      OpBothH: begin
        add_y = p1_q[2*N-1:N];
        add_c = carry_q;
      end
      OpMidL: begin
        add_y = ~midl_q;
        add_c = 1'b1;
      end
      OpMidH: begin
        add_y = ~midh_q;
        add_c = carry_q;
      end
      OpC2L: add_y = N'({midh_q, midl_q} >> A);
      OpC2HInc: begin
        add_y = N'(1);
        add_c = carry_q;
      end
      OpC2H: add_c = carry_q;
      OpC2U: add_y = N'(product >> A);
      OpC1: add_y = N'(p1_q >> A);
      OpC1V: add_y = N'(lo[A-1:0]);
      OpC1Qhat: add_y = qhat_q;
      OpRhat: begin
        add_y = ~low;
        add_c = 1'b1;
      end
      OpCorr: add_y = NegD;
      OpC1Corr: add_c = flag_q;
      OpC2Carry: add_y = N'(top_q);
      OpFix: begin
        add_y = NegD;
        add_c = ones_q;
      end
      OpC1Fix: add_c = flag_q & (Normalise != 0);
      default: ;
    endcase
  end

  assign sum   = add_x + SW'(add_y) + SW'(add_c);
  assign carry = sum[N];

  assign file_d = (to == FileC1) ? sum : SW'(sum[N-1:0]);

  always_comb begin
    case (op)
      OpC2L, OpC2U, OpC1, OpC1V, OpC1Qhat, OpRhat, OpC1Corr, OpC2Carry: file_we = 1'b1;
      OpCorr:  file_we = carry;
      OpFix:   file_we = carry & (Normalise != 0);
      default: file_we = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      {a1_q, a2_q} <= a_i;
      {b1_q, b2_q} <= b_i;
    end
    if (op == OpSumA) suma_q <= sum[N-1:0];
    if (op == OpSumB) sumb_q <= sum[N-1:0];
    if (slot.ends == EndA1) p1_q <= product;
    if (slot.ends == EndA2) p2_q <= product;
    if ((op == OpBothL) || (op == OpMidL)) midl_q <= sum[N-1:0];
    if ((op == OpBothH) || (op == OpMidH)) midh_q <= sum[N-1:0];
    if ((op == OpBothL) || (op == OpMidL) || (op == OpC2L)) carry_q <= carry;
    if (op == OpC2HInc) highi_q <= sum[N-1:0];
    if ((op == OpC2H) || ((op == OpC2U) && carry)) c2h_q <= (op == OpC2H) ? sum[N-1:0] : highi_q;
    if (slot.ends == EndQhat) qhat_q <= high >> QS;
    if ((op == OpCorr) || (op == OpFix)) flag_q <= carry;
    if (op == OpC1Corr) begin
      top_q  <= sum[SW-1:A];
      ones_q <= &sum[A-1:0];
    end
    if (op == OpC1Fix) c1_q <= sum[A-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (file_we) file_q[file_to] <= file_d;
  end

  genvar m;
  generate
  for (m = 0; m < 2; m++) begin : gen_product
    always_ff @(posedge clk_i) begin
      if ((op == OpC2L || op == OpC2U) && slot.op_of == 1'(m)) window_q[m] <= sum[N-1:Dropped];
    end
  end
  endgenerate

  assign r_o = {N'(c1_q), file[N-1:0]};

  ////////////////
  // Assertions //
  ////////////////

`ifndef SYNTHESIS
  initial begin
    assert (Split == 6 || Split == 8) else $fatal(1, "Split = %0d is neither 6 nor 8", Split);
    assert (N % Split == 0) else $fatal(1, "N = %0d is no multiple of Split = %0d", N, Split);
    assert (A >= 1 && A <= N) else $fatal(1, "A = %0d is outside 1..N, N = %0d", A, N);
    assert (DW >= 2 && DW < N) else $fatal(1, "DW = %0d is outside 2..N - 1, N = %0d", DW, N);
    assert (Dropped == ((2 * DW > N) ? 2 * DW - N : 0))
      else $fatal(1, "Dropped = %0d is not max(0, 2*DW - N)", Dropped);
    assert (D[0] && D[DW-1]) else $fatal(1, "D is not odd, or has not DW = %0d bits", DW);
  end

  logic ending;  // the addition, one for the pair before, is for a product that there is

  assign ending = run_q & ((slot.op_of == M2) ? last2_q : last1_q);

  always @(posedge clk_i) begin
    if (rst_ni && take) begin
      assert (a_i[N-1:0] < N'(D) && (a_i[2*N-1:N] >> A) == '0) else $error("a_i is not canonical");
      assert (b_i[N-1:0] < N'(D) && (b_i[2*N-1:N] >> A) == '0) else $error("b_i is not canonical");
    end
    if (rst_ni && ending && (op == OpC1Corr)) begin
      assert (file_q[{slot.op_of, FileR}] < SW'(D))
        else $error("the quotient was more than 1 too small");
    end
    if (rst_ni && ending && (op == OpC1Fix) && (Normalise != 0)) begin
      assert (file_q[{slot.op_of, FileR}] < SW'(D)) else $error("a result is not normalised");
    end
  end
`endif

endmodule

`default_nettype wire
