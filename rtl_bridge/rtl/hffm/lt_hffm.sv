// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplication for p = D*2^A - 1, D = f*l^b odd: Algorithm 1 of the SIDH paper, HFFM, in
// pairs of products that share one multiplier of N x N bits and one adder of N bits.
//
// Operands and results are digits {x1, x2} of N bits each, for x1*D + x2. Operands are at most p in
// canonical digits: x1 < 2^A, x2 < D. A result with Normalise is in [0, p) and canonical; without,
// it has x1 < 2^A and x2 < D + 2^NX/2^A, NX = max(A, DW) + 2: the range after line 9.
//
// The constants are those of one prime: DW the bits of D, Dropped = max(0, 2*DW - N) and
// X = floor(2^(DW-1+N) / D). N is a multiple of Split (6 or 8), at least A, DW + 1 and the bits of
// 2^A + D - 2, and such that the estimated quotient is at most 1 too small: DW + 2 is enough.
//
// Cycles: a product starts at an edge at which start_i and ready_o are high. The first of a pair, M1,
// goes first, and cycle 0 follows its edge; the second, M2, may start at the end of cycle 19, and
// the next pair at the end of cycle 53. Multiplications begin in these cycles (four each):
//
//     a1*b1   a2*b2   (a1+a2)(b1+b2)   r1*D     hi*X   qhat*D
//     0       4       8                12       36     45      of M1
//     20      24      28               32       41     50      of M2
//
// An operand is there nine cycles after the multiplication that it comes from has begun. Results are
// on r_o with valid_o in cycle 59, that of M1, and in cycle 66, that of M2. The cycles of the next
// pair are the same from 54 on; where none has started, the next one may at the end of cycle 65.

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
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           start_i,
  output logic           ready_o,
  input  logic [2*N-1:0] a_i,
  input  logic [2*N-1:0] b_i,

  output logic           valid_o,
  output logic [2*N-1:0] r_o
);

  localparam int H  = N / 2;
  localparam int SW = N + 2;              // bits of c1, and of sums
  localparam int QS = DW - 1 - Dropped;   // qhat is hi*X / 2^(N + QS)

  localparam logic [5:0] LastCycle = 6'd53;
  localparam logic [5:0] StartM2   = 6'd19;
  localparam logic [5:0] EndM1     = 6'd4;   // of the pair before
  localparam logic [5:0] EndM2     = 6'd11;

  localparam logic [N-1:0] NegD = ~N'(D) | N'(1);  // -D, since D is odd

  /////////////
  // Control //
  /////////////

  logic [5:0] cycle_q, cycle_d;
  logic       run_q, run_d;
  logic       m1_q, m1_d;        // the pair has begun; else the cycles are for the one before only
  logic       m2_q, m2_d;
  logic       last1_q, last1_d;  // the same of the pair before
  logic       last2_q, last2_d;
  logic       valid_q, second_q;
  logic       take;
  logic       wraps;

  assign wraps   = (cycle_q == LastCycle) | (~m1_q & (cycle_q == EndM2));
  assign ready_o = ~run_q | wraps | (m1_q & (cycle_q == StartM2));
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
    end else if (cycle_q == StartM2) begin
      m2_d = take;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q  <= '0;
      run_q    <= 1'b0;
      m1_q     <= 1'b0;
      m2_q     <= 1'b0;
      last1_q  <= 1'b0;
      last2_q  <= 1'b0;
      valid_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      cycle_q  <= cycle_d;
      run_q    <= run_d;
      m1_q     <= m1_d;
      m2_q     <= m2_d;
      last1_q  <= last1_d;
      last2_q  <= last2_d;
      valid_q  <= run_q & ((last1_q & (cycle_q == EndM1)) | (last2_q & (cycle_q == EndM2)));
      second_q <= (cycle_q == EndM2);
    end
  end

  assign valid_o = valid_q;

  // What is multiplied in each cycle: operands, then the halves of them.
  localparam logic [2:0] MulA1  = 3'd0;
  localparam logic [2:0] MulA2  = 3'd1;
  localparam logic [2:0] MulSum = 3'd2;
  localparam logic [2:0] MulR1  = 3'd3;
  localparam logic [2:0] MulHi  = 3'd4;
  localparam logic [2:0] MulQ   = 3'd5;
  localparam logic [2:0] MulNo  = 3'd7;

  logic [2:0] mul;
  logic [1:0] quarter;
  logic       mul2;  // of M2, where it matters

  always_comb begin
    mul2    = (cycle_q >= 6'd41);
    quarter = cycle_q[1:0];
    if (cycle_q < 6'd4) mul = MulA1;
    else if (cycle_q < 6'd8) mul = MulA2;
    else if (cycle_q < 6'd12) mul = MulSum;
    else if (cycle_q < 6'd16) mul = MulR1;
    else if (cycle_q < 6'd20) mul = MulNo;
    else if (cycle_q < 6'd24) mul = MulA1;
    else if (cycle_q < 6'd28) mul = MulA2;
    else if (cycle_q < 6'd32) mul = MulSum;
    else if (cycle_q < 6'd36) mul = MulR1;
    else if (cycle_q < 6'd40) mul = MulHi;
    else if (cycle_q < 6'd41) mul = MulNo;
    else if (cycle_q < 6'd49) begin
      mul     = (cycle_q < 6'd45) ? MulHi : MulQ;
      quarter = cycle_q[1:0] - 2'd1;
    end else if (cycle_q < 6'd50) mul = MulNo;
    else begin
      mul     = MulQ;
      quarter = cycle_q[1:0] - 2'd2;
    end
  end

  // What the adder does in each cycle. Those of M2 come 20 cycles after those of M1 up to C1V.
  localparam logic [4:0] OpNo   = 5'd0;
  localparam logic [4:0] OpSumA = 5'd1;   // a1 + a2
  localparam logic [4:0] OpSumB = 5'd2;   // b1 + b2
  localparam logic [4:0] OpTwoL = 5'd3;   // a1*b1 + a2*b2, low word
  localparam logic [4:0] OpTwoH = 5'd4;   // high word
  localparam logic [4:0] OpMidL = 5'd5;   // (a1+a2)(b1+b2) - that
  localparam logic [4:0] OpMidH = 5'd6;
  localparam logic [4:0] OpM1L  = 5'd7;   // c2 = a2*b2 + m1
  localparam logic [4:0] OpM1H  = 5'd8;   // its high word,
  localparam logic [4:0] OpM1I  = 5'd9;   // and what it is if the low word carries again
  localparam logic [4:0] OpU    = 5'd10;  // c2 += u
  localparam logic [4:0] OpM2   = 5'd11;  // c1 = q1 + m2
  localparam logic [4:0] OpV    = 5'd12;  // c1 += v
  localparam logic [4:0] OpQ    = 5'd13;  // c1 += qhat
  localparam logic [4:0] OpRhat = 5'd14;  // c2 - qhat*D
  localparam logic [4:0] OpCorr = 5'd15;  // minus D, if that is not negative
  localparam logic [4:0] OpC1   = 5'd16;  // c1 += 1, if that was so
  localparam logic [4:0] OpC2   = 5'd17;  // c2 += carry of c1
  localparam logic [4:0] OpFix  = 5'd18;  // c2 - D, plus 1 if c1 is all ones, if that is not negative
  localparam logic [4:0] OpC1F  = 5'd19;  // c1 += 1 modulo 2^A, if that was so

  logic [4:0] op;
  logic       op2;  // for M2

  always_comb begin
    op  = OpNo;
    op2 = 1'b0;
    case (cycle_q)
      6'd0:  op = OpC1;
      6'd1:  op = OpC2;
      6'd2:  op = OpFix;
      6'd3:  begin op = OpRhat; op2 = 1'b1; end
      6'd4:  op = OpC1F;
      6'd7:  begin op = OpCorr; op2 = 1'b1; end
      6'd8:  begin op = OpC1;   op2 = 1'b1; end
      6'd9:  begin op = OpC2;   op2 = 1'b1; end
      6'd10: begin op = OpFix;  op2 = 1'b1; end
      6'd11: begin op = OpC1F;  op2 = 1'b1; end
      6'd5, 6'd25:  op = OpSumA;
      6'd6, 6'd26:  op = OpSumB;
      6'd13, 6'd33: op = OpTwoL;
      6'd14, 6'd34: op = OpTwoH;
      6'd15, 6'd35: op = OpMidL;
      6'd16, 6'd36: op = OpMidH;
      6'd17, 6'd37: begin op = OpM1L; op2 = cycle_q[2]; end
      6'd18, 6'd38: op = OpM1H;
      6'd19, 6'd39: op = OpM1I;
      6'd20, 6'd40: begin op = OpU;   op2 = ~cycle_q[2]; end
      6'd21, 6'd41: begin op = OpM2;  op2 = ~cycle_q[2]; end
      6'd22, 6'd42: begin op = OpV;   op2 = ~cycle_q[2]; end
      6'd45: op = OpQ;
      6'd50: begin op = OpQ; op2 = 1'b1; end
      6'd52: op = OpRhat;
      6'd53: op = OpCorr;
      default: op = OpNo;
    endcase
  end

  ///////////////
  // Registers //
  ///////////////

  logic [N-1:0]   a1_q, a2_q, b1_q, b2_q;
  logic [N-1:0]   suma_q, sumb_q;
  logic [2*N-1:0] p1_q;               // a1*b1
  logic [2*N-1:0] p2_q;               // a2*b2
  logic [N-1:0]   midl_q, midh_q;     // their sum, then a1*b2 + a2*b1
  logic [N-1:0]   high_q, highi_q;    // high word of c2 after line 4, and that + 1
  logic [N-1:0]   c2h_q;              // after line 5
  logic [N-1:0]   c2l0_q, c2l1_q;     // low word of c2, of M1 and of M2
  logic [SW-1:0]  c10_q, c11_q;       // c1
  logic [N-1:0]   r0_q, r1_q;         // c2 from rhat on
  logic [N-1:0]   qhat_q;
  logic           carry_q;            // of the low word
  logic           flag_q;             // whether D was subtracted

  logic [N-1:0]   c2l, r;
  logic [SW-1:0]  c1;

  assign c2l = op2 ? c2l1_q : c2l0_q;
  assign c1  = op2 ? c11_q : c10_q;
  assign r   = op2 ? r1_q : r0_q;

  ////////////////////
  // Multiplication //
  ////////////////////

  logic [N-1:0]   mul_x, mul_y;
  logic [H-1:0]   half_x, half_y;
  logic [N-1:0]   low, lo, high;
  // verilator lint_off UNUSEDSIGNAL
  logic [2*N-1:0] c2;  // without the bits that are dropped
  // verilator lint_on UNUSEDSIGNAL

  assign c2 = {c2h_q, mul2 ? c2l1_q : c2l0_q};

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
        mul_x = c2[Dropped+:N];
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
    .first_i((mul != MulNo) && (quarter == 2'd0)),
    .last_i ((mul != MulNo) && (quarter == 2'd3)),
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

  always_comb begin
    add_x = '0;
    add_y = '0;
    add_c = 1'b0;
    case (op)
      OpSumA: begin
        add_x = SW'(a1_q);
        add_y = a2_q;
      end
      OpSumB: begin
        add_x = SW'(b1_q);
        add_y = b2_q;
      end
      OpTwoL: begin
        add_x = SW'(p1_q[N-1:0]);
        add_y = p2_q[N-1:0];
      end
      OpTwoH: begin
        add_x = SW'(p1_q[2*N-1:N]);
        add_y = p2_q[2*N-1:N];
        add_c = carry_q;
      end
      OpMidL: begin
        add_x = SW'(low);
        add_y = ~midl_q;
        add_c = 1'b1;
      end
      OpMidH: begin
        add_x = SW'(high);
        add_y = ~midh_q;
        add_c = carry_q;
      end
      OpM1L: begin
        add_x = SW'(p2_q[N-1:0]);
        add_y = N'({midh_q, midl_q} >> A);
      end
      OpM1H: begin
        add_x = SW'(p2_q[2*N-1:N]);
        add_c = carry_q;
      end
      OpM1I: begin
        add_x = SW'(p2_q[2*N-1:N]);
        add_y = N'(1);
        add_c = carry_q;
      end
      OpU: begin
        add_x = SW'(c2l);
        add_y = N'(product >> A);
      end
      OpM2: begin
        add_x = SW'(p1_q >> A);
        add_y = N'(midl_q[A-1:0]);
      end
      OpV: begin
        add_x = c1;
        add_y = N'(lo[A-1:0]);
      end
      OpQ: begin
        add_x = c1;
        add_y = qhat_q;
      end
      OpRhat: begin
        add_x = SW'(c2l);
        add_y = ~low;
        add_c = 1'b1;
      end
      OpCorr: begin
        add_x = SW'(r);
        add_y = NegD;
      end
      OpC1: begin
        add_x = c1;
        add_c = flag_q;
      end
      OpC2: begin
        add_x = SW'(r);
        add_y = N'(c1[SW-1:A]);
      end
      OpFix: begin
        add_x = SW'(r);
        add_y = NegD;
        add_c = &c1[A-1:0];
      end
      OpC1F: begin
        add_x = c1;
        add_c = flag_q;
      end
      default: ;
    endcase
  end

  assign sum   = add_x + SW'(add_y) + SW'(add_c);
  assign carry = sum[N];

  logic          c1_we, r_we;
  logic [SW-1:0] c1_d;

  assign c1_we = (op == OpM2) | (op == OpV) | (op == OpQ) | (op == OpC1) | (op == OpC2) |
                 ((op == OpC1F) & (Normalise != 0));
  assign r_we  = (op == OpRhat) | ((op == OpCorr) & carry) | (op == OpC2) |
                 ((op == OpFix) & carry & (Normalise != 0));

  assign c1_d  = (op == OpC2) ? SW'(c1[A-1:0]) : (op == OpC1F) ? SW'(sum[A-1:0]) : sum;

  always_ff @(posedge clk_i) begin
    if (take) begin
      {a1_q, a2_q} <= a_i;
      {b1_q, b2_q} <= b_i;
    end
    if (op == OpSumA) suma_q <= sum[N-1:0];
    if (op == OpSumB) sumb_q <= sum[N-1:0];
    if ((cycle_q == 6'd8) || (cycle_q == 6'd28)) p1_q <= product;
    if ((cycle_q == 6'd12) || (cycle_q == 6'd32)) p2_q <= product;
    if ((op == OpTwoL) || (op == OpMidL)) midl_q <= sum[N-1:0];
    if ((op == OpTwoH) || (op == OpMidH)) midh_q <= sum[N-1:0];
    if ((op == OpTwoL) || (op == OpMidL) || (op == OpM1L)) carry_q <= carry;
    if (op == OpM1H) high_q <= sum[N-1:0];
    if (op == OpM1I) highi_q <= sum[N-1:0];
    if (op == OpU) c2h_q <= carry ? highi_q : high_q;
    if ((cycle_q == 6'd44) || (cycle_q == 6'd49)) qhat_q <= high >> QS;
    if ((op == OpCorr) || (op == OpFix)) flag_q <= carry;
    if (((op == OpM1L) || (op == OpU)) && !op2) c2l0_q <= sum[N-1:0];
    if (((op == OpM1L) || (op == OpU)) && op2) c2l1_q <= sum[N-1:0];
    if (c1_we && !op2) c10_q <= c1_d;
    if (c1_we && op2) c11_q <= c1_d;
    if (r_we && !op2) r0_q <= sum[N-1:0];
    if (r_we && op2) r1_q <= sum[N-1:0];
  end

  // What is in the high half of r_o is below 2^A, so the two upper bits of c1 are gone.
  assign r_o = second_q ? {c11_q[N-1:0], r1_q} : {c10_q[N-1:0], r0_q};

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

  logic used;  // the result of the adder is that of a product

  assign used = run_q & (op2 ? ((cycle_q <= EndM2) ? last2_q : m2_q)
                             : ((cycle_q <= EndM1) ? last1_q : m1_q));

  always @(posedge clk_i) begin
    if (rst_ni && take) begin
      assert (a_i[N-1:0] < N'(D) && (a_i[2*N-1:N] >> A) == '0) else $error("a_i has no such digits");
      assert (b_i[N-1:0] < N'(D) && (b_i[2*N-1:N] >> A) == '0) else $error("b_i has no such digits");
    end
    if (rst_ni && used) begin
      if (op == OpC1) assert (r < N'(D)) else $error("the quotient was more than 1 too small");
      if (op == OpC1F && Normalise != 0) assert (r < N'(D)) else $error("a result is not normalised");
    end
  end
`endif

endmodule

`default_nettype wire
