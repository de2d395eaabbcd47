// SPDX-License-Identifier: Apache-2.0
// a * b mod p, one bit of b in a clock, high bit first: double, add, subtract p up to twice. Any p,
// even ones too.

module modmul_toy #(
    parameter WIDTH = 64
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             start,
    input  wire [WIDTH-1:0] a,
    input  wire [WIDTH-1:0] b,
    input  wire [WIDTH-1:0] p,
    output reg              done,
    output reg  [WIDTH-1:0] result
);

    reg [WIDTH-1:0] x, y;
    reg [15:0]      count;
    reg             running;

    wire [WIDTH+1:0] modulus = {2'b00, p};
    wire [WIDTH+1:0] doubled = {1'b0, result, 1'b0};
    wire [WIDTH+1:0] sum     = y[WIDTH-1] ? doubled + {2'b00, x} : doubled;
    wire [WIDTH+1:0] once    = sum >= modulus ? sum - modulus : sum;
    wire [WIDTH+1:0] twice   = once >= modulus ? once - modulus : once;

    always @(posedge clk) begin
        if (rst) begin
            running <= 1'b0;
            done    <= 1'b0;
        end else if (start && !running) begin
            x       <= a;
            y       <= b;
            result  <= {WIDTH{1'b0}};
            count   <= WIDTH;
            running <= 1'b1;
            done    <= 1'b0;
        end else if (running) begin
            result <= twice[WIDTH-1:0];
            y      <= y << 1;
            count  <= count - 16'd1;
            if (count == 16'd1) begin
                running <= 1'b0;
                done    <= 1'b1;
            end
        end
    end

endmodule
