#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the core with its vectors in Vivado's simulator. Exit 0: all agree, 1: a difference, 3: a tool failed.

cd "$(dirname "$0")" && [ -f common.sh ] || { echo "$0: common.sh is missing from the export" >&2 && exit 3; }
. ./common.sh
need xvlog xelab xsim

# The tools leave logs and xsim.dir where they are called, so that they are called in the folder of the build.
export=$PWD
set --
while read -r source; do
  case $source in
    +define+*) set -- "$@" -d "${source#+define+}" ;;
    +incdir+*) set -- "$@" -i "$export/${source#+incdir+}" ;;
    *) set -- "$@" "$export/$source" ;;
  esac
done <sources.f
cd "$work" || fail "$work cannot be entered"
step xvlog -sv -i "$export/$include" "$@"

set --
for parameter in $parameters; do set -- "$@" -generic_top "$parameter"; done
step xelab -timescale 1ns/1ns -s limbtrace "$@" "$testbench"

set --
for plusarg in $plusargs; do set -- "$@" -testplusarg "$plusarg"; done
ln -s "$export/vectors" vectors
simulate xsim limbtrace -onfinish quit -tclbatch "$export/xsim.tcl" "$@"
