// SPDX-License-Identifier: Apache-2.0
//
// Takes one product after the other through a core: load the operands, offer them, wait for the
// result, take it, read it. Both handshakes look alike from here: a start is an offer and busy
// refuses it; done is a result that is always taken. With a stall seed other than 0, offering and
// taking are stalled for random numbers of cycles; what was offered stays offered.
//
// Undisturbed, the gap in front of a product follows from its number: 0 to 7 cycles more than
// loading and reading take, so that some products start in the cycle after the last write. If the
// core takes products back-to-back (BackToBack), some have a prefix: another product right in front
// of them. They start 0 to 3 cycles after it is done, or 1 to 3 if the core could not show in the
// done cycle that it takes them (InDoneCycle). If the core takes a product while it works on
// another one (Overlap), half of these are offered from the start of the prefix on, and count as
// started when the prefix is done; as many have another product offered right behind them, whose
// result is discarded. Module rtl_bridge/run/spacing.py computes the same gaps.
//
// Disturbed, the core gets up to three prefixes (prefix_count_i), each of them and then the product
// itself in the done cycle of the one before (in_done_cycle_i), or gap_i cycles after the next one,
// without a new load; the result is taken late; and the core sees offers that it has to refuse
// while it works. If an offer may be withdrawn (PulseOffer), these are pulses; else one offer is
// made early (EarlyOffer) and stays: the core works on it after the product, and its result is
// discarded. A memory with the result is read from the done cycle on (read_early_i). If operands
// may be loaded while the core works (LoadAhead), a product is loaded while its prefix is at work
// (load_ahead_i), and before that a and b in each other's place for the prefix (swap_o). If the
// result outlives a load (ReloadFirst), operands may be written before it is read (reload_first_i).

`default_nettype none

module lt_sequencer #(
  parameter bit PulseOffer  = 0,  // an offer is a pulse: nothing is left of it if it is refused
  parameter bit StallResult = 0,  // a result waits until it is taken
  parameter bit BackToBack  = 0,  // the next product may follow at once
  parameter bit InDoneCycle = 0,  // ... and the core shows in the done cycle whether it takes it
  parameter bit Overlap     = 0,  // ... and while the core works on the last one
  parameter bit EarlyOffer  = 0,  // an offer stays, and may be made before the last result is taken
  parameter bit TryInDoneCycle = 0, // disturbed, offers are made in the done cycle, although the
                                    // core does not show whether it takes them
  parameter bit LoadAhead   = 0,  // operands of the next product may be loaded while the core works
  parameter bit ReloadFirst = 0,  // ... and after that, before the result is read
  parameter bit StartWithWrite = 0 // disturbed, a start may come with the last word of operands
) (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic [15:0] stall_seed_i,     // stable while in reset; 0: no stalls
  input wire logic [15:0] seed_i,           // of this product, disturbed; 0: not disturbed
  input wire logic [31:0] turn_i,           // its number
  input wire logic        disturb_i,        // make offers while the core works
  input wire logic [1:0]  prefix_count_i,   // other products back-to-back in front of it
  input wire logic [3:0]  in_done_cycle_i,  // for each number of prefixes that are left: the next
                                            // offer is made in the done cycle
  input wire logic [6:0]  gap_i,            // other cycles from a done cycle to the next offer
  input wire logic        load_ahead_i,     // it is loaded while a prefix is at work
  input wire logic        read_early_i,     // its result is read from the done cycle on
  input wire logic        reload_first_i,   // it is read after operands are written
  input wire logic [7:0]  result_stall_i,   // cycles that its result is stalled, and its reading

  // testbench
  input wire logic        valid_i,
  output     logic        ready_o,
  output     logic        started_o,        // the edge that ends this cycle starts the product
  output     logic        prefix_started_o, // that edge gives the core a prefix
  output     logic        finished_o,       // first cycle in which the core shows that it is done
  output     logic        done_o,           // the whole result is there

  // loader and reader; held until they answer
  output     logic        load_o,
  output     logic        swap_o,           // a and b are loaded in each other's place
  output     logic        reload_o,         // only operands are loaded
  output     logic        refill_o,         // ... and others than those of the product
  input wire logic        loaded_i,
  input wire logic        last_i,           // the last word is written in this cycle
  output     logic        read_o,
  input wire logic        read_done_i,

  // core
  output     logic        run_o,            // the core works
  output     logic [1:0]  held_o,           // products that it has
  output     logic        offer_o,
  output     logic        extra_o,          // what is offered is not the product
  output     logic        other_o,          // the core works on a prefix
  input wire logic        accept_i,
  input wire logic        result_valid_i,
  output     logic        result_ready_o,   // the result would be taken
  output     logic        take_o,           // the edge that ends this cycle takes the result

  output     logic        wait_o,           // something could happen and is stalled
  output     logic [15:0] random_o
);

  typedef enum logic [3:0] {
    StIdle, StLoad, StPrefix, StPrefixRun, StReload, StOffer, StRun, StTake, StExtra, StRefill,
    StRead, StDone
  } state_e;

  state_e      state_d, state_q;
  logic        offered_d, offered_q;
  logic        early_d, early_q;        // an early offer stands
  logic        owed_d, owed_q;          // the core has taken one
  logic [15:0] lfsr_d, lfsr_q;
  logic [1:0]  held_d, held_q;
  logic [1:0]  prefixes_d, prefixes_q;  // products that the core is still given first
  logic [7:0]  wait_d, wait_q;          // cycles of result_stall_i that are left
  logic [6:0]  pause_d, pause_q;        // cycles until the next offer
  logic        ahead_d, ahead_q;        // the product is still to be loaded behind its prefix
  logic        follows_q;               // the last cycle was in StPrefixRun
  logic        overlap_d, overlap_q;    // it is offered while its prefix is at work
  logic        taken_d, taken_q;        // ... and the core has taken it
  logic        offers_over;             // ... and is offered now
  logic        loading_d, loading_q;    // operands are being written
  logic        prompt;                  // the first offer is in the cycle after the last write
  logic        with_write;              // the first offer is in the cycle of the last write
  logic        has_prefix;
  logic [1:0]  prefixes_new;
  logic [6:0]  pause_new;
  logic [6:0]  mixed;                   // a hash of the number of the product
  logic        plain;                   // the product is not disturbed
  logic        behind;                  // it has a prefix
  logic        followed;                // another one is offered right behind it
  logic        prefix_done;
  logic        in_done_cycle;           // the next offer is in the done cycle of a prefix
  logic        early_read;              // reading begins in the done cycle
  logic        refill;                  // operands are written before it
  logic        gives;
  logic        leaves;
  logic        moves;
  logic        stall;
  logic        chance;
  logic        offer;
  logic        prefix_offer;
  logic        pulse;
  logic        working;
  logic        may_take;

  assign lfsr_d = (valid_i & ready_o & (|seed_i)) ? seed_i :
                  {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[14] ^ lfsr_q[12] ^ lfsr_q[3]};
  assign stall  = (lfsr_q[0] | lfsr_q[5]) & (|stall_seed_i);
  // Far above the bits of `stall`: a cycle that does not stall must not rule out the next ones.
  assign chance = lfsr_q[15] & lfsr_q[11] & disturb_i;

  assign working     = (state_q == StRun) | (state_q == StTake);
  assign prefix_done = (state_q == StPrefixRun) & result_valid_i & result_ready_o;
  assign mixed       = 7'(((turn_i + 32'd1) * 32'h9E3779B1) >> 25);
  assign plain       = ~(|seed_i);
  assign behind      = plain & ~(|mixed[6:5]) & ((turn_i < 32'd64) | ~(|mixed[4:3]));
  assign followed    = plain & (mixed[6:5] == 2'd1) & ((turn_i < 32'd64) | ~(|mixed[4:3]));

  assign prefixes_new = !BackToBack ? 2'd0 : plain ? {1'b0, behind} :
                        ahead_q ? 2'd1 : prefix_count_i;
  assign has_prefix   = (prefixes_new != 2'd0);
  assign pause_new    = ~plain ? 7'd0 : ~has_prefix ? {4'd0, mixed[2:0]} :
                        {5'd0, mixed[1:0]} - 7'(|mixed[1:0]);
  assign loading_d    = (state_q == StLoad) & ~loaded_i;
  assign prompt       = loading_q & loaded_i & ~stall &
                        (plain ? has_prefix | ~(|pause_new) : lfsr_q[6]);
  assign with_write   = StartWithWrite & ~plain & (state_q == StLoad) & last_i & accept_i &
                        ~has_prefix & lfsr_q[8];
  // If not in the done cycle, then in the cycle after it or later.
  assign in_done_cycle = prefix_done & ~ahead_q &
                         (plain ? InDoneCycle & ~(|mixed[1:0]) :
                                  (InDoneCycle | TryInDoneCycle) & in_done_cycle_i[prefixes_q]);
  assign offers_over   = (state_q == StPrefixRun) & (prefixes_q == 2'd1) & overlap_q & ~taken_q;

  assign offer        = (prompt & ~has_prefix) | with_write |
                        (in_done_cycle & (prefixes_q == 2'd1)) |
                        ((state_q == StOffer) & (offered_q | (~stall & ~(|pause_q)))) | offers_over;
  assign prefix_offer = (prompt & has_prefix) | (in_done_cycle & (prefixes_q != 2'd1)) |
                        ((state_q == StPrefix) & (plain | ~(|pause_q)));
  assign pulse        = PulseOffer & (state_q == StRun) & ~accept_i & ~result_valid_i & chance;
  assign may_take     = (working & (wait_q == '0)) | (state_q == StExtra) |
                        (state_q == StPrefixRun);

  assign ready_o          = (state_q == StIdle);
  // The loader ends a load when it sees none for a cycle.
  assign reload_o         = ((state_q == StPrefixRun) & ahead_q & follows_q) |
                            (state_q == StReload) | refill_o;
  assign load_o           = (state_q == StLoad) | reload_o;
  assign swap_o           = (state_q == StLoad) & ahead_q;
  assign refill_o         = (state_q == StRefill) | (refill & take_o & read_early_i);
  assign other_o          = (prompt & has_prefix) | (state_q == StPrefix) |
                            (state_q == StPrefixRun);
  assign run_o            = (state_q == StRun) | (state_q == StPrefixRun);
  assign read_o           = ((state_q == StRead) & (wait_q == '0)) | early_read;
  assign done_o           = (state_q == StDone);
  assign extra_o          = early_q | pulse | prefix_offer;
  assign offer_o          = offer | extra_o;
  assign started_o        = (offer & accept_i & (~offers_over | prefix_done)) |
                            (taken_q & prefix_done);
  assign prefix_started_o = prefix_offer & accept_i;
  assign finished_o       = (state_q == StRun) & result_valid_i;
  // A prefix whose done cycle is the start of the product is not stalled: random numbers differ
  // from testbench to testbench.
  assign result_ready_o   = may_take &
                            ~(stall & StallResult & ~(overlap_q & (state_q == StPrefixRun)));
  assign take_o           = working & result_ready_o & result_valid_i;
  assign refill           = ReloadFirst & reload_first_i;
  assign early_read       = !EarlyOffer & take_o & read_early_i & ~(|result_stall_i) & ~refill;
  assign wait_o           = stall & ((state_q == StOffer) ? ~offered_q :
                                     (may_take & result_valid_i & StallResult));
  assign random_o         = lfsr_q;

  assign gives  = offer_o & accept_i;
  assign leaves = result_valid_i & (PulseOffer | result_ready_o) & (held_q != '0);
  assign held_d = held_q + 2'(gives) - 2'(leaves);
  assign held_o = held_q;

  always_comb begin
    state_d    = state_q;
    offered_d  = offer & ~accept_i;
    early_d    = early_q & ~accept_i;
    owed_d     = owed_q | (early_q & accept_i);
    prefixes_d = prefixes_q;
    wait_d     = wait_q;
    pause_d    = pause_q;
    overlap_d  = overlap_q;
    taken_d    = (taken_q | (offers_over & accept_i)) & ~prefix_done;
    ahead_d    = ahead_q & ~(reload_o & loaded_i);
    if (EarlyOffer & (state_q == StRun) & chance & ~owed_q & ~early_q) early_d = 1'b1;
    if (Overlap & EarlyOffer & started_o & followed) early_d = 1'b1;
    case (state_q)
      StIdle: begin
        ahead_d = LoadAhead & ~plain & (prefix_count_i != 2'd0) & load_ahead_i;
        if (valid_i) state_d = StLoad;
      end
      StLoad: begin
        prefixes_d = prefixes_new;
        pause_d    = pause_new;
        wait_d     = StallResult ? result_stall_i : 8'd0;
        overlap_d  = Overlap & ~ahead_q & (plain ? mixed[2] : lfsr_q[7]);
        if (loaded_i & has_prefix) begin
          if (prefix_started_o) state_d = StPrefixRun;
          else state_d = StPrefix;
        end else if (with_write) begin
          state_d = StRun;
        end else if (loaded_i) begin
          if (started_o) state_d = StRun;
          else state_d = StOffer;
          if (loading_q & (|pause_new)) pause_d = pause_new - 7'd1;
        end
      end
      StPrefix: begin
        if (~plain & (|pause_q)) pause_d = pause_q - 7'd1;
        if (prefix_started_o) state_d = StPrefixRun;
      end
      StPrefixRun: begin
        if (prefix_done) begin
          prefixes_d = prefixes_q - 2'd1;
          if (~plain) pause_d = in_done_cycle ? 7'd0 : gap_i;
          if (started_o) state_d = StRun;
          else if (ahead_d) state_d = StReload;
          else if (prefixes_q == 2'd1) state_d = StOffer;
          else if (~(in_done_cycle & accept_i)) state_d = StPrefix;
        end
      end
      StReload: if (loaded_i) state_d = StOffer;
      StRefill: if (loaded_i) state_d = StRead;
      StOffer: begin
        if (|pause_q) pause_d = pause_q - 7'd1;
        if (started_o) state_d = StRun;
      end
      StRun, StTake: begin
        if (result_valid_i & (wait_q != '0)) wait_d = wait_q - 8'd1;
        if (take_o & (early_q | early_d | owed_q)) state_d = StExtra;
        else if (take_o) begin
          if (refill) state_d = StRefill;
          else state_d = StRead;
          wait_d  = result_stall_i;
        end else if (finished_o) state_d = StTake;
      end
      StExtra: begin
        if (owed_q & result_ready_o & result_valid_i) begin
          state_d = StRead;
          owed_d  = 1'b0;
        end
      end
      StRead: begin
        if (wait_q != '0) wait_d = wait_q - 8'd1;
        else if (read_done_i) state_d = StDone;
      end
      default: state_d = StIdle;
    endcase
  end

  assign moves = rst_i | (state_d != state_q) | (offered_d !== offered_q) |
                 (early_d !== early_q) | (owed_d !== owed_q) | (held_d !== held_q) |
                 (prefixes_d !== prefixes_q) | (wait_d !== wait_q) | (pause_d !== pause_q) |
                 (overlap_d !== overlap_q) | (taken_d !== taken_q) | (loading_d !== loading_q) |
                 (ahead_d !== ahead_q) | (follows_q !== (state_q == StPrefixRun)) |
                 (lfsr_d !== lfsr_q);

  // A core without a reset sees offers before the reset of the testbench.
  initial begin
    state_q    = StIdle;
    offered_q  = 1'b0;
    early_q    = 1'b0;
    taken_q    = 1'b0;
    loading_q  = 1'b0;
    ahead_q    = 1'b0;
    follows_q  = 1'b0;
    held_q     = '0;
  end

  // In most cycles of a product nothing changes here, and interpreting simulators pay for every
  // variable that a process touches.
  always @(posedge clk_i) begin
    if (moves) begin
      if (rst_i) begin
        state_q    <= StIdle;
        offered_q  <= 1'b0;
        early_q    <= 1'b0;
        owed_q     <= 1'b0;
        held_q     <= '0;
        prefixes_q <= '0;
        wait_q     <= '0;
        pause_q    <= '0;
        overlap_q  <= 1'b0;
        taken_q    <= 1'b0;
        loading_q  <= 1'b0;
        ahead_q    <= 1'b0;
        follows_q  <= 1'b0;
        lfsr_q     <= stall_seed_i;
      end else begin
        state_q    <= state_d;
        offered_q  <= offered_d;
        early_q    <= early_d;
        owed_q     <= owed_d;
        held_q     <= held_d;
        prefixes_q <= prefixes_d;
        wait_q     <= wait_d;
        pause_q    <= pause_d;
        overlap_q  <= overlap_d;
        taken_q    <= taken_d;
        loading_q  <= loading_d;
        ahead_q    <= ahead_d;
        follows_q  <= (state_q == StPrefixRun);
        lfsr_q     <= lfsr_d;
      end
    end
  end

endmodule

`default_nettype wire
