// SPDX-License-Identifier: Apache-2.0
//
// Between a core with an AXI4-Lite port and a master in cocotb. The master works half a cycle away
// from the clock edges, at which no signal moves, so that it sees and does the same in every
// simulator: what it writes goes out at the next edge, and what it reads is what that edge will find.
//
// The master loads operands, starts the core, looks whether it is done and reads the result, each
// when the sequencer says so. Nothing unknown reaches it; a result is kept here as it came.

`default_nettype none

module lt_axil #(
  parameter int AddrW = 1,
  parameter int DataW = 32,
  parameter int Words = 1   // of a result
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  // sequencer
  input  logic                   load_i,
  output logic                   loaded_o,
  input  logic                   offer_i,
  output logic                   started_o,
  input  logic                   run_i,
  output logic                   finished_o,
  input  logic                   read_i,
  output logic                   read_done_o,
  output logic [Words*DataW-1:0] result_o,
  output logic                   wait_o,      // somebody waits for the master

  // core
  output logic [AddrW-1:0]       awaddr_o,
  output logic [2:0]             awprot_o,
  output logic                   awvalid_o,
  input  logic                   awready_i,
  output logic [DataW-1:0]       wdata_o,
  output logic [DataW/8-1:0]     wstrb_o,
  output logic                   wvalid_o,
  input  logic                   wready_i,
  input  logic [1:0]             bresp_i,
  input  logic                   bvalid_i,
  output logic                   bready_o,
  output logic [AddrW-1:0]       araddr_o,
  output logic [2:0]             arprot_o,
  output logic                   arvalid_o,
  input  logic                   arready_i,
  input  logic [DataW-1:0]       rdata_i,
  input  logic [1:0]             rresp_i,
  input  logic                   rvalid_i,
  output logic                   rready_o
);

  // Read by cocotb
  logic               clk          /*verilator public_flat_rw*/;
  logic               rst          /*verilator public_flat_rw*/;
  logic               load         /*verilator public_flat_rw*/;
  logic               offer        /*verilator public_flat_rw*/;
  logic               run          /*verilator public_flat_rw*/;
  logic               read         /*verilator public_flat_rw*/;
  logic [1:0]         withdrawn    /*verilator public_flat_rw*/;  // an answer that nobody took: {read, write}
  logic               axil_awready /*verilator public_flat_rw*/;
  logic               axil_wready  /*verilator public_flat_rw*/;
  logic [1:0]         axil_bresp   /*verilator public_flat_rw*/;
  logic               axil_bvalid  /*verilator public_flat_rw*/;
  logic               axil_arready /*verilator public_flat_rw*/;
  logic [DataW-1:0]   axil_rdata   /*verilator public_flat_rw*/;
  logic [1:0]         axil_rresp   /*verilator public_flat_rw*/;
  logic               axil_rvalid  /*verilator public_flat_rw*/;

  // Written by cocotb
  logic               loaded       /*verilator public_flat_rw*/;
  logic               started      /*verilator public_flat_rw*/;
  logic               finished     /*verilator public_flat_rw*/;
  logic               collect      /*verilator public_flat_rw*/;  // what is read now is the result
  logic               read_done    /*verilator public_flat_rw*/;
  logic [AddrW-1:0]   axil_awaddr  /*verilator public_flat_rw*/;
  logic [2:0]         axil_awprot  /*verilator public_flat_rw*/;
  logic               axil_awvalid /*verilator public_flat_rw*/;
  logic [DataW-1:0]   axil_wdata   /*verilator public_flat_rw*/;
  logic [DataW/8-1:0] axil_wstrb   /*verilator public_flat_rw*/;
  logic               axil_wvalid  /*verilator public_flat_rw*/;
  logic               axil_bready  /*verilator public_flat_rw*/;
  logic [AddrW-1:0]   axil_araddr  /*verilator public_flat_rw*/;
  logic [2:0]         axil_arprot  /*verilator public_flat_rw*/;
  logic               axil_arvalid /*verilator public_flat_rw*/;
  logic               axil_rready  /*verilator public_flat_rw*/;

  initial begin
    {loaded, started, finished, collect, read_done} = '0;
    {axil_awvalid, axil_wvalid, axil_bready, axil_arvalid, axil_rready} = '0;
  end

  assign clk   = ~clk_i;
  assign rst   = (rst_i === 1'b1);
  assign load  = (load_i === 1'b1);
  assign offer = (offer_i === 1'b1);
  assign run   = (run_i === 1'b1);
  assign read  = (read_i === 1'b1);

  assign loaded_o    = loaded;
  assign started_o   = started;
  assign finished_o  = finished;
  assign read_done_o = read_done;

  assign axil_awready = (awready_i === 1'b1);
  assign axil_wready  = (wready_i === 1'b1);
  assign axil_bvalid  = (bvalid_i === 1'b1);
  assign axil_bresp   = ((^bresp_i) === 1'bx) ? '1 : bresp_i;
  assign axil_arready = (arready_i === 1'b1);
  assign axil_rvalid  = (rvalid_i === 1'b1);
  assign axil_rresp   = ((^rresp_i) === 1'bx) ? '1 : rresp_i;
  assign axil_rdata   = ((^rdata_i) === 1'bx) ? '1 : rdata_i;

  always_ff @(posedge clk_i) begin
    awaddr_o  <= axil_awaddr;
    awprot_o  <= axil_awprot;
    awvalid_o <= axil_awvalid & ~rst_i;
    wdata_o   <= axil_wdata;
    wstrb_o   <= axil_wstrb;
    wvalid_o  <= axil_wvalid & ~rst_i;
    bready_o  <= axil_bready & ~rst_i;
    araddr_o  <= axil_araddr;
    arprot_o  <= axil_arprot;
    arvalid_o <= axil_arvalid & ~rst_i;
    rready_o  <= axil_rready & ~rst_i;
  end

  // An answer stays as it is until it is taken.
  logic [DataW+4:0] answer, answer_q;
  logic [1:0]       held_q;

  assign answer = {rdata_i, rresp_i, rvalid_i, bresp_i};

  always_ff @(posedge clk_i) begin
    answer_q  <= answer;
    held_q    <= {2{~rst_i}} & {rvalid_i & ~rready_o, bvalid_i & ~bready_o};
    withdrawn <= {2{~rst_i}} & (withdrawn |
                 {held_q[1] & ((answer >> 2) !== (answer_q >> 2)),
                  held_q[0] & ({bvalid_i, bresp_i} !== {1'b1, answer_q[1:0]})});
  end

  assign wait_o = (bvalid_i & ~bready_o) | (rvalid_i & ~rready_o) | (awvalid_o ^ wvalid_o);

  logic                   collect_q;  // the master is half a cycle ahead
  logic [15:0]            word_q;
  logic [Words*DataW-1:0] result_q;

  always_ff @(posedge clk_i) begin
    collect_q <= collect;
    if (!collect_q) begin
      word_q <= '0;
    end else if (rvalid_i & rready_o) begin
      word_q <= word_q + 16'd1;
      result_q[word_q*DataW +: DataW] <= rdata_i;
    end
  end

  assign result_o = result_q;

endmodule

`default_nettype wire
