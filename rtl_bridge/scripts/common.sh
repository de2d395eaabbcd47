# SPDX-License-Identifier: Apache-2.0
# Sourced by the run scripts, which work in the folder of the export and build elsewhere: the export stays as it is,
# may be read-only, and may have blanks in its path, which make does not take.

# fail SENTENCE
fail() {
  printf '%s: %s\n' "$script" "$1" >&2
  exit 3
}

# stop STATUS: ends the simulation too.
stop() {
  kill $! 2>/dev/null
  exit "$1"
}

# need TOOL...: are they on PATH?
need() {
  for tool; do
    command -v "$tool" >/dev/null || fail "$tool is not on PATH"
  done
}

# step TOOL ARGUMENT...: runs a tool; all that it says goes to a log, of which the end is shown when it fails.
step() {
  "$@" >"$work/log" 2>&1 </dev/null && return
  tail -n 20 "$work/log" >&2
  fail "$1 failed"
}

# simulate TOOL ARGUMENT...: runs the simulation and ends the script with what the testbench says of it.
simulate() {
  "$@" >"$work/log" 2>&1 </dev/null &
  wait $! # a signal ends the wait, not a call
  said=$(sed -n '/LIMBTRACE ROW/d; /LIMBTRACE AT/d; s/ result=[01xzXZ]*$//; s/.*LIMBTRACE //p' "$work/log")
  # An assertion of the core that fails after the first reset, as Verilator or Icarus Verilog say it.
  failed=$(awk '
    /\] %(Error|Fatal): .*Assertion failed in / { at = $0; sub(/\].*/, "", at); sub(/.*\[/, "", at); if (at + 0 > 45) { print; exit } }
    /^(ERROR|FATAL): / { held = $0; next }
    /^ *Time: [0-9]+ +Scope: / { if (held != "" && $2 + 0 > 45) { print held; exit } held = "" }
  ' "$work/log")
  if [ -n "$failed" ]; then
    printf 'ASSERTION %s\n' "$failed"
    exit 1
  fi
  case $said in
    PASS*) printf '%s\n' "$said" && exit 0 ;;
    ?*) printf '%s\n' "$said" && exit 1 ;;
  esac
  tail -n 20 "$work/log" >&2
  fail "the simulation ended without a report"
}

script=$(basename "$0")
[ -f SHA256SUMS ] || fail "SHA256SUMS is missing from the export"
while read -r _ name; do
  [ -f "$name" ] || fail "$name is missing from the export"
done <SHA256SUMS
. ./settings.sh

work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM
