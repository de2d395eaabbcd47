// SPDX-License-Identifier: Apache-2.0
//
// A second top beside lt_files_tb: the waveform of all that is in the shell, written as it comes.

module lt_second;

  initial begin
    $dumpfile("second.vcd");
    $dumpvars(0, lt_files_tb.u_shell);
  end

  always @(posedge lt_files_tb.clk) $dumpflush;

endmodule
