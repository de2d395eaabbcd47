#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the core with its vectors in Verilator (5.006 or later). Exit 0: all agree, 1: a difference, 3: a tool failed.

cd "$(dirname "$0")" && [ -f common.sh ] || { echo "$0: common.sh is missing from the export" >&2 && exit 3; }
. ./common.sh
need verilator make g++

set --
# Verilator's Python package does not say how the compiler takes a precompiled header, which a large design has.
root=$(verilator --getenv VERILATOR_ROOT 2>/dev/null) || root=
if grep -q '^CFG_CXXFLAGS_PCH_I *= *$' "$root/include/verilated.mk" 2>/dev/null; then
  set -- -MAKEFLAGS CFG_CXXFLAGS_PCH_I=-include
fi
for parameter in $parameters; do set -- "$@" "-G$parameter"; done
step verilator --binary --timing -j 0 -Wno-fatal -CFLAGS -fcoroutines --top-module "$testbench" -Mdir "$work" -o sim \
  "-I$include" "$@" -f sources.f

set --
for plusarg in $plusargs; do set -- "$@" "+$plusarg"; done
# A failing assertion of the core does not end the run; registers begin with random values.
simulate "$work/sim" +verilator+error+limit+1000000 +verilator+rand+reset+2 +verilator+seed+1 "$@"
