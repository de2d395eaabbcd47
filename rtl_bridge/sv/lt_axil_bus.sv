// SPDX-License-Identifier: Apache-2.0
//
// Makes one access after the other on an AXI4-Lite port. Address and data of a write are offered at
// the same time and are taken in any order; what is offered stays until it is taken. While nothing
// is offered, address and data are the inverse of the next ones. An access that is not answered in
// time is given up, and so are all after it.

`default_nettype none

module lt_axil_bus #(
  parameter int AddrW    = 1,
  parameter int DataW    = 32,
  parameter int Patience = 256  // cycles of an access after which no channel waits for the core
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic [4:0]       pause_i,    // {r, ar, b, w, aw}: stall this channel
  input wire logic             write_i,    // held until done_o
  input wire logic             read_i,     // held until done_o, and not together with write_i
  input wire logic [AddrW-1:0] address_i,
  input wire logic [DataW-1:0] data_i,
  output     logic             done_o,     // the edge that ends this cycle takes the response
  output     logic             lost_o,     // accesses were given up, and responses mean nothing
  output     logic             wait_o,     // a channel is held back
  output     logic [1:0]       owed_o,     // {r, b}: the core may respond
  output     logic [1:0]       kept_o,     // {r, b}: a response was stalled in the last cycle
  output     logic [1:0]       moved_o,    // and it is another one now
  output     logic [4:0]       missing_o,  // {r, ar, b, w, aw}: timeout of this channel

  // core
  output     logic [AddrW-1:0] awaddr_o,
  output     logic             awvalid_o,
  input wire logic             awready_i,
  output     logic [DataW-1:0] wdata_o,
  output     logic             wvalid_o,
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
  logic [2:0]       valid;
  logic [2:0]       ready;
  logic [2:0]       taken;
  logic [2:0]       offered_q;  // in the last cycle, and not taken
  logic [2:0]       sent_q;
  logic [31:0]      wait_q;     // cycles of the access
  logic             late;
  logic             lost_q;
  logic [1:0]       kept_q;
  logic [1:0]       bresp_q;
  logic [DataW+1:0] read_q;

  assign next  = {read_i, {2{write_i}}} & ~sent_q & ~{3{lost_q}};
  assign valid = next & (offered_q | ~{pause_i[3], pause_i[1:0]});
  assign ready = {arready_i === 1'b1, wready_i === 1'b1, awready_i === 1'b1};
  assign taken = valid & ready;

  assign {arvalid_o, wvalid_o, awvalid_o} = valid;
  assign awaddr_o = awvalid_o ? address_i : ~address_i;
  assign wdata_o  = wvalid_o ? data_i : ~data_i;
  assign araddr_o = arvalid_o ? address_i : ~address_i;
  assign bready_o = ~pause_i[2] & ~rst_i;
  assign rready_o = ~pause_i[4] & ~rst_i;

  assign owed_o = {sent_q[2], &sent_q[1:0]};
  assign done_o = (write_i & (lost_q | (owed_o[0] & (bvalid_i === 1'b1) & bready_o))) |
                  (read_i & (lost_q | (owed_o[1] & (rvalid_i === 1'b1) & rready_o)));
  assign lost_o = lost_q;
  assign wait_o = (|(next & ~valid)) | ((bvalid_i === 1'b1) & ~bready_o) |
                  ((rvalid_i === 1'b1) & ~rready_o);

  assign late      = (wait_q >= 32'(Patience));
  assign missing_o = {5{late}} & {owed_o[1] & (rvalid_i !== 1'b1), valid[2] & ~ready[2],
                                  owed_o[0] & (bvalid_i !== 1'b1), valid[1:0] & ~ready[1:0]};

  assign kept_o  = kept_q;
  assign moved_o = kept_q & {{rdata_i, rresp_i} !== read_q, bresp_i !== bresp_q};

  // A core without a reset sees the port before the first one.
  initial begin
    sent_q    = '0;
    offered_q = '0;
    lost_q    = 1'b0;
    kept_q    = '0;
  end

  always @(posedge clk_i) begin
    kept_q  <= {2{~rst_i}} & {(rvalid_i === 1'b1) & ~rready_o, (bvalid_i === 1'b1) & ~bready_o};
    bresp_q <= bresp_i;
    read_q  <= {rdata_i, rresp_i};
    if (rst_i) begin
      sent_q    <= '0;
      offered_q <= '0;
      wait_q    <= '0;
      lost_q    <= 1'b0;
    end else if (write_i | read_i) begin
      sent_q    <= done_o ? '0 : sent_q | taken;
      offered_q <= valid & ~taken;
      wait_q    <= done_o ? '0 : wait_q + 32'd1;
      lost_q    <= lost_q | (|missing_o);
    end
  end

endmodule

`default_nettype wire
