// SPDX-License-Identifier: Apache-2.0
//
// a*b mod p for p = 2^K - C, one product in every cycle: the product is folded Rounds times, and
// p is subtracted once if it goes into what is left.
//
// C is at least 1 and below 2^(K/2), and two rounds are enough; for C = 1 one is. Operands may
// be any K bits, the result is below p.
//
// load_i is high while operands are on the ports; a load is taken in every cycle. valid_o and
// the result follow Stages + Rounds + 2 cycles later. Behind the product are Stages registers,
// which tools may move into the multiplier.

`default_nettype none

module lt_fold_pipeline #(
  parameter int K      = 64,            // bits of p
  parameter     C      = 64'hffffffff,  // 2^K - p, of any size up to 64 bits
  parameter int Rounds = 2,
  parameter int Stages = 1              // registers behind the product, 1 and more
) (
  input wire logic         clk_i,
  input wire logic         rst_ni,

  input wire logic         load_i,
  output     logic         ready_o,
  input wire logic [K-1:0] a_i,
  input wire logic [K-1:0] b_i,

  output     logic         valid_o,
  output     logic [K-1:0] z_o
);

  localparam logic [63:0] Factor = 64'(C);

  // Bits of the sum after so many rounds.
  function automatic int sum_w(int rounds);
    sum_w = 2 * K;
    for (int k = 0; k < rounds; k++) begin
      sum_w = sum_w - K + $clog2(Factor + 1);
      sum_w = (sum_w > K ? sum_w : K) + 1;
    end
  endfunction

  localparam int             SumW    = 2 * K;
  localparam int             LastW   = sum_w(Rounds);
  localparam int             Latency = Stages + Rounds + 1;
  localparam logic [LastW:0] P       = ((LastW+1)'(1) << K) - (LastW+1)'(Factor);

  logic [K-1:0]               a_q;
  logic [K-1:0]               b_q;
  logic [SumW-1:0]            product;
  logic [Stages*SumW-1:0]     product_q;     // the latest one in the low bits
  logic [SumW-1:0]            product_last;  // behind all of its stages
  logic [(Rounds+1)*SumW-1:0] sums;          // of each round in SumW bits, the product lowest
  logic                       unused_sums;   // bits above those of a round
  logic [LastW-1:0]           last;
  logic [LastW:0]             difference;
  logic                       sub;
  logic [K-1:0]               z_q;
  logic [Latency:0]           valid_q;       // a product in the registers of each stage

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q <= {valid_q[Latency-1:0], load_i};
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      a_q <= a_i;
      b_q <= b_i;
    end
  end

  // In a block: Icarus works an assignment out bit by bit.
  always_comb product = SumW'(a_q) * SumW'(b_q);

  always_ff @(posedge clk_i) product_q <= (Stages*SumW)'({product_q, product});

  assign product_last   = product_q[(Stages-1)*SumW +: SumW];
  assign sums[SumW-1:0] = product_last;
  assign unused_sums    = ^sums;

  genvar i;
  generate
  for (i = 0; i < Rounds; i++) begin : gen_round
    localparam int InW  = sum_w(i);
    localparam int OutW = sum_w(i + 1);

    logic [OutW-1:0] sum_d, sum_q;

    lt_fold_round #(
      .K   (K),
      .C   (Factor),
      .InW (InW),
      .OutW(OutW)
    ) u_round (
      .sum_i(sums[i*SumW +: InW]),
      .sum_o(sum_d)
    );

    always_ff @(posedge clk_i) sum_q <= sum_d;

    assign sums[(i+1)*SumW +: SumW] = SumW'(sum_q);
  end
  endgenerate

  assign last       = sums[Rounds*SumW +: LastW];
  assign difference = {1'b0, last} - P;
  assign sub        = !difference[LastW];

  always_ff @(posedge clk_i) z_q <= sub ? difference[K-1:0] : last[K-1:0];

  assign ready_o = 1'b1;
  assign valid_o = valid_q[Latency];
  assign z_o     = z_q;

`ifndef SYNTHESIS
  initial begin
    assert (Factor != 0 && (K >= 128 || Factor >> (K / 2) == 0))
      else $fatal(1, "C = %0d is not in 1 to 2^(K/2) - 1", Factor);
    assert (Stages >= 1) else $fatal(1, "Stages = %0d is below 1", Stages);
  end
`endif

endmodule

`default_nettype wire
