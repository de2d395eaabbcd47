# SPDX-License-Identifier: Apache-2.0
"""`limbtrace synth`: areas from Yosys, frequencies from nextpnr, reports of Vivado."""
