// SPDX-License-Identifier: Apache-2.0
//
// a*b mod p for a generalised Mersenne number p, one product in every cycle: the words of the
// product are added up and subtracted as a small matrix says, and then multiples of p.
//
// Sources: J. A. Solinas, CORR 99-39, 1999; FIPS 186-4, appendix D.2. p has Words = N / W words:
//
//     s_j = c_j + sum over i of Factor(j, i) * c_(Words+i),     c = words of a*b
//     U   = Added * p + sum over j of s_j * 2^(W*j), which is from 0 to 2^Subtractions * p - 1
//
// Factor(j, i) is from -7 to 7, four bits of Factors in two's complement. Operands may be any N
// bits, the result is below p.
//
// load_i is high while operands are on the ports; a load is taken in every cycle. valid_o and
// the result follow Stages + Subtractions + 3 cycles later. Behind the product are Stages
// registers, which tools may move into the multiplier.

`default_nettype none

module lt_solinas_pipeline #(
  parameter int N            = 64,                    // bits of p
  parameter int W            = 32,                    // bits of a word
  parameter     P            = 64'hffffffff00000001,  // p
  parameter     Factors      = 16'h01ff,              // Factor(0, 0) in the low bits, then (0, 1)
  parameter int Added        = 1,
  parameter int Subtractions = 2,                     // of 2^(Subtractions-1) * p and so on
  parameter int Stages       = 1                      // registers behind the product
) (
  input wire logic         clk_i,
  input wire logic         rst_ni,

  input wire logic         load_i,
  output     logic         ready_o,
  input wire logic [N-1:0] a_i,
  input wire logic [N-1:0] b_i,

  output     logic         valid_o,
  output     logic [N-1:0] z_o
);

  localparam int Words   = N / W;
  localparam int MatrixW = 4 * Words * Words;

  localparam logic [MatrixW-1:0] Matrix = MatrixW'(Factors);

  // Times that words count in the largest sum, whatever their signs.
  function automatic int most_words();
    int factor, count;
    most_words = 0;
    for (int row = 0; row < Words; row++) begin
      count = 1;
      for (int column = 0; column < Words; column++) begin
        factor = int'(Matrix[4*(row*Words+column) +: 4]);
        count  = count + (factor > 7 ? 16 - factor : factor);
      end
      if (count > most_words) most_words = count;
    end
  endfunction

  localparam int UpperW  = $clog2(most_words() + 1) + 1;  // of a sum above its word
  localparam int SumW    = W + UpperW;
  localparam int TotalW  = N + Subtractions;
  localparam int Latency = Stages + Subtractions + 2;

  // What makes the upper parts of all sums positive.
  function automatic logic [TotalW-1:0] bias();
    bias = '0;
    for (int row = 0; row < Words; row++) begin
      bias = bias + (TotalW'(1) << (W * (row + 1) + UpperW - 1));
    end
  endfunction

  localparam logic [TotalW-1:0] Modulus = TotalW'(P);
  localparam logic [TotalW-1:0] Offset  = TotalW'(Added) * Modulus - bias();

  logic [N-1:0]                    a_q;
  logic [N-1:0]                    b_q;
  logic [2*N-1:0]                  product;
  logic [Stages*2*N-1:0]           product_q;     // the latest one in the low bits
  logic [2*N-1:0]                  product_last;  // behind all of its stages
  logic [Words-1:0][SumW-1:0]      sums;
  logic [Words*SumW-1:0]           sums_q;
  logic [N-1:0]                    low_words;
  logic [Words-1:0][W-1:0]         upper_words;   // upper parts, positive, in a word each
  logic [TotalW-1:0]               total_q;
  logic [Subtractions:0][TotalW-1:0] rests;       // below 2^k * p
  logic                            unused_rests;
  logic [Latency:0]                valid_q;       // a product in the registers of each stage

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
  always_comb product = (2*N)'(a_q) * (2*N)'(b_q);

  always_ff @(posedge clk_i) product_q <= (Stages*2*N)'({product_q, product});

  assign product_last = product_q[(Stages-1)*2*N +: 2*N];

  genvar j, i, k;
  generate
  for (j = 0; j < Words; j++) begin : gen_sum
    logic [Words:0][SumW-1:0] partial;  // with so many high words
    logic [UpperW-1:0]        upper;

    assign partial[0] = SumW'(product_last[j*W +: W]);
    for (i = 0; i < Words; i++) begin : gen_word
      lt_solinas_term #(
        .W     (W),
        .SumW  (SumW),
        .Factor(Matrix[4*(j*Words+i) +: 4])
      ) u_term (
        .word_i(product_last[(Words+i)*W +: W]),
        .sum_i (partial[i]),
        .sum_o (partial[i+1])
      );
    end
    assign sums[j] = partial[Words];

    // The inverted sign adds 2^(UpperW-1).
    assign upper             = sums_q[j*SumW+W +: UpperW] ^ (UpperW'(1) << (UpperW - 1));
    assign upper_words[j]    = W'(upper);
    assign low_words[j*W +: W] = sums_q[j*SumW +: W];
  end
  endgenerate

  always_ff @(posedge clk_i) begin
    sums_q  <= sums;
    total_q <= TotalW'(low_words) + (TotalW'(upper_words) << W) + Offset;
  end

  assign rests[Subtractions] = total_q;
  assign unused_rests        = ^rests;

  generate
  for (k = 0; k < Subtractions; k++) begin : gen_subtract
    localparam int RestW = N + k;

    logic [RestW+1:0] difference;  // its top bit is a borrow
    logic [RestW-1:0] rest_q;

    assign difference = {1'b0, rests[k+1][RestW:0]} - {1'b0, (RestW+1)'(Modulus) << k};

    always_ff @(posedge clk_i) begin
      rest_q <= difference[RestW+1] ? rests[k+1][RestW-1:0] : difference[RestW-1:0];
    end

    assign rests[k] = TotalW'(rest_q);
  end
  endgenerate

  assign ready_o = 1'b1;
  assign valid_o = valid_q[Latency];
  assign z_o     = rests[0][N-1:0];

`ifndef SYNTHESIS
  initial begin
    assert (Words >= 2 && N == Words * W && UpperW <= W)
      else $fatal(1, "%0d bits are no words of %0d bits that hold the sums", N, W);
    assert (Subtractions >= 1 && Stages >= 1) else $fatal(1, "Subtractions or Stages is below 1");
  end

  always @(posedge clk_i) begin
    if (rst_ni && valid_q[Latency]) begin
      assert (rests[0] < Modulus) else $error("%0d subtractions do not suffice", Subtractions);
    end
  end
`endif

endmodule

`default_nettype wire
