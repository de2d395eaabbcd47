// SPDX-License-Identifier: Apache-2.0
// CIOS Montgomery multiplication: one multiply-accumulate per cycle, S words of W bits.
module mont_cios #(parameter W = 32, parameter S = 8) (
  input  wire           clk,
  input  wire           rst_n,
  input  wire           start,
  input  wire [W*S-1:0] a,
  input  wire [W*S-1:0] b,
  input  wire [W*S-1:0] n,
  input  wire [W-1:0]   n0_inv,  // -n^-1 mod 2^W
  output reg  [W*S-1:0] result,
  output reg            done
);
  localparam IDLE = 0, MUL = 1, MULC = 2, CALCM = 3, RED = 4, REDC = 5, SUBT = 6;
  reg [2:0] state;
  reg [7:0] i, j;
  reg [W*S-1:0] ar, br, nr;
  reg [W-1:0] t [0:S+1];
  reg [W-1:0] carry, m;
  integer k;

  wire [W-1:0] aj = ar[j*W +: W];
  wire [W-1:0] bi = br[i*W +: W];
  wire [W-1:0] nj = nr[j*W +: W];
  wire [2*W-1:0] mac1 = {{W{1'b0}}, t[j]} + {{W{1'b0}}, aj} * {{W{1'b0}}, bi} + {{W{1'b0}}, carry};
  wire [2*W-1:0] mac2 = {{W{1'b0}}, t[j]} + {{W{1'b0}}, m} * {{W{1'b0}}, nj} + {{W{1'b0}}, carry};
  wire [W:0] top = {1'b0, t[S]} + {1'b0, carry};

  reg [W*S:0] sum;
  always @* begin
    for (k = 0; k < S; k = k + 1) sum[k*W +: W] = t[k];
    sum[W*S] = t[S][0];
  end
  wire [W*S:0] diff = sum - {1'b0, nr};

  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      state <= IDLE;
      done <= 0;
    end else begin
      done <= 0;
      case (state)
        IDLE: if (start) begin
          ar <= a; br <= b; nr <= n;
          i <= 0; j <= 0; carry <= 0;
          for (k = 0; k < S + 2; k = k + 1) t[k] <= 0;
          state <= MUL;
        end
        MUL: begin
          t[j] <= mac1[W-1:0];
          carry <= mac1[2*W-1:W];
          j <= j == S - 1 ? 0 : j + 1;
          if (j == S - 1) state <= MULC;
        end
        MULC: begin
          {t[S+1], t[S]} <= {{(W-1){1'b0}}, top};
          carry <= 0;
          state <= CALCM;
        end
        CALCM: begin
          m <= t[0] * n0_inv;
          state <= RED;
        end
        RED: begin
          if (j != 0) t[j-1] <= mac2[W-1:0];
          carry <= mac2[2*W-1:W];
          j <= j == S - 1 ? 0 : j + 1;
          if (j == S - 1) state <= REDC;
        end
        REDC: begin
          t[S-1] <= top[W-1:0];
          t[S] <= t[S+1] + {{(W-1){1'b0}}, top[W]};
          carry <= 0;
          i <= i + 1;
          state <= i == S - 1 ? SUBT : MUL;
        end
        SUBT: begin
          result <= diff[W*S] ? sum[W*S-1:0] : diff[W*S-1:0];
          done <= 1;
          state <= IDLE;
        end
      endcase
    end
endmodule
