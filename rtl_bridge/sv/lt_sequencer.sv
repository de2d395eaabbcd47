// SPDX-License-Identifier: Apache-2.0
//
// One product after the other through a core: load the operands, offer them, wait for the result,
// take it, read it. Both handshakes look alike from here: a start is an offer and busy refuses it,
// a done is a result that is always taken. With a seed other than 0 offering and taking wait for
// random numbers of cycles; what was offered stays offered.
//
// Undisturbed, the gap in front of a product follows from its number: 0 to 7 cycles more than loading and reading
// take, so that some start in the cycle after the last write.
// Where the next product may follow at once (Again), some have another product right in front of them and start
// 0 to 3 cycles after it is done, or 1 to 3 where nothing would show that it is taken then; run/gaps.py says which.
// Where the core may be given a product while it works on another one (Ahead), half of these are offered from the start
// of the other one on, and count as started when that one is done; and as many have another product offered right behind
// them, whose result nobody looks at.
//
// Disturbed, the core is given other products first, the next of them and then the one that is asked
// for in the very cycle in which it is done (AtOnce), or in the one after it, without a new load (Again); the
// result is taken late; and the core sees offers that it has to refuse while it works. Where an offer may be
// withdrawn (Pulses) they are pulses; elsewhere one offer is made early and stays, the core works
// on it after the product, and nobody looks at its result.

`default_nettype none

module lt_sequencer #(
  parameter int Pulses = 0,  // an offer is a pulse and leaves nothing behind when it is refused
  parameter int Stalls = 0,  // a result waits until it is taken
  parameter int Again  = 0,  // the next product may follow at once
  parameter int AtOnce = 0,  // and it shows whether it is taken in the cycle in which the last one is done
  parameter int Ahead  = 0,  // and while the core works on the last one
  parameter int Early  = 0   // an offer stays, and may be made before the last result is taken
) (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic [15:0] stall_seed_i,  // stable while in reset; 0: no stalls
  input wire logic [15:0] seed_i,        // of this product, disturbed; 0: random numbers continue
  input wire logic [31:0] turn_i,        // its number
  input wire logic        disturb_i,     // make offers while the core works
  input wire logic [1:0]  again_i,       // other products in front of this one
  input wire logic [7:0]  hold_i,        // cycles that its result is stalled and its reading waits

  // testbench
  input wire logic        valid_i,
  output     logic        ready_o,
  output     logic        started_o,     // the edge that ends this cycle gives the core its product
  output     logic        front_o,       // that edge gives it another one, in front of it
  output     logic        finished_o,    // first cycle in which the core shows that it is done
  output     logic        done_o,        // the whole result is there

  // loader and reader; held until they answer
  output     logic        load_o,
  input wire logic        loaded_i,
  output     logic        read_o,
  input wire logic        read_done_i,

  // core
  output     logic        run_o,         // it works
  output     logic [1:0]  held_o,        // products that it has
  output     logic        offer_o,
  output     logic        extra_o,       // what is offered is not the product
  output     logic        other_o,       // the core works on one in front of it
  input wire logic        accept_i,
  input wire logic        result_valid_i,
  output     logic        willing_o,     // the result would be taken
  output     logic        take_o,        // the result is taken at the edge that ends this cycle

  output     logic        wait_o,        // something could happen and is held up
  output     logic [15:0] random_o
);

  typedef enum logic [3:0] {
    StIdle, StLoad, StOther, StOtherRun, StOffer, StRun, StTake, StExtra, StRead, StDone
  } state_e;

  state_e      state_d, state_q;
  logic        offered_d, offered_q;
  logic        early_d, early_q;  // an early offer stands
  logic        owed_d, owed_q;    // the core has taken one
  logic [15:0] lfsr_d, lfsr_q;
  logic [1:0]  held_d, held_q;
  logic [1:0]  others_d, others_q;  // products that are to be worked on before the one that is asked for
  logic [7:0]  wait_d, wait_q;      // cycles of hold_i that are left
  logic [2:0]  pause_d, pause_q;    // cycles that it is not offered yet
  logic        chase_d, chase_q;    // it is offered while the one in front of it is at work
  logic        ahead_d, ahead_q;    // and the core has it
  logic        chases;
  logic        loading_d, loading_q;  // operands are being written
  logic        prompt;                // it, or one in front of it, is offered in the cycle after the last write
  logic        fronts;                // there are products in front of it
  logic [1:0]  others_new;
  logic [2:0]  pause_new;
  logic [6:0]  mixed;               // something that follows from its number and looks random
  logic        plain;               // it is not disturbed
  logic        behind;              // another product is right in front of it
  logic        followed;            // and right behind it, while it is at work
  logic        other_done;
  logic        at_once;
  logic        gives;
  logic        leaves;
  logic        moves;
  logic        stall;
  logic        chance;
  logic        offer;
  logic        pulse;
  logic        working;
  logic        may_take;

  assign lfsr_d = (valid_i & ready_o & (|seed_i)) ? seed_i :
                  {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[14] ^ lfsr_q[12] ^ lfsr_q[3]};
  assign stall  = (lfsr_q[0] | lfsr_q[5]) & (|stall_seed_i);
  // Far above the bits of `stall`: a cycle that does not stall must not rule out the next ones.
  assign chance = lfsr_q[15] & lfsr_q[11] & disturb_i;

  assign working    = (state_q == StRun) | (state_q == StTake);
  assign other_done = (state_q == StOtherRun) & result_valid_i & willing_o;
  assign mixed      = 7'(((turn_i + 32'd1) * 32'h9E3779B1) >> 25);
  assign plain      = ~(|seed_i);
  assign behind     = plain & ~(|mixed[6:5]) & ((turn_i < 32'd64) | ~(|mixed[4:3]));
  assign followed   = plain & (mixed[6:5] == 2'd1) & ((turn_i < 32'd64) | ~(|mixed[4:3]));
  // Else in the cycle after it, or later.
  assign at_once    = (AtOnce != 0) & other_done & (plain ? ~(|mixed[1:0]) : lfsr_q[7]);
  assign ready_o    = (state_q == StIdle);
  assign load_o     = (state_q == StLoad);
  assign other_o    = (prompt & fronts) | (state_q == StOther) | (state_q == StOtherRun);
  assign run_o      = (state_q == StRun) | (state_q == StOtherRun);
  assign read_o     = (state_q == StRead) & (wait_q == '0);
  assign done_o     = (state_q == StDone);
  assign chases     = (state_q == StOtherRun) & (others_q == 2'd1) & chase_q & ~ahead_q;
  assign others_new = (Again == 0) ? 2'd0 : plain ? {1'b0, behind} : again_i;
  assign fronts     = (others_new != 2'd0);
  assign pause_new  = ~plain ? 3'd0 : ~fronts ? mixed[2:0] : {1'b0, mixed[1:0]} - 3'(|mixed[1:0]);
  assign loading_d  = (state_q == StLoad) & ~loaded_i;
  assign prompt     = loading_q & loaded_i & ~stall & (plain ? fronts | ~(|pause_new) : lfsr_q[6]);
  assign offer      = (prompt & ~fronts) | ((state_q == StOffer) & (offered_q | (~stall & ~(|pause_q)))) |
                      (at_once & (others_q == 2'd1)) | chases;
  assign pulse      = (Pulses != 0) & (state_q == StRun) & ~accept_i & ~result_valid_i & chance;
  assign extra_o    = early_q | pulse | (prompt & fronts) | (state_q == StOther) | (at_once & (others_q != 2'd1));
  assign offer_o    = offer | extra_o;
  assign started_o  = (offer & accept_i & (~chases | other_done)) | (ahead_q & other_done);
  assign front_o    = ((prompt & fronts) | (state_q == StOther) | (at_once & (others_q != 2'd1))) & accept_i;
  assign finished_o = (state_q == StRun) & result_valid_i;
  assign may_take   = (working & (wait_q == '0)) | (state_q == StExtra) | (state_q == StOtherRun);
  // Nothing delays the result in front of a product that is counted from there: random numbers of testbenches differ.
  assign willing_o  = may_take & ~(stall & (Stalls != 0) & ~(chase_q & (state_q == StOtherRun)));
  assign take_o     = working & willing_o & result_valid_i;
  assign wait_o     = stall & ((state_q == StOffer) ? ~offered_q : (may_take & result_valid_i & (Stalls != 0)));
  assign random_o   = lfsr_q;
  assign gives      = offer_o & accept_i;
  assign leaves     = result_valid_i & ((Pulses != 0) | willing_o) & (held_q != '0);
  assign held_d     = held_q + 2'(gives) - 2'(leaves);
  assign held_o     = held_q;

  always_comb begin
    state_d   = state_q;
    offered_d = offer & ~accept_i;
    early_d   = early_q & ~accept_i;
    owed_d    = owed_q | (early_q & accept_i);
    others_d  = others_q;
    wait_d    = wait_q;
    pause_d   = pause_q;
    chase_d   = chase_q;
    ahead_d   = (ahead_q | (chases & accept_i)) & ~other_done;
    if ((Early != 0) & (state_q == StRun) & chance & ~owed_q & ~early_q) early_d = 1'b1;
    if ((Ahead != 0) & (Early != 0) & started_o & followed) early_d = 1'b1;
    case (state_q)
      StIdle:  if (valid_i) state_d = StLoad;
      StLoad: begin
        others_d = others_new;
        pause_d  = pause_new;
        wait_d   = (Stalls != 0) ? hold_i : 8'd0;
        chase_d  = (Ahead != 0) & (plain ? mixed[2] : lfsr_q[7]);
        if (loaded_i & fronts) begin
          if (front_o) state_d = StOtherRun;
          else state_d = StOther;
        end else if (loaded_i) begin
          if (started_o) state_d = StRun;
          else state_d = StOffer;
          if (loading_q & (|pause_new)) pause_d = pause_new - 3'd1;
        end
      end
      StOther: if (accept_i) state_d = StOtherRun;
      StOtherRun: begin
        if (other_done) begin
          others_d = others_q - 2'd1;
          if (started_o) state_d = StRun;
          else if (others_q == 2'd1) state_d = StOffer;
          else if (~(at_once & accept_i)) state_d = StOther;
        end
      end
      StOffer: begin
        if (|pause_q) pause_d = pause_q - 3'd1;
        if (started_o) state_d = StRun;
      end
      StRun, StTake: begin
        if (result_valid_i & (wait_q != '0)) wait_d = wait_q - 8'd1;
        if (take_o & (early_q | early_d | owed_q)) state_d = StExtra;
        else if (take_o) begin
          state_d = StRead;
          wait_d  = hold_i;
        end
        else if (finished_o) state_d = StTake;
      end
      StExtra: begin
        if (owed_q & willing_o & result_valid_i) begin
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

  assign moves = rst_i | (state_d != state_q) | (offered_d !== offered_q) | (early_d !== early_q) |
                 (owed_d !== owed_q) | (held_d !== held_q) | (others_d !== others_q) | (wait_d !== wait_q) | (pause_d !== pause_q) |
                 (chase_d !== chase_q) | (ahead_d !== ahead_q) | (loading_d !== loading_q) |
                 (lfsr_d !== lfsr_q);

  // A core without a reset sees offers before the first one.
  initial begin
    state_q   = StIdle;
    offered_q = 1'b0;
    early_q   = 1'b0;
    ahead_q   = 1'b0;
    loading_q = 1'b0;
    held_q    = '0;
  end

  // In most cycles of a product nothing changes here: simulators that interpret take their time
  // for every variable that a process touches.
  always @(posedge clk_i) begin
    if (moves) begin
      if (rst_i) begin
        state_q   <= StIdle;
        offered_q <= 1'b0;
        early_q   <= 1'b0;
        owed_q    <= 1'b0;
        held_q    <= '0;
        others_q  <= '0;
        wait_q    <= '0;
        pause_q   <= '0;
        chase_q   <= 1'b0;
        ahead_q   <= 1'b0;
        loading_q <= 1'b0;
        lfsr_q    <= stall_seed_i;
      end else begin
        state_q   <= state_d;
        offered_q <= offered_d;
        early_q   <= early_d;
        owed_q    <= owed_d;
        held_q    <= held_d;
        others_q  <= others_d;
        wait_q    <= wait_d;
        pause_q   <= pause_d;
        chase_q   <= chase_d;
        ahead_q   <= ahead_d;
        loading_q <= loading_d;
        lfsr_q    <= lfsr_d;
      end
    end
  end

endmodule

`default_nettype wire
