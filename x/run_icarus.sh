#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the core with its vectors in Icarus Verilog. Exit 0: all agree, 1: a difference, 3: a tool failed.

cd "$(dirname "$0")" && [ -f common.sh ] || { echo "$0: common.sh is missing from the export" >&2 && exit 3; }
. ./common.sh
need iverilog vvp

set --
for parameter in $parameters; do set -- "$@" "-P$testbench.$parameter"; done
step iverilog -g2012 -s "$testbench" -o "$work/sim" "-I$include" "$@" -c sources.f

set --
for plusarg in $plusargs; do set -- "$@" "+$plusarg"; done
simulate vvp -n "$work/sim" "$@"
