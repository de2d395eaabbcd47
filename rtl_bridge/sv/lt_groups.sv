// SPDX-License-Identifier: Apache-2.0
//
// The groups of a stream, each of which has a start and a done of its own. The first start is made
// by the sequencer, and the next ones here, each in the first cycle in which the core takes it. The
// stream is done with its last group.
//
// Operands are loaded until the last image is left, which is written while the core works.

`default_nettype none

module lt_groups #(
  parameter int Groups = 2,
  parameter int GroupW = 1   // bits of a number of a group
) (
  input wire logic              clk_i,
  input wire logic              rst_i,
  input wire logic              begin_i,     // the core takes the first start of a stream
  input wire logic              front_i,     // it takes a start in front of it, a group alone
  input wire logic              accept_i,    // it would take one
  input wire logic              done_i,      // a group is done
  input wire logic              load_i,      // operands are wanted
  input wire logic              loaded_i,    // the last image is written
  output     logic              fill_o,      // there is more to be written
  output     logic              start_o,     // the next start
  output     logic [GroupW-1:0] group_o,     // and the group that it is for
  output     logic              last_o,      // the last group of the stream is at work
  output     logic              done_o       // it is done
);

  localparam int CountW = $clog2(Groups + 1);

  logic [CountW-1:0] left_q;     // starts to come
  logic [CountW-1:0] pending_q;  // dones to come
  logic              fill_q;

  assign fill_o  = load_i | fill_q;
  assign start_o = (left_q != '0) & accept_i & ~fill_q;
  assign group_o = (left_q == '0) ? '0 : GroupW'(CountW'(Groups) - left_q);
  assign last_o  = (left_q == '0) & (pending_q == CountW'(1));
  assign done_o  = done_i & (pending_q <= CountW'(1));

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      left_q    <= '0;
      pending_q <= '0;
      fill_q    <= 1'b0;
    end else begin
      fill_q <= fill_o & ~loaded_i;
      if (begin_i) begin
        left_q    <= CountW'(Groups - 1);
        pending_q <= CountW'(Groups);
      end else begin
        if (start_o) left_q <= left_q - CountW'(1);
        if (front_i) pending_q <= CountW'(1);
        else if (done_i && pending_q != '0) pending_q <= pending_q - CountW'(1);
      end
    end
  end

endmodule

`default_nettype wire
