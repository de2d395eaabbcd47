// SPDX-License-Identifier: Apache-2.0
// A scoreboard around lt_iddmm_arch2 with operands that the testbench draws: every watched signal
// in every cycle is compared with `limbtrace library iddmm_arch2 --prime p256 --radix 2^32 --name
// golden`.

module scoreboard;

  import golden_pkg::*;

  localparam int K = 32, N = 8;
  localparam bit [255:0] P = 256'hffffffff00000001000000000000000000000000ffffffffffffffffffffffff;

  bit clk, rst_n, wr_en, start;
  bit [1:0] wr_sel;
  bit [4:0] wr_addr, rd_addr;
  bit [K-1:0] wr_data;
  logic busy, done;
  logic [K-1:0] rd_data;

  always #5ns clk = ~clk;

  lt_iddmm_arch2 #(.K(K), .NMax(16)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .wr_en_i(wr_en), .wr_sel_i(wr_sel), .wr_addr_i(wr_addr), .wr_data_i(wr_data),
    .n_i(5'(N)), .passes_i(5'(N)), .p_prime_i(32'h1), .start_i(start), .busy_o(busy), .done_o(done),
    .rd_addr_i(rd_addr), .rd_data_o(rd_data)
  );

  a_t a;
  b_t b;
  bit [319:0] drawn;
  frame_t frame;
  row_t seen, value, care;
  int unsigned wrong, compared;

  task automatic load(input bit [1:0] select, input bit [319:0] words, input int count);
    for (int i = 0; i < count; ++i) begin
      @(negedge clk);
      wr_en = 1;
      wr_sel = select;
      wr_addr = 5'(i);
      wr_data = words[K*i +: K];
    end
    @(negedge clk) wr_en = 0;
  endtask

  initial begin
    repeat (2) @(negedge clk);
    rst_n = 1;
    load(2, 320'(P), N + 1);
    for (int product = 0; product < 300; ++product) begin
      for (int k = 0; k < 10; ++k) drawn[32*k +: 32] = $urandom();
      a = a_t'(drawn % (320'(P) * 2));
      for (int k = 0; k < 10; ++k) drawn[32*k +: 32] = $urandom();
      b = b_t'(drawn);
      load(0, 320'(a), N + 1);
      load(1, 320'(b), N);
      run(a, b, frame);
      start = 1;
      @(negedge clk) start = 0;
      for (int cycle = 0; cycle < Cycles; ++cycle) begin
        row(frame, cycle, value, care);
        // During the cycle what is combinational, and after its last edge the registers.
        #4ns;
        seen.S = dut.s_sum;
        seen.R = dut.qp;
        seen.U = dut.u_sum;
        seen.A_we = dut.u_frame.a_we;
        seen.A_addr = 4'(dut.u_frame.a_wr_addr);
        seen.A = dut.u_sum[K-1:0];
        @(negedge clk);
        seen.q = dut.u_products.quot_q;
        seen.C = dut.c_q;
        seen.An = dut.u_frame.a_top_q;
        ++compared;
        if ((seen & care) !== (value & care)) begin
          if (wrong < 5) begin
            $display("product %0d, cycle %0d: %h, golden %h, care %h",
                     product, cycle, seen, value, care);
          end
          ++wrong;
        end
      end
    end
    $display("%0d rows compared, %0d wrong", compared, wrong);
    $finish;
  end

endmodule
