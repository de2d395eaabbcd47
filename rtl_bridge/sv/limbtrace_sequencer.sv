// SPDX-License-Identifier: Apache-2.0
//
// One product after the other through a core: load the operands, offer them, wait for the result,
// take it, read it. Both handshakes look alike from here: a start is an offer and busy refuses it,
// a done is a result that is always taken. With a seed other than 0 offering and taking wait for
// random numbers of cycles; what was offered stays offered.

`default_nettype none

module limbtrace_sequencer (
  input  logic        clk_i,
  input  logic        rst_i,
  input  logic [15:0] stall_seed_i,  // stable while in reset; 0: no stalls

  // testbench
  input  logic        valid_i,
  output logic        ready_o,
  output logic        started_o,     // the edge that ends this cycle gives the core its product
  output logic        finished_o,    // first cycle in which the core shows that it is done
  output logic        done_o,        // the whole result is there

  // loader and reader; held until they answer
  output logic        load_o,
  input  logic        loaded_i,
  output logic        read_o,
  input  logic        read_done_i,

  // core
  output logic        offer_o,
  input  logic        accept_i,
  input  logic        result_valid_i,
  output logic        willing_o,     // the result would be taken
  output logic        take_o         // the result is taken at the edge that ends this cycle
);

  typedef enum logic [2:0] {StIdle, StLoad, StOffer, StRun, StTake, StRead, StDone} state_e;

  state_e      state_d, state_q;
  logic        offered_d, offered_q;
  logic [15:0] lfsr_d, lfsr_q;
  logic        stall;
  logic        may_take;

  assign lfsr_d = {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[14] ^ lfsr_q[12] ^ lfsr_q[3]};
  assign stall  = lfsr_q[0] | lfsr_q[5];

  assign ready_o    = (state_q == StIdle);
  assign load_o     = (state_q == StLoad);
  assign read_o     = (state_q == StRead);
  assign done_o     = (state_q == StDone);
  assign offer_o    = (state_q == StOffer) & (offered_q | ~stall | ~(|stall_seed_i));
  assign started_o  = offer_o & accept_i;
  assign finished_o = (state_q == StRun) & result_valid_i;
  assign may_take   = (state_q == StRun) | (state_q == StTake);
  assign willing_o  = may_take & (~stall | ~(|stall_seed_i));
  assign take_o     = willing_o & result_valid_i;

  always_comb begin
    state_d   = state_q;
    offered_d = offer_o & ~accept_i;
    case (state_q)
      StIdle:  if (valid_i) state_d = StLoad;
      StLoad:  if (loaded_i) state_d = StOffer;
      StOffer: if (started_o) state_d = StRun;
      StRun: begin
        if (take_o) state_d = StRead;
        else if (finished_o) state_d = StTake;
      end
      StTake:  if (take_o) state_d = StRead;
      StRead:  if (read_done_i) state_d = StDone;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      state_q   <= StIdle;
      offered_q <= 1'b0;
      lfsr_q    <= stall_seed_i;
    end else begin
      state_q   <= state_d;
      offered_q <= offered_d;
      lfsr_q    <= lfsr_d;
    end
  end

endmodule

`default_nettype wire
