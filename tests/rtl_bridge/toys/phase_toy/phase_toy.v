// SPDX-License-Identifier: Apache-2.0
// a * b mod m with a handshake of four phases, active low: request falls, acknowledge falls when
// the result is there, request rises, acknowledge rises. Who takes the request back in the middle
// ends the product. The result has two ports.

module phase_toy #(
    parameter W = 16
) (
    input  wire                 CLK,
    input  wire                 NRST,
    input  wire                 NREQ,
    output reg                  NACK,
    input  wire [W-1:0]         A,
    input  wire [W-1:0]         B,
    input  wire [W-1:0]         M,
    output wire [(W+1)/2-1:0]   HI,
    output wire [W/2-1:0]       LO
);

    reg [W-1:0]  r;
    reg [15:0]   at;
    reg          works;

    wire [W+1:0] m = {2'b00, M};
    wire [W+1:0] d = {1'b0, r, 1'b0} + (B[at[$clog2(W)-1:0]] ? {2'b00, A} : {W+2{1'b0}});
    wire [W+1:0] e = d >= m ? d - m : d;
    wire [W+1:0] f = e >= m ? e - m : e;

    assign {HI, LO} = r;

    always @(posedge CLK) begin
        if (!NRST) begin
            works <= 1'b0;
            NACK  <= 1'b1;
        end else if (NREQ) begin
            works <= 1'b0;
            NACK  <= 1'b1;
        end else if (!works) begin
            works <= 1'b1;
            r     <= {W{1'b0}};
            at    <= W[15:0] - 16'd1;
        end else if (NACK) begin
            r  <= f[W-1:0];
            at <= at - 16'd1;
            if (at == 16'd0) NACK <= 1'b0;
        end
    end

endmodule
