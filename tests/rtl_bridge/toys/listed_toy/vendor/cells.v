// SPDX-License-Identifier: Apache-2.0
module vendor_select #(parameter W = 8) (
  input wire [W-1:0] less, input wire [W-1:0] more, output wire [W-1:0] out
);
    assign out = more[W-1] ? less : more;
endmodule
module vendor_other (input wire a);
endmodule
