// SPDX-License-Identifier: Apache-2.0
//
// Loads a core behind an AXI4-Lite port for a disturbed product: words in any order and in parts,
// patterns in front of them that are read back, and writes that change nothing behind them, as far
// as the description permits it. In the end some words are read back.

`default_nettype none

module lt_axil_writer #(
  parameter int AddrW  = 1,
  parameter int DataW  = 32,
  parameter int Loads  = 1,
  parameter int Depth  = 1,   // most words of a load
  parameter int CountW = 16,  // bits of a number of words
  parameter logic [Loads-1:0]       Once     = '0,  // loads of constants
  parameter logic [Loads*AddrW-1:0] LoadAt   = '0,
  parameter logic [Loads*32-1:0]    Readable = '0,  // low bits of each load that can be read
  parameter bit                     Partial  = 0,   // bytes without a strobe stay as they are
  parameter bit                     Refusing = 0,   // words without all strobes do
  parameter bit                     AnyOrder = 0
) (
  input wire logic                         clk_i,
  input wire logic                         rst_i,
  input wire logic                         load_i,     // held until loaded_o
  input wire logic                         lively_i,   // there is time for what is not needed
  input wire logic [31:0]                  dice_i,
  input wire logic                         renew_i,    // constants are new
  input wire logic                         only_i,     // one load alone
  input wire logic                         halve_i,    // half of its value
  input wire logic [CountW-1:0]            which_i,    // that load
  input wire logic [Loads*Depth*DataW-1:0] images_i,   // first load in the low bits
  input wire logic [Loads*CountW-1:0]      words_i,
  output     logic                         loaded_o,

  // of lt_axil_bus
  output     logic [AddrW-1:0]             at_o,         // of both
  output     logic                         write_o,
  output     logic                         write_post_o,
  output     logic                         excuse_o,
  output     logic [DataW-1:0]             data_o,
  output     logic [DataW/8-1:0]           strobes_o,
  input wire logic                         write_done_i,
  input wire logic                         write_owed_i,

  output     logic                         read_o,
  output     logic                         read_post_o,
  output     logic [CountW-1:0]            value_o,      // the load and its word that is read
  output     logic [CountW-1:0]            word_o,
  input wire logic                         read_done_i,
  input wire logic                         read_owed_i,
  input wire logic                         answer_i,     // data are those of a word read back
  input wire logic [CountW-1:0]            answer_value_i,
  input wire logic [CountW-1:0]            answer_word_i,
  input wire logic [DataW-1:0]             rdata_i,
  output     logic [Loads-1:0]             unlike_o,     // and are not what was written
  output     logic [DataW-1:0]             differing_o   // in these bits
);

  localparam int StrobeW = DataW / 8;
  localparam logic [AddrW-1:0] Octets = AddrW'(DataW / 8);

  typedef enum logic [3:0] {
    StIdle,
    StWord,     // the next word
    StPattern,  // something else is written
    StLook,     // and read back
    StWrite,    // the word is written
    StEmpty,    // and then nothing
    StDrain,    // responses are awaited
    StBack,     // words are read back
    StLoaded
  } state_e;

  state_e             state_q;
  logic               fresh_q;    // no constants are written since the reset
  logic               all_q;      // constants are written again
  logic               post_q;
  logic               skip_q;     // the next word is not read back
  logic [StrobeW-1:0] left_q;     // bytes of the word that are still to be written
  logic [StrobeW-1:0] part_q;     // those of this access
  logic [DataW-1:0]   pattern_q;  // a pattern, and what is in bytes without a strobe

  logic               restart, step, over, there, needed, empty;
  logic [CountW-1:0]  value, word;
  logic [AddrW-1:0]   at;
  logic [DataW-1:0]   image, mask, pattern, bytes;
  logic [DataW-1:0]   answer_image, answer_mask, expected;
  logic [StrobeW-1:0] some, part, rest;

  lt_axil_walk #(
    .Values(Loads),
    .Depth (Depth),
    .CountW(CountW)
  ) u_walk (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .restart_i (restart),
    .straight_i(~AnyOrder),
    .random_i  (dice_i),
    .next_i    (step),
    .words_i   (words_i),
    .over_o    (over),
    .there_o   (there),
    .value_o   (value),
    .word_o    (word)
  );

  lt_axil_word #(
    .DataW   (DataW),
    .Loads   (Loads),
    .Depth   (Depth),
    .CountW  (CountW),
    .Readable(Readable)
  ) u_word (
    .images_i(images_i),
    .words_i (words_i),
    .value_i (value),
    .word_i  (word),
    .halve_i (halve_i & (value == which_i)),
    .image_o (image),
    .mask_o  (mask)
  );

  lt_axil_word #(
    .DataW   (DataW),
    .Loads   (Loads),
    .Depth   (Depth),
    .CountW  (CountW),
    .Readable(Readable)
  ) u_answer (
    .images_i(images_i),
    .words_i (words_i),
    .value_i (answer_value_i),
    .word_i  (answer_word_i),
    .halve_i (halve_i & (answer_value_i == which_i)),
    .image_o (answer_image),
    .mask_o  (answer_mask)
  );

  always_comb begin
    bytes = '0;
    for (int k = 0; k < StrobeW; k++) bytes[k*8 +: 8] = {8{part_q[k]}};
    case (dice_i[14:12])
      3'd0: pattern = '0;
      3'd1: pattern = '1;
      3'd2: pattern = {(DataW / 2){2'b01}};
      3'd3: pattern = {(DataW / 2){2'b10}};
      3'd4: pattern = {(DataW / 32){dice_i}};
      default: pattern = ~image;
    endcase
  end

  assign needed = only_i ? (value == which_i) : (~(1'(Once >> value)) | fresh_q | renew_i | all_q);
  assign at     = LoadAt[value*AddrW +: AddrW] + AddrW'(word) * Octets;
  assign some   = dice_i[16 +: StrobeW];
  assign rest   = (state_q == StWrite) ? left_q & ~part_q : '1;
  assign part   = (Partial & lively_i & dice_i[10] & (|(some & rest))) ? some & rest : rest;
  assign empty  = lively_i & (Partial | Refusing) & (dice_i[9:8] == 2'd0);

  assign restart = (state_q == StIdle) | ((state_q == StDrain) & ~write_owed_i);
  assign step    = ((state_q == StWord) & ~(there & needed)) |
                   ((state_q == StWrite) & write_done_i & ~(|rest) & ~empty) |
                   ((state_q == StEmpty) & write_done_i) |
                   ((state_q == StBack) & (read_done_i | ~read_o));

  assign loaded_o     = (state_q == StLoaded);
  assign write_o      = (state_q == StPattern) | (state_q == StWrite) | (state_q == StEmpty);
  assign write_post_o = post_q & (state_q != StPattern);
  assign excuse_o     = (state_q == StEmpty);
  assign at_o         = at;
  assign data_o       = (state_q == StWrite) ? (image & bytes) | (pattern_q & ~bytes) : pattern_q;
  assign strobes_o    = (state_q == StPattern) ? '1 : part_q;
  assign read_o       = (state_q == StLook) |
                        ((state_q == StBack) & there & ~skip_q & (|mask));
  assign read_post_o  = (state_q == StBack);
  assign value_o      = value;
  assign word_o       = word;

  assign expected    = (state_q == StLook) ? pattern_q : answer_image;
  assign differing_o = (rdata_i ^ expected) & answer_mask;
  assign unlike_o    = (answer_i & ((|differing_o) !== 1'b0)) ? Loads'(1) << answer_value_i : '0;

  // A core without a reset sees the port before the first one.
  initial state_q = StIdle;

  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q   <= StIdle;
      fresh_q   <= 1'b1;
      all_q     <= 1'b0;
      post_q    <= 1'b0;
      skip_q    <= 1'b0;
      left_q    <= '1;
      part_q    <= '1;
      pattern_q <= '0;
    end else begin
      case (state_q)
        StIdle: begin
          all_q <= (dice_i[11:10] == 2'd0);
          if (load_i) state_q <= StWord;
        end
        StWord: begin
          left_q    <= '1;
          part_q    <= part;
          post_q    <= dice_i[7];
          pattern_q <= pattern;
          if (over) state_q <= StDrain;
          else if (there & needed)
            state_q <= (lively_i & dice_i[6] & (|mask)) ? StPattern : StWrite;
        end
        StPattern: if (write_done_i) state_q <= StLook;
        StLook: if (read_done_i) state_q <= StWrite;
        StWrite: begin
          if (write_done_i) begin
            left_q    <= rest;
            part_q    <= part;
            post_q    <= dice_i[7];
            pattern_q <= pattern;
            if (~(|rest)) begin
              part_q <= (Refusing & ~(&some)) ? some : '0;
              if (empty) state_q <= StEmpty;
              else state_q <= StWord;
            end
          end
        end
        StEmpty: if (write_done_i) state_q <= StWord;
        StDrain: begin
          skip_q <= dice_i[5];
          if (~write_owed_i) state_q <= (|Readable) ? StBack : StLoaded;
        end
        StBack: begin
          if (step) skip_q <= dice_i[5];
          if (over & ~read_owed_i) state_q <= StLoaded;
        end
        StLoaded: begin
          fresh_q <= 1'b0;
          if (~load_i) state_q <= StIdle;
        end
        default: state_q <= StIdle;
      endcase
    end
  end

endmodule

`default_nettype wire
