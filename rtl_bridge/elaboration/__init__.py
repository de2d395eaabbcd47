# SPDX-License-Identifier: Apache-2.0
"""The RTL of a core with concrete parameters, as slang, GHDL and Yosys read it."""
