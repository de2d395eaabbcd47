// SPDX-License-Identifier: Apache-2.0
//
// Every pair of factors of 2 to 7 bits, through multipliers in logic and in DSP blocks.

module multiplier_tb;
  for (genvar k = 2; k <= 7; k++) begin : gen_width
    multiplier_case #(.K(k)) u_case ();
  end
endmodule

module multiplier_case #(
  parameter int K = 2
);
  logic [K-1:0]   a, b, low_logic, low_dsp;
  logic [2*K-1:0] logic_product, dsp_product;
  int             faults = 0;

  lt_mul #(.K(K), .UseDsp(0)) u_logic (.a_i(a), .b_i(b), .product_o(logic_product));
  lt_mul #(.K(K), .UseDsp(1)) u_dsp (.a_i(a), .b_i(b), .product_o(dsp_product));
  lt_mul #(.K(K), .ProductW(K), .UseDsp(0)) u_low_logic (
    .a_i(a), .b_i(b), .product_o(low_logic)
  );
  lt_mul #(.K(K), .ProductW(K), .UseDsp(1)) u_low_dsp (.a_i(a), .b_i(b), .product_o(low_dsp));

  initial begin
    for (int pair = 0; pair < 1 << (2 * K); pair++) begin
      {a, b} = (2 * K)'(pair);
      #1;
      if (logic_product !== (2 * K)'(int'(a) * int'(b)) || dsp_product !== logic_product ||
          low_logic !== logic_product[K-1:0] || low_dsp !== low_logic) faults++;
    end
    $display("K = %0d: %0d pairs, %0d faults", K, 1 << (2 * K), faults);
  end
endmodule
