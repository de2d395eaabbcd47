// SPDX-License-Identifier: Apache-2.0
//
// Low-latency Montgomery multiplication: a product of redundant digits in every cycle, its
// result Cycles cycles after its operands are in their registers. See lt_lowlat_monpro.sv. With
// Shared = 1..K the digit multipliers are shared, a product takes Cycles = 3 * Shared cycles,
// and the next one starts when it is done. See lt_lowlat_shared.sv.
//
// A vector has K + 1 digits of D + 1 bits, digit 0 in the low bits; canonical digits have their
// top bit 0. Z is worth less than A*B/R + (1 + (2K-2)/2^D)*M: neither resolved nor reduced.
//
// load_i is high while operands, M and M' are on the ports. A load is taken in every cycle in
// which ready_o is high: in every cycle, if Shared is 0. valid_o and the result follow Cycles +
// 1 cycles later. M and M' must not change while a product is on its way; with Shared = 0 and
// Cycles = 1 that means that every product may have its own.

`default_nettype none

module lt_llmonpro #(
  parameter int D      = 16,  // bits of the radix
  parameter int K      = 8,   // digits of R = 2^(D*K)
  parameter int Cycles = 1,   // 1..7, or 3 * Shared
  parameter int Shared = 0    // 0: none, 1..K: cycles that T, Q and S each have the multipliers
) (
  input wire logic                   clk_i,
  input wire logic                   rst_ni,

  input wire logic                   load_i,
  output     logic                   ready_o,
  input wire logic [(K+1)*(D+1)-1:0] a_i,
  input wire logic [(K+1)*(D+1)-1:0] b_i,
  input wire logic [K*D-1:0]         m_i,   // M, odd
  input wire logic [K*D-1:0]         mp_i,  // M' = -1/M mod R

  output     logic                   valid_o,
  output     logic [(K+1)*(D+1)-1:0] z_o
);

  generate
  if (Shared == 0) begin : gen_own
    localparam int VectorW = (K + 1) * (D + 1);

    logic [VectorW-1:0] a_q;
    logic [VectorW-1:0] b_q;
    logic [K*D-1:0]     m_q;
    logic [K*D-1:0]     mp_q;
    logic [VectorW-1:0] z_d, z_q;
    logic [Cycles:0]    valid_q;  // a product in its registers, in each cycle of the datapath

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= '0;
      end else begin
        valid_q <= {valid_q[Cycles-1:0], load_i};
      end
    end

    always_ff @(posedge clk_i) begin
      if (load_i) begin
        a_q  <= a_i;
        b_q  <= b_i;
        m_q  <= m_i;
        mp_q <= mp_i;
      end
    end

    lt_lowlat_monpro #(
      .D     (D),
      .K     (K),
      .Cycles(Cycles)
    ) u_datapath (
      .clk_i(clk_i),
      .a_i  (a_q),
      .b_i  (b_q),
      .m_i  (m_q),
      .mp_i (mp_q),
      .z_o  (z_d)
    );

    always_ff @(posedge clk_i) z_q <= z_d;

    assign ready_o = 1'b1;
    assign valid_o = valid_q[Cycles];
    assign z_o     = z_q;

`ifndef SYNTHESIS
    always @(posedge clk_i) begin
      if (rst_ni && load_i) begin
        assert (valid_q[Cycles-1:0] == '0 || Cycles == 1 || (m_i == m_q && mp_i == mp_q))
          else $error("another modulus while a product is on its way");
      end
    end
`endif
  end else begin : gen_shared
    lt_lowlat_shared #(
      .D     (D),
      .K     (K),
      .Shared(Shared)
    ) u_datapath (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .load_i (load_i),
      .ready_o(ready_o),
      .a_i    (a_i),
      .b_i    (b_i),
      .m_i    (m_i),
      .mp_i   (mp_i),
      .valid_o(valid_o),
      .z_o    (z_o)
    );

`ifndef SYNTHESIS
    initial begin
      assert (Cycles == 3 * Shared) else $fatal(1, "Cycles = %0d is not 3 * Shared", Cycles);
    end
`endif
  end
  endgenerate

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni && load_i) begin
      assert (m_i[0]) else $error("the modulus is even");
    end
  end
`endif

endmodule

`default_nettype wire
