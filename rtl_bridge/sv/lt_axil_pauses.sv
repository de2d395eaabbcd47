// SPDX-License-Identifier: Apache-2.0
//
// Pauses of the channels of an AXI4-Lite port in a disturbed product: address and data of a write
// are up to 15 cycles apart, in either order, or come together; responses wait for up to 31 cycles.

`default_nettype none

module lt_axil_pauses (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic        wild_i,
  input wire logic        lively_i,  // there is time for it
  // verilator lint_off UNUSEDSIGNAL
  input wire logic [31:0] dice_i,
  // verilator lint_on UNUSEDSIGNAL
  input wire logic        write_i,
  input wire logic        write_done_i,
  input wire logic        read_i,
  input wire logic        read_done_i,
  input wire logic        bvalid_i,
  input wire logic        bready_i,
  input wire logic        rvalid_i,
  input wire logic        rready_i,
  output     logic [4:0]  pause_o  // {r, ar, b, w, aw}
);

  logic [3:0] aw_q, w_q, ar_q;
  logic [4:0] b_q, r_q;
  logic [3:0] apart;
  logic [4:0] hold;

  assign apart = dice_i[10] ? {2'b00, dice_i[12:11]} : dice_i[14:11];
  assign hold  = dice_i[24] ? '0 : dice_i[25] ? {3'd0, dice_i[27:26]} : dice_i[30:26];

  assign pause_o = {5{lively_i}} & {|r_q, |ar_q, |b_q, |w_q, |aw_q};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      aw_q <= '0;
      w_q  <= '0;
      ar_q <= '0;
      b_q  <= '0;
      r_q  <= '0;
    end else if (wild_i) begin
      // In front of the next access
      if (write_done_i) begin
        aw_q <= (dice_i[9:8] == 2'd1) ? apart : '0;
        w_q  <= (dice_i[9:8] == 2'd2) ? apart : '0;
      end else if (write_i) begin
        if (|aw_q) aw_q <= aw_q - 4'd1;
        if (|w_q) w_q <= w_q - 4'd1;
      end
      if (read_done_i) ar_q <= (dice_i[16:15] == 2'd0) ? apart : '0;
      else if (read_i & (|ar_q)) ar_q <= ar_q - 4'd1;
      // From the cycle on in which there is a response
      if (bvalid_i & bready_i) b_q <= hold;
      else if (bvalid_i & (|b_q)) b_q <= b_q - 5'd1;
      if (rvalid_i & rready_i) r_q <= hold;
      else if (rvalid_i & (|r_q)) r_q <= r_q - 5'd1;
    end
  end

endmodule

`default_nettype wire
