// SPDX-License-Identifier: Apache-2.0
//
// Two multipliers behind one pair of word-serial ports. A product may start in cycle 0 (unit 0) or
// S (unit 1) of a round of 4*S cycles; the slow unit 0 answers 4*S cycles after its start, unit 1
// does so after 2*S, so that a later product may come out first.

module serial_toy_unit #(
  parameter int W   = 8,
  parameter int S   = 2,
  parameter int Out = 4   // cycles from the first word in to the first word out
) (
  input wire logic           clk_i,
  input wire logic           rst_ni,
  input wire logic           start_i,
  input wire logic [W-1:0]   a_i,
  input wire logic [W-1:0]   b_i,
  input wire logic [W*S-1:0] p_i,
  input wire logic [W-1:0]   p_prime_i,
  output     logic           work_o,
  output     logic [W-1:0]   q_o,
  output     logic [W*S-1:0] t_o,
  output     logic           valid_o,
  output     logic [W-1:0]   r_o
);

  logic [Out+S-2:0] ago_q;  // bit k: the start was k + 1 cycles ago
  logic [W*S-1:0]   a_q, b_q, t_q;
  logic [7:0]       out_q;
  logic [W*S+W:0]   row, sum;
  logic             load, work;

  assign load    = start_i | (|ago_q[S-2:0]);
  assign work    = |ago_q[2*S-2:S-1];
  assign valid_o = |ago_q[Out+S-2:Out-1];
  assign row     = (W*S+W+1)'(ago_q[S-1] ? '0 : t_q) + a_q[W-1:0] * b_q;
  assign q_o     = W'(row[W-1:0] * p_prime_i);
  assign sum     = row + q_o * p_i;
  assign work_o  = work;
  assign t_o     = t_q;
  assign r_o     = t_q[out_q*W +: W];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ago_q <= '0;
    else         ago_q <= (Out+S-1)'({ago_q, start_i});
    if (load | work) a_q <= {a_i, a_q[W*S-1:W]};
    if (load) b_q <= {b_i, b_q[W*S-1:W]};
    if (work) t_q <= (W*S)'(sum >> W);
    out_q <= valid_o ? out_q + 8'd1 : '0;
  end

endmodule

module serial_toy #(
  parameter int W = 8,
  parameter int S = 2
) (
  input wire logic           clk_i,
  input wire logic           rst_ni,
  input wire logic           spoil_i,   // on purpose: words of two products touch
  input wire logic           setup_i,   // a_i: the modulus, S words; b_i: -p^-1, one word
  input wire logic           start_i,   // with the first of S words
  input wire logic [W-1:0]   a_i,
  input wire logic [W-1:0]   b_i,
  output     logic           ready_o,   // a product may start in this cycle
  output     logic           unit_o,    // and this unit takes it
  output     logic           valid_o,
  output     logic           tag_o,     // the unit that the word comes from
  output     logic [W-1:0]   r_o,

  output     logic           dbg_work0_o,
  output     logic [W-1:0]   dbg_q0_o,
  output     logic [W-1:0]   dbg_q1_o,
  output     logic [W*S-1:0] dbg_t0_o,
  output     logic [W*S-1:0] dbg_t1_o
);

  logic [W*S-1:0] p_q;
  logic [W-1:0]   p_prime_q, r0, r1;
  logic [7:0]     phase_q;
  logic           valid0, valid1, unused_work;

  assign unit_o  = (phase_q == 8'(S));
  assign ready_o = ~setup_i & ((phase_q == '0) | unit_o);
  assign valid_o = valid0 | valid1;
  assign tag_o   = valid1;
  assign r_o     = valid1 ? r1 : r0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni | setup_i) phase_q <= '0;
    else                   phase_q <= (phase_q == 8'(4*S-1)) ? '0 : phase_q + 8'd1;
    if (setup_i) begin
      p_q       <= {a_i, p_q[W*S-1:W]};
      p_prime_q <= b_i;
    end
  end

  serial_toy_unit #(
    .W  (W),
    .S  (S),
    .Out(4*S)
  ) u_slow (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (start_i & ~unit_o),
    .a_i      (a_i),
    .b_i      (b_i),
    .p_i      (p_q),
    .p_prime_i(p_prime_q),
    .work_o   (dbg_work0_o),
    .q_o      (dbg_q0_o),
    .t_o      (dbg_t0_o),
    .valid_o  (valid0),
    .r_o      (r0)
  );

  serial_toy_unit #(
    .W  (W),
    .S  (S),
    .Out(2*S)
  ) u_fast (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (start_i & unit_o),
    .a_i      (a_i ^ W'(spoil_i & dbg_work0_o)),
    .b_i      (b_i),
    .p_i      (p_q),
    .p_prime_i(p_prime_q),
    .work_o   (unused_work),
    .q_o      (dbg_q1_o),
    .t_o      (dbg_t1_o),
    .valid_o  (valid1),
    .r_o      (r1)
  );

endmodule
