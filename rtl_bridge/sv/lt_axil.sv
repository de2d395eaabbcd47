// SPDX-License-Identifier: Apache-2.0
//
// The master of a core behind an AXI4-Lite port: writes operands, and constants where they are new,
// reads registers that have to hold a value, writes the start, polls until the core is done, and
// reads the result, each when the sequencer says so.
//
// How channels pause, how far polls are apart and what is written to a busy core follows from the
// number of the product, or from its seed where it is disturbed. In half of the undisturbed
// products no channel pauses; in all others each of them does or does not, in about every other
// cycle. Writes to a busy core, which has to ignore them, are another start or a word of an operand
// or constant: in a product that is disturbed so about every other access, and one in every fourth
// of the first undisturbed products and in every sixteenth of the later ones.

`default_nettype none

module lt_axil #(
  parameter int AddrW    = 1,
  parameter int DataW    = 32,
  parameter int Loads    = 1,
  parameter int Depth    = 1,    // most words of a load
  parameter int Checks   = 0,    // registers that are read before the start
  parameter int Words    = 1,    // of a result
  parameter int CountW   = 16,   // bits of a number of words
  parameter int CycleW   = 32,   // bits of a number of cycles
  parameter int Patience = 256,  // most cycles that the core keeps a channel waiting
  parameter int Margin   = 24,   // least cycles that are left when a write to a busy core begins
  parameter int Polls    = 16,   // after the core is done, until the register has to say so
  parameter logic [Loads-1:0] Once = '0,  // loads of constants
  parameter int Places   = (Checks == 0) ? 1 : Checks,  // derived, not to be set
  // Addresses, of the first load or check in the low bits
  parameter logic [Loads*AddrW-1:0]  LoadAt   = '0,
  parameter logic [Places*AddrW-1:0] CheckAt  = '0,
  parameter logic [AddrW-1:0]        StartAt  = '0,
  parameter logic [AddrW-1:0]        DoneAt   = '0,
  parameter logic [AddrW-1:0]        ResultAt = '0,
  parameter logic [DataW-1:0]        DoneMask = '0  // one of these bits says done
) (
  input wire logic                         clk_i,
  input wire logic                         rst_i,

  // testbench
  input wire logic                         begin_i,       // there is a product
  input wire logic [31:0]                  turn_i,        // its number
  input wire logic [15:0]                  stall_seed_i,  // 0: no pauses
  input wire logic [15:0]                  seed_i,        // of this product, disturbed
  input wire logic                         disturb_i,     // writes to a busy core
  input wire logic                         renew_i,       // constants are new
  input wire logic [Loads*Depth*DataW-1:0] images_i,      // first load in the low bits
  input wire logic [Loads*CountW-1:0]      words_i,
  input wire logic [DataW-1:0]             start_i,       // what is written to start
  input wire logic [CycleW-1:0]            cycles_i,      // from start to done; 0: not known

  // sequencer
  input wire logic                         load_i,
  output     logic                         loaded_o,
  input wire logic                         offer_i,
  output     logic                         started_o,     // the start is answered
  input wire logic                         begun_i,       // the core takes its product
  input wire logic                         run_i,
  output     logic                         finished_o,    // the register says that the core is done
  input wire logic                         read_i,
  output     logic                         read_done_o,
  output     logic [Words*DataW-1:0]       result_o,
  output     logic                         wait_o,
  output     logic                         intrude_o,     // a write to a busy core begins

  // rules
  output     logic [Places-1:0]            checked_o,     // the value of this check is on the bus
  output     logic                         polled_o,      // that of the register that says done is
  output     logic                         never_o,       // and it should say so by now
  output     logic [1:0]                   owed_o,        // of lt_axil_bus
  output     logic [1:0]                   kept_o,
  output     logic [1:0]                   moved_o,
  output     logic [4:0]                   missing_o,

  // core
  output     logic [AddrW-1:0]             awaddr_o,
  output     logic                         awvalid_o,
  input wire logic                         awready_i,
  output     logic [DataW-1:0]             wdata_o,
  output     logic                         wvalid_o,
  input wire logic                         wready_i,
  input wire logic [1:0]                   bresp_i,
  input wire logic                         bvalid_i,
  output     logic                         bready_o,
  output     logic [AddrW-1:0]             araddr_o,
  output     logic                         arvalid_o,
  input wire logic                         arready_i,
  input wire logic [DataW-1:0]             rdata_i,
  input wire logic [1:0]                   rresp_i,
  input wire logic                         rvalid_i,
  output     logic                         rready_o
);

  localparam logic [AddrW-1:0] Octets = AddrW'(DataW / 8);

  typedef enum logic [2:0] {StLoad, StCheck, StReady, StStart, StPoll, StIntrude, StDone} state_e;

  state_e             state_q;
  logic [CountW-1:0]  check_q;
  logic               begun_q;   // the core has its product
  logic [CycleW-1:0]  age_q;     // cycles since
  logic [31:0]        polls_q;   // since the core was done
  logic [1:0]         gap_q;     // cycles before the next poll
  logic               intrude_q; // this product gets a write to a busy core
  logic [CountW-1:0]  which_q;   // the load that it is a word of; Loads: it is a start
  logic [15:0]        lfsr_q;
  logic [4:0]         lazy_q;    // channels that pause

  logic [15:0]        mixed;     // something that follows from its number and looks random
  logic [15:0]        drawn;
  logic               written, writes, reading, read_all, done, lost, said, last, intrudes;
  logic [4:0]         pause;
  logic               write, read;
  logic [AddrW-1:0]   address;
  logic [DataW-1:0]   data;
  logic [DataW-1:0]   load_data;
  logic [AddrW-1:0]   load_at;
  // verilator lint_off UNUSEDSIGNAL
  // Addresses are those that the core has.
  logic [CountW-1:0]  load_word, result_word;
  logic               no_product;
  // verilator lint_on UNUSEDSIGNAL

  assign mixed = stall_seed_i ^ 16'(((turn_i + 32'd1) * 32'h9E3779B1) >> 7);
  assign drawn = (|seed_i) ? seed_i : mixed;

  // Bits of one register that are far apart.
  assign pause = (state_q == StIntrude) ? '0 :
                 lazy_q & {lfsr_q[0] ^ lfsr_q[7], lfsr_q[3] ^ lfsr_q[14], lfsr_q[5] ^ lfsr_q[9],
                           lfsr_q[1] ^ lfsr_q[12], lfsr_q[2] ^ lfsr_q[6]};

  lt_loader #(
    .CountW (CountW),
    .Loads  (Loads),
    .Depth  (Depth),
    .DataW  (DataW),
    .AddrW  (CountW),
    .SelectW(AddrW),
    .Once   (Once)
  ) u_loader (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .load_i   (load_i & (state_q == StLoad)),
    .renew_i  (renew_i),
    .skip_i   ('0),
    .order_i  ('0),
    .ready_i  (done),
    .loaded_o (written),
    .images_i (images_i),
    .words_i  (words_i),
    .selects_i(LoadAt),
    .enable_o (writes),
    .select_o (load_at),
    .address_o(load_word),
    .data_o   (load_data)
  );

  assign reading = read_i & (state_q == StDone);

  lt_reader #(
    .CountW(CountW),
    .Depth (Words),
    .DataW (DataW),
    .AddrW (CountW)
  ) u_reader (
    .clk_i    (clk_i),
    .read_i   (reading),
    .ready_i  (done),
    .done_o   (read_all),
    .words_i  (CountW'(Words)),
    .product_o(no_product),
    .address_o(result_word),
    .data_i   (rdata_i),
    .result_o (result_o)
  );

  always_comb begin
    write   = 1'b0;
    read    = 1'b0;
    address = StartAt;
    data    = start_i;
    case (state_q)
      StLoad: begin
        write   = writes;
        address = load_at + AddrW'(load_word) * Octets;
        data    = load_data;
      end
      StCheck: begin
        read    = 1'b1;
        address = CheckAt[check_q*AddrW +: AddrW];
      end
      StStart: write = 1'b1;
      StPoll: begin
        read    = begun_q & (gap_q == '0);
        address = DoneAt;
      end
      StIntrude: begin
        write = 1'b1;
        if (which_q != CountW'(Loads)) begin
          address = LoadAt[which_q*AddrW +: AddrW];
          data    = {(DataW / 16){lfsr_q}};
        end
      end
      StDone: begin
        read    = reading & ~read_all;
        address = ResultAt + AddrW'(result_word) * Octets;
      end
      default: ;
    endcase
  end

  assign loaded_o    = (state_q == StReady);
  assign started_o   = (state_q == StStart) & done;
  assign finished_o  = (state_q == StDone);
  assign read_done_o = reading & read_all;

  assign polled_o  = (state_q == StPoll) & owed_o[1] & (rvalid_i === 1'b1);
  assign checked_o = ((state_q == StCheck) & owed_o[1] & (rvalid_i === 1'b1)) ?
                     Places'(1) << check_q : '0;
  assign said      = ((|(rdata_i & DoneMask)) === 1'b1) | lost;
  assign last      = (polls_q == 32'(Polls) - 32'd1);
  assign never_o   = polled_o & done & ~said & ~run_i & last;
  assign intrudes  = (disturb_i ? lfsr_q[8] : intrude_q) & (age_q + CycleW'(Margin) < cycles_i);
  assign intrude_o = (state_q == StPoll) & read & done & ~said & intrudes;

  // A core without a reset sees the port before the first one.
  initial begin
    state_q = StLoad;
    lazy_q  = '0;
  end

  always @(posedge clk_i) begin
    // Not while the start is delayed, which takes other times in other testbenches.
    if (state_q != StReady)
      lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[14] ^ lfsr_q[12] ^ lfsr_q[3]};
    if (begin_i) begin
      lfsr_q    <= drawn | 16'd1;
      lazy_q    <= {5{(drawn[5] | (|seed_i)) & (|stall_seed_i)}} & drawn[10:6];
      intrude_q <= ~(|seed_i) & ~(|mixed[12:11]) & ((turn_i < 32'd64) | ~(|mixed[14:13]));
    end
    age_q <= age_q + CycleW'(1);
    if (begun_i) begin
      age_q   <= '0;
      begun_q <= 1'b1;
    end
    if (rst_i) begin
      state_q <= StLoad;
      begun_q <= 1'b0;
      check_q <= '0;
      polls_q <= '0;
      gap_q   <= '0;
      which_q <= '0;
    end else begin
      case (state_q)
        StLoad: begin
          begun_q <= 1'b0;
          check_q <= '0;
          polls_q <= '0;
          if (load_i & written) state_q <= (Checks == 0) ? StReady : StCheck;
        end
        StCheck: begin
          if (done) begin
            check_q <= check_q + CountW'(1);
            if (check_q == CountW'(Places) - CountW'(1)) state_q <= StReady;
          end
        end
        StReady: if (offer_i) state_q <= StStart;
        StStart: if (done) state_q <= StPoll;
        StPoll: begin
          if (gap_q != '0) gap_q <= gap_q - 2'd1;
          if (read & done) begin
            gap_q   <= lfsr_q[11:10];
            if (!run_i) polls_q <= polls_q + 32'd1;
            which_q <= lfsr_q[13] ? CountW'(Loads) : CountW'(32'(lfsr_q[7:0]) % Loads);
            if (said | never_o) state_q <= StDone;
            else if (intrude_o) begin
              state_q   <= StIntrude;
              intrude_q <= 1'b0;
            end
          end
        end
        StIntrude: if (done) state_q <= StPoll;
        StDone: if (read_done_o) state_q <= StLoad;
        default: state_q <= StLoad;
      endcase
    end
  end

  lt_axil_bus #(
    .AddrW   (AddrW),
    .DataW   (DataW),
    .Patience(Patience)
  ) u_bus (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .pause_i  (pause),
    .write_i  (write),
    .read_i   (read),
    .address_i(address),
    .data_i   (data),
    .done_o   (done),
    .lost_o   (lost),
    .wait_o   (wait_o),
    .owed_o   (owed_o),
    .kept_o   (kept_o),
    .moved_o  (moved_o),
    .missing_o(missing_o),
    .awaddr_o (awaddr_o),
    .awvalid_o(awvalid_o),
    .awready_i(awready_i),
    .wdata_o  (wdata_o),
    .wvalid_o (wvalid_o),
    .wready_i (wready_i),
    .bresp_i  (bresp_i),
    .bvalid_i (bvalid_i),
    .bready_o (bready_o),
    .araddr_o (araddr_o),
    .arvalid_o(arvalid_o),
    .arready_i(arready_i),
    .rdata_i  (rdata_i),
    .rresp_i  (rresp_i),
    .rvalid_i (rvalid_i),
    .rready_o (rready_o)
  );

endmodule

`default_nettype wire
