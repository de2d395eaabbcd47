# SPDX-License-Identifier: Apache-2.0
"""Co-simulation with GHDL: VHDL runs beside the simulator of the testbench."""
