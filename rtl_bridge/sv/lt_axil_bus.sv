// SPDX-License-Identifier: Apache-2.0
//
// Makes accesses on an AXI4-Lite port, a write and a read at a time. Address and data of a write
// are offered at the same time unless one of them pauses, and are taken in any order; what is
// offered stays until it is taken. While nothing is offered, address and data are the inverse of
// the next ones. An access ends with its response, or, if it is posted, when it is taken; then up
// to three of a kind wait for their responses, which come in their order. An access that is not
// answered in time is given up, and so are all after it.

`default_nettype none

module lt_axil_bus #(
  parameter int AddrW    = 1,
  parameter int DataW    = 32,
  parameter int TagW     = 1,
  parameter int Patience = 256  // cycles of an access after which no channel waits for the core
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic [4:0]       pause_i,    // {r, ar, b, w, aw}: stall this channel
  input wire logic             hold_i,     // the core is still in reset: no channel is valid
  output     logic             wants_o,    // ... but one would be
  input wire logic             lenient_i,  // cycles in which a channel is held back do not count

  // writes; all of it is held until write_done_o
  input wire logic             write_i,
  input wire logic             write_post_i,
  input wire logic             excuse_i,   // the core may refuse it
  input wire logic [AddrW-1:0] write_at_i,
  input wire logic [DataW-1:0] data_i,
  input wire logic [DataW/8-1:0] strobes_i,
  output     logic             write_done_o,  // the edge that ends this cycle ends the write

  // reads; all of it is held until read_done_o
  input wire logic             read_i,
  input wire logic             read_post_i,
  input wire logic [AddrW-1:0] read_at_i,
  input wire logic [TagW-1:0]  tag_i,
  output     logic             read_done_o,
  output     logic             own_o,      // the next response is that of the read at hand
  output     logic             answer_o,   // the edge that ends this cycle takes a response
  output     logic [TagW-1:0]  tag_o,      // of the read that it answers

  output     logic             lost_o,     // accesses were given up, and responses mean nothing
  output     logic             wait_o,     // a channel is held back
  output     logic [1:0]       owed_o,     // {r, b}: the core may respond
  output     logic             excused_o,  // and the write may be refused
  output     logic [1:0]       kept_o,     // {r, b}: a response was stalled in the last cycle
  output     logic [1:0]       moved_o,    // and it is another one now
  output     logic [4:0]       missing_o,  // {r, ar, b, w, aw}: timeout of this channel

  // core
  output     logic [AddrW-1:0] awaddr_o,
  output     logic             awvalid_o,
  input wire logic             awready_i,
  output     logic [DataW-1:0] wdata_o,
  output     logic             wvalid_o,
  output     logic [DataW/8-1:0] wstrb_o,
  input wire logic             wready_i,
  input wire logic [1:0]       bresp_i,
  input wire logic             bvalid_i,
  output     logic             bready_o,
  output     logic [AddrW-1:0] araddr_o,
  output     logic             arvalid_o,
  input wire logic             arready_i,
  input wire logic [DataW-1:0] rdata_i,
  input wire logic [1:0]       rresp_i,
  input wire logic             rvalid_i,
  output     logic             rready_o
);

  logic [2:0]       next;       // {ar, w, aw}: still to be sent
  logic [2:0]       wanted;
  logic [2:0]       valid;
  logic [2:0]       ready;
  logic [2:0]       taken;
  logic             written;    // address and data are taken
  logic [1:0]       gone;       // {r, b}: a response is taken
  logic [1:0]       left_b, left_r;  // responses that are owed then
  logic [2:0]       offered_q;  // in the last cycle, and not taken
  logic [2:0]       sent_q;
  logic [1:0]       owed_b_q, owed_r_q;  // responses
  logic [2:0]       excuses_q;  // of the writes without a response, the oldest in the low bits
  logic [3*TagW-1:0] tags_q;    // the same of reads
  logic [2:0]       excuses;
  logic [3*TagW-1:0] tags;
  logic [31:0]      wait_b_q, wait_r_q;  // cycles of the write, of the read
  logic [1:0]       progress;   // {read, write}
  logic [1:0]       late;
  logic             lost_q;
  logic [1:0]       kept_q;
  logic [1:0]       bresp_q;
  logic [DataW+1:0] read_q;

  assign next   = {read_i & ~(&owed_r_q), {2{write_i & ~(&owed_b_q)}}} & ~sent_q & ~{3{lost_q}};
  assign wanted = next & (offered_q | ~{pause_i[3], pause_i[1:0]});
  assign valid  = wanted & ~{3{hold_i}};
  assign ready  = {arready_i === 1'b1, wready_i === 1'b1, awready_i === 1'b1};
  assign taken  = valid & ready;
  assign wants_o = |wanted;

  assign {arvalid_o, wvalid_o, awvalid_o} = valid;
  assign awaddr_o = awvalid_o ? write_at_i : ~write_at_i;
  assign wdata_o  = wvalid_o ? data_i : ~data_i;
  assign wstrb_o  = (wvalid_o | ~lenient_i) ? strobes_i : ~strobes_i;
  assign araddr_o = arvalid_o ? read_at_i : ~read_at_i;
  assign bready_o = ~pause_i[2] & ~rst_i;
  assign rready_o = ~pause_i[4] & ~rst_i;

  assign written = write_i & (&(sent_q[1:0] | taken[1:0])) & ~(&sent_q[1:0]);
  assign owed_o  = {|owed_r_q, |owed_b_q};
  assign gone    = owed_o & {(rvalid_i === 1'b1) & rready_o, (bvalid_i === 1'b1) & bready_o};
  assign left_b  = owed_b_q - 2'(gone[0]);
  assign left_r  = owed_r_q - 2'(gone[1]);

  assign own_o        = sent_q[2] & (owed_r_q == 2'd1);
  assign write_done_o = write_i & (lost_q | (write_post_i ? written :
                                   (&sent_q[1:0]) & (owed_b_q == 2'd1) & gone[0]));
  assign read_done_o  = read_i & (lost_q | (read_post_i ? taken[2] : own_o & gone[1]));
  assign answer_o     = gone[1];
  assign tag_o        = tags_q[TagW-1:0];
  assign excused_o    = excuses_q[0];

  assign lost_o = lost_q;
  assign wait_o = (|(next & ~valid)) | ((bvalid_i === 1'b1) & ~bready_o) |
                  ((rvalid_i === 1'b1) & ~rready_o);

  assign progress  = lenient_i ? {taken[2] | gone[1], (|taken[1:0]) | gone[0]} :
                                 {read_done_o, write_done_o};
  assign late      = {wait_r_q >= 32'(Patience), wait_b_q >= 32'(Patience)};
  assign missing_o = {{2{late[1]}}, {3{late[0]}}} &
                     {owed_o[1] & (rvalid_i !== 1'b1), valid[2] & ~ready[2],
                      owed_o[0] & (bvalid_i !== 1'b1), valid[1:0] & ~ready[1:0]};

  assign kept_o  = kept_q;
  assign moved_o = kept_q & {{rdata_i, rresp_i} !== read_q, bresp_i !== bresp_q};

  // In the order of the responses
  always_comb begin
    excuses = gone[0] ? excuses_q >> 1 : excuses_q;
    tags    = gone[1] ? tags_q >> TagW : tags_q;
    for (int k = 0; k < 3; k++) begin
      if (written & (left_b == 2'(k))) excuses[k] = excuse_i;
      if (taken[2] & (left_r == 2'(k))) tags[k*TagW +: TagW] = tag_i;
    end
  end

  // A core without a reset sees the port before the first one.
  initial begin
    sent_q    = '0;
    offered_q = '0;
    owed_b_q  = '0;
    owed_r_q  = '0;
    lost_q    = 1'b0;
    kept_q    = '0;
  end

  always @(posedge clk_i) begin
    kept_q  <= {2{~rst_i}} & {(rvalid_i === 1'b1) & ~rready_o, (bvalid_i === 1'b1) & ~bready_o};
    bresp_q <= bresp_i;
    read_q  <= {rdata_i, rresp_i};
    if (rst_i) begin
      sent_q     <= '0;
      offered_q  <= '0;
      owed_b_q   <= '0;
      owed_r_q   <= '0;
      excuses_q  <= '0;
      tags_q     <= '0;
      wait_b_q   <= '0;
      wait_r_q   <= '0;
      lost_q     <= 1'b0;
    end else if (write_i | read_i | (|owed_o)) begin
      sent_q[1:0] <= write_done_o ? '0 : sent_q[1:0] | taken[1:0];
      sent_q[2]   <= ~read_done_o & (sent_q[2] | taken[2]);
      offered_q   <= wanted & ~taken;
      owed_b_q    <= lost_q ? '0 : left_b + 2'(written);
      owed_r_q    <= lost_q ? '0 : left_r + 2'(taken[2]);
      excuses_q   <= excuses;
      tags_q      <= tags;
      if (progress[0] | ~(write_i | owed_o[0])) wait_b_q <= '0;
      else if (~lenient_i | ~wait_o) wait_b_q <= wait_b_q + 32'd1;
      if (progress[1] | ~(read_i | owed_o[1])) wait_r_q <= '0;
      else if (~lenient_i | ~wait_o) wait_r_q <= wait_r_q + 32'd1;
      lost_q <= lost_q | (|missing_o);
    end
  end

endmodule

`default_nettype wire
