// SPDX-License-Identifier: Apache-2.0
// Generated from the core.toml of iddmm_arch2.

`default_nettype none

// verilator lint_off UNUSEDSIGNAL
// Not every core uses every wire of the shell.
// verilator tracing_off
// Waveforms show the core alone.
module lt_shell (
  input  wire                clk_i,
  input  wire                rst_i,
  input  wire  [15:0]        stall_seed_i,
  // Disturbances of this product
  input  wire                disturb_i,  // offers while the core works
  input  wire                unknown_i,  // inputs that nobody may look at are unknown
  input  wire                renew_i,    // the constants are new
  input  wire  [15:0]        seed_i,     // of the random numbers; 0: they go on
  input  wire  [250-1:0] constants_i,
  input  wire  [168-1:0] a_i,
  input  wire  [168-1:0] b_i,
  input  wire                valid_i,
  output logic               ready_o,
  output logic               started_o,
  output logic               finished_o,
  output logic               done_o,
  output logic [168-1:0] result_o,
  output logic               store_o,
  input  wire                sample_i,
  output logic [19+63-1:0] row_o  // two edges later: {registers, combinational}
);

  logic rst, load, loaded, read, read_done, run, offer, extra, accept, core_done, willing, take;
  logic stalled, held_back;
  wire waits = stalled | held_back;
  logic [15:0] random, noise;
`ifdef VERILATOR
  assign noise = random;  // it knows no x
`else
  assign noise = 'x;
`endif
  wire [4:0] input_n_i = constants_i[0 +: 5];
  wire [4:0] input_passes_i = constants_i[5 +: 5];
  wire [7:0] input_p_prime_i = constants_i[10 +: 8];
  wire [15:0] words_0 = constants_i[18 +: 16];
  wire [15:0] words_1 = constants_i[34 +: 16];
  wire [167:0] image_2 = constants_i[50 +: 168];
  wire [15:0] words_2 = constants_i[218 +: 16];
  wire [15:0] words_result = constants_i[234 +: 16];
  wire [0:0] out_done_o;
  wire [0:0] out_busy_o;
  wire [7:0] out_rd_data_o;
  assign rst = rst_i;
  assign accept = ~out_busy_o;
  assign core_done = out_done_o;
  logic load_enable;
  logic [1:0] load_select;
  logic [0:0] load_product;
  logic [4:0] load_address;
  logic [7:0] load_data;
  lt_loader #(
    .CountW(16),
    .Loads(3),
    .Depth(21),
    .DataW(8),
    .AddrW(5),
    .SelectW(3),
    .Once(3'b100)
  ) u_loader (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .load_i(load),
    .renew_i(renew_i),
    .loaded_o(loaded),
    .images_i({image_2, b_i[0 +: 168], a_i[0 +: 168]}),
    .words_i({words_2, words_1, words_0}),
    .selects_i({1'd0, 2'd2, 1'd0, 2'd1, 1'd0, 2'd0}),
    .enable_o(load_enable),
    .select_o({load_product, load_select}),
    .address_o(load_address),
    .data_o(load_data)
  );
  logic [4:0] read_address;
  logic [0:0] read_product;
  lt_reader #(
    .CountW(16),
    .Products(1),
    .Depth(21),
    .DataW(8),
    .Weight(8),
    .AddrW(5),
    .ProductW(1)
  ) u_reader (
    .clk_i(clk_i),
    .read_i(read),
    .done_o(read_done),
    .words_i(words_result),
    .product_o(read_product),
    .address_o(read_address),
    .data_i(out_rd_data_o),
    .result_o(result_o)
  );
  assign held_back = 1'b0;
  wire noisy_write = unknown_i & ~(load_enable);
  wire noisy_read = unknown_i & ~(read);
  wire noisy = noisy_write | noisy_read;
  // verilator tracing_on
  lt_iddmm_arch2 #(
    .K(8),
    .NMax(20),
    .Pipeline(0),
    .UseDsp(1)
  ) u_core (
    .clk_i(clk_i),
    .rst_ni(~rst),
    .n_i(input_n_i),
    .passes_i(input_passes_i),
    .p_prime_i(input_p_prime_i),
    .start_i(offer),
    .wr_en_i(load_enable),
    .wr_addr_i(noisy_write ? 5'({1{noise}}) : load_address),
    .wr_data_i(noisy_write ? 8'({1{noise}}) : load_data),
    .wr_sel_i(noisy_write ? 2'({1{noise}}) : load_select),
    .rd_addr_i(noisy_read ? 5'({1{noise}}) : read_address),
    .done_o(out_done_o),
    .busy_o(out_busy_o),
    .rd_data_o(out_rd_data_o)
  );
  // verilator tracing_off
  logic [62:0] comb_q;
  logic [81:0] row_q;
  always_ff @(posedge clk_i) if (sample_i) begin
    comb_q <= {u_core.u_frame.u_i, u_core.u_frame.a_wr_addr, u_core.u_frame.a_we, u_core.u_sum, u_core.qp, u_core.s_sum};
    row_q <= {u_core.u_frame.a_top_q, u_core.c_q, u_core.u_products.quot_q, comb_q};
  end
  assign row_o = row_q;
  assign store_o = 1'b1;

  lt_sequencer #(
    .Pulses(1),
    .Early(0)
  ) u_sequencer (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .stall_seed_i(stall_seed_i),
    .seed_i(seed_i),
    .disturb_i(disturb_i),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .started_o(started_o),
    .finished_o(finished_o),
    .done_o(done_o),
    .load_o(load),
    .loaded_i(loaded),
    .read_o(read),
    .read_done_i(read_done),
    .run_o(run),
    .offer_o(offer),
    .extra_o(extra),
    .accept_i(accept),
    .result_valid_i(core_done),
    .willing_o(willing),
    .take_o(take),
    .wait_o(stalled),
    .random_o(random)
  );

endmodule

`default_nettype wire
