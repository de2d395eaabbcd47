// SPDX-License-Identifier: Apache-2.0
// Drivers of a net, each with an enable. Bits that no active one drives, or on which two differ,
// are anything.
(* techmap_celltype = "$pmux" *)
module lt_drivers (A, B, S, Y);
  parameter WIDTH = 1;
  parameter S_WIDTH = 1;

  input [WIDTH-1:0] A;
  input [WIDTH*S_WIDTH-1:0] B;
  input [S_WIDTH-1:0] S;
  output [WIDTH-1:0] Y;

  wire [WIDTH-1:0] any;

  \$anyseq #(.WIDTH(WIDTH)) u_any (.Y(any));

  genvar bit, driver;
  generate
  for (bit = 0; bit < WIDTH; bit = bit + 1) begin : g_bit
    wire [S_WIDTH-1:0] values;
    for (driver = 0; driver < S_WIDTH; driver = driver + 1) begin : g_driver
      assign values[driver] = B[driver*WIDTH + bit];
    end
    assign Y[bit] = (|(S & values) ^ |(S & ~values)) ? |(S & values) : any[bit];
  end
  endgenerate
endmodule

(* techmap_celltype = "$tribuf" *)
module lt_driver (A, EN, Y);
  parameter WIDTH = 1;

  input [WIDTH-1:0] A;
  input EN;
  output [WIDTH-1:0] Y;

  wire [WIDTH-1:0] any;

  \$anyseq #(.WIDTH(WIDTH)) u_any (.Y(any));

  assign Y = EN ? A : any;
endmodule
