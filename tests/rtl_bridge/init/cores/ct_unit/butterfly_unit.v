// SPDX-License-Identifier: Apache-2.0
// Cooley-Tukey butterfly of ML-KEM, one multiplier and a Barrett reduction.
module butterfly_unit (
    input             clk,
    input             rst,
    input             start,
    input      [15:0] a,
    input      [15:0] b,
    input      [15:0] zeta,
    output reg [15:0] a_out,
    output reg [15:0] b_out,
    output reg        done
);
    localparam Q = 16'd3329;
    reg [15:0] x, t;
    reg [31:0] prod;
    reg [2:0]  st;
    wire [43:0] est = (prod >> 11) * 20'd5039;   // floor(2^24 / q)
    wire [15:0] quo = est >> 13;
    wire [31:0] rem = prod - quo * Q;
    always @(posedge clk) begin
        if (rst) begin
            st <= 0; done <= 0;
        end else begin
            done <= 0;
            case (st)
                0: if (start) begin x <= a; prod <= b * zeta; st <= 1; end
                1: begin
                    t <= (rem >= 2 * Q) ? rem - 2 * Q : (rem >= Q) ? rem - Q : rem;
                    st <= 2;
                end
                2: begin
                    a_out <= (x + t >= Q) ? x + t - Q : x + t;
                    b_out <= (x >= t) ? x - t : x + Q - t;
                    done <= 1; st <= 0;
                end
            endcase
        end
    end
endmodule
