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
//
// In a disturbed product the master does all that the protocol and the description permit (ACTIONS
// in rtl_bridge/protocols/axi4_lite_actions.py), as random numbers have it: see lt_axil_writer,
// lt_axil_results, lt_axil_asides and lt_axil_pauses. After Budget cycles it does only what is
// needed, so that a product ends in time. If the core retains its operands, there may be another
// product in front, of which nothing is read: with half of one load, which alone is then written
// again, or with the same operands, and the next start comes about when that product is done.

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
  parameter int Budget   = 256,  // cycles of loading and of reading in which it is disturbed
  parameter logic [Loads-1:0] Once = '0,  // loads of constants
  parameter int Places   = (Checks == 0) ? 1 : Checks,  // derived, not to be set
  // Addresses, of the first load or check in the low bits
  parameter logic [Loads*AddrW-1:0]  LoadAt   = '0,
  parameter logic [Places*AddrW-1:0] CheckAt  = '0,
  parameter logic [AddrW-1:0]        StartAt  = '0,
  parameter logic [AddrW-1:0]        DoneAt   = '0,
  parameter logic [AddrW-1:0]        ResultAt = '0,
  parameter logic [DataW-1:0]        DoneMask = '0,  // one of these bits says done
  // The core, as it is described
  parameter bit Partial   = 0,  // writes the bytes that have a strobe, and no others
  parameter bit Refusing  = 0,  // ignores a write without all of its strobes
  parameter bit Unmapped  = 0,  // bears accesses to addresses without a register
  parameter bit AnyOrder  = 0,  // is loaded in any order
  parameter bit Reread    = 0,  // has words of the result in any order, and again
  parameter bit Retains   = 0,  // retains operands when it has computed
  parameter bit Starts    = 0,  // shows when it takes a product
  parameter bit Shown     = 0,  // and when it is done
  parameter bit IdleThere = 0,  // does nothing if IdleValue is written to start
  parameter logic [DataW-1:0]    IdleValue = '0,
  parameter logic [DataW-1:0]    StartFree = '0,  // takes any value of these bits
  parameter logic [Loads-1:0]    Halves    = '0,  // takes half of these loads
  parameter logic [Loads*32-1:0] Readable  = '0   // low bits of each load that can be read
) (
  input wire logic                         clk_i,
  input wire logic                         rst_i,

  // testbench
  input wire logic                         hold_i,        // the core is still in reset
  output     logic                         wants_o,       // ... and should leave it
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
  input wire logic                         accept_i,      // the core takes a product
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
  output     logic                         hidden_o,      // a product in front is at work
  output     logic [Loads-1:0]             unlike_o,      // what is read from this load is wrong
  output     logic                         unequal_o,     // a word of the result has changed
  output     logic [DataW-1:0]             differing_o,   // in these bits
  output     logic                         foreign_o,     // the data that come are not looked at
  output     logic                         excused_o,     // the core may refuse the write
  output     logic [1:0]                   owed_o,        // of lt_axil_bus
  output     logic [1:0]                   kept_o,
  output     logic [1:0]                   moved_o,
  output     logic [4:0]                   missing_o,

  // core
  output     logic [AddrW-1:0]             awaddr_o,
  output     logic                         awvalid_o,
  input wire logic                         awready_i,
  output     logic [DataW-1:0]             wdata_o,
  output     logic [DataW/8-1:0]           wstrb_o,
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

  localparam int StrobeW = DataW / 8;
  localparam int TagW    = 2 + 2 * CountW;
  localparam logic [1:0] TagMain = 2'd0, TagAside = 2'd1, TagWord = 2'd2, TagResult = 2'd3;

  // The first and the last load of which there is half in a product in front.
  function automatic logic [CountW-1:0] one_of_halves(input bit first);
    one_of_halves = '0;
    for (int k = 0; k < Loads; k++)
      if (Halves[k] & (~first | ((Halves & ((Loads'(1) << k) - Loads'(1))) == '0)))
        one_of_halves = CountW'(k);
  endfunction

  localparam logic [CountW-1:0] FirstHalf = one_of_halves(1'b1);
  localparam logic [CountW-1:0] LastHalf  = one_of_halves(1'b0);

  typedef enum logic [3:0] {
    StLoad, StCheck, StReady, StStart, StPoll, StIntrude, StDone,
    StHide, StHidePoll  // a product in front is started and awaited
  } state_e;

  state_e             state_q;
  logic [CountW-1:0]  check_q;
  logic               begun_q;   // the core has its product
  logic [CycleW-1:0]  age_q;     // cycles since
  logic [31:0]        polls_q;   // since the core was done
  logic [5:0]         gap_q;     // cycles before the next poll
  logic               intrude_q; // this product gets a write to a busy core
  logic [CountW-1:0]  which_q;   // the load that it is a word of; Loads: it is a start
  logic [15:0]        lfsr_q;
  logic [4:0]         lazy_q;    // channels that pause

  logic [15:0]        mixed;     // something that follows from its number and looks random
  logic [15:0]        drawn;
  logic               begun;     // the core takes the product
  logic               written, writes, reading, read_all, done, lost, said, last, intrudes;
  logic [4:0]         pause;
  logic               write, read;
  logic [AddrW-1:0]   address;
  logic [DataW-1:0]   data;
  logic [StrobeW-1:0] strobes;
  logic [DataW-1:0]   load_data;
  logic [AddrW-1:0]   load_at;
  // verilator lint_off UNUSEDSIGNAL
  // Addresses are those that the core has.
  logic [CountW-1:0]  load_word, result_word;
  logic               no_product, no_last;
  // verilator lint_on UNUSEDSIGNAL

  // Disturbed products
  logic               wild;       // this is one
  logic               quiet;      // it is polled as any other
  logic               lively;     // there is time for what is not needed
  logic               apart;      // no access beside the next ones: they must be in time
  logic [31:0]        dice_q, dice_left, dice_right;
  logic [31:0]        elapsed_q;  // cycles of loading or reading
  logic               hides_q;    // a product in front is to come
  logic               half_q;     // with half of a load
  logic               only_q;     // that load alone is to be written
  logic [CountW-1:0]  half_load_q;
  logic               hidden_q;   // it is at work
  logic               hid_q;      // and was taken
  logic [2:0]         lead_q;     // cycles from the next start to the end of it
  logic [5:0]         rest;       // cycles to the next poll
  logic               hides_now;  // it is taken
  logic               late;       // the next start comes when it is done
  logic               ripe, close;
  state_e             in_front;   // after loading
  logic [DataW-1:0]   start_noise_q;
  logic [StrobeW-1:0] start_strobes_q;
  logic [StrobeW-1:0] start_bytes;
  logic               wild_written, wild_read, wild_write, wild_post, wild_excuse;
  logic               word_read, word_post, result_read, write_done, read_done;
  logic [AddrW-1:0]   wild_at;
  logic [DataW-1:0]   wild_data, differing, changed;
  logic [StrobeW-1:0] wild_strobes;
  logic [CountW-1:0]  value, word, result_place;
  logic [Words*DataW-1:0] plain_result, wild_result;
  logic               aside_write, aside_read;
  logic [AddrW-1:0]   aside_write_at, aside_read_at;
  logic [DataW-1:0]   aside_data;
  logic [StrobeW-1:0] aside_strobes;
  logic               bus_write, bus_read, bus_write_done, bus_read_done;
  logic [AddrW-1:0]   bus_write_at, bus_read_at;
  logic [DataW-1:0]   bus_data;
  logic [StrobeW-1:0] bus_strobes;
  logic [TagW-1:0]    tag, answer_tag;
  logic               own, answer;
  logic [4:0]         wild_pause;

  assign wild       = |seed_i;
  // Half of the products are polled as undisturbed ones are: else there is little time for writes
  // to a busy core.
  assign quiet      = ~wild | (seed_i[11] & (state_q == StPoll));
  assign lively     = ~quiet & (elapsed_q < 32'(Budget)) & ~apart;
  assign dice_left  = dice_q ^ (dice_q << 13);
  assign dice_right = dice_left ^ (dice_left >> 17);

  assign mixed = stall_seed_i ^ 16'(((turn_i + 32'd1) * 32'h9E3779B1) >> 7);
  assign drawn = (|seed_i) ? seed_i : mixed;

  // Bits of one register that are far apart.
  assign pause = apart ? '0 : wild_pause |
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
    .load_i   (load_i & (state_q == StLoad) & ~wild),
    .renew_i  (renew_i),
    .skip_i   ('0),
    .order_i  ('0),
    .ready_i  (done),
    .loaded_o (written),
    .last_o   (no_last),
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
    .read_i   (reading & ~wild),
    .backwards_i(1'b0),
    .ready_i  (done),
    .done_o   (read_all),
    .words_i  (CountW'(Words)),
    .product_o(no_product),
    .address_o(result_word),
    .data_i   (rdata_i),
    .result_o (plain_result)
  );

  lt_axil_writer #(
    .AddrW   (AddrW),
    .DataW   (DataW),
    .Loads   (Loads),
    .Depth   (Depth),
    .CountW  (CountW),
    .Once    (Once),
    .LoadAt  (LoadAt),
    .Readable(Readable),
    .Partial (Partial),
    .Refusing(Refusing),
    .AnyOrder(AnyOrder)
  ) u_writer (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .load_i        (load_i & (state_q == StLoad) & wild),
    .lively_i      (lively),
    .dice_i        (dice_q),
    .renew_i       (renew_i),
    .only_i        (only_q),
    .halve_i       (half_q),
    .which_i       (half_load_q),
    .images_i      (images_i),
    .words_i       (words_i),
    .loaded_o      (wild_written),
    .write_o       (wild_write),
    .write_post_o  (wild_post),
    .excuse_o      (wild_excuse),
    .at_o          (wild_at),
    .data_o        (wild_data),
    .strobes_o     (wild_strobes),
    .write_done_i  (bus_write_done & ~aside_write),
    .write_owed_i  (owed_o[0] | aside_write),
    .read_o        (word_read),
    .read_post_o   (word_post),
    .value_o       (value),
    .word_o        (word),
    .read_done_i   (bus_read_done & ~aside_read),
    .read_owed_i   (owed_o[1]),
    .answer_i      (answer & (answer_tag[1:0] == TagWord) & ~lost),
    .answer_value_i(answer_tag[2 +: CountW]),
    .answer_word_i (answer_tag[2+CountW +: CountW]),
    .rdata_i       (rdata_i),
    .unlike_o      (unlike_o),
    .differing_o   (differing)
  );

  lt_axil_results #(
    .DataW (DataW),
    .Words (Words),
    .CountW(CountW),
    .Reread(Reread)
  ) u_results (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .wild_i       (wild),
    .lively_i     (lively),
    .dice_i       (dice_q),
    .read_i       (reading & wild),
    .done_o       (wild_read),
    .result_o     (wild_result),
    .unequal_o    (unequal_o),
    .differing_o  (changed),
    .read_o       (result_read),
    .word_o       (result_place),
    .read_done_i  (bus_read_done & ~aside_read),
    .owed_i       (owed_o[1]),
    .answer_i     (answer & (answer_tag[1:0] == TagResult) & ~lost),
    .answer_word_i(answer_tag[2 +: CountW]),
    .rdata_i      (rdata_i)
  );

  lt_axil_asides #(
    .AddrW    (AddrW),
    .DataW    (DataW),
    .Loads    (Loads),
    .Checks   (Places),
    .Words    (Words),
    .CountW   (CountW),
    .LoadAt   (LoadAt),
    .CheckAt  (CheckAt),
    .StartAt  (StartAt),
    .DoneAt   (DoneAt),
    .ResultAt (ResultAt),
    .Partial  (Partial),
    .Refusing (Refusing),
    .Unmapped (Unmapped),
    .Reread   (Reread),
    .IdleThere(IdleThere),
    .IdleValue(IdleValue),
    .StartFree(StartFree)
  ) u_asides (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .dice_i      (dice_q),
    .words_i     (words_i),
    .writing_i   (write),
    .writing_at_i(address),
    .may_write_i (lively & ~close & ~hold_i & (~write | write_done)),
    .may_read_i  (lively & ~close & ~hold_i & (~read | read_done)),
    .write_o     (aside_write),
    .write_at_o  (aside_write_at),
    .data_o      (aside_data),
    .strobes_o   (aside_strobes),
    .write_done_i(bus_write_done),
    .read_o      (aside_read),
    .read_at_o   (aside_read_at),
    .read_done_i (bus_read_done)
  );

  lt_axil_pauses u_pauses (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .wild_i      (wild),
    .lively_i    (lively),
    .dice_i      (dice_q),
    .write_i     (bus_write),
    .write_done_i(bus_write_done),
    .read_i      (bus_read),
    .read_done_i (bus_read_done),
    .bvalid_i    (bvalid_i === 1'b1),
    .bready_i    (bready_o),
    .rvalid_i    (rvalid_i === 1'b1),
    .rready_i    (rready_o),
    .pause_o     (wild_pause)
  );

  // Strobes of a start: those of its bytes that are not 0 and, if the core knows parts, any others.
  always_comb begin
    for (int k = 0; k < StrobeW; k++)
      start_bytes[k] = ~Partial | ~lively | ~(|start_i) | (|start_i[k*8 +: 8]) | dice_q[k];
  end

  always_comb begin
    write   = 1'b0;
    read    = 1'b0;
    address = StartAt;
    data    = start_i ^ (start_noise_q & StartFree);
    strobes = '1;
    case (state_q)
      StLoad: begin
        write   = wild ? wild_write : writes;
        read    = word_read;
        address = wild ? wild_at : load_at + AddrW'(load_word) * Octets;
        data    = wild ? wild_data : load_data;
        strobes = wild_strobes;
      end
      StCheck: begin
        read    = 1'b1;
        address = CheckAt[check_q*AddrW +: AddrW];
      end
      StStart: begin
        write   = ~hidden_q | ripe;
        strobes = start_strobes_q;
      end
      StHide: begin
        write   = 1'b1;
        strobes = start_strobes_q;
      end
      StPoll: begin
        read    = begun_q & (gap_q == '0);
        address = DoneAt;
      end
      StHidePoll: begin
        read    = hid_q & (half_q | ~late) & (gap_q == '0);
        address = DoneAt;
      end
      StIntrude: begin
        write = 1'b1;
        data  = start_i;
        if (which_q != CountW'(Loads)) begin
          address = LoadAt[which_q*AddrW +: AddrW];
          data    = {(DataW / 16){lfsr_q}};
        end
      end
      StDone: begin
        read    = wild ? result_read : reading & ~read_all;
        address = ResultAt + AddrW'(wild ? result_place : result_word) * Octets;
      end
      default: ;
    endcase
  end
  assign bus_write    = write | aside_write;
  assign bus_write_at = aside_write ? aside_write_at : address;
  assign bus_data     = aside_write ? aside_data : data;
  assign bus_strobes  = aside_write ? aside_strobes : strobes;
  assign bus_read     = read | aside_read;
  assign bus_read_at  = aside_read ? aside_read_at : address;
  assign write_done   = write & bus_write_done & ~aside_write;
  assign read_done    = read & bus_read_done & ~aside_read;
  assign done         = write_done | read_done;

  always_comb begin
    tag = TagW'(TagMain);
    if (aside_read) tag = TagW'(TagAside);
    else if (wild & (state_q == StLoad)) tag = {word, value, TagWord};
    else if (wild & (state_q == StDone)) tag = {CountW'(0), result_place, TagResult};
  end

  assign loaded_o    = (state_q == StReady);
  assign started_o   = (state_q == StStart) & done;
  assign finished_o  = (state_q == StDone);
  assign read_done_o = reading & (wild ? wild_read : read_all);
  assign result_o    = wild ? wild_result : plain_result;
  assign hidden_o    = hidden_q;
  assign differing_o = (|unlike_o) ? differing : changed;
  assign foreign_o   = (answer_tag[1:0] == TagAside);

  assign hides_now = hidden_q & ~hid_q & accept_i;
  assign begun     = offer_i & accept_i;
  assign late      = Shown & (|cycles_i);
  assign ripe      = (age_q + CycleW'(lead_q) >= cycles_i);
  assign apart     = (state_q == StIntrude) | ((state_q == StStart) & hidden_q);
  assign close     = apart | intrude_o | (hidden_q & ~half_q & late);
  assign rest      = quiet ? {4'd0, lfsr_q[11:10]} :
                     {1'b0, {2{dice_q[18]}} & dice_q[20:19], dice_q[17] & dice_q[21],
                      dice_q[23:22]};

  always_comb begin
    in_front = StReady;
    if (hides_q & (elapsed_q < 32'(Budget / 2))) in_front = StHide;
    else if (hides_q & half_q) in_front = StHidePoll;
  end

  assign polled_o  = (state_q == StPoll) & own & (rvalid_i === 1'b1);
  assign checked_o = ((state_q == StCheck) & own & (rvalid_i === 1'b1)) ?
                     Places'(1) << check_q : '0;
  assign said      = ((|(rdata_i & DoneMask)) === 1'b1) | lost;
  assign last      = (polls_q == 32'(Polls) - 32'd1);
  assign never_o   = polled_o & done & ~said & ~run_i & last;
  assign intrudes  = (disturb_i ? lfsr_q[8] : intrude_q) & (age_q + CycleW'(Margin) < cycles_i);
  assign intrude_o = (state_q == StPoll) & read & done & ~said & intrudes &
                     ~(aside_write | aside_read | owed_o[0]);

  // A core without a reset sees the port before the first one.
  initial begin
    state_q  = StLoad;
    lazy_q   = '0;
    hidden_q = 1'b0;
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
    if (begun | hides_now) age_q <= '0;
    if (begun) begun_q <= 1'b1;
    if (rst_i) begin
      state_q  <= StLoad;
      begun_q  <= 1'b0;
      check_q  <= '0;
      polls_q  <= '0;
      gap_q    <= '0;
      which_q  <= '0;
      hides_q  <= 1'b0;
      half_q   <= 1'b0;
      only_q   <= 1'b0;
      hidden_q <= 1'b0;
      hid_q    <= 1'b0;
    end else begin
      if (begin_i) begin
        hides_q <= Retains & wild & (seed_i[15:14] == 2'd0);
        half_q  <= Retains & wild & (seed_i[15:14] == 2'd0) & seed_i[13] & (|Halves);
        only_q  <= 1'b0;
        hid_q   <= 1'b0;
      end
      if (hides_now) hid_q <= 1'b1;
      if (begun) hidden_q <= 1'b0;
      case (state_q)
        StLoad: begin
          begun_q <= 1'b0;
          check_q <= '0;
          polls_q <= '0;
          if (load_i & (wild ? wild_written : written))
            state_q <= (Checks == 0) ? in_front : StCheck;
        end
        StCheck: begin
          if (done) begin
            check_q <= check_q + CountW'(1);
            if (check_q == CountW'(Places) - CountW'(1)) state_q <= in_front;
          end
        end
        StReady: if (offer_i) state_q <= StStart;
        // One that came too early for the core is repeated.
        StStart: if (done & (~hidden_q | begun)) state_q <= StPoll;
        StHide: begin
          hides_q  <= 1'b0;
          hidden_q <= 1'b1;
          if (done) begin
            state_q <= StHidePoll;
            hid_q   <= hid_q | hides_now | ~Starts;
          end
        end
        StHidePoll: begin
          if (gap_q != '0) gap_q <= gap_q - 6'd1;
          if (read & done) gap_q <= rest;
          if (~hidden_q | (read & done & said)) begin
            state_q  <= half_q ? StLoad : StReady;
            hides_q  <= 1'b0;
            half_q   <= 1'b0;
            only_q   <= half_q;
            hidden_q <= 1'b0;
          end else if (~half_q & late & hid_q) begin
            state_q <= StReady;
          end
        end
        StPoll: begin
          if (gap_q != '0) gap_q <= gap_q - 6'd1;
          if (read & done) begin
            gap_q   <= rest;
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

  // What disturbed products need alone.
  always @(posedge clk_i) begin
    if (rst_i) begin
      dice_q          <= '0;
      elapsed_q       <= '0;
      half_load_q     <= '0;
      lead_q          <= '0;
      start_noise_q   <= '0;
      start_strobes_q <= '1;
    end else if (wild) begin
      dice_q <= dice_right ^ (dice_right << 5);
      if ((state_q == StPoll) | begin_i) elapsed_q <= '0;
      else if (state_q != StHidePoll) elapsed_q <= elapsed_q + 32'd1;
      if ((state_q != StStart) & (state_q != StHide)) begin
        lead_q          <= dice_q[31:29];
        start_noise_q   <= {(DataW / 32){dice_q}};
        start_strobes_q <= start_bytes;
      end
      if (begin_i) dice_q <= {seed_i, ~seed_i};
      if (begin_i) half_load_q <= seed_i[12] ? FirstHalf : LastHalf;
    end
  end

  lt_axil_bus #(
    .AddrW   (AddrW),
    .DataW   (DataW),
    .TagW    (TagW),
    .Patience(Patience)
  ) u_bus (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .pause_i  (pause),
    .hold_i   (hold_i),
    .wants_o  (wants_o),
    .lenient_i(wild),
    .write_i  (bus_write),
    .write_post_i(aside_write | (wild_post & (state_q == StLoad))),
    .excuse_i (aside_write | (wild_excuse & (state_q == StLoad))),
    .write_at_i(bus_write_at),
    .data_i   (bus_data),
    .strobes_i(bus_strobes),
    .write_done_o(bus_write_done),
    .read_i   (bus_read),
    .read_post_i(aside_read | (word_post & (state_q == StLoad)) | (wild & (state_q == StDone))),
    .read_at_i(bus_read_at),
    .tag_i    (tag),
    .read_done_o(bus_read_done),
    .own_o    (own),
    .answer_o (answer),
    .tag_o    (answer_tag),
    .excused_o(excused_o),
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
    .wstrb_o  (wstrb_o),
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
