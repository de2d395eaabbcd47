// SPDX-License-Identifier: Apache-2.0
// a * b mod p, one bit of b in a clock, high bit first, from sources as other people write them: a
// file list, macros, folders for included files and libraries, a file of cells, names that are used
// before they are declared.

`include "counter.vh"
`ifndef PLAIN
this is no Verilog
`endif

module listed_toy #(
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

    reg [`COUNT_BITS-1:0] count;

    wire [WIDTH+`EXTRA:0] sum = doubled + (y[WIDTH-1] ? x : 0);
    wire [WIDTH+2:0] doubled = {2'b00, result, 1'b0};
    reg  [WIDTH-1:0] x, y;
    reg              running;

    wire [WIDTH+2:0] once, twice;
    reduce #(.W(WIDTH + 3)) u_once (.in(sum), .modulus({3'b000, p}), .out(once));
    reduce #(.W(WIDTH + 3)) u_twice (.in(once), .modulus({3'b000, p}), .out(twice));

    always @(posedge clk) begin
        if (rst) begin
            running <= `ZERO;
            done    <= `ZERO;
        end else if (start && !running) begin
            x       <= a;
            y       <= b;
            result  <= {WIDTH{1'b0}};
            count   <= WIDTH;
            running <= 1'b1;
            done    <= `ZERO;
        end else if (running) begin
            result <= twice[WIDTH-1:0];
            y      <= y << `STEP;
            count  <= count - `STEP;
            if (count == `LAST) begin
                running <= `ZERO;
                done    <= 1'b1;
            end
        end
    end

endmodule
